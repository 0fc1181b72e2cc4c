"""Practice questions by kind: a text, its answer by the model, and usual mistakes."""

from __future__ import annotations

import random

from dpmodel import laws
from dpmodel.ask.drafts import Draft, Maker, workers
from dpmodel.ask.exercises_bytes import gradient, memory, overlap, ring, ring_time
from dpmodel.ask.mistakes import (
    BASELINE,
    BITS,
    IDEAL,
    MIN,
    MULTIPLIED,
    PERCENT,
    PERCENTS,
    SIDES,
    TOTAL,
    H,
)

__all__ = [
    "BASELINE",
    "BITS",
    "IDEAL",
    "KINDS",
    "MULTIPLIED",
    "PERCENTS",
    "SIDES",
    "TOTAL",
    "Draft",
]


def _ideal_time(dice: random.Random, level: int) -> Draft:
    n = workers(dice, level)
    each = dice.choice((2, 3, 4, 5, 6, 2.5))
    unit = dice.choice(("GPU", "worker", "accelerator"))
    text = (
        f"One {unit} trains a model in {n * each:g} hours. How long do {n} {unit}s take if "
        "overhead is negligible?"
    )
    return Draft(text, each * H, "h", "time", {MULTIPLIED: n * each * n * H})


def _ideal_workers(dice: random.Random, level: int) -> Draft:
    n, goal = workers(dice, level), dice.choice((2, 3, 4, 5))
    text = (
        f"A training run needs {n * goal} hours on one GPU. It has to be done in {goal} "
        "hours. With ideal scaling, how many GPUs are needed?"
    )
    return Draft(text, float(n), "workers", "count", {MULTIPLIED: n * goal * goal})


def _one_worker_time(dice: random.Random, level: int) -> Draft:
    n, each = workers(dice, level), dice.choice((2, 3, 5, 6))
    text = (
        f"{n} workers finish a run in {each} hours with perfect scaling. How long would one "
        "worker take?"
    )
    return Draft(text, n * each * H, "h", "time", {MULTIPLIED: each / n * H})


def _speedup(dice: random.Random, level: int) -> Draft:
    n = workers(dice, level)
    e = dice.choice((0.5, 0.6, 0.75, 0.8, 0.9))
    many = dice.choice((2, 4, 5))
    text = (
        f"A run takes {many * n * e:g} hours on one GPU and {many} hours on {n} GPUs. What is "
        "the speed-up?"
    )
    return Draft(text, n * e, "x", "factor", {SIDES: 1 / (n * e), TOTAL: e})


def _efficiency(dice: random.Random, level: int) -> Draft:
    n = workers(dice, level)
    e = dice.choice((0.5, 0.6, 0.75, 0.8, 0.9))
    each = dice.choice((100, 240, 400))
    text = (
        f"One GPU trains {each} images/s, {n} GPUs together {each * n * e:g} images/s. What "
        "is the efficiency in percent?"
    )
    return Draft(text, e, "%", "share", {PERCENTS: e * PERCENT, SIDES: 1 / e, TOTAL: e * n})


def _time_at_efficiency(dice: random.Random, level: int) -> Draft:
    n, e = workers(dice, level), dice.choice((0.5, 0.75, 0.8))
    each = dice.choice((3, 6, 12))
    text = (
        f"A {n * each * e:g}-hour single-GPU job runs on {n} GPUs at {e:.0%} efficiency. How "
        "long does it take?"
    )
    return Draft(text, each * H, "h", "time", {IDEAL: each * e * H, MULTIPLIED: each * e * e * H})


def _baseline(dice: random.Random, level: int) -> Draft:
    a, ratio = dice.choice((2, 4, 8)), dice.choice((2, 4, 8))
    t = dice.choice((2, 3, 5))
    text = (
        f"{a} GPUs need {t * ratio} hours. How long do {a * ratio} GPUs take if scaling is linear?"
    )
    return Draft(
        text,
        t * H,
        "h",
        "time",
        {BASELINE: t * ratio / (a * ratio) * H, MULTIPLIED: t * ratio * ratio * H},
    )


def _amdahl(dice: random.Random, level: int) -> Draft:
    n, f = workers(dice, level), dice.choice((0.02, 0.04, 0.05, 0.1))
    value = float(laws.amdahl_speed_up(n, f))
    text = f"{f:.0%} of a job is serial. What is the speed-up on {n} workers by Amdahl's law?"
    return Draft(
        text,
        value,
        "x",
        "factor",
        {
            "used Gustafson's law": float(laws.gustafson_speed_up(n, f)),
            PERCENTS: float(laws.amdahl_speed_up(n, f * PERCENT)),
        },
    )


def _amdahl_limit(dice: random.Random, level: int) -> Draft:
    f = dice.choice((0.02, 0.04, 0.05, 0.1, 0.2, 0.125))
    text = (
        f"{f * 100:g} % of the work is serial. What is the highest possible speed-up with "
        "unlimited workers?"
    )
    return Draft(
        text,
        float(laws.amdahl_limit(f)),
        "x",
        "factor",
        {PERCENTS: 1 / (100 * f), "took the parallel share": 1 / (1 - f)},
    )


def _karp_flatt(dice: random.Random, level: int) -> Draft:
    n = workers(dice, max(level, 2))
    s = round(n * dice.choice((0.6, 0.75, 0.8, 0.9)), 1)
    value = float(laws.karp_flatt(s, n))
    text = (
        f"We measure a speed-up of {s:g} on {n} workers. What is the Karp-Flatt serial "
        "fraction in percent?"
    )
    return Draft(
        text,
        value,
        "%",
        "share",
        {PERCENTS: value * PERCENT, "gave the loss of efficiency": 1 - s / n},
    )


def _gustafson(dice: random.Random, level: int) -> Draft:
    n, f = workers(dice, level), dice.choice((0.02, 0.05, 0.1))
    text = (
        f"{f:.0%} of the time on {n} workers is serial. What is the scaled speed-up by "
        "Gustafson's law?"
    )
    return Draft(
        text,
        float(laws.gustafson_speed_up(n, f)),
        "x",
        "factor",
        {"used Amdahl's law": float(laws.amdahl_speed_up(n, f))},
    )


def _batch(dice: random.Random, level: int) -> Draft:
    n, share = workers(dice, level), dice.choice((16, 32, 64, 128))
    text = (
        f"A global batch of {n * share} is split evenly over {n} workers. How many samples "
        "does each worker get?"
    )
    return Draft(
        text, float(share), "samples", "count", {TOTAL: n * share, MULTIPLIED: n * n * share}
    )


def _learning_rate(dice: random.Random, level: int) -> Draft:
    k = dice.choice((2, 4, 8, 16))
    base, rate = dice.choice((128, 256, 512)), dice.choice((0.1, 0.05, 0.001))
    text = (
        f"A learning rate of {rate:g} suits a batch of {base}. Which learning rate does the "
        f"linear scaling rule give for a batch of {base * k}?"
    )
    return Draft(
        text,
        rate * k,
        "",
        "bare",
        {"used the square root": rate * k**0.5, MULTIPLIED: rate / k, "did not scale it": rate},
    )


def _epoch(dice: random.Random, level: int) -> Draft:
    n, rate = workers(dice, level), dice.choice((100, 250, 400))
    minutes = dice.choice((2, 5, 10))
    samples = int(n * rate * minutes * MIN)
    text = (
        f"A data set has {samples:,} images. {n} GPUs train {rate} images/s each, with ideal "
        "scaling. How many minutes does an epoch take?"
    )
    return Draft(text, minutes * MIN, "min", "time", {TOTAL: minutes * n * MIN})


def _cost(dice: random.Random, level: int) -> Draft:
    n, hours, price = workers(dice, level), dice.choice((3, 5, 8, 12)), dice.choice((1.5, 2, 3))
    text = f"{n} GPUs run for {hours} hours at ${price:g} per GPU-hour. What does it cost?"
    return Draft(text, n * hours * price, "USD", "money", {TOTAL: hours * price})


KINDS: dict[str, tuple[Maker, str]] = {
    "ideal_time": (_ideal_time, "ideal time"),
    "ideal_workers": (_ideal_workers, "workers for a deadline"),
    "one_worker_time": (_one_worker_time, "time on one worker"),
    "speedup": (_speedup, "speed-up"),
    "efficiency": (_efficiency, "efficiency"),
    "time_at_efficiency": (_time_at_efficiency, "time at an efficiency"),
    "baseline": (_baseline, "baseline other than one"),
    "amdahl": (_amdahl, "Amdahl's law"),
    "amdahl_limit": (_amdahl_limit, "Amdahl's limit"),
    "karp_flatt": (_karp_flatt, "Karp-Flatt"),
    "gustafson": (_gustafson, "Gustafson's law"),
    "batch": (_batch, "splitting a batch"),
    "learning_rate": (_learning_rate, "linear learning rate"),
    "epoch": (_epoch, "time of an epoch"),
    "gradient": (gradient, "gradient bytes"),
    "ring": (ring, "bytes of a ring all-reduce"),
    "ring_time": (ring_time, "time of a ring all-reduce"),
    "cost": (_cost, "cost"),
    "memory": (memory, "memory of sharded training"),
    "overlap": (overlap, "communication and computation"),
}
