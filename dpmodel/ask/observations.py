"""Which measurement belongs to which number of workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.scene import Scene

_SKIP, _CLAUSE, _SENTENCE, _ASKED = 25.0, 5.0, 36.0, 60.0


@dataclass(slots=True)
class Observation:
    """What was measured, or is asked, at one number of workers; values in SI."""

    workers: float
    quantity: Quantity | None = None
    measures: dict[str, Quantity] = field(default_factory=dict)
    asked: bool = False

    def value(self, kind: str) -> float | None:
        """The measure of a kind, or None."""
        found = self.measures.get(kind)
        return None if found is None else found.value


def measure_kind(q: Quantity) -> str:
    """What kind of measure a quantity is: time, rate, speedup, efficiency or ""."""
    if q.role in ("run", "step_time"):
        return "time"
    return {"throughput": "rate", "speedup": "speedup", "efficiency": "efficiency"}.get(q.role, "")


def observe(scene: Scene, workers: list[Quantity]) -> tuple[list[Observation], list[Quantity]]:
    """Pair worker counts with measures of each kind, in the order of the text.

    Returns
    -------
    tuple of list of Observation and list of Quantity
        One observation for each worker count, and the measures that belong to none.
    """
    found = [Observation(w.value, w) for w in workers]
    loose: list[Quantity] = []
    told = [(n, q) for q in scene.quantities if (n := _told_by_symbol(scene, q)) is not None]
    asked = scene.asked_sentences()
    for kind in ("time", "rate", "speedup", "efficiency"):
        measures = [q for q in scene.quantities if measure_kind(q) == kind]
        measures = [q for q in measures if all(q is not t for _, t in told)]
        free = [q for q in measures if not _of_the_job(scene, q, workers)]
        usable = [
            w for w in workers if kind in ("time", "rate") or w.value != 1 or len(workers) == 1
        ]
        place = {id(w): i for i, w in enumerate(workers)}
        pairs = [(place[id(usable[w])], m) for w, m in _align(scene, usable, free, asked)]
        for w, m in pairs:
            found[w].measures[kind] = free[m]
        paired = {id(free[m]) for _, m in pairs}
        loose += [q for q in measures if id(q) not in paired]
    for n, q in told:
        found.append(Observation(n, None, {measure_kind(q): q}))
    return found, sorted(loose, key=lambda q: q.start)


def _told_by_symbol(scene: Scene, q: Quantity) -> float | None:
    """T1 = 144 h; T(8) = 5 h; T_16: 2 h: the number of workers stands in the symbol."""
    if not measure_kind(q):
        return None
    i = q.start - 1
    if scene.word(i) in ("=", ":", "is", "was", "of"):
        i -= 1
    if scene.word(i) == scene.word(q.start - 1) and not scene.word(i)[1:].isdigit():
        return None
    head = scene.word(i)
    if head[:1] in ("t", "s", "e") and head[1:].isdigit():
        return float(head[1:])
    if head == ")" and scene.word(i - 2) == "(" and scene.word(i - 3) in ("t", "s", "e"):
        inner = scene.word(i - 1)
        return float(inner) if inner.isdigit() else None
    if head.isdigit() and scene.word(i - 1) == "_" and scene.word(i - 2) in ("t", "s", "e"):
        return float(head)
    return None


def _of_the_job(scene: Scene, q: Quantity, workers: list[Quantity]) -> bool:
    """A 5-hour job: the time of the job itself, whatever workers are named nearby."""
    if q.dimension != "time":
        return False
    for mention in scene.by_idea.get("job", ()):
        gap = mention.start - q.end
        inside = any(q.end <= w.start < mention.start for w in workers)
        if 0 <= gap <= 2 and not inside and scene.word(mention.start)[-3:] != "ing":
            return True
    return False


def _align(
    scene: Scene, workers: list[Quantity], measures: list[Quantity], asked: set[int]
) -> list[tuple[int, int]]:
    """Cheapest pairing that keeps the order of both lists."""

    @cache
    def best(i: int, j: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if i == len(workers) or j == len(measures):
            return _SKIP * (len(workers) - i + len(measures) - j), ()
        skip_w, pairs_w = best(i + 1, j)
        skip_m, pairs_m = best(i, j + 1)
        both, pairs = best(i + 1, j + 1)
        cost = _cost(scene, workers[i], measures[j], asked) + both
        options = [
            (cost, ((i, j), *pairs)),
            (skip_w + _SKIP, pairs_w),
            (skip_m + _SKIP, pairs_m),
        ]
        return min(options, key=lambda option: option[0])

    return list(best(0, 0)[1])


def _cost(scene: Scene, w: Quantity, m: Quantity, asked: set[int]) -> float:
    low, high = (w, m) if w.start < m.start else (m, w)
    gap = max(high.start - low.end, 0)
    cost = gap + _CLAUSE * (high.clause - low.clause)
    between = [scene.word(i) for i in range(low.end, high.start)]
    if w.sentence != m.sentence:
        cost += _SENTENCE - _CLAUSE
        if (w.sentence in asked) != (m.sentence in asked):
            cost += _ASKED
    if any(
        word in ("to", "->", "became", "from", "and", "versus", "vs", "y", "et", "und", "e")
        for word in between
    ):
        cost += 4
    if any(
        word in ("on", "with", "for", "auf", "mit", "sur", "avec", "en", "con", "com", ":", "=")
        for word in between
    ):
        cost -= 1
    return cost
