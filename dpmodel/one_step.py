"""One data-parallel step carried out on a small model, with everything that a person can check."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.datasets import Data
from dpmodel.executed import Trace, execute, schedule
from dpmodel.learners import Learner, learner
from dpmodel.scenario import Scenario
from dpmodel.sharding import (
    average,
    even_counts,
    full_gradient,
    mean_of_means,
    sample_norm,
    shard_losses_and_gradients,
    split,
    uneven_counts,
)
from dpmodel.step import global_batch, most_workers, one_worker_run, one_worker_step, share_compute

TINY = 1e-300
# A picture holds no more; situations beyond are executed at this size, and the page says so.
MOST_WORKERS, MOST_SAMPLES = 16, 4096
# As many weights as the most workers, so that no ring chunk is empty; the rings need two only.
FEATURES = {"linear": 16, "logistic": 16, "network": 2}


@dataclass(frozen=True)
class ExecutedStep:
    """What each of N workers computed and held in one step.

    Attributes
    ----------
    learner : Learner
        The model.
    data : Data
        The global batch.
    counts : array, shape (N,)
        Samples of each worker [1].
    losses : array, shape (N,)
        Mean loss of each shard [1].
    gradients : array, shape (N, P)
        Mean gradient of each shard [1].
    trace : Trace
        The all-reduce of the weighted gradients; its sum is the average.
    start, ends : arrays, shapes (P,) and (N, P)
        Weights before the step, and of each replica after it [1].
    """

    learner: Learner
    data: Data
    counts: np.ndarray
    losses: np.ndarray
    gradients: np.ndarray
    trace: Trace
    start: np.ndarray
    ends: np.ndarray

    @property
    def full(self) -> np.ndarray:
        """Gradient of the whole batch on one worker, shape (P,) [1]."""
        return full_gradient(self.learner, self.start, self.data)

    @property
    def off(self) -> float:
        """Largest difference of the average from the full gradient, over a sample's norm [1]."""
        away = np.abs(average(self.gradients, self.counts) - self.full).max()
        return float(away / sample_norm(self.learner, self.start, self.data))

    @property
    def mean_of_means_off(self) -> float:
        """The same for the plain mean over workers [1]."""
        away = np.abs(mean_of_means(self.gradients) - self.full).max()
        return float(away / sample_norm(self.learner, self.start, self.data))


def shown_workers(scenario: Scenario) -> int:
    """Workers of the executed step [1]: 2 to 16."""
    return int(min(max(float(scenario.workers), 2), MOST_WORKERS))


def shown_batch(scenario: Scenario) -> int:
    """Samples of the executed step [1]: the global batch, two a worker at least, 4,096 at most."""
    asked = float(np.asarray(global_batch(scenario, float(scenario.workers))))
    return int(min(max(asked, 2 * shown_workers(scenario)), MOST_SAMPLES))


def clock_workers(scenario: Scenario) -> int:
    """Workers of the step on the clock [1]: the situation's, at least 2, as the batch can feed."""
    most = float(np.asarray(most_workers(scenario)))
    return int(max(min(float(scenario.workers), most), 2))


def shares(batch: int, workers: int, *, uneven: bool) -> np.ndarray:
    """Samples of each worker, shape (N,) [1]; uneven: the last holds four times the others'."""
    return uneven_counts(batch, workers) if uneven else even_counts(batch, workers)


def carry_out(
    name: str,
    algorithm: str,
    counts: np.ndarray,
    *,
    rate: float = 0.1,
    exchange: bool = True,
) -> ExecutedStep:
    """Carry out one step on the first samples of a learner's data set.

    Parameters
    ----------
    name : str
        A key of `dpmodel.learners.LEARNERS`.
    algorithm : str
        A key of `dpmodel.executed.SCHEDULES`.
    counts : array, shape (N,)
        Samples of each worker [1].
    rate : float
        Learning rate [1].
    exchange : bool
        False skips the all-reduce: each replica follows its own gradient.

    Returns
    -------
    ExecutedStep
        Everything computed.
    """
    model = learner(name)
    data = model.data(int(counts.sum()), FEATURES[name])
    start = model.start(data.x.shape[1])
    losses, gradients = shard_losses_and_gradients(model, start, split(data, counts))
    weighted = gradients * (counts / counts.sum())[:, None]
    rounds = schedule(algorithm, len(counts), len(start)) if exchange else []
    trace = execute(rounds, weighted)
    applied = trace.held[-1, : len(counts)] if exchange else gradients
    return ExecutedStep(
        model, data, counts, losses, gradients, trace, start, start - rate * applied
    )


def alone(scenario: Scenario) -> Scenario:
    """Return the scenario in realistic mode with every delay off, so that one can be switched on.

    Parameters
    ----------
    scenario : Scenario
        The present situation; left as it is where it is in realistic mode already.
    """
    if scenario.mode == "realistic":
        return scenario
    calm = dict.fromkeys(
        ("half_batch", "launch_floor", "jitter", "slow_chance", "serial_step", "serial_run"), 0.0
    )
    return scenario.but(mode="realistic", slow_worker=1.0, input_rate=np.inf, **calm)


def with_shares(scenario: Scenario, counts: np.ndarray, slow: float = 1.0) -> Scenario:
    """Return a scenario whose last worker holds another share, or computes more slowly.

    The usual workers take the time of their own share; the last one is slower by what its larger
    share takes, times `slow`. One worker's time is set so that a sample costs what it cost, and
    serial work stays as long as it was.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    counts : array, shape (N,)
        Samples of each worker [1]; only the last may differ by more than one.
    slow : float
        Time of the last worker for a sample over that of the others [1].
    """
    made, usual, last = alone(scenario), float(counts[0]), float(counts[-1])
    parts = min(float(np.asarray(made.accumulation)), usual)
    made = made.but(accumulation=parts)
    fixed = parts * float(np.asarray(made.half_batch))
    whole = usual * len(counts)
    one, serial = float(np.asarray(one_worker_run(made))), float(np.asarray(made.serial_step))
    # The model never lets a floor exceed one worker's step, which is another one below.
    longest = float(np.asarray(one_worker_step(made))) * (1 - serial) / parts
    work = one * (1 - serial) * (whole + fixed) / (float(np.asarray(made.batch)) + fixed)
    ratio = slow * float(share_compute(made, last)) / max(float(share_compute(made, usual)), TINY)
    return made.but(
        scaling="strong",
        workers=float(len(counts)),
        batch=whole,
        time_from="hours",
        one_worker_time=work + one * serial,
        serial_step=one * serial / (work + one * serial),
        launch_floor=min(float(np.asarray(made.launch_floor)), longest),
        slow_worker=max(ratio, 1.0) * float(np.asarray(made.slow_worker)),
    )
