"""What one slow worker costs all of them: the expected maximum of N step times."""

from __future__ import annotations

from functools import cache
from math import erf, sqrt

import numpy as np

from dpmodel.knobs import Number

_DOUBLINGS, _STEPS = 24, 16


def expected_maximum(workers: Number) -> np.ndarray:
    """Expected maximum of N independent standard normal values [1].

    E = integral of (1 - Phi(x)^N) - Phi(-x)^N over x > 0, integrated once on a table of 16 values
    of N a doubling and interpolated; within 1e-3 of the integral for N up to 16 million.

    Parameters
    ----------
    workers : int or array
        N >= 1 [1].

    Returns
    -------
    array
        0 for N = 1, 0.564 for 2, 1.424 for 8, 2.827 for 256 [1].
    """
    expected, rise = _table()
    # Equal steps in log N are found by a multiplication, where a search would cost most of a sweep.
    place = np.minimum(np.log2(np.asarray(workers, float)) * _STEPS, _DOUBLINGS * _STEPS)
    below = place.astype(np.intp)
    return np.asarray(expected[below] + (place - below) * rise[below])


@cache
def _table() -> tuple[np.ndarray, np.ndarray]:
    n = np.exp2(np.arange(_DOUBLINGS * _STEPS + 1) / _STEPS)
    x = np.linspace(0, 9, 901)
    below = np.array([0.5 * (1 + erf(value / sqrt(2))) for value in x])
    density = 1 - below ** n[:, None] - (1 - below) ** n[:, None]
    expected = np.trapezoid(density, x, axis=1)
    return expected, np.append(np.diff(expected), 0.0)


def straggler_wait(compute: Number, workers: Number, jitter: Number, slow_worker: Number) -> Number:
    """Wait for the slowest of N workers, beyond one worker's mean step [s].

    Equal workers with normal jitter wait sigma E[max of N]; one persistently slow worker takes
    `slow_worker` times as long in every step, and hides the jitter of the others.

    Parameters
    ----------
    compute : float or array
        Mean compute time of a share [s].
    workers : int or array
        N [1]; one worker waits for nobody.
    jitter : float or array
        Standard deviation over mean of a worker's step time [1].
    slow_worker : float or array
        Step time of the slowest worker over a normal one [1].
    """
    noise = jitter * expected_maximum(workers)
    slow = np.where(np.asarray(workers) > 1, slow_worker - 1.0, 0.0)
    return compute * np.maximum(noise, slow)


def rare_slow_wait(compute: Number, workers: Number, chance: Number, extra: Number) -> Number:
    """Wait for rare slow steps, beyond what one worker meets by itself [s].

    Each worker is slower by `extra` with probability `chance`, and the step waits if any is:
    delta [(1 - (1-q)^N) - q], of the compute time without slow steps.

    Parameters
    ----------
    compute : float or array
        Mean compute time of a share, its own slow steps included [s].
    workers : int or array
        N [1].
    chance, extra : float or array
        Probability q and relative extra time delta [1].
    """
    if np.ndim(chance) == 0 and chance == 0:
        return np.zeros(())
    any_slow = 1.0 - (1.0 - chance) ** np.asarray(workers, float)
    return compute / (1 + chance * extra) * extra * (any_slow - chance)
