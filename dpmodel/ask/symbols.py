"""Numbers named by a symbol: f = 0.05, N = 8, S(16) = 12.8."""

from __future__ import annotations

from dpmodel.ask.counting import count
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.scene import Scene


def _called(scene: Scene, q: Quantity, at: int) -> bool:
    """S(16) = 12.8; E(8) = 0.9: the number in brackets is no quantity of its own."""
    if scene.word(at) != ")" or scene.word(at - 2) != "(" or scene.word(at - 3) not in ("s", "e"):
        return False
    for inner in scene.quantities:
        if inner.start == at - 1:
            inner.role = inner.noun = "placed"
    if scene.word(at - 3) == "s":
        q.dimension, q.unit, q.role, q.why = "factor", "x", "speedup", "by its symbol"
    else:
        q.dimension, q.unit, q.role, q.why = "share", "fraction", "efficiency", "by its symbol"
    return True


_SYMBOLS = {"f": "serial", "s": "speedup", "e": "efficiency", "p": "parallel", "n": "worker"}


def symbol(scene: Scene, q: Quantity) -> bool:
    """F = 0.05, n=50, S = 8, E = 0.9."""
    at = q.start - 1
    if scene.word(at) not in ("=", ":", ">", "≥", "~", "<"):
        return False
    while scene.word(at - 1) in ("=", ">", "<", "≥", "≤"):
        at -= 1
    called = _called(scene, q, at - 1)
    if called:
        return True
    head = _SYMBOLS.get(scene.word(at - 1), "")
    if head in ("worker",) and q.value == int(q.value):
        return count(q, "worker", "N stands for the workers")
    if head in ("serial", "parallel", "efficiency") and 0 <= q.value <= 2:
        if head == "parallel" and q.value > 1:
            return count(q, "worker", "p stands for the processors")
        q.dimension, q.unit, q.role, q.why = "share", "fraction", head, "by its symbol"
        return True
    if head == "speedup":
        if 0 < q.value < 1:
            q.dimension, q.unit, q.role, q.why = "share", "fraction", "serial", "by its symbol"
        else:
            q.dimension, q.unit, q.role, q.why = "factor", "x", "speedup", "by its symbol"
        return True
    return False
