"""The whole run: headline numbers, scaling modes, bounds on speed-up, money and failures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.border import make_scenario
from dpmodel.scenario import Scenario
from dpmodel.training import (
    checkpoint_interval,
    energy_kwh,
    predict,
    run_steps,
    throughput,
    with_failures,
    worker_hours,
)
from dpmodel.units import DAY, HOUR
from tests import reference
from tests.scenarios import MODES, SCALINGS, drawn

POWERS = 2.0 ** np.arange(7)
MTBF = st.one_of(st.just(float("inf")), st.floats(3 * DAY, 1e4 * DAY))


def test_forty_hours_on_eight_ideal_workers() -> None:
    """40 h, 8 workers, ideal: 5 h, 8x, 100 %."""
    prediction = predict(make_scenario(hours=40, workers=8, mode="ideal"))
    assert prediction.time == 5 * HOUR
    assert prediction.speed_up == 8
    assert prediction.efficiency == 1


def test_sixteen_workers_over_ten_gigabit_by_hand() -> None:
    """ResNet-50's 102 MB over a 16-ring at 10 Gb/s: the parts of a step add up to T(16)."""
    scenario = make_scenario(size=25.557032, law="textbook", overlap="off", latency=0)
    transfer = 2 * 15 / 16 * 25_557_032 * 4 / 1.25e9
    assert np.isclose(predict(scenario, 16).time, 1e5 * (1.44 / 16 + transfer), rtol=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("mtbf", [float("inf"), 30 * DAY])
def test_one_worker_has_speed_up_one(mode: str, scaling: str, mtbf: float) -> None:
    """S(1) = 1 with no communication, in every mode and scaling, failures included."""
    scenario = Scenario(
        mode=mode,
        scaling=scaling,
        mtbf=mtbf,
        per_node=8.0,
        jitter=0.1,
        slow_worker=2.0,
        slow_chance=0.1,
        serial_step=0.1,
        serial_run=0.1,
        input_rate=500.0,
    )
    prediction = predict(scenario, 1)
    assert np.isclose(prediction.speed_up, 1, rtol=1e-12)
    assert prediction.step.communication == 0
    assert prediction.bytes_per_step == 0
    if np.isinf(mtbf):
        assert np.isclose(prediction.time, 40 * HOUR, rtol=1e-12)


@settings(max_examples=120, deadline=None)
@given(drawn(), MTBF)
def test_speed_up_never_exceeds_n_and_efficiency_never_rises(
    scenario: Scenario, mtbf: float
) -> None:
    """Nothing here is superlinear; over powers of two, shares even, efficiency only falls."""
    scenario = scenario.but(mtbf=mtbf, batch=512.0)
    prediction = predict(scenario, POWERS)
    assert (prediction.speed_up <= POWERS * (1 + 1e-9)).all()
    assert (np.diff(prediction.efficiency) <= 1e-9).all()


@settings(max_examples=100, deadline=None)
@given(drawn(), st.integers(1, 4096))
def test_speed_up_never_exceeds_n_for_uneven_shares(scenario: Scenario, workers: int) -> None:
    """ceil(B/N) >= B/N: no number of workers is more than N-fold."""
    speed_up = predict(scenario.but(batch=65536.0), workers).speed_up
    assert speed_up <= workers * (1 + 1e-9)


@settings(max_examples=100, deadline=None)
@given(drawn(), st.floats(1, 1000))
def test_more_bandwidth_is_never_slower_and_more_latency_never_faster(
    scenario: Scenario, more: float
) -> None:
    """Within one algorithm a better link never costs time."""
    time = predict(scenario, POWERS).time
    slack = 1 + 1e-9
    assert (
        predict(scenario.but(bandwidth=scenario.bandwidth * more), POWERS).time <= time * slack
    ).all()
    assert (
        predict(scenario.but(node_bandwidth=scenario.node_bandwidth * more), POWERS).time
        <= time * slack
    ).all()
    assert (
        predict(scenario.but(latency=scenario.latency * more), POWERS).time * slack >= time
    ).all()


@settings(max_examples=100, deadline=None)
@given(drawn(), st.floats(1.001, 100))
def test_a_larger_model_is_never_faster(scenario: Scenario, more: float) -> None:
    """With T(1) held, more gradients take more time, but for what an earlier first bucket gains."""
    small, large = (
        predict(scenario.but(parameters=scenario.parameters * f), POWERS) for f in (1, more)
    )
    size = scenario.parameters * 4
    earlier = scenario.first_bucket * (1 / size - 1 / (size * more))
    gained = earlier * scenario.backward_share * small.step.compute * (scenario.overlap == "on")
    assert (large.step.total >= small.step.total * (1 - 1e-9) - gained).all()
    without = scenario.but(overlap="off")
    off = [predict(without.but(parameters=scenario.parameters * f), POWERS).time for f in (1, more)]
    assert (off[1] >= off[0] * (1 - 1e-9)).all()


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("algorithm", ["ring", "tree", "parameter_server", "in_switch"])
def test_infinite_bandwidth_without_latency_is_ideal(scaling: str, algorithm: str) -> None:
    """As bandwidth goes to infinity and latency to nothing, only the work is left."""
    scenario = Scenario(
        scaling=scaling,
        algorithm=algorithm,
        bandwidth=1e17,
        node_bandwidth=1e17,
        latency=0.0,
        node_latency=0.0,
        per_node=8.0,
        critical_batch=1e10,
    )
    got, ideal = (
        predict(scenario.but(mode=m), POWERS).speed_up for m in ("communication", "ideal")
    )
    assert np.allclose(got, ideal, rtol=1e-4)
    assert np.allclose(ideal, POWERS)


# --- scaling modes --------------------------------------------------------------------------------
def test_weak_scaling_takes_the_same_samples_in_larger_steps() -> None:
    """K/N steps of N times the batch: the samples of the run do not change."""
    scenario = Scenario(scaling="weak")
    prediction = predict(scenario, POWERS)
    assert np.allclose(prediction.steps * POWERS * 512, 512 * 1e5)
    assert np.allclose(prediction.step.compute, 1.44)


def test_same_quality_by_hand() -> None:
    """B_crit = 8192 and B = 512: 16 workers need (1+1)/(1+16) of the steps, twice the fewest."""
    scenario = Scenario(scaling="quality", critical_batch=8192.0)
    steps = run_steps(scenario, 16)
    assert np.isclose(steps, 1e5 * 2 / 17)
    fewest = run_steps(scenario, 1e12)
    assert np.isclose(steps / fewest, 2, rtol=1e-6)


def test_same_quality_is_weak_scaling_below_the_critical_batch_and_saturates_above() -> None:
    """Perfect for B << B_crit; beyond it more workers hardly save steps."""
    small = run_steps(Scenario(scaling="quality", critical_batch=1e10), POWERS)
    assert np.allclose(small, run_steps(Scenario(scaling="weak"), POWERS), rtol=1e-5)
    large = run_steps(Scenario(scaling="quality", critical_batch=1.0), POWERS)
    assert np.allclose(large, 1e5, rtol=1e-2)


@settings(max_examples=60, deadline=None)
@given(drawn(scaling="quality"))
def test_same_quality_is_never_faster_than_weak(scenario: Scenario) -> None:
    """A larger batch never needs fewer samples."""
    weak = predict(scenario.but(scaling="weak"), POWERS).time
    assert (predict(scenario, POWERS).time >= weak * (1 - 1e-12)).all()


# --- money and energy -----------------------------------------------------------------------------
def test_cost_and_energy_by_hand() -> None:
    """40 worker-hours at 3.06 $/h cost 122.40 $; at 300 W and PUE 1.2 they take 14.4 kWh."""
    prediction = predict(make_scenario(mode="ideal", workers=8))
    assert np.isclose(worker_hours(prediction), 40)
    assert np.isclose(prediction.cost, 122.4)
    assert np.isclose(energy_kwh(prediction), 14.4)


@settings(max_examples=60, deadline=None)
@given(drawn())
def test_cost_and_energy_rise_as_efficiency_falls(scenario: Scenario) -> None:
    """N T(N) = T(1)/E: both go as one over efficiency."""
    prediction = predict(scenario, POWERS)
    paid = prediction.one_worker / prediction.efficiency
    assert np.allclose(prediction.worker_time, paid, rtol=1e-9)
    assert np.allclose(prediction.cost, paid * scenario.price, rtol=1e-9)
    assert np.allclose(prediction.energy, paid * scenario.power * scenario.pue, rtol=1e-9)


def test_throughput_is_samples_over_step() -> None:
    """Eight ideal workers train 8 x 512 / 1.44 samples a second."""
    assert np.isclose(throughput(predict(Scenario(mode="ideal"), 8)), 8 * 512 / 1.44)


# --- failures -------------------------------------------------------------------------------------
def test_young_and_daly_by_hand() -> None:
    """60 s checkpoints and a failure a day: Young 3220 s, Daly 3180 s, a little less."""
    assert np.isclose(np.sqrt(2 * 60 * DAY), 3220, atol=1)
    assert np.isclose(checkpoint_interval(60.0, DAY), 3180, atol=1)
    assert checkpoint_interval(60.0, 20.0) == 20


@pytest.mark.parametrize(
    ("interval", "mtbf", "restart"), [(600.0, 2e4, 300.0), (3600.0, 7e3, 60.0)]
)
def test_expected_run_with_failures_equals_simulated_runs(
    interval: float, mtbf: float, restart: float
) -> None:
    """Failures drawn one by one, restarts included, take the expected time on average."""
    work, runs = 100 * interval, 400
    scenario = Scenario(
        mode="realistic",
        mtbf=16 * mtbf,
        checkpoint=60.0,
        restart=restart,
        interval=interval,
    )
    expected = float(with_failures(scenario, 16, work))
    simulated = [
        reference.run_with_failures(work, interval, 60.0, restart, mtbf, seed)
        for seed in range(runs)
    ]
    error = np.std(simulated) / np.sqrt(runs)
    assert abs(np.mean(simulated) - expected) < 3 * error
    assert error < 0.02 * expected


@settings(deadline=None)
@given(st.floats(5, 600), st.floats(1e4, 1e7))
def test_best_interval_is_best(checkpoint: float, mtbf: float) -> None:
    """Twice or half of Daly's interval never makes the expected run shorter."""
    scenario = Scenario(mode="realistic", mtbf=mtbf, checkpoint=checkpoint)
    best = checkpoint_interval(checkpoint, mtbf)
    time = with_failures(scenario, 1, 1e9)
    for factor in (0.5, 2.0):
        other = scenario.but(interval=max(0.6, float(best) * factor))
        assert with_failures(other, 1, 1e9) >= time * (1 - 1e-9)


def test_failures_count_in_realistic_mode_only() -> None:
    """A time between failures changes nothing elsewhere, and more workers fail more often."""
    often = Scenario(mtbf=30 * DAY)
    assert predict(often, 8).time == predict(often.but(mtbf=np.inf), 8).time
    realistic = often.but(mode="realistic")
    overhead = predict(realistic, POWERS).time / predict(realistic.but(mtbf=np.inf), POWERS).time
    assert (np.diff(overhead) > 0).all()


def test_a_sweep_may_hold_jobs_without_failures() -> None:
    """An infinite time between failures inside an array is a job that never fails."""
    scenario = Scenario(mode="realistic", mtbf=np.array([10 * DAY, np.inf]))
    swept = predict(scenario, 64).time
    assert swept[1] == predict(Scenario(mode="realistic"), 64).time
    assert swept[0] > swept[1]


def test_a_run_that_never_ends_is_infinite_not_a_warning() -> None:
    """Where failures come faster than a restart, no run ends, and speed-up is unknown."""
    scenario = Scenario(mode="realistic", mtbf=100.0, restart=1e6)
    prediction = predict(scenario, np.array([1, 8]))
    assert np.isinf(prediction.time).all()
    assert np.isnan(prediction.speed_up).all()


# --- sweeps ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scaling", SCALINGS)
def test_vector_equals_scalar(mode: str, scaling: str) -> None:
    """A sweep over workers, bandwidths and sizes equals the calls one by one."""
    workers = np.array([1.0, 3, 8, 100])
    rates, sizes = np.array([1e8, 1e10])[:, None], np.array([1e6, 1e9])[:, None, None]
    scenario = Scenario(mode=mode, scaling=scaling, per_node=8.0, mtbf=100 * DAY)
    swept = predict(scenario.but(bandwidth=rates, parameters=sizes), workers)
    speed_up = np.broadcast_to(swept.speed_up, (2, 2, 4))
    for i, size in enumerate(sizes.ravel()):
        for j, rate in enumerate(rates.ravel()):
            for k, n in enumerate(workers):
                one = predict(scenario.but(bandwidth=float(rate), parameters=float(size)), float(n))
                assert np.isclose(speed_up[i, j, k], one.speed_up, rtol=1e-14, atol=0)


def test_data_parallel_cost_depends_on_n() -> None:
    """Exposed and total communication grow with the number of workers."""
    step = predict(Scenario(), 2.0 ** np.arange(9)).step
    assert (np.diff(step.communication) > 0).all()
    assert (np.diff(step.exposed) > 0).all()


def test_overlap_is_no_flat_share() -> None:
    """The hidden share depends on sizes: a tiny model hides what a huge one cannot."""
    share = [
        float(step.hidden / step.communication)
        for step in (predict(Scenario(parameters=p), 16).step for p in (3e7, 1e11))
    ]
    assert share[0] > 0.2 > 0.01 > share[1]
