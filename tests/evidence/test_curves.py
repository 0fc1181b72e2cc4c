"""Predictions of measured curves: honest inputs, the promised error, and links that reproduce."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpmodel.border import from_query, to_query
from dpmodel.evidence.bands import ALL, bands, interval, scale, sentence, set_bands
from dpmodel.evidence.cases import make_case
from dpmodel.evidence.curves import CurvePrediction, predict_curve
from dpmodel.evidence.mapping import at_size
from dpmodel.evidence.method import BEGIN, END, FILE, evidence_section
from dpmodel.evidence.reading import Curve, read_curves
from dpmodel.evidence.report import CURVES
from dpmodel.evidence.scores import by, curve_scores, half, scored_part
from dpmodel.scenario import Scenario
from dpmodel.step import step_parts

SHARED = Path(__file__).resolve().parents[3] / "shared" / "evidence"
needs_shared = pytest.mark.skipif(
    not SHARED.exists(), reason=f"no measurements: {SHARED} is absent"
)


@cache
def own() -> list[CurvePrediction]:
    """Predict the product's curves."""
    return [predict_curve(curve) for curve in read_curves(CURVES)]


@cache
def whole() -> list[CurvePrediction]:
    """Predict the whole collection."""
    return [predict_curve(curve) for curve in read_curves(SHARED / "curves")]


@needs_shared
def test_the_error_on_trusted_curves_keeps_its_promise() -> None:
    """At most 5 points in the median, 20 at the worst tenth; also where no constant was sought."""
    trusted = scored_part(whole())
    for part in (trusted, half(trusted, training=False)):
        score = curve_scores(part)
        assert score["median"] <= 0.05
        assert score["p90"] <= 0.20
        assert 0.72 <= score["in_band"] <= 0.88
    assert curve_scores(trusted)["points"] == 805


@needs_shared
def test_no_family_is_worse_off_than_with_the_ideal_line() -> None:
    """Families of 15 points or more: at most one point worse in median and at the worst tenth."""
    for name, score in by(scored_part(whole()), lambda one: one.case.curve.family).items():
        if score["points"] >= 15:
            assert score["median"] <= score["ideal"]["median"] + 0.01, name
            assert score["p90"] <= score["ideal"]["p90"] + 0.01, name


def test_only_the_smallest_size_is_used() -> None:
    """Other rates may be anything: the prediction does not move."""
    for one in own()[::20]:
        curve = one.case.curve
        spoilt = replace(curve, rate=np.append(curve.rate[:1], 0.3 * curve.rate[1:]))
        assert predict_curve(spoilt).efficiency == pytest.approx(one.efficiency)


def test_names_and_sources_do_not_matter() -> None:
    """A curve under another name, family and trust is predicted alike."""
    for one in own()[::20]:
        other = replace(one.case.curve, dataset_id="x", family="y", trust="C")
        assert predict_curve(other).efficiency == pytest.approx(one.efficiency)


def test_the_smallest_size_takes_as_long_as_measured() -> None:
    """Compute is set such that the first step fits, where the table tells its time."""
    for one in own():
        case = one.case
        if case.step is None or case.curve.workers[0] > 1:
            continue
        total = np.ravel(step_parts(one.scenario, case.curve.workers).total)[0]
        assert total == pytest.approx(case.step, rel=0.02)


@pytest.mark.parametrize("place", [0, -1])
def test_links_reproduce_the_case(place) -> None:
    """The address of a size gives its scenario back, and the same step time."""
    for one in own()[::15]:
        scenario = at_size(one.scenario, place)
        back, problems = from_query(dict(parse_qsl(to_query(scenario)[1:])))
        assert problems == []
        workers = one.case.curve.workers[place]
        assert step_parts(back, workers).total == pytest.approx(
            step_parts(scenario, workers).total, rel=1e-6
        )


def test_every_case_is_finite_and_says_what_is_not_stated() -> None:
    """No prediction is missing; cells marked as not stated are told."""
    for one in own():
        assert np.isfinite(one.efficiency).all()
        assert (one.efficiency > 0).all()
        if "not stated" in one.case.curve.cells["interconnect_intra"]:
            assert "link inside the node" in one.case.unstated


def test_senseless_cells_give_the_ideal_line_and_say_so() -> None:
    """A batch beyond every scenario is no traceback."""
    one = own()[0].case.curve
    rows = tuple(dict(row) | {"params": "9e30"} for row in one.rows)
    predicted = predict_curve(replace(one, rows=rows, cells=rows[0]))
    assert predicted.efficiency.tolist() == [1.0] * len(one.workers)
    assert any("ideal line" in note for note in predicted.case.unstated)


def test_accumulated_batches_are_exchanged_once() -> None:
    """A held global batch of full micro-batches scales better than one exchange for each."""
    (curve,) = (c for c in read_curves(CURVES) if c.dataset_id == "dle_berttf2_pre_dgx2_128_fp32")
    case = make_case(curve)
    assert case.micro[0] > case.micro[-1] > 1
    assert predict_curve(curve).efficiency[-1] > 0.9


def test_unstated_batches_are_taken_from_common_use() -> None:
    """And reported."""
    curve = _curve("ResNet-50", "")
    case = make_case(curve)
    assert case.batch.tolist() == [128, 1024]
    assert "batch" in case.unstated


def _curve(model: str, batch: str) -> Curve:
    row = {
        "model": model, "accelerator": "V100-SXM2", "accelerators_per_node": "8",
        "per_worker_batch": batch, "throughput": "400", "throughput_unit": "images/s",
    }  # fmt: skip
    return Curve(
        "a", "f", "weak", "A", np.array([1.0, 8.0]), np.array([400.0, 3000.0]),
        row, (row, row), "f.csv", (2, 3),
    )  # fmt: skip


def test_bands_widen_with_the_predicted_loss() -> None:
    """What loses nothing is sure; what loses half is not."""
    sure, unsure = (np.subtract(*interval(ALL, e)[::-1]) for e in (1.0, 0.5))
    assert 0 < sure < unsure
    assert scale(1.0) < scale(0.2)
    trusted, other = (interval(ALL, 0.8, trusted=t) for t in (True, False))
    assert other[0] < trusted[0] < trusted[1] < other[1]


def test_a_scenario_has_its_band_in_a_sentence() -> None:
    """The default situation is several nodes; the sentence names kind and both shares."""
    text = sentence(Scenario(), 16, 0.7)
    assert text.startswith("Measured runs like this (several nodes, RDMA): typically within ")
    assert text.count(" %") == 2


@needs_shared
def test_the_bands_are_those_of_the_training_half() -> None:
    """The product's table is what the measurements give."""
    made = set_bands(half(scored_part(whole()), training=True))
    for band in made:
        kept = bands()[band.regime]
        assert (band.low, band.high) == pytest.approx((kept.low, kept.high), abs=2e-4)
        assert band.points == kept.points


@needs_shared
def test_the_method_tells_the_present_errors() -> None:
    """METHOD.md's section is the one that the command writes, whatever its day."""
    kept = FILE.read_text(encoding="utf-8").split(BEGIN, 1)[1].split(END, 1)[0]
    day = kept.split("Measured on ", 1)[1][:10]
    assert evidence_section(SHARED, day) == kept
