"""Give a bare number a noun."""

from __future__ import annotations

from dpmodel.ask.quantity import Quantity


def count(q: Quantity, noun: str, why: str) -> bool:
    """Make a bare number a count of a noun; always true, so that rules can end with it."""
    q.dimension, q.noun, q.why = "count", noun, why
    return True
