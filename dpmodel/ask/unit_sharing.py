"""Bare numbers that share the unit of another number or of the words before them."""

from __future__ import annotations

from dpmodel.ask.quantity import Quantity
from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS


def shares_unit(scene: Scene, q: Quantity) -> bool:
    """From 96 to 8 minutes: the unit stands with the second number only."""
    if scene.word(q.start - 1) not in ("from", "von", "de", "between", "zwischen", "entre"):
        return False
    if scene.word(q.end) not in ("to", "auf", "a", "à", "para", "->", "and", "bis", "até", "up"):
        return False
    for other in scene.quantities:
        if 0 < other.start - q.end <= 2 and other.dimension in (
            "time",
            "throughput",
            "factor",
            "share",
        ):
            scale = other.value / _spoken_number(other) if _spoken_number(other) else 1.0
            q.dimension, q.unit, q.noun, q.per = other.dimension, other.unit, other.noun, other.per
            q.value, q.why = q.value * scale, "shares the unit of the next number"
            return True
    return False


def _spoken_number(q: Quantity) -> float:
    """The bare number of a quantity, before its unit."""
    from dpmodel.units import UNITS

    table = {"time": "time", "share": "fraction"}.get(q.dimension, "")
    return q.value / UNITS[table].get(q.unit, 1.0) if table else q.value


def unit_before(scene: Scene, q: Quantity) -> bool:
    """Seconds per iteration 0.35; time in hours: 12."""
    inside = {k for o in scene.quantities for k in range(o.start, o.end)}
    for i in range(q.start - 1, max(q.start - 6, -1), -1):
        unit = scene.lexicon.units.get((scene.word(i),), "")
        if unit in UNITS["time"] and len(scene.word(i)) > 1 and i not in inside:
            q.dimension, q.unit, q.why = "time", unit, "its unit stands before it"
            q.value *= UNITS["time"][unit]
            per = [scene.word(k) for k in range(i + 1, q.start)]
            if {"per", "/"} & set(per) and {"iteration", "step", "iter"} & set(per):
                q.per = frozenset({"step"})
            return True
        if i in inside or scene.word(i) not in _HEADING:
            return False
    return False


_HEADING = frozenset(
    ["per", "/", "iteration", "step", "iter", ":", "=", ")", "(", "is", "in", "epoch"]
)


def like_the_last(scene: Scene, q: Quantity) -> bool:
    """One GPU does 240 img/s, eight do 1,536: the second number has the unit of the first."""
    workers = [o for o in scene.quantities if o.noun == "worker" and 1 <= q.start - o.end <= 3]
    earlier = [o for o in scene.quantities if o.end <= q.start and o.dimension == "throughput"]
    follows = scene.word(q.end) in (",", ".", ";", "?", "", "and", "e", "y", "et", "und", ")")
    asked = scene.says(
        "samples per second", "images per second", "img / s", "samples / s", "tokens / s"
    )
    if "node" in q.per or scene.word(q.start - 1) in (
        "at",
        "on",
        "with",
        "for",
        "to",
        "auf",
        "com",
        "con",
        "avec",
    ):
        return False
    if workers and not earlier and asked and follows and q.value > 1:
        q.dimension, q.noun, q.why = "throughput", "sample", "the unit that is asked"
        return True
    if workers and earlier and follows and q.value > 1 and len(scene.quantities) <= 8:
        last = earlier[-1]
        q.dimension, q.noun, q.unit, q.per = "throughput", last.noun, last.unit, last.per
        q.why = "in the unit of the number before"
        return True
    return False
