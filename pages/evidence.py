"""Evidence: published measurements beside what the model predicts for them."""

import streamlit as st

from pages.ui import controls, evidence_sweeps, evidence_view

controls.scenario()
evidence_view.leave_if_asked()

st.title("How far off is the model?")
shown = st.segmented_control(
    "Evidence",
    ("Scaling curves", "All-reduce"),
    default="Scaling curves",
    required=True,
    key="evidence",
    bind="query-params",
    label_visibility="collapsed",
)
if shown == "Scaling curves":
    evidence_view.draw()
else:
    evidence_sweeps.draw()
