"""Uneven workers: a synchronous step lasts as long as its slowest worker."""

from __future__ import annotations

from dpmodel.ask.lexicon import listed
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.result import AskResult, Step
from dpmodel.ask.scene import Scene
from dpmodel.units import HOUR, UNITS, significant


def step_of(times: list[float], exchange: float) -> float:
    """Time of a synchronous step [s]: the slowest worker, then the exchange.

    Parameters
    ----------
    times : list of float
        Compute times of the workers [s].
    exchange : float
        Communication that follows [s].
    """
    return max(times) + exchange


def straggler_answer(scene: Scene, result: AskResult) -> AskResult | None:
    """Answer a question on unequal workers; None where it is no such question."""
    if not (scene.has("slow") or scene.says(*listed("stragglers_straggler_answer_6"))):
        return None
    groups = _groups(scene)
    if groups is None:
        return None
    times, exchange, unit = groups
    step = step_of(times, exchange)
    mean = sum(times) / len(times)
    zone = scene.asked_sentences()
    asks_idle = any(scene.in_sentence(s, "utilisation") for s in zone) or scene.says(
        *listed("stragglers_straggler_answer_2")
    )
    asks_share = any(
        scene.in_sentence(s, "efficiency", "percent_word") for s in zone
    ) or scene.says(*listed("stragglers_straggler_answer_3"))
    asks_gain = scene.says(*listed("stragglers_straggler_answer"))
    fastest = min(times)
    if scene.has("resource") and not asks_share:
        return _diagnosed(result, times, step, unit)
    if asks_gain and not asks_share:
        return _fill(
            result,
            (step / step_of([fastest], exchange), "x"),
            "step time over that without the slow worker",
            times,
            unit,
        )
    if scene.has("throughput") and scene.says(*listed("stragglers_straggler_answer_4")):
        lost = 1 - step_of([fastest], exchange) / step
        return _fill(
            result, (lost / UNITS["fraction"]["%"], "%"), "loss of throughput", times, unit
        )
    if asks_share:
        if scene.says(*listed("stragglers_straggler_answer_5")):
            usual = step_of([fastest], exchange)
            return _fill(
                result,
                ((step / usual - 1) / UNITS["fraction"]["%"], "%"),
                "how much longer the step takes",
                times,
                unit,
            )
        share = mean / step
        value = share if not asks_idle else 1 - share
        return _fill(
            result, (value / UNITS["fraction"]["%"], "%"), "share of the time", times, unit
        )
    idle = scene.says("idle time", "waiting time", "wait time", "time waiting", "time idle")
    if asks_idle and (idle or not scene.has("howlong", "duration")):
        return _fill(
            result,
            ((step - fastest) / UNITS["time"][unit], unit),
            "wait of a fast worker",
            times,
            unit,
        )
    return _fill(result, (step / UNITS["time"][unit], unit), "step time", times, unit)


def _diagnosed(result: AskResult, times: list[float], step: float, unit: str) -> AskResult:
    """One slow worker named as the cause, with the step's time."""
    usual = sorted(times)[len(times) // 2]
    result.status, result.kind = "answered", "straggler"
    result.answer = {
        "type": "diagnosis",
        "class": "straggler",
        "values": {
            "step_time": {"value": float(f"{step / UNITS['time'][unit]:.10g}"), "unit": unit},
            "usual_time": {"value": float(f"{usual / UNITS['time'][unit]:.10g}"), "unit": unit},
        },
    }
    slow = significant(step / UNITS["time"][unit], 4)
    result.sentence = f"One slow worker sets the pace of all: a step takes {slow} {unit}."
    return result


def _groups(scene: Scene) -> tuple[list[float], float, str] | None:
    """Compute times of the workers, the exchange that follows, and the unit."""
    timed = [q for q in scene.quantities if q.dimension == "time" and q.value < HOUR]
    exchange = sum(q.value for q in timed if q.role == "comm_time")
    times = [q for q in timed if q.role != "comm_time"]
    bare = [
        q
        for q in scene.quantities
        if q.dimension == "bare"
        or (q.dimension == "count" and q.spoken == "digits" and q.noun == "worker" and q.value > 32)
    ]
    unit = times[0].unit if times else _unit_named(scene)
    if not unit:
        return None
    if len(bare) + len(times) >= 3 and len(bare) >= 2:
        series = sorted(bare + times, key=lambda q: q.start)
        if all(b.start - a.end <= 4 for a, b in zip(series, series[1:], strict=False)):
            factor = UNITS["time"][unit]
            return (
                [q.value if q.dimension == "time" else q.value * factor for q in series],
                exchange,
                unit,
            )
    if (
        len(times) < 2
        or not scene.has("slow", "straggler_extra")
        and not scene.says(*listed("stragglers_groups"))
        and not _in_a_row(scene, times)
    ):
        return None
    if len({q.value for q in times}) < 2:
        return None
    return _counted(scene, times), exchange, unit


def _in_a_row(scene: Scene, times: list[Quantity]) -> bool:
    """Three or more times listed one after the other."""
    close = all(b.start - a.end <= 2 for a, b in zip(times, times[1:], strict=False))
    return close and len(times) >= 3


def _counted(scene: Scene, times: list[Quantity]) -> list[float]:
    """Seven workers need 100 ms, one needs 150 ms: seven and one times."""
    counts = [
        q for q in scene.quantities if q.dimension in ("count", "bare") and q.noun in ("worker", "")
    ]
    values: list[float] = []
    total = max((int(q.value) for q in counts if q.value == int(q.value)), default=len(times))
    for index, q in enumerate(times):
        before = [
            c for c in counts if c.end <= q.start and q.start - c.end <= 8 and c.clause == q.clause
        ]
        many = int(before[-1].value) if before and before[-1].value <= 4096 else 1
        if index and not before:
            many = (
                max(total - len(values), 1) if "other" in scene.flat or "rest" in scene.flat else 1
            )
        values += [q.value] * max(many, 1)
    return values


def _unit_named(scene: Scene) -> str:
    for token in scene.tokens:
        unit = scene.lexicon.units.get((token.low,))
        if unit in ("ms", "s", "us", "min"):
            return unit
    return ""


def _fill(
    result: AskResult, answer: tuple[float, str], what: str, times: list[float], unit: str
) -> AskResult:
    value, shown = answer
    result.status, result.kind = "answered", "straggler"
    result.answer = {"type": "number", "value": float(f"{value:.10g}"), "unit": shown}
    result.sentence = (
        f"{what[:1].upper()}{what[1:]}: {significant(value, 4)} {shown}. All wait for the "
        "slowest worker."
    )
    shown_times = ", ".join(significant(t / UNITS["time"][unit]) for t in times[:12])
    result.steps = [
        Step(
            "time of a synchronous step",
            "max(t_i) + exchange",
            f"max({shown_times}) {unit}",
            f"{significant(value, 4)} {shown}",
            "dpmodel.ask.stragglers.step_of",
        )
    ]
    return result
