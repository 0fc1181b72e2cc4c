"""Answers equal the model's own functions, and say how they were reached."""

from __future__ import annotations

import json

import pytest

from dpmodel import collectives, laws
from dpmodel.ask import answer
from dpmodel.border import from_query
from dpmodel.units import HOUR, UNITS

GB = UNITS["data"]["GB"]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("40 hours on one unit, 8 workers, how long?", laws.ideal_time(40, 8), "h"),
        ("5 % serial, speed-up on 20 GPUs?", laws.amdahl_speed_up(20, 0.05), "x"),
        ("6x on 8 workers. Karp-Flatt fraction?", 100 * laws.karp_flatt(6, 8), "%"),
        (
            "6 % of the time on 32 workers is serial. Scaled speed-up (Gustafson)?",
            laws.gustafson_speed_up(32, 0.06),
            "x",
        ),
        (
            "Ring all-reduce of 2 GB over 8 workers: GB sent per worker?",
            2 * collectives.ring(8)[1],
            "GB",
        ),
        (
            "With 5 % serial work, how many workers for a speed-up of 8?",
            laws.whole_workers(laws.amdahl_workers(8, 0.05)),
            "workers",
        ),
        (
            "512 MB all-reduce on 8 ranks takes 5.6 ms. Bus bandwidth in GB/s?",
            collectives.bus_bandwidth(512e6, 5.6e-3, 8) / GB,
            "GB/s",
        ),
        (
            "Ein Training dauert auf einer GPU 37,5 Stunden. Wie lange auf fünf GPUs, ideal?",
            7.5,
            "h",
        ),
        ("单个GPU训练需要64小时，使用16个GPU，理想情况下需要多少小时？", 4, "h"),
    ],
)
def test_an_answer_is_the_models_own(text, value, unit):
    """The number in the answer is what the model's function returns."""
    got = answer(text)
    assert got.status == "answered"
    assert got.answer == {"type": "number", "value": pytest.approx(float(value)), "unit": unit}


def test_the_working_names_formula_numbers_and_result():
    """Each step holds symbols, the numbers put in, and the result."""
    step = answer("One GPU needs 56 hours. How long do seven GPUs need, ideally?").steps[-1]
    assert step.formula == "T(1) / (N × E)"
    assert step.substitution == "2.333 days / (7 × 100 %)"
    assert step.result == "8 h"
    assert step.source == "dpmodel.laws.ideal_time"


def test_the_link_opens_exactly_this_situation():
    """Seven workers and 13.5 hours arrive in Explore as they were asked."""
    got = answer("13.5 hours on one GPU. How long on 7 GPUs if scaling is perfect?")
    query = dict(part.split("=") for part in got.explore.lstrip("?").split("&"))
    scenario, bad = from_query(query)
    assert bad == []
    assert scenario.workers == 7
    assert scenario.one_worker_time == pytest.approx(13.5 * HOUR)
    assert scenario.mode == "ideal"


def test_correcting_a_quantity_answers_again():
    """An override replaces what was read."""
    text = "One accelerator needs 56 hours. How long do seven accelerators take, ideally?"
    assert answer(text, {"workers": "14"}).answer["value"] == pytest.approx(4)
    assert answer(text, {"base_time": "70"}).answer["value"] == pytest.approx(10)


def test_what_was_understood_is_told():
    """Role, value, unit and place of each quantity."""
    text = "One GPU needs 56 hours. How long do seven GPUs need, ideally?"
    read = {u.role: u for u in answer(text).understood}
    assert (read["base_time"].value, read["base_time"].unit) == (56, "h")
    assert text[slice(*read["workers"].span)] == "seven GPUs"
    assert read["latency"].assumed


def test_superlinear_efficiency_is_answered_and_remarked():
    """114 % is a measurement, not an error, and worth a remark."""
    got = answer(
        "We measured 10 hours on one worker and 1.1 hours on eight. What is the efficiency?"
    )
    assert got.answer["value"] == pytest.approx(113.636, rel=1e-4)
    assert any("super-linear" in line for line in got.checks)


def test_the_document_is_plain_json():
    """Whatever the kind, nothing in it needs more than JSON."""
    for text in ("1 gpu = 24h, 6 gpus ideal??", "Why is it not 8x?", "hello", "0 GPUs, 4 h. Time?"):
        json.dumps(answer(text).document(), allow_nan=False)
