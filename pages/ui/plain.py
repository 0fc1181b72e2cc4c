"""Words of others on the screen: shown as they are, never read as Markdown or HTML."""

from __future__ import annotations

import string

import streamlit as st

_SIGNS = frozenset(string.punctuation)


def escaped(words: str) -> str:
    """Return text that Markdown shows as it is, for labels that must be Markdown.

    Parameters
    ----------
    words : str
        Any text; line breaks become spaces.
    """
    return "".join("\\" + sign if sign in _SIGNS else sign for sign in " ".join(words.split()))


def large(words: str, key: str) -> None:
    """Show one sentence large, as plain text."""
    with st.container(key=f"large_{key}"):
        st.text(words)


def small(words: str, key: str) -> None:
    """Show a remark small and muted, as plain text."""
    with st.container(key=f"small_{key}"):
        st.text(words)


def style() -> None:
    """Set the sizes of plain texts, and what a printed page leaves out."""
    st.html(
        """<style>
[class*="st-key-large_"] [data-testid="stText"] {
  font-size: clamp(1.25rem, 2.2vw, 1.75rem); font-weight: 600; line-height: 1.3;
}
[class*="st-key-small_"] [data-testid="stText"] { font-size: 0.875rem; opacity: 0.85; }
[data-testid="stText"] { white-space: pre-wrap; overflow-wrap: anywhere; }
.st-key-examples, .st-key-nearest { row-gap: 0.5rem; }
.st-key-q [data-testid="InputInstructions"] { display: none; }
@media print {
  header, [data-testid="stToolbar"], .st-key-scenario_box, .st-key-no_print,
  .st-key-enter_asks { display: none !important; }
  .stApp, [data-testid="stMain"], [data-testid="stAppViewContainer"] {
    position: static !important; overflow: visible !important; height: auto !important;
  }
  [class*="st-key-exercise_"] { break-inside: avoid; }
}
</style>"""
    )
