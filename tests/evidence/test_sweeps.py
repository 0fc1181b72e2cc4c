"""All-reduce sweeps: the promised errors, and times that never fall with size or workers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dpmodel.evidence.fits import fit
from dpmodel.evidence.reading import read_sweeps
from dpmodel.evidence.report import SWEEPS
from dpmodel.evidence.scores import sweep_scores
from dpmodel.evidence.sweeps import SweepFit, fit_sweep, machine_of, nothing_fitted
from dpmodel.evidence.tuner import (
    HostMachine,
    Machine,
    all_reduce_time,
    host_all_reduce_time,
)

SIZES = np.exp2(np.arange(3, 34))


@cache
def fits() -> list[SweepFit]:
    """Fit every whole healthy sweep of the product."""
    return [fit_sweep(sweep) for sweep in read_sweeps(SWEEPS) if sweep.is_full]


@pytest.mark.parametrize(
    ("name", "median", "worst"),
    [("nothing_fitted", 0.20, None), ("two", 0.08, 0.45), ("three", 0.05, 0.35)],
)
def test_errors_keep_their_promise(name, median, worst) -> None:
    """Median over runs of the median error, and of the worst size's."""
    score = sweep_scores(fits(), name)
    assert len(fits()) == 37
    assert score["median"] <= median
    assert worst is None or score["worst"] <= worst


def test_the_textbook_form_is_worse() -> None:
    """Two parameters a run: affine is more than twice as far off."""
    assert sweep_scores(fits(), "affine")["median"] > 2 * sweep_scores(fits(), "two")["median"]


def test_fits_equal_those_of_a_reference() -> None:
    """Gauss-Newton reaches the cost of SciPy's least squares, or a lower one."""
    from scipy.optimize import least_squares

    from dpmodel.evidence.fits import SCALE, soft_l1_cost

    for one in fits()[::6]:
        wire, log_time = np.log(one.sweep.size), np.log(one.sweep.time)

        def law(values, wire=wire):
            return np.logaddexp(0.5 * values[0], 0.5 * (wire - values[1])) / 0.5

        start = np.array([log_time[0], wire[-1] - log_time[-1]])
        ours = soft_l1_cost(law(fit(law, log_time, start)) - log_time)
        theirs = least_squares(
            lambda v, law=law, target=log_time: law(v) - target, start, loss="soft_l1",
            f_scale=SCALE,
        )  # fmt: skip
        assert ours <= soft_l1_cost(law(theirs.x) - log_time) * 1.001


def test_time_never_falls_with_size() -> None:
    """With nothing fitted and with any fit, on every machine of the table."""
    for one in fits():
        for times in (one.nothing_fitted, one.two, one.three):
            assert (np.diff(times[np.argsort(one.sweep.size)]) >= -1e-12).all()
        finer = replace(one.sweep, size=SIZES)
        assert (np.diff(nothing_fitted(finer, [])) >= 0).all()


def test_time_never_falls_with_workers() -> None:
    """Powers of two, several nodes of one machine."""
    for one in fits():
        machine = machine_of(one.sweep.cells, [])
        of = host_all_reduce_time if isinstance(machine, HostMachine) else all_reduce_time
        counts = [machine.per_node * 2**k for k in range(1, 9)]
        times = np.array([of(machine, SIZES, n) for n in counts])
        assert (np.diff(times, axis=0) >= -1e-12).all(), one.sweep.case_id


def test_large_messages_reach_the_link() -> None:
    """A gigabyte on one NVLink node moves at the node's bus rate, small ones at the start-up."""
    machine = Machine(8, "nvlink", 235e9, 0, 0, 1e12, 0)
    size = np.array([8.0, 2.0**36])
    small, large = all_reduce_time(machine, size, 8)
    assert 2 * 7 / 8 * size[1] / large == pytest.approx(235e9, rel=0.05)
    assert small == pytest.approx(6.6e-6 + 14 * 0.6e-6, rel=0.05)


def test_two_nodes_may_pass_the_cards_rate() -> None:
    """A tree sends a payload once each way between two nodes, a ring 2(N-1)/N."""
    machine = Machine(8, "nvlink", 400e9, 400e9, 0, 100e9, 1e-6)
    size = np.array([2.0**36])
    two, four = (2 * (n - 1) / n * size / all_reduce_time(machine, size, n) for n in (16, 32))
    assert two > 150e9
    assert four < 100e9


def test_peer_to_peer_off_is_slow() -> None:
    """Without it NVLink machines copy through the host."""
    cells = {"ranks": "4", "nodes": "1", "gpu": "A100", "inter_link": "none"}
    fast = machine_of(cells | {"intra_link": "NVLink3/NVSwitch"}, [])
    slow = machine_of(cells | {"intra_link": "P2P off -> host shared memory"}, [])
    assert fast.node_rate > 20 * slow.node_rate


def test_the_scored_set_is_the_documented_one() -> None:
    """Healthy, 15 sizes, four decades: as the collection's own script counts them."""
    shared = Path(__file__).resolve().parents[3] / "shared" / "evidence" / "allreduce.csv"
    if not shared.exists():
        pytest.skip(f"no measurements: {shared} is absent")
    assert sum(sweep.is_full for sweep in read_sweeps(shared)) == 37
