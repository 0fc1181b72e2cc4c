"""A measured run drawn over the prediction in Explore, named in the address bar."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpmodel.scenario import Scenario
from dpmodel.training import predict
from dpmodel.units import HOUR
from pages.ui.figures import markers
from pages.ui.theme import COLOURS

PARAMETER = "measured"
_HOVER = {
    "time": "%{x:,} workers measured: %{y:,.3~r} h<extra></extra>",
    "speed_up": "%{x:,} workers measured: %{y:,.3~r}x<extra></extra>",
}


def shown() -> str | None:
    """Return the measured run that the address bar names, if there is such a run."""
    key = st.query_params.get(PARAMETER)
    if key is None:
        return None
    from pages.ui.evidence_data import curves

    return key if key in curves() else None


def points(key: str | None, scenario: Scenario) -> dict[str, np.ndarray]:
    """Measured sizes as speed-up and hours of the present scenario.

    The smallest measured size stands where the model puts it; the others keep their measured
    ratio to it.
    """
    if key is None:
        return {}
    from pages.ui.evidence_data import curves

    curve = curves()[key].case.curve
    first = predict(scenario, curve.workers[:1])
    start = float(np.ravel(first.speed_up)[0])
    speed = start * curve.efficiency * curve.workers / curve.workers[0]
    run = float(np.ravel(first.one_worker)[0]) / HOUR
    return {"x": curve.workers, "speed_up": speed, "time": run / speed}


def trace(found: dict[str, np.ndarray], what: str) -> list[dict[str, Any]]:
    """Markers of one chart; none where nothing is shown."""
    if not found:
        return []
    style = {"symbol": "circle-open", "size": 10, "hovertemplate": _HOVER[what]}
    made = markers(found["x"], found[what], "Measured", COLOURS["measured"], **style)
    made["marker"]["line"] = {"color": COLOURS["measured"], "width": 2}
    return [made]


def caption(key: str) -> None:
    """Name the run, link back to it, and offer to take it off."""
    from pages.ui.evidence_data import curves

    curve = curves()[key].case.curve
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/evidence.py",
            label=f"Measured: {curve.cells['model']}, {curve.cells.get('accelerator', '')}",
            query_params={"case": key},
            help="Source, row and assumptions of these points.",
        )
        st.button("Take measured points off", key="measured_off", on_click=take_off)


def take_off() -> None:
    """Drop the measured run from the address bar."""
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]
