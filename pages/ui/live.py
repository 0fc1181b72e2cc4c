"""The live panel: headline numbers, one sentence and figures that follow the hand.

Streamlit's sliders report nothing while they are dragged. The panel therefore gets, with every
answer, what it would show at each other value of each headline slider, watches the sliders in the
page and draws the right row at once. On release the server's answer replaces it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.packing import AxisRange, Bound, Column, Family, PanelFigure, Texts, pack
from pages.ui.plotlyjs import plotly_url, publish_script

__all__ = ["AxisRange", "Bound", "Column", "Family", "PanelFigure", "panel", "prepare"]

HERE = Path(__file__).resolve().parent
HTML = "<div class='nf-panel' style='min-height:30rem'></div>\n"
# Fetched once and kept by the browser, the script does not travel with every answer.
LOADER = """
let draw;
try { draw = (await import(new URL(%s, document.baseURI).href)).default; }
catch (problem) { console.warn('the panel stays plain', problem); }
function plain({ data, parentElement }) {
  const size = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const { labels, values, notice, figures } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
  const lines = typeof values === 'string' ? [values] : labels.map((label, i) => `${label}: ${values[i]}`);
  parentElement.querySelector('.nf-panel').innerText = [...lines, notice, ...figures.map(({ alt }) => alt)].join('\\n');
}
export default context => (draw ?? plain)(context);
"""  # noqa: E501


def panel(
    key: str,
    *,
    figures: Sequence[PanelFigure],
    headline: Sequence[str],
    hints: Sequence[str] = (),
    families: Mapping[str, Family],
    bound: Sequence[Bound] = (),
    x: np.ndarray,
    ranges: Sequence[AxisRange] = (),
    notice: str = "",
    values: Texts | None = None,
    height: int = 340,
) -> None:
    """Draw the live panel.

    Parameters
    ----------
    key : str
        The component's key.
    figures : sequence of PanelFigure, (F,)
        Side by side from 760 px, below each other otherwise.
    headline : sequence of str, (H,)
        Labels of the headline cells.
    hints : sequence of str, (H,), optional
        What each label means, shown on hover.
    families : mapping of str to Family
        By the slider's widget key.
    bound : sequence of Bound
        The traces that follow the sliders.
    x : ndarray, (P,)
        Shared x values of the curves.
    ranges : sequence of AxisRange
        Axes whose range follows the sliders; leave out axes that stand still.
    notice : str
        The "what to notice" sentence at the present setting.
    values : sequence of str (H,) or str, optional
        Headline texts now, or one sentence; by default those of the first family.
    height : int
        Height of each figure [px].
    """
    plotly = plotly_url() if st.get_option("server.enableStaticServing") else None
    data = pack(
        figures=figures,
        headline=headline,
        hints=hints,
        families=families,
        bound=bound,
        x=x,
        ranges=ranges,
        notice=notice,
        values=values,
        height=height,
        plotly=plotly,
    )
    _component()(key=key, data=data)
    if plotly is None:
        _bring_native_plotly()


def prepare() -> None:
    """Put the scripts into the served folder and register the component, once per process."""
    plotly_url()
    _component()


def script() -> str:
    """Return our whole script, one ES module.

    Returns
    -------
    str
        Style and code; its default export draws one panel.
    """
    style = f"const STYLE = {json.dumps((HERE / 'live.css').read_text())};"
    parts = [(HERE / name).read_text() for name in ("live_figure.js", "live.js")]
    return "\n".join([style, *parts])


@functools.cache
def _component() -> Callable[..., Any]:
    source = script()
    url = publish_script("live", source) if st.get_option("server.enableStaticServing") else None
    code = LOADER % json.dumps(url) if url else source
    component: Callable[..., Any] = st.components.v2.component(
        "nfold_live", html=HTML, js=code, isolate_styles=False
    )
    return component


def _bring_native_plotly() -> None:
    """Draw an unseen native chart: with it Streamlit loads its own plotly.js."""
    with st.container(key="nf-plotly-source"):
        st.plotly_chart({"data": [{"type": "scatter", "y": [0]}]}, key="nf-plotly-chart", height=10)
