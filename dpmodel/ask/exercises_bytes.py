"""Exercises on gradients, their exchange and memory."""

from __future__ import annotations

import random

from dpmodel.ask import arithmetic as own
from dpmodel.ask.drafts import Draft
from dpmodel.ask.memory import split_bytes
from dpmodel.ask.mistakes import (
    BITS,
    GB,
    MILLION,
    MS,
    PERCENT,
    PERCENTS,
    TOTAL,
)
from dpmodel.units import BITS_PER_BYTE, UNITS


def gradient(dice: random.Random, level: int) -> Draft:
    """Gradient bytes of a model."""
    millions, (name, size) = (
        dice.choice((25, 110, 350, 1300)),
        dice.choice((("fp32", 4), ("bf16", 2))),
    )
    value = own.product(millions * MILLION, float(size))
    text = (
        f"A model has {millions} million parameters. How many MB of gradients does it send in "
        f"{name}?"
    )
    other = 2.0 if size == 4 else 4.0
    return Draft(
        text,
        value,
        "MB",
        "data",
        {BITS: value * BITS_PER_BYTE, "used the other precision": millions * MILLION * other},
    )


def ring(dice: random.Random, level: int) -> Draft:
    """Bytes that each worker of a ring sends."""
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


def ring_time(dice: random.Random, level: int) -> Draft:
    """Time of a ring all-reduce."""
    n, size = dice.choice((4, 8, 16)), dice.choice((0.5, 1, 2))
    gigabits = dice.choice((25, 100, 200))
    rate = gigabits * UNITS["rate"]["Gb/s"]
    value = own.ring_time(size * GB, rate, n, 0.0)
    text = (
        f"{n} GPUs ring-all-reduce {size:g} GB over {gigabits} Gb/s links. How many "
        "milliseconds does it take, ignoring latency?"
    )
    return Draft(
        text,
        value,
        "ms",
        "time",
        {BITS: value / BITS_PER_BYTE, "left out the all-gather half": value / 2},
    )


def memory(dice: random.Random, level: int) -> Draft:
    """Memory of sharded training."""
    billions, n = dice.choice((1, 7, 13, 30)), dice.choice((8, 16, 64))
    value = split_bytes(billions * UNITS["count"]["B"], n, 0.0, 16.0)
    text = (
        f"A {billions}B model takes 16 bytes per parameter, fully sharded with ZeRO-3 over "
        f"{n} GPUs. How many GB of memory per GPU?"
    )
    return Draft(text, value, "GB", "data", {TOTAL: value * n})


def overlap(dice: random.Random, level: int) -> Draft:
    """Efficiency of a step that communicates."""
    compute, exchange = dice.choice(((180, 60), (300, 100), (90, 10), (120, 40)))
    value = own.share_of_sum(compute * MS, exchange * MS)
    text = (
        f"Each step computes for {compute} ms and then communicates for {exchange} ms, "
        "without overlap. What is the efficiency in percent?"
    )
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
