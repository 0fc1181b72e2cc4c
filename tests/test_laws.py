"""The plain laws: hand-worked numbers, limits, inverses, and questions without an answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel import laws
from dpmodel.errors import InputError

HOUR = 3600.0
WORKERS = st.floats(1.001, 1e6)
FRACTION = st.floats(0.0, 0.99)


def close(value: object, expected: object, rel: float = 1e-9) -> bool:
    return bool(np.allclose(value, expected, rtol=rel, atol=0))


# --- ideal ---------------------------------------------------------------------------------------
def test_forty_hours_on_eight_ideal_workers_take_five() -> None:
    """40 h / 8 = 5 h."""
    assert laws.ideal_time(40 * HOUR, 8) == 5 * HOUR


def test_forty_hours_at_62_5_percent_on_sixteen_take_four() -> None:
    """40 h / (16 x 0.625) = 4 h: 16 workers that give 10x."""
    assert laws.ideal_time(40 * HOUR, 16, 0.625) == 4 * HOUR
    assert laws.efficiency_of(40 * HOUR, 4 * HOUR, 16) == 0.625


def test_a_deadline_longer_than_the_run_needs_one_worker() -> None:
    """There is no half worker: 40 h within 80 h takes one."""
    assert laws.ideal_workers(40 * HOUR, 80 * HOUR) == 1
    assert laws.amdahl_workers_for_time(40 * HOUR, 80 * HOUR, 0.05) == 1


def test_whole_workers_round_up_but_not_by_rounding_dust() -> None:
    """7.2 workers mean 8, and 8 plus the dust of a division stays 8."""
    assert laws.whole_workers(7.2) == 8
    assert laws.whole_workers(8.0000000001) == 8


@settings(deadline=None)
@given(st.floats(1, 1e9), st.floats(1, 1e6), st.floats(0.01, 1.2))
def test_ideal_inverses_round_trip(one: float, workers: float, efficiency: float) -> None:
    """T(1), N and E each come back from the time that they give."""
    time = laws.ideal_time(one, workers, efficiency)
    assert close(laws.ideal_one_worker_time(time, workers, efficiency), one)
    assert close(laws.ideal_workers(one, time, efficiency), workers)
    assert close(laws.efficiency_of(one, time, workers), efficiency)


# --- Amdahl --------------------------------------------------------------------------------------
def test_amdahl_by_hand() -> None:
    """5 % serial on 8 workers: 1 / (0.05 + 0.95/8) = 5.9259x; 40 h become 6.75 h."""
    assert close(laws.amdahl_speed_up(8, 0.05), 1 / 0.16875)
    assert close(laws.amdahl_time(40 * HOUR, 8, 0.05), 6.75 * HOUR)
    assert close(laws.amdahl_one_worker_time(6.75 * HOUR, 8, 0.05), 40 * HOUR)


def test_five_percent_serial_never_exceeds_twenty() -> None:
    """1/f = 20 is the limit, approached from below and refused as a target with the reason."""
    assert laws.amdahl_limit(0.05) == 20
    assert laws.amdahl_speed_up(10**9, 0.05) < 20
    with pytest.raises(InputError, match=r"5 % serial work never exceeds 20x.*\(20 <= 25\)"):
        laws.amdahl_workers(25, 0.05)
    with pytest.raises(InputError, match="never exceeds 20x"):
        laws.amdahl_workers(20, 0.05)


def test_a_time_that_the_serial_part_uses_up_is_refused() -> None:
    """5 % of 40 h is 2 h, so no number of workers finishes in 2 h."""
    with pytest.raises(InputError, match="takes 2 h"):
        laws.amdahl_workers_for_time(40 * HOUR, 2 * HOUR, 0.05)


def test_no_serial_work_is_ideal_and_all_serial_work_gains_nothing() -> None:
    """f = 0 gives N with no limit, f = 1 gives 1 whatever N."""
    workers = np.array([1.0, 2, 64, 4096])
    assert close(laws.amdahl_speed_up(workers, 0.0), workers)
    assert np.isinf(laws.amdahl_limit(0.0))
    assert close(laws.amdahl_speed_up(workers, 1.0), 1.0)
    assert laws.amdahl_workers(1, 1.0) == 1


def test_impossible_places_of_an_array_are_nan() -> None:
    """A sweep over targets keeps its possible places."""
    answer = laws.amdahl_workers(np.array([1.0, 10.0, 20.0, 25.0]), 0.05)
    assert close(answer[:2], [1, 19])
    assert np.isnan(answer[2:]).all()
    times = laws.amdahl_workers_for_time(40.0, np.array([1.0, 2.0, 4.0, 40.0, 90.0]), 0.05)
    assert np.isnan(times[:2]).all()
    assert close(times[2:], [19, 1, 1])


def test_a_speed_up_beyond_n_has_no_serial_fraction() -> None:
    """9x on 8 workers lies outside Amdahl's law; Karp-Flatt shows it as a negative fraction."""
    with pytest.raises(InputError, match="no serial fraction gives 9x on 8 workers"):
        laws.amdahl_serial(9, 8)
    assert laws.karp_flatt(9, 8) < 0
    assert np.isnan(laws.amdahl_serial(np.array([9.0, 4.0]), 8)).tolist() == [True, False]


@settings(deadline=None)
@given(WORKERS, FRACTION)
def test_amdahl_inverses_round_trip(workers: float, serial: float) -> None:
    """N and f each come back from the speed-up that they give."""
    speed_up = laws.amdahl_speed_up(workers, serial)
    assert 1 <= speed_up <= workers * (1 + 1e-12)
    assert np.isclose(laws.amdahl_serial(speed_up, workers), serial, rtol=1e-6, atol=1e-9)
    # Near the limit 1/f a speed-up holds few digits of N.
    if speed_up < 0.99 * laws.amdahl_limit(serial):
        assert close(laws.amdahl_workers(speed_up, serial), workers, 1e-6)
        assert close(laws.amdahl_workers_for_time(100.0, 100.0 / speed_up, serial), workers, 1e-6)


# --- Gustafson -----------------------------------------------------------------------------------
def test_gustafson_by_hand() -> None:
    """5 % serial on 64 workers: 64 - 0.05 x 63 = 60.85x."""
    assert close(laws.gustafson_speed_up(64, 0.05), 60.85)
    assert close(laws.gustafson_workers(60.85, 0.05), 64)
    assert close(laws.gustafson_serial(60.85, 64), 0.05)


def test_fully_serial_work_gains_nothing_from_growing() -> None:
    """f = 1 keeps S = 1, and a target above it is refused."""
    assert laws.gustafson_speed_up(64, 1.0) == 1
    assert laws.gustafson_workers(1, 1.0) == 1
    with pytest.raises(InputError, match="gains nothing"):
        laws.gustafson_workers(2, 1.0)
    assert np.isnan(laws.gustafson_workers(np.array([2.0]), 1.0)).all()
    with pytest.raises(InputError, match="Gustafson's speed-up lies between"):
        laws.gustafson_serial(65, 64)


@settings(deadline=None)
@given(WORKERS, FRACTION)
def test_gustafson_inverses_round_trip_and_it_is_never_below_amdahl(n: float, f: float) -> None:
    """N and f come back; at the same f the growing job scales at least as well."""
    speed_up = laws.gustafson_speed_up(n, f)
    assert close(laws.gustafson_workers(max(speed_up, 1.0), f), n, 1e-6)
    assert np.isclose(laws.gustafson_serial(min(max(speed_up, 1.0), n), n), f, atol=1e-6)
    assert speed_up >= laws.amdahl_speed_up(n, f) * (1 - 1e-12)


# --- Karp-Flatt ----------------------------------------------------------------------------------
def test_ten_x_on_sixteen_means_four_percent_serial() -> None:
    """(1/10 - 1/16) / (1 - 1/16) = 0.04, and 8x on 8 means none."""
    assert close(laws.karp_flatt(10, 16), 0.04)
    assert laws.karp_flatt(8, 8) == 0


def test_karp_flatt_is_constant_on_amdahl_and_rises_on_the_usl() -> None:
    """A constant fraction is serial work; a rising one is overhead that grows with N."""
    workers = 2.0 ** np.arange(1, 11)
    assert close(laws.karp_flatt(laws.amdahl_speed_up(workers, 0.03), workers), 0.03)
    assert (np.diff(laws.karp_flatt(laws.usl_speed_up(workers, 0.03, 1e-4), workers)) > 0).all()


def test_one_worker_has_no_karp_flatt_fraction() -> None:
    """One worker is always 1x, which tells nothing."""
    with pytest.raises(InputError, match="more than 1"):
        laws.karp_flatt(1, 1)


# --- universal scalability law -------------------------------------------------------------------
def test_usl_by_hand() -> None:
    """sigma 0.05, kappa 0.001 on 16 workers: 16 / (1 + 0.75 + 0.24) = 8.0402x."""
    assert close(laws.usl_speed_up(16, 0.05, 0.001), 16 / 1.99)


def test_usl_peak_by_hand() -> None:
    """n* = sqrt(0.95/0.001) = 30.82 workers, and both neighbours are slower."""
    peak, best = laws.usl_peak(0.05, 0.001)
    assert close(peak, np.sqrt(950))
    for near in (0.99, 1.01):
        assert laws.usl_speed_up(peak * near, 0.05, 0.001) < best


def test_usl_without_coherency_is_amdahl() -> None:
    """kappa = 0 leaves Amdahl's law: no peak, limit 1/sigma, same inverse."""
    workers = 2.0 ** np.arange(12)
    assert close(laws.usl_speed_up(workers, 0.05, 0.0), laws.amdahl_speed_up(workers, 0.05))
    assert laws.usl_peak(0.05, 0.0) == (np.inf, 20.0)
    assert close(laws.usl_workers(10.0, 0.05, 0.0), 19)
    with pytest.raises(InputError, match="on any number of workers"):
        laws.usl_workers(20.0, 0.05, 0.0)


def test_a_target_above_the_peak_is_refused_with_the_peak() -> None:
    """No number of workers reaches 12x where the law peaks at 9.04x."""
    with pytest.raises(InputError, match=r"highest speed-up is 9\.04x, at 30\.8 workers"):
        laws.usl_workers(12, 0.05, 0.001)
    answer = laws.usl_workers(np.array([8.0, 12.0]), 0.05, 0.001)
    assert np.isnan(answer).tolist() == [False, True]


def test_a_law_that_only_falls_peaks_at_one_worker() -> None:
    """kappa > 1 - sigma makes two workers slower than one."""
    peak, best = laws.usl_peak(0.5, 2.0)
    assert (peak, best) == (1.0, 1.0)
    assert laws.usl_workers(1.0, 0.5, 2.0) == 1


@settings(deadline=None)
@given(st.floats(0.0, 0.9), st.floats(1e-7, 0.05), st.floats(0.01, 0.95))
def test_usl_inverses_round_trip_below_the_peak(sigma: float, kappa: float, share: float) -> None:
    """N comes back on the rising side, and so do sigma and kappa."""
    peak, _ = laws.usl_peak(sigma, kappa)
    workers = 1 + share * (peak - 1)
    speed_up = laws.usl_speed_up(workers, sigma, kappa)
    if speed_up >= 1 and workers > 1.01:
        assert close(laws.usl_workers(speed_up, sigma, kappa), workers, 1e-5)
        assert np.isclose(laws.usl_contention(speed_up, workers, kappa), sigma, atol=1e-9)
        assert np.isclose(laws.usl_coherency(speed_up, workers, sigma), kappa, atol=1e-9)


# --- all of them ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "question",
    [
        lambda bad: laws.ideal_time(bad, 8),
        lambda bad: laws.ideal_workers(40.0, bad),
        lambda bad: laws.amdahl_speed_up(bad, 0.05),
        lambda bad: laws.amdahl_time(bad, 8, 0.05),
        lambda bad: laws.gustafson_speed_up(bad, 0.05),
        lambda bad: laws.karp_flatt(bad, 8),
        lambda bad: laws.usl_speed_up(8, bad, 0.0),
    ],
)
@pytest.mark.parametrize("bad", [-1.0, float("nan"), np.array([4.0, -1.0])])
def test_values_outside_a_law_are_refused(question, bad) -> None:  # type: ignore[no-untyped-def]
    """Negative and unknown values are errors of four parts, in arrays too."""
    with pytest.raises(InputError) as caught:
        question(bad)
    error = caught.value
    assert all((error.asked, error.given, error.rule, error.way_out))


def test_vector_equals_scalar() -> None:
    """A sweep over N and f in one call equals the calls one by one."""
    workers, serial = np.array([1.0, 3, 8, 100]), np.array([0.0, 0.02, 0.5])[:, None]
    for law in (laws.amdahl_speed_up, laws.gustafson_speed_up):
        swept = law(workers, serial)
        each = [[law(float(n), float(f)) for n in workers] for f in serial[:, 0]]
        assert (swept == np.array(each)).all()
