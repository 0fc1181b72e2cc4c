"""The two linked curves of Explore and their headline, from the model to the live panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpmodel.curves import Family as CurveFamily
from dpmodel.curves import curve_grid, families, one_curve
from dpmodel.landmarks import LARGEST
from dpmodel.notice import limit_sentence, notice
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers, one_worker_run
from dpmodel.training import predict
from dpmodel.units import human, significant
from pages.ui import live
from pages.ui.axes import time_range
from pages.ui.controls import Ladder
from pages.ui.figures import (
    efficiency_bands,
    line,
    markers,
    speed_up_layout,
    time_layout,
)
from pages.ui.headline import CELLS, LABELS, headline_texts
from pages.ui.theme import COLOURS

_HEIGHT = 330


@dataclass(frozen=True)
class Past:
    """An earlier scenario to draw beside the present one."""

    scenario: Scenario
    name: str


def draw(
    scenario: Scenario,
    ladders: Sequence[Ladder],
    previous: Scenario | None = None,
    pinned: Scenario | None = None,
) -> None:
    """Draw headline, notice and both curves; they follow the sliders while these are dragged."""
    grid = curve_grid(scenario)
    made = families(scenario, {item.field: np.array(item.values) for item in ladders}, grid)
    along = made["workers"]
    now = CurveFamily(along.curve, predict(scenario), along.marks)
    packed = {item.link: _packed(item, made[item.field], grid) for item in ladders}
    live.panel(
        "curves",
        figures=_figures(scenario, now, grid, previous, pinned),
        headline=LABELS,
        hints=tuple(CELLS.values()),
        families=packed,
        bound=_BOUND,
        x=grid,
        ranges=[live.AxisRange(0, "y", "time_range")],
        notice=_notice(scenario, now),
        values=headline_texts(now)[0],
        height=_HEIGHT,
    )


# Traces of both figures, in the order in which `_time_figure` and `_speed_figure` make them.
_IDEAL, _GHOST, _CURVE, _EDGES, _KNEE, _BEST, _NOW = range(7)
_BANDS = 2
_BOUND = [
    live.Bound(0, _IDEAL, x="ends", y="ideal_time"),
    live.Bound(0, _GHOST, y="time", ghost=True),
    live.Bound(0, _CURVE, y="time"),
    live.Bound(0, _EDGES, x="edges", y="edges_time"),
    live.Bound(0, _KNEE, x="knee", y="knee_time"),
    live.Bound(0, _BEST, x="best", y="best_time"),
    live.Bound(0, _NOW, x="now", y="now_time"),
    live.Bound(1, _BANDS + _GHOST, y="speed", ghost=True),
    live.Bound(1, _BANDS + _CURVE, y="speed"),
    live.Bound(1, _BANDS + _EDGES, x="edges", y="edges_speed"),
    live.Bound(1, _BANDS + _KNEE, x="knee", y="knee_speed"),
    live.Bound(1, _BANDS + _BEST, x="best", y="best_speed"),
    live.Bound(1, _BANDS + _NOW, x="now", y="now_speed"),
]


def _packed(ladder: Ladder, family: CurveFamily, grid: np.ndarray) -> live.Family:
    """Pack one family: only the series that this knob changes travel."""
    rows = len(ladder.values)
    series = _now_series(family, rows)
    if ladder.field != "workers":
        series |= _curve_series(family, rows, grid) | _mark_series(family, rows)
    if ladder.field == "one_worker_time":
        series |= _hours_series(family, rows, grid)
    return live.Family(ladder.labels, ladder.index, series, headline_texts(family, rows))


def _now_series(family: CurveFamily, rows: int) -> dict[str, np.ndarray]:
    point = family.point
    named = {"now": point.workers, "now_time": point.time, "now_speed": point.speed_up}
    return {name: _column(values, rows) for name, values in named.items()}


def _curve_series(family: CurveFamily, rows: int, grid: np.ndarray) -> dict[str, np.ndarray]:
    shape = (rows, len(grid))
    return {
        "time": np.broadcast_to(family.curve.time, shape),
        "speed": np.broadcast_to(family.curve.speed_up, shape),
    }


def _mark_series(family: CurveFamily, rows: int) -> dict[str, np.ndarray]:
    """Landmarks of each curve, with their time and speed-up read off it."""
    marks = family.marks
    edges = np.stack([np.broadcast_to(m, (rows,)) for m in marks[:3]], axis=1)
    one = np.broadcast_to(np.ravel(family.curve.one_worker), (rows,))[:, None]
    edges_speed = edges * np.array([0.9, 0.8, 0.5])
    series = {"edges": edges, "edges_speed": edges_speed, "edges_time": one / edges_speed}
    for name, at in (("knee", marks.knee), ("best", marks.best)):
        time = _read_off(family, np.broadcast_to(at, (rows,)), rows)
        series |= {name: _column(at, rows), f"{name}_time": time, f"{name}_speed": one / time}
    return series


def _read_off(family: CurveFamily, at: np.ndarray, rows: int) -> np.ndarray:
    grid = family.curve.workers
    time = np.broadcast_to(family.curve.time, (rows, len(grid)))
    return np.take_along_axis(time, np.searchsorted(grid, at)[:, None], axis=1)


def _hours_series(family: CurveFamily, rows: int, grid: np.ndarray) -> dict[str, np.ndarray]:
    one = np.broadcast_to(np.ravel(one_worker_run(family.point.scenario)), (rows,))
    ends = np.array([1.0, grid[-1]])
    return {
        "ends": np.broadcast_to(ends, (rows, 2)),
        "ideal_time": one[:, None] / ends,
        "time_range": np.array([time_range(value) for value in one.tolist()]),
    }


def _column(values: Any, rows: int) -> np.ndarray:
    return np.broadcast_to(np.ravel(values), (rows,))[:, None]


def _figures(
    scenario: Scenario,
    now: CurveFamily,
    grid: np.ndarray,
    previous: Scenario | None,
    pinned: Scenario | None,
) -> list[live.PanelFigure]:
    largest = int(grid[-1])
    run = float(np.asarray(one_worker_run(scenario)))
    pasts = [Past(pinned, "Pinned")] if pinned else []
    extra = [(past, one_curve(past.scenario, curve_grid(past.scenario))) for past in pasts]
    ghost = _ghost_curve(previous, grid)
    limit = _limit_marks(scenario)
    time = {
        "data": [*_traces(now, ghost, "time", run, grid), *_pinned(extra, "time")],
        "layout": time_layout(run, largest) | limit,
    }
    speed = {
        "data": [
            *efficiency_bands(largest),
            *_traces(now, ghost, "speed_up", run, grid),
            *_pinned(extra, "speed_up"),
        ],
        "layout": speed_up_layout(largest) | limit,
    }
    return [
        live.PanelFigure(
            "time", "Training time", time, _alt(now, "time"), "training-time", _csv("time")
        ),
        live.PanelFigure(
            "speedup", "Speed-up", speed, _alt(now, "speed_up"), "speed-up", _csv("speed")
        ),
    ]


def _ghost_curve(previous: Scenario | None, grid: np.ndarray) -> dict[str, Any]:
    if previous is None:
        return {"x": [], "time": [], "speed_up": []}
    before = predict(previous, curve_grid(previous))
    return {"x": before.workers, "time": before.time, "speed_up": before.speed_up}


def _traces(
    now: CurveFamily, ghost: dict[str, Any], what: str, run: float, grid: np.ndarray
) -> list[dict[str, Any]]:
    """Make the seven traces of a figure; the panel fills in those that follow the sliders."""
    ends = [1.0, float(grid[-1])]
    ideal = [run / n for n in ends] if what == "time" else ends
    hover = _HOVER[what]
    on_time = what == "time"
    curve = np.broadcast_to(getattr(now.curve, what), np.shape(grid))
    return [
        line(ends, ideal, "Ideal", COLOURS["ideal"], line={"dash": "dash"}, width=1.8,
             hoverinfo="skip", showlegend=on_time),
        line(ghost["x"], ghost[what], "Before", COLOURS["ghost"], width=2,
             line={"dash": "dot"}, hoverinfo="skip", showlegend=on_time),
        line(grid, curve, "Predicted", COLOURS["compute"], hovertemplate=hover, width=3,
             showlegend=on_time),
        markers([], [], "90, 80, 50 % efficient", COLOURS["muted"], hovertemplate=hover,
                showlegend=False) | _THICK,
        markers([], [], "Knee", COLOURS["serial"], size=11, symbol="diamond",
                hovertemplate=hover, showlegend=not on_time),
        markers([], [], "Fastest, N*", COLOURS["limit"], size=14, symbol="star",
                hovertemplate=hover, showlegend=not on_time),
        markers([], [], "Now", COLOURS["communication"], size=13, hovertemplate=hover,
                showlegend=on_time),
    ]  # fmt: skip


_THICK = {
    "marker": {
        "symbol": "line-ns-open",
        "size": 12,
        "color": COLOURS["muted"],
        "line": {"width": 2, "color": COLOURS["muted"]},
    }
}
_HOVER = {
    "time": "%{x:,.3~r} workers: %{y:,.3~s}s<extra>%{fullData.name}</extra>",
    "speed_up": "%{x:,.3~r} workers: %{y:,.3~r}x<extra>%{fullData.name}</extra>",
}


def _pinned(extra: list[tuple[Past, CurveFamily]], what: str) -> list[dict[str, Any]]:
    return [
        line(
            family.curve.workers,
            np.broadcast_to(getattr(family.curve, what), np.shape(family.curve.workers)),
            past.name,
            COLOURS["pinned"],
            line={"dash": "dashdot"},
            hovertemplate=_HOVER[what],
        )
        for past, family in extra
    ]


def _limit_marks(scenario: Scenario) -> dict[str, Any]:
    """Mark where the batch has no sample for a further worker."""
    most = float(np.asarray(most_workers(scenario)))
    if not most < LARGEST:
        return {}
    shape = {
        "type": "line",
        "x0": most,
        "x1": most,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": COLOURS["limit"], "width": 1.2, "dash": "dot"},
    }
    note = {
        "x": float(np.log10(most)),
        "y": 0.02,
        "yref": "paper",
        "yanchor": "bottom",
        "xanchor": "left" if most < 64 else "right",
        "text": f"batch feeds {int(most):,} at most",
        "showarrow": False,
        "font": {"size": 12, "color": COLOURS["limit"]},
    }
    return {"shapes": [shape], "annotations": [note]}


def _alt(now: CurveFamily, what: str) -> str:
    point, marks = now.point, now.marks
    n = int(point.workers)
    if what == "time":
        best = (
            f"{int(marks.best):,} workers are fastest with {human(float(marks.best_time), 'time')}"
        )
        now_text = f"{n:,} workers: {human(float(point.time), 'time')}"
        return f"Training time over workers. {now_text}; {best}."
    half = float(marks.at_50)
    falls = f"falls to half at {int(half):,} workers" if half == half else "stays above half"
    return (
        f"Speed-up over workers beside the ideal line. {n:,} workers: "
        f"{significant(float(point.speed_up))}x; efficiency {falls}."
    )


def _csv(series: str) -> list[live.Column]:
    name = "training_time_s" if series == "time" else "speed_up"
    return [live.Column("workers", "x"), live.Column(name, series)]


def _notice(scenario: Scenario, now: CurveFamily) -> str:
    if float(now.point.time) != float(now.point.time):
        return limit_sentence(now.point)
    return notice(now.point, now.marks)
