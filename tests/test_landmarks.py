"""Landmarks, goals, losses: the curve read forwards, backwards and by cause."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.border import make_scenario
from dpmodel.curves import curve_grid, curves_along, one_curve, points_along, speed_map
from dpmodel.goals import bandwidth_for_efficiency, workers_for_budget, workers_for_deadline
from dpmodel.landmarks import landmarks, worker_grid
from dpmodel.losses import CAUSES, ideal_time, losses
from dpmodel.presets import presets
from dpmodel.scenario import FIELD_KNOBS, Scenario
from dpmodel.step import most_workers
from dpmodel.training import predict

PRESETS = list(presets())
HEADLINE = ("one_worker_time", "workers", "bandwidth", "parameters")


def scan(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Time and efficiency at every worker count, one by one."""
    most = int(min(4096, float(np.asarray(most_workers(scenario)))))
    each = [predict(scenario, n) for n in range(1, most + 1)]
    return (
        np.array([float(p.time) for p in each]),
        np.array([float(p.efficiency) for p in each]),
    )


@pytest.mark.parametrize("name", ["start", "two_nodes", "tiny", "cloud"])
def test_landmarks_equal_a_scan_over_every_worker_count(name: str) -> None:
    """N* and the efficiency limits on the grid are those of all worker counts, to one grid step."""
    scenario = presets()[name].scenario
    time, efficiency = scan(scenario)
    marks = landmarks(predict(scenario, worker_grid()))
    assert time.min() <= float(marks.best_time) <= 1.01 * time.min()
    for level, found in ((0.9, marks.at_90), (0.8, marks.at_80), (0.5, marks.at_50)):
        first_below = int(np.flatnonzero(efficiency < level)[0]) + 1
        assert first_below / 1.1 - 1 <= float(found) <= first_below * 1.1 + 1


def test_the_knee_of_amdahl_is_at_one_over_the_serial_fraction() -> None:
    """With a serial part f alone, S^2/N is largest near N = 1/f - 1 (derivative set to zero)."""
    scenario = make_scenario(
        mode="realistic", serial_step=1, bandwidth=1e9, latency=0, jitter=0, half_batch=0,
        serial_run=0, contention=0, batch=2**22,
    )  # fmt: skip
    knee = float(landmarks(predict(scenario, np.arange(1, 513))).knee)
    assert knee == pytest.approx(99, abs=1)


def test_grids_hold_the_present_workers_and_the_batch_limit() -> None:
    """A curve passes through the present N and ends where the batch does."""
    grid = curve_grid(make_scenario(workers=7, batch=300))
    assert {7.0, 300.0, 1.0, 4096.0} <= set(grid.tolist())
    assert (np.diff(grid) > 0).all()
    assert curve_grid(make_scenario(workers=10_000))[-1] == 16384


@pytest.mark.parametrize("name", PRESETS)
def test_losses_add_up_to_the_time_beyond_ideal(name: str) -> None:
    """T(1)/N and the losses make T(N), for every preset and worker count."""
    scenario = presets()[name].scenario
    result = predict(scenario, np.array([1, 2, 3, 8, 16, 64]))
    parts = losses(result)
    assert parts.keys() == CAUSES.keys()
    total = ideal_time(result) + sum(parts.values())
    assert np.allclose(total, result.time, rtol=1e-9)


@settings(deadline=None, max_examples=25)
@given(st.floats(0.01, 30.0), st.sampled_from(["communication", "realistic"]))
def test_workers_for_a_deadline_are_the_fewest(hours: float, mode: str) -> None:
    """The answer meets the deadline, one worker less does not; else nothing is faster."""
    scenario = make_scenario(mode=mode, deadline=hours, bandwidth=40)
    goal = workers_for_deadline(scenario)
    times = np.broadcast_to(predict(scenario, np.arange(1, 513)).time, 512)
    if goal.possible:
        n = int(goal.value)
        assert times[n - 1] <= scenario.deadline
        assert n == 1 or (times[: n - 1] > scenario.deadline).all()
    else:
        assert times.min() > scenario.deadline
        assert goal.nearest == pytest.approx(times.min())


def test_workers_for_a_budget_are_the_most() -> None:
    """One more worker than the answer costs more than the budget; too small a budget says so."""
    scenario = make_scenario(budget=300)
    n = int(workers_for_budget(scenario).value)
    assert float(predict(scenario, n).cost) <= 300 < float(predict(scenario, n + 1).cost)
    poor = workers_for_budget(make_scenario(budget=1))
    assert not poor.possible
    assert poor.nearest == pytest.approx(40 * 3.06)


@pytest.mark.parametrize("workers", [2, 8, 16])
def test_bandwidth_for_an_efficiency_gives_just_that(workers: int) -> None:
    """At the answer efficiency is 90 %, at 2 % less bandwidth it is below."""
    scenario = make_scenario(workers=workers)
    goal = bandwidth_for_efficiency(scenario)
    assert float(predict(scenario.but(bandwidth=goal.value)).efficiency) >= 0.9
    assert float(predict(scenario.but(bandwidth=goal.value * 0.98)).efficiency) < 0.9


def test_no_bandwidth_helps_where_latency_is_the_limit() -> None:
    """With a second of latency per message no bandwidth gives 90 %."""
    goal = bandwidth_for_efficiency(make_scenario(latency="1 s"))
    assert not goal.possible
    assert goal.nearest < 0.9


@pytest.mark.parametrize("name", PRESETS)
def test_families_equal_one_prediction_at_a_time(name: str) -> None:
    """Every row of every family is the prediction of that one setting."""
    scenario = presets()[name].scenario
    grid = curve_grid(scenario)
    for field in HEADLINE:
        values = np.array(FIELD_KNOBS[field].ladder) * FIELD_KNOBS[field].factor
        rows = len(values)
        points = np.broadcast_to(points_along(scenario, field, values).time, rows)
        along = curves_along(scenario, field, values, grid) if field != "workers" else None
        for i in (0, rows // 2, rows - 1):
            single = scenario.but(**{field: float(values[i])})
            alone = one_curve(single, grid)
            assert np.isclose(points[i], float(predict(single).time), rtol=1e-12, equal_nan=True)
            if along:
                curve = np.broadcast_to(along.curve.speed_up, (rows, len(grid)))[i]
                assert np.allclose(curve, alone.curve.speed_up, rtol=1e-12, equal_nan=True)
                assert np.broadcast_to(along.marks.best, rows)[i] == float(alone.marks.best)


def test_a_map_is_made_of_single_predictions() -> None:
    """Each cell of the speed-up map is the speed-up of that setting."""
    scenario, workers = make_scenario(), np.array([1.0, 8.0, 64.0])
    rates = np.array([1e8, 1e10])
    cells = speed_map(scenario, "bandwidth", rates, workers)
    for i, rate in enumerate(rates.tolist()):
        for j, n in enumerate(workers.tolist()):
            alone = float(predict(scenario.but(bandwidth=rate), n).speed_up)
            assert cells[i, j] == pytest.approx(alone, rel=1e-12)


def test_a_curve_does_not_depend_on_the_present_workers() -> None:
    """Moving workers moves the point along the curve, not the curve."""
    grid = worker_grid()
    few, many = (one_curve(make_scenario(workers=n), grid) for n in (2, 64))
    assert np.array_equal(few.curve.time, many.curve.time, equal_nan=True)
    assert np.shape(points_along(make_scenario(), "workers", np.array([1.0, 8.0])).time) == (2,)
