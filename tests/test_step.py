"""One step: shares, what is held, bounds of overlap, and parts that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from dpmodel.border import make_scenario
from dpmodel.errors import InputError
from dpmodel.scenario import Scenario
from dpmodel.step import (
    check_workers,
    global_batch,
    input_ceiling_raised,
    largest_share,
    most_workers,
    one_worker_run,
    one_worker_step,
    share_compute,
    step_parts,
)
from tests.scenarios import MODES, SCALINGS, drawn

POWERS = 2.0 ** np.arange(7)


def test_default_step_takes_1_44_seconds() -> None:
    """40 h over 100,000 steps is 1.44 s a step on one worker."""
    assert np.isclose(one_worker_step(Scenario()), 1.44)


def test_time_from_model_and_device_by_hand() -> None:
    """6 x 25.557 M x 160 FLOP x 512 x 100,000 samples at 125 TFLOP/s x 40 % take 25,123 s."""
    scenario = make_scenario(time_from="device", size=25.557032)
    flop = 6 * 25_557_032 * 160 * 512 * 100_000
    assert np.isclose(one_worker_run(scenario), flop / (125e12 * 0.4), rtol=1e-12)


def test_device_time_keeps_the_ratio_of_communication_to_compute() -> None:
    """With time from model and device, a larger model computes and sends more alike."""
    base = make_scenario(time_from="device", latency=0, layers="even", workers=8)
    ratio = []
    for factor in (100.0, 200.0):
        step = step_parts(base.but(parameters=base.parameters * factor), 8)
        ratio.append(step.communication / step.compute)
    assert np.isclose(ratio[0], ratio[1], rtol=0.02)


# --- shares ---------------------------------------------------------------------------------------
def test_uneven_shares_wait_for_the_largest() -> None:
    """512 samples over 7 workers: the largest share holds ceil(512/7) = 74, not 73.1."""
    assert largest_share(Scenario(), np.array([1, 2, 7, 100, 512])).tolist() == [512, 256, 74, 6, 1]
    step = step_parts(Scenario(), 7)
    assert np.isclose(step.compute, 1.44 * 74 / 512)


def test_no_share_is_rounded_up_by_a_division() -> None:
    """Where N divides B the share is B/N exactly, for every divisor of a long batch."""
    batch = 2**6 * 3**4 * 5**3 * 7**2 * 11
    divisors = np.array([n for n in range(1, 20_000) if batch % n == 0])
    assert (largest_share(Scenario(batch=float(batch)), divisors) == batch // divisors).all()


def test_beyond_the_batch_the_curve_ends_and_says_so() -> None:
    """128 workers cannot share a batch of 100: NaN in a sweep, a sentence where it is checked."""
    scenario = Scenario(batch=100.0)
    assert np.isnan(step_parts(scenario, np.array([100, 128])).total).tolist() == [False, True]
    with pytest.raises(InputError) as caught:
        check_workers(scenario, 128)
    assert str(caught.value) == (
        "128 workers cannot share a global batch of 100: some would have no sample (100 < 128)."
        " Choose at most 100 workers or a larger batch."
    )
    check_workers(scenario, 100)


def test_accumulation_needs_a_sample_for_each_micro_batch() -> None:
    """100 samples in 4 micro-batches feed 25 workers."""
    scenario = Scenario(batch=100.0, accumulation=4.0)
    assert most_workers(scenario) == 25
    with pytest.raises(InputError, match="in 4 micro-batches each.*at most 25 workers"):
        check_workers(scenario, 26)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_more_micro_batches_than_samples_are_refused(scaling: str) -> None:
    """A batch of 8 has no 64 micro-batches, on one worker or many; ideal mode asks for none."""
    scenario = Scenario(batch=8.0, accumulation=64.0, scaling=scaling)
    with pytest.raises(InputError, match=r"\(8 < 64\).*accumulation of at most 8"):
        check_workers(scenario, 1)
    assert np.isnan(step_parts(scenario, 1).total)
    check_workers(scenario.but(mode="ideal"), 1)


def test_ideal_and_growing_batches_have_no_end() -> None:
    """Ideal mode needs no batch, and batches that grow with N feed every worker."""
    for scenario in (Scenario(mode="ideal"), Scenario(scaling="weak"), Scenario(scaling="quality")):
        assert np.isinf(most_workers(scenario))
        check_workers(scenario, 10**6)
        assert np.isfinite(step_parts(scenario, 10**6).total)


def test_batches_grow_with_workers_only_where_they_should() -> None:
    """Strong scaling splits 512 samples, weak scaling gives each worker 512."""
    assert np.asarray(global_batch(Scenario(), np.array([1, 8]))).tolist() == [512, 512]
    assert np.asarray(global_batch(Scenario(scaling="weak"), np.array([1, 8]))).tolist() == [
        512,
        4096,
    ]


# --- what is held ---------------------------------------------------------------------------------
@settings(max_examples=150, deadline=None)
@given(drawn())
def test_one_worker_takes_its_step_and_never_communicates(scenario: Scenario) -> None:
    """T(1)/K is the step of one worker in every mode, serial and input time included."""
    step = step_parts(scenario, 1)
    assert np.isclose(step.total, one_worker_step(scenario), rtol=1e-9)
    assert step.communication == 0
    assert abs(step.straggler) <= 1e-12 * step.total


@settings(max_examples=150, deadline=None)
@given(drawn(mode="communication", contention=0.0, accumulation=1.0))
def test_overlapped_step_lies_between_the_larger_part_and_the_sum(scenario: Scenario) -> None:
    """max(compute, comm) <= overlapped step <= compute + comm at the same buckets."""
    step = step_parts(scenario, POWERS)
    slack = 1e-9 * step.total
    assert (step.total <= step.compute + step.communication + slack).all()
    assert (step.total >= np.maximum(step.compute, step.communication) - slack).all()


@settings(max_examples=100, deadline=None)
@given(drawn(overlap="on"))
def test_overlap_never_makes_a_step_slower(scenario: Scenario) -> None:
    """Even with contention, hiding saves at least what it slows down."""
    off = step_parts(scenario.but(overlap="off"), POWERS)
    on = step_parts(scenario, POWERS)
    assert (on.total <= off.total * (1 + 1e-9)).all()
    assert np.allclose(on.communication, off.communication, rtol=1e-9, atol=1e-15)


@settings(max_examples=100, deadline=None)
@given(drawn(overlap="on"))
def test_overlap_hides_no_more_than_the_last_backward_pass(scenario: Scenario) -> None:
    """Hidden time fits in the backward share of the last of A micro-batches."""
    step = step_parts(scenario, POWERS)
    offered = scenario.backward_share * step.compute / scenario.accumulation
    assert (step.hidden <= offered + 1e-9 * step.total).all()


@settings(max_examples=60, deadline=None)
@given(drawn())
def test_parts_are_not_negative_and_add_up(scenario: Scenario) -> None:
    """The step is the sum of its parts but the hidden communication."""
    step = step_parts(scenario, POWERS)
    parts = (step.compute, step.contention, step.exposed, step.straggler, step.input, step.serial)
    assert all((np.asarray(part) >= -1e-12 * step.total).all() for part in (*parts, step.hidden))
    assert np.allclose(sum(parts), step.total, rtol=1e-12)


# --- compute and delays ---------------------------------------------------------------------------
def test_small_shares_lose_efficiency_in_realistic_mode_only() -> None:
    """With b_half = 4, a share of 4 of 512 samples takes 8/516 of the step instead of 4/512."""
    scenario = make_scenario(mode="realistic", half_batch=4, serial_run=0, batch=512)
    assert np.isclose(share_compute(scenario, 4.0), 1.44 * 8 / 516)
    assert np.isclose(share_compute(scenario.but(mode="communication"), 4.0), 1.44 * 4 / 512)


def test_launch_floor_is_a_floor_for_each_micro_batch() -> None:
    """Ten micro-batches with a 5 ms floor take at least 50 ms, but never more than one worker."""
    scenario = make_scenario(mode="realistic", floor=5, accumulation=10, half_batch=0, serial_run=0)
    assert np.isclose(share_compute(scenario, 10.0), 0.05)
    slow_start = scenario.but(launch_floor=10.0)
    assert np.isclose(share_compute(slow_start, 512.0), 1.44)


def test_accumulation_exchanges_once_a_step() -> None:
    """Four micro-batches send as many bytes as one, with a quarter of the backward to hide in."""
    one, four = (step_parts(Scenario(accumulation=float(a)), 4) for a in (1, 4))
    assert np.isclose(one.communication, four.communication)
    assert four.exposed >= one.exposed


def test_an_input_ceiling_bounds_the_samples_per_second() -> None:
    """With 1000 samples/s, a step of 512 takes at least 0.512 s however many the workers."""
    scenario = make_scenario(mode="realistic", input_rate=1000, bandwidth=1e6, latency=0)
    assert np.isclose(step_parts(scenario, 256).total, 0.512)
    assert step_parts(scenario, 1).input == 0


def test_an_input_ceiling_below_one_worker_is_raised_and_told() -> None:
    """T(1) is given, so one worker reads 356 samples/s and a ceiling of 100 cannot hold."""
    scenario = make_scenario(mode="realistic", input_rate=100)
    assert input_ceiling_raised(scenario)
    assert not input_ceiling_raised(scenario.but(mode="communication"))
    assert np.isclose(step_parts(scenario, 1).total, one_worker_step(scenario))


def test_serial_work_in_each_step_is_amdahl() -> None:
    """5 % serial work and nothing else: 8 workers take 0.05 + 0.95/8 of a step."""
    scenario = make_scenario(
        mode="realistic",
        serial_step=5,
        serial_run=0,
        half_batch=0,
        jitter=0,
        latency=0,
        node_latency=0,
        bandwidth=1e9,
    )
    assert np.isclose(step_parts(scenario, 8).total / 1.44, 0.16875, rtol=1e-6)


@pytest.mark.parametrize("part", ["serial_step", "serial_run"])
def test_fully_serial_work_is_possible(part: str) -> None:
    """100 % serial work, with an input ceiling, leaves a step that no worker shortens."""
    scenario = make_scenario(mode="realistic", input_rate=1000, **{part: 100})
    assert np.isfinite(step_parts(scenario, np.array([1, 8])).total).all()
    assert np.isfinite(step_parts(scenario, 1).total)


def test_ideal_mode_ignores_every_loss() -> None:
    """Ideal steps are compute only, and shrink by N."""
    step = step_parts(Scenario(mode="ideal", jitter=0.3, serial_step=0.5), 8)
    assert np.isclose(step.total, 1.44 / 8)
    assert step.communication + step.straggler + step.input + step.serial == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scaling", SCALINGS)
def test_vector_equals_scalar(mode: str, scaling: str) -> None:
    """A sweep over workers and bandwidths equals the calls one by one, part by part."""
    workers, rates = np.array([1.0, 3, 8, 100]), np.array([1e8, 1e10])[:, None]
    scenario = Scenario(mode=mode, scaling=scaling, per_node=8, input_rate=900.0)
    swept = step_parts(scenario.but(bandwidth=rates), workers)
    for name in ("compute", "contention", "exposed", "hidden", "straggler", "input", "serial"):
        got = np.broadcast_to(getattr(swept, name), (2, 4))
        for row, rate in enumerate(rates[:, 0]):
            for column, n in enumerate(workers):
                one = step_parts(scenario.but(bandwidth=float(rate)), float(n))
                assert got[row, column] == np.asarray(getattr(one, name), float)
