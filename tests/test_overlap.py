"""Gradient buckets behind the backward pass: the loop, the bounds, and a growing model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpmodel.collectives import Cost, phase_cost
from dpmodel.overlap import (
    EqualBuckets,
    Exchange,
    equal_buckets,
    exchange_buckets,
    exchange_equal,
    profile_buckets,
)
from tests import reference

MIB = 2.0**20
COSTS = st.builds(
    phase_cost,
    st.floats(0, 0.1),
    st.floats(1e-13, 1e-8),
    st.sampled_from(["pipelined", "textbook"]),
)
SIZES = st.floats(1e3, 1e10)
BACKWARD = st.floats(0, 10)


def closed(size: float, cap: float, first: float, cost: Cost, backward: float) -> Exchange:
    return exchange_equal(size, equal_buckets(size, cap, first), cost, backward)


def loop(size: float, cap: float, first: float, cost: Cost, backward: float) -> tuple[float, float]:
    sizes = np.array(reference.equal_bucket_sizes(size, cap, first))
    ready = np.cumsum(sizes) / size * backward
    ready[-1] = backward
    return reference.bucket_loop(ready.tolist(), cost.time(sizes).tolist(), backward)


@pytest.mark.parametrize("law", ["pipelined", "textbook"])
@pytest.mark.parametrize("size", [1.0, 0.5, 1.5, 25, 25.5, 26, 26.5, 50, 51, 97.5, 100, 1000.0])
@pytest.mark.parametrize("backward", [0.0, 1e-3, 0.05, 0.3, 5.0])
def test_equal_buckets_equal_the_loop(size: float, backward: float, law: str) -> None:
    """The worst of four suffixes is where start_b = max(ready_b, end_{b-1}) ends."""
    for start in (0.0, 1e-5, 1e-2):
        for per_byte in (1e-12, 1e-9):
            for first in (0.5, 1, 25, 100):
                case = (
                    size * MIB,
                    25 * MIB,
                    first * MIB,
                    phase_cost(start, per_byte, law),
                    backward,
                )
                got, (total, exposed) = closed(*case), loop(*case)
                assert np.isclose(got.total, total, rtol=1e-12, atol=0)
                assert np.isclose(got.exposed, exposed, rtol=1e-12, atol=1e-12 * (total + backward))


@settings(max_examples=150, deadline=None)
@given(SIZES, st.floats(1e5, 1e9), st.floats(1e4, 1e9), COSTS, BACKWARD)
def test_equal_buckets_equal_the_loop_anywhere(
    size: float, cap: float, first: float, cost: Cost, backward: float
) -> None:
    """The closed form equals the loop whatever the sizes."""
    assume(size / cap < 2000)
    got, (total, exposed) = (
        closed(size, cap, first, cost, backward),
        loop(size, cap, first, cost, backward),
    )
    # A remainder of rounding dust may or may not count as a bucket: it costs one start-up.
    assume(not 0 < got.total - total < 1.001 * float(cost.time(1.0)))
    assert np.isclose(got.total, total, rtol=1e-9, atol=0)
    assert np.isclose(got.exposed, exposed, rtol=1e-9, atol=1e-9 * (total + backward))


@settings(deadline=None)
@given(SIZES, COSTS, BACKWARD)
def test_overlap_hides_no_more_than_the_backward_pass(
    size: float, cost: Cost, backward: float
) -> None:
    """max(compute, comm) <= overlapped step <= compute + comm at the same buckets."""
    sent = closed(size, 25 * MIB, MIB, cost, backward)
    slack = 1e-12 * (sent.total + backward)
    assert sent.total - sent.exposed <= backward + slack
    assert backward + sent.exposed <= backward + sent.total + slack
    assert backward + sent.exposed >= max(backward, sent.total) - slack


@settings(deadline=None)
@given(SIZES, COSTS, BACKWARD)
def test_the_last_bucket_is_always_exposed(size: float, cost: Cost, backward: float) -> None:
    """Its gradients appear when the backward pass ends, so nothing is left to hide it."""
    buckets = equal_buckets(size, 25 * MIB, MIB)
    last = 25 * MIB if buckets.full else buckets.rest
    sent = exchange_equal(size, buckets, cost, backward)
    assert sent.exposed >= min(cost.time(last), sent.total) * (1 - 1e-12)


@settings(deadline=None)
@given(SIZES, COSTS)
def test_nothing_to_hide_behind_exposes_everything(size: float, cost: Cost) -> None:
    """Without a backward pass (overlap off) all communication is exposed."""
    sent = closed(size, 25 * MIB, MIB, cost, 0.0)
    assert np.isclose(sent.exposed, sent.total, rtol=1e-12)


@settings(max_examples=200, deadline=None)
@given(SIZES, st.floats(1.0001, 4), COSTS, BACKWARD)
def test_a_growing_model_is_never_exchanged_sooner(
    size: float, more: float, cost: Cost, backward: float
) -> None:
    """Total time never falls with model size; exposed time falls at most by what the first
    bucket gains, which is a smaller share of the gradients and so is ready earlier."""
    small, large = (closed(s, 25 * MIB, MIB, cost, backward) for s in (size, size * more))
    slack = 1e-9 * (large.total + backward)
    assert large.total >= small.total - slack
    gained = backward * max(MIB / size - MIB / (size * more), 0.0)
    assert large.exposed >= small.exposed - gained - slack


@settings(deadline=None)
@given(SIZES, st.floats(1e3, 1e9), st.floats(1e3, 1e9))
def test_buckets_hold_exactly_the_gradients(size: float, cap: float, first: float) -> None:
    """first + rest + full x cap = S, none above the limit."""
    buckets = equal_buckets(size, cap, first)
    held = buckets.first + buckets.rest + buckets.full * buckets.cap
    assert np.isclose(held, size, rtol=1e-9)
    assert buckets.first <= cap and buckets.rest <= cap * (1 + 1e-9)


def test_a_hundred_megabyte_model_by_hand() -> None:
    """97.5 MiB in 25 MiB buckets: 1 first, 21.5 remaining, 3 whole."""
    buckets = equal_buckets(97.5 * MIB, 25 * MIB, MIB)
    assert buckets == EqualBuckets(MIB, 21.5 * MIB, 3.0, 25 * MIB)


def test_fast_network_exposes_only_the_last_bucket() -> None:
    """Where every bucket is through before the next is ready, one bucket remains."""
    cost = phase_cost(0.0, 1e-12, "textbook")
    sent = closed(100 * MIB, 25 * MIB, MIB, cost, 10.0)
    assert np.isclose(sent.exposed, 25 * MIB * 1e-12)


# --- a model's own layers -------------------------------------------------------------------------
PARTS = st.integers(0, 1000)
LAYERS = st.lists(st.tuples(PARTS, PARTS), min_size=1, max_size=60).filter(
    lambda layers: sum(p for p, _ in layers) > 0 and sum(t for _, t in layers) > 0
)


@settings(max_examples=150, deadline=None)
@given(LAYERS, st.floats(1, 1000), st.floats(0.5, 100), st.floats(0.1, 100), COSTS, BACKWARD)
def test_layer_profiles_equal_the_loops(
    layers: list[tuple[float, float]],
    size: float,
    cap: float,
    first: float,
    cost: Cost,
    backward: float,
) -> None:
    """Buckets poured layer by layer, and sent one by one, equal the arrays."""
    shares, compute = (np.array(column) / sum(column) for column in zip(*layers, strict=True))
    sizes, left = profile_buckets(shares, compute, size * MIB, cap * MIB, first * MIB)
    want_sizes, want_left = reference.filled_buckets(
        (shares / shares.sum() * size * MIB).tolist(), compute.tolist(), cap * MIB, first * MIB
    )
    assert np.allclose(sizes, want_sizes, rtol=1e-9, atol=1e-6)
    assert np.allclose(left, want_left, rtol=0, atol=1e-9)
    sent = exchange_buckets(sizes, left, cost, backward)
    ready = (backward * (1 - left)).tolist()
    total, exposed = reference.bucket_loop(ready, cost.time(sizes).tolist(), backward)
    # Layers after the last gradient are compute that hides too.
    assert np.isclose(sent.total, total, rtol=1e-12, atol=0)
    assert np.isclose(sent.exposed, exposed, rtol=1e-9, atol=1e-12 * (total + backward))


def test_a_huge_layer_makes_a_huge_bucket() -> None:
    """VGG's first dense layer, 75 % of its gradients, is one bucket far above the limit."""
    sizes, left = profile_buckets(
        np.array([0.15, 0.75, 0.1]), np.array([0.02, 0.08, 0.9]), 550 * MIB, 25 * MIB, MIB
    )
    assert np.allclose(sizes / MIB, [82.5, 412.5, 55])
    assert np.allclose(left, [0.98, 0.9, 0.0])


def test_gradients_that_appear_early_hide_better_than_late_ones() -> None:
    """The same bytes cost less where the heavy layer comes first in the backward pass."""
    cost = phase_cost(0.0, 1e-9, "textbook")
    compute = np.full(10, 0.1)
    early = np.array([0.91] + [0.01] * 9)
    exposed = [
        exchange_buckets(*profile_buckets(s, compute, 500 * MIB, MIB, MIB), cost, 0.6).exposed
        for s in (early, early[::-1])
    ]
    assert exposed[0] < exposed[1]


def test_empty_padding_buckets_change_nothing() -> None:
    """Zeros behind the last bucket, which pad a sweep, take no time."""
    cost = phase_cost(1e-3, 1e-9, "pipelined")
    sizes, left = np.array([1e6, 2e7]), np.array([0.6, 0.0])
    padded = exchange_buckets(np.append(sizes, [0, 0]), np.append(left, [0, 0]), cost, 0.05)
    assert padded == exchange_buckets(sizes, left, cost, 0.05)


def test_vector_equals_scalar() -> None:
    """A sweep over sizes and backward times equals the calls one by one."""
    cost = phase_cost(1e-4, 1e-9, "pipelined")
    sizes, backward = np.array([1e5, 3e7, 1e9]), np.array([0.0, 0.1, 2.0])[:, None]
    swept = exchange_equal(sizes, equal_buckets(sizes, 25 * MIB, MIB), cost, backward)
    for row, time in enumerate(backward[:, 0]):
        for column, size in enumerate(sizes):
            one = closed(float(size), 25 * MIB, MIB, cost, float(time))
            assert swept.exposed[row, column] == one.exposed
            assert np.broadcast_to(swept.total, (3, 3))[row, column] == one.total


def test_swept_profiles_equal_profiles_one_by_one() -> None:
    """Buckets of many model sizes at once are those of each size, with zeros behind the last."""
    shares, compute = np.arange(1.0, 40), np.arange(40.0, 1, -1)
    sizes = np.array([1.0, 30, 400, 5000]) * MIB
    swept, left = profile_buckets(shares, compute, sizes, 25 * MIB, MIB)
    for row, size in enumerate(sizes):
        alone, alone_left = profile_buckets(shares, compute, float(size), 25 * MIB, MIB)
        count = alone.size
        assert np.allclose(swept[row, :count], alone, rtol=1e-12)
        assert np.allclose(left[row, :count], alone_left, atol=1e-12)
        assert not swept[row, count:].any()
