"""The player: a component that goes through one executed step in the browser, without a server."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.plotlyjs import publish_script

HERE = Path(__file__).resolve().parent
# Fetched once and kept by the browser; without it the words of every frame stand as text.
LOADER = """
let draw;
try { draw = (await import(new URL(%s, document.baseURI).href)).default; }
catch (problem) { console.warn('the player stays plain', problem); }
function plain({ data, parentElement }) {
  parentElement.querySelector('.%s').innerText = data.plain;
}
export default context => (draw ?? plain)(context);
"""


def player(key: str, scene: dict[str, Any]) -> None:
    """Draw the player of one step.

    Parameters
    ----------
    key : str
        The component's key.
    scene : dict
        From `step_scene.make_scene`.
    """
    words = "\n".join(f"{frame['phase']}. {frame['text']}" for frame in scene["frames"])
    component("player", 33)(key=key, data=scene | {"plain": words})


def exercise(key: str, data: dict[str, Any]) -> None:
    """Draw the exercise that puts the events of a step in order.

    Parameters
    ----------
    key : str
        The component's key.
    data : dict
        ``events`` in their shown order, and ``rules`` (before, after, why) between their keys.
    """
    component("order", 24)(
        key=key, data=data | {"plain": "\n".join(e["text"] for e in data["events"])}
    )


def script(stem: str) -> str:
    """Return the whole script of one component, one ES module."""
    style = f"const STYLE = {json.dumps((HERE / f'{stem}.css').read_text())};"
    names = (f"{stem}_scene.js", f"{stem}.js")
    return "\n".join([style, *((HERE / n).read_text() for n in names if (HERE / n).exists())])


@functools.cache
def component(stem: str, height: int) -> Callable[..., Any]:
    """Register a component once per process; `height` [rem] is kept free until it is drawn."""
    source = script(stem)
    url = publish_script(stem, source) if st.get_option("server.enableStaticServing") else None
    code = LOADER % (json.dumps(url), f"nf-{stem}") if url else source
    made: Callable[..., Any] = st.components.v2.component(
        f"nfold_{stem}",
        html=f"<div class='nf-{stem}' style='min-height:{height}rem'></div>\n",
        js=code,
        isolate_styles=False,
    )
    return made
