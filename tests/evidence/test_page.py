"""The Evidence page without a browser: headline, filters, cases, lists, and the way to Explore."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpmodel.evidence.mapping import at_size
from dpmodel.evidence.report import CURVES
from dpmodel.training import predict
from pages.ui import evidence_data, evidence_figures, measured
from pages.ui.evidence_data import ANY, chosen, curve_rows, curves, options, scores

ROOT = Path(__file__).resolve().parents[2]
CASE = "dlperf_rn50_fp32_b128_ngc_mxnet"


def opened(**parameters: str) -> AppTest:
    """Open the Evidence page at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, text in parameters.items():
        app.query_params[name] = text
    app.run()
    app.switch_page("pages/evidence.py").run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    """Return all text of the page."""
    return "\n".join(part.value for part in (*app.markdown, *app.caption))


def test_the_page_answers_its_question_first() -> None:
    """Median, worst tenth and the ideal line stand in the first sentence."""
    app = opened()
    text = said(app)
    assert "805" in text
    assert "The ideal line: 9.8 and 41" in text
    assert not app.warning


def test_a_case_names_file_rows_and_publication() -> None:
    """What the address names is shown, down to its lines."""
    text = said(opened(case=CASE))
    curve = curves()[CASE].case.curve
    assert f"`{CASE}` in `{curve.file}`, lines {curve.lines[0]}-{curve.lines[-1]}" in text
    assert "DLPerf" in text
    line = (CURVES / curve.file).read_text().splitlines()[curve.lines[0] - 1]
    assert line.startswith(CASE)


def test_an_unknown_case_is_no_trouble() -> None:
    """A stranger's link still shows a run."""
    assert "Source" in said(opened(case="nonsense"))


def test_filters_narrow_the_runs() -> None:
    """Each filter keeps what has its value; two that share nothing say a way out."""
    app = opened()
    app.selectbox(key="evidence kind").select("several nodes, TCP").run()
    assert not app.exception
    rows = chosen(curve_rows(), {"kind": "several nodes, TCP"})
    assert f"of {len(rows):,} runs" in said(app)
    app.selectbox(key="evidence device").select("NVIDIA B200 SXM").run()
    assert "Set one filter back" in app.info[0].value


def test_filters_offer_what_there_is() -> None:
    """Any comes first, every option has a run."""
    for name in ("model", "device", "kind", "mode", "family"):
        offered = options(name)
        assert offered[0] == ANY
        assert all(chosen(curve_rows(), {name: value}) for value in offered[1:])


def test_all_reduce_sweeps_are_shown_alike() -> None:
    """Headline, source and rows of a sweep."""
    app = opened(evidence="All-reduce", sweep="nt309-4n")
    text = said(app)
    assert "nothing fitted" in text
    assert "`nt309-4n` in `allreduce.csv`" in text
    app.selectbox(key="sweep health").select("Any").run()
    assert not app.exception


def test_opening_in_explore_sets_the_case() -> None:
    """The scenario is the case's, the measured points are named in the address."""
    app = opened(case=CASE)
    app.button(key="open_case").click().run()
    assert not app.exception
    scenario = at_size(curves()[CASE].scenario, -1)
    assert app.select_slider(key="n").value == f"{int(scenario.workers)}"
    assert app.query_params["measured"] in (CASE, [CASE])
    assert app.query_params["mode"] in ("realistic", ["realistic"])


def test_measured_points_keep_their_ratios() -> None:
    """On Explore's curve the measured speed-up over the smallest size is that of the source."""
    one = curves()[CASE]
    curve, scenario = one.case.curve, at_size(one.scenario, -1)
    found = measured.points(CASE, scenario)
    first = float(np.ravel(predict(scenario, curve.workers[:1]).speed_up)[0])
    wanted = first * curve.efficiency * curve.workers / curve.workers[0]
    assert found["speed_up"] == pytest.approx(wanted)
    assert found["speed_up"] * found["time"] == pytest.approx(found["time"][0] * first)
    assert measured.points(None, scenario) == {}
    assert measured.trace({}, "time") == []


def test_explore_ignores_a_measured_run_that_it_does_not_know() -> None:
    """And draws the rest."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["measured"] = "nonsense"
    app.run()
    assert not app.exception
    app.query_params["measured"] = CASE
    app.run()
    assert not app.exception
    app.button(key="measured_off").click().run()
    assert "measured" not in app.query_params


def test_worst_and_best_are_both_there() -> None:
    """Rows are sorted by their worst size, and tables end with the best."""
    worst = [row.worst for row in curve_rows()]
    assert worst == sorted(worst, reverse=True)
    app = opened()
    first = app.dataframe[0].value
    app.button_group(key="evidence list").set_value("Best ten").run()
    last = app.dataframe[0].value
    assert len(first) == len(last) == 10
    column = "Worst error [points]"
    assert first[column].min() > last[column].max()


def test_scores_on_screen_are_those_of_the_command() -> None:
    """The product's own curves give the scores of their families again."""
    from dpmodel.evidence.scores import by, scored_part

    own = by(scored_part(list(curves().values())), lambda one: one.case.curve.family)
    kept = scores()["curves"]["families"]
    for name, score in own.items():
        if name in kept and score["points"] == kept[name]["points"]:
            assert score["median"] == pytest.approx(kept[name]["median"])


def test_figures_hold_what_they_are_given() -> None:
    """Points keep the key of their run; the band encloses the prediction."""
    spec = evidence_figures.scatter([90, 80], [91, 70], ["a", "b"], ["A", "B"], "b")
    assert spec["data"][1]["customdata"] == ["a", "b"]
    assert list(spec["data"][2]["x"]) == [80]
    one = curves()[CASE]
    low, high = evidence_data.band_of(one)
    assert (low <= one.efficiency + 1e-12).all()
    assert (one.efficiency <= high + 1e-12).all()
