"""Where a speed-up curve bends: the knee, the efficiency limits, and the most useful workers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.knobs import Number
from dpmodel.training import Prediction

LARGEST = 4096
LEVELS = (0.9, 0.8, 0.5)


class Landmarks(NamedTuple):
    """Marked worker counts of one curve, or of many along the leading axes [1].

    Attributes
    ----------
    at_90, at_80, at_50 : array
        Workers at which efficiency falls below the level; NaN where it does not on the grid.
    knee : array
        Workers at which speed-up times efficiency, S^2/N, is largest (Eager, Zahorjan &
        Lazowska 1989): before it a worker is well spent, after it ever less.
    best : array
        N*, the workers with the shortest time; more no longer help.
    best_time : array
        Training time there [s].
    """

    at_90: np.ndarray
    at_80: np.ndarray
    at_50: np.ndarray
    knee: np.ndarray
    best: np.ndarray
    best_time: np.ndarray


def worker_grid(largest: int = LARGEST, *, also: tuple[float, ...] = ()) -> np.ndarray:
    """Whole worker counts for a curve: each to 16, then eight an octave, and those in `also`.

    Parameters
    ----------
    largest : int
        Last worker count [1].
    also : tuple of float
        More counts to include, such as the present N or the batch's limit; those outside
        1..largest are left out [1].

    Returns
    -------
    array, shape (P,)
        Rising whole numbers [1].
    """
    octaves = np.rint(2 ** np.arange(4, np.log2(largest) + 1e-9, 1 / 8))
    extra = [n for n in also if 1 <= n <= largest]
    return np.unique(np.concatenate([np.arange(1, 17), octaves, extra, [largest]]))


def landmarks(prediction: Prediction) -> Landmarks:
    """Find the landmarks of a prediction whose last axis runs over rising workers.

    Returns
    -------
    Landmarks
        Fields have the leading shape of the prediction, without the worker axis.
    """
    shape = np.broadcast_shapes(np.shape(prediction.time), np.shape(prediction.workers))
    n = np.asarray(prediction.workers)
    time = np.broadcast_to(prediction.time, shape)
    speed_up = np.broadcast_to(prediction.speed_up, shape)
    efficiency = speed_up / n
    worth = np.where(np.isnan(speed_up), -1.0, speed_up * efficiency)
    best = np.where(np.isnan(time), np.inf, time).argmin(axis=-1)
    return Landmarks(
        falls_below(efficiency, n, LEVELS[0]),
        falls_below(efficiency, n, LEVELS[1]),
        falls_below(efficiency, n, LEVELS[2]),
        _take(n, worth.argmax(axis=-1)),
        _take(n, best),
        _take(time, best),
    )


def falls_below(efficiency: np.ndarray, workers: np.ndarray, level: float) -> np.ndarray:
    """Workers at which efficiency first falls below a level, between grid points in log N [1].

    Parameters
    ----------
    efficiency, workers : array, shape (..., P)
        A curve over rising workers [1].
    level : float
        Efficiency to fall below [1].

    Returns
    -------
    array, shape (...)
        NaN where it never does.
    """
    below = efficiency < level
    index = np.maximum(below.argmax(axis=-1), 1)
    e0, e1 = _take(efficiency, index - 1), _take(efficiency, index)
    n0, n1 = _take(workers, index - 1), _take(workers, index)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.log(e0 / level) / np.log(e0 / e1)
        crossing = n0 * (n1 / n0) ** np.clip(part, 0.0, 1.0)
    return np.where(below.any(axis=-1), crossing, np.nan)


def _take(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Pick one value from each row; plain indexing costs a third of take_along_axis."""
    if values.ndim == 1:
        return np.asarray(values[index])
    rows = values.reshape(-1, values.shape[-1])
    picked: np.ndarray = rows[np.arange(len(rows)), np.ravel(index)]
    return picked.reshape(np.shape(index))


def stops_helping(marks: Landmarks, limit: Number) -> np.ndarray:
    """Whether N* lies inside the curve, so that a further worker makes the run longer [bool]."""
    return np.asarray(marks.best < np.minimum(limit, LARGEST))
