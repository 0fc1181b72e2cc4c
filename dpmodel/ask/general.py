"""Questions that one chain of equations answers: read, check, solve, explain."""

from __future__ import annotations

import math

from dpmodel.answers import whole_workers
from dpmodel.ask import checks
from dpmodel.ask.explore import explore_link
from dpmodel.ask.goals import assume, infer, resolve
from dpmodel.ask.holes import hole
from dpmodel.ask.memory import memory_answer
from dpmodel.ask.quantities import Quantity
from dpmodel.ask.result import AskResult, Step, Understood, Value
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution, missing_for
from dpmodel.ask.wording import formula_with, in_unit, shown, symbol, words

_FLOORED = ("closeness",)


def solve_situation(made: Situation, result: AskResult) -> AskResult:
    """Answer a situation, or say why it cannot be answered."""
    wanted: list[str] = []
    units: dict[str, str] = {}
    for asked in made.asked:
        for name in resolve(made, asked):
            if name not in wanted:
                wanted.append(name)
                units[name] = asked.unit
    if wanted == ["time"] and made.has("time") and (made.has("price") or made.has("node_price")):
        wanted, units = ["cost"], {"cost": ""}  # the time is told, the price too
    if not wanted:
        wanted = infer(made)
        units = dict.fromkeys(wanted, "")
    if not wanted:
        return _nothing_asked(made, result)
    if {"time", "epoch_time"} <= set(wanted) and not made.has("epochs"):
        wanted.remove("time")  # the same thing, said twice
    result.kind = wanted[0]
    refusal = checks.invalid(made, wanted)
    if refusal:
        return _refuse(result, made, "invalid", refusal)
    if wanted == ["memory"]:
        return memory_answer(made, result, units.get("memory", ""))
    if set(wanted) == {"share", "workers"} and made.has("batch", "workers"):
        return _dealt_out(made, result)
    made.flags |= {f"wants_{name}" for name in wanted}
    stated_already = _stated_already(made, wanted)
    notes = assume(made, wanted)
    if made.clashes and not made.clashes[0].sure:
        return _unsure(made, result, [made.clashes[0].first, made.clashes[0].second])
    clash = checks.contradiction(made)
    if clash:
        return _refuse(result, made, "contradictory", clash)
    if stated_already:
        return _only_one_side(made, result, wanted)
    if len(wanted) == 1 and _two_counts(made, wanted[0]):
        return _at_both(made, result, wanted[0], units, notes)
    solution = Solution({n: g.value for n, g in made.givens.items()}, made.flags)
    for name in wanted:
        if name in made.givens and not _answers_itself(made, name):
            del solution.known[name]
    values = {name: solution.find(name) for name in wanted}
    if any(value is None for value in values.values()):
        return _lacking(made, result, solution, [n for n, v in values.items() if v is None])
    left = loose_ends(made, solution, wanted)
    if left:
        return _unsure(made, result, left)
    unsaid = _unsaid(made, solution, wanted)
    if unsaid:
        result.status, result.missing, result.missing_roles = "insufficient", unsaid, []
        result.reason = words(result.language, "missing").format(names=", ".join(unsaid))
        result.sentence, result.understood = result.reason, understood(made)
        return result
    if "share" in wanted and 0 < (values["share"] or 0.0) < 1:
        return _refuse(
            result,
            made,
            "invalid",
            "There are fewer samples than workers: some would have none. Choose at most as many workers as samples.",
        )
    gain = solution.known.get("efficiency", 0.0)
    if gain > _TOO_GOOD and made.has("workers") and "efficiency" not in made.givens:
        return _refuse(result, made, "contradictory", _too_good(solution.known))
    result.understood = understood(made)
    result.steps = steps_of(solution, units)
    result.notes = [words(result.language, note) for note in notes]
    _put_answer(made, result, {n: float(v or 0.0) for n, v in values.items()}, units)
    result.checks = checks.sanity(made, solution)
    result.explore = explore_link(solution.known, made)
    return result


_AT_COUNTS = frozenset(
    [
        "sent",
        "sent_total",
        "server_bytes",
        "comm_time",
        "speedup",
        "scaled_speedup",
        "time",
        "share",
        "lr",
    ]
)


def _two_counts(made: Situation, name: str) -> bool:
    """Whether one thing is asked at two worker counts: "with 5 nodes, and how many with 50?"."""
    asked = [s for s in made.observations if not s.measures and s.quantity is not None]
    if len(asked) < 2 or name not in _AT_COUNTS or made.has("time"):
        return False
    first, second = asked[-2].quantity, asked[-1].quantity
    if first is None or second is None or first.value == second.value:
        return False
    scene = made.scene
    zone = scene.asked_sentences()
    between = [scene.word(i) for i in range(first.end, second.start)]
    apart = not {"to", "->", "from", "instead", "than"} & set(between)
    linked = bool({"and", "und", "et", "y", "e", "和"} & set(between)) and len(between) <= 8
    from_before = scene.word(first.start - 1) in ("from", "between", "von", "de", "zwischen")
    return (
        first.sentence in zone and second.sentence in zone and linked and apart and not from_before
    )


def _at_both(
    made: Situation, result: AskResult, name: str, units: dict[str, str], notes: list[str]
) -> AskResult:
    """One thing at two worker counts."""
    asked = [s for s in made.observations if not s.measures and s.quantity is not None][-2:]
    values: dict[str, Value] = {}
    for side in asked:
        known = {n: g.value for n, g in made.givens.items()} | {"workers": side.workers}
        base = made.givens.get("base_workers")
        if base is not None and base.value in [s.workers for s in asked]:
            known["base_workers"] = 1.0
        solution = Solution(known, made.flags)
        value = solution.find(name)
        if value is None:
            return _lacking(made, result, solution, [name])
        number, unit = in_unit(name, value, units[name] or usual_unit(made, name))
        values[f"at_{side.workers:g}"] = Value(float(f"{number:.10g}"), unit)
        result.steps += steps_of(solution, units)
    result.status, result.understood = "answered", understood(made)
    result.notes = [words(result.language, note) for note in notes]
    result.answer = {"type": "numbers", "values": {k: v.document() for k, v in values.items()}}
    result.sentence = (
        "; ".join(f"{k.replace('_', ' ')}: {v.value:g} {v.unit}".strip() for k, v in values.items())
        + "."
    )
    return result


_IDLE_ROLES = frozenset(
    [
        "reference",
        "utilisation",
        "per_node",
        "placed",
        "nodes",
        "lost",
        "added",
        "growth",
        "closeness",
        "bucket",
        "micro",
        "slower",
        "ps",
        "step",
        "epoch",
        "cost_x",
    ]
)


_TOO_GOOD = 1.4


def _too_good(known: dict[str, float]) -> str:
    more = known.get("workers", 1.0) / known.get("base_workers", 1.0)
    return (
        f"{shown('speedup', known['efficiency'] * more)} from {more:g} times the workers would be "
        f"{shown('efficiency', known['efficiency'])} efficiency: the worker counts and the "
        "measurements do not fit together."
    )


def _unsaid(made: Situation, solution: Solution, wanted: list[str]) -> list[str]:
    """Quantities that the question speaks of without giving their number."""
    scene, used = made.scene, set(solution.known)
    found = []
    if scene.has("serial") and not ({"serial", "karp_flatt"} & (used | set(wanted))):
        if not scene.says("no serial", "without serial", "nothing serial"):
            found.append(words("en", "serial"))
    denied = scene.says(
        "ignore latency",
        "ignoring latency",
        "no latency",
        "neglect latency",
        "latency ignored",
        "without latency",
        "zero latency",
        "latency is negligible",
        "negligible latency",
        "latency free",
        "bandwidth only",
        "neglecting latency",
        "latency neglected",
        "latency zero",
        "latency is zero",
        "latency can be ignored",
        "ignore the latency",
        "latency is ignored",
        "ohne latenz",
        "sans latence",
        "sin latencia",
        "sem latência",
    )
    if scene.has("latency") and wanted[0] in ("comm_time", "step_time") and not denied:
        if made.givens["latency"].assumed and not scene.has("ideal"):
            found.append(words("en", "latency"))
    if scene.has("fewer") and not any(q.role in ("lost",) for q in scene.quantities):
        if (
            scene.says("taken away", "removed", "died", "crashed", "failed", "fail", "drop out")
            and made.has("workers")
            and scene.says("of them")
        ):
            found.append(words("en", "workers"))
    missing_word = hole(scene)
    if missing_word and not found:
        found.append(f"a number after “{missing_word}”")
    return found


def loose_ends(made: Situation, solution: Solution, wanted: list[str]) -> list[str]:
    """Numbers of the question that the answer does not use although they are of its kind.

    An answer that leaves out a time beside the times it uses has probably misread the question.
    """
    used = set(wanted) | {n for relation, _ in solution.chain for n in relation.needs}
    values = {round(solution.known[n], 12) for n in used if n in solution.known}
    spans = [made.givens[n].quantity for n in used if n in made.givens]
    kinds = {q.dimension for q in spans if q is not None}
    left = []
    for q in made.scene.quantities:
        if (
            any(q is s for s in spans)
            or id(q) in made.parts
            or q.role in _IDLE_ROLES
            or q.dimension not in kinds | {"share", "factor"}
        ):
            continue
        if q.dimension == "count" and q.noun not in ("worker", "sample", "token"):
            continue
        if q.noun == "worker" and used & {"rate", "base_rate"} and "workers" not in used:
            continue
        if wanted == ["new_lr"] and "workers" in used and q.noun == "sample":
            continue
        if q.dimension == "share" and any(abs(1 - q.value - v) < 1e-9 for v in values):
            continue
        if q.noun == "worker" and "node_price" in used:
            continue
        if q.role == "compute_time" and set(wanted) & {"exposed", "hidden", "comm_time"}:
            continue
        base = made.givens.get("base_time")
        if set(wanted) <= {"cost", "worker_seconds"} and base is not None and base.quantity is q:
            continue
        if q.noun == "worker" and _elsewhere(made, q, spans):
            continue
        if q.noun != "worker" and _made_of(q.value, [v for v in values if v > 0]):
            continue
        one = q.value == 1 and (
            q.noun != "worker" or solution.known.get("base_workers", 1.0) == 1.0
        )
        if round(q.value, 12) in values or one or q.spoken == "article":
            continue
        left.append(q.text)
    return left


def _elsewhere(made: Situation, q: Quantity, spans: list[Quantity | None]) -> bool:
    """Whether a worker count stands in a sentence that has no part in the question."""
    sentences = {s.sentence for s in spans if s is not None} | made.scene.asked_sentences()
    return q.sentence not in sentences


def _made_of(value: float, others: list[float]) -> bool:
    """Whether a number only repeats a sum or a difference of two others."""
    close = 1e-6 * max(abs(value), 1e-12)
    return any(
        abs(value - (a + sign * b)) < close for a in others for b in others for sign in (1, -1)
    )


def _unsure(made: Situation, result: AskResult, left: list[str]) -> AskResult:
    result.status = "not_understood"
    result.reason = result.sentence = (
        "The question could be read in several ways: it is not clear what "
        + " and ".join(f"“{text}”" for text in left[:3])
        + " stands for."
    )
    result.understood = understood(made)
    return result


def _answers_itself(made: Situation, name: str) -> bool:
    return made.givens[name].quantity is None or name not in ("workers", "share", "batch")


def _stated_already(made: Situation, wanted: list[str]) -> bool:
    """Whether what is asked is one of the numbers given, so that something else must be meant."""
    given = made.givens.get(wanted[0])
    alone = len(wanted) == 1 and given is not None and given.quantity is not None
    return alone and wanted[0] in _ASKED_ONCE


_ASKED_ONCE = frozenset(
    [
        "time",
        "base_time",
        "rate",
        "speedup",
        "efficiency",
        "serial",
        "comm_time",
        "step_time",
        "steps",
    ]
)


def _only_one_side(made: Situation, result: AskResult, wanted: list[str]) -> AskResult:
    result.status = "insufficient"
    result.missing_roles = ["workers"]
    result.missing = [words("en", "workers"), "a baseline or another number of workers"]
    result.reason = result.sentence = words(result.language, "missing").format(
        names=", ".join(result.missing)
    )
    result.understood = understood(made)
    return result


def _nothing_asked(made: Situation, result: AskResult) -> AskResult:
    result.understood = understood(made)
    result.reason = words(result.language, "not_understood")
    result.sentence = result.reason
    return result


def _refuse(result: AskResult, made: Situation, status: str, reason: str) -> AskResult:
    result.status, result.reason, result.sentence = status, reason, reason
    result.understood = understood(made)
    return result


def _lacking(made: Situation, result: AskResult, solution: Solution, names: list[str]) -> AskResult:
    if solution.refusal is not None:
        return _refuse(result, made, "invalid", str(solution.refusal))
    lacking: list[str] = []
    stated = {n for n, g in made.givens.items() if not g.assumed}
    for name in names:
        for one in missing_for(name, solution.known, made.flags, stated):
            if one not in lacking:
                lacking.append(one)
    result.status, result.missing_roles = "insufficient", lacking
    result.missing = [_missing_name(result.language, made, name) for name in lacking]
    said = words(result.language, "missing").format(names=", ".join(result.missing))
    result.reason = result.sentence = said
    result.understood = understood(made)
    return result


def _missing_name(language: str, made: Situation, name: str) -> str:
    own = words(language, name)
    english = words("en", name)
    return own if own == english else f"{own} ({english})"


def understood(made: Situation) -> list[Understood]:
    """Every given variable as it was read."""
    found = []
    for name, given in made.givens.items():
        q = given.quantity
        value, unit = in_unit(name, given.value, "" if q is None else q.unit)
        found.append(
            Understood(
                role=name,
                label=words("en", name),
                value=float(f"{value:.10g}"),
                unit=unit,
                text="" if q is None else q.text,
                span=None if q is None else q.span,
                why=given.why,
                assumed=given.assumed,
            )
        )
    return found


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


def _put_answer(
    made: Situation, result: AskResult, values: dict[str, float], units: dict[str, str]
) -> None:
    found = {}
    for name, value in values.items():
        value = _whole(made, name, value)
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


def _dealt_out(made: Situation, result: AskResult) -> AskResult:
    """The largest shard and how many workers get one of that size."""
    batch, workers = made.givens["batch"].value, made.givens["workers"].value
    left, largest = int(batch) % int(workers), math.ceil(batch / workers)
    result.status, result.kind, result.understood = "answered", "share", understood(made)
    result.answer = {
        "type": "numbers",
        "values": {
            "share": {"value": float(largest), "unit": "samples"},
            "workers": {"value": float(left or workers), "unit": "workers"},
        },
    }
    result.sentence = f"The largest share is {largest} samples, on {left or int(workers)} workers."
    return result


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
