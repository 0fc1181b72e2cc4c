"""Practice: the same for everyone, solved by the engine, fair in marking."""

from __future__ import annotations

import pytest

from dpmodel.ask import answer
from dpmodel.ask.exercises import KINDS
from dpmodel.ask.practice import exercises, mark, show
from dpmodel.errors import InputError


def test_a_seed_gives_everyone_the_same_set():
    """And another seed another one."""
    first = [e.question for e in exercises(7, count=20)]
    assert first == [e.question for e in exercises(7, count=20)]
    assert first != [e.question for e in exercises(8, count=20)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_engine_answers_its_own_exercises(kind):
    """Read from its text, each exercise gives the answer it was made with."""
    for level in (1, 2, 3):
        for given in exercises(level, [kind], level, 4):
            got = answer(given.question)
            assert got.status == "answered", given.question
            assert show(given.draft.value, given.draft).split()[0].strip("$x") in (
                f"{got.answer['value']:,.4g}",
                *(w.strip("$x.;") for w in got.sentence.split()),
            )


@pytest.mark.parametrize("kind", KINDS)
def test_right_and_wrong_answers_are_marked(kind):
    """The shown answer is right, each usual mistake is wrong and told."""
    given = exercises(3, [kind], 2, 1)[0]
    assert mark(given, given.shown).right is True
    for mistake, value in given.draft.mistakes.items():
        if abs(value - given.draft.value) > 0.05 * abs(given.draft.value):
            typed = show(value, given.draft)
            assert mark(given, typed).right is False, (mistake, typed)


@pytest.mark.parametrize("typed", ["", "abc", "about ten or 12", "?", "fast", "3 bananas 4"])
def test_what_cannot_be_read_is_never_wrong(typed):
    """It is asked again instead."""
    given = exercises(1, ["ideal_time"])[0]
    assert mark(given, typed).right is None


def test_free_forms_of_the_same_answer():
    """Hours as minutes, percent as a fraction."""
    hours = exercises(1, ["ideal_time"])[0]
    assert mark(hours, f"{hours.draft.value / 60:g} minutes").right is True
    share = exercises(1, ["efficiency"])[0]
    assert mark(share, f"{share.draft.value:g}").right is True


def test_an_unknown_kind_is_refused():
    """With the near ones named."""
    with pytest.raises(InputError, match="ideal_time"):
        exercises(1, ["ideal_tme"])
