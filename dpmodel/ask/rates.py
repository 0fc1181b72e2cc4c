"""Throughputs: whose they are, and of how many workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpmodel.ask.lexicon import listed
from dpmodel.ask.observations import Observation
from dpmodel.ask.quantity import Quantity

if TYPE_CHECKING:
    from dpmodel.ask.situation import Situation


def give_rates(made: Situation, rates: list[Quantity], sides: list[Observation]) -> None:
    """Give base_rate, rate and unit_rate their values."""
    measured = [s for s in sides if "rate" in s.measures]
    if len(measured) >= 2:
        low, high = measured[0], measured[-1]
        for side, name in ((low, "base_rate"), (high, "rate")):
            q = side.measures["rate"]
            each = "worker" in q.per or _per_gpu_rates(made)
            made.give(name, q.value * (side.workers if each else 1), q)
        made.give("base_workers", low.workers, low.quantity)
        made.give("workers", high.workers, high.quantity)
        return
    for side in measured:
        q = side.measures["rate"]
        if side.workers == 1 or _is_each(made, q):
            made.give("unit_rate", q.value, q)
            if side.workers != 1:
                made.give("workers", side.workers, side.quantity)
        else:
            _one_rate(made, sides, side, q)
    for q in rates:
        name = "unit_rate" if _is_each(made, q) else "rate"
        if name == "rate" and made.has("rate") and q.value > (made.value("rate") or 0.0):
            continue
        made.give("base_rate" if name == "rate" and made.has("rate") else name, q.value, q)


def _per_gpu_rates(made: Situation) -> bool:
    return made.scene.says(*listed("sides_per_gpu_rates"))


def _one_rate(made: Situation, sides: list[Observation], side: Observation, q: Quantity) -> None:
    other = [s for s in sides if s is not side and s.workers != side.workers]
    if other and other[-1].workers > side.workers:
        made.give("base_rate", q.value, q)
        made.give("base_workers", side.workers, side.quantity)
        made.give("workers", other[-1].workers, other[-1].quantity)
        return
    made.give("rate", q.value, q)
    made.give("workers", side.workers, side.quantity)


def _is_each(made: Situation, q: Quantity) -> bool:
    if "worker" in q.per or made.scene.nearest(q, "each") <= 3.6:
        return True
    return made.scene.before(q, "each", within=7) and not made.scene.before(q, "total", within=7)
