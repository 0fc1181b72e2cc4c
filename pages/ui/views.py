"""What opens below the curves: the step's parts, maps, goals, working, and a comparison."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import streamlit as st

from dpmodel import curves
from dpmodel.evidence.bands import sentence
from dpmodel.goals import Goal, bandwidth_for_efficiency, workers_for_budget, workers_for_deadline
from dpmodel.landmarks import LARGEST
from dpmodel.losses import CAUSES, ideal_time, losses
from dpmodel.scenario import FIELD_KNOBS, Scenario
from dpmodel.step import most_workers
from dpmodel.training import Prediction, predict
from dpmodel.units import HOUR, human, percent, times, workers_text
from dpmodel.working import working
from pages.ui import chart, figures
from pages.ui.packing import Column, PanelFigure

_MS = 1e3


def _parts(prediction: Prediction) -> dict[str, np.ndarray]:
    shape = np.shape(prediction.workers)
    names = [f.name for f in fields(prediction.step) if f.name != "hidden"]
    return {n: np.broadcast_to(getattr(prediction.step, n), shape) for n in names}


def breakdown(scenario: Scenario) -> None:
    """Draw one step at the present workers, and each part's share over workers."""
    now = predict(scenario)
    parts = {name: float(value) for name, value in _parts(now).items()}
    if not np.isfinite(sum(parts.values())):
        st.info("The batch cannot feed that many workers, so there is no step to show.")
        return
    left, right = st.columns(2)
    with left:
        _present_step(now, parts)
    with right:
        _shares_over_workers(scenario)


def _present_step(now: Prediction, parts: dict[str, float]) -> None:
    hidden = float(np.asarray(now.step.hidden))
    total = sum(parts.values())
    in_ms = {name: value * _MS for name, value in parts.items()}
    figure = PanelFigure(
        "step",
        f"One step with {workers_text(float(now.workers))}: {human(total, 'time')}",
        figures.step_bar(in_ms, hidden * _MS),
        f"One step takes {human(total, 'time')}: " + _listed(parts, total),
        "one-step",
        [
            Column("part", np.array([*figures.PARTS.values(), "Hidden communication", "Total"])),
            Column("milliseconds", np.array([*in_ms.values(), hidden * _MS, total * _MS])),
        ],
    )
    chart.show(figure, height=300)
    st.caption(
        f"{_listed(parts, total)} The total is {human(total, 'time')}."
        + (f" Hidden communication, {human(hidden, 'time')}, is not added." if hidden else "")
        + _run_losses(now)
    )


def _run_losses(now: Prediction) -> str:
    """Say what the whole run loses beyond its steps."""
    failing = float(np.asarray(losses(now)["failures"])) / float(now.time)
    return f" Failures add {percent(failing, 2)} of the run." if failing > 0 else ""


def _listed(parts: dict[str, float], total: float) -> str:
    shown = [
        f"{figures.PARTS[name].lower()} {human(value, 'time')} ({percent(value / total, 2)})"
        for name, value in parts.items()
        if value > 0
    ]
    return (", ".join(shown) + ".").capitalize() if shown else ""


def _shares_over_workers(scenario: Scenario) -> None:
    largest = min(4096.0, float(np.asarray(most_workers(scenario))))
    counts = np.array([n for n in FIELD_KNOBS["workers"].ladder if n <= largest])
    swept = predict(scenario, counts)
    parts = _parts(swept)
    total = sum(parts.values())
    shares = {name: (100 * value / total) for name, value in parts.items()}
    lost = shares["exposed"]
    over = np.flatnonzero(lost > 50)
    half = f" From {int(counts[over[0]]):,} workers on it is more than half." if over.size else ""
    figure = PanelFigure(
        "shares",
        "Where a step's time goes, over workers",
        figures.step_over_workers(
            [int(n) for n in counts],
            {name: value.tolist() for name, value in shares.items()},
            int(scenario.workers),
        ),
        _shares_text(scenario, lost, counts) + half,
        "step-shares",
        [Column("workers", counts)]
        + [Column(f"{figures.PARTS[name]} [%]", value) for name, value in shares.items()],
    )
    chart.show(figure, height=300)
    st.caption(figure.alt)


def _shares_text(scenario: Scenario, lost: np.ndarray, counts: np.ndarray) -> str:
    if scenario.mode == "ideal":
        return "Ideal mode counts compute alone."
    at = f"at {workers_text(float(counts[-1]))}"
    return f"Exposed communication takes {percent(float(lost[-1]) / 100, 2)} of a step {at}."


def _map_text(now: Prediction) -> str:
    lines = "Lines join settings of equal efficiency; left of a line is more efficient."
    if not np.isfinite(float(now.time)):
        return f"The present workers are more than the batch can feed. {lines}"
    n = float(now.workers)
    give = "gives" if n == 1 else "give"
    if now.scenario.mode == "ideal":
        return f"{workers_text(n)} {give} {times(float(now.speed_up))}, whatever the network."
    return f"Now: {workers_text(n)} {give} {times(float(now.speed_up))}. {lines}"


_MAPS = {
    "Bandwidth": ("bandwidth", "Bandwidth [Gb/s]"),
    "Model size": ("parameters", "Model size [M parameters]"),
}


def maps(scenario: Scenario) -> None:
    """Draw speed-up over workers and bandwidth, or workers and model size."""
    which = st.segmented_control(
        "Map over workers and", list(_MAPS), default="Bandwidth", required=True, key="map",
        bind="query-params",
    )  # fmt: skip
    field, title = _MAPS[which or "Bandwidth"]
    knob = FIELD_KNOBS[field]
    low, high = knob.ladder[0], knob.ladder[-1]
    values = np.geomspace(low, high, 49)
    largest = min(4096.0, float(np.asarray(most_workers(scenario))))
    counts = np.array([n for n in FIELD_KNOBS["workers"].ladder if n <= largest])
    speed_up = curves.speed_map(scenario, field, values * knob.factor, counts)
    present = float(np.asarray(getattr(scenario, field))) / knob.factor
    spec = figures.speed_map(
        counts.tolist(),
        values.tolist(),
        speed_up,
        (float(scenario.workers), present),
        title,
        chart.scheme(),
    )
    now = predict(scenario)
    n, k = np.meshgrid(counts, values)
    figure = PanelFigure(
        "map",
        f"Speed-up over workers and {which.lower() if which else 'bandwidth'}",
        spec,
        _map_text(now),
        "speed-up-map",
        [Column("workers", n), Column(title, k), Column("speed_up", speed_up)],
    )
    chart.show(figure, height=460)
    st.caption(figure.alt)


def goals(scenario: Scenario) -> None:
    """Answer the inverse questions beside the controls that set them."""
    deadline, budget = workers_for_deadline(scenario), workers_for_budget(scenario)
    bandwidth = bandwidth_for_efficiency(scenario)
    left, middle, right = st.columns(3)
    with left:
        _goal(f"Done within {human(float(scenario.deadline), 'time')}", _deadline_text(deadline))
    with middle:
        _goal(f"For at most {human(float(scenario.budget), 'money')}", _budget_text(budget))
    with right:
        _goal(
            f"90 % efficiency with {workers_text(float(scenario.workers))}",
            _bandwidth_text(bandwidth),
        )
    st.caption("Deadline and budget are set under 'More assumptions', in the group 'Goals'.")


def _goal(title: str, texts: tuple[str, str]) -> None:
    with st.container(border=True):
        st.markdown(f"{title}")
        st.markdown(f"#### {texts[0]}")
        st.caption(texts[1])


def _deadline_text(goal: Goal) -> tuple[str, str]:
    if goal.possible:
        return f"{workers_text(goal.value)} or more", f"Takes {human(goal.reached, 'time')}."
    fastest = f"The fastest is {human(goal.nearest, 'time')} with {workers_text(goal.nearest_at)}"
    return "Not possible here", f"{fastest}; no number up to 4,096 is faster."


def _budget_text(goal: Goal) -> tuple[str, str]:
    if goal.possible and goal.value >= LARGEST:
        return "Any number", "The cost does not grow beyond the budget up to 4,096 workers."
    if goal.possible:
        return f"{workers_text(goal.value)} at most", f"Costs {human(goal.reached, 'money')}."
    cheapest = f"{human(goal.nearest, 'money')} with {workers_text(goal.nearest_at)}"
    return "Not possible here", f"The cheapest run costs {cheapest}."


def _bandwidth_text(goal: Goal) -> tuple[str, str]:
    if not goal.possible and not np.isfinite(goal.nearest):
        return "Not possible here", "The batch cannot feed that many workers."
    if goal.possible and goal.value < 1e4:
        return "Any bandwidth", "Communication does not limit this setting."
    if goal.possible:
        return (
            f"{human(goal.value, 'bits')} or more",
            f"Gives {percent(goal.reached, 2)} efficiency.",
        )
    return (
        "No bandwidth is enough",
        f"Even an endless one gives {percent(goal.nearest, 2)}: latency or other losses stay.",
    )


def how_made(scenario: Scenario) -> None:
    """Write out every formula with the present numbers put in."""
    now = predict(scenario)
    if not np.isfinite(float(now.time)):
        st.info("The batch cannot feed that many workers, so there is no number to explain.")
        return
    rows = working(now)
    st.table(
        {
            "Quantity": [r.what for r in rows],
            "Formula": [f"`{r.formula}`" for r in rows],
            "With the numbers put in": [r.numbers.replace("$", "\\$") for r in rows],
            "Result": [f"**{r.result}**" for r in rows],
            "Source function": [f"`{r.function}`" for r in rows],
        },
        hide_index=True,
        border="horizontal",
        alt="Every formula with its numbers and result",
    )
    st.caption("Symbols and sources are on the Method page. Results are rounded for reading only.")


def compare(scenario: Scenario, pinned: Scenario | None) -> None:
    """Bridge the pinned scenario's training time to the present one, cause by cause."""
    if pinned is None:
        st.info(
            "Pin the present scenario, then change something: both curves and what makes the "
            "difference show here."
        )
        return
    before, after = predict(pinned), predict(scenario)
    if not np.isfinite(float(before.time) + float(after.time)):
        st.info("One of the two has more workers than its batch can feed.")
        return
    changes = _changes(before, after)
    start, end = float(before.time) / HOUR, float(after.time) / HOUR
    figure = PanelFigure(
        "bridge",
        "From the pinned scenario to the present one",
        figures.waterfall(("Pinned", start), changes, ("Now", end)),
        f"Pinned: {human(float(before.time), 'time')}; now: {human(float(after.time), 'time')}.",
        "comparison",
        [
            Column("step", np.array(["Pinned", *changes, "Now"])),
            Column("hours", np.array([start, *changes.values(), end])),
        ],
    )
    chart.show(figure, height=380)
    st.caption(figure.alt)


def _changes(before: Prediction, after: Prediction) -> dict[str, float]:
    """Difference of the ideal time and of every loss [h]; small ones are left together."""
    shift = (float(ideal_time(after)) - float(ideal_time(before))) / HOUR
    old, new = losses(before), losses(after)
    all_changes = {"Ideal time T(1)/N": shift} | {
        CAUSES[c]: (float(np.asarray(new[c])) - float(np.asarray(old[c]))) / HOUR for c in CAUSES
    }
    floor = 0.002 * max(float(before.time), float(after.time)) / HOUR
    shown = {name: value for name, value in all_changes.items() if abs(value) >= floor}
    rest = sum(all_changes.values()) - sum(shown.values())
    return shown | ({"Other": rest} if abs(rest) > 1e-3 * floor else {})


def left_out(scenario: Scenario) -> str:
    """Say what the headline leaves out, and in which direction it errs."""
    if scenario.mode == "ideal":
        return "Left out: everything but the split. Real runs are slower."
    return "Left out: congestion and host work per message. Real runs are mostly slower."


def device_lesson(scenario: Scenario) -> str:
    """Say what moving the size means when the hours come from model and device."""
    if scenario.time_from != "device":
        return ""
    return "The hours come from model and device: size moves compute and exchange alike."


def how_sure(scenario: Scenario) -> str:
    """Say how far off predictions of measured runs like this were, as the band shows."""
    efficiency = float(np.asarray(predict(scenario).efficiency))
    if scenario.mode == "ideal" or not np.isfinite(efficiency) or float(scenario.workers) <= 1:
        return "The dotted 80 % band of measured runs is drawn where communication counts."
    return sentence(scenario, float(scenario.workers), efficiency)
