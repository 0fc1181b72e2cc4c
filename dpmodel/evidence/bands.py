"""How far predictions of each kind of run are off: bands measured on the training half.

An error is told as a ratio and relative to the predicted loss, r = ln(measured/predicted) /
(0.03 + loss): a run that is predicted to lose nothing is seldom far off, one that loses half may
be. The quantiles of a regime are drawn half-way to those of all runs, since some regimes have few
cases.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpmodel.knobs import Number
from dpmodel.scenario import Scenario

if TYPE_CHECKING:
    from dpmodel.evidence.curves import CurvePrediction

FILE = Path(__file__).parents[1] / "data" / "evidence" / "bands.csv"
ALL = "all runs"
# Share of the loss that is never told apart from noise.
_NOISE = 0.03
# Sources of less trust (a reader's report, an unstated machine) scatter this much more.
_LESS_TRUST = 2.0
# A node link at or above this is taken for NVLink or its like; a latency at or above, for TCP.
_FAST_LINK, _TCP_LATENCY = 40e9, 35e-6
_COLUMNS = ("regime", "points", "typical", "one_in_ten", "low", "high")


@dataclass(frozen=True)
class Band:
    """Errors of one regime: logarithms of ratios, relative to the predicted loss [1].

    Attributes
    ----------
    regime : str
        Kind of run.
    points : int
        Cases that set it.
    typical, one_in_ten : float
        Median and 90 % quantile of the absolute error.
    low, high : float
        10 % and 90 % quantile of measured over predicted.
    """

    regime: str
    points: int
    typical: float
    one_in_ten: float
    low: float
    high: float


def regime_of(per_node: float, machine: str, transport: str, workers: float) -> str:
    """Name the kind of run: one node by its link, several nodes by their transport."""
    if workers > per_node:
        return "several nodes, TCP" if transport == "tcp" else "several nodes, RDMA"
    slow = machine.startswith(("pcie", "geforce", "host", "nvlink-bridge"))
    return "one node, PCIe" if slow else "one node, NVLink"


def scale(efficiency: Number) -> np.ndarray:
    """What an error is told against: the predicted loss and the noise [1]."""
    return np.asarray(_NOISE + np.maximum(0.0, 1 - np.asarray(efficiency, float)))


def set_bands(predictions: Iterable[CurvePrediction]) -> list[Band]:
    """Measure the bands on predictions whose curves may set constants.

    Parameters
    ----------
    predictions : iterable of CurvePrediction
        Of the training half, trusted sources only.
    """
    errors: dict[str, list[np.ndarray]] = {ALL: []}
    for one in predictions:
        ratio = one.case.curve.efficiency[1:] / one.efficiency[1:]
        relative = np.log(ratio) / scale(one.efficiency[1:])
        errors[ALL].append(relative)
        errors.setdefault(one.case.regime, []).append(relative)
    pooled = _quantiles(np.concatenate(errors[ALL]))
    bands = []
    for regime, parts in sorted(errors.items()):
        values = np.concatenate(parts)
        typical, ten, low, high = (_quantiles(values) + pooled) / 2
        bands.append(Band(regime, len(values), typical, ten, low, high))
    return bands


def _quantiles(errors: np.ndarray) -> np.ndarray:
    size = np.abs(errors)
    return np.array([np.median(size), np.quantile(size, 0.9), *np.quantile(errors, [0.1, 0.9])])


def write_bands(bands: Sequence[Band], path: Path = FILE) -> None:
    """Write the bands as the table that the product reads."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for band in bands:
            numbers = (band.typical, band.one_in_ten, band.low, band.high)
            writer.writerow([band.regime, band.points, *(f"{value:.4f}" for value in numbers)])


@cache
def bands() -> dict[str, Band]:
    """Return the bands by regime."""
    with FILE.open(newline="") as file:
        return {
            row["regime"]: Band(
                row["regime"], int(row["points"]),
                *(float(row[name]) for name in _COLUMNS[2:]),
            )
            for row in csv.DictReader(file)
        }  # fmt: skip


def regime_of_scenario(scenario: Scenario, workers: float) -> str:
    """Kind of run that a scenario of scalars is, for `bands`."""
    machine = "nvlink" if scenario.node_bandwidth >= _FAST_LINK else "pcie"
    transport = "tcp" if scenario.latency >= _TCP_LATENCY else "rdma"
    per_node = float(scenario.per_node)
    # One worker a node: all traffic is the network's.
    several = per_node + 1 if per_node == 1 else workers
    return regime_of(per_node, machine, transport, several)


def interval(
    regime: str, efficiency: Number, *, trusted: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """80 % band of an efficiency in a regime [1].

    Parameters
    ----------
    regime : str
        A key of `bands`; any other has the band of all runs.
    efficiency : float or array
        Predicted [1].
    trusted : bool
        Whether the source states its machine and its method.

    Returns
    -------
    tuple of arrays
        Lower and upper end, of the shape of `efficiency`.
    """
    band = bands().get(regime, bands()[ALL])
    wide = scale(efficiency) * (1.0 if trusted else _LESS_TRUST)
    middle = np.asarray(efficiency, float)
    return middle * np.exp(band.low * wide), middle * np.exp(band.high * wide)


def curve_interval(
    scenario: Scenario, workers: Number, efficiency: Number
) -> tuple[np.ndarray, np.ndarray]:
    """80 % band along a curve that may leave the node [1].

    Parameters
    ----------
    scenario : Scenario
        Where it runs; node size, links and latency are scalars.
    workers : array, shape (W,)
        N [1]; nothing is uncertain for N = 1.
    efficiency : array, shape (..., W)
        Predicted [1].

    Returns
    -------
    tuple of arrays, shape (..., W)
        Lower and upper end; NaN where the mode leaves out what costs time.
    """
    n = np.asarray(workers, float)
    inside, beyond = (bands()[regime_of_scenario(scenario, many)] for many in (1.0, float("inf")))
    counts = np.nan if scenario.mode == "ideal" else 1.0
    wide = scale(efficiency) * (n > 1) * counts
    low = np.where(n > scenario.per_node, beyond.low, inside.low)
    high = np.where(n > scenario.per_node, beyond.high, inside.high)
    return efficiency * np.exp(low * wide), efficiency * np.exp(high * wide)


def band(scenario: Scenario, workers: float, efficiency: float) -> tuple[float, float]:
    """Typical error of a run like this one, and what one in ten exceeds [1].

    Parameters
    ----------
    scenario : Scenario
        One situation.
    workers, efficiency : float
        N and its predicted efficiency [1].

    Returns
    -------
    tuple of float
        Shares of the predicted efficiency.
    """
    found = bands()[regime_of_scenario(scenario, workers)]
    wide = float(scale(efficiency))
    # Mostly the model is too hopeful, so shares are those of a measured run below it.
    return float(-np.expm1(-found.typical * wide)), float(-np.expm1(-found.one_in_ten * wide))


def sentence(scenario: Scenario, workers: float, efficiency: float) -> str:
    """Return one sentence on how far runs like this one were off."""
    typical, ten = band(scenario, workers, efficiency)
    regime = regime_of_scenario(scenario, workers)
    return (
        f"Measured runs like this ({regime}): typically within {_percent(typical)} "
        f"of the prediction, one in ten off by more than {_percent(ten)}."
    )


def _percent(share: float) -> str:
    return f"{max(1, round(100 * min(share, 9.99)))} %"
