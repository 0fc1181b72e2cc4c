"""The timeline of a step adds up to the step, bucket by bucket."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpmodel.border import make_scenario
from dpmodel.collectives import all_reduce_cost
from dpmodel.errors import InputError
from dpmodel.scenario import Scenario
from dpmodel.step import most_workers, step_parts
from dpmodel.timeline import bucket_layout, network, timeline
from tests import reference
from tests.scenarios import drawn


@settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawn(), st.integers(1, 256))
def test_makespan_equals_the_closed_form(scenario, workers) -> None:
    """1,000 random scenarios in all modes: the last bar ends when `step_parts` says."""
    assume(workers <= most_workers(scenario))
    lanes = timeline(scenario, workers)
    total = float(step_parts(scenario, workers).total)
    assert lanes.makespan == pytest.approx(total, rel=1e-9)
    buckets, slack = lanes.buckets, 1e-9 * total
    assert (buckets.start >= buckets.ready - slack).all()
    assert (buckets.start[1:] >= buckets.end[:-1] - slack).all()
    assert buckets.hidden.sum() == pytest.approx(float(lanes.step.hidden), rel=1e-7, abs=slack)
    for lane in (lanes.usual, lanes.slowest):
        gaps = [after.start - before.end for before, after in zip(lane, lane[1:], strict=False)]
        assert np.abs(gaps).max(initial=0.0) <= slack, "a worker always does something"
        assert lane[0].start == 0
        assert lane[-1].end == pytest.approx(total, rel=1e-9)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawn(contention=0.0, parameters=5e8), st.integers(2, 64))
def test_buckets_begin_and_end_as_in_a_loop(scenario, workers) -> None:
    """Without contention or waits, each bucket starts when ready and the link is free."""
    assume(scenario.mode == "communication" and workers <= most_workers(scenario))
    lanes = timeline(scenario, workers)
    sizes, _ = bucket_layout(scenario)
    times = np.asarray(all_reduce_cost(scenario, workers).time(sizes)).tolist()
    end = 0.0
    for ready, lasts, got in zip(lanes.buckets.ready, times, lanes.buckets.end, strict=True):
        end = max(ready, end) + lasts
        assert got == pytest.approx(end, rel=1e-9)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawn(parameters=3e8), st.integers(2, 64))
def test_network_bars_show_hidden_and_exposed_time(scenario, workers) -> None:
    """One by one they add up to the step's parts, and none overlaps the next."""
    assume(scenario.mode != "ideal" and workers <= most_workers(scenario))
    lanes = timeline(scenario, workers)
    bars, slack = network(lanes), 1e-9 * lanes.makespan
    for kind in ("hidden", "exposed"):
        got = sum(bar.length for bar in bars if bar.kind == kind)
        assert got == pytest.approx(float(getattr(lanes.step, kind)), rel=1e-7, abs=slack)
    ends = [bar.end for bar in bars]
    assert all(bar.start >= end - slack for bar, end in zip(bars[1:], ends, strict=False))


def test_even_buckets_are_those_of_the_overlap() -> None:
    """First, remainder, whole ones, as the closed form takes them."""
    scenario = make_scenario(layers="even", size=100)
    sizes, left = bucket_layout(scenario)
    size = 100e6 * scenario.gradient_bytes
    expected = reference.equal_bucket_sizes(size, scenario.bucket, scenario.first_bucket)
    assert np.allclose(sizes, expected)
    assert left[-1] == pytest.approx(0, abs=1e-12)


def test_default_step_shows_buckets_behind_the_backward_pass() -> None:
    """16 workers at 10 Gb/s: most of the exchange is exposed, and one lane ends last."""
    lanes = timeline(Scenario())
    assert [span.kind for span in lanes.usual][:2] == ["forward", "backward"]
    assert {span.kind for span in network(lanes)} == {"hidden", "exposed"}


def test_the_slowest_worker_computes_while_the_others_wait() -> None:
    """One worker at half speed: its bars are twice as long, and the others wait the rest."""
    scenario = make_scenario(mode="realistic", slow_worker=2, jitter=0, contention=0, workers=4)
    lanes = timeline(scenario)
    compute = float(lanes.step.compute)
    assert lanes.computed == pytest.approx(2 * compute, rel=1e-6)
    wait = [span for span in lanes.usual if span.kind == "waiting"]
    assert [span.length for span in wait] == pytest.approx([compute], rel=1e-6)
    assert not [span for span in lanes.slowest if span.kind == "waiting"]


def test_without_overlap_every_exchange_comes_after_the_backward_pass() -> None:
    """Nothing is hidden, and the step is compute and communication one after another."""
    lanes = timeline(make_scenario(overlap="off", workers=8))
    assert lanes.buckets.hidden.sum() == 0
    assert lanes.buckets.start.min() == pytest.approx(lanes.computed)


def test_neighbouring_buckets_are_joined_where_there_are_too_many() -> None:
    """A trillion parameters in 25 MiB buckets still make a picture of 200 exchanges at most."""
    lanes = timeline(make_scenario(size=1e6, workers=8))
    assert len(lanes.buckets.size) > 10_000
    bars = network(lanes, most=200)
    assert len(bars) <= 201
    assert bars[-1].end == pytest.approx(lanes.makespan)


def test_more_workers_than_samples_are_refused() -> None:
    """The sentence is that of every other place."""
    with pytest.raises(InputError, match="cannot share"):
        timeline(make_scenario(batch=100), 128)
