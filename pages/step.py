"""One step: shards, gradients, all-reduce and update, really carried out, frame by frame."""

import streamlit as st

from pages.ui import controls, situation, step_page, step_views

scenario = controls.scenario()
situation.heading("What happens in one step?", scenario)
chosen = step_page.draw(scenario)

look = st.segmented_control(
    "Look closer",
    list(step_views.LOOKS),
    key="look",
    bind="query-params",
    label_visibility="collapsed",
)
if look == "Put in order":
    step_page.draw_order(chosen)
elif look == "Loss curves":
    step_views.loss_curves(chosen)
elif look == "Fewer bytes":
    step_views.fewer_bytes(chosen)
elif look == "Larger batches":
    step_views.larger_batches()
