"""Units at the border: what is read, what is refused, and how numbers are written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.errors import InputError
from dpmodel.units import human, parse_quantity, plain, significant, to_unit, unit_factor


@pytest.mark.parametrize(
    ("text", "dimension", "default", "value"),
    [
        ("40", "time", "h", 144_000),
        ("1.5 days", "time", "h", 129_600),
        ("90min", "time", "h", 5400),
        ("20 us", "time", "us", 2e-5),
        ("20 µs", "time", "us", 2e-5),
        ("10", "rate", "Gb/s", 1.25e9),
        ("10 GB/s", "rate", "Gb/s", 1e10),
        ("10 Gbps", "rate", "Gb/s", 1.25e9),
        ("10 gbit/s", "rate", "Gb/s", 1.25e9),
        ("12.5 GB/s", "rate", "Gb/s", 1.25e10),
        ("100 MB/s", "rate", "Gb/s", 1e8),
        ("25", "data", "MiB", 25 * 2**20),
        ("25 MB", "data", "MiB", 25e6),
        ("1 GiB", "data", "MiB", 2**30),
        ("8 Gb", "data", "MiB", 1e9),
        ("7B", "count", "", 7e9),
        ("350M", "count", "", 3.5e8),
        ("1,000,000", "count", "", 1e6),
        ("1e3", "count", "", 1000),
        ("66.7 %", "fraction", "%", 0.667),
        ("125", "compute", "TFLOP/s", 1.25e14),
        (".5", "factor", "x", 0.5),
    ],
)
def test_quantities_are_read_into_si(text: str, dimension: str, default: str, value: float) -> None:
    """A number with its unit, or a bare one in the default unit, becomes seconds, bytes, ..."""
    assert math.isclose(parse_quantity(text, dimension, default), value, rel_tol=1e-12)


def test_bits_and_bytes_differ_by_eight_and_gb_from_gib() -> None:
    """10 GB/s is eight times 10 Gb/s; 1 GiB is 7.4 % more than 1 GB."""
    assert unit_factor("GB/s", "rate") == 8 * unit_factor("Gb/s", "rate")
    assert unit_factor("GiB", "data") / unit_factor("GB", "data") == 1.073741824


@pytest.mark.parametrize("text", ["10 gb/s", "10 h", "10 parsecs/s"])
def test_ambiguous_or_foreign_units_are_refused(text: str) -> None:
    """ "gb/s" may be bits or bytes, and hours are no rate: both are asked about, not guessed."""
    with pytest.raises(InputError, match="cannot be used for a rate"):
        parse_quantity(text, "rate", "Gb/s")


@pytest.mark.parametrize("text", ["", "fast", "1 2", "1,0,0", "--3", "h", "1.2.3"])
def test_what_is_no_number_is_refused(text: str) -> None:
    """The sentence says what to write instead."""
    with pytest.raises(InputError) as caught:
        parse_quantity(text, "time", "h")
    assert "Write for example" in caught.value.way_out


def test_a_long_text_is_shortened_in_its_refusal() -> None:
    """Pasting a page into a box does not print the page."""
    with pytest.raises(InputError) as caught:
        parse_quantity("x" * 10_000, "time", "h")
    assert len(str(caught.value)) < 400


@settings(deadline=None)
@given(st.floats(1e-6, 1e12), st.sampled_from(["h", "min", "ms", "days"]))
def test_reading_back_what_was_written(number: float, unit: str) -> None:
    """A value written plainly in a unit is read back to ten digits."""
    seconds = number * unit_factor(unit, "time")
    written = plain(float(to_unit(seconds, unit, "time")))
    assert math.isclose(parse_quantity(f"{written} {unit}", "time", unit), seconds, rel_tol=1e-9)


def test_rounding_dust_is_dropped_from_scalars_only() -> None:
    """66.7 % comes back as 66.7, and arrays pass through in full precision."""
    assert to_unit(66.7 * 0.01, "%", "fraction") == 66.7
    swept = to_unit(np.array([3600.0, 7200.0]), "h", "time")
    assert np.asarray(swept).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (25.6, "25.6"), (1e5, "100000"), (1e-7, "0.0000001"), (3.0, "3")],
)
def test_plain_numbers_are_written_as_typed(value: float, text: str) -> None:
    """No exponent where a person would write none."""
    assert plain(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1440.0, "1,440"),
        (0.02123, "0.0212"),
        (0.0, "0"),
        (math.inf, "no end"),
        (math.nan, "unknown"),
    ],
)
def test_significant_figures(value: float, text: str) -> None:
    """Three figures, thousands marked, and words where there is no number."""
    assert significant(value) == text


@pytest.mark.parametrize(
    ("value", "dimension", "text"),
    [
        (144_000, "time", "40 h"),
        (5 * 86_400, "time", "5 days"),
        (2220, "time", "37 min"),
        (0.0904, "time", "90.4 ms"),
        (2e-5, "time", "20 µs"),
        (0, "time", "0 s"),
        (102_228_128, "data", "102 MB"),
        (1.25e9, "bits", "10 Gb/s"),
        (1.25e9, "rate", "1.25 GB/s"),
        (25_557_032, "count", "25.6 M"),
        (5.184e7, "energy", "14.4 kWh"),
        (122.4, "money", "$122"),
        (math.inf, "time", "no end"),
    ],
)
def test_human_units(value: float, dimension: str, text: str) -> None:
    """The unit a person would choose, with a space before it."""
    assert human(value, dimension) == text


@settings(deadline=None)
@given(st.floats(1e-9, 1e15), st.sampled_from(["time", "data", "rate", "count", "energy", "money"]))
def test_human_never_fails_nor_shows_four_digits_before_a_larger_unit(
    value: float, dimension: str
) -> None:
    """Any finite value has a short text with a digit in it."""
    text = human(value, dimension)
    assert any(sign.isdigit() for sign in text)
    assert len(text) < 30


def test_an_error_is_one_sentence_of_four_parts() -> None:
    """Asked, rule, given and way out, in the order in which they are read."""
    error = InputError(asked="A", given="B", rule="C", way_out="D.")
    assert str(error) == "A: C (B). D."
    assert (error.asked, error.given, error.rule, error.way_out) == ("A", "B", "C", "D.")
