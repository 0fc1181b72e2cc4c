"""Explore: training time and speed-up over workers, and why the speed-up is not N."""

import streamlit as st

from pages.ui import controls, explore_panel, links, measured, pins, views

scenario = controls.scenario()
pinned = pins.pinned()
run = measured.shown()
explore_panel.draw(
    scenario,
    list(controls.ladders().values()),
    previous=pins.previous(scenario),
    pinned=pinned,
    run=run,
)
if run is not None:
    measured.caption(run)

with st.container(horizontal=True, vertical_alignment="center"):
    view = st.segmented_control(
        "Look closer",
        links.PAGE_PARAMETERS["view"],
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    if pinned is None:
        st.button("Pin to compare", on_click=pins.pin, args=(scenario,), key="pin_now")
    else:
        st.button("Unpin", on_click=pins.unpin, key="unpin_now")
    st.caption(views.left_out(scenario))
st.caption(views.how_sure(scenario))
if lesson := views.device_lesson(scenario):
    st.caption(lesson)

if view == "Breakdown":
    views.breakdown(scenario)
elif view == "Map":
    views.maps(scenario)
elif view == "Goals":
    views.goals(scenario)
elif view == "How it is made":
    views.how_made(scenario)
elif view == "Compare":
    views.compare(scenario, pinned)
