"""Terms of a time curve, t = a + b/N + cN, from measured points."""

from __future__ import annotations

import numpy as np


def fit_terms(n: np.ndarray, time: np.ndarray) -> tuple[float, float, float]:
    """Best a, b, c >= 0 of t = a + b/N + c N, relative errors weighted equally [s].

    Parameters
    ----------
    n, time : array, shape (P,)
        Worker counts [1] and times [any unit].
    """
    columns = np.stack([np.ones_like(n), 1 / n, n]) / time
    best, least = (0.0, float(np.mean(time * n)), 0.0), np.inf
    for picks in ((0, 1, 2), (0, 1), (1, 2), (1,)):
        if len(picks) > len(n):
            continue
        found, *_ = np.linalg.lstsq(columns[list(picks)].T, np.ones_like(n), rcond=None)
        if (found < 0).any():
            continue
        error = float(np.sum((found @ columns[list(picks)] - 1) ** 2)) + 1e-12 * len(picks)
        if error < least * 0.999:
            terms = [0.0, 0.0, 0.0]
            for index, value in zip(picks, found, strict=True):
                terms[index] = float(value)
            best, least = (terms[0], terms[1], terms[2]), error
    return best


def constant_serial(n: np.ndarray, s: np.ndarray) -> tuple[float, float]:
    """Serial and parallel part of the baseline time under Amdahl's law, both relative."""
    columns = np.stack([np.ones_like(n), 1 / n]) * s
    (a, b), *_ = np.linalg.lstsq(columns.T, np.ones_like(n), rcond=None)
    if a < 0:
        return 0.0, float(n[0])
    return float(a), float(b)
