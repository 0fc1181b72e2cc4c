"""Where an equation between variables holds, by what the question says and what is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Test = Callable[[set[str], dict[str, float]], bool]
# target, its inputs between spaces, the law, the formula, and where it holds.
Row = tuple[str, str, Callable[..., Any], str, Test | None]


def from_one(flags: set[str], known: dict[str, float]) -> bool:
    """The baseline is one worker."""
    return known.get("base_workers", 1.0) == 1.0


def from_many(flags: set[str], known: dict[str, float]) -> bool:
    """The baseline is more than one worker."""
    return known.get("base_workers", 1.0) > 1.0


def flag(*names: str) -> Test:
    """The question says one of these."""
    return lambda flags, known: bool(flags & set(names))


def no_flag(*names: str) -> Test:
    """The question says none of these."""
    return lambda flags, known: not flags & set(names)


def only_gustafson(flags: set[str], known: dict[str, float]) -> bool:
    """The job grows with the workers, and no fixed size is named beside it."""
    return "gustafson" in flags and "amdahl" not in flags


def fixed_size(flags: set[str], known: dict[str, float]) -> bool:
    """A fixed job over one worker: Amdahl's law."""
    return from_one(flags, known) and not only_gustafson(flags, known)


def without_dataset(flags: set[str], known: dict[str, float]) -> bool:
    """No data set is told, so steps need not be whole per epoch."""
    return "dataset" not in known
