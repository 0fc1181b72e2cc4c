"""Whole families of curves in one call: what a picture needs to follow a knob without a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dpmodel.knobs import Number
from dpmodel.landmarks import LARGEST, Landmarks, landmarks, worker_grid
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers
from dpmodel.training import Prediction, predict


class Family(NamedTuple):
    """Curves and present points along one knob's ladder of L values.

    Attributes
    ----------
    curve : Prediction
        Over the worker grid; fields broadcast to (L, P).
    point : Prediction
        At the present workers, or at each ladder value of the workers knob; fields (L,).
    marks : Landmarks
        Of each curve, fields (L,).
    """

    curve: Prediction
    point: Prediction
    marks: Landmarks


def curve_grid(scenario: Scenario) -> np.ndarray:
    """Worker counts of the curves of one scenario (scalars), shape (P,) [1].

    The present workers and the last count that the batch can feed are on it.
    """
    now, most = float(scenario.workers), float(most_workers(scenario))
    largest = LARGEST if now <= LARGEST else int(2 ** np.ceil(np.log2(now)))
    return worker_grid(largest, also=(now, most))


def one_curve(scenario: Scenario, grid: np.ndarray) -> Family:
    """Return the curve, present point and landmarks of one scenario (scalars)."""
    curve = predict(scenario, grid)
    return Family(curve, predict(scenario), landmarks(curve))


def knob_family(scenario: Scenario, field: str, values: np.ndarray, grid: np.ndarray) -> Family:
    """Predict curves along one numeric knob in one call.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    field : str
        Name of the `Scenario` field that runs along the ladder.
    values : array, shape (L,)
        Ladder in SI units.
    grid : array, shape (P,)
        Worker counts [1].
    """
    if field == "workers":
        curve = predict(scenario, grid)
        return Family(curve, predict(scenario, values), landmarks(curve))
    curve = predict(scenario.but(**{field: values[:, None]}), grid)
    point = predict(scenario.but(**{field: values}))
    return Family(curve, point, landmarks(curve))


def families(
    scenario: Scenario, ladders: Mapping[str, np.ndarray], grid: np.ndarray
) -> dict[str, Family]:
    """`knob_family` for each field of `ladders` (field name to SI ladder)."""
    return {field: knob_family(scenario, field, values, grid) for field, values in ladders.items()}


def speed_map(scenario: Scenario, field: str, values: np.ndarray, workers: np.ndarray) -> Number:
    """Speed-up over workers and one knob.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    field : str
        Name of the `Scenario` field on the second axis.
    values : array, shape (K,)
        Its values, SI.
    workers : array, shape (W,)
        Worker counts [1].

    Returns
    -------
    array, shape (K, W)
        Speed-up [1].
    """
    swept = predict(scenario.but(**{field: values[:, None]}), workers)
    return np.broadcast_to(swept.speed_up, (len(values), len(workers)))
