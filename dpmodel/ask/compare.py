"""Choose among options: worker counts with their efficiencies, times or prices."""

from __future__ import annotations

from dataclasses import dataclass

from dpmodel import laws
from dpmodel.ask.points import Points
from dpmodel.ask.result import AskResult, Step
from dpmodel.ask.situation import Situation
from dpmodel.ask.wording import shown
from dpmodel.units import significant


@dataclass(frozen=True)
class Option:
    """One worker count with its time [s] and worker-time [s]."""

    workers: float
    time: float
    cost: float


def compare_answer(
    made: Situation, result: AskResult, points: Points | None = None
) -> AskResult | None:
    """Answer "which count is cheapest and in time"; None where no options are given."""
    scene = made.scene
    if not (
        scene.has("cheapest")
        or scene.says(
            "which",
            "should we",
            "best choice",
            "how much more",
            "how much cheaper",
            "how much less",
            "difference in cost",
        )
    ):
        return None
    if not (
        made.has("price")
        or made.has("node_price")
        or made.has("deadline")
        or scene.has("cheapest")
        or scene.says("fastest")
    ):
        return None
    measured = [s for s in made.observations if {"efficiency", "time", "speedup"} & set(s.measures)]
    measured = [s for s in measured if s.workers > 1 or "efficiency" not in s.measures]
    chooses = scene.has("cheapest") or scene.says("deadline", "budget", "in time")
    lacking = _lacking(made) if chooses and measured else []
    if lacking:
        result.status, result.missing = "insufficient", lacking
        result.reason = result.sentence = (
            "To answer this, " + ", ".join(lacking) + " must be known."
        )
        return result
    price = made.value("price") or (made.value("node_price"))
    one = made.value("base_time") if made.value("base_workers") in (None, 1.0) else None
    options = []
    for side in measured:
        time = _time(side.workers, side, one)
        if time is not None:
            options.append(Option(side.workers, time, time * side.workers * (price or 1.0)))
    if len(options) < 2 and points is not None and points.kind == "time":
        options = [Option(n, t, t * n * (price or 1.0)) for n, t in points.values.items()]
    if len(options) < 2 and one is None and any("efficiency" in s.measures for s in measured):
        if made.has("deadline") or price:
            result.status, result.missing = "insufficient", ["time on one worker"]
            result.reason = result.sentence = (
                "To answer this, the time on one worker must be known."
            )
            return result
    if len(options) < 2:
        return None
    return _choose(made, result, options, price)


def _lacking(made: Situation) -> list[str]:
    """What the words speak of without a number: a deadline, a price, an option's efficiency."""
    scene, lacking = made.scene, []
    if scene.says("deadline") and not made.has("deadline"):
        lacking.append("deadline")
    if scene.says("price") and not (made.has("price") or made.has("node_price")):
        lacking.append("price per worker-hour")
    bare = [s for s in made.observations if not s.measures and s.workers > 1]
    free = [q for q in scene.quantities if q.role == "efficiency"]
    measured = sum("efficiency" in s.measures for s in made.observations)
    if bare or len(free) > measured:
        lacking.append("the efficiency or number of workers of every option")
    return lacking


def _time(workers: float, side: object, one: float | None) -> float | None:
    value = side.value  # type: ignore[attr-defined]
    if value("time") is not None:
        return float(value("time"))
    if one is None:
        return None
    if value("efficiency") is not None and value("efficiency") > 0:
        return float(laws.ideal_time(one, workers, value("efficiency")))
    if value("speedup"):
        return one / float(value("speedup"))
    return None


def _choose(
    made: Situation, result: AskResult, options: list[Option], price: float | None
) -> AskResult | None:
    scene = made.scene
    deadline, budget = made.value("deadline"), made.value("budget")
    good = [o for o in options if deadline is None or o.time <= deadline * (1 + 1e-9)]
    good = [o for o in good if budget is None or o.cost <= budget * (1 + 1e-9)]
    if (
        deadline is None
        and budget is None
        and price is None
        and not scene.has("cheapest")
        and not scene.says("fastest")
    ):
        return None
    result.status, result.kind = "answered", "choose_option"
    result.steps = [
        Step(
            f"{o.workers:g} workers",
            "T(N), N T(N) price",
            f"{shown('time', o.time)}",
            f"{shown('cost', o.cost)}" if price else f"{significant(o.cost / 3600.0)} worker-hours",
            "dpmodel.laws.ideal_time",
        )
        for o in options
    ]
    if not good:
        result.status = "invalid"
        result.reason = result.sentence = "None of the options meets the deadline and the budget."
        return result
    if (
        len(options) == 2
        and price
        and scene.says(
            "how much more", "how much cheaper", "how much less", "difference in cost", "extra cost"
        )
    ):
        apart = abs(options[0].cost - options[1].cost)
        result.answer = {"type": "number", "value": float(f"{apart:.10g}"), "unit": "USD"}
        result.sentence = f"The costs differ by {shown('cost', apart)}."
        return result
    fastest = scene.says("fastest") or (budget is not None and deadline is None)
    best = min(good, key=lambda o: (o.time if fastest else o.cost, o.time))
    values: dict[str, dict[str, float | str]] = {
        "workers": {"value": best.workers, "unit": "workers"}
    }
    if (
        scene.has("cost", "price")
        and price
        and scene.says("cost", "costs", "bill", "price", "pay", "how much")
    ):
        values["cost"] = {"value": float(f"{best.cost:.10g}"), "unit": "USD"}
    if scene.says("how long", "time does it take", "finish when"):
        values["time"] = {"value": best.time / 3600.0, "unit": "h"}
    if len(values) == 1 or not _asks_cost(made):
        result.answer = {"type": "number", **values["workers"]}
    else:
        result.answer = {"type": "numbers", "values": values}
    cost = f", {shown('cost', best.cost)}" if price else ""
    result.sentence = f"{best.workers:g} workers: {shown('time', best.time)}{cost}."
    return result


def _asks_cost(made: Situation) -> bool:
    return any(a.target in ("cost", "duration") for a in made.asked)
