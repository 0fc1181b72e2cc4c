"""What the live panel draws along each headline knob: numbered series, from one set of curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dpmodel.curves import Curves, curve_grid, curves_along, one_curve, points_along
from dpmodel.evidence.bands import curve_interval
from dpmodel.landmarks import LEVELS, Landmarks
from dpmodel.scenario import Scenario
from dpmodel.step import one_worker_run
from dpmodel.training import Prediction
from dpmodel.units import HOUR
from pages.ui import live
from pages.ui.axes import time_range
from pages.ui.controls import Ladder
from pages.ui.headline import headline_texts
from pages.ui.packing import single

Series = dict[str, np.ndarray]


@dataclass(frozen=True)
class CurveSet:
    """The present curve and those along the headline knobs; none depends on the workers.

    Attributes
    ----------
    grid : array, (P,)
        Worker counts [1].
    now : Curves
        The present curve and its landmarks.
    marks : dict of str to Landmarks
        Landmarks along each knob, by field.
    series : dict of str to dict
        What is drawn along each knob, by field: arrays of (L, W).
    """

    grid: np.ndarray
    now: Curves
    marks: dict[str, Landmarks]
    series: dict[str, Series]


def curve_set(scenario: Scenario, ladders: Sequence[Ladder]) -> CurveSet:
    """Return the curves of a scenario along every headline knob but the workers."""
    grid = curve_grid(scenario)
    rungs = tuple((item.field, item.values) for item in ladders if item.field != "workers")
    return _curve_set(scenario.but(workers=1.0), rungs, tuple(grid.tolist()))


# Large array operations hand the interpreter to another visitor's run and wait for it to come
# back: with a class of a hundred that takes longer than the arithmetic. Visitors mostly move the
# workers, or start from the same situation, and then share these curves.
@lru_cache(maxsize=128)
def _curve_set(
    base: Scenario, rungs: tuple[tuple[str, tuple[float, ...]], ...], counts: tuple[float, ...]
) -> CurveSet:
    grid = np.array(counts)
    along = {field: curves_along(base, field, np.array(values), grid) for field, values in rungs}
    series = {}
    for field, values in rungs:
        series[field] = _series(along[field], len(values), grid)
        series[field] |= _band(base, along[field], len(values), grid)
        if field == "one_worker_time":
            run = one_worker_run(base.but(one_worker_time=np.array(values)))
            series[field] |= _hours_series(np.broadcast_to(run, len(values)), grid)
    marks = {field: curves.marks for field, curves in along.items()}
    return CurveSet(grid, one_curve(base, grid), marks, series)


def _series(curves: Curves, rows: int, grid: np.ndarray) -> Series:
    """Curves, and their landmarks with time and speed-up read off them."""
    shape, marks = (rows, len(grid)), curves.marks
    time = np.broadcast_to(curves.curve.time / HOUR, shape)
    one = _column(curves.curve.one_worker / HOUR, rows)
    edges = np.stack([np.broadcast_to(m, rows) for m in marks[:3]], axis=1)
    edges_speed = edges * np.array(LEVELS)
    series = {
        "time": time,
        "speed": np.broadcast_to(curves.curve.speed_up, shape),
        "edges": edges,
        "edges_speed": edges_speed,
        "edges_time": one / edges_speed,
    }
    for name, at in (("knee", marks.knee), ("best", marks.best)):
        where = np.searchsorted(grid, np.broadcast_to(at, rows))[:, None]
        there = np.take_along_axis(time, where, axis=1)
        series |= {name: _column(at, rows), f"{name}_time": there, f"{name}_speed": one / there}
    return {name: single(values) for name, values in series.items()}


def _band(base: Scenario, curves: Curves, rows: int, grid: np.ndarray) -> Series:
    """80 % band of the speed-up, as measured on runs like this."""
    low, high = curve_interval(base, grid, curves.curve.speed_up / grid)
    named = {"speed_low": low * grid, "speed_high": high * grid}
    shape = (rows, len(grid))
    return {name: single(np.broadcast_to(values, shape)) for name, values in named.items()}


def _hours_series(run: np.ndarray, grid: np.ndarray) -> Series:
    ends = np.array([1.0, grid[-1]])
    return {
        "ends": np.broadcast_to(ends, (len(run), 2)),
        "ideal_time": run[:, None] / HOUR / ends,
        "time_range": np.array([time_range(value) for value in run.tolist()]),
    }


@lru_cache(maxsize=128)
def panel_families(scenario: Scenario, ladders: tuple[Ladder, ...]) -> dict[str, live.Family]:
    """Return what the panel shows at every value of every headline slider, by its link name."""
    curves = curve_set(scenario, ladders)
    return {item.link: _family(scenario, item, curves) for item in ladders}


def _family(scenario: Scenario, ladder: Ladder, curves: CurveSet) -> live.Family:
    rows = len(ladder.values)
    points = points_along(scenario, ladder.field, np.array(ladder.values))
    marks = curves.marks.get(ladder.field, curves.now.marks)
    series = _now_series(points, rows) | curves.series.get(ladder.field, {})
    return live.Family(ladder.labels, ladder.index, series, headline_texts(points, marks, rows))


def _now_series(points: Prediction, rows: int) -> Series:
    named = {"now": points.workers, "now_time": points.time / HOUR, "now_speed": points.speed_up}
    return {name: _column(values, rows) for name, values in named.items()}


def _column(values: Any, rows: int) -> np.ndarray:
    return np.broadcast_to(np.ravel(values), (rows,))[:, None]
