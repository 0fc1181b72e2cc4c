"""Answer one question: choose the way it is answered, and never fail on any text."""

from __future__ import annotations

from collections.abc import Mapping

from dpmodel.ask import checks
from dpmodel.ask.choices import split_items, split_options
from dpmodel.ask.claims import bare_claim, claim_answer, is_statement
from dpmodel.ask.compare import compare_answer
from dpmodel.ask.essay import CAUSES, essay_answer
from dpmodel.ask.formula import formula_answer
from dpmodel.ask.general import solve_situation, understood
from dpmodel.ask.gradients import gradient_answer
from dpmodel.ask.multiple import choice_answer
from dpmodel.ask.ordering import order_answer
from dpmodel.ask.overrides import apply_overrides
from dpmodel.ask.points import Points, rows_as_sentences
from dpmodel.ask.result import AskResult
from dpmodel.ask.scene import Scene
from dpmodel.ask.series_answer import series_answer, series_points
from dpmodel.ask.situation import Situation, situate
from dpmodel.ask.stragglers import straggler_answer
from dpmodel.ask.text import clean
from dpmodel.ask.wording import words
from dpmodel.errors import InputError

KINDS = (
    "time on N workers",
    "workers for a deadline",
    "speed-up and efficiency",
    "Amdahl and Gustafson",
    "throughput, epochs and steps",
    "bytes and time of an all-reduce",
    "cost and worker-hours",
    "a measured series",
    "true or false",
    "multiple choice",
    "the order of one training step",
)


def answer(question: str, overrides: Mapping[str, str] | None = None) -> AskResult:
    """Answer a question about data-parallel training, asked in plain words.

    Parameters
    ----------
    question : str
        The question in English, German, French, Spanish, Portuguese or Chinese.
    overrides : mapping of str to str, optional
        Corrected quantities: role to text, such as ``{"workers": "7", "base_time": "13.5 h"}``.

    Returns
    -------
    AskResult
        The answer with its working, or a refusal that says why.
    """
    asked, question = question, rows_as_sentences(question)
    scene = Scene(question)
    result = AskResult(asked, language=scene.language)
    try:
        found = _by_form(scene, question, result)
        if found is None:
            found = _by_content(scene, question, result, overrides or {})
    except InputError as error:
        found = AskResult(asked, "invalid", language=scene.language)
        found.reason = found.sentence = str(error)
    except ArithmeticError:
        found = AskResult(asked, "invalid", language=scene.language)
        found.reason = found.sentence = "These numbers are beyond what can be computed."
    if found.status == "not_understood":
        found.nearest = found.nearest or list(KINDS)
        found.reason = found.reason or words(found.language, "not_understood")
        found.sentence = found.sentence or found.reason
    return found


def _by_form(scene: Scene, question: str, result: AskResult) -> AskResult | None:
    """Questions told by their form: ordering, options, true or false."""
    stem, options = split_options(clean(question))
    if scene.has("order") or _lists_steps(question):
        ordered = order_answer(question, result)
        if ordered is not None:
            return ordered
        if scene.has("order") and (options or len(split_items(question)[1]) >= 3):
            return _unsure(result, "The events to order could not all be told apart.")
    if options:
        chosen = choice_answer(stem, options, result)
        return chosen or _unsure(result, "No option could be singled out.")
    claim, asked = bare_claim(question)
    if asked or is_statement(scene, claim):
        judged = claim_answer(claim, result, asked)
        if judged is not None:
            return judged
        if asked:
            return _unsure(result, "This statement could be neither computed nor looked up.")
    return None


def _lists_steps(question: str) -> bool:
    from dpmodel.ask.ordering import order_items

    items, stages = order_items(question)
    return len(items) >= 4 and len(stages) == len(items) and len(set(stages.values())) >= 4


def _unsure(result: AskResult, reason: str) -> AskResult:
    result.status, result.reason, result.sentence = "not_understood", reason, reason
    return result


def _by_content(
    scene: Scene, question: str, result: AskResult, overrides: Mapping[str, str]
) -> AskResult:
    formula = formula_answer(scene, result)
    if formula is not None:
        return formula
    points = series_points(Scene(question), question)
    averaged = gradient_answer(scene, result) if points is None else None
    if averaged is not None:
        return averaged
    made = situate(scene)
    if overrides:
        apply_overrides(made, overrides)
        return solve_situation(made, result)
    impossible = checks.invalid(made, [])
    if impossible and (points is None or "negative" in impossible):
        result.status, result.reason, result.sentence = "invalid", impossible, impossible
        result.understood = understood(made)
        return result
    slow = (
        straggler_answer(scene, result)
        if (points is None or _of_ranks(scene)) and not made.has("price")
        else None
    )
    if slow is not None:
        return slow
    chosen = compare_answer(made, result, points)
    if chosen is not None:
        return chosen
    if points is not None:
        return series_answer(scene, points, result)
    pair = (
        _pair_of(made)
        if points is None and scene.has("resource") and not scene.has("why")
        else None
    )
    if pair is not None:
        return series_answer(scene, pair, result)
    strong = {a.target for a in made.asked} - {"duration", "data", "throughput"}
    if strong and not scene.has("strategy"):
        solved = solve_situation(made, AskResult(question, language=scene.language))
        if solved.status != "insufficient" or not _asks_why(scene):
            if _asks_why(scene) and solved.status == "answered":
                solved.notes += CAUSES
            return solved
    return _opened(scene, made, result) or solve_situation(made, result)


def _asks_why(scene: Scene) -> bool:
    return any(scene.in_sentence(s, "why", "resource") for s in scene.asked_sentences())


def _opened(scene: Scene, made: Situation, result: AskResult) -> AskResult | None:
    """Open questions: why, name the reasons, evaluate the plan."""
    zone = scene.asked_sentences()
    evaluates = any(scene.in_sentence(s, "strategy") for s in zone)
    why = any(scene.in_sentence(s, "why", "resource") for s in zone)
    if not (evaluates or why):
        return None
    if (
        made.asked
        and made.asked[0].target in ("speedup", "efficiency")
        and not scene.says("why", "evaluate")
    ):
        return None
    whys = any(scene.in_sentence(s, "why") for s in zone)
    if made.has("workers") and not _enough(made) and why and not evaluates and not whys:
        return _one_point(made, result)
    return essay_answer(made, result, evaluates)


def _enough(made: Situation) -> bool:
    measured = (
        made.has("base_time", "time") or made.has("base_rate", "rate") or made.has("ideal_time")
    )
    return measured or made.has("compute_time") or not made.scene.quantities


def _one_point(made: Situation, result: AskResult) -> AskResult:
    result.status, result.kind = "insufficient", "open_analysis"
    result.understood = understood(made)
    result.missing = [
        "measurements at more worker counts",
        "compute, communication and data-loading breakdown of a step",
    ]
    result.missing_roles = ["points"]
    result.reason = result.sentence = (
        "One point cannot separate the causes: measurements at more worker counts, or a breakdown "
        "of the step into compute, communication and data loading, are missing."
    )
    return result


def _of_ranks(scene: Scene) -> bool:
    """Times listed worker by worker, not count by count."""
    return scene.says(
        "compute times", "compute time of a step", "per rank", "step times of", "times of the"
    )


def _pair_of(made: Situation) -> Points | None:
    """Two measured points, where a bottleneck is asked: too few, but worth their numbers."""
    for kind in ("rate", "time"):
        measured = {s.workers: s.measures[kind] for s in made.observations if kind in s.measures}
        told = "bottleneck" in made.scene.flat or made.scene.says(
            "two measurements", "two points", "what can be said"
        )
        if len(measured) == 2 and told:
            unit = "samples/s" if kind == "rate" else next(iter(measured.values())).unit
            return Points({n: q.value for n, q in measured.items()}, kind, unit)
    return None
