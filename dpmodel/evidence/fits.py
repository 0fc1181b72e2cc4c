"""Few parameters fitted to one sweep: damped Gauss-Newton on log time, outliers held down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Residuals beyond this share count linearly, not squared (soft L1).
SCALE = 0.05
_ROUNDS, _STEP = 200, 1e-6


def soft_l1_cost(residuals: np.ndarray) -> float:
    """Soft-L1 cost of log residuals: 2 (sqrt(1 + (r/c)^2) - 1), summed [1]."""
    return float(np.sum(2 * (np.sqrt(1 + (residuals / SCALE) ** 2) - 1)))


def fit(
    law: Callable[[np.ndarray], np.ndarray], target: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """Fit parameters of a law to logarithms.

    Parameters
    ----------
    law : callable
        Parameters, shape (P,), to log times, shape (M,).
    target : array, shape (M,)
        Measured log times.
    start : array, shape (P,)
        First guess.

    Returns
    -------
    array, shape (P,)
        A local minimum of `soft_l1_cost`.
    """
    now = np.asarray(start, float)
    residuals = law(now) - target
    cost, damping = soft_l1_cost(residuals), 1e-3
    for _ in range(_ROUNDS):
        slopes = _slopes(law, now)
        weights = 1 / np.sqrt(1 + (residuals / SCALE) ** 2)
        normal = slopes.T @ (weights[:, None] * slopes)
        downhill = slopes.T @ (weights * residuals)
        damped = normal + damping * np.diag(np.diag(normal) + 1e-12)
        move = np.linalg.lstsq(damped, -downhill, rcond=None)[0]
        tried = law(now + move) - target
        better = soft_l1_cost(tried)
        if np.isfinite(better) and better < cost:
            done = cost - better < 1e-9 * cost
            now, residuals, cost, damping = now + move, tried, better, damping / 5
            if done:
                break
        elif damping > 1e8:
            break
        else:
            damping *= 4
    return now


def _slopes(law: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    columns = []
    for place in range(len(at)):
        step = np.zeros(len(at))
        step[place] = _STEP
        columns.append((law(at + step) - law(at - step)) / (2 * _STEP))
    return np.stack(columns, axis=-1)


def best_of(
    law: Callable[[np.ndarray], np.ndarray], target: np.ndarray, starts: list[np.ndarray]
) -> np.ndarray:
    """Fit from several first guesses; return the parameters of the lowest cost."""
    fits = [fit(law, target, start) for start in starts]
    return min(fits, key=lambda found: soft_l1_cost(law(found) - target))
