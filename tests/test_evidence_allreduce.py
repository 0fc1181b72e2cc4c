"""The all-reduce laws against measured sweeps, held in a folder beside the checkout.

The set and the loss are those of the folder's `score_allreduce.py`: runs whose health starts
with "healthy", at least 15 sizes over four decades; two parameters a run, soft-L1 on log time
with scale 0.05; the medians over runs of the median and of the worst relative error.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import least_squares

from dpmodel.collectives import phase_cost, small_message_time
from dpmodel.units import KIB

SWEEPS = Path(__file__).resolve().parents[2] / "shared" / "evidence" / "allreduce.csv"
pytestmark = pytest.mark.skipif(not SWEEPS.exists(), reason=f"no measurements: {SWEEPS} is absent")


class Run(NamedTuple):
    """One measured sweep: message sizes [B], times [s], and what was measured."""

    size: np.ndarray
    time: np.ndarray
    about: dict[str, str]


def measured_runs() -> dict[str, Run]:
    """Read every run of the file, sizes rising."""
    rows = defaultdict(list)
    with SWEEPS.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["time_us"] and float(row["time_us"]) > 0 and float(row["message_bytes"]) > 0:
                rows[row["case_id"]].append(row)
    runs = {}
    for case, lines in rows.items():
        lines.sort(key=lambda row: float(row["message_bytes"]))
        size = np.array([float(row["message_bytes"]) for row in lines])
        time = np.array([float(row["time_us"]) for row in lines]) * 1e-6
        runs[case] = Run(size, time, lines[0])
    return runs


def full_healthy(runs: dict[str, Run]) -> dict[str, Run]:
    """Keep the runs that the folder's definition scores."""
    return {
        case: run
        for case, run in runs.items()
        if run.about["health"].startswith("healthy")
        and len(run.size) >= 15
        and run.size[-1] >= 1e4 * run.size[0]
    }


def fit_errors(run: Run, law: str) -> np.ndarray:
    """Relative error at each size of the law fitted to the run by start-up time and rate."""
    ranks = int(run.about["ranks"])
    wire = 2 * (ranks - 1) / ranks * run.size

    def predicted(logs: np.ndarray) -> np.ndarray:
        start, rate = np.exp(logs)
        return np.asarray(phase_cost(start, 1 / rate, law).time(wire))

    first, rate = run.time.min(), wire[-1] / run.time[-1]
    fits = [
        least_squares(
            lambda logs: np.log(predicted(logs) / run.time),
            np.log([start, speed]),
            loss="soft_l1",
            f_scale=0.05,
        )
        for start in (first, first / 2)
        for speed in (rate, 1.4 * rate)
    ]
    best = min(fits, key=lambda fit: fit.cost)
    return np.abs(predicted(best.x) / run.time - 1)


def figures(runs: dict[str, Run], law: str) -> tuple[float, float]:
    """Median over runs of the median error and of the worst size's error."""
    errors = [fit_errors(run, law) for run in runs.values()]
    return (
        float(np.median([np.median(error) for error in errors])),
        float(np.median([error.max() for error in errors])),
    )


def infiniband_runs(runs: dict[str, Run]) -> dict[str, Run]:
    """Healthy NCCL runs over InfiniBand with more than one node and sizes up to 1 KiB."""
    return {
        case: run
        for case, run in runs.items()
        if run.about["health"].startswith("healthy")
        and run.about["inter_link"].startswith("IB")
        and "nccl" in run.about["library_version"].lower()
        and int(run.about["nodes"]) > 1
        and run.size[0] <= KIB
    }


def test_pipelined_law_fits_measured_sweeps_and_the_affine_form_does_not() -> None:
    """Two parameters a run: pipelined is at most 8 % off (45 % at its worst size), affine more."""
    runs = full_healthy(measured_runs())
    assert len(runs) >= 30
    median, worst = figures(runs, "pipelined")
    affine_median, affine_worst = figures(runs, "textbook")
    print(f"\n{len(runs)} sweeps, two parameters a run")
    print(f"pipelined law: median {median:.1%}, worst size {worst:.1%}")
    print(f"affine form:   median {affine_median:.1%}, worst size {affine_worst:.1%}")
    assert median <= 0.08
    assert worst <= 0.45
    assert affine_median > 1.5 * median
    assert affine_worst > worst


def test_small_messages_on_infiniband() -> None:
    """The latency law is within 30 % of the median up to 1 KiB on at least 80 % of the runs."""
    runs = infiniband_runs(measured_runs())
    assert len(runs) >= 10
    off = {}
    for case, run in runs.items():
        measured = np.median(run.time[run.size <= KIB])
        law = small_message_time(int(run.about["nodes"]), int(run.about["gpus_per_node"]))
        off[case] = float(law / measured - 1)
    hits = [case for case, error in off.items() if abs(error) <= 0.3]
    print(f"\n{len(hits)} of {len(off)} runs within 30 %")
    for case, error in sorted(off.items(), key=lambda item: item[1]):
        print(f"{case:26s} {error:+.1%}")
    assert len(hits) >= 0.8 * len(off)
