"""Derive one variable from the others, backwards through the relations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dpmodel.ask.relations import BY_TARGET, Relation
from dpmodel.errors import InputError

_DEEPEST = 5


@dataclass
class Solution:
    """Values found so far and the relations that gave them, in order."""

    known: dict[str, float]
    flags: set[str]
    chain: list[tuple[Relation, float]] = field(default_factory=list)
    refusal: InputError | None = None

    def find(self, target: str) -> float | None:
        """Return the target's value by the shortest chain, or None where nothing leads to it."""
        for most in range(1, _DEEPEST + 1):
            value = self._find(target, most, frozenset())
            if value is not None:
                return value
        return None

    def _find(self, target: str, depth: int, above: frozenset[str]) -> float | None:
        if target in self.known:
            return self.known[target]
        if depth == 0 or target in above:
            return None
        for relation in BY_TARGET.get(target, ()):
            kept, values = len(self.chain), dict(self.known)
            if self._inputs(relation, depth, above | {target}) and self._holds(relation):
                value = self._compute(relation)
                if value is not None:
                    return value
            del self.chain[kept:]
            self.known = values
        return None

    def _inputs(self, relation: Relation, depth: int, above: frozenset[str]) -> bool:
        # What is at hand is looked at first, so that hopeless relations cost little.
        open_ones = [n for n in relation.needs if n not in self.known]
        if any(name not in BY_TARGET for name in open_ones):
            return False
        return all(self._find(name, depth - 1, above) is not None for name in open_ones)

    def _holds(self, relation: Relation) -> bool:
        return relation.when is None or relation.when(self.flags, self.known)

    def _compute(self, relation: Relation) -> float | None:
        try:
            value = float(relation.law(*(self.known[name] for name in relation.needs)))
        except InputError as error:
            self.refusal = error
            return None
        except (ZeroDivisionError, OverflowError, ValueError):
            return None
        if not math.isfinite(value) and relation.target != "limit":
            return None
        self.known[relation.target] = value
        self.chain.append((relation, value))
        return value


def missing_for(
    target: str, known: dict[str, float], flags: set[str], stated: set[str]
) -> list[str]:
    """Name the fewest variables that would make a target known, the likeliest relation first.

    A relation that uses what the question states goes before one that needs assumptions.
    """
    known = {name: -0.55 if name in stated else 0.0 for name in known}
    return _lacking(target, known, flags, 3, frozenset())[1] or [target]


# What a person can hardly know is asked for last.
_HARD = {"efficiency": 1.7, "serial": 4.0, "speedup": 1.8, "closeness": 9.0, "limit": 9.0}
_HARD |= {"hidden": 9.0, "overlap": 9.0, "exposed": 3.0, "new_comm_time": 9.0, "base_step": 3.0}
_HARD |= {"worker_seconds": 3.0, "step_rate": 5.0, "cluster_price": 5.0, "node_price": 5.0}


_DERIVED = frozenset(
    [
        "total_samples",
        "memory_total",
        "payload",
        "exposed",
        "hidden",
        "speedup",
        "rate",
        "base_rate",
        "steps",
        "ideal_time",
        "batch",
        "comm_time",
        "sent",
        "worker_seconds",
    ]
)


def _possible(relation: Relation, flags: set[str]) -> bool:
    return relation.when is None or relation.when(flags, {"base_workers": 1.0})


def _lacking(
    target: str, known: dict[str, float], flags: set[str], depth: int, above: frozenset[str]
) -> tuple[float, list[str]]:
    """Cost of the cheapest way to a variable, and the variables it lacks."""
    if target in known:
        return known[target], []
    best, names = _HARD.get(target, 1.0), [target]
    if depth == 3:
        best = 50.0
    derived = depth == 3 or target in _DERIVED
    for relation in BY_TARGET.get(target, ()) if depth and derived else ():
        if (above | {target}) & set(relation.needs) or not _possible(relation, flags):
            continue
        cost, lacking = 0.05, []
        for name in relation.needs:
            more, missing = _lacking(name, known, flags, depth - 1, above | {target})
            cost += more
            lacking += [m for m in missing if m not in lacking]
        if cost < best and lacking and target not in lacking:
            best, names = cost, lacking
    return best, names
