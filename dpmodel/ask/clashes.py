"""Two statements that cannot both hold."""

from __future__ import annotations

from dataclasses import dataclass

from dpmodel.ask.lexicon import listed


@dataclass(slots=True)
class Clash:
    """Two statements that cannot both hold."""

    first: str
    second: str
    sure: bool = True


# Two different values of these are a contradiction; of times or samples, rather a misreading.
NAMED_ONCE = frozenset(listed("situation_named_once"))
