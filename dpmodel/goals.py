"""The curve read backwards: workers for a deadline or a budget, bandwidth for an efficiency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.landmarks import LARGEST
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers
from dpmodel.training import predict

_SLOWEST, _FASTEST = 1e2, 1e17


@dataclass(frozen=True)
class Goal:
    """An inverse answer: the value that reaches the goal, or NaN and the nearest that exists.

    Attributes
    ----------
    value : float
        Workers [1] or bandwidth [B/s] that reach the goal; NaN where nothing does.
    reached : float
        What is reached there: time [s], cost [$] or efficiency [1].
    nearest : float
        The nearest that can be reached at all, in the same unit as `reached`.
    nearest_at : float
        The workers or bandwidth of that.
    """

    value: float
    reached: float
    nearest: float
    nearest_at: float

    @property
    def possible(self) -> bool:
        """Whether anything reaches the goal."""
        return not np.isnan(self.value)


def _worker_counts(scenario: Scenario) -> np.ndarray:
    return np.arange(1, min(LARGEST, float(most_workers(scenario))) + 1)


def workers_for_deadline(scenario: Scenario) -> Goal:
    """Fewest workers that finish by the scenario's deadline, of 1 to 4,096 [1]."""
    n = _worker_counts(scenario)
    time = np.broadcast_to(predict(scenario, n).time, n.shape)
    fastest = int(np.argmin(time))
    return _goal(n, time, time <= scenario.deadline, 0, fastest)


def workers_for_budget(scenario: Scenario) -> Goal:
    """Most workers whose run costs at most the scenario's budget, of 1 to 4,096 [1]."""
    n = _worker_counts(scenario)
    cost = np.broadcast_to(predict(scenario, n).cost, n.shape)
    return _goal(n, cost, cost <= scenario.budget, -1, int(np.argmin(cost)))


def _goal(
    candidates: np.ndarray, values: np.ndarray, good: np.ndarray, pick: int, nearest: int
) -> Goal:
    at = np.flatnonzero(good)
    value, reached = (candidates[at[pick]], values[at[pick]]) if at.size else (np.nan, np.nan)
    return Goal(float(value), float(reached), float(values[nearest]), float(candidates[nearest]))


def bandwidth_for_efficiency(scenario: Scenario, level: float = 0.9) -> Goal:
    """Slowest network link that gives the present workers an efficiency [B/s].

    A log grid is refined around the crossing, three calls of the model in all; efficiency never
    falls with bandwidth.

    Parameters
    ----------
    scenario : Scenario
        One situation (scalars).
    level : float
        Wanted efficiency [1].
    """
    low, high = _SLOWEST, _FASTEST
    for _ in range(3):
        rates = np.geomspace(low, high, 65)
        efficiency = np.broadcast_to(predict(scenario.but(bandwidth=_slowed(rates))).efficiency, 65)
        good = np.flatnonzero(efficiency >= level)
        if not good.size:
            return Goal(np.nan, np.nan, float(efficiency[-1]), float(rates[-1]))
        first = int(good[0])
        low, high = rates[max(first - 1, 0)], rates[first]
    return Goal(float(high), float(efficiency[first]), float(efficiency[first]), float(high))


def _slowed(rates: np.ndarray) -> np.ndarray:
    """Keep swept rates inside the range that the bandwidth knob allows."""
    from dpmodel.scenario import FIELD_KNOBS

    low, high = FIELD_KNOBS["bandwidth"].bounds
    return np.asarray(np.clip(rates, low * (1 + 1e-6), high * (1 - 1e-6)))
