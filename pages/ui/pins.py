"""The pinned scenario to compare with, and the one before the last change."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from dpmodel.border import from_query, to_query
from dpmodel.scenario import Scenario

PARAMETER = "pin"
_PRESENT, _BEFORE = "present scenario", "scenario before"


def previous(scenario: Scenario) -> Scenario | None:
    """Return the scenario before the last change, and remember the present one."""
    present = st.session_state.get(_PRESENT)
    if present is not None and present != scenario:
        st.session_state[_BEFORE] = present
    st.session_state[_PRESENT] = scenario
    before: Scenario | None = st.session_state.get(_BEFORE)
    return before if before != scenario else None


def pinned() -> Scenario | None:
    """Return the pinned scenario, which the address bar carries; its bad values are left out."""
    text = st.query_params.get(PARAMETER)
    if text is None:
        return None
    return from_query(dict(parse_qsl(text)))[0]


def pin(scenario: Scenario) -> None:
    """Pin a scenario in the address bar."""
    st.query_params[PARAMETER] = to_query(scenario)[1:]


def unpin() -> None:
    """Drop the pinned scenario."""
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]
