"""The product's measured cases with their predictions, computed once a process."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dpmodel.catalogue import devices
from dpmodel.evidence.curves import CurvePrediction, predict_curve
from dpmodel.evidence.reading import Sweep, read_curves, read_sweeps
from dpmodel.evidence.report import CURVES, SCORES, SWEEPS
from dpmodel.evidence.scores import one_interval
from dpmodel.evidence.sweeps import nothing_fitted, relative_error

ANY = "Any"


@dataclass(frozen=True)
class CurveRow:
    """One measured curve as the list shows it; errors are of efficiency [1]."""

    key: str
    model: str
    device: str
    kind: str
    mode: str
    family: str
    trust: str
    typical: float
    worst: float
    bias: float


@dataclass(frozen=True)
class SweepRow:
    """One measured sweep as the list shows it; errors are of time [1]."""

    key: str
    machine: str
    ranks: int
    link: str
    health: str
    typical: float
    worst: float


@lru_cache(maxsize=1)
def curves() -> dict[str, CurvePrediction]:
    """Return every curve with its prediction, by its name."""
    return {one.dataset_id: predict_curve(one) for one in read_curves(CURVES)}


@lru_cache(maxsize=1)
def curve_rows() -> tuple[CurveRow, ...]:
    """Return one row for each curve, the worst first."""
    rows = [_curve_row(key, one) for key, one in curves().items()]
    return tuple(sorted(rows, key=lambda row: -row.worst))


def _curve_row(key: str, one: CurvePrediction) -> CurveRow:
    curve, size = one.case.curve, np.abs(one.error)
    return CurveRow(
        key,
        curve.cells["model"],
        devices()[one.case.device].name if one.case.machine != "host" else "Processor",
        one.case.regime,
        curve.mode,
        curve.family,
        curve.trust,
        float(np.median(size)),
        float(size.max()),
        float(one.error.mean()),
    )


def chosen(rows: Sequence[CurveRow], wanted: dict[str, str]) -> list[CurveRow]:
    """Keep the rows that have every wanted value; `ANY` wants nothing."""
    return [
        row
        for row in rows
        if all(value == ANY or getattr(row, name) == value for name, value in wanted.items())
    ]


def options(name: str) -> list[str]:
    """Return what a column of the curves can be filtered by."""
    return [ANY, *sorted({getattr(row, name) for row in curve_rows()})]


def band_of(one: CurvePrediction) -> tuple[np.ndarray, np.ndarray]:
    """80 % band of a predicted curve [1]."""
    return one_interval(one)


@lru_cache(maxsize=1)
def sweeps() -> dict[str, tuple[Sweep, np.ndarray, tuple[str, ...]]]:
    """Return every sweep, its times with nothing fitted [s], and what is not stated."""
    found = {}
    for sweep in read_sweeps(SWEEPS):
        unstated: list[str] = []
        times = nothing_fitted(sweep, unstated)
        found[sweep.case_id] = (sweep, times, tuple(dict.fromkeys(unstated)))
    return found


@lru_cache(maxsize=1)
def sweep_rows() -> tuple[SweepRow, ...]:
    """Return one row for each whole or partial sweep, the worst first."""
    rows = []
    for key, (sweep, times, _) in sweeps().items():
        size, cells = relative_error(times, sweep), sweep.cells
        between = cells.get("inter_link", "")
        link = between if between not in ("", "none", "-") else cells.get("intra_link", "")
        rows.append(
            SweepRow(
                key,
                cells.get("gpu", ""),
                int(float(cells["ranks"])),
                link,
                cells.get("health", ""),
                float(np.median(size)),
                float(size.max()),
            )
        )
    return tuple(sorted(rows, key=lambda row: -row.typical))


@lru_cache(maxsize=1)
def scores() -> dict[str, Any]:
    """Return the scores over the whole collection, as the builder wrote them."""
    found: dict[str, Any] = json.loads(SCORES.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def licences() -> dict[str, str]:
    """Return the licence of each curve's source, by its name."""
    with (CURVES / "index.csv").open(newline="") as file:
        return {row["dataset_id"]: row["license"] for row in csv.DictReader(file)}
