"""One number of a question with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpmodel.ask.lexicon import listed

COUNTED = listed("quantities_counted")


@dataclass(slots=True)
class Quantity:
    """One number of the question with its unit.

    `dimension` is time, data, rate, share, factor, throughput, money, price, count (of `noun`)
    or bare. `value` is in SI [s, B, B/s, 1, 1/s, $, $/s]; `per` holds what it is per.
    """

    value: float
    dimension: str
    noun: str = ""
    unit: str = ""
    per: frozenset[str] = frozenset()
    start: int = 0
    end: int = 0
    text: str = ""
    span: tuple[int, int] = (0, 0)
    sentence: int = 0
    clause: int = 0
    spoken: str = "digits"
    role: str = ""
    why: str = ""
    used: bool = field(default=False, repr=False)
