"""Gradients on shards: their average is the full gradient, and replicas stay one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.errors import InputError
from dpmodel.executed import all_reduce
from dpmodel.learners import LEARNERS, learner
from dpmodel.sharding import (
    Method,
    average,
    disagreement,
    draws,
    even_counts,
    full_gradient,
    loss,
    mean_of_means,
    sample_norm,
    shard_gradients,
    split,
    train,
    uneven_counts,
)

NAMES = list(LEARNERS)


def _case(name, samples, seed=0):
    model = learner(name)
    data = model.data(samples)
    weights = np.random.default_rng(seed).standard_normal(model.size(data.x.shape[1]))
    return model, data, weights


@st.composite
def uneven_splits(draw):
    """Draw 1 to 64 shares, some of which may be empty, of 1 to 400 samples."""
    workers, samples = draw(st.integers(1, 64)), draw(st.integers(1, 400))
    cuts = draw(st.lists(st.integers(0, samples), min_size=workers - 1, max_size=workers - 1))
    return np.diff([0, *sorted(cuts), samples])


# --- the average is the full gradient -------------------------------------------------------------
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), uneven_splits(), st.integers(0, 5))
def test_weighted_average_equals_the_full_gradient_for_any_shares(name, counts, seed) -> None:
    """Each sample weighs 1/B wherever it lies; 1e-12 of a sample's gradient is rounding."""
    model, data, weights = _case(name, int(counts.sum()), seed)
    got = average(shard_gradients(model, weights, split(data, counts)), counts)
    off = np.abs(got - full_gradient(model, weights, data)).max()
    assert off <= 1e-12 * sample_norm(model, weights, data)


@pytest.mark.parametrize("name", NAMES)
def test_weighted_average_equals_the_full_gradient_for_every_n_up_to_64(name) -> None:
    """Even shares of 4,001 samples, which no N above one divides."""
    model, data, weights = _case(name, 4001)
    whole, scale = full_gradient(model, weights, data), sample_norm(model, weights, data)
    for workers in range(1, 65):
        counts = even_counts(4001, workers)
        got = average(shard_gradients(model, weights, split(data, counts)), counts)
        assert np.abs(got - whole).max() <= 1e-12 * scale, workers


@pytest.mark.parametrize("name", NAMES)
def test_mean_of_means_is_right_for_even_and_wrong_for_uneven_shares(name) -> None:
    """With shares of 1 and 99, one sample weighs as much as the other 99 together."""
    model, data, weights = _case(name, 100)
    whole, scale = full_gradient(model, weights, data), sample_norm(model, weights, data)
    even = shard_gradients(model, weights, split(data, [50, 50]))
    uneven = shard_gradients(model, weights, split(data, [1, 99]))
    assert np.abs(mean_of_means(even) - whole).max() <= 1e-12 * scale
    assert np.abs(mean_of_means(uneven) - whole).max() > 0.05 * scale


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_the_slopes_of_the_loss(name) -> None:
    """Central differences of the loss give the gradient that is computed by hand."""
    model, data, weights = _case(name, 50)
    tiny = 1e-5 * np.eye(len(weights))
    slopes = (loss(model, weights + tiny, data) - loss(model, weights - tiny, data)) / 2e-5
    assert np.allclose(slopes, full_gradient(model, weights, data), atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_of_all_workers_equal_a_loop_over_workers(name) -> None:
    """From shared weights and from weights of their own, one call equals one call a worker."""
    model, data, weights = _case(name, 103)
    counts = even_counts(103, 7)
    own = weights + np.arange(7)[:, None] * 0.1
    shards, edges = split(data, counts), np.cumsum([0, *counts])
    for given_weights in (weights, own):
        got = shard_gradients(model, given_weights, shards)
        for k in range(7):
            x, y = data.x[edges[k] : edges[k + 1]], data.y[edges[k] : edges[k + 1]]
            row = np.broadcast_to(given_weights, own.shape)[k]
            assert np.allclose(got[k], model.sums(row, x, y, None)[1] / counts[k], rtol=1e-12)


# --- replicas -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_replicas_are_the_same_bits_after_a_thousand_steps(name) -> None:
    """All start alike and apply the same average."""
    model, data, _ = _case(name, 256)
    end = train(model, data, even_counts(60, 7), Method(0.05), 1000)[-1]
    assert (end == end[0]).all()


@pytest.mark.parametrize("algorithm", ["ring", "halving_doubling", "tree", "parameter_server"])
def test_replicas_stay_the_same_bits_through_an_executed_all_reduce(algorithm) -> None:
    """A thousand steps whose average travels chunk by chunk; the weights agree with the sum's."""
    model, data, _ = _case("linear", 64)
    counts = even_counts(30, 4)
    method = Method(0.02, reduce=lambda gradients: all_reduce(algorithm, gradients))
    end = train(model, data, counts, method, 1000)[-1]
    assert (end == end[0]).all()
    assert np.allclose(end, train(model, data, counts, Method(0.02), 1000)[-1], rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_one_step_of_n_workers_is_one_step_of_one(name) -> None:
    """The same batch moves the weights alike, however many share it."""
    model, data, _ = _case(name, 128)
    one, many = (train(model, data, even_counts(128, n), Method(0.1), 20)[-1, 0] for n in (1, 16))
    assert np.allclose(one, many, rtol=1e-9)


def test_without_the_all_reduce_replicas_part() -> None:
    """Each follows its own shards, and none learns what the average learns."""
    model, data, _ = _case("linear", 256)
    apart = train(model, data, even_counts(32, 8), Method(0.1, exchange="none"), 50)
    assert disagreement(apart)[0] == 0
    assert (disagreement(apart)[1:] > 0).all()
    joint = train(model, data, even_counts(32, 8), Method(0.1), 50)[-1, 0]
    assert loss(model, joint, data) < loss(model, apart[-1], data).mean()


def test_a_stale_worker_keeps_replicas_equal_but_changes_the_path() -> None:
    """Its old gradient enters everyone's average; at a bold rate the lag makes training diverge."""
    model, data, _ = _case("linear", 256)
    counts = uneven_counts(64, 2, 4.0)
    fresh, late = (train(model, data, counts, Method(0.5, stale=lag), 120)[-1] for lag in (0, 6))
    assert disagreement(late) == 0
    assert loss(model, late[0], data) > 10 * loss(model, fresh[0], data)


# --- shares ---------------------------------------------------------------------------------------
@settings(deadline=None)
@given(st.integers(1, 5000), st.integers(1, 64))
def test_shares_add_up(batch, workers) -> None:
    """Even shares differ by one at most, and every worker has a sample."""
    if workers > batch:
        with pytest.raises(InputError, match="cannot share"):
            even_counts(batch, workers)
        return
    counts, tilted = even_counts(batch, workers), uneven_counts(batch, workers)
    assert counts.sum() == tilted.sum() == batch
    assert np.ptp(counts) <= 1
    assert min(counts.min(), tilted.min()) >= 1


def test_shares_that_do_not_add_up_are_refused() -> None:
    """The sentence says what was given and what would do."""
    data = learner("linear").data(10)
    with pytest.raises(InputError, match="add up to the batch"):
        split(data, [5, 4])
    with pytest.raises(InputError, match="no model 'cubic'"):
        learner("cubic")


def test_every_sample_comes_once_before_any_comes_again() -> None:
    """An epoch of 96 samples in batches of 32 is three steps."""
    order = draws(96, 32, 6)
    assert sorted(order[:3].ravel()) == sorted(order[3:].ravel()) == list(range(96))


@pytest.mark.parametrize("name", NAMES)
def test_data_are_the_same_every_time_and_can_be_learnt(name) -> None:
    """Training lowers the loss by a third at least."""
    model, data, _ = _case(name, 256)
    assert np.array_equal(data.x, model.data(256).x)
    weights = train(model, data, even_counts(64, 4), Method(0.3), 300)[:, 0]
    assert loss(model, weights[-1], data) < loss(model, weights[0], data) / 1.5
