"""The pages One step and All-reduce without a browser: every view, switch and extreme."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.links import PAGE_PARAMETERS
from tests.browsing import ROOT

EXTREMES = {
    "defaults": {},
    "one worker": {"n": "1"},
    "many": {"n": "1000000", "batch": "1000000000"},
    "more workers than samples": {"n": "4096", "batch": "8", "mode": "realistic"},
    "ideal": {"mode": "ideal"},
    "a moment": {"hours": "0.001", "steps": "1"},
    "huge": {"size": "100000000", "bw": "0.001"},
    "many servers": {"alg": "parameter_server", "servers": "1000000"},
    "eight a node": {"g": "8", "n": "64", "topo": "flat", "acc": "4"},
    "a small batch in many parts": {"batch": "8", "acc": "8", "uneven": "true", "slow": "true"},
}
LOOKS = [("step.py", "look", v) for v in PAGE_PARAMETERS["look"]]
LOOKS += [("allreduce.py", "closer", v) for v in PAGE_PARAMETERS["closer"]]


def opened(page: str, **parameters: str) -> AppTest:
    """Open a page of the app at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, text in parameters.items():
        app.query_params[name] = text
    app.run()
    return app.switch_page(f"pages/{page}").run()


def words(app: AppTest) -> str:
    """All sentences of the page."""
    return " ".join(part.value for part in [*app.markdown, *app.caption])


@pytest.mark.parametrize(("page", "key", "view"), LOOKS)
def test_every_view_opens(page, key, view):
    """Nothing goes wrong, and its figures have text, CSV and fixed keys."""
    app = opened(page, **{key: view})
    assert not app.exception
    assert not app.warning
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 30
        assert "nan" not in chart.proto.alt


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize(("page", "key", "view"), LOOKS[:1] + LOOKS[4:])
def test_every_view_survives_the_extremes(page, key, view, name):
    """The ends of every range are values like any other."""
    app = opened(page, **EXTREMES[name] | {key: view})
    assert not app.exception
    assert not app.warning


@pytest.mark.parametrize(
    ("switch", "said"),
    [
        ("skip", "Without the all-reduce"),
        ("slow", "One worker at half speed"),
        ("uneven", "Uneven shards"),
        ("alone", "Without overlap"),
    ],
)
def test_each_switch_says_in_numbers_what_breaks(switch, said):
    """The sentence compares with the step as it was."""
    app = opened("step.py", **{switch: "true"})
    assert said in words(app)
    assert " instead of " in words(app)
    assert app.toggle(key=switch).value is True


@pytest.mark.parametrize("net", PAGE_PARAMETERS["net"])
@pytest.mark.parametrize("way", PAGE_PARAMETERS["way"])
def test_every_model_goes_through_every_all_reduce(net, way):
    """The player's data hold its rounds."""
    app = opened("step.py", net=net, way=way, n="5")
    assert not app.exception
    scene = json.loads(app.get("bidi_component")[0].proto.json)
    assert len(scene["names"]) == 5 + (way == "Parameter server")
    assert any(frame["moves"] for frame in scene["frames"])


def test_a_wrong_choice_in_the_link_is_told():
    """The sentence names what there is."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["way"] = "Rign"
    app.run()
    assert any("Ring" in part.value for part in [*app.warning, *app.info, *app.markdown])


def test_small_worlds_are_told():
    """Where the picture holds fewer workers or samples than the situation, it says so."""
    assert "16 of 64 workers are shown" in words(opened("step.py", n="64"))
    assert "the batch feeds 512 of 4,096 workers" in words(opened("step.py", n="4096"))
    assert "since one alone exchanges nothing" in words(opened("step.py", n="1"))
    assert "4,096 samples are computed" in words(opened("step.py", batch="100000"))
