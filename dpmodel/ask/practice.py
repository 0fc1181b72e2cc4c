"""Practice: endless questions from a seed, and marking of what a person types."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from dpmodel.ask.answer import answer
from dpmodel.ask.exercises import KINDS, Draft
from dpmodel.ask.scene import Scene
from dpmodel.errors import InputError, near_matches
from dpmodel.units import UNITS, significant

LEVELS = (1, 2, 3)
TOLERANCE = 0.02


@dataclass(frozen=True)
class Exercise:
    """One practice question with its answer and worked solution."""

    kind: str
    label: str
    level: int
    question: str
    draft: Draft

    @property
    def shown(self) -> str:
        """The answer with its unit, as on a solution sheet."""
        return show(self.draft.value, self.draft)

    @property
    def solution(self) -> list[str]:
        """The worked solution, line by line, from the same engine that answers questions."""
        worked = answer(self.question)
        return [step.line() for step in worked.steps] or [self.shown]


@dataclass(frozen=True)
class Mark:
    """What came of an answer: right, wrong, or None where it could not be read."""

    right: bool | None
    feedback: str
    mistake: str = ""


def exercises(
    seed: int, kinds: Sequence[str] = (), level: int = 1, count: int = 10
) -> list[Exercise]:
    """Make a set of questions, the same for everyone with the same arguments.

    Parameters
    ----------
    seed : int
        Any whole number; a class that shares it gets the same set.
    kinds : sequence of str
        Keys of `KINDS`; all of them where left out.
    level : int
        1 to 3: how awkward the numbers are.
    count : int
        How many questions.

    Returns
    -------
    list of Exercise
        In the order to be asked.

    Raises
    ------
    InputError
        An unknown kind.
    """
    chosen = list(kinds) or list(KINDS)
    for kind in chosen:
        if kind not in KINDS:
            raise InputError(
                asked=f"'{kind[:40]}' cannot be practised",
                given=f"'{kind[:40]}'",
                rule="no kind of question has that name",
                way_out=near_matches(kind, list(KINDS)),
            )
    dice = random.Random(f"{seed}|{','.join(chosen)}|{level}")
    made: list[Exercise] = []
    while len(made) < count:
        order = list(chosen)
        dice.shuffle(order)
        made += [exercise(kind, dice, level) for kind in order]
    return made[:count]


def exercise(kind: str, dice: random.Random, level: int = 1) -> Exercise:
    """Make one question of a kind with the given dice."""
    maker, label = KINDS[kind]
    draft = maker(dice, min(max(level, 1), len(LEVELS)))
    return Exercise(kind, label, level, draft.text, draft)


def show(value: float, draft: Draft) -> str:
    """Write an SI value in the unit an exercise asks for."""
    factor = _factor(draft.unit, draft.dimension)
    text = significant(value / factor, 4)
    return f"${text}" if draft.unit == "USD" else f"{text} {draft.unit}".strip()


def _factor(unit: str, dimension: str) -> float:
    table = UNITS.get({"share": "fraction"}.get(dimension, dimension), {})
    return table.get(unit, 1.0)


def mark(given: Exercise, typed: str) -> Mark:
    """Mark a typed answer, with a word on the mistake where it is a usual one.

    A bare number is taken in the unit asked for. What cannot be read is never marked wrong.

    Parameters
    ----------
    given : Exercise
        The question.
    typed : str
        The answer as typed: "2h 30m", "12.5", "85 %", "0.85".
    """
    draft = given.draft
    values = _read(typed, draft)
    if not values:
        return Mark(
            None, f"This could not be read as a number. Write for example {_example(draft)}."
        )
    for value in values:
        if _near(value, draft.value):
            return Mark(True, f"Right: {given.shown}.")
    for mistake, wrong in draft.mistakes.items():
        if any(_near(value, wrong) for value in values):
            return Mark(False, f"Not quite: {mistake}. The answer is {given.shown}.", mistake)
    off = _general_mistake(values[0], draft)
    hint = f"Not quite: {off}. " if off else "Not quite. "
    return Mark(False, f"{hint}The answer is {given.shown}.", off)


def _near(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= TOLERANCE * max(abs(wanted), 1e-30)


def _example(draft: Draft) -> str:
    return {"time": "2.5 h", "data": "3.5 GB", "share": "85 %", "money": "$120"}.get(
        draft.dimension, "12.5"
    )


def _read(typed: str, draft: Draft) -> list[float]:
    """Readings of a typed answer in SI: as it stands and, without a unit, in the unit asked for."""
    found = Scene(typed, "en").quantities
    if len(found) != 1:
        return []
    q = found[0]
    matching = {"time": "time", "data": "data", "share": "share", "money": "money"}
    wanted = matching.get(draft.dimension)
    if wanted is None:
        return [q.value] if q.dimension in ("bare", "count", "factor", "lr") else []
    if q.dimension == wanted:
        return [q.value]
    if q.dimension not in ("bare", "count"):
        return []
    readings = [q.value * _factor(draft.unit, draft.dimension)]
    # A share may be typed as 0.85 for 85 %.
    if draft.dimension == "share" and q.value <= 1 and draft.value > UNITS["fraction"]["%"]:
        readings = [q.value]
    return readings


def _general_mistake(value: float, draft: Draft) -> str:
    ratio = value / draft.value if draft.value else 0.0
    for factor, words in (
        (1024 / 1000, "GiB and GB mixed up"),
        (60, "minutes and hours mixed up"),
        (3600, "seconds and hours mixed up"),
        (1000, "a factor of 1,000 in the unit"),
        (100, "percent and fraction mixed up"),
    ):
        if _near(ratio, factor) or _near(ratio, 1 / factor):
            return words
    return ""
