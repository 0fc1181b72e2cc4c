"""Algorithms side by side, crossovers, counts twice, and measured sweeps with their laws."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from dpmodel.collectives import ALGORITHMS, all_reduce_cost
from dpmodel.crossovers import PLAIN, algorithm_times, counts, crossovers
from dpmodel.executed import SCHEDULES
from dpmodel.scenario import Scenario
from dpmodel.sweeps import SHOWN, family, fit_law, sweeps, time_at


def test_times_equal_one_call_for_each_algorithm() -> None:
    """Sizes or workers, in the order of the table."""
    sizes = np.geomspace(1e3, 1e9, 5)
    times = algorithm_times(Scenario(), np.asarray(12.0), sizes)
    for name, row in zip(ALGORITHMS, times, strict=True):
        one = all_reduce_cost(Scenario(algorithm=name), 12.0).time(sizes)
        assert np.array_equal(row, np.asarray(one))


@pytest.mark.parametrize("workers", [3, 8, 12, 64, 100])
def test_the_fastest_changes_where_a_crossover_says(workers) -> None:
    """Just below it the one before is fastest, just above it the one after."""
    sizes = np.geomspace(256, 1e10, 400)

    def times(size):
        table = algorithm_times(Scenario(), np.asarray(float(workers)), np.asarray(size))
        return {n: t for n, t in zip(ALGORITHMS, table, strict=True) if n in PLAIN}

    found = crossovers(sizes, times(sizes))
    for cross in found:
        below, above = times(cross.at * 0.98), times(cross.at * 1.02)
        assert below[cross.before] <= below[cross.after] * (1 + 1e-9)
        assert above[cross.after] <= above[cross.before] * (1 + 1e-9)
    assert [a.after for a in found[:-1]] == [b.before for b in found[1:]]


def test_a_crossover_of_known_lines() -> None:
    """1 + x and 10 + x/10 meet at 10."""
    x = np.geomspace(1, 1000, 500)
    (cross,) = crossovers(x, {"a": 1 + x, "b": 10 + x / 10})
    assert (cross.before, cross.after) == ("a", "b")
    assert cross.at == pytest.approx(10, rel=1e-3)
    assert cross.time == pytest.approx(11, rel=1e-3)


@pytest.mark.parametrize("workers", [2, 5, 8, 33])
def test_counts_of_model_and_run_agree(workers) -> None:
    """Steps exactly, payloads to the odd entry of a chunk; what cannot be run says so."""
    for count in counts(Scenario(servers=3.0), workers, 1e8):
        if count.algorithm in SCHEDULES:
            assert count.run_steps == count.steps
            assert count.run_wire == pytest.approx(count.wire, rel=0.02)
        else:
            assert np.isnan(count.run_steps)
        assert count.time > 0
        assert count.bytes > 0


def test_every_shown_sweep_is_full_and_names_its_source() -> None:
    """Rising sizes over four decades, positive times, a source that can be looked up."""
    assert set(sweeps()) == set(SHOWN.values())
    for label, sweep in sweeps().items():
        assert (np.diff(sweep.size) > 0).all(), label
        assert sweep.size[-1] >= 1e4 * sweep.size[0]
        assert (sweep.time > 0).all()
        assert "/" in sweep.source
        assert label.startswith(f"{sweep.workers} ")


def test_carried_sweeps_are_those_of_the_source(shared) -> None:
    """Every number of the shown sweeps stands in the measurements beside the checkout."""
    with (shared / "evidence" / "allreduce.csv").open(newline="") as file:
        known = {
            (row["case_id"], float(row["message_bytes"]), float(row["time_us"]))
            for row in csv.DictReader(file)
            if row["time_us"]
        }
    for sweep in sweeps().values():
        for size, time in zip(sweep.size.tolist(), sweep.time.tolist(), strict=True):
            assert (sweep.key, size, round(time * 1e6, 6)) in known


def test_the_pipelined_law_fits_sweeps_better_than_the_textbook() -> None:
    """Two parameters each: closer in the median on every shown sweep, about half as far off."""
    fits = {law: [fit_law(s, law) for s in sweeps().values()] for law in ("pipelined", "textbook")}
    pairs = list(zip(fits["pipelined"], fits["textbook"], strict=True))
    assert all(joined.median < added.median for joined, added in pairs)
    assert np.median([f.median for f in fits["pipelined"]]) < 0.10
    assert np.median([f.median for f in fits["textbook"]]) > 0.15


def test_a_family_is_one_machine_by_workers() -> None:
    """V100 sweeps from one node to 32; times between points lie between them."""
    like = family(sweeps()["16 V100, InfiniBand EDR"])
    assert [sweep.workers for sweep in like] == [4, 16, 32, 64, 128]
    sweep = like[0]
    assert time_at(sweep, sweep.size[3]) == pytest.approx(sweep.time[3])
    assert np.isnan(time_at(sweep, sweep.size[-1] * 2))
