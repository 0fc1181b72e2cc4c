"""Judge answers the way the quiz's own script does, in process."""

from __future__ import annotations

import collections
import importlib.util
import json
from pathlib import Path

import pytest

from dpmodel.ask import answer

ROOT = Path(__file__).parents[2]
QUIZ = ROOT.parent / "shared" / "quiz"
BLIND = ROOT / "tests" / "data" / "blind_questions.jsonl"


def score_module():
    """Load the quiz's scoring script, or skip where it is not there."""
    path = QUIZ / "score.py"
    if not path.exists():
        pytest.skip(f"the quiz is not beside this checkout: {path} is missing")
    spec = importlib.util.spec_from_file_location("quiz_score", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def questions(path: Path) -> list[dict]:
    """Read a file of questions, or skip where it is not there."""
    if not path.exists():
        pytest.skip(f"{path} is missing")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def shares(asked: list[dict]) -> tuple[dict[str, float], list[str]]:
    """Percentages of right, abstained and WRONG answers, and what was not right."""
    judge = score_module().judge
    counts, failed = collections.Counter(), []
    for question in asked:
        document = json.loads(json.dumps(answer(question["question"]).document()))
        verdict = judge(question, document)
        counts[verdict] += 1
        if verdict != "right":
            failed.append(f"{verdict}: {question['id']} {question['question'][:90]}")
    return {v: 100 * counts[v] / len(asked) for v in ("right", "abstained", "WRONG")}, failed
