"""A prediction as the document that `predict --json` prints, and as a person's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from dpmodel.border import make_scenario, scenario_to_dict, to_query
from dpmodel.landmarks import landmarks, worker_grid
from dpmodel.notice import notice
from dpmodel.scenario import Scenario
from dpmodel.step import check_workers
from dpmodel.training import Prediction, energy_kwh, predict, worker_hours
from dpmodel.units import human, significant


def prediction_document(scenario: Scenario, workers: Sequence[int]) -> dict[str, Any]:
    """Predict each worker count and lay the results out for JSON.

    Parameters
    ----------
    scenario : Scenario
        One situation (scalars).
    workers : sequence of int
        Worker counts N, shape (W,) [1].

    Returns
    -------
    dict
        ``scenario`` in display units, ``workers``, and lists of the same length: times in
        seconds, ratios as fractions, cost in $, energy in kWh, bytes.

    Raises
    ------
    InputError
        The batch cannot feed that many workers.
    """
    n = np.array([int(make_scenario(workers=w).workers) for w in workers], float)
    check_workers(scenario, n)
    result = predict(scenario, n)
    shown = scenario.but(workers=int(n[-1]))
    return {
        "scenario": scenario_to_dict(shown),
        "workers": [int(w) for w in n],
        "training_time_s": _column(result.time, n),
        "speed_up": _column(result.speed_up, n),
        "efficiency": _column(result.efficiency, n),
        "worker_hours": _column(worker_hours(result), n),
        "cost_usd": _column(result.cost, n),
        "energy_kwh": _column(energy_kwh(result), n),
        "bytes_per_worker_and_step": _column(result.bytes_per_step, n),
        "steps": _column(result.steps, n),
        "step": step_document(result),
        "notice": notice_for(shown),
        "explore": to_query(shown),
    }


def step_document(result: Prediction) -> dict[str, list[float | None]]:
    """Return the parts of the step as lists over workers [s]."""
    parts = {f"{f.name}_s": getattr(result.step, f.name) for f in fields(result.step)}
    parts["communication_s"] = result.step.communication
    parts["total_s"] = result.step.total
    return {name: _column(values, result.workers) for name, values in parts.items()}


def notice_for(scenario: Scenario) -> str:
    """Say what to notice at the scenario's own workers."""
    curve = predict(scenario, worker_grid(also=(float(scenario.workers),)))
    return notice(predict(scenario), landmarks(curve))


def _column(values: Any, workers: Any) -> list[float | None]:
    spread = np.broadcast_to(values, np.shape(workers)).tolist()
    return [value if np.isfinite(value) else None for value in spread]


def prediction_text(scenario: Scenario, workers: Sequence[int]) -> str:
    """Lay the same results out as a table for a person."""
    document = prediction_document(scenario, workers)
    lines = [f"{'workers':>8}  {'time':>10}  {'speed-up':>9}  {'efficiency':>10}  {'cost':>10}"]
    columns = ("workers", "training_time_s", "speed_up", "efficiency", "cost_usd")
    for n, time, speed_up, efficiency, cost in zip(*(document[c] for c in columns), strict=True):
        lines.append(
            f"{n:>8,}  {_or_never(time, 'time'):>10}  {significant(speed_up or 0):>8}x"
            f"  {efficiency or 0:>10.1%}  {_or_never(cost, 'money'):>10}"
        )
    return "\n".join([*lines, "", document["notice"], f"Explore: {document['explore']}"])


def _or_never(value: float | None, dimension: str) -> str:
    return "no end" if value is None else human(value, dimension)
