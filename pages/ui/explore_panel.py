"""The two linked curves of Explore and their headline, from the model to the live panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpmodel.curves import curve_grid
from dpmodel.landmarks import LARGEST, Landmarks
from dpmodel.notice import limit_sentence, notice
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers, one_worker_run
from dpmodel.training import Prediction, predict
from dpmodel.units import HOUR, human, significant
from pages.ui import live, measured
from pages.ui.controls import Ladder
from pages.ui.curve_series import CurveSet, curve_set, panel_families
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


Series = dict[str, Any]


def draw(
    scenario: Scenario,
    ladders: Sequence[Ladder],
    previous: Scenario | None = None,
    pinned: Scenario | None = None,
    run: str | None = None,
) -> None:
    """Draw headline, notice and both curves; they follow the sliders while these are dragged."""
    curves = curve_set(scenario, ladders)
    now = predict(scenario)
    marks = curves.now.marks
    live.panel(
        "curves",
        figures=_figures(scenario, now, curves, previous, pinned, measured.points(run, scenario)),
        headline=LABELS,
        hints=tuple(CELLS.values()),
        families=panel_families(scenario, tuple(ladders)),
        bound=_BOUND,
        x=curves.grid,
        ranges=[live.AxisRange(0, "y", "time_range")],
        notice=_notice(now, marks),
        values=headline_texts(now, marks)[0],
        height=_HEIGHT,
    )


# Traces of both figures, in the order in which `_time_figure` and `_speed_figure` make them.
_IDEAL, _GHOST, _CURVE, _EDGES, _KNEE, _BEST, _NOW = range(7)
_BANDS = 2
# Behind the seven in the speed-up chart only.
_LOW, _HIGH = 7, 8
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
    live.Bound(1, _BANDS + _LOW, y="speed_low"),
    live.Bound(1, _BANDS + _HIGH, y="speed_high"),
]


def _figures(
    scenario: Scenario,
    now: Prediction,
    curves: CurveSet,
    previous: Scenario | None,
    pinned: Scenario | None,
    seen: dict[str, np.ndarray],
) -> list[live.PanelFigure]:
    largest = int(curves.grid[-1])
    run = float(np.asarray(one_worker_run(scenario)))
    ghost, kept = _earlier(previous), _earlier(pinned)
    limit, marks = _limit_marks(scenario), curves.now.marks
    time = {
        "data": [
            *_traces(curves, ghost, "time", run),
            *_pinned(kept, "time"),
            *measured.trace(seen, "time"),
        ],
        "layout": time_layout(run, largest) | limit,
    }
    speed = {
        "data": [
            *efficiency_bands(largest),
            *_traces(curves, ghost, "speed_up", run),
            *_uncertain(),
            *_pinned(kept, "speed_up"),
            *measured.trace(seen, "speed_up"),
        ],
        "layout": speed_up_layout(largest) | limit,
    }
    return [
        live.PanelFigure(
            "time", "Training time", time, _time_alt(now, marks), "training-time", _csv("time")
        ),
        live.PanelFigure(
            "speedup", "Speed-up", speed, _speed_alt(now, marks), "speed-up", _csv("speed")
        ),
    ]


def _earlier(scenario: Scenario | None) -> Series:
    """Curve of an earlier scenario; empty where there is none."""
    if scenario is None:
        return {"x": [], "time": [], "speed_up": []}
    before = predict(scenario, curve_grid(scenario))
    return {"x": before.workers, **_lines(before)}


def _lines(curve: Prediction) -> Series:
    shape = np.shape(curve.workers)
    return {
        "time": np.broadcast_to(curve.time / HOUR, shape),
        "speed_up": np.broadcast_to(curve.speed_up, shape),
    }


def _traces(curves: CurveSet, ghost: Series, what: str, run: float) -> list[dict[str, Any]]:
    """Make the seven traces of a figure; the panel fills in those that follow the sliders."""
    ends = [1.0, float(curves.grid[-1])]
    ideal = [run / HOUR / n for n in ends] if what == "time" else ends
    grid, curve = curves.grid, _lines(curves.now.curve)[what]
    hover = _HOVER[what]
    on_time = what == "time"
    return [
        line(ends, ideal, "Ideal", COLOURS["ideal"], line={"dash": "dash"}, width=1.8,
             hoverinfo="skip", showlegend=on_time),
        line(ghost["x"], ghost[what], "Before", COLOURS["ghost"], width=2,
             line={"dash": "dot"}, hoverinfo="skip", showlegend=on_time),
        line(grid, curve, "Predicted", COLOURS["compute"], hovertemplate=hover, width=3,
             showlegend=on_time),
        markers([], [], "90, 80, 50 %", COLOURS["muted"], hovertemplate=hover,
                showlegend=not on_time) | _THICK,
        markers([], [], "Knee", COLOURS["serial"], size=11, symbol="diamond",
                hovertemplate=hover, showlegend=not on_time),
        markers([], [], "Fastest, N*", COLOURS["limit"], size=14, symbol="star",
                hovertemplate=hover, showlegend=not on_time),
        markers([], [], "Now", COLOURS["measured"], size=13, hovertemplate=hover,
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
    "time": "%{x:,.3~r} workers: %{y:,.3~r} h<extra>%{fullData.name}</extra>",
    "speed_up": "%{x:,.3~r} workers: %{y:,.3~r}x<extra>%{fullData.name}</extra>",
}


def _uncertain() -> list[dict[str, Any]]:
    """Two thin lines that measured runs like this stay between, eight times in ten."""
    style = {"width": 1.2, "hoverinfo": "skip", "opacity": 0.75}
    return [
        line([], [], "80 % band", COLOURS["compute"], showlegend=top, line={"dash": "dot"}, **style)
        for top in (False, True)
    ]


def _pinned(kept: Series, what: str) -> list[dict[str, Any]]:
    if not len(kept["x"]):
        return []
    style = {"line": {"dash": "dashdot"}, "hovertemplate": _HOVER[what]}
    return [line(kept["x"], kept[what], "Pinned", COLOURS["pinned"], **style)]


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


def _time_alt(now: Prediction, marks: Landmarks) -> str:
    best = f"{int(marks.best):,} workers are fastest with {human(float(marks.best_time), 'time')}"
    here = f"{int(now.workers):,} workers: {human(float(now.time), 'time')}"
    return f"Training time over workers. {here}; {best}."


def _speed_alt(now: Prediction, marks: Landmarks) -> str:
    half = float(marks.at_50)
    falls = f"falls to half at {int(half):,} workers" if half == half else "stays above half"
    return (
        f"Speed-up over workers beside the ideal line. {int(now.workers):,} workers: "
        f"{significant(float(now.speed_up))}x; efficiency {falls}."
    )


def _csv(series: str) -> list[live.Column]:
    name = "training_time_h" if series == "time" else "speed_up"
    return [live.Column("workers", "x"), live.Column(name, series)]


def _notice(now: Prediction, marks: Landmarks) -> str:
    if float(now.time) != float(now.time):
        return limit_sentence(now)
    return notice(now, marks)
