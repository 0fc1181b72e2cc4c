"""Measured all-reduce sweeps that are drawn beside the model: time by message size, with source."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpmodel.collectives import join
from dpmodel.units import unit_factor

_FILE = Path(__file__).parent / "data" / "evidence" / "allreduce.csv"
# Healthy full sweeps whose source can be opened, one for each kind of machine and its sizes.
SHOWN = {
    "abci-v100-1n-4-nccl": "4 V100, NVLink",
    "abci-v100-4n-16-nccl": "16 V100, InfiniBand EDR",
    "abci-v100-8n-32-nccl": "32 V100, InfiniBand EDR",
    "abci-v100-16n-64-nccl": "64 V100, InfiniBand EDR",
    "abci-v100-32n-128-nccl": "128 V100, InfiniBand EDR",
    "abci-a100-1n-8-nccl": "8 A100, NVSwitch",
    "abci-a100-2n-16-nccl": "16 A100, InfiniBand HDR",
    "abci-a100-4n-32-nccl": "32 A100, InfiniBand HDR",
    "abci-a100-16n-128-nccl": "128 A100, InfiniBand HDR",
    "aws-p4de-2n": "16 A100, EFA",
    "nebius-h100-2n": "16 H100, InfiniBand NDR",
    "nt309-4n": "32 H100, InfiniBand NDR",
    "lambda-b200-2n": "16 B200, InfiniBand NDR",
}


class Sweep(NamedTuple):
    """One measured sweep.

    Attributes
    ----------
    key, label, source : str
        Case, name on the screen, and where the numbers stand.
    workers, nodes : int
        Ranks and machines [1].
    device, links : str
        What was measured.
    size, time : arrays, shape (Q,)
        Message sizes, rising [B], and times [s].
    """

    key: str
    label: str
    source: str
    workers: int
    nodes: int
    device: str
    links: str
    size: np.ndarray
    time: np.ndarray


@cache
def sweeps() -> dict[str, Sweep]:
    """Return the sweeps of `SHOWN`, by label."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    with _FILE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["case_id"] in SHOWN and row["time_us"] and float(row["message_bytes"]) > 0:
                rows[row["case_id"]].append(row)
    return {SHOWN[key]: _sweep(key, rows[key]) for key in SHOWN}


def _sweep(key: str, rows: list[dict[str, str]]) -> Sweep:
    rows = sorted(rows, key=lambda row: float(row["message_bytes"]))
    about = rows[0]
    size = np.array([float(row["message_bytes"]) for row in rows])
    time = np.array([float(row["time_us"]) for row in rows]) * unit_factor("us", "time")
    links = " + ".join(part for part in (about["intra_link"], about["inter_link"]) if part)
    return Sweep(
        key,
        SHOWN[key],
        f"{about['source']}; {about['library_version']}",
        int(about["ranks"]),
        int(about["nodes"]),
        about["gpu"],
        links,
        size,
        time,
    )


def family(sweep: Sweep) -> list[Sweep]:
    """Sweeps of the same machines with other numbers of workers, itself included, by workers."""
    like = [other for other in sweeps().values() if other.key[:9] == sweep.key[:9]]
    return sorted(like, key=lambda other: other.workers)


def time_at(sweep: Sweep, size: float) -> float:
    """Measured time at a message size, read between points on log axes [s].

    Parameters
    ----------
    sweep : Sweep
        Measurements.
    size : float
        Message [B]; NaN is returned outside what was measured.
    """
    if not sweep.size[0] <= size <= sweep.size[-1]:
        return float("nan")
    return float(np.exp(np.interp(np.log(size), np.log(sweep.size), np.log(sweep.time))))


class LawFit(NamedTuple):
    """Transfer law fitted to one sweep by its start-up time and its rate.

    `start` is a [s], `per_byte` is w/S [s/B], `median` and `worst` are relative errors [1].
    """

    law: str
    start: float
    per_byte: float
    median: float
    worst: float

    def time(self, size: np.ndarray) -> np.ndarray:
        """Time at message sizes S [s]."""
        return np.asarray(join(self.start, self.per_byte * size, self.law))


@cache
def shown_fit(label: str, law: str) -> LawFit:
    """`fit_law` of a shown sweep, computed once."""
    return fit_law(sweeps()[label], law)


def fit_law(sweep: Sweep, law: str) -> LawFit:
    """Fit start-up and rate to a sweep, least absolute error of log time, on two ever finer grids.

    Parameters
    ----------
    sweep : Sweep
        Measurements.
    law : str
        ``"pipelined"`` or ``"textbook"``.
    """
    start, per_byte = float(sweep.time[0]), float(sweep.time[-1] / sweep.size[-1])
    for width in (4.0, 1.3, 1.06):
        around = np.geomspace(1 / width, width, 41)
        starts, rates = (start * around)[:, None, None], (per_byte * around)[:, None]
        guess = join(starts, rates * sweep.size, law)
        error = np.abs(np.log(guess / sweep.time)).mean(axis=-1)
        best = np.unravel_index(np.argmin(error), error.shape)
        start, per_byte = float(start * around[best[0]]), float(per_byte * around[best[1]])
    fit = LawFit(law, start, per_byte, 0.0, 0.0)
    off = np.abs(fit.time(sweep.size) / sweep.time - 1)
    return fit._replace(median=float(np.median(off)), worst=float(off.max()))
