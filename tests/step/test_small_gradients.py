"""Fewer bits and fewer entries: what rounding and compression do to a gradient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.compression import (
    int8,
    int8_sender,
    relative_error,
    rounding_sender,
    sent_bytes,
    top_k,
    top_k_sender,
)
from dpmodel.errors import InputError
from dpmodel.learners import learner
from dpmodel.precision import FORMATS, best_scale, round_to, rounded, rounding_loss
from dpmodel.sharding import Method, even_counts, loss, shard_gradients, split, train

numbers = st.floats(-1e30, 1e30, allow_nan=False)


def _gradients(workers=8, scale=1.0):
    model = learner("network")
    data = model.data(256)
    shards = split(data, even_counts(256, workers))
    return scale * shard_gradients(model, model.start(2), shards)


# --- precision ------------------------------------------------------------------------------------
@settings(deadline=None)
@given(numbers)
def test_fp16_is_numpys_half(value) -> None:
    """Nearest even, zero below half the smallest, infinite above the largest."""
    with np.errstate(over="ignore"):
        assert round_to(np.array(value), "fp16") == float(np.float16(value))


@settings(deadline=None)
@given(numbers)
def test_bf16_is_within_half_a_place(value) -> None:
    """8 bits of significand: within 2^-8 of the value, and rounding again changes nothing."""
    got = float(round_to(np.array(value), "bf16"))
    assert abs(got - value) <= max(2.0**-8 * abs(value), FORMATS["bf16"].smallest / 2)
    assert float(round_to(np.array(got), "bf16")) == got
    assert np.float32(got) == got
    assert np.float32(got).view(np.uint32) & 0xFFFF == 0


@pytest.mark.parametrize("name", FORMATS)
def test_limits_of_the_formats(name) -> None:
    """The largest number stays, the next place overflows; half the smallest is lost."""
    held = FORMATS[name]
    over = held.largest * (1 + 2.0 ** -(held.fraction + 1))
    got = round_to(np.array([held.largest, over, held.smallest, held.smallest / 2, -over]), name)
    assert got.tolist() == [held.largest, np.inf, held.smallest, 0.0, -np.inf]


def test_loss_scaling_saves_small_gradients_in_fp16() -> None:
    """Gradients of 1e-9 are all lost; scaled by a power of two they keep three digits."""
    tiny = _gradients(scale=1e-8)
    plain, scaled = (rounding_loss(tiny, "fp16", s) for s in (1.0, best_scale(tiny, "fp16")))
    assert plain.lost > 0.3
    assert plain.error > 0.1
    assert scaled.lost == 0
    assert scaled.error < 1e-3
    assert scaled.overflowed == 0


def test_a_scale_twice_the_best_overflows_and_bf16_needs_none() -> None:
    """The best power of two is the last one that is safe; bf16 has the range of 32 bits."""
    tiny = _gradients(scale=1e-8)
    assert rounding_loss(tiny, "fp16", 2 * best_scale(tiny, "fp16")).overflowed > 0
    assert rounding_loss(tiny, "bf16").lost == 0
    assert 1e-4 < rounding_loss(tiny, "bf16").error < 2.0**-8


def test_unscaling_changes_no_digit() -> None:
    """A power of two as scale gives the same numbers where nothing is lost."""
    gradients = _gradients()
    kept = np.abs(gradients) > 2.0**-13
    same = rounded(gradients, "fp16") == rounded(gradients, "fp16", 1024.0)
    assert same[kept].all()


def test_other_formats_are_refused() -> None:
    """The sentence names those that there are."""
    with pytest.raises(InputError, match="two 16-bit formats"):
        round_to(np.ones(1), "fp12")


# --- compression ----------------------------------------------------------------------------------
@settings(deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.integers(1, 40))
def test_top_k_keeps_the_largest(values, keep) -> None:
    """Exactly k entries stay as they are, and none that was dropped is larger."""
    row = np.array([values])
    got = top_k(row, keep)
    kept = got != 0
    assert kept.sum() == min(keep, np.count_nonzero(row))
    assert (got[kept] == row[kept]).all()
    if (~kept).any() and kept.any():
        assert np.abs(row[~kept]).max() <= np.abs(row[kept]).min()


@settings(deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_int8_is_within_half_a_level(values) -> None:
    """A level is the largest entry over 127."""
    row = np.array([values])
    largest = np.abs(row).max()
    assert (np.abs(int8(row) - row) <= largest / 254 * (1 + 1e-9)).all()


def test_error_feedback_loses_nothing() -> None:
    """Handed over and kept back add up to the gradient and what was kept, bit for bit."""
    gradients, kept = _gradients(), _gradients(scale=0.3)
    handed, left = top_k_sender(3)(gradients, kept)
    assert ((handed + left) == (gradients + kept)).all()
    assert ((handed != 0).sum(axis=1) == 3).all()
    handed, left = int8_sender()(gradients, kept)
    assert np.allclose(handed + left, gradients + kept, rtol=1e-15, atol=1e-18)


def test_top_k_with_feedback_reaches_what_top_k_alone_does_not() -> None:
    """One entry in eight: with feedback the loss nears that of whole gradients."""
    model = learner("linear")
    data = model.data(512)
    counts = even_counts(64, 8)
    ends = {
        name: loss(model, train(model, data, counts, Method(0.05, send=send), 400)[-1, 0], data)
        for name, send in {
            "whole": None,
            "fed back": top_k_sender(1),
            "dropped": top_k_sender(1, feedback=False),
            "int8": int8_sender(),
            "bf16": rounding_sender("bf16"),
        }.items()
    }
    assert ends["fed back"] < 1.1 * ends["whole"]
    assert ends["dropped"] > ends["fed back"]
    assert ends["int8"] < 1.02 * ends["whole"]
    assert ends["bf16"] < 1.02 * ends["whole"]


def test_errors_are_those_expected_of_the_kind() -> None:
    """Int8 is off by about a percent, top-k by what it drops, fp16 by a few parts in 10,000."""
    gradients = _gradients()
    assert relative_error(int8(gradients), gradients) < 0.02
    dropped = np.linalg.norm(gradients - top_k(gradients, 5)) / np.linalg.norm(gradients)
    assert relative_error(top_k(gradients, 5), gradients) == pytest.approx(dropped)
    assert relative_error(rounded(gradients, "fp16"), gradients) < 5e-4


def test_bytes_of_a_message() -> None:
    """A thousand entries: 4,000 B whole, 80 B as the ten largest, 1,004 B as bytes."""
    assert sent_bytes(1000, "dense") == 4000
    assert sent_bytes(1000, "top_k", keep=10) == 80
    assert sent_bytes(1000, "int8") == 1004
