"""The whole job: steps, time, speed-up, efficiency, cost, energy and failures over workers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.collectives import bytes_sent
from dpmodel.knobs import Number
from dpmodel.scenario import Scenario
from dpmodel.step import (
    Step,
    check_workers,
    global_batch,
    gradient_size,
    one_worker_run,
    step_parts,
)
from dpmodel.units import HOUR, JOULES_PER_KWH


@dataclass(frozen=True)
class Prediction:
    """A scenario carried through for N workers; arrays broadcast against each other.

    Attributes
    ----------
    scenario : Scenario
        What was asked.
    workers : array
        N [1].
    steps : array
        Steps of the run K(N) [1].
    step : Step
        Parts of one step [s].
    time : array
        Training time [s]; NaN where the batch cannot feed N workers.
    one_worker : array
        Training time of one worker under the same failures [s].
    """

    scenario: Scenario
    workers: Number
    steps: Number
    step: Step
    time: Number
    one_worker: Number

    @property
    def speed_up(self) -> Number:
        """S(N) = T(1)/T(N) [1]; NaN where failures keep even one worker from ending."""
        with np.errstate(invalid="ignore"):
            return self.one_worker / self.time

    @property
    def efficiency(self) -> Number:
        """E(N) = S(N)/N [1]."""
        return self.speed_up / self.workers

    @property
    def worker_time(self) -> Number:
        """Time paid for, N T(N) [s]."""
        return self.workers * self.time

    @property
    def cost(self) -> Number:
        """Rent of all workers [$]."""
        return self.worker_time * self.scenario.price

    @property
    def energy(self) -> Number:
        """Electric energy of all workers and their site [J]."""
        return self.worker_time * self.scenario.power * self.scenario.pue

    @property
    def bytes_per_step(self) -> Number:
        """Bytes that the busiest worker sends in one step, all links together [B]."""
        if self.scenario.mode == "ideal":
            return np.zeros(np.shape(self.workers))
        node, network = bytes_sent(self.scenario, self.workers, gradient_size(self.scenario))
        return node + network


def run_steps(scenario: Scenario, workers: Number) -> Number:
    """Steps of the run with N workers [1].

    Strong: K. Weak: K/N, the same samples in N times larger batches. Same quality:
    K (1 + B_crit/(N B0)) / (1 + B_crit/B0), after S(B) = S_min (1 + B_crit/B) (McCandlish et
    al. 2018). Ideal mode leaves out the loss of large batches.
    """
    n = np.asarray(workers, float)
    if scenario.scaling == "strong":
        return scenario.steps + 0 * n
    if scenario.scaling == "weak" or scenario.mode == "ideal":
        return scenario.steps / n
    relative = scenario.critical_batch / scenario.batch
    return scenario.steps * (1 + relative / n) / (1 + relative)


def checkpoint_interval(checkpoint: Number, mtbf: Number) -> Number:
    """Best training time between checkpoints (Daly 2006) [s].

    tau = sqrt(2 d M) [1 + sqrt(d/2M)/3 + (d/2M)/9] - d for d < 2M, else M; Young's sqrt(2 d M)
    is its first term.

    Parameters
    ----------
    checkpoint : float or array
        Time d to write one checkpoint [s].
    mtbf : float or array
        Mean time between failures M of the whole job [s].
    """
    ratio = checkpoint / (2 * np.asarray(mtbf, float))
    best = np.sqrt(2 * checkpoint * mtbf) * (1 + np.sqrt(ratio) / 3 + ratio / 9) - checkpoint
    return np.where(ratio < 1, best, mtbf)


def with_failures(scenario: Scenario, workers: Number, time: Number) -> Number:
    """Expected time of a run that needs `time` without failures [s].

    T_wall = (T/tau) M exp(R/M) (exp((tau + d)/M) - 1), with exponential failures of the whole
    job at M = M_1/N (Daly 2006). Counts in realistic mode where a time between failures is set.

    Parameters
    ----------
    scenario : Scenario
        Failure knobs.
    workers : int or array
        N [1].
    time : float or array
        Failure-free training time [s].
    """
    unset = np.ndim(scenario.mtbf) == 0 and np.isinf(scenario.mtbf)
    if scenario.mode != "realistic" or unset:
        return time
    mtbf = np.minimum(scenario.mtbf, 1e300) / np.asarray(workers, float)
    best = checkpoint_interval(scenario.checkpoint, mtbf)
    interval = np.minimum(np.where(np.isinf(scenario.interval), best, scenario.interval), time)
    with np.errstate(over="ignore"):
        cycle = mtbf * np.exp(scenario.restart / mtbf)
        cycle = cycle * np.expm1((interval + scenario.checkpoint) / mtbf)
        return np.where(np.isinf(scenario.mtbf), time, time / interval * cycle)


def failure_free_time(scenario: Scenario, workers: Number, step: Step) -> Number:
    """Training time without failures [s]: K(N) steps, and the run's serial part."""
    run = run_steps(scenario, workers) * step.total
    if scenario.mode != "realistic":
        return run
    return run + scenario.serial_run * one_worker_run(scenario)


def predict(scenario: Scenario, workers: Number | None = None) -> Prediction:
    """Predict training time and all that follows from it.

    Parameters
    ----------
    scenario : Scenario
        One situation, or arrays that broadcast against `workers`.
    workers : int or array, optional
        Workers N [1]; the scenario's own where left out.

    Returns
    -------
    Prediction
        Arrays of the broadcast shape; NaN where the batch cannot feed that many workers. Use
        `check_workers` first where that should be an error.
    """
    n = np.asarray(scenario.workers if workers is None else workers, float)
    step = step_parts(scenario, n)
    time = with_failures(scenario, n, failure_free_time(scenario, n, step))
    one = with_failures(scenario, 1.0, one_worker_run(scenario))
    return Prediction(scenario, n, run_steps(scenario, n), step, time, one)


def throughput(prediction: Prediction) -> Number:
    """Samples trained per second over all workers [1/s]."""
    return global_batch(prediction.scenario, prediction.workers) / prediction.step.total


def worker_hours(prediction: Prediction) -> Number:
    """Worker-hours of the run [h]."""
    return prediction.worker_time / HOUR


def energy_kwh(prediction: Prediction) -> Number:
    """Energy of the run [kWh]."""
    return prediction.energy / JOULES_PER_KWH


__all__ = [
    "Prediction",
    "check_workers",
    "checkpoint_interval",
    "energy_kwh",
    "failure_free_time",
    "predict",
    "run_steps",
    "throughput",
    "with_failures",
    "worker_hours",
]
