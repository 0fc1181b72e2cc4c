"""The headline cells: one row of texts for the present setting, or for each value of a ladder."""

from __future__ import annotations

import numpy as np

from dpmodel.curves import Family
from dpmodel.errors import InputError
from dpmodel.scenario import Scenario
from dpmodel.step import check_workers
from dpmodel.training import energy_kwh, worker_hours
from dpmodel.units import HOUR, human, significant

LABELS = (
    "Training time",
    "Speed-up",
    "Efficiency",
    "Worker-hours",
    "Cost",
    "Energy",
    "Sent per worker and step",
    "90 / 80 / 50 % efficient up to",
    "Knee, fastest N*",
)


def headline_texts(family: Family) -> list[list[str] | str]:
    """Format a family's present points.

    Parameters
    ----------
    family : Family
        Points and landmarks of L ladder values; scalars count as one value.

    Returns
    -------
    list of list of str, or str
        For each value the texts of `LABELS`, or one sentence where it is impossible.
    """
    point, scenario = family.point, family.point.scenario
    length = int(np.size(np.broadcast_arrays(point.time, point.workers)[0]))
    columns = [
        point.time,
        point.speed_up,
        point.efficiency,
        worker_hours(point),
        point.cost,
        energy_kwh(point),
        point.bytes_per_step,
        *family.marks[:3],
        family.marks.knee,
        family.marks.best,
        point.workers,
    ]
    rows = zip(*(np.broadcast_to(np.ravel(c), length).tolist() for c in columns), strict=True)
    return [_cells(row) if row[0] == row[0] else _impossible(scenario, row[-1]) for row in rows]


def _cells(row: tuple[float, ...]) -> list[str]:
    time, speed_up, efficiency, hours, cost, energy, sent, n90, n80, n50, knee, best, _ = row
    return [
        human(time, "time"),
        f"{significant(speed_up)}x",
        f"{significant(100 * efficiency)} %",
        human(hours * HOUR, "time") if hours < 1 else f"{significant(hours)} h",
        human(cost, "money"),
        f"{significant(energy)} kWh",
        human(sent, "data"),
        " / ".join(_up_to(value) for value in (n90, n80, n50)),
        f"{_whole(knee)}, {_whole(best)}",
    ]


def _up_to(workers: float) -> str:
    return "all" if workers != workers else f"{int(workers):,}"


def _whole(workers: float) -> str:
    return f"{int(workers):,}" + ("+" if workers >= 4096 else "")


def _impossible(scenario: Scenario, workers: float) -> str:
    try:
        check_workers(scenario, workers)
    except InputError as error:
        return str(error)
    return "This setting has no finite training time."
