"""What is asked for: one target, and which of several stand beside each other."""

from __future__ import annotations

from dataclasses import dataclass

from dpmodel.ask.lexicon import listed
from dpmodel.ask.scene import Scene


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing asked for; `unit` is "" where the question names none."""

    target: str
    unit: str = ""
    at: int = 0
    why: str = ""


_SUBSUMED = {
    # A strong target makes a weaker one beside it a mere word of the sentence.
    ("karp_flatt", "serial"),
    ("karp_flatt", "speedup"),
    ("algbw", "bandwidth"),
    ("busbw", "bandwidth"),
    ("algbw", "throughput"),
    ("accumulation", "steps"),
    ("worker_hours", "cost"),
    ("cost", "worker_hours"),
    ("serial", "parallel"),
    ("data", "memory"),
    ("memory", "data"),
    ("comm_ratio", "efficiency"),
    ("comm_ratio", "parallel"),
    ("workers", "parallel"),
    ("workers", "serial"),
    ("workers", "speedup"),
    ("workers", "efficiency"),
    ("workers", "memory"),
    ("workers", "throughput"),
    ("workers", "bandwidth"),
    ("workers", "lr"),
    ("data", "bandwidth"),
    ("data", "throughput"),
    ("steps", "throughput"),
    ("lr", "parallel"),
    ("lr", "throughput"),
    ("lr", "speedup"),
    ("efficiency", "parallel"),
    ("efficiency", "bandwidth"),
    ("speedup", "parallel"),
    ("duration", "serial"),
    ("duration", "parallel"),
    ("duration", "bandwidth"),
    ("throughput", "bandwidth"),
    ("speedup", "throughput"),
    ("accumulation", "memory"),
    ("duration", "cost"),
    ("cost", "bandwidth"),
    ("epoch_time", "duration"),
    ("duration", "data"),
    ("data", "duration"),
    ("workers", "data"),
    ("workers", "duration"),
    ("lr", "duration"),
    ("speedup", "duration"),
    ("saved", "duration"),
    ("base_time", "duration"),
    ("extra_seconds", "worker_hours"),
    ("extra_seconds", "duration"),
    ("base_time", "serial"),
    ("base_time", "parallel"),
    ("price", "worker_hours"),
    ("price", "cost"),
    ("cost", "price"),
    ("params", "memory"),
    ("params", "throughput"),
    ("duration", "price"),
    ("workers", "price"),
    ("comm_ratio", "algbw"),
    ("comm_ratio", "busbw"),
    ("comm_ratio", "bandwidth"),
    ("data", "memory"),
    ("efficiency", "duration"),
    ("algbw", "data"),
    ("busbw", "data"),
    ("accumulation", "data"),
    ("efficiency", "speedup"),
    ("duration", "speedup"),
    ("duration", "efficiency"),
    ("duration", "throughput"),
    ("duration", "memory"),
    ("steps", "memory"),
    ("steps", "accumulation"),
    ("cost", "speedup"),
    ("cost", "efficiency"),
    ("worker_hours", "speedup"),
    ("worker_hours", "efficiency"),
}


def several(scene: Scene, found: list[Asked]) -> list[Asked]:
    """Keep distinct targets that are really asked beside each other."""
    names = {a.target for a in found}
    kept: list[Asked] = []
    paired = _side_by_side(scene, found)
    paired |= {
        a.target
        for a in found
        if a.target == "duration" and a.why in ("time", "duration", "runtime")
    }
    for asked in found:
        weaker = asked.target not in paired and any(
            (other, asked.target) in _SUBSUMED for other in names
        )
        joined = _joined(scene, asked, found)
        if (weaker and not joined) or asked.target in {k.target for k in kept}:
            continue
        kept.append(asked)
    return kept


def _side_by_side(scene: Scene, found: list[Asked]) -> set[str]:
    """Targets named next to each other: "the speed-up and the efficiency"."""
    pairs: set[str] = set()
    for a, b in zip(found, found[1:], strict=False):
        between = [scene.word(i) for i in range(a.at, b.at)]
        linked = {"and", "&", "und", "et", "y", "e", "和", "/", "+", ","} & set(between)
        if linked and len(between) <= 6 and {a.target, b.target} <= _NUMBERED:
            pairs |= {a.target, b.target}
    return pairs


_NUMBERED = frozenset(listed("targets_numbered"))


def _joined(scene: Scene, asked: Asked, found: list[Asked]) -> bool:
    """Whether an "and" or a comma, with a question word near, makes this a question of its own."""
    words = [scene.word(i) for i in range(max(asked.at - 5, 0), asked.at)]
    linked = [w for w in words if w in ("and", ",", "&", "+", "?", "und", "et", "y", "e", "also")]
    if asked.unit and asked.target == "duration" and "and" in words:
        return True
    asks = [w for w in words if w in ("what", "which", "how", "wie", "quel", "quelle", "qual")]
    return bool(linked) and (bool(asks) or scene.word(asked.at) in ("how",))
