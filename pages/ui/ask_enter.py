"""Let Enter ask in a box of several lines, where a pasted table keeps its lines."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import streamlit as st

# The box itself sends on Ctrl+Enter; Shift+Enter stays a new line, and Enter inside an input
# method's candidate window only picks the candidate.
_SCRIPT = """
export default function () {
  const listen = (event) => {
    const box = event.target
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return
    if (event.isComposing || !box.closest || !box.closest(".st-key-q")) return
    event.preventDefault()
    event.stopPropagation()
    box.dispatchEvent(new KeyboardEvent("keydown",
      { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))
  }
  document.addEventListener("keydown", listen, true)
  return () => document.removeEventListener("keydown", listen, true)
}
"""


@functools.cache
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(
        "nfold_enter_asks", html="<span></span>", js=_SCRIPT, isolate_styles=False
    )
    return component


def enter_asks() -> None:
    """Make Enter in the question's box ask, once per page."""
    with st.container(key="enter_asks"):
        _component()(key="enter_asks_script", height=1)
