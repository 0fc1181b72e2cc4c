"""What an exercise consists of."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


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


def workers(dice: random.Random, level: int) -> int:
    """Roll a worker count for a level [1]."""
    return dice.choice(
        ((2, 4, 5, 8, 10), (6, 8, 12, 16, 20, 24), (7, 14, 28, 48, 96, 128))[level - 1]
    )
