"""`python -m dpmodel evidence`: the promised document, and sentences instead of tracebacks."""

from __future__ import annotations

import json
import time

import pytest

from dpmodel.__main__ import main


@pytest.fixture(scope="module")
def document() -> dict:
    """Return what the command prints."""
    import contextlib
    import io

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        start = time.process_time()
        assert main(["evidence", "--json"]) == 0
        spent = time.process_time() - start
    return json.loads(text.getvalue()) | {"seconds": spent}


def test_the_document_keeps_its_contract(document) -> None:
    """Names and shapes that other programs rely on."""
    curves, sweeps = document["curves"], document["allreduce"]
    assert {"points", "median", "p90", "ideal", "families", "cases"} <= set(curves)
    assert all({"points", "median", "p90", "ideal"} <= set(f) for f in curves["families"].values())
    for case in curves["cases"]:
        size = len(case["workers"])
        for name in ("measured", "predicted", "low", "high", "explore", "lines"):
            assert len(case[name]) == size
        assert case["measured"][0] == case["predicted"][0] == 1
        assert case["source"] and case["file"].endswith(".csv")
    assert {"runs", "nothing_fitted", "two", "three", "affine"} <= set(sweeps)
    for case in sweeps["cases"]:
        assert len(case["message_bytes"]) == len(case["measured_us"])
        assert len(case["message_bytes"]) == len(case["nothing_fitted_us"])
    assert document["iterations"]["status"] == "not yet"


def test_it_is_quick(document) -> None:
    """All evidence in well under 20 seconds of one core."""
    assert document["seconds"] < 15


def test_a_person_reads_a_table(capsys) -> None:
    """Families, regimes and sweeps, beside the ideal line and the affine form."""
    assert main(["evidence"]) == 0
    text = capsys.readouterr().out
    for word in ("trusted curves", "several nodes, TCP", "nothing fitted", "affine", "not yet"):
        assert word in text


@pytest.mark.parametrize(
    "arguments", [["--curves", "nowhere"], ["--allreduce", "nowhere.csv"], ["--other", "x"]]
)
def test_what_cannot_be_read_is_a_sentence(arguments, capsys) -> None:
    """Exit code 2 and no traceback."""
    assert main(["evidence", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err
