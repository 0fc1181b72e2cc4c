"""Measured series in a question: worker counts with a value each, in whatever layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from dpmodel.ask.counts import name_hosts
from dpmodel.ask.lexicon import listed
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.scene import Scene
from dpmodel.ask.series_reading import Found, worker_like
from dpmodel.ask.tables import header_kind, read_table
from dpmodel.units import UNITS


@dataclass
class Points:
    """Values by worker count.

    `kind` is rate, time, speedup or efficiency; times are in seconds, `each` marks values per
    worker, `asked` the worker counts whose value is wanted, `spread` the repeats' relative range.
    """

    values: dict[float, float]
    kind: str
    unit: str = ""
    each: bool = False
    spread: float = 0.0
    asked: list[float] = field(default_factory=list)


def read_points(scene: Scene, question: str) -> Points | None:
    """Find a series of two or more points, or None."""
    name_hosts(scene)
    table = read_table(scene, question)
    listing = _lists(scene) if "_" in scene.flat.split() else None
    found = table or listing or _repeats(scene) or _pairs(scene) or _lists(scene)
    if found is None:
        return None
    values, spread, used = found
    kind, unit, factor = _kind(scene, used)
    if table is not None:
        kind, unit, factor = header_kind(question) or (kind, unit, factor)
    return Points(
        {n: v * factor for n, v in values.items()},
        kind,
        unit,
        _per_worker(scene, used),
        spread,
        _asked(scene, set(values)),
    )


def _numbers(scene: Scene) -> list[Quantity]:
    """Quantities that can be a worker count or its value, in order."""
    kinds = ("bare", "count", "time", "throughput", "factor", "share", "step_rate")
    return [
        q
        for q in scene.quantities
        if q.dimension in kinds
        and q.noun not in ("param", "epoch", "placed", "batch")
        and q.role not in ("per_node", "nodes")
        and not (q.dimension == "bare" and "node" in q.per)
        and not (q.dimension == "time" and q.role in ("comm_time", "compute_time", "latency"))
    ]


def _is_count(q: Quantity) -> bool:
    plain = q.dimension in ("bare", "count") and q.noun in ("", "worker", "node", "sample")
    if q.dimension == "count" and q.noun == "sample":
        return False
    return plain and q.value == int(q.value) and 1 <= q.value <= 1e5


def _pairs(scene: Scene) -> Found | None:
    """Counts and values in turn: "1: 250, 2: 481", "620 (1 GPU), 1228 (2)"."""
    numbers = _numbers(scene)
    best: Found | None = None
    for start in range(len(numbers)):
        for count_first in (True, False):
            run = _run(scene, numbers[start:], count_first)
            if run is not None and (best is None or _worth(run) > _worth(best)):
                best = run
    return best


def _worth(run: Found) -> tuple[int, int]:
    """Longer series first, then those whose values carry units."""
    return len(run[0]), sum(q.dimension != "bare" for q in run[2])


def _run(scene: Scene, numbers: list[Quantity], count_first: bool) -> Found | None:
    values: dict[float, float] = {}
    used: list[Quantity] = []
    shape: tuple[str, str] | None = None
    for a, b in zip(numbers[::2], numbers[1::2], strict=False):
        n, v = (a, b) if count_first else (b, a)
        if not _is_count(n) or (_is_worker(v) and not _is_worker(n)):
            break
        if v.dimension == "count" and v.noun in ("worker", "node"):
            break
        if values and n.value <= max(values) or b.start - a.end > 8:
            break
        if used and a.start - used[-1].end > 8:
            break
        if shape is not None and v.dimension not in (shape[1], "bare") and shape[1] != "bare":
            break
        if v.value <= 0:
            break
        shape = (n.dimension, v.dimension if shape is None or shape[1] == "bare" else shape[1])
        values[n.value] = v.value
        used.append(b if b.start > a.start else a)
        used.insert(0, v) if False else None
        used[-1] = b
    taken = numbers[: 2 * len(values)]
    fewest = 2 if shape is not None and shape[1] == "factor" else 3
    if len(values) < fewest or not worker_like(list(values)):
        return None
    measured = taken[1::2] if count_first else taken[::2]
    return values, 0.0, measured


def _is_worker(q: Quantity) -> bool:
    return q.dimension == "count" and q.noun in ("worker", "node")


def _repeats(scene: Scene) -> Found | None:
    """Several values at each count: "8 workers: 980, 1040, 1010. 16 workers: ..."."""
    numbers = _numbers(scene)
    groups: list[tuple[Quantity, list[Quantity]]] = []
    for q in numbers:
        if _is_worker(q):
            groups.append((q, []))
        elif groups and q.dimension in ("bare", "throughput", "time", "factor"):
            groups[-1][1].append(q)
    full = [(n, vs) for n, vs in groups if len(vs) >= 3]
    if len(full) < 2 or len({len(vs) for _, vs in full}) != 1:
        return None
    values = {n.value: float(median(v.value for v in vs)) for n, vs in full}
    if not worker_like(list(values)):
        return None
    spread = max(
        (max(v.value for v in vs) - min(v.value for v in vs)) / values[n.value] for n, vs in full
    )
    return values, spread, [v for _, vs in full for v in vs]


def _lists(scene: Scene) -> Found | None:
    """Two lists of the same length: "1, 2, 4 and 8 GPUs ... 100, 190, 350, 600 respectively"."""
    numbers = _numbers(scene)
    for i in range(len(numbers)):
        for size in range(min(8, (len(numbers) - i) // 2), 2, -1):
            counts, values = numbers[i : i + size], numbers[i + size : i + 2 * size]
            close = all(b.start - a.end <= 3 for a, b in zip(counts, counts[1:], strict=False))
            tight = all(b.start - a.end <= 3 for a, b in zip(values, values[1:], strict=False))
            if close and tight and all(map(_is_count, counts)):
                series = {n.value: v.value for n, v in zip(counts, values, strict=True)}
                if len(series) == size and worker_like(list(series)) and min(series.values()) > 0:
                    return series, 0.0, values
    return None


def _kind(scene: Scene, used: list[Quantity]) -> tuple[str, str, float]:
    """What the values are: kind, unit shown, and factor to SI where the unit stands apart."""
    for q in used:
        if q.dimension == "throughput":
            return "rate", "samples/s", 1.0
        if q.dimension == "step_rate":
            return "rate", "steps/s", 1.0
        if q.dimension == "time":
            return "time", q.unit, UNITS["time"].get(q.unit, 1.0) if False else 1.0
        if q.dimension == "factor":
            return "speedup", "x", 1.0
        if q.dimension == "share" and q.unit == "%":
            return "efficiency", "%", 1.0
    if any(
        s in scene.flat
        for s in (
            " / s ",
            " per second ",
            " throughput ",
            " throughputs ",
            " durchsatz ",
            " fps ",
            " / sec ",
        )
    ) or scene.says(*listed("points_kind")):
        return "rate", "samples/s", 1.0
    if scene.has("speedup") and not scene.has("throughput"):
        return "speedup", "x", 1.0
    unit = next((u for u in _free_time_units(scene)), "")
    if unit:
        return "time", unit, UNITS["time"][unit]
    if scene.has("throughput"):
        return "rate", "samples/s", 1.0
    return ("rate", "samples/s", 1.0)


def _free_time_units(scene: Scene) -> list[str]:
    inside = {k for q in scene.quantities for k in range(q.start, q.end)}
    found = []
    for i, token in enumerate(scene.tokens):
        known = scene.lexicon.units.get((token.low,))
        if known in UNITS["time"] and i not in inside and scene.word(i - 1) not in ("/", "per"):
            found.append(known)
    return found


def _per_worker(scene: Scene, used: list[Quantity]) -> bool:
    if any("worker" in q.per for q in used):
        return True
    flat = scene.flat
    return any(
        s in flat
        for s in (
            " / s / gpu ",
            " / gpu ",
            " per gpu : ",
            " / worker ",
            " / s per gpu ",
            " per gpu throughput ",
            " per second per gpu ",
        )
    )


_ASKING = listed("points_asking")


def _asked(scene: Scene, known: set[float]) -> list[float]:
    """Worker counts in the question part that were not measured."""
    zone = scene.asked_sentences()
    found = []
    for q in scene.quantities:
        if (q.sentence in zone and _is_count(q) and q.value not in known and q.value > 1) and (
            q.noun in ("worker", "node")
            or scene.word(q.start - 1) in _ASKING
            or scene.word(q.end) == "?"
        ):
            found.append(q.value)
    if not found and scene.says(
        "next doubling", "doubling again", "double again", "next doubling step"
    ):
        found.append(2 * max(known))
    return [n for n in found if n > max(known)] or found
