"""Whole families of curves in one call: what a picture needs to follow a knob without a server."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.knobs import Number
from dpmodel.landmarks import LARGEST, Landmarks, landmarks, worker_grid
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers
from dpmodel.training import Prediction, predict


class Curves(NamedTuple):
    """Curves along one knob's ladder of L values, over P worker counts.

    Attributes
    ----------
    curve : Prediction
        Over the worker grid; fields broadcast to (L, P), or to (P,) for a single curve.
    marks : Landmarks
        Of each curve, fields (L,) or scalars.
    """

    curve: Prediction
    marks: Landmarks


def curve_grid(scenario: Scenario) -> np.ndarray:
    """Worker counts of the curves of one scenario (scalars), shape (P,) [1].

    The present workers and the last count that the batch can feed are on it.
    """
    now, most = float(scenario.workers), float(most_workers(scenario))
    largest = LARGEST if now <= LARGEST else int(2 ** np.ceil(np.log2(now)))
    return worker_grid(largest, also=(now, most))


def one_curve(scenario: Scenario, grid: np.ndarray) -> Curves:
    """Return the curve of one scenario (scalars) and its landmarks; workers do not matter."""
    curve = predict(scenario, grid)
    return Curves(curve, landmarks(curve))


def curves_along(scenario: Scenario, field: str, values: np.ndarray, grid: np.ndarray) -> Curves:
    """Predict curves along one numeric knob in one call.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    field : str
        Name of the `Scenario` field that runs along the ladder; not ``workers``.
    values : array, shape (L,)
        Ladder in SI units.
    grid : array, shape (P,)
        Worker counts [1].
    """
    curve = predict(scenario.but(**{field: values[:, None]}), grid)
    return Curves(curve, landmarks(curve))


def points_along(scenario: Scenario, field: str, values: np.ndarray) -> Prediction:
    """Predict the present workers along one knob's ladder, or each value of the workers knob.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    field : str
        Name of the `Scenario` field that runs along the ladder.
    values : array, shape (L,)
        Ladder in SI units.
    """
    if field == "workers":
        return predict(scenario, values)
    return predict(scenario.but(**{field: values}))


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
