"""Which side of a comparison is the baseline, and which is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpmodel.ask.observations import Observation
from dpmodel.ask.quantities import Quantity

if TYPE_CHECKING:
    from dpmodel.ask.situation import Situation


def settle_sides(made: Situation, loose: list[Quantity]) -> None:
    """Give base_workers, base_time, workers, time and their like."""
    targets = {a.target for a in made.asked}
    sides = _merged(made)
    _give_speed_ups(made, sides, loose, targets)
    times = [q for q in loose if q.role in ("run", "step_time")]
    _give_step_times(made, times, sides)
    times = [q for q in times if not q.used]
    _give_deadline(made, times, sides, targets)
    times = [q for q in times if not q.used]
    _base_of_loose(made, times, sides)
    rates = [q for q in loose if q.role == "throughput"]
    _give_rates(made, rates, sides)
    _give_times(made, sides, targets)


def _merged(made: Situation) -> list[Observation]:
    """One side for each worker count, in order of size; different values of one clash."""
    sides: dict[float, Observation] = {}
    for seen in made.observations:
        side = sides.setdefault(seen.workers, Observation(seen.workers, seen.quantity))
        side.asked = side.asked or seen.asked
        for kind, q in seen.measures.items():
            if kind in side.measures and side.measures[kind].value != q.value:
                from dpmodel.ask.situation import Clash

                made.clashes.append(Clash(side.measures[kind].text, q.text))
            side.measures.setdefault(kind, q)
    return [sides[n] for n in sorted(sides)]


def _give_speed_ups(
    made: Situation, sides: list[Observation], loose: list[Quantity], targets: set[str]
) -> None:
    for q in loose:
        if q.role in ("speedup", "efficiency"):
            made.give(q.role, q.value, q)
    measured = [s for s in sides if "speedup" in s.measures or "efficiency" in s.measures]
    if len(measured) > 1:
        return
    if measured and _known_elsewhere(made, sides, measured[0], targets):
        return
    for side in measured:
        for kind in ("speedup", "efficiency"):
            if kind in side.measures:
                made.give(kind, side.measures[kind].value, side.measures[kind])


def _known_elsewhere(
    made: Situation, sides: list[Observation], side: Observation, targets: set[str]
) -> bool:
    """12x on 16 workers is given, and under Amdahl's law another count is asked."""
    other = [s for s in sides if s is not side and not s.measures and s.workers > 1]
    if "amdahl" not in made.flags or not other:
        return False
    if made.has("serial"):
        made.parts |= {id(q) for q in side.measures.values()}
        made.parts.add(id(side.quantity))
        made.give("workers", other[-1].workers, other[-1].quantity)
        sides.remove(side)
        return True
    speedup, efficiency = side.value("speedup"), side.value("efficiency")
    known = speedup if speedup is not None else (efficiency or 0.0) * side.workers
    made.give("known_speedup", known, side.measures.get("speedup"), "the measured speed-up")
    made.give("known_workers", side.workers, side.quantity)
    made.give("workers", other[-1].workers, other[-1].quantity)
    for q in side.measures.values():
        q.used = True
    sides.remove(side)
    return True


def _give_step_times(made: Situation, times: list[Quantity], sides: list[Observation]) -> None:
    """A step time on its own, beside steps, batches or workers."""
    measured = [s for s in sides if "time" in s.measures]
    per_step = [q for q in times if q.role == "step_time"]
    if not per_step and len(measured) == 1:
        q = measured[0].measures["time"]
        if q.role == "step_time" and made.has("share") | made.has("batch") | made.has("steps"):
            per_step = [q]
            del measured[0].measures["time"]
    for q in per_step[:1]:
        made.give("step_time", q.value, q)


def _give_deadline(
    made: Situation, times: list[Quantity], sides: list[Observation], targets: set[str]
) -> None:
    wanted = [q for q in made.scene.quantities if q.role == "deadline"]
    asks = bool(targets & {"workers", "speedup", "efficiency", "throughput", "serial"})
    for q in wanted:
        made.give("deadline", q.value, q)
    if not wanted and "workers" in targets:
        known = any("time" in s.measures for s in sides)
        if known and times:
            made.give("deadline", times[-1].value, times[-1], "the time that is wanted")
        elif len(times) >= 2:
            shortest = min(times, key=lambda q: q.value)
            made.give("deadline", shortest.value, shortest, "the time that is wanted")
        elif len(times) == 1 and (made.has("dataset") or made.has("work")):
            made.give("deadline", times[0].value, times[0], "the time that is wanted")
    if wanted and not asks and not times and not any("time" in s.measures for s in sides):
        made.givens.pop("deadline", None)
        made.give("time", wanted[0].value, wanted[0])


def _base_of_loose(made: Situation, times: list[Quantity], sides: list[Observation]) -> None:
    """A time without a worker count is the one-worker time, or the later of two."""
    if not times:
        return
    one = next((s for s in sides if s.workers == 1), None)
    if one is not None and "time" not in one.measures and one.quantity is not None:
        asked = made.scene.asked_sentences()
        one_asked = one.quantity.sentence in asked and times[0].sentence not in asked
        if one_asked and len(sides) == 1 and (made.has("speedup") or made.has("efficiency")):
            made.flags.add("asks_base")
            made.give("time", times[0].value, times[0])
            made.give("base_workers", 1.0, one.quantity)
            times.pop(0)
            sides.remove(one)
        elif not one_asked:
            one.measures["time"] = times.pop(0)
    elif (
        not sides
        and (made.has("dataset") or made.has("steps") or made.has("batch"))
        and ("workers" not in {a.target for a in made.asked})
    ):
        made.give("time", times[0].value, times[0])
        times.pop(0)
    elif one is None and made.has("cost") is False:
        first = times[0]
        unmeasured = [s for s in sides if "time" not in s.measures]
        only_cost = {a.target for a in made.asked} <= {"cost", "worker_hours"} and not made.has(
            "efficiency"
        )
        if only_cost and len(unmeasured) == 1 and len(times) == 1 and "ideal" not in made.flags:
            unmeasured[0].measures["time"] = times.pop(0)
        else:
            base = Observation(1.0, None, {"time": first})
            sides.insert(0, base)
            times.pop(0)
    if len(times) == 1 and not times[0].used:
        free = [s for s in sides if "time" not in s.measures and s.workers != 1]
        if len(free) == 1 and not any(a.target == "duration" for a in made.asked):
            free[0].measures["time"] = times[0]
        elif not free and not any(a.target == "duration" for a in made.asked):
            made.give("time", times[0].value, times[0])


def _give_rates(made: Situation, rates: list[Quantity], sides: list[Observation]) -> None:
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
    return made.scene.says(
        "per gpu throughput",
        "throughput per gpu",
        "per worker throughput",
        "throughput per worker",
        "per gpu rate",
        "rate per gpu",
        "per device throughput",
        "each gpu's throughput",
    )


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


def _give_times(made: Situation, sides: list[Observation], targets: set[str]) -> None:
    timed = [s for s in sides if "time" in s.measures]
    open_sides = [s for s in sides if "time" not in s.measures]
    if len(timed) >= 2:
        _two_times(made, timed[0], timed[-1])
        return
    if len(timed) == 1:
        _one_time(made, timed[0], open_sides, targets)
        return
    _no_time(made, sides)


def _two_times(made: Situation, low: Observation, high: Observation) -> None:
    first, second = low.measures["time"], high.measures["time"]
    made.give("base_workers", low.workers, low.quantity)
    made.give("workers", high.workers, high.quantity)
    per_step = first.role == "step_time" or second.role == "step_time" or "weak" in made.flags
    if per_step and "weak" in made.flags and "strong" not in made.flags:
        made.flags.add("weak_pair")
        made.give("base_step", first.value, first)
        made.give("new_step", second.value, second)
        return
    made.give("base_time", first.value, first)
    made.give("time", second.value, second)


def _one_time(
    made: Situation, timed: Observation, open_sides: list[Observation], targets: set[str]
) -> None:
    q = timed.measures["time"]
    asked = [s for s in open_sides if s.asked] or open_sides
    other = asked[-1] if asked else None
    if other is None:
        only_cost = targets <= {"cost", "worker_hours", "budget"} and targets
        if timed.workers > 1 and (made.has("efficiency") or made.has("speedup") or only_cost):
            made.give("workers", timed.workers, timed.quantity)
            made.give("time", q.value, q)
            return
        if timed.workers > 1 and "workers" not in targets and not _grows(made):
            made.give("workers", timed.workers, timed.quantity)
            made.give("time", q.value, q)
            return
        made.give("base_workers", timed.workers, timed.quantity)
        made.give("base_time", q.value, q)
        return
    if (
        other.workers < timed.workers
        and (other.quantity is None or not other.asked or other.workers == 1)
        and not _shrinks(made)
    ):
        made.give("workers", timed.workers, timed.quantity)
        made.give("time", q.value, q)
        made.give("base_workers", other.workers, other.quantity)
        made.flags.add("asks_base")
        return
    made.give("base_workers", timed.workers, timed.quantity)
    made.give("base_time", q.value, q)
    made.give("workers", other.workers, other.quantity)


def _grows(made: Situation) -> bool:
    from dpmodel.ask.counts import growth

    return growth(made.scene) is not None


def _shrinks(made: Situation) -> bool:
    return any(s.asked and s.quantity is None for s in made.observations)


def _no_time(made: Situation, sides: list[Observation]) -> None:
    plain = [s for s in sides if s.workers != 1] or sides
    if not plain:
        return
    if made.has("workers"):
        return
    if len(plain) >= 2 and not _linked(made, plain):
        from dpmodel.ask.situation import Clash

        texts = [s.quantity.text if s.quantity else f"{s.workers:g}" for s in plain]
        made.clashes.append(Clash(texts[0], texts[-1]))
        return
    if len(plain) >= 2:
        made.give("base_workers", plain[0].workers, plain[0].quantity)
    made.give("workers", plain[-1].workers, plain[-1].quantity)


_LINKING = frozenset(
    [
        "to",
        "->",
        "from",
        "versus",
        "vs",
        "compared",
        "than",
        "instead",
        "over",
        "and",
        "between",
        "auf",
        "zu",
        "von",
        "nach",
        "à",
        "de",
        "a",
        "y",
        "et",
        "e",
        "und",
        "para",
        ",",
        "or",
    ]
)


def _linked(made: Situation, sides: list[Observation]) -> bool:
    """Whether words join the worker counts: from 8 to 16, 8 and 16."""
    quantities = sorted(
        (s.quantity for s in sides if s.quantity is not None), key=lambda q: q.start
    )
    if len(quantities) < 2 or any(s.asked for s in sides):
        return True
    first, second = quantities[0], quantities[-1]
    if first.sentence != second.sentence:
        return True
    between = {made.scene.word(i) for i in range(first.end, second.start)}
    if made.has("comm_time", "new_comm_time"):
        return True
    bracket = "(" in between
    return bool(between & _LINKING) and not bracket
