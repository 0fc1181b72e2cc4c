"""A page's question with the situation beside it, where its controls are in the closed expander."""

from __future__ import annotations

import streamlit as st

from dpmodel.scenario import FIELD_KNOBS, Scenario


def heading(question: str, scenario: Scenario) -> None:
    """Write the question that the page answers, then the situation and where to change it."""
    shown = {
        name: FIELD_KNOBS[name].show(getattr(scenario, name))
        for name in ("workers", "batch", "parameters", "bandwidth")
    }
    workers = "1 worker" if shown["workers"] == "1" else f"{shown['workers']} workers"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(question, width="content")
        st.caption(
            f"{workers}, batch {shown['batch']}, {shown['parameters']} parameters, "
            f"{shown['bandwidth']}: change them under Scenario.",
            width="content",
        )
