"""Knobs and the border: one declaration, checked once, read back as written."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.border import (
    changed_knobs,
    from_query,
    knob_named,
    make_scenario,
    scenario_to_dict,
    to_query,
)
from dpmodel.errors import InputError
from dpmodel.scenario import FIELD_OF, GROUPS, KNOBS, Scenario

NUMBERS = [knob for knob in KNOBS.values() if not knob.choices]


def query(text: str) -> dict[str, str]:
    return dict(parse_qsl(text.removeprefix("?")))


# --- the declarations -----------------------------------------------------------------------------
def test_every_name_means_one_knob() -> None:
    """No key, link or alias is used twice."""
    names = [n for k in KNOBS.values() for n in {k.key, k.link, *k.aliases}]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("knob", KNOBS.values(), ids=lambda knob: knob.key)
def test_every_knob_is_fully_declared(knob) -> None:  # type: ignore[no-untyped-def]
    """A label, a known group, at most twelve words of help, and an allowed default."""
    assert knob.label and knob.group in GROUPS
    assert 0 < len(knob.help.split()) <= 12
    assert knob.parse(knob.default) == knob.default_si


@pytest.mark.parametrize("knob", NUMBERS, ids=lambda knob: knob.key)
def test_every_ladder_rises_within_its_bounds(knob) -> None:  # type: ignore[no-untyped-def]
    """Each rung is a value that the knob accepts."""
    assert list(knob.ladder) == sorted(set(knob.ladder)) and len(knob.ladder) > 4
    for rung in knob.ladder:
        knob.check(knob.parse(rung))


# --- bad input ------------------------------------------------------------------------------------
@pytest.mark.parametrize("knob", NUMBERS, ids=lambda knob: knob.key)
@pytest.mark.parametrize("bad", [-1, math.nan, "nan", 1e30, "1e30", "-inf", "abc", "", True, None])
def test_bad_numbers_are_refused_in_four_parts(knob, bad) -> None:  # type: ignore[no-untyped-def]
    """Negative, not a number, absurd, wrong type: one sentence with a way out."""
    if bad is None and knob.none:
        return
    with pytest.raises(InputError) as caught:
        make_scenario(**{knob.key: bad})
    error = caught.value
    assert all((error.asked, error.given, error.rule, error.way_out))
    assert "\n" not in str(error)


@pytest.mark.parametrize("knob", NUMBERS, ids=lambda knob: knob.key)
def test_infinity_stands_for_no_limit_only(knob) -> None:  # type: ignore[no-untyped-def]
    """ "inf" is a value of knobs that have a word for it, and refused by all others."""
    if knob.none:
        assert knob.parse("inf") == knob.parse(knob.none) == math.inf
    else:
        with pytest.raises(InputError):
            knob.parse("inf")
        with pytest.raises(InputError):
            Scenario(**{FIELD_OF[knob.key]: math.inf})


@pytest.mark.parametrize(
    "key", ["hours", "workers", "bandwidth", "size", "batch", "steps", "bucket"]
)
def test_zero_is_refused_where_nothing_would_be_left(key: str) -> None:
    """No run of 0 h, no 0 workers, no link of 0 Gb/s."""
    with pytest.raises(InputError, match="number from"):
        make_scenario(**{key: 0})


def test_half_a_worker_is_refused() -> None:
    """Counts are whole numbers, in texts, fields and arrays."""
    with pytest.raises(InputError, match="whole number"):
        make_scenario(workers=2.5)
    with pytest.raises(InputError, match="whole number"):
        Scenario(workers=2.5)


def test_half_a_worker_inside_an_array_is_refused() -> None:
    """A fraction between whole numbers is refused too."""
    with pytest.raises(InputError, match="whole number"):
        Scenario(workers=np.array([1.0, 2.5, 4.0]))


def test_one_bad_element_spoils_an_array() -> None:
    """Arrays are held to the same range as scalars, NaN and infinity included."""
    for bad in (-1.0, math.nan, math.inf, 1e30):
        with pytest.raises(InputError):
            Scenario(bandwidth=np.array([1e9, bad]))
    Scenario(mtbf=np.array([1e6, math.inf]))


def test_unknown_names_bring_near_matches() -> None:
    """A slip in a name or a choice is answered with what was likely meant."""
    with pytest.raises(InputError, match="Did you mean bandwidth"):
        make_scenario(bandwith=10)
    with pytest.raises(InputError, match="Did you mean .*double_tree"):
        make_scenario(algorithm="doubletree")


def test_numbers_and_choices_are_forgiving_in_spelling_only() -> None:
    """Dashes, case and aliases are read; "16 workers" is the number 16 nowhere."""
    assert make_scenario(gpus=8).workers == 8
    assert make_scenario(algorithm="Double-Tree").algorithm == "double_tree"
    assert knob_named("Workers-Per-Node").key == "per_node"


# --- one situation, said in several ways ----------------------------------------------------------
def test_the_defaults_are_forty_hours_of_a_hundred_thousand_steps() -> None:
    """T(1) = 40 h, K = 100,000 and B = 512, held unless said otherwise."""
    scenario = make_scenario()
    assert (scenario.one_worker_time, scenario.steps, scenario.batch) == (144_000, 1e5, 512)


def test_seconds_per_step_samples_and_epochs_say_the_same() -> None:
    """1.44 s a step for 51.2 M samples, or 40 epochs of 1.28 M, are 40 h of 100,000 steps."""
    want = make_scenario()
    assert make_scenario(seconds_per_step=1.44) == want
    assert make_scenario(samples=51_200_000) == want
    assert make_scenario(epochs=40, samples_per_epoch=1_280_000) == want
    assert make_scenario(seconds_per_step="1440 ms", samples="51.2M") == want


@pytest.mark.parametrize(
    "values",
    [
        {"hours": 40, "seconds_per_step": 1.44},
        {"steps": 10, "samples": 5120},
        {"samples": 5120, "epochs": 1, "samples_per_epoch": 5120},
        {"epochs": 10},
        {"samples": -5},
        {"seconds_per_step": "nan"},
    ],
)
def test_saying_it_twice_or_half_is_refused(values: dict[str, object]) -> None:
    """Two ways to say the same, epochs of unknown length, and impossible amounts."""
    with pytest.raises(InputError):
        make_scenario(**values)


# --- there and back -------------------------------------------------------------------------------
@st.composite
def border_values(draw: st.DrawFn) -> dict[str, object]:
    """Some knobs with values that a person may give, in display units."""
    values: dict[str, object] = {}
    for knob in draw(st.lists(st.sampled_from(list(KNOBS.values())), max_size=12, unique_by=id)):
        if knob.choices:
            values[knob.key] = draw(st.sampled_from(list(knob.choices)))
        elif knob.integer:
            values[knob.key] = draw(st.integers(int(knob.low), int(min(knob.high, 1e9))))
        else:
            number = draw(st.floats(max(knob.low, 1e-3), min(knob.high, 1e6)))
            values[knob.key] = float(f"{number:.8g}")
    return values


@settings(max_examples=200, deadline=None)
@given(border_values())
def test_a_scenario_reads_back_as_written(values: dict[str, object]) -> None:
    """dict and address bar reproduce the scenario, defaults included or left out."""
    values = {k: v for k, v in values.items() if KNOBS[k].choices or _allowed(k, v)}
    scenario = make_scenario(**values)
    assert make_scenario(**scenario_to_dict(scenario)) == scenario
    for every in (True, False):
        again, errors = from_query(query(to_query(scenario, every=every)))
        assert not errors
        assert scenario_to_dict(again) == scenario_to_dict(scenario)


def _allowed(key: str, value: object) -> bool:
    try:
        KNOBS[key].parse(value)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("knob", NUMBERS, ids=lambda knob: knob.key)
def test_every_rung_reads_back_exactly(knob) -> None:  # type: ignore[no-untyped-def]
    """The text of a ladder value is a fixed point: read, write, read."""
    for rung in (*knob.ladder, knob.default):
        value = knob.parse(rung)
        assert knob.parse(knob.text(value)) == value
        assert knob.text(knob.parse(knob.text(value))) == knob.text(value)


def test_the_address_bar_holds_changed_knobs_only() -> None:
    """Defaults are left out, and a full link holds every knob."""
    assert to_query(Scenario()) == "?"
    assert query(to_query(make_scenario(workers=7))) == {"n": "7"}
    assert len(query(to_query(Scenario(), every=True))) == len(KNOBS)
    assert list(changed_knobs(make_scenario(size="7B"))) == ["size"]


def test_a_bad_link_keeps_what_is_good() -> None:
    """Each bad part is reported by itself; the rest is honoured."""
    scenario, errors = from_query({"n": "8", "bw": "fast", "colour": "red", "hours": "1.5 days"})
    assert (scenario.workers, scenario.one_worker_time) == (8, 129_600)
    assert len(errors) == 2


def test_units_in_values_are_honoured() -> None:
    """7B parameters, 12.5 GB/s and 1.5 days are what they say."""
    scenario = make_scenario(size="7B", bandwidth="12.5 GB/s", hours="1.5 days", bucket="100 MB")
    assert scenario.parameters == 7e9
    assert scenario.bandwidth == 12.5e9
    assert scenario.one_worker_time == 129_600
    assert scenario.bucket == 1e8


# --- the frozen scenario --------------------------------------------------------------------------
def test_a_scenario_cannot_be_changed_only_copied() -> None:
    """`but` makes a checked copy, and the original stays."""
    scenario = Scenario()
    with pytest.raises(FrozenInstanceError):
        scenario.workers = 3.0  # type: ignore[misc]
    assert scenario.but(workers=3.0).workers == 3
    assert scenario.workers == 16
    with pytest.raises(InputError):
        scenario.but(workers=-3.0)


def test_integers_are_as_good_as_floats() -> None:
    """NumPy and Python integers are numbers in every numeric field."""
    assert Scenario(workers=8, batch=np.int64(512)) == Scenario(workers=8.0, batch=512.0)
