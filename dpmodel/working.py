"""How a number is made: each formula with the numbers put in, the result, and its function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dpmodel.collectives import all_reduce_cost
from dpmodel.overlap import equal_buckets
from dpmodel.scenario import Scenario
from dpmodel.step import gradient_size, largest_share, one_worker_run, one_worker_step
from dpmodel.training import (
    Prediction,
    checkpoint_interval,
    failure_free_time,
    worker_hours,
)
from dpmodel.units import HOUR, human, percent, significant, times, to_unit


class Line(NamedTuple):
    """One line of working: what, formula, the same with numbers, result, source function."""

    what: str
    formula: str
    numbers: str
    result: str
    function: str


def working(prediction: Prediction) -> list[Line]:
    """Write out how a scalar prediction's time and speed-up come about.

    Parameters
    ----------
    prediction : Prediction
        At one worker count (scalars).

    Returns
    -------
    list of Line
        In the order of computation; every line's result is used by a later one or is the answer.
    """
    lines = list(_one_worker(prediction))
    if prediction.scenario.mode == "ideal":
        return lines + list(_ideal(prediction))
    lines += list(_share(prediction))
    if float(prediction.workers) > 1:
        lines += list(_communication(prediction))
    if prediction.scenario.mode == "realistic":
        lines += list(_delays(prediction))
    return lines + list(_step_total(prediction)) + list(_run(prediction))


def _t(seconds: Any) -> str:
    return human(float(np.asarray(seconds)), "time")


def _b(size: Any) -> str:
    return human(float(np.asarray(size)), "data")


def _n(number: Any) -> str:
    """Write a number to three figures; a whole one below ten million in full, as it is used."""
    value = float(np.asarray(number))
    return f"{value:,.0f}" if value == int(value) and abs(value) < 1e7 else significant(value)


def _one_worker(p: Prediction) -> Iterator[Line]:
    s = p.scenario
    if s.time_from == "device":
        yield Line(
            "Run on one worker",
            "T(1) = K B₀ · 6 P r / (F · MFU)",
            f"{_n(s.steps)} × {_n(s.batch)} × 6 × {human(float(s.parameters), 'count')} × "
            f"{_n(s.reuse)} / ({_n(to_unit(s.peak, 'TFLOP/s', 'compute'))} TFLOP/s × "
            f"{float(s.utilisation):.0%})",
            _t(one_worker_run(s)),
            "dpmodel.step.one_worker_run",
        )
    serial = s.mode == "realistic" and float(s.serial_run) > 0
    yield Line(
        "Step on one worker",
        "t₁ = T(1) (1 − f_r) / K" if serial else "t₁ = T(1) / K",
        f"{_t(one_worker_run(s))}{f' × (1 − {_n(s.serial_run)})' if serial else ''}"
        f" / {_n(s.steps)}",
        _t(one_worker_step(s)),
        "dpmodel.step.one_worker_step",
    )


def _ideal(p: Prediction) -> Iterator[Line]:
    yield Line(
        "Training time",
        "T(N) = T(1) / N",
        f"{_t(p.one_worker)} / {_n(p.workers)}",
        _t(p.time),
        "dpmodel.training.predict",
    )
    yield from _speed_up(p)


def _share(p: Prediction) -> Iterator[Line]:
    s, real = p.scenario, p.scenario.mode == "realistic"
    share = largest_share(s, float(p.workers))
    if s.scaling == "strong":
        yield Line(
            "Largest share",
            "b = ⌈B₀ / N⌉",
            f"⌈{_n(s.batch)} / {_n(p.workers)}⌉",
            f"{_n(share)} samples",
            "dpmodel.step.largest_share",
        )
    extra = f" + {_n(s.accumulation)} × {_n(s.half_batch)}" if real else ""
    serial = f" × (1 − {_n(s.serial_step)})" if real and float(s.serial_step) > 0 else ""
    yield Line(
        "Compute of that share",
        "t_c = t₁ (1 − f_s) (b + A b½) / (B₀ + A b½)" if real else "t_c = t₁ b / B₀",
        f"{_t(one_worker_step(s))}{serial} × ({_n(share)}{extra}) / ({_n(s.batch)}{extra})",
        _t(p.step.compute),
        "dpmodel.step.share_compute",
    )


def _communication(p: Prediction) -> Iterator[Line]:
    s, n = p.scenario, float(p.workers)
    size = gradient_size(s)
    yield Line(
        "Gradients",
        "S = P s",
        f"{human(float(s.parameters), 'count')} × {_n(s.gradient_bytes)} B",
        _b(size),
        "dpmodel.step.gradient_size",
    )
    yield _one_bucket(s, n)
    yield Line(
        "All-reduce of all buckets",
        "t_comm = Σ t(S_b)",
        _bucket_text(s, size),
        _t(p.step.communication),
        "dpmodel.overlap.exchange_equal",
    )
    window = s.backward_share / s.accumulation * p.step.compute if s.overlap == "on" else 0.0
    yield Line(
        "Exposed communication",
        "t_exp = max over b of (what is still to send − backward pass still to come)",
        f"{_t(p.step.communication)} in all, {_t(window)} of backward pass to hide behind",
        _t(p.step.exposed),
        "dpmodel.overlap.exchange_equal",
    )
    yield Line(
        "Contention",
        "t_ε = ε t_hidden",
        f"{float(np.asarray(s.contention)):.0%} × {_t(p.step.hidden)}",
        _t(p.step.contention),
        "dpmodel.step.step_parts",
    )


def _one_bucket(s: Scenario, n: float) -> Line:
    cost = all_reduce_cost(s, n)
    bucket = float(np.minimum(np.asarray(gradient_size(s)), np.asarray(s.bucket)))
    start, moved = cost.start, cost.per_byte * bucket
    root = cost.per_root * np.sqrt(bucket)
    pipelined = s.law == "pipelined"
    return Line(
        "All-reduce of one bucket",
        "t = a + w + 2√(a w), per phase" if pipelined else "t = a + w, per phase",
        f"{_b(bucket)}: a = {_t(start)}, w = {_t(moved)}"
        + (f", 2√(a w) = {_t(root)}" if pipelined else ""),
        _t(cost.time(bucket)),
        "dpmodel.collectives.all_reduce_cost",
    )


def _bucket_text(s: Scenario, size: Any) -> str:
    if s.layers != "even":
        return f"{_b(size)} in buckets of at least {_b(s.bucket)}, filled layer by layer"
    made = equal_buckets(size, s.bucket, s.first_bucket)
    parts = [_b(part) for part in (made.first, made.rest) if float(part) > 0]
    if float(made.full):
        parts.append(f"{_n(made.full)} × {_b(made.cap)}")
    return " + ".join(parts)


def _delays(p: Prediction) -> Iterator[Line]:
    s, step = p.scenario, p.step
    yield Line(
        "Waiting for the slowest worker",
        "t_w = t_c max(σ/µ · E[max of N], f − 1) + rare slow steps",
        f"{_t(step.compute)}, σ/µ = {float(s.jitter):.2g}, f = {_n(s.slow_worker)}, "
        f"p_s = {float(s.slow_chance):.2g}",
        _t(step.straggler),
        "dpmodel.delays.straggler_wait",
    )
    if float(np.asarray(step.serial)) > 0:
        yield Line(
            "Serial work",
            "t_s = f_s t₁",
            f"{float(s.serial_step):.3g} × {_t(one_worker_step(s))}",
            _t(step.serial),
            "dpmodel.step.step_parts",
        )
    if np.isfinite(s.input_rate):
        yield Line(
            "Waiting for data",
            "t_in = max(0, B / R_in − everything else)",
            f"R_in = {_n(s.input_rate)} samples/s",
            _t(step.input),
            "dpmodel.step.input_wait",
        )


def _step_total(p: Prediction) -> Iterator[Line]:
    step = p.step
    parts = (step.compute, step.contention, step.exposed, step.straggler, step.serial, step.input)
    yield Line(
        "One step",
        "t_step = sum of the parts",
        " + ".join(_t(part) for part in parts if float(np.asarray(part)) > 0),
        _t(step.total),
        "dpmodel.step.Step.total",
    )


def _run(p: Prediction) -> Iterator[Line]:
    s = p.scenario
    if s.scaling != "strong":
        quality = s.scaling == "quality"
        yield Line(
            "Steps",
            "K(N) = K (1 + B_crit/(N B₀)) / (1 + B_crit/B₀)" if quality else "K(N) = K / N",
            f"{_n(s.steps)}, N = {_n(p.workers)}",
            _n(p.steps),
            "dpmodel.training.run_steps",
        )
    serial = s.mode == "realistic" and float(s.serial_run) > 0
    free = failure_free_time(s, p.workers, p.step)
    failing = s.mode == "realistic" and np.isfinite(s.mtbf)
    yield Line(
        "Time without failures" if failing else "Training time",
        "T(N) = K(N) t_step" + (" + f_r T(1)" if serial else ""),
        f"{_n(p.steps)} × {_t(p.step.total)}"
        + (f" + {float(s.serial_run):.3%} × {_t(one_worker_run(s))}" if serial else ""),
        _t(free),
        "dpmodel.training.failure_free_time",
    )
    if failing:
        yield from _failures(p, free)
    yield from _speed_up(p)


def _failures(p: Prediction, free: Any) -> Iterator[Line]:
    s = p.scenario
    mtbf = float(s.mtbf) / float(p.workers)
    interval = float(s.interval)
    if np.isinf(interval):
        interval = float(checkpoint_interval(s.checkpoint, mtbf))
        yield Line(
            "Checkpoint every",
            "τ = √(2 δ M) (1 + √(δ/2M)/3 + δ/18M) − δ, with M = M₁ / N",
            f"δ = {_t(s.checkpoint)}, M = {_t(s.mtbf)} / {_n(p.workers)} = {_t(mtbf)}",
            _t(interval),
            "dpmodel.training.checkpoint_interval",
        )
    yield Line(
        "Training time",
        "T = T_free / τ · M e^(R/M) (e^((τ + δ)/M) − 1)",
        f"T_free = {_t(free)}, τ = {_t(interval)}, M = {_t(mtbf)}, R = {_t(s.restart)}, "
        f"δ = {_t(s.checkpoint)}",
        _t(p.time),
        "dpmodel.training.with_failures",
    )


def _speed_up(p: Prediction) -> Iterator[Line]:
    yield Line(
        "Speed-up",
        "S = T(1) / T(N)",
        f"{_t(p.one_worker)} / {_t(p.time)}",
        times(float(p.speed_up)),
        "dpmodel.training.Prediction.speed_up",
    )
    yield Line(
        "Efficiency",
        "E = S / N",
        f"{_n(p.speed_up)} / {_n(p.workers)}",
        percent(float(p.efficiency)),
        "dpmodel.training.Prediction.efficiency",
    )
    yield Line(
        "Worker-hours",
        "N T(N)",
        f"{_n(p.workers)} × {_t(p.time)}",
        f"{significant(float(worker_hours(p)))} h",
        "dpmodel.training.worker_hours",
    )
    yield Line(
        "Cost",
        "N T(N) c",
        f"{significant(float(worker_hours(p)))} h × ${significant(float(p.scenario.price) * HOUR)}",
        human(float(p.cost), "money"),
        "dpmodel.training.Prediction.cost",
    )
    yield Line(
        "Energy",
        "N T(N) W PUE",
        f"{significant(float(worker_hours(p)))} h × {_n(p.scenario.power)} W × "
        f"{_n(p.scenario.pue)}",
        human(float(p.energy), "energy"),
        "dpmodel.training.Prediction.energy",
    )
