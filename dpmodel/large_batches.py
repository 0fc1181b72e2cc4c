"""Larger batches on real loss curves: the linear rule, its limit, and steps to the same loss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.datasets import Data
from dpmodel.learners import Learner, learner
from dpmodel.sharding import loss


def linear_rule(rate: float, batch: float, base_batch: float) -> float:
    """Learning rate of a batch by the linear rule, eta B / B_0 [1].

    k steps of eta on k batches and one step of k eta on their union differ only by how far the
    weights moved in between (Goyal et al. 2017), so the rule ends where a step changes the
    gradient, `stability_limit` at the latest.
    """
    return rate * batch / base_batch


def stability_limit(data: Data) -> float:
    """Learning rate past which full-batch descent on a line diverges, 2 / lambda_max [1].

    Parameters
    ----------
    data : Data
        Samples; lambda_max is the largest eigenvalue of x^T x / S.
    """
    curvature = data.x.T @ data.x / len(data.y)
    return float(2.0 / np.linalg.eigvalsh(curvature)[-1])


def least_loss(data: Data) -> float:
    """Least mean loss that any line reaches on the data [1]."""
    best, *_ = np.linalg.lstsq(data.x, data.y, rcond=None)
    return float(loss(learner("linear"), best, data))


def loss_curves(
    data: Data, batch: int, rates: np.ndarray, steps: int, *, runs: int = 8, seed: int = 0
) -> np.ndarray:
    """Loss of a line before and after each step, for several learning rates at once.

    All rates and runs are one computation; each step draws its batch from all samples anew.

    Parameters
    ----------
    data : Data
        S samples.
    batch : int
        Global batch B [1].
    rates : array, shape (L,)
        Learning rates [1].
    steps : int
        Steps K [1].
    runs : int
        Runs R that differ in their batches only [1].
    seed : int
        Order of the samples [1].

    Returns
    -------
    array, shape (K + 1, L)
        Mean loss over the runs [1]; infinite once a run has left the numbers.
    """
    model, chance = learner("linear"), np.random.default_rng(seed)
    measure = _LossOnAll(model, data)
    weights = np.zeros((len(rates), runs, data.x.shape[1]))
    curves = np.empty((steps + 1, len(rates)))
    curves[0] = measure(weights)
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(1, steps + 1):
            drawn = chance.integers(len(data.y), size=(runs, batch))
            _, gradient = model.sums(weights, data.x[drawn], data.y[drawn], None)
            weights = weights - rates[:, None, None] * gradient / batch
            curves[step] = measure(weights)
    return np.where(np.isfinite(curves), curves, np.inf)


class _LossOnAll:
    """Mean loss of a line on all samples, as the parabola that it is."""

    def __init__(self, model: Learner, data: Data) -> None:
        self.curvature = data.x.T @ data.x / len(data.y)
        self.best, *_ = np.linalg.lstsq(data.x, data.y, rcond=None)
        self.least = float(loss(model, self.best, data))

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        away = weights - self.best
        return np.asarray(self.least + 0.5 * ((away @ self.curvature) * away).sum(-1).mean(-1))


def steps_to(curves: np.ndarray, target: float) -> np.ndarray:
    """First step at which each curve is at or below the target, (K + 1, L) to (L,) [1].

    Read between steps where the curve crosses; infinite where it never does.
    """
    below = curves <= target
    step = np.argmax(below, axis=0)
    here = np.take_along_axis(curves, step[None], axis=0)[0]
    before = np.take_along_axis(curves, np.maximum(step - 1, 0)[None], axis=0)[0]
    fall = np.where((step > 0) & np.isfinite(before) & (before > here), before - here, np.inf)
    part = np.where(np.isfinite(fall), (target - here) / fall, 0.0)
    return np.where(below.any(axis=0), step - part, np.inf)


def best_steps(
    data: Data,
    batches: np.ndarray,
    target: float,
    *,
    most: int = 3000,
    runs: int = 16,
    rates: int = 24,
) -> tuple[np.ndarray, np.ndarray]:
    """Fewest steps to a loss at each batch size, and the learning rate that took them.

    Parameters
    ----------
    data : Data
        Samples.
    batches : array, shape (Q,)
        Global batches B [1].
    target : float
        Loss to reach [1].
    most : int
        Steps after which a run is given up [1].
    runs, rates : int
        Runs averaged, and learning rates tried, at each batch [1].

    Returns
    -------
    tuple of arrays, shape (Q,)
        Steps [1] (infinite where none arrived) and learning rates [1].
    """
    tried = stability_limit(data) * np.geomspace(0.004, 0.9, rates)
    steps, best = np.empty(len(batches)), np.empty(len(batches))
    for place, batch in enumerate(batches.tolist()):
        needed = steps_to(loss_curves(data, int(batch), tried, most, runs=runs), target)
        steps[place], best[place] = needed.min(), tried[needed.argmin()]
        if np.isfinite(needed.min()):
            # Larger batches need no more steps; half as many again is room for chance.
            most = min(most, int(1.5 * needed.min()) + 20)
    return steps, best


class CriticalBatch(NamedTuple):
    """Fit of steps(B) = S_min (1 + B_crit / B).

    `fewest` is S_min [1], `critical` is B_crit [1], `error` the mean relative error [1].
    """

    fewest: float
    critical: float
    error: float

    def steps(self, batch: np.ndarray) -> np.ndarray:
        """Steps at a global batch [1]."""
        return np.asarray(self.fewest * (1 + self.critical / batch))


def fit_critical_batch(batches: np.ndarray, steps: np.ndarray) -> CriticalBatch:
    """Fit S_min and B_crit by least squares of relative errors (McCandlish et al. 2018).

    Parameters
    ----------
    batches, steps : arrays, shape (Q,)
        Measured [1]; infinite steps are left out.
    """
    arrived = np.isfinite(steps)
    batch, needed = batches[arrived].astype(float), steps[arrived]
    columns = np.stack([1 / needed, 1 / (batch * needed)], axis=1)
    (fewest, product), *_ = np.linalg.lstsq(columns, np.ones(len(needed)), rcond=None)
    fit = CriticalBatch(float(fewest), float(product / fewest), 0.0)
    return fit._replace(error=float(np.abs(fit.steps(batch) / needed - 1).mean()))
