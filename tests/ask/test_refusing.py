"""A question that lost, contradicts or corrupts a number gets no confident wrong answer."""

from __future__ import annotations

import pytest

from dpmodel.ask import answer
from tests.ask.judging import QUIZ, questions
from tests.ask.mutations import spoilt

# Of some 600 spoilt questions these few may still be answered, since they read as whole ones.
MOST_MISSED = 0.02


def _same(a: dict, b: dict) -> bool:
    if a.get("type") != b.get("type"):
        return False
    if a["type"] == "number":
        return abs(a["value"] - b["value"]) <= 0.005 * max(abs(a["value"]), 1e-30)
    return a == b


def test_spoilt_questions_get_no_wrong_answer():
    """Every quantity of every answerable quiz question: removed, contradicted, made negative."""
    asked = [q for q in questions(QUIZ / "questions.jsonl") if q["answer"]["type"] == "number"]
    tried, missed = 0, []
    for question in asked:
        right = answer(question["question"])
        if right.status != "answered":
            continue
        for how, text in spoilt(question["question"]):
            tried += 1
            got = answer(text)
            if got.status == "answered" and not _same(got.answer, right.answer):
                missed.append(f"{how}: {text} -> {got.sentence}")
    assert tried > 400
    assert len(missed) <= MOST_MISSED * tried, "\n".join(missed)


@pytest.mark.parametrize(
    ("text", "status", "named"),
    [
        ("How long does training take on 12 GPUs?", "insufficient", "one worker"),
        ("Eight GPUs finished in 6 hours. What speed-up did we get?", "insufficient", "one worker"),
        ("How many ms does an all-reduce of 2 GB over 8 GPUs take?", "insufficient", "bandwidth"),
        ("Our speed-up is 12x. Is that efficient?", "insufficient", "workers"),
        ("40 hours on one unit. How long with 0 units?", "invalid", "at least one"),
        ("At 0% efficiency, how long does a 12 h job need on 6 workers?", "invalid", "0 %"),
        ("120% of it is serial. Speed-up on 8 cores?", "invalid", "between"),
        ("A 5-hour job on two and a half GPUs, ideal. Hours?", "invalid", "whole numbers"),
        (
            "Ten workers ran at 90% efficiency with a speed-up of 7. Time of the 63-hour job?",
            "contradictory",
            "90 %",
        ),
        ("What is the capital of France?", "not_understood", ""),
        ("", "not_understood", ""),
    ],
)
def test_a_refusal_names_the_reason(text, status, named):
    """What is missing, clashing or impossible is said."""
    got = answer(text)
    assert got.status == status
    assert named in got.reason
    assert got.sentence


def test_a_missing_quantity_can_be_filled_in():
    """The role that is missing is the one an override takes."""
    asked = "How many milliseconds does an all-reduce of 2 GB over 8 GPUs take?"
    got = answer(asked)
    assert got.missing_roles == ["bandwidth"]
    filled = answer(asked, {"bandwidth": "100 Gb/s"})
    assert filled.answer == {"type": "number", "value": 280.0, "unit": "ms"}
