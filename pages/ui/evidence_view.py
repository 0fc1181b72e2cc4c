"""The Evidence page's parts: headline, filters, scatter, one case, lists and scoreboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpmodel.evidence.cases import assumptions
from dpmodel.evidence.curves import CurvePrediction
from dpmodel.evidence.mapping import at_size
from dpmodel.scenario import Scenario
from pages.ui import chart, state
from pages.ui import evidence_figures as figures
from pages.ui.evidence_data import (
    CurveRow,
    band_of,
    chosen,
    curve_rows,
    curves,
    licences,
    options,
    scores,
)
from pages.ui.packing import Column, PanelFigure

CASE, MEASURED = "case", "measured"
_OPEN = "open in explore"
_HEIGHT = 360
_FILTERS = {
    "model": "Model",
    "device": "Device",
    "kind": "Kind of run",
    "mode": "When workers are added",
    "family": "Collection",
}
_LISTS = ("Worst ten", "Best ten", "All")


def points(share: float) -> str:
    """Write a share of efficiency as points, "3.3"."""
    return f"{100 * share:.1f}"


def headline() -> None:
    """Say in one sentence how far off the model is, beside the ideal line."""
    whole = scores()["curves"]
    ideal, held = whole["ideal"], whole["held_out"]
    beyond = {name: f"{100 * part['p90']:.0f}" for name, part in
              (("all", whole), ("ideal", ideal), ("held", held))}  # fmt: skip
    st.markdown(
        f"On **{whole['points']:,}** published measurements, efficiency predicted from the "
        f"smallest size alone is typically within **{points(whole['median'])} points**; one in ten "
        f"is off by more than {beyond['all']}. The ideal line: {points(ideal['median'])} and "
        f"{beyond['ideal']}. On the half left out of the search for constants: "
        f"{points(held['median'])} and {beyond['held']}."
    )


def filters() -> list[CurveRow]:
    """Draw the filters in one row and return the curves that pass them, the worst first."""
    places = st.columns(len(_FILTERS))
    wanted = {}
    for place, (name, label) in zip(places, _FILTERS.items(), strict=True):
        with place:
            wanted[name] = st.selectbox(label, options(name), key=f"evidence {name}")
    return chosen(curve_rows(), wanted)


def pick(key: object) -> None:
    """Show one case; the address bar then names it."""
    st.query_params[CASE] = str(key)


def picked(rows: Sequence[CurveRow]) -> str:
    """Return the case in the address bar, or one of middling error with as many sizes as any."""
    key = st.query_params.get(CASE, "")
    if key in curves():
        return key
    longest = sorted(rows, key=lambda row: -len(curves()[row.key].case.curve.workers))[:15]
    return sorted(longest, key=lambda row: row.typical)[len(longest) // 2].key


def scatter(rows: Sequence[CurveRow], key: str) -> None:
    """Draw every size of the listed runs; a click on a point shows its run."""
    listed = [curves()[row.key] for row in rows]
    measured = np.concatenate([100 * one.case.curve.efficiency[1:] for one in listed])
    predicted = np.concatenate([100 * one.efficiency[1:] for one in listed])
    keys = [row.key for row, one in zip(rows, listed, strict=True) for _ in one.error]
    labels = [
        f"{row.model}, {row.device}, {int(n):,} workers"
        for row, one in zip(rows, listed, strict=True)
        for n in one.case.curve.workers[1:]
    ]
    size = np.abs(predicted - measured)
    alt = (
        f"Predicted against measured efficiency of {len(rows):,} runs, {len(keys):,} sizes: half "
        f"within {np.median(size):.1f} points, one in ten beyond {np.quantile(size, 0.9):.0f}."
    )
    columns = [
        Column("run", np.array(keys)),
        Column("measured_percent", measured),
        Column("predicted_percent", predicted),
    ]
    spec = figures.scatter(measured.tolist(), predicted.tolist(), keys, labels, key)
    figure = PanelFigure(
        "evidence-scatter", "Predicted against measured", spec, alt, "evidence", columns
    )
    chart.show(figure, height=_HEIGHT, picked=pick)
    st.caption(alt + " Click a point to see its run.")


def one_case(key: str) -> None:
    """Draw one run: measured points, prediction, band; its source and what was assumed."""
    one = curves()[key]
    curve, band = one.case.curve, band_of(one)
    columns = [
        Column("workers", curve.workers),
        Column("measured", curve.efficiency),
        Column("predicted", one.efficiency),
        Column("low", band[0]),
        Column("high", band[1]),
    ]
    spec = figures.curve(
        curve.workers,
        100 * curve.efficiency,
        100 * one.efficiency,
        (100 * band[0], 100 * band[1]),
    )
    alt = _case_sentence(one)
    title = safe(f"{curve.cells['model']} on {curve.cells.get('accelerator', '')}")
    figure = PanelFigure("evidence-case", title, spec, alt, key, columns)
    chart.show(figure, height=_HEIGHT)
    st.caption(alt)


def _case_sentence(one: CurvePrediction) -> str:
    curve, worst = one.case.curve, int(np.argmax(np.abs(one.error))) + 1
    off = 100 * float(one.efficiency[worst] - curve.efficiency[worst])
    way = "too hopeful" if off > 0 else "too pessimistic"
    return (
        f"{int(curve.workers[-1]):,} workers: measured {100 * curve.efficiency[-1]:.0f} %, "
        f"predicted {100 * one.efficiency[-1]:.0f} %. Worst at {int(curve.workers[worst]):,}: "
        f"{abs(off):.0f} points {way}."
    )


def case_facts(key: str) -> None:
    """Tell the source, the row, what was assumed and what is not stated; open in Explore."""
    one = curves()[key]
    curve = one.case.curve
    lines = f"{curve.lines[0]}-{curve.lines[-1]}" if len(curve.lines) > 1 else str(curve.lines[0])
    taken = "; ".join(f"{name} {value}" for name, value in assumptions(one.case).items())
    missing = ", ".join(one.case.unstated) or "nothing"
    st.markdown(
        f"**Source** {safe(curve.cells['source'])}  \n"
        f"**Rows** `{key}` in `{curve.file}`, lines {lines}; trust {curve.trust}; "
        f"{safe(licences().get(key, ''))}  \n"
        f"**Taken as** {safe(taken)}  \n**Not stated** {safe(missing)}"
    )
    notes = curve.cells.get("notes", "")
    if notes:
        st.caption(safe(notes))
    sizes = [f"{int(n):,}" for n in curve.workers]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = st.selectbox("At workers", sizes, index=len(sizes) - 1, key=f"at {key}", width=140)
        st.button(
            "Open in Explore",
            key="open_case",
            on_click=_open,
            args=(at_size(one.scenario, sizes.index(size)), key),
            help="The same case with the measured points drawn over the prediction.",
        )


def _open(scenario: Scenario, key: str) -> None:
    state.put_all(state.texts_of(scenario))
    st.session_state[_OPEN] = key


def leave_if_asked() -> None:
    """Go to Explore once a case was opened there."""
    key = st.session_state.pop(_OPEN, None)
    if key is not None:
        st.switch_page("pages/explore.py", query_params={MEASURED: key})


def listed(rows: Sequence[CurveRow]) -> None:
    """List the runs; the worst stand as openly as the best, and a row opens its run."""
    which = st.segmented_control(
        "Runs", _LISTS, default=_LISTS[0], required=True, key="evidence list",
        label_visibility="collapsed",
    )  # fmt: skip
    shown = list(rows)
    if which == "Worst ten":
        shown = shown[:10]
    elif which == "Best ten":
        shown = sorted(shown, key=lambda row: row.worst)[:10]
    table = {
        "Model": [row.model for row in shown],
        "Device": [row.device for row in shown],
        "Kind of run": [row.kind for row in shown],
        "Mode": [row.mode for row in shown],
        "Collection": [row.family for row in shown],
        "Trust": [row.trust for row in shown],
        "Typical error [points]": [round(100 * row.typical, 1) for row in shown],
        "Worst error [points]": [round(100 * row.worst, 1) for row in shown],
        "Mean error [points]": [round(100 * row.bias, 1) for row in shown],
    }
    rows_of_table(table, [row.key for row in shown], "evidence runs", pick)
    st.caption("Choose a row to see its run. Mean error: above zero, the model is too hopeful.")


def rows_of_table(table: dict[str, list[Any]], keys: list[str], name: str, take: Any) -> None:
    """Draw a table whose rows can be chosen."""

    def chosen_row() -> None:
        rows = st.session_state[name].selection.rows
        if rows and rows[0] < len(keys):
            take(keys[rows[0]])

    st.dataframe(
        table,
        hide_index=True,
        key=name,
        on_select=chosen_row,
        selection_mode="single-row",
        height=min(38 + 35 * max(len(keys), 1), 420),
        alt="Measured runs with the errors of their predictions",
    )


def scoreboard() -> None:
    """Show errors by collection and kind of run, beside the ideal line."""
    whole = scores()["curves"]
    parts = {"All trusted": whole, "Left out of the search": whole["held_out"]}
    parts |= dict(whole["regimes"].items()) | dict(whole["families"].items())
    parts |= {"Every curve, less trusted too": whole["every_trust"]}
    parts |= {"By nodes, end to end": scores()["by_nodes"]}
    table = {
        "Runs": list(parts),
        "Points": [f"{part['points']:,}" for part in parts.values()],
        "Median error": [points(part["median"]) for part in parts.values()],
        "One in ten beyond": [points(part["p90"]) for part in parts.values()],
        "Mean error": [f"{100 * part['bias']:+.1f}" for part in parts.values()],
        "Ideal line": [_both(part["ideal"]) for part in parts.values()],
        "Inside the 80 % band": [f"{part['in_band']:.0%}" for part in parts.values()],
    }
    st.table(table, hide_index=True, border="horizontal", alt="Errors by collection and kind")
    st.caption(
        "Errors in points of efficiency. No row is a blind test: all runs were in view when the "
        "model was built. How constants were set, what each mechanism is worth and "
        "what is left out stand on the Method page."
    )


def _both(part: dict[str, Any]) -> str:
    return f"{points(part['median'])} / {points(part['p90'])}"


def safe(text: str) -> str:
    """Keep what a source says from being read as formatting."""
    return "".join("\\" + sign if sign in r"\`*_[]<>$#:|~" else sign for sign in text)


def draw() -> None:
    """Draw the scaling curves: headline, filters, scatter beside one run, list, scoreboard."""
    headline()
    rows = filters()
    if not rows:
        st.info("No run has all of these. Set one filter back to 'Any'.")
        return
    key = picked(rows)
    left, right = st.columns(2)
    with left:
        scatter(rows, key)
    with right:
        one_case(key)
    case_facts(key)
    runs, board = st.tabs(["Runs", "Scoreboard"])
    with runs:
        listed(rows)
    with board:
        scoreboard()
