"""Slow workers and hiccups: integrals, draws and limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.delays import expected_maximum, rare_slow_wait, straggler_wait
from tests import reference

PUBLISHED = {
    2: 0.564,
    4: 1.029,
    8: 1.424,
    16: 1.766,
    64: 2.344,
    256: 2.827,
    1024: 3.248,
    4096: 3.626,
}


@pytest.mark.parametrize(("workers", "published"), PUBLISHED.items())
def test_expected_maximum_of_normal_times(workers: int, published: float) -> None:
    """The mean of the largest of N normal values, to the three digits that tables print."""
    assert abs(expected_maximum(workers) - published) <= 0.0006


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 50, 65, 100, 777, 5000, 100_000, 1_000_000])
def test_expected_maximum_equals_the_integral(workers: int) -> None:
    """The interpolated table is within 1e-3 of the integral, on and between its points."""
    assert abs(expected_maximum(workers) - reference.expected_maximum(workers)) < 1e-3


def test_two_workers_have_a_closed_form() -> None:
    """E[max of 2] = 1/sqrt(pi), E[max of 3] = 3/(2 sqrt(pi)), and one worker waits for nobody."""
    expected = [0.0, 1 / np.sqrt(np.pi), 1.5 / np.sqrt(np.pi)]
    assert np.allclose(expected_maximum(np.array([1, 2, 3])), expected, atol=2e-4)


def test_jitter_equals_drawn_steps() -> None:
    """Sixteen workers with 10 % jitter wait 17.7 % of a step, as drawn steps do."""
    wait = straggler_wait(1.0, 16, 0.1, 1.0)
    assert np.isclose(wait, 0.1766, atol=1e-4)
    drawn = reference.mean_slowest_step(16, 0.1, draws=20_000, seed=1) - 1
    assert abs(wait - drawn) < 0.002


def test_one_slow_worker_holds_up_everyone_but_itself() -> None:
    """A worker at 1.5x makes any job of two or more wait half a step, however many they are."""
    assert np.allclose(straggler_wait(2.0, np.array([1, 2, 256]), 0.0, 1.5), [0.0, 1.0, 1.0])


def test_the_larger_of_jitter_and_slow_worker_counts() -> None:
    """A persistent straggler hides the jitter of the others, and the other way round."""
    assert np.isclose(straggler_wait(1.0, 256, 0.1, 1.05), 0.2827, atol=1e-3)
    assert np.isclose(straggler_wait(1.0, 256, 0.1, 1.5), 0.5)


def test_rare_hiccups_equal_drawn_steps() -> None:
    """With 1 % hiccups that double a step, 64 workers almost always meet one in two steps."""
    alone = 1 + 0.01 * 1.0
    wait = rare_slow_wait(alone, 64, 0.01, 1.0)
    drawn = reference.mean_step_with_hiccups(64, 0.01, 1.0, draws=20_000, seed=2)
    assert np.isclose(alone + wait, 1 + (1 - 0.99**64), rtol=1e-12)
    assert abs(alone + wait - drawn) < 0.01


def test_hiccups_saturate_at_one_each_step() -> None:
    """With many workers some worker hiccups in every step: the step takes 1 + delta."""
    wait = rare_slow_wait(1.1, 10**6, 0.1, 1.0)
    assert np.isclose(1.1 + wait, 2.0)


@settings(deadline=None)
@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 1), st.floats(0, 100))
def test_waiting_never_falls_with_workers(n: int, jitter: float, q: float, extra: float) -> None:
    """More workers never wait less, no wait is negative, and one worker does not wait."""
    for waits in (
        straggler_wait(1.0, np.array([1, n, n + 1]), jitter, 1.2),
        rare_slow_wait(1.0, np.array([1, n, n + 1]), q, extra),
    ):
        wait = np.broadcast_to(waits, 3)
        assert abs(wait[0]) < 1e-12
        assert (wait >= -1e-12).all()
        assert wait[2] >= wait[1] - 1e-12


def test_vector_equals_scalar() -> None:
    """A sweep over workers and jitter equals the calls one by one."""
    workers, jitter = np.array([1, 2, 100]), np.array([0.0, 0.1])[:, None]
    swept = straggler_wait(1.0, workers, jitter, 1.1)
    each = [[straggler_wait(1.0, int(n), float(j), 1.1) for n in workers] for j in jitter[:, 0]]
    assert (swept == np.array(each)).all()
