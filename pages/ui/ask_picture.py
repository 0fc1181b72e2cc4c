"""The picture beside an answer: its situation's speed-up curve with the asked point on it."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np

from dpmodel import curves
from dpmodel.ask import AskResult
from dpmodel.border import from_query
from dpmodel.scenario import Scenario
from dpmodel.training import predict
from dpmodel.units import significant
from pages.ui.figures import Figure, efficiency_bands, line, markers, speed_up_layout
from pages.ui.packing import Column, PanelFigure
from pages.ui.theme import COLOURS

# The picture reaches this many times past the asked workers, and at least this far.
_ROOM, _LEAST = 8, 64
_SAME = 0.005


def scenario_of(result: AskResult) -> Scenario | None:
    """Return the situation that the answer's Explore link opens, if it has one."""
    query = result.explore.lstrip("?")
    return from_query(dict(parse_qsl(query)))[0] if query else None


def told_speed_up(result: AskResult, scenario: Scenario) -> float | None:
    """Return the speed-up over one worker that the question itself tells, not the model's.

    Parameters
    ----------
    result : AskResult
        The answer; its quantities are in the units shown.
    scenario : Scenario
        Its situation.
    """
    known = {u.role: u for u in result.understood}
    if known.get("base_workers") and known["base_workers"].value != 1:
        return None
    if "efficiency" in known and not known["efficiency"].assumed:
        return float(scenario.workers) * known["efficiency"].value / 100
    before, after = known.get("base_time"), known.get("time")
    if before and after and before.unit == after.unit and after.value > 0:
        return before.value / after.value
    return known["speedup"].value if "speedup" in known else None


def picture(result: AskResult, scenario: Scenario) -> PanelFigure:
    """Draw the speed-up curve with the asked point marked.

    Parameters
    ----------
    result : AskResult
        The answer.
    scenario : Scenario
        Its situation.
    """
    grid = curves.curve_grid(scenario)
    curve = np.asarray(curves.one_curve(scenario, grid).curve.speed_up)
    workers = int(scenario.workers)
    told = told_speed_up(result, scenario)
    here = told if told is not None else float(predict(scenario).speed_up)
    largest = int(grid[grid <= max(_LEAST, _ROOM * workers)][-1])
    grid, curve = grid[grid <= largest], curve[grid <= largest]
    ends = [1, largest]
    data = [
        *efficiency_bands(largest),
        line(ends, ends, "Ideal: N-fold", COLOURS["ideal"], width=1.5, line={"dash": "dash"}),
        *_lines(scenario, grid, curve, told),
        markers([workers], [here], "Asked here", COLOURS["communication"], size=14),
    ]
    by = "as told" if told is not None else "by the model"
    return PanelFigure(
        "asked",
        "Speed-up over workers, with your point",
        {"data": data, "layout": speed_up_layout(largest)},
        f"At {workers:,} worker{'' if workers == 1 else 's'} the speed-up is "
        f"{significant(here)}x ({by}); N-fold would be {workers:,}x.",
        "asked-speed-up",
        [Column("workers", grid), Column("speed_up", np.asarray(curve))],
    )


def _lines(
    scenario: Scenario, grid: np.ndarray, curve: np.ndarray, told: float | None
) -> list[Figure]:
    """Return the model's curve; where it is the ideal itself, the told efficiency's line."""
    if scenario.mode != "ideal":
        return [line(grid.tolist(), curve.tolist(), _named(scenario), COLOURS["compute"])]
    if told is None:
        return []
    share = told / float(scenario.workers)
    return [line(grid.tolist(), (share * grid).tolist(), f"At {share:.0%}", COLOURS["compute"])]


def remark(result: AskResult, scenario: Scenario) -> str:
    """Say where Explore shows something else than the question told."""
    told = told_speed_up(result, scenario)
    if told is None or abs(told - float(predict(scenario).speed_up)) < _SAME * told:
        return ""
    return (
        "Explore opens the same workers and hours; there the model, not the question, sets the "
        "speed-up."
    )


def _named(scenario: Scenario) -> str:
    return {
        "ideal": "Ideal model",
        "communication": "With communication",
        "realistic": "Realistic model",
    }[scenario.mode]
