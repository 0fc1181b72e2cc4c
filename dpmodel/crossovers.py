"""All algorithms side by side: their times over sizes or workers, and where the fastest changes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.collectives import ALGORITHMS, all_reduce_cost, bytes_sent, steps_and_wire
from dpmodel.executed import SCHEDULES, critical_entries, schedule
from dpmodel.scenario import Scenario

# What plain workers can do by themselves; servers and adding switches are machines more.
PLAIN = ("ring", "tree", "double_tree", "recursive_doubling", "halving_doubling")
# Those whose messages any network carries at full rate; the others swap between distant partners.
LOCAL = ("ring", "tree", "double_tree")

# Workers or servers up to which an algorithm is also run, for its counts.
MOST_RUN = 64


class Crossover(NamedTuple):
    """Place where another algorithm becomes the fastest: `at` on the x axis, `time` there [s]."""

    at: float
    time: float
    before: str
    after: str


def algorithm_times(scenario: Scenario, workers: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Time of one all-reduce by every algorithm, shape (A, ...) in the order of `ALGORITHMS` [s].

    Parameters
    ----------
    scenario : Scenario
        Network knobs (scalars); its algorithm is replaced.
    workers : array
        N [1].
    size : array
        Payload S [B]; broadcasts against `workers`.
    """
    shape = np.broadcast_shapes(np.shape(workers), np.shape(size))
    return np.stack(
        [
            np.broadcast_to(
                all_reduce_cost(scenario.but(algorithm=name), workers).time(size), shape
            )
            for name in ALGORITHMS
        ]
    )


def crossovers(x: np.ndarray, times: dict[str, np.ndarray]) -> list[Crossover]:
    """Find where the fastest algorithm changes along x.

    Parameters
    ----------
    x : array, shape (X,)
        Sizes [B] or workers [1], rising.
    times : dict of str to array, shape (X,)
        Time of each algorithm [s].

    Returns
    -------
    list of Crossover
        In order of x; read between points on log axes.
    """
    names = list(times)
    stacked = np.stack([times[name] for name in names])
    best = np.argmin(stacked * (1 + 1e-12 * np.arange(len(names))[:, None]), axis=0)
    found = []
    for i in np.flatnonzero(np.diff(best)):
        before, after = names[best[i]], names[best[i + 1]]
        gap = np.log(times[before][i : i + 2] / times[after][i : i + 2])
        part = float(np.clip(gap[0] / (gap[0] - gap[1]), 0, 1)) if gap[0] != gap[1] else 0.5
        at = float(np.exp(np.log(x[i]) + part * np.log(x[i + 1] / x[i])))
        logs = np.log(times[before][i : i + 2])
        found.append(Crossover(at, float(np.exp(logs[0] + part * (logs[1] - logs[0]))),
                               before, after))  # fmt: skip
    return found


class Count(NamedTuple):
    """Steps, payloads and bytes of one algorithm, counted twice.

    `steps` and `wire` come from the cost model, `run_steps` and `run_wire` from running it on
    chunks (NaN where it cannot be run); `bytes` on the busiest link [B], `time` [s].
    """

    algorithm: str
    steps: float
    wire: float
    run_steps: float
    run_wire: float
    bytes: float
    time: float


def counts(scenario: Scenario, workers: int, size: float) -> list[Count]:
    """Count what each algorithm takes between N equal workers, in one level.

    Parameters
    ----------
    scenario : Scenario
        Network knobs (scalars).
    workers : int
        N [1]; run on chunks up to `MOST_RUN`.
    size : float
        Payload S [B].
    """
    made = []
    servers = int(float(scenario.servers))
    for name in ALGORITHMS:
        steps, wire = (float(v) for v in steps_and_wire(name, workers, servers))
        run_steps = run_wire = float("nan")
        if name in SCHEDULES and 2 <= workers <= MOST_RUN and servers <= MOST_RUN:
            # So long that the odd entry of a chunk does not show.
            entries = workers * MOST_RUN * servers
            rounds = schedule(name, workers, entries, servers)
            run_steps, run_wire = float(len(rounds)), critical_entries(rounds) / entries
        one = scenario.but(algorithm=name)
        sent = sum(float(np.asarray(part)) for part in bytes_sent(one, workers, size))
        time = float(np.asarray(all_reduce_cost(one, workers).time(size)))
        made.append(Count(name, steps, wire, run_steps, run_wire, sent, time))
    return made
