"""Multiple choice: compute and choose, name the cause and choose, or ask the concept cards."""

from __future__ import annotations

import re

from dpmodel.ask.bottleneck import choose_cause
from dpmodel.ask.choices import numeric_choice
from dpmodel.ask.concepts import choose, spaced
from dpmodel.ask.facts import choose_by_facts
from dpmodel.ask.general import solve_situation
from dpmodel.ask.gloss import with_english
from dpmodel.ask.result import AskResult
from dpmodel.ask.scene import Scene
from dpmodel.ask.series import diagnose
from dpmodel.ask.series_answer import hints_of, series_answer, series_points
from dpmodel.ask.situation import situate

_INVERTED = re.compile(
    r"\bNOT\b|\bLEAST\b|\bEXCEPT\b|\bleast\b|\bexcept\b|\bincorrect\b|\bunlikely\b|\buntrue\b"
    r"|\b(?:is|are) (?:not|false|wrong)\b|(?:would|does|will|do|can) not (?:help|reduce|improve|speed)|\bnicht\b|\bno (?:es|ayuda)\b|n'est pas"
)


def choice_answer(stem: str, options: dict[str, str], result: AskResult) -> AskResult | None:
    """Choose one option; None where no way of choosing is sure."""
    scene = Scene(stem)
    english = with_english(stem, scene.language)
    told = {letter: with_english(text, scene.language) for letter, text in options.items()}
    numeric = sum(bool(Scene(text, scene.language).quantities) for text in options.values())
    points = series_points(Scene(stem), stem)
    if numeric >= max(2, len(options) - 1):
        chosen = _computed(stem, options, result)
        if chosen:
            return chosen
    if scene.has("resource", "why") or points is not None or _about_cause(english):
        name = diagnose(points, hints_of(scene)).name if points is not None else ""
        letter, _ = choose_cause(english, told, name)
        if letter:
            return _fill(result, letter, options, f"The signs point to: {options[letter]}.")
    chosen = _by_cards(english, told, result)
    if chosen is not None:
        return chosen
    letter, fact = choose_by_facts(english, told, bool(_INVERTED.search(stem)))
    if letter:
        return _fill(result, letter, options, fact[:1].upper() + fact[1:] + ".")
    letter, _ = choose_cause(english, told, "")
    return (
        _fill(result, letter, options, f"The signs point to: {options[letter]}.")
        if letter
        else None
    )


def _about_cause(stem: str) -> bool:
    flat = spaced(stem)
    return any(
        word in flat
        for word in (
            " check first ",
            " bottleneck ",
            " most likely ",
            " best explanation ",
            " suspect ",
            " cause ",
            " holding back ",
            " limits ",
            " fix ",
            " first ",
            " explains ",
            " diagnosis ",
            " remedy ",
        )
    )


def _computed(stem: str, options: dict[str, str], result: AskResult) -> AskResult | None:
    scene = Scene(stem)
    points = series_points(scene, stem)
    if points is not None and points.asked:
        solved = series_answer(scene, points, AskResult(stem))
    else:
        solved = solve_situation(situate(scene), AskResult(stem, language=scene.language))
    if solved.status != "answered" or solved.answer.get("type") != "number":
        return None
    shown = float(solved.answer["value"])
    factor = _si_factor(str(solved.answer.get("unit", "")))
    letter = numeric_choice(options, shown * factor, shown, scene.language, solved.kind)
    if not letter:
        return None
    result.steps, result.understood = solved.steps, solved.understood
    result.explore = solved.explore
    return _fill(result, letter, options, solved.sentence)


def _si_factor(unit: str) -> float:
    from dpmodel.units import UNITS

    for table in ("time", "data", "rate", "fraction"):
        if unit and unit in UNITS[table]:
            return UNITS[table][unit]
    return 1.0


def _by_cards(stem: str, options: dict[str, str], result: AskResult) -> AskResult | None:
    inverted = bool(_INVERTED.search(stem))
    letter, card = choose(stem, options, inverted)
    return _fill(result, letter, options, card.reason if card else "") if letter else None


def _fill(result: AskResult, letter: str, options: dict[str, str], reason: str) -> AskResult:
    result.status, result.kind, result.reason = "answered", "multiple_choice", reason
    result.answer = {"type": "choice", "choice": letter, "choice_text": options[letter]}
    result.sentence = f"{letter}) {options[letter]}. {reason}"
    return result
