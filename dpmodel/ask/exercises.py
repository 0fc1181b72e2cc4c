"""Practice questions by kind: a text, the numbers in it, the answer by the model, usual mistakes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from dpmodel import laws
from dpmodel.ask import arithmetic as own
from dpmodel.ask.memory import split_bytes
from dpmodel.units import BITS_PER_BYTE, UNITS

H, MIN, MS = UNITS["time"]["h"], UNITS["time"]["min"], UNITS["time"]["ms"]
PERCENT, GB, GBS = UNITS["fraction"]["%"], UNITS["data"]["GB"], UNITS["rate"]["GB/s"]
MILLION = UNITS["count"]["M"]
MULTIPLIED = "multiplied where it divides, or divided where it multiplies"
BITS = "bits taken for bytes: 8 bits are 1 byte"
BASELINE = "forgot that the baseline is not one worker"
PERCENTS = "percent and fraction mixed up: 25 % is 0.25"
TOTAL = "per worker and total mixed up"
IDEAL = "left out the efficiency"
SIDES = "took the wrong side: divide the other way round"


@dataclass(frozen=True)
class Draft:
    """A question with its answer in SI and the unit to answer in.

    `mistakes` holds the value that each usual mistake leads to, in SI.
    """

    text: str
    value: float
    unit: str
    dimension: str
    mistakes: dict[str, float] = field(default_factory=dict)


Maker = Callable[[random.Random, int], Draft]


def _workers(dice: random.Random, level: int) -> int:
    return dice.choice(
        ((2, 4, 5, 8, 10), (6, 8, 12, 16, 20, 24), (7, 14, 28, 48, 96, 128))[level - 1]
    )


def _ideal_time(dice: random.Random, level: int) -> Draft:
    n = _workers(dice, level)
    each = dice.choice((2, 3, 4, 5, 6, 2.5))
    unit = dice.choice(("GPU", "worker", "accelerator"))
    text = f"One {unit} trains a model in {n * each:g} hours. How long do {n} {unit}s take if overhead is negligible?"
    return Draft(text, each * H, "h", "time", {MULTIPLIED: n * each * n * H})


def _ideal_workers(dice: random.Random, level: int) -> Draft:
    n, goal = _workers(dice, level), dice.choice((2, 3, 4, 5))
    text = f"A training run needs {n * goal} hours on one GPU. It has to be done in {goal} hours. With ideal scaling, how many GPUs are needed?"
    return Draft(text, float(n), "workers", "count", {MULTIPLIED: n * goal * goal})


def _one_worker_time(dice: random.Random, level: int) -> Draft:
    n, each = _workers(dice, level), dice.choice((2, 3, 5, 6))
    text = f"{n} workers finish a run in {each} hours with perfect scaling. How long would one worker take?"
    return Draft(text, n * each * H, "h", "time", {MULTIPLIED: each / n * H})


def _speedup(dice: random.Random, level: int) -> Draft:
    n = _workers(dice, level)
    e = dice.choice((0.5, 0.6, 0.75, 0.8, 0.9))
    many = dice.choice((2, 4, 5))
    text = f"A run takes {many * n * e:g} hours on one GPU and {many} hours on {n} GPUs. What is the speed-up?"
    return Draft(text, n * e, "x", "factor", {SIDES: 1 / (n * e), TOTAL: e})


def _efficiency(dice: random.Random, level: int) -> Draft:
    n = _workers(dice, level)
    e = dice.choice((0.5, 0.6, 0.75, 0.8, 0.9))
    each = dice.choice((100, 240, 400))
    text = f"One GPU trains {each} images/s, {n} GPUs together {each * n * e:g} images/s. What is the efficiency in percent?"
    return Draft(text, e, "%", "share", {PERCENTS: e * PERCENT, SIDES: 1 / e, TOTAL: e * n})


def _time_at_efficiency(dice: random.Random, level: int) -> Draft:
    n, e = _workers(dice, level), dice.choice((0.5, 0.75, 0.8))
    each = dice.choice((3, 6, 12))
    text = f"A {n * each * e:g}-hour single-GPU job runs on {n} GPUs at {e:.0%} efficiency. How long does it take?"
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
    n, f = _workers(dice, level), dice.choice((0.02, 0.04, 0.05, 0.1))
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
    text = f"{f * 100:g} % of the work is serial. What is the highest possible speed-up with unlimited workers?"
    return Draft(
        text,
        float(laws.amdahl_limit(f)),
        "x",
        "factor",
        {PERCENTS: 1 / (100 * f), "took the parallel share": 1 / (1 - f)},
    )


def _karp_flatt(dice: random.Random, level: int) -> Draft:
    n = _workers(dice, max(level, 2))
    s = round(n * dice.choice((0.6, 0.75, 0.8, 0.9)), 1)
    value = float(laws.karp_flatt(s, n))
    text = f"We measure a speed-up of {s:g} on {n} workers. What is the Karp-Flatt serial fraction in percent?"
    return Draft(
        text,
        value,
        "%",
        "share",
        {PERCENTS: value * PERCENT, "gave the loss of efficiency": 1 - s / n},
    )


def _gustafson(dice: random.Random, level: int) -> Draft:
    n, f = _workers(dice, level), dice.choice((0.02, 0.05, 0.1))
    text = f"{f:.0%} of the time on {n} workers is serial. What is the scaled speed-up by Gustafson's law?"
    return Draft(
        text,
        float(laws.gustafson_speed_up(n, f)),
        "x",
        "factor",
        {"used Amdahl's law": float(laws.amdahl_speed_up(n, f))},
    )


def _batch(dice: random.Random, level: int) -> Draft:
    n, share = _workers(dice, level), dice.choice((16, 32, 64, 128))
    text = f"A global batch of {n * share} is split evenly over {n} workers. How many samples does each worker get?"
    return Draft(
        text, float(share), "samples", "count", {TOTAL: n * share, MULTIPLIED: n * n * share}
    )


def _learning_rate(dice: random.Random, level: int) -> Draft:
    k = dice.choice((2, 4, 8, 16))
    base, rate = dice.choice((128, 256, 512)), dice.choice((0.1, 0.05, 0.001))
    text = f"A learning rate of {rate:g} suits a batch of {base}. Which learning rate does the linear scaling rule give for a batch of {base * k}?"
    return Draft(
        text,
        rate * k,
        "",
        "bare",
        {"used the square root": rate * k**0.5, MULTIPLIED: rate / k, "did not scale it": rate},
    )


def _epoch(dice: random.Random, level: int) -> Draft:
    n, rate = _workers(dice, level), dice.choice((100, 250, 400))
    minutes = dice.choice((2, 5, 10))
    samples = int(n * rate * minutes * MIN)
    text = f"A data set has {samples:,} images. {n} GPUs train {rate} images/s each, with ideal scaling. How many minutes does an epoch take?"
    return Draft(text, minutes * MIN, "min", "time", {TOTAL: minutes * n * MIN})


def _gradient(dice: random.Random, level: int) -> Draft:
    millions, (name, size) = (
        dice.choice((25, 110, 350, 1300)),
        dice.choice((("fp32", 4), ("bf16", 2))),
    )
    value = own.product(millions * MILLION, float(size))
    text = f"A model has {millions} million parameters. How many MB of gradients does it send in {name}?"
    other = 2.0 if size == 4 else 4.0
    return Draft(
        text,
        value,
        "MB",
        "data",
        {BITS: value * BITS_PER_BYTE, "used the other precision": millions * MILLION * other},
    )


def _ring(dice: random.Random, level: int) -> Draft:
    n, size = dice.choice((4, 8, 10, 16)), dice.choice((0.5, 1, 2, 4))
    value = own.ring_bytes(size * GB, n)
    text = (
        f"{n} workers ring-all-reduce a gradient of {size:g} GB. How many GB does each worker send?"
    )
    return Draft(
        text,
        value,
        "GB",
        "data",
        {TOTAL: value * n, "left out the all-gather half": value / 2, BITS: value * BITS_PER_BYTE},
    )


def _ring_time(dice: random.Random, level: int) -> Draft:
    n, size = dice.choice((4, 8, 16)), dice.choice((0.5, 1, 2))
    gigabits = dice.choice((25, 100, 200))
    rate = gigabits * UNITS["rate"]["Gb/s"]
    value = own.ring_time(size * GB, rate, n, 0.0)
    text = f"{n} GPUs ring-all-reduce {size:g} GB over {gigabits} Gb/s links. How many milliseconds does it take, ignoring latency?"
    return Draft(
        text,
        value,
        "ms",
        "time",
        {BITS: value / BITS_PER_BYTE, "left out the all-gather half": value / 2},
    )


def _cost(dice: random.Random, level: int) -> Draft:
    n, hours, price = _workers(dice, level), dice.choice((3, 5, 8, 12)), dice.choice((1.5, 2, 3))
    text = f"{n} GPUs run for {hours} hours at ${price:g} per GPU-hour. What does it cost?"
    return Draft(text, n * hours * price, "USD", "money", {TOTAL: hours * price})


def _memory(dice: random.Random, level: int) -> Draft:
    billions, n = dice.choice((1, 7, 13, 30)), dice.choice((8, 16, 64))
    value = split_bytes(billions * UNITS["count"]["B"], n, 0.0, 16.0)
    text = f"A {billions}B model takes 16 bytes per parameter, fully sharded with ZeRO-3 over {n} GPUs. How many GB of memory per GPU?"
    return Draft(text, value, "GB", "data", {TOTAL: value * n})


def _overlap(dice: random.Random, level: int) -> Draft:
    compute, exchange = dice.choice(((180, 60), (300, 100), (90, 10), (120, 40)))
    value = own.share_of_sum(compute * MS, exchange * MS)
    text = f"Each step computes for {compute} ms and then communicates for {exchange} ms, without overlap. What is the efficiency in percent?"
    return Draft(
        text,
        value,
        "%",
        "share",
        {
            "gave the share of communication": 1 - value,
            PERCENTS: value * PERCENT,
            "gave the ratio": exchange / compute,
        },
    )


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
    "gradient": (_gradient, "gradient bytes"),
    "ring": (_ring, "bytes of a ring all-reduce"),
    "ring_time": (_ring_time, "time of a ring all-reduce"),
    "cost": (_cost, "cost"),
    "memory": (_memory, "memory of sharded training"),
    "overlap": (_overlap, "communication and computation"),
}
