"""The app without a browser: every page opens every situation, and the shared controls work."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpmodel.errors import InputError
from dpmodel.presets import presets
from dpmodel.scenario import KNOBS
from pages.ui import state

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))
EXTREMES = {
    "defaults": {},
    "one worker": {"n": "1"},
    "a million workers": {"n": "1000000", "batch": "1000000000"},
    "more workers than samples": {"n": "4096", "batch": "8", "mode": "realistic"},
    "no network to speak of": {"bw": "0.001", "size": "100000000"},
    "endless network": {"bw": "1000000000", "lat": "0"},
    "a moment": {"hours": "0.001", "steps": "1"},
    "an age": {"hours": "1000000000", "mode": "realistic", "mtbf": "0.001"},
    "everything slow": {
        "mode": "realistic",
        "straggler": "1000",
        "input": "0.001",
        "sers": "100",
        "serr": "100",
        "jit": "100",
    },
}


def opened(page: str = "explore.py", **parameters: str) -> AppTest:
    """Open one page of the app at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, text in parameters.items():
        app.query_params[name] = text
    app.run()
    if page != "explore.py":
        app.switch_page(f"pages/{page}").run()
    return app


def address(app: AppTest) -> dict[str, str]:
    return {k: v[-1] if isinstance(v, list) else v for k, v in app.query_params.items()}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("key", list(presets()))
def test_every_page_opens_every_preset(page, key):
    """Nothing goes wrong, and nothing is complained about."""
    app = opened(page, preset=key)
    assert not app.exception
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("page", PAGES)
def test_every_page_goes_through_the_hall(page):
    """Even the first page that a new process is asked for has the shared controls."""
    app = opened(page, n="7")
    assert app.select_slider(key="n").value == "7"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", list(EXTREMES))
def test_every_page_survives_the_extremes(page, name):
    """The ends of every range are values like any other."""
    app = opened(page, **EXTREMES[name])
    assert not app.exception
    assert not app.warning


def test_a_preset_sets_everything_and_says_what_it_teaches():
    """Choosing one is one click, and the address then says the same."""
    app = opened(lat="50", n="4")
    app.selectbox(key="situation").select("vgg16").run()
    assert not app.exception
    wanted = state.preset_texts("vgg16")
    assert address(app) == wanted | {"from": "vgg16"}
    assert app.caption[0].value == presets()["vgg16"].look


def test_a_change_after_a_preset_is_named():
    """The line that said what the preset teaches says what was changed."""
    app = opened(preset="vgg16")
    app.select_slider(key="n").set_value("64").run()
    assert app.caption[0].value == "Changed from preset: Workers 64."


def test_reset_is_one_click_and_only_offered_where_something_changed():
    """Back to the defaults from anywhere."""
    app = opened()
    assert app.button(key="reset_everything").disabled
    app = opened(preset="bert32", n="7")
    app.button(key="reset_everything").click().run()
    assert address(app) == {}
    assert app.select_slider(key="n").value == "16"
    assert app.button(key="reset_everything").disabled


def test_the_mode_switch_stands_in_the_address():
    """Ideal is a link of its own; the default is left out."""
    app = opened()
    app.button_group(key="mode").set_value("ideal").run()
    assert address(app) == {"mode": "ideal"}
    app.button_group(key="mode").set_value("communication").run()
    assert address(app) == {}


def group_of(key: str) -> dict[str, str]:
    from pages.ui.assumptions import BY_GROUP

    title = next(title for title, knobs in BY_GROUP.items() if KNOBS[key] in knobs)
    return {"more": "true", "group": title}


FURTHER = [key for key, knob in KNOBS.items() if knob.group != "headline"]


@pytest.mark.parametrize("group", sorted({KNOBS[key].group for key in FURTHER}))
def test_every_further_knob_has_one_control_with_its_unit(group):
    """Each of the group is there once, with the unit in its label and its help."""
    knobs = [knob for knob in KNOBS.values() if knob.group == group]
    app = opened(**group_of(knobs[0].key))
    assert not app.exception
    for knob in knobs:
        box = app.selectbox(key=knob.link)
        assert knob.label in box.label
        assert knob.unit.replace("us", "µs").replace("$", "\\$") in box.label
        assert knob.help in box.help


def test_a_closed_box_builds_nothing():
    """Untouched, the page holds six controls and no further knob."""
    app = opened()
    assert {box.key for box in app.selectbox} == {"situation"}
    assert len(app.select_slider) == len(state.SLIDERS)
    assert not app.text_input


def test_a_further_knob_is_marked_and_has_its_own_reset():
    """A dot, the default's value on the button, and one click back."""
    app = opened(**group_of("latency"))
    app.selectbox(key="lat").select("100").run()
    assert address(app)["lat"] == "100"
    assert app.selectbox(key="lat").label.startswith("●")
    assert app.button(key="reset_lat").label == "Reset to 20 µs"
    app.button(key="reset_lat").click().run()
    assert "lat" not in address(app)
    assert not app.selectbox(key="lat").label.startswith("●")


def test_a_value_of_a_link_is_among_the_options():
    """12.5 µs is on no ladder, and shown all the same."""
    app = opened(**group_of("latency"), lat="12.5", mtbf="7")
    assert app.selectbox(key="lat").value == "12.5"
    assert app.selectbox(key="lat").options[7:10] == ["10", "12.5", "15"]


@pytest.mark.parametrize("given", ["fast", "-1", "nan", "1e30", "20 GB", ""])
def test_a_bad_value_is_answered_in_one_sentence_that_names_the_knob(given):
    """Four parts: what was asked, why not, what was given, what would work."""
    with pytest.raises(InputError, match="Latency") as refused:
        state.read(KNOBS["latency"], given)
    sentence = str(refused.value)
    assert "(" in sentence and sentence.endswith(".") and "\n" not in sentence


def test_other_pages_hold_the_scenario_in_a_closed_box_and_keep_the_address():
    """The link of every page is whole."""
    if "method.py" not in PAGES:
        pytest.skip("no second page yet")
    app = opened("method.py", n="7", lat="30")
    assert not app.exception
    assert app.select_slider(key="n").value == "7"
    assert address(app)["lat"] == "30"
    assert "situation" not in {box.key for box in app.selectbox}
