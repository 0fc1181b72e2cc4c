"""The headline cells: one row of texts for the present setting, or for each value of a ladder."""

from __future__ import annotations

import numpy as np

from dpmodel.errors import InputError
from dpmodel.landmarks import LARGEST, Landmarks
from dpmodel.scenario import Scenario
from dpmodel.step import check_workers
from dpmodel.training import Prediction, worker_hours
from dpmodel.units import HOUR, human, percent, significant, times

# Label and what it means, in a dozen words.
CELLS = {
    "Training time": "Hours from the first step to the last.",
    "Speed-up": "One worker's time divided by the time of N.",
    "Efficiency": "Speed-up divided by the number of workers.",
    "Worker-hours": "Workers times hours: what you pay for.",
    "Cost": "Worker-hours times the price of one.",
    "Energy": "Electric energy of all workers and their site.",
    "Sent per step": "Bytes that each worker sends in one step.",
    "90/80/50 % up to": "Workers up to which efficiency stays above each level.",
    "Knee, N*": "Knee: best speed-up times efficiency. N*: shortest time.",
}
LABELS = tuple(CELLS)
_MANY_HOURS = 1e7


def headline_texts(point: Prediction, marks: Landmarks, rows: int = 1) -> list[list[str] | str]:
    """Format the present points along a ladder.

    Parameters
    ----------
    point : Prediction
        At the present workers, along the ladder.
    marks : Landmarks
        Of the curves along the ladder.
    rows : int
        Ladder values L; what does not depend on the knob is the same in each.

    Returns
    -------
    list of list of str, or str
        For each value the texts of `LABELS`, or one sentence where it is impossible.
    """
    columns = [
        point.time,
        point.speed_up,
        point.efficiency,
        worker_hours(point),
        point.cost,
        point.energy,
        point.bytes_per_step,
        *marks[:3],
        marks.knee,
        marks.best,
        point.workers,
    ]
    lists = (np.broadcast_to(np.ravel(c), rows).tolist() for c in columns)
    counts = point.scenario.mode != "ideal"
    refused: dict[float, str] = {}
    texts: list[list[str] | str] = []
    for row in zip(*lists, strict=True):
        if row[0] == row[0]:
            texts.append(_cells(row, counts))
        else:
            texts.append(
                refused.get(row[-1])
                or refused.setdefault(row[-1], _impossible(point.scenario, row[-1]))
            )
    return texts


def _cells(row: tuple[float, ...], counts: bool) -> list[str]:
    time, speed_up, efficiency, hours, cost, energy, sent, n90, n80, n50, knee, best, _ = row
    return [
        human(time, "time"),
        times(speed_up),
        percent(efficiency),
        _hours(hours),
        human(cost, "money"),
        human(energy, "energy"),
        human(sent, "data") if counts else "not counted",
        "/".join(_up_to(value) for value in (n90, n80, n50)),
        _bends(knee, best) if counts else "none",
    ]


def _up_to(workers: float) -> str:
    return "all" if workers != workers else f"{int(workers):,}"


def _hours(hours: float) -> str:
    if hours < 1:
        return human(hours * HOUR, "time")
    return f"{human(hours, 'count') if hours >= _MANY_HOURS else significant(hours)} h"


def _bends(knee: float, best: float) -> str:
    return "beyond" if knee >= LARGEST else f"{_whole(knee)}, {_whole(best)}"


def _whole(workers: float) -> str:
    return "beyond" if workers >= LARGEST else f"{int(workers):,}"


def _impossible(scenario: Scenario, workers: float) -> str:
    try:
        check_workers(scenario, workers)
    except InputError as error:
        return str(error)
    return "This setting has no finite training time."
