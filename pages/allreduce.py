"""All-reduce: which algorithm is fastest when, and what that does to a step."""

import streamlit as st

from pages.ui import allreduce_page, allreduce_views, controls, situation

scenario = controls.scenario()
situation.heading("Which all-reduce is fastest, and when?", scenario)
sweep = allreduce_page.draw(scenario)

look = st.segmented_control(
    "Look closer",
    list(allreduce_views.LOOKS),
    key="closer",
    bind="query-params",
    label_visibility="collapsed",
)
if look == "Bytes and steps":
    allreduce_views.bytes_and_steps(scenario)
elif look == "Bandwidths":
    allreduce_views.bandwidth(scenario, sweep)
elif look == "Node boundary":
    allreduce_views.node_boundary(scenario)
elif look == "Bucket size":
    allreduce_views.bucket_size(scenario)
elif look == "Transfer law":
    allreduce_views.transfer_law(sweep)
