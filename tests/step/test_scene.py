"""The scene of the player: what it shows is what was computed, in numbers and in words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpmodel.border import make_scenario
from dpmodel.executed import SCHEDULES
from dpmodel.learners import LEARNERS
from dpmodel.one_step import carry_out, shares, shown_batch, shown_workers, with_shares
from dpmodel.scenario import Scenario
from dpmodel.sharding import average
from dpmodel.step import global_batch, most_workers, step_parts
from pages.ui.exercise import EVENTS, exercise
from pages.ui.step_clock import SLOW, Choices, timed
from pages.ui.step_scene import make_scene, tiny
from tests.scenarios import drawn


@pytest.mark.parametrize("algorithm", SCHEDULES)
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("uneven", [False, True])
def test_a_step_carried_out_averages_to_the_full_gradient(name, algorithm, uneven) -> None:
    """Through every executed all-reduce, with even shares and uneven ones, on 2 to 16 workers."""
    for workers in (2, 3, 7, 16):
        step = carry_out(name, algorithm, shares(512, workers, uneven=uneven))
        held = step.trace.held[-1, :workers]
        assert (held == held[0]).all()
        assert (step.ends == step.ends[0]).all()
        assert np.allclose(held[0], average(step.gradients, step.counts), atol=1e-12)
        assert step.off < 1e-12
        assert (step.mean_of_means_off > 1e-3) == uneven


def test_without_exchange_each_applies_its_own() -> None:
    """No round runs, and replicas part at once."""
    step = carry_out("linear", "ring", shares(64, 4, uneven=False), exchange=False)
    assert step.trace.rounds == []
    assert np.allclose(step.start - step.ends, 0.1 * step.gradients)


def test_the_scene_unfolds_to_what_was_held() -> None:
    """Weighted gradients and the changes of each frame give the trace, to four figures."""
    scene = make_scene(Scenario(), Choices(algorithm="halving_doubling"))
    held = [row[:] for row in scene.data["weighted"]]
    rounds = [frame for frame in scene.data["frames"] if frame["shows"] == "held"]
    for number, frame in enumerate(rounds, start=1):
        for host, start, values in frame["changes"]:
            held[host][start : start + len(values)] = values
        assert np.allclose(held, scene.step.trace.held[number], rtol=1e-3, atol=1e-12)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    drawn(parameters=1e8),
    st.integers(1, 300),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_every_situation_has_a_scene(scenario, workers, skip, slow, uneven, alone) -> None:
    """Times rise from 0 to 1, words hold no nan, and no exponent that a person must decode."""
    scenario = scenario.but(workers=float(workers))
    chosen = Choices(skip=skip, slow=slow, uneven=uneven, no_overlap=alone)
    scene = make_scene(scenario, chosen)
    frames = scene.data["frames"]
    edges = [edge for frame in frames for edge in (frame["start"], frame["end"])]
    assert edges == sorted(edges)
    assert edges[0] >= 0
    assert edges[-1] <= 1
    text = " ".join(frame["text"] for frame in frames)
    assert not re.search(r"nan|inf\b|\de-\d", text)
    assert len({lane["name"] for lane in scene.data["lanes"]}) == len(scene.step.counts) + 1


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawn(parameters=1e8), st.integers(2, 300))
def test_the_clock_is_the_models_where_nothing_is_changed(scenario, workers) -> None:
    """With no switch on, the lanes end when `step_parts` says."""
    assume(workers <= most_workers(scenario))
    lanes = timed(scenario.but(workers=float(workers)), Choices())
    assert lanes.makespan == pytest.approx(float(step_parts(scenario, workers).total), rel=1e-9)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawn(parameters=1e8, mode="realistic", input_rate=float("inf")), st.integers(2, 64))
def test_shares_that_are_even_and_a_worker_that_is_not_slow_change_nothing(scenario, workers):
    """The scenario made for shares is the same step, part by part, serial work included."""
    batch = int(float(global_batch(scenario, float(workers))))
    assume(batch % workers == 0 and batch >= workers * float(scenario.accumulation))
    scenario = scenario.but(serial_step=min(float(scenario.serial_step), 0.9))
    made = with_shares(scenario, shares(batch, workers, uneven=False))
    before, after = step_parts(scenario, workers), step_parts(made, workers)
    for part in ("compute", "exposed", "hidden", "straggler", "serial"):
        assert float(getattr(after, part)) == pytest.approx(float(getattr(before, part)), rel=1e-6)


def test_a_larger_share_takes_as_much_longer() -> None:
    """Three workers with 100 samples and one with 300: its compute is three times theirs."""
    counts = np.array([100, 100, 100, 300])
    made = with_shares(make_scenario(batch=600, contention=0), counts)
    step = step_parts(made, 4)
    per_sample = 1.44 / 600
    assert float(step.compute) == pytest.approx(100 * per_sample)
    assert float(step.straggler) == pytest.approx(200 * per_sample)
    slow = step_parts(with_shares(make_scenario(batch=600), counts, SLOW), 4)
    assert float(slow.straggler) == pytest.approx(500 * per_sample)


def test_switches_make_the_step_longer_and_skipping_shorter() -> None:
    """At the defaults each trial moves the clock the way its sentence says."""
    usual = timed(Scenario(), Choices()).makespan
    for trial in ("slow", "uneven", "no_overlap"):
        assert timed(Scenario(), Choices(**{trial: True})).makespan > usual
    assert timed(Scenario(), Choices(skip=True)).makespan < usual


def test_shown_sizes_stay_within_the_picture() -> None:
    """2 to 16 workers, each with two samples at least."""
    assert [shown_workers(Scenario(workers=n)) for n in (1.0, 7.0, 4096.0)] == [2, 7, 16]
    assert shown_batch(Scenario(batch=1.0)) == 32
    assert shown_batch(Scenario(batch=1e9)) == 4096
    assert shown_batch(Scenario(batch=100.0, scaling="weak")) == 1600


def test_tiny_numbers_are_written_for_people() -> None:
    """Powers of ten as superscripts."""
    assert [tiny(0.0), tiny(2.2e-16), tiny(1e-9)] == ["0", "2 × 10⁻¹⁶", "1 × 10⁻⁹"]


@pytest.mark.parametrize("overlap", [True, False])
def test_the_exercise_can_be_solved_and_is_not_solved_at_first(overlap) -> None:
    """Its rules have an order that keeps them all; the order shown first breaks one."""
    given_ = exercise(overlap=overlap)
    at = {key: place for place, key in enumerate(EVENTS)}
    assert any(at[before] > at[after] for before, after, _ in given_["rules"])
    left, order = set(EVENTS), []
    while left:
        free = sorted(
            k for k in left if all(b not in left for b, a, _ in given_["rules"] if a == k)
        )
        assert free, "the rules run in a circle"
        order.append(free[0])
        left.remove(free[0])
    assert {key for before, after, _ in given_["rules"] for key in (before, after)} == set(EVENTS)
