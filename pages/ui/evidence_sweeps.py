"""The Evidence page's all-reduce sweeps: scatter, one sweep with its fits, list and scores."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpmodel.evidence.reading import Sweep
from dpmodel.evidence.scores import sweep_scores
from dpmodel.evidence.sweeps import SweepFit, fit_sweep
from dpmodel.units import UNITS
from pages.ui import chart
from pages.ui import evidence_figures as figures
from pages.ui.evidence_data import SweepRow, scores, sweep_rows, sweeps
from pages.ui.evidence_view import rows_of_table, safe
from pages.ui.packing import Column, PanelFigure

SWEEP = "runs"
_US = UNITS["time"]["us"]
_HEIGHT = 360
_NAMES = {
    "nothing_fitted": "Nothing fitted",
    "two": "Two parameters a run",
    "three": "Three parameters a run",
    "affine": "Textbook a + R S/B",
}


def headline() -> None:
    """Say how far off all-reduce times are."""
    found = scores()["allreduce"]
    nothing, affine = found["nothing_fitted"], found["affine"]
    st.markdown(
        f"On **{found['runs']}** whole healthy sweeps, times from the library's own tables with "
        f"nothing fitted are typically within **{nothing['median']:.0%}**. Two parameters a run: "
        f"{found['two']['median']:.1%}, against {affine['median']:.0%} of the textbook form."
    )


def rows() -> list[SweepRow]:
    """Draw the filters and return the sweeps that pass, the worst first."""
    left, right = st.columns(2)
    machines = ["Any", *sorted({row.machine for row in sweep_rows()})]
    with left:
        machine = st.selectbox("Device", machines, key="sweep device")
    with right:
        health = st.selectbox("Health", ["Healthy", "Any"], key="sweep health")
    return [
        row
        for row in sweep_rows()
        if machine in ("Any", row.machine) and (health == "Any" or row.health.startswith("healthy"))
    ]


def pick(key: object) -> None:
    """Show one sweep; the address bar then names it."""
    st.query_params[SWEEP] = str(key)


def picked(listed: list[SweepRow]) -> str:
    """Return the sweep in the address bar, or the middle one of the list."""
    key = st.query_params.get(SWEEP, "")
    return key if key in sweeps() else listed[len(listed) // 2].key


def scatter(listed: list[SweepRow], key: str) -> None:
    """Draw every size of the listed sweeps; a click shows its sweep."""
    found = [sweeps()[row.key] for row in listed]
    measured = np.concatenate([sweep.time for sweep, _, _ in found]) / _US
    predicted = np.concatenate([times for _, times, _ in found]) / _US
    keys = [sweep.case_id for sweep, _, _ in found for _ in sweep.size]
    error = np.abs(predicted / measured - 1)
    alt = (
        f"Predicted against measured all-reduce times of {len(listed):,} sweeps with nothing "
        f"fitted: half of the {len(keys):,} sizes within {np.median(error):.0%}."
    )
    spec = figures.sweep_scatter(measured.tolist(), predicted.tolist(), keys, key)
    columns = [
        Column("sweep", np.array(keys)),
        Column("measured_us", measured),
        Column("predicted_us", predicted),
    ]
    figure = PanelFigure(
        "sweep-scatter", "Predicted against measured", spec, alt, "all-reduce", columns
    )
    chart.show(figure, height=_HEIGHT, picked=pick)
    st.caption(alt + " Click a point to see its sweep.")


def one_sweep(key: str) -> None:
    """Draw one sweep with the tables' prediction and the fitted laws."""
    sweep, times, unstated = sweeps()[key]
    fitted = fit_sweep(sweep) if len(sweep.size) > 3 else None
    laws = {} if fitted is None else {
        "Two parameters": fitted.two / _US,
        "Three parameters": fitted.three / _US,
        "Textbook": fitted.affine / _US,
    }  # fmt: skip
    alt = _sweep_sentence(sweep, times, fitted)
    spec = figures.sweep(sweep.size, sweep.time / _US, times / _US, laws)
    columns = [
        Column("message_bytes", sweep.size),
        Column("measured_us", sweep.time / _US),
        Column("nothing_fitted_us", times / _US),
        *(Column(f"{name} [us]", values) for name, values in laws.items()),
    ]
    figure = PanelFigure("sweep-case", safe(key), spec, alt, key, columns)
    chart.show(figure, height=_HEIGHT)
    st.caption(safe(alt))
    _sweep_facts(sweep, unstated)


def _sweep_sentence(sweep: Sweep, times: np.ndarray, fitted: SweepFit | None) -> str:
    error = np.median(np.abs(times / sweep.time - 1))
    head = f"{sweep.cells['ranks']} workers on {sweep.cells.get('gpu', '')}: nothing fitted is "
    fit = (
        "" if fitted is None else f", two parameters {sweep_scores([fitted], 'two')['median']:.1%}"
    )
    return f"{head}{error:.0%} off in the median{fit}."


def _sweep_facts(sweep: Sweep, unstated: tuple[str, ...]) -> None:
    """Tell source, rows, links, and what is not stated."""
    cells = sweep.cells
    told = "; ".join(cells.get(name, "") for name in ("health", "algorithm", "library_version"))
    links = "; ".join(cells.get(name, "") for name in ("intra_link", "inter_link"))
    st.markdown(
        f"**Source** {safe(cells['source'])}  \n"
        f"**Rows** `{sweep.case_id}` in `allreduce.csv`, lines {sweep.lines[0]}-"
        f"{sweep.lines[-1]}; {safe(told)}  \n**Links** {safe(links)}  \n"
        f"**Not stated** {safe(', '.join(unstated) or 'nothing')}"
    )


def listed_sweeps(listed: list[SweepRow]) -> None:
    """List the sweeps, the worst first."""
    table = {
        "Sweep": [row.key for row in listed],
        "Device": [row.machine for row in listed],
        "Workers": [row.ranks for row in listed],
        "Link": [row.link for row in listed],
        "Health": [row.health for row in listed],
        "Median error [%]": [round(100 * row.typical, 1) for row in listed],
        "Worst size [%]": [round(100 * row.worst) for row in listed],
    }
    rows_of_table(table, [row.key for row in listed], "sweep runs", pick)
    st.caption("Errors with nothing fitted, the worst first. Choose a row to see its sweep.")


def scoreboard() -> None:
    """Show the errors of each way to predict."""
    found = scores()["allreduce"]
    st.table(
        {
            "Way": list(_NAMES.values()),
            "Median error": [f"{found[key]['median']:.1%}" for key in _NAMES],
            "Worst size": [f"{found[key]['worst']:.0%}" for key in _NAMES],
        },
        hide_index=True,
        border="horizontal",
        alt="Errors of all-reduce times",
    )


def draw() -> None:
    """Draw the all-reduce sweeps: headline, filters, scatter beside one sweep, list, scores."""
    headline()
    listed = rows()
    if not listed:
        st.info("No sweep has both. Set the device back to 'Any'.")
        return
    key = picked(listed)
    left, right = st.columns(2)
    with left:
        scatter(listed, key)
    with right:
        one_sweep(key)
    sweeps_tab, board = st.tabs(["Sweeps", "Scoreboard"])
    with sweeps_tab:
        listed_sweeps(listed)
    with board:
        scoreboard()
