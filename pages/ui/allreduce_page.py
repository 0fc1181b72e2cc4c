"""The page "All-reduce": every algorithm over size and workers, with measured sweeps on top."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpmodel.collectives import ALGORITHMS, all_reduce_cost
from dpmodel.crossovers import LOCAL, PLAIN, Crossover, algorithm_times, crossovers
from dpmodel.scenario import KNOBS, Scenario
from dpmodel.step import gradient_size
from dpmodel.sweeps import Sweep, family, sweeps, time_at
from dpmodel.units import human
from pages.ui import allreduce_figures, chart
from pages.ui.axes import worker_axis
from pages.ui.packing import Column, PanelFigure

NAMES = KNOBS["algorithm"].choices
NONE = "None"
SIZES = np.geomspace(256, 2.0**33, 201)
POWERS = 2.0 ** np.arange(1, 13)
COUNTS = np.union1d(np.round(np.geomspace(2, 4096, 111)), POWERS)


def draw(scenario: Scenario) -> Sweep | None:
    """Draw the two charts of all algorithms and return the chosen sweep."""
    known = sweeps()
    chosen = st.selectbox(
        "Measured sweep drawn on top",
        [NONE, *known],
        index=1 + list(known).index("16 A100, InfiniBand HDR"),
        key="sweep",
        bind="query-params",
        width=320,
        help="Public measurements; their machines are not your situation's.",
    )
    sweep = known.get(chosen)
    workers, size = _present(scenario)
    st.markdown(_notice(scenario, workers, size))
    left, right = st.columns(2)
    with left:
        _over_size(scenario, workers, size, sweep)
    with right:
        _over_workers(scenario, workers, size, sweep)
    if sweep is not None:
        st.caption(
            f"Measured: {sweep.label}, {sweep.device}, {sweep.links}. Source: {sweep.source}. "
            "The points are that machine's; the curves are your situation's."
        )
    return sweep


def _present(scenario: Scenario) -> tuple[float, float]:
    """Workers that exchange [1], at least two, and gradient bytes [B]."""
    return max(float(scenario.workers), 2.0), float(np.asarray(gradient_size(scenario)))


def _by_name(times: np.ndarray, names: tuple[str, ...] | None = None) -> dict[str, np.ndarray]:
    table = dict(zip(ALGORITHMS, times, strict=True))
    return {name: table[name] for name in names} if names else table


def _notice(scenario: Scenario, workers: float, size: float) -> str:
    times = _by_name(algorithm_times(scenario, np.asarray(workers), np.asarray(size)), PLAIN)
    best = min(PLAIN, key=lambda name: float(times[name]))
    present = str(scenario.algorithm)
    took = float(np.asarray(all_reduce_cost(scenario, workers).time(size)))
    small = float(np.asarray(all_reduce_cost(scenario, workers).time(1024.0)))
    told = (
        f"Exchanging {human(size, 'data')} over {int(workers):,} workers takes "
        f"{human(took, 'time')} with {NAMES[present].lower()}; 1 KiB takes "
        f"{human(small, 'time')}, nearly all of it start-up."
    )
    if best == present or float(times[best]) > 0.99 * took:
        return told + " No other algorithm between plain workers is faster here."
    return told + (
        f" {NAMES[best]} would take {human(float(times[best]), 'time')}, if every pair of workers "
        "had full bandwidth between them."
    )


def _crossed(found: list[Crossover], kind: str) -> str:
    if not found:
        return "one algorithm is the fastest all along."
    told = [
        f"from {human(c.at, 'data') if kind == 'data' else f'{c.at:,.0f} workers'} on "
        f"{NAMES[c.after].lower()} is faster than {NAMES[c.before].lower()}"
        for c in found[:3]
    ]
    return "; ".join(told) + "."


def _told(found: list[list[Crossover]], kind: str) -> str:
    """Say where the fastest changes, with and without full bandwidth between all pairs."""
    return (
        f"Where every pair of workers has full bandwidth, {_crossed(found[0], kind)} "
        f"Among ring and trees, which any network carries, {_crossed(found[1], kind)}"
    )


def _over_size(scenario: Scenario, workers: float, size: float, sweep: Sweep | None) -> None:
    times = _by_name(algorithm_times(scenario, np.asarray(workers), SIZES))
    found = [crossovers(SIZES, {n: times[n] for n in some}) for some in (PLAIN, LOCAL)]
    measured = (sweep.size, sweep.time, sweep.label) if sweep else None
    spec = allreduce_figures.by_algorithm(
        SIZES, times, NAMES, str(scenario.algorithm), found[0] + found[1], measured,
        allreduce_figures.size_axis(), size,
    )  # fmt: skip
    figure = PanelFigure(
        "size",
        f"Which is fastest at which size, with {int(workers):,} workers?",
        spec,
        _told(found, "data"),
        "all-reduce-by-size",
        [Column("bytes", SIZES), *(Column(f"{NAMES[n]} [s]", t) for n, t in times.items())],
    )
    chart.show(figure, height=470)
    st.caption(figure.alt + " The dotted line is your gradients' size.")


def _over_workers(scenario: Scenario, workers: float, size: float, sweep: Sweep | None) -> None:
    asked = size
    if sweep:
        size = float(np.clip(size, sweep.size[0], sweep.size[-1]))
    times = _by_name(algorithm_times(scenario, COUNTS, np.asarray(size)))
    # Between powers of two the fastest changes back and forth, which no mark could tell.
    at = np.isin(COUNTS, POWERS)
    found = [crossovers(POWERS, {n: times[n][at] for n in some}) for some in (PLAIN, LOCAL)]
    measured = None
    if sweep:
        like = family(sweep)
        points = np.array([time_at(one, size) for one in like])
        if np.isfinite(points).any():
            counts = np.array([float(one.workers) for one in like])
            measured = (counts, points, sweep.label.split(" ", 1)[1])
    spec = allreduce_figures.by_algorithm(
        COUNTS,
        times,
        NAMES,
        str(scenario.algorithm),
        found[0] + found[1],
        measured,
        worker_axis(4096),
        workers,
    )
    figure = PanelFigure(
        "workers",
        f"And with more workers, at {human(size, 'data')}"
        + ("?" if size == asked else ", the nearest measured size?"),
        spec,
        _told(found, "workers"),
        "all-reduce-by-workers",
        [Column("workers", COUNTS), *(Column(f"{NAMES[n]} [s]", t) for n, t in times.items())],
    )
    chart.show(figure, height=470)
    st.caption(figure.alt + " At other counts, recursive doubling and halving-doubling pay more.")
