"""What a measured series looks like."""

from __future__ import annotations

from dpmodel.ask.quantity import Quantity

Found = tuple[dict[float, float], float, list[Quantity]]


def worker_like(counts: list[float]) -> bool:
    """Worker counts rise, from few to several times as many."""
    rising = all(a < b for a, b in zip(counts, counts[1:], strict=False))
    return rising and counts[-1] >= 2 * counts[0] and counts[0] <= 512
