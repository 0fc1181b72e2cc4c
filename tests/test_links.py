"""Links: released ones open for ever, bad ones say what they dropped, whole ones reproduce all."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dpmodel.border import make_scenario, scenario_to_dict, to_query
from dpmodel.presets import presets
from dpmodel.scenario import KNOBS
from pages.ui import controls, links, state

RELEASED = [
    line.split("\t")
    for line in (Path(__file__).parent / "links.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def query(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))


def opened(parameters: dict[str, str]) -> AppTest:
    """Open the shared controls, and nothing else, at an address."""

    def page():
        from pages.ui import controls

        controls.draw(in_full=True)

    app = AppTest.from_function(page, default_timeout=30)
    for name, text in parameters.items():
        app.query_params[name] = text
    return app.run()


def scenario_in(app: AppTest) -> dict:
    """Return what the app's address now says."""
    texts, _, problems = links.read_address({k: v[-1] for k, v in address_of(app).items()})
    assert not problems
    return scenario_to_dict(make_scenario(**texts))


def address_of(app: AppTest) -> dict[str, list[str]]:
    return {k: v if isinstance(v, list) else [v] for k, v in app.query_params.items()}


@pytest.mark.parametrize(("link", "expected"), RELEASED, ids=[link[:40] for link, _ in RELEASED])
def test_a_released_link_opens_the_scenario_that_it_was_given_for(link, expected):
    """Its knobs are as told, all others at their defaults, nothing is complained about."""
    wanted = scenario_to_dict(make_scenario(**json.loads(expected)))
    app = opened(query(link))
    assert not app.exception
    assert not app.warning
    assert scenario_in(app) == wanted
    for key in state.SLIDERS:
        assert app.select_slider(key=KNOBS[key].link).value == str(wanted[key])


@pytest.mark.parametrize("key", list(presets()))
def test_a_whole_link_names_every_knob_and_gives_the_scenario_back(key):
    """Defaults are in it too, so that a later change of defaults cannot change it."""
    scenario = presets()[key].scenario
    parameters = query(to_query(scenario, every=True))
    assert set(parameters) == {knob.link for knob in KNOBS.values()}
    texts, _, problems = links.read_address(parameters)
    assert not problems
    assert make_scenario(**texts) == scenario


BAD = {
    "zzz": "1",
    "wrokers": "8",
    "lat": "fast",
    "n": "1e30",
    "hours": "-1",
    "bw": "nan",
    "size": "",
    "mode": "perfect",
    "alg": "Ring around",
    "batch": "2.5",
    "mtbf": "inf days ago",
    "preset": "nothing like it",
    "group": "Nework",
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_parameter_is_reported_and_costs_no_good_one(name):
    """One four-part sentence, and the other parameter of the link is kept."""
    good = {"gb": "2"} if name != "gb" else {"cont": "10"}
    texts, _, problems = links.read_address({name: BAD[name], **good})
    assert texts == good
    assert list(problems) == [name]
    sentence = problems[name]
    assert "(" in sentence and sentence.endswith((".", "?"))


def test_a_bad_link_says_everything_in_one_warning_and_leaves_the_address_clean():
    """Three bad parameters, one warning; the address keeps only what is honoured."""
    app = opened({"zzz": "1", "lat": "fast", "workers": "8", "hours": "0"})
    assert not app.exception
    assert len(app.warning) == 1
    for part in ("zzz", "fast", "Hours on one worker"):
        assert part in app.warning[0].value
    assert address_of(app) == {"n": ["8"]}
    assert app.select_slider(key="n").value == "8"
    app.button(key="dismiss_problems").click().run()
    assert not app.warning


def test_near_names_are_offered():
    """A misspelt name brings the right one."""
    assert "workers" in links.read_address({"wrokers": "8"})[2]["wrokers"]


def test_two_names_of_one_knob_that_disagree_are_reported():
    """The first is taken."""
    texts, _, problems = links.read_address({"n": "8", "workers": "16"})
    assert texts == {"n": "8"}
    assert list(problems) == ["workers"]


def test_what_a_stranger_writes_in_a_link_is_shown_as_plain_text():
    """No formatting, no link, no formula comes out of a parameter's name."""
    app = opened({"[a](http://b)": "1"})
    assert "[a](http" not in app.warning[0].value


@given(
    st.dictionaries(
        st.sampled_from([*state.BY_LINK, *KNOBS, "preset", "from", "x", "more"]),
        st.one_of(st.text(max_size=12), st.floats().map(str), st.integers().map(str)),
        max_size=6,
    )
)
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_address_breaks_the_reader(parameters):
    """Whatever stands there, what is kept makes a scenario and reads back as itself."""
    texts, _, _ = links.read_address(parameters)
    again, _, problems = links.read_address(texts)
    assert again == texts and not problems
    make_scenario(**texts)


def test_the_ladder_takes_the_value_of_a_link_and_stays_in_order():
    """?n=7 opens 7 workers between 4 and 8."""
    app = opened({"n": "7", "bw": "12"})
    assert app.select_slider(key="n").options[2:5] == ["4", "7", "8"]
    assert "12" in app.select_slider(key="bw").options


def test_a_ladder_is_the_slider_in_numbers():
    """Labels are the slider's options, values are SI, the index is the present value."""
    ladder = controls._ladder("bandwidth", "12")
    assert ladder.labels[ladder.index] == "12"
    assert ladder.values[ladder.index] == pytest.approx(12e9 / 8)
    assert list(ladder.values) == sorted(ladder.values)


def test_the_curve_is_saved_with_units_and_full_precision():
    """One row a worker count, columns of equal length, the present count among them."""
    lines = links.curve_csv(make_scenario(workers=7)).splitlines()
    head = lines[0].split(",")
    assert head[:2] == ["workers", "training_time_s"]
    assert all(len(line.split(",")) == len(head) for line in lines)
    assert any(line.startswith("7,") for line in lines)


def test_pasted_json_opens_a_scenario_and_a_bad_one_keeps_everything():
    """The popover's box takes what `predict --json` and the download write."""

    def page():
        import streamlit as st

        from pages.ui import controls, links, state

        controls.draw(in_full=True)
        st.text_area("paste", key="scenario_text")
        st.button("open", key="open_now", on_click=links._take_paste)
        st.text(state.refusal("scenario") or "")

    app = AppTest.from_function(page, default_timeout=30).run()
    app.text_area(key="scenario_text").input('{"scenario": {"hours": 10, "workers": 4}}')
    app.button(key="open_now").click().run()
    assert app.select_slider(key="n").value == "4"
    app.text_area(key="scenario_text").input('{"hours": -1}')
    app.button(key="open_now").click().run()
    assert app.select_slider(key="hours").value == "10"
    assert not app.exception
