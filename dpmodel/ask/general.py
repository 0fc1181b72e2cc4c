"""Questions that one chain of equations answers: read, check, solve, explain."""

from __future__ import annotations

import math

from dpmodel.ask import checks
from dpmodel.ask.answer_shape import put_answer, steps_of, usual_unit
from dpmodel.ask.explore import explore_link
from dpmodel.ask.goals import assume, infer, resolve
from dpmodel.ask.lexicon import listed
from dpmodel.ask.loose_ends import loose_ends
from dpmodel.ask.memory import memory_answer
from dpmodel.ask.result import AskResult, Understood, Value
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution, missing_for
from dpmodel.ask.unsaid import TOO_GOOD, too_good, unsaid_names
from dpmodel.ask.wording import in_unit, words


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
    unsaid = unsaid_names(made, solution, wanted)
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
            (
                "There are fewer samples than workers: some would have none. Choose at most "
                "as many workers as samples."
            ),
        )
    gain = solution.known.get("efficiency", 0.0)
    if gain > TOO_GOOD and made.has("workers") and "efficiency" not in made.givens:
        return _refuse(result, made, "contradictory", too_good(solution.known))
    result.understood = understood(made)
    result.steps = steps_of(solution, units)
    result.notes = [words(result.language, note) for note in notes]
    put_answer(made, result, {n: float(v or 0.0) for n, v in values.items()}, units)
    result.checks = checks.sanity(made, solution)
    result.explore = explore_link(solution.known, made)
    return result


_AT_COUNTS = frozenset(listed("general_at_counts"))


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


_ASKED_ONCE = frozenset(listed("general_asked_once"))


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
