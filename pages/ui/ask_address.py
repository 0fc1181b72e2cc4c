"""What the Ask page holds beside its widgets, and the address that brings it back."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.ui import state

FIX, KINDS, SEED, LEVEL, SHEET = "fix", "kinds", "seed", "level", "sheet"
_NAMES = (FIX, KINDS, SEED, LEVEL, SHEET)
_HELD = "held by ask"


def arrive() -> None:
    """Take what the address says at first and after Back; afterwards the address follows."""
    given = st.query_params.to_dict()
    if _HELD not in st.session_state or state.went_back():
        st.session_state[_HELD] = {name: given[name] for name in _NAMES if name in given}
    for name in _NAMES:
        if given.get(name, "") != text(name):
            _write(name, text(name))


def text(name: str) -> str:
    """Return one held text, or ""."""
    held: dict[str, str] = st.session_state.get(_HELD, {})
    return held.get(name, "")


def put(name: str, value: str) -> None:
    """Hold a text and let the address say it; "" drops it."""
    held = dict(st.session_state.get(_HELD, {}))
    held.pop(name, None)
    st.session_state[_HELD] = held | ({name: value} if value else {})
    _write(name, value)


def _write(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def corrections() -> dict[str, str]:
    """Return the corrected quantities: role to text."""
    return dict(parse_qsl(text(FIX)))


def correct(role: str, value: str) -> None:
    """Correct one quantity."""
    put(FIX, urlencode(corrections() | {role: value}))


def drop_correction(role: str) -> None:
    """Take back one correction."""
    put(FIX, urlencode({r: value for r, value in corrections().items() if r != role}))


def link(parameters: Mapping[str, str]) -> str:
    """Return this page's whole address with these parameters and no others."""
    base = (st.context.url or "").split("?")[0]
    said = {name: value for name, value in parameters.items() if value}
    return f"{base}?{urlencode(said)}" if said else base
