"""Sentences, working and commands: what a person reads is what the model computed."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from dpmodel.__main__ import main
from dpmodel.border import from_query, make_scenario, scenario_to_dict, to_query
from dpmodel.curves import curve_grid
from dpmodel.files import read_scenario_text, scenario_json
from dpmodel.landmarks import landmarks
from dpmodel.notice import limit_sentence, notice
from dpmodel.presets import presets
from dpmodel.report import prediction_document
from dpmodel.training import predict
from dpmodel.units import human, percent
from dpmodel.working import working

PRESETS = list(presets())


def said(**values: object) -> str:
    """Return the notice for a scenario given in display units."""
    scenario = make_scenario(**values)  # type: ignore[arg-type]
    return notice(predict(scenario), landmarks(predict(scenario, curve_grid(scenario))))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"workers": 1}, "speed-up is 1"),
        ({"mode": "ideal", "workers": 8}, "1/8 of the time"),
        ({}, "exchanging 102 MB of gradients"),
        ({"workers": 256}, "would give"),
        ({"workers": 8, "bandwidth": 400}, "Close to ideal"),
        ({"mode": "realistic", "slow_worker": 2, "bandwidth": 400}, "slowest worker"),
        ({"mode": "realistic", "input_rate": 1500, "bandwidth": 400}, "wait for data"),
        ({"mode": "realistic", "input_rate": 10}, "input ceiling is below"),
        ({"mode": "realistic", "scaling": "quality", "workers": 64, "critical_batch": 256,
          "bandwidth": 400}, "larger batch needs"),
        ({"mode": "realistic", "serial_step": 20, "bandwidth": 400}, "serial work"),
    ],
)  # fmt: skip
def test_the_notice_names_what_costs_most(values: dict[str, object], words: str) -> None:
    """Each situation's sentence names its own cause."""
    assert words in said(**values)


@pytest.mark.parametrize("name", PRESETS)
def test_sentences_are_fit_to_read(name: str) -> None:
    """No sentence holds nan, a plural of one, an exponent or a number of many digits."""
    for n in (1, 2, 16, 256):
        scenario = presets()[name].scenario.but(workers=float(n))
        if not np.isfinite(float(predict(scenario).time)):
            assert "curve ends" in limit_sentence(predict(scenario))
            continue
        text = notice(predict(scenario), landmarks(predict(scenario, curve_grid(scenario))))
        assert not re.search(r"\bnan\b|\binf\b|e[+-]\d\d|\d\.\d{4,}|\b1 workers|!", text), text


def test_the_working_ends_in_the_prediction() -> None:
    """The last lines of the working are the model's own time, speed-up and efficiency."""
    for name in PRESETS:
        result = predict(presets()[name].scenario)
        lines = {line.what: line for line in working(result)}
        assert lines["Training time"].result == human(float(result.time), "time")
        assert lines["Efficiency"].result == percent(float(result.efficiency))
        assert all(line.numbers and line.formula for line in lines.values())


def test_the_working_of_the_default_is_the_one_done_by_hand() -> None:
    """40 h / 100,000 steps is 1.44 s; 32 of 512 samples take 90 ms; 25.6 M x 4 B is 102 MB."""
    lines = {line.what: line.result for line in working(predict(make_scenario()))}
    assert lines["Step on one worker"] == "1.44 s"
    assert lines["Largest share"] == "32 samples"
    assert lines["Compute of that share"] == "90 ms"
    assert lines["Gradients"] == "102 MB"


def test_predict_prints_what_the_contract_names(capsys: pytest.CaptureFixture[str]) -> None:
    """40 h on 8 workers, ideal: 5 h, 8x, 100 %."""
    assert main(["predict", "--hours", "40", "--workers", "1,8", "--mode", "ideal", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["workers"] == [1, 8]
    assert document["training_time_s"] == pytest.approx([144000, 18000])
    assert document["speed_up"] == pytest.approx([1, 8])
    assert document["efficiency"] == pytest.approx([1, 1])
    assert {"compute_s", "communication_s", "exposed_s"} <= document["step"].keys()
    assert document["explore"] == "?n=8&mode=ideal"
    assert document["notice"]


def test_predict_reads_back_what_it_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: pytest.TempPathFactory
) -> None:
    """The JSON of one prediction is the scenario of the next."""
    main(["predict", "--preset", "cloud", "--bandwidth", "40", "--json"])
    first = capsys.readouterr().out
    path = tmp_path / "scenario.json"  # type: ignore[operator]
    path.write_text(first, encoding="utf-8")
    main(["predict", "--scenario", str(path), "--json"])
    assert json.loads(capsys.readouterr().out) == json.loads(first)


@pytest.mark.parametrize(
    "words",
    [
        "predict --workers 0", "predict --workers -3", "predict --workers 2.5",
        "predict --workers 1,x", "predict --hours nan", "predict --hours inf",
        "predict --hours 1e30", "predict --hours abc", "predict --mode ideel",
        "predict --presett x", "predict --preset nothing", "predict --workers 1024",
        "predict 40", "predict --hours", "pridict", "predict --scenario /no/such/file",
        "predict --bandwidth 5_GiB", "predict --size ''", "predict --json yes",
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_exit_code_2(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Zero, negative, NaN, infinite, absurd, wrong type, unknown names: said once, on stderr."""
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_the_command_runs_as_a_module() -> None:
    """`python -m dpmodel` works on its own, text and exit code."""
    run = subprocess.run(
        [sys.executable, "-m", "dpmodel", "predict", "--workers", "1,16"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Explore: ?" in run.stdout


@pytest.mark.parametrize("name", PRESETS)
def test_scenarios_survive_every_border(name: str) -> None:
    """Dictionary, JSON, short link and full link give the same scenario back."""
    scenario = presets()[name].scenario
    assert make_scenario(None, **scenario_to_dict(scenario)) == scenario
    assert read_scenario_text(scenario_json(scenario)) == scenario
    for every in (False, True):
        pairs = dict(
            part.split("=") for part in to_query(scenario, every=every)[1:].split("&") if part
        )
        assert from_query(pairs) == (scenario, [])


def test_a_document_is_strict_json() -> None:
    """No NaN and no infinity reach the JSON, even where a run never ends."""
    scenario = make_scenario(mode="realistic", mtbf="0.001 days", restart=1e6)
    document = prediction_document(scenario, [1, 16])
    assert json.loads(json.dumps(document, allow_nan=False))["training_time_s"] == [None, None]
