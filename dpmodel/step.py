"""One training step: compute of a worker's share, exposed communication, waiting, serial work.

What is held: T(1) is the whole failure-free run on one worker. Serial and input time are carved
out of it, so one worker's step is T(1)/K in every mode, whatever the other knobs say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.collectives import all_reduce_cost
from dpmodel.delays import rare_slow_wait, straggler_wait
from dpmodel.errors import InputError
from dpmodel.knobs import Number
from dpmodel.overlap import (
    Exchange,
    equal_buckets,
    exchange_buckets,
    exchange_equal,
    profile_buckets,
)
from dpmodel.scenario import Scenario


@dataclass(frozen=True)
class Step:
    """Parts of one step at N workers [s]; arrays that broadcast against each other.

    ``total`` is the sum of all parts but `hidden`, which runs behind `compute`.

    Attributes
    ----------
    compute : array
        Forward and backward pass of the largest share.
    contention : array
        Slow-down of that compute by the communication hidden behind it.
    exposed, hidden : array
        Communication that no compute hides, and that the backward pass hides.
    straggler, input, serial : array
        Wait for the slowest worker, wait for data, work that is not shared.
    """

    compute: Number
    contention: Number
    exposed: Number
    hidden: Number
    straggler: Number
    input: Number
    serial: Number

    @property
    def communication(self) -> Number:
        """All communication of the step, exposed and hidden [s]."""
        return self.exposed + self.hidden

    @property
    def total(self) -> Number:
        """Time of the step [s]."""
        work = self.compute + self.contention + self.exposed
        return work + self.straggler + self.serial + self.input


def gradient_size(scenario: Scenario) -> Number:
    """Bytes that each worker contributes to the all-reduce, S = P s [B]."""
    return scenario.parameters * scenario.gradient_bytes


def one_worker_run(scenario: Scenario) -> Number:
    """T(1), given in hours or computed as K B0 6 P r / (F MFU) [s].

    Training takes 6 FLOP for each use of each parameter: 2 forward, 4 backward.
    """
    if scenario.time_from == "hours":
        return scenario.one_worker_time
    flop = 6 * scenario.parameters * scenario.reuse * scenario.batch * scenario.steps
    return flop / (scenario.peak * scenario.utilisation)


def one_worker_step(scenario: Scenario) -> Number:
    """Time of one step on one worker [s]: T(1)/K, less the run's serial part in realistic mode."""
    run_serial = scenario.serial_run if scenario.mode == "realistic" else 0.0
    return one_worker_run(scenario) * (1 - run_serial) / scenario.steps


def largest_share(scenario: Scenario, workers: Number) -> Number:
    """Samples of the largest share b [1]: ceil(B/N), or B0 where batches grow with N.

    NaN where some worker would have no sample for each micro-batch.
    """
    if scenario.scaling != "strong":
        fed = np.where(np.asarray(scenario.accumulation) <= scenario.batch, scenario.batch, np.nan)
        return np.broadcast_to(fed, np.broadcast_shapes(np.shape(workers), fed.shape))
    share = np.ceil(scenario.batch / np.asarray(workers, float) * (1 - 1e-12))
    return np.where(np.asarray(workers) <= most_workers(scenario), share, np.nan)


def most_workers(scenario: Scenario) -> Number:
    """Most workers that the batch can feed [1]: B/A when a fixed batch is split, else no end."""
    if scenario.mode == "ideal" or scenario.scaling != "strong":
        return np.inf
    return np.floor(scenario.batch / scenario.accumulation)


def check_workers(scenario: Scenario, workers: Number) -> None:
    """Refuse worker counts that the batch cannot feed.

    Raises
    ------
    InputError
        Some worker, or some micro-batch of one worker, would have no sample.
    """
    if scenario.mode != "ideal":
        _check_micro_batches(scenario)
    most, asked = np.min(most_workers(scenario)), np.max(workers)
    if asked <= most:
        return
    micro = int(np.max(scenario.accumulation))
    parts = f" in {micro} micro-batches each" if micro > 1 else ""
    batch = int(np.min(scenario.batch))
    raise InputError(
        asked=f"{int(asked):,} workers cannot share a global batch of {batch:,}{parts}",
        given=f"{int(most):,} < {int(asked):,}",
        rule="some would have no sample",
        way_out=f"Choose at most {int(most):,} workers or a larger batch.",
    )


def _check_micro_batches(scenario: Scenario) -> None:
    batch, micro = np.min(scenario.batch), np.max(scenario.accumulation)
    if micro <= batch:
        return
    raise InputError(
        asked=f"a batch of {int(batch):,} cannot be computed in {int(micro):,} micro-batches",
        given=f"{int(batch):,} < {int(micro):,}",
        rule="some would have no sample",
        way_out=f"Choose a gradient accumulation of at most {int(batch):,} or a larger batch.",
    )


def share_compute(scenario: Scenario, share: Number) -> Number:
    """Compute time of a share of b samples in A micro-batches [s].

    t(b) = c (b + A b_half), with c such that one worker's whole batch takes its step's compute
    time; never less than A launch floors. b_half and the floor count in realistic mode only.

    Parameters
    ----------
    scenario : Scenario
        Compute knobs.
    share : float or array
        Samples b [1].
    """
    one = one_worker_step(scenario)
    if scenario.mode != "realistic":
        return one * share / scenario.batch
    one = one * (1 - scenario.serial_step)
    fixed = scenario.accumulation * scenario.half_batch
    spread = one * (share + fixed) / (scenario.batch + fixed)
    floor = np.minimum(scenario.accumulation * scenario.launch_floor, one)
    return np.maximum(spread, floor)


def exchange(scenario: Scenario, workers: Number, compute: Number) -> Exchange:
    """All communication of a step and its exposed part [s].

    Buckets appear during the backward pass of the last micro-batch only, since gradients are
    exchanged once a step.

    Parameters
    ----------
    scenario : Scenario
        Network and overlap knobs.
    workers : int or array
        Workers N [1].
    compute : float or array
        Compute time of the share [s].
    """
    cost = all_reduce_cost(scenario, workers)
    size = gradient_size(scenario)
    hiding = scenario.backward_share / scenario.accumulation if scenario.overlap == "on" else 0.0
    if scenario.layers == "even":
        buckets = equal_buckets(size, scenario.bucket, scenario.first_bucket)
        return exchange_equal(size, buckets, cost, hiding * compute)
    from dpmodel.layers import layer_profile

    profile = layer_profile(scenario.layers)
    sizes, left = profile_buckets(
        profile.params, profile.backward_share, size, scenario.bucket, scenario.first_bucket
    )
    return exchange_buckets(sizes, left, cost, hiding * compute)


def step_parts(scenario: Scenario, workers: Number) -> Step:
    """Break one training step down into its parts.

    Parameters
    ----------
    scenario : Scenario
        One situation, or arrays that broadcast against `workers`.
    workers : int or array
        Workers N [1].

    Returns
    -------
    Step
        Parts [s]; NaN where the batch cannot feed that many workers.
    """
    n = np.asarray(workers, float)
    nothing = np.zeros(())
    if scenario.mode == "ideal":
        per_worker = n if scenario.scaling == "strong" else np.ones_like(n)
        compute = one_worker_step(scenario) / per_worker
        return Step(compute, *(nothing,) * 6)
    compute = share_compute(scenario, largest_share(scenario, n))
    sent = exchange(scenario, n, compute)
    hidden = sent.total - sent.exposed
    contention = scenario.contention * hidden
    if scenario.mode == "communication":
        return Step(compute, contention, sent.exposed, hidden, nothing, nothing, nothing)
    wait = straggler_wait(compute, n, scenario.jitter, scenario.slow_worker)
    wait = wait + rare_slow_wait(compute, n, scenario.slow_chance, scenario.slow_extra)
    serial = scenario.serial_step * one_worker_step(scenario)
    busy = compute + contention + sent.exposed + wait + serial
    return Step(
        compute, contention, sent.exposed, hidden, wait, input_wait(scenario, n, busy), serial
    )


def input_wait(scenario: Scenario, workers: Number, busy: Number) -> Number:
    """Wait for data where the input ceiling is slower than the rest of the step [s].

    One worker's step includes its input, so a ceiling below what one worker reads is raised to
    that (`input_ceiling_raised` tells).

    Parameters
    ----------
    scenario : Scenario
        Input ceiling and batch.
    workers : int or array
        Workers N [1].
    busy : float or array
        Everything else in the step [s].
    """
    if np.ndim(scenario.input_rate) == 0 and np.isinf(scenario.input_rate):
        return np.zeros(())
    ceiling = np.maximum(scenario.input_rate, one_worker_rate(scenario))
    return np.maximum(global_batch(scenario, workers) / ceiling - busy, 0.0)


def one_worker_rate(scenario: Scenario) -> Number:
    """Samples per second that one worker trains on [1/s]; infinite where all work is serial."""
    with np.errstate(divide="ignore"):
        return np.divide(scenario.batch, one_worker_step(scenario))


def input_ceiling_raised(scenario: Scenario) -> bool:
    """Whether the given input ceiling is below what one worker already reads."""
    counts = scenario.mode == "realistic"
    return counts and bool(np.any(scenario.input_rate < one_worker_rate(scenario)))


def global_batch(scenario: Scenario, workers: Number) -> Number:
    """Samples in one step over all workers [1]: B0, or N B0 where batches grow with N."""
    grows = scenario.scaling != "strong"
    return scenario.batch * workers if grows else scenario.batch + 0 * np.asarray(workers)
