"""Numbers and units as people write them."""

from __future__ import annotations

import pytest

from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS

H, D = UNITS["time"]["h"], UNITS["time"]["d"]


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("2h 30m", 2.5 * H, "time"),
        ("6h40", 6 * H + 2400, "time"),
        ("9 hrs 36 mins", 9.6 * H, "time"),
        ("1.5 days", 1.5 * D, "time"),
        ("half a day", 0.5 * D, "time"),
        ("two weeks", 14 * D, "time"),
        ("a fortnight", 14 * D, "time"),
        ("an hour and a half", 1.5 * H, "time"),
        ("two and a half hours", 2.5 * H, "time"),
        ("three quarters of an hour", 0.75 * H, "time"),
        ("0.42 s per step", 0.42, "time"),
        ("1.2e3 minutes", 20 * H, "time"),
        ("20 microseconds", 20e-6, "time"),
        ("350 img/s per GPU", 350, "throughput"),
        ("1,200 samples/s", 1200, "throughput"),
        ("1.28M images", 1.28e6, "count"),
        ("1 200 images", 1200, "count"),
        ("twenty-four TPU chips", 24, "count"),
        ("half a dozen devices", 6, "count"),
        ("a dozen machines", 12, "count"),
        ("two hundred fifty six samples", 256, "count"),
        ("7 billion parameters", 7e9, "count"),
        ("12.5 GB/s", 12.5e9, "rate"),
        ("100 Gb/s", 12.5e9, "rate"),
        ("400 Gbit/s", 50e9, "rate"),
        ("10 Gb Ethernet", 1.25e9, "rate"),
        ("2 GiB", 2 * 2**30, "data"),
        ("500 MB", 5e8, "data"),
        ("16 bytes per parameter", 16, "data"),
        ("five percent", 0.05, "share"),
        ("a fifth", 0.2, "share"),
        ("two-thirds", 2 / 3, "share"),
        ("eightfold", 8, "factor"),
        ("3.9x", 3.9, "factor"),
        ("$2.50 per GPU-hour", 2.5 / H, "price"),
        ("$1,000", 1000, "money"),
        ("30 GPU-hours", 30 * H, "work"),
    ],
)
def test_english_quantities(text, value, dimension):
    """Each text is one quantity, in SI."""
    found = Scene(text, "en").quantities
    assert [(q.dimension, pytest.approx(q.value)) for q in found] == [
        (dimension, pytest.approx(value))
    ]


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("de", "37,5 Stunden", 37.5 * H),
        ("de", "fünfundzwanzig GPUs", 25),
        ("es", "2.400 minutos", 40 * H),
        ("fr", "vingt-quatre heures", 24 * H),
        ("pt", "1 hora e 30 minutos", 1.5 * H),
        ("zh", "二十四小时", 24 * H),
        ("zh", "百分之五", 0.05),
    ],
)
def test_quantities_of_other_languages(language, text, value):
    """Decimal commas, number words and glued numbers."""
    found = Scene(text, language).quantities
    assert [q.value for q in found] == [pytest.approx(value)]


@pytest.mark.parametrize("text", ["ResNet-50", "GPT-3", "ZeRO-1", "fp16", "A100", "RTX 4090"])
def test_names_are_no_quantities(text):
    """A number that belongs to a name counts nothing."""
    assert Scene(text, "en").quantities == []


def test_a_quantity_knows_its_place():
    """Spans point into the question as typed, whatever signs it holds."""
    text = "One GPU needs 56\u00a0hours – how long do “seven” GPUs need?"
    for q in Scene(text).quantities:
        assert text[q.span[0] : q.span[1]].replace("\u00a0", " ") == q.text
