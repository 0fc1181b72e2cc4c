"""Larger batches: the linear rule, where it ends, and the critical batch on real curves."""

from __future__ import annotations

import numpy as np
import pytest

from dpmodel.datasets import line
from dpmodel.large_batches import (
    best_steps,
    fit_critical_batch,
    least_loss,
    linear_rule,
    loss_curves,
    stability_limit,
    steps_to,
)
from dpmodel.learners import learner
from dpmodel.sharding import Method, even_counts, loss, train

DATA = line(512)


def test_the_linear_rule_makes_few_large_steps_like_many_small_ones() -> None:
    """At a small rate, 30 steps of 128 samples end where 240 steps of 16 do; unscaled, not near."""
    small = loss_curves(DATA, 16, np.array([0.01]), 240, runs=16)[-1, 0]
    scaled = loss_curves(DATA, 128, np.array([linear_rule(0.01, 128, 16)]), 30, runs=16)[-1, 0]
    unscaled = loss_curves(DATA, 128, np.array([0.01]), 30, runs=16)[-1, 0]
    assert scaled == pytest.approx(small, rel=0.05)
    assert unscaled > 5 * small


def test_the_linear_rule_diverges_past_the_stability_limit() -> None:
    """Full batches, 2 % below and above 2 / lambda_max: one falls, the other leaves all bounds."""
    limit = stability_limit(DATA)
    model = learner("linear")
    below, above = (
        loss(model, train(model, DATA, even_counts(512, 8), Method(rate), 3000)[-1, 0], DATA)
        for rate in (0.98 * limit, 1.02 * limit)
    )
    assert below == pytest.approx(least_loss(DATA), rel=1e-6)
    assert above > 1e6


def test_critical_batch_is_seen_on_real_loss_curves() -> None:
    """Steps to within 5 % of the least loss follow S_min (1 + B_crit/B) within 10 % on average."""
    batches = 2 ** np.arange(10)
    steps, rates = best_steps(DATA, batches, 1.05 * least_loss(DATA))
    fit = fit_critical_batch(batches, steps)
    assert np.isfinite(steps).all()
    assert fit.error < 0.10
    assert 50 < fit.critical < 1000
    assert steps[0] / steps[1] > 1.6, "far below the critical batch, twice the batch halves steps"
    assert steps[-2] / steps[-1] < 1.5, "near it, hardly"
    assert rates[0] < rates[3] < rates[6], "the best rate grows with the batch"


def test_fit_returns_what_made_the_points() -> None:
    """Exact points give S_min and B_crit back, without those that never arrived."""
    batches = np.array([1.0, 4, 16, 64, 256])
    steps = np.array([np.inf, *(20 * (1 + 50 / batches[1:]))])
    fit = fit_critical_batch(batches, steps)
    assert fit.fewest == pytest.approx(20)
    assert fit.critical == pytest.approx(50)
    assert fit.error < 1e-12


def test_steps_are_read_where_a_curve_crosses() -> None:
    """From 4 to 2 between steps 1 and 2, the target 3 is met at 1.5; never is infinite."""
    curves = np.array([[8.0, 8, 1], [4, 8, 1], [2, 8, 1]])
    assert steps_to(curves, 3.0).tolist() == [1.5, np.inf, 0.0]
