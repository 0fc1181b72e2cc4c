"""The command `ask`: a question, JSON, and lines."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.ask.judging import ROOT


def _run(*arguments: str, feed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpmodel", "ask", *arguments],
        input=feed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )


def test_a_question_is_answered_for_a_person():
    """The answer first, then the reading, the working and the link."""
    done = _run("40 hours on one unit, 8 workers, how long?")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Training time on 8 workers: 5 h."
    assert any(line.startswith("Understood: ") for line in lines)
    assert any(line.startswith("Explore: ?") for line in lines)


def test_json_is_one_document():
    """With all that a page needs."""
    document = json.loads(_run("40 hours on one unit, 8 workers, how long?", "--json").stdout)
    assert document["answer"] == {"type": "number", "value": 5.0, "unit": "h"}


def test_lines_in_lines_out():
    """One answer for each line, with its id, bad lines included."""
    feed = '{"id": "a", "question": "1 gpu = 24h, 6 gpus ideal??"}\nnot json\n'
    first, second = map(json.loads, _run("--jsonl", feed=feed).stdout.splitlines())
    assert (first["id"], first["answer"]["value"]) == ("a", 4.0)
    assert second["status"] == "not_understood"


def test_scipy_is_not_loaded():
    """An answer needs NumPy only."""
    code = "import sys, dpmodel.ask as a; a.answer('1: 10, 2: 19, 4: 35 img/s. Why?'); print('scipy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "False"
