"""Axes that a person can read: human ticks, log said, ranges held while knobs move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpmodel.units import HOUR
from pages.ui.theme import COLOURS

_TIME_TICKS = {
    "1 ms": 1e-3,
    "10 ms": 1e-2,
    "0.1 s": 0.1,
    "1 s": 1,
    "10 s": 10,
    "1 min": 60,
    "10 min": 600,
    "1 h": 3600,
    "10 h": 36000,
    "4 days": 345600,
    "40 days": 3456000,
    "1 year": 31557600,
    "10 years": 315576000,
    "100 years": 3155760000,
    "1 k years": 31557600000,
    "10 k years": 315576000000,
}
TIME_DECADES = 5
_DEFAULT_TOP = 3.0


def time_range(one_worker: float) -> list[float]:
    """Log10 range of the time axis [h]: five decades below 1,000 h, or below T(1) if longer.

    It does not follow the curve, so that nothing jumps while a knob moves.
    """
    hours, top = one_worker / HOUR, _DEFAULT_TOP
    while hours > 10**top * 1.001:
        top += 1
    bottom = top - TIME_DECADES
    while hours < 10 ** (bottom + 3):
        top, bottom = top - 1, bottom - 1
    return [round(bottom, 6), round(top + 0.08, 6)]


def worker_axis(largest: int, title: str = "Workers N (log scale)") -> dict[str, Any]:
    """Log axis over workers with powers of two as ticks."""
    powers = [2**i for i in range(0, int(math.log2(largest)) + 1)]
    return base_axis(
        title,
        type="log",
        range=[-0.04, math.log10(largest) + 0.04],
        tickvals=powers,
        ticktext=[f"{p:,}" if i % 2 == 0 else "" for i, p in enumerate(powers)],
    )


def time_axis(one_worker: float, title: str = "Training time (log scale)") -> dict[str, Any]:
    """Log axis over hours with seconds, minutes, hours and days as ticks."""
    return base_axis(
        title,
        type="log",
        range=time_range(one_worker),
        tickvals=[seconds / HOUR for seconds in _TIME_TICKS.values()],
        ticktext=list(_TIME_TICKS),
    )


def base_axis(title: str, **rest: Any) -> dict[str, Any]:
    """Grid, colours and title that every axis shares."""
    return {
        "title": {"text": title, "standoff": 6},
        "gridcolor": COLOURS["grid"],
        "linecolor": COLOURS["grid"],
        "zeroline": False,
        "tickcolor": COLOURS["grid"],
        "fixedrange": False,
        "automargin": False,
    } | rest


def decade_ticks(values: Sequence[float]) -> dict[str, Any]:
    """Ticks at whole decades, written out: 0.1, 1, 10, 1,000."""
    low, high = math.floor(math.log10(values[0])), math.ceil(math.log10(values[-1]))
    decades = [10.0**d for d in range(low, high + 1)]
    return {"tickvals": decades, "ticktext": [f"{d:,.10g}" for d in decades]}
