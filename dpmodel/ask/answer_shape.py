"""From solved variables to the answer with its unit, sentence and steps."""

from __future__ import annotations

import math

from dpmodel.answers import whole_workers
from dpmodel.ask.result import AskResult, Step, Value
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution
from dpmodel.ask.wording import formula_with, in_unit, shown, symbol, words


def steps_of(solution: Solution, units: dict[str, str]) -> list[Step]:
    """The chain of equations as worked steps."""
    made = []
    for relation, value in solution.chain:
        made.append(
            Step(
                what=f"{words('en', relation.target)} {symbol(relation.target)}",
                formula=formula_with(relation.formula, relation.needs, None),
                substitution=formula_with(relation.formula, relation.needs, solution.known),
                result=shown(relation.target, value, units.get(relation.target, "")),
                source=f"{relation.law.__module__}.{getattr(relation.law, '__name__', '')}",
            )
        )
    return made


def put_answer(
    made: Situation, result: AskResult, values: dict[str, float], units: dict[str, str]
) -> None:
    """Fill the answer, its unit and its sentence from solved values in SI."""
    found = {}
    for name, exact in values.items():
        value = _whole(made, name, exact)
        number, unit = in_unit(name, value, units[name] or usual_unit(made, name))
        if name in ("worker_seconds", "extra_seconds"):
            unit = hours_of(made, unit)
        found[name] = Value(float(f"{number:.10g}"), unit)
    result.status = "answered"
    if len(found) == 1:
        result.answer = {"type": "number", **next(iter(found.values())).document()}
    else:
        result.answer = {"type": "numbers", "values": {n: v.document() for n, v in found.items()}}
    result.sentence = sentence(result.language, made, values, units)


def hours_of(made: Situation, unit: str) -> str:
    """GPU-hours, node-hours or worker-hours, as the question calls them."""
    span = {"h": "hours", "d": "days", "s": "seconds", "min": "minutes"}.get(unit, unit)
    for thing in ("GPU", "node", "machine", "TPU", "core"):
        if made.scene.says(f"{thing} hours", f"{thing} hour", f"{thing} days", f"{thing}s"):
            return f"{thing}-{span}"
    return f"worker-{span}"


def _whole(made: Situation, name: str, value: float) -> float:
    if name == "workers":
        if made.has("efficiency", "serial") and not made.has("base_time"):
            return math.floor(value * (1 + 1e-9))
        if made.has("budget"):
            return math.floor(value * (1 + 1e-9))
        return float(whole_workers(max(value, 1.0)))
    if name == "share" and made.scene.says("largest", "biggest", "most samples", "largest share"):
        return float(whole_workers(value))
    if name == "share" and made.scene.says("smallest", "fewest samples"):
        return math.floor(value * (1 + 1e-12))
    if name == "micro":
        return float(whole_workers(max(value, 1.0)))
    return value


def usual_unit(made: Situation, name: str) -> str:
    """The unit of a given quantity of the same kind, so that hours are answered in hours."""
    from dpmodel.ask import wording

    for kind in (wording.TIMES, wording.DATA, wording.RATES, wording.THROUGHPUTS, wording.MONEY):
        if name not in kind:
            continue
        for other, given in made.givens.items():
            alike = other in kind and given.quantity is not None
            if alike and other not in ("bytes_per_param", "latency"):
                return _unit_of(made, given.quantity)
        if kind is wording.MONEY:
            price = next((q for q in made.scene.quantities if q.role == "price"), None)
            return price.unit if price is not None else "USD"
    return ""


def _unit_of(made: Situation, quantity: object) -> str:
    unit = getattr(quantity, "unit", "")
    if getattr(quantity, "dimension", "") == "throughput":
        noun = getattr(quantity, "noun", "")
        return "tokens/s" if noun == "token" else "samples/s"
    return "" if unit in ("month", "year") else unit


def sentence(
    language: str, made: Situation, values: dict[str, float], units: dict[str, str]
) -> str:
    """The answer in one sentence of the question's language."""
    parts = []
    for name, value in values.items():
        unit = units[name] or usual_unit(made, name)
        text = shown(name, _whole(made, name, value), unit)
        what = words(language, name)
        workers = made.value("workers")
        if name == "time" and workers is not None:
            what += " " + words(language, "on").format(workers=f"{workers:g}")
        parts.append(words(language, "answer").format(name=what[:1].upper() + what[1:], value=text))
    return "; ".join(parts) + ("。" if language == "zh" else ".")
