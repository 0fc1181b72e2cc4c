"""One measured curve -> facts: its model, machine, software, batches and time of a step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpmodel.evidence.bands import regime_of
from dpmodel.evidence.cells import ModelFacts, framework_of, gradient_bytes, model_facts
from dpmodel.evidence.constants import DEFAULT, Constants
from dpmodel.evidence.machines import Network, device_of, network_of, workers_per_node
from dpmodel.evidence.reading import Curve, positive
from dpmodel.units import UNITS

# Beyond these a cell is a slip of the pen; the model's knobs end there too.
_LARGEST_BATCH, _MOST_MICRO = 1e7, 4096.0
_TERA_FLOP, _MILLION = UNITS["compute"]["TFLOP/s"], UNITS["count"]["M"]


@dataclass(frozen=True)
class Case:
    """A curve ready to be predicted.

    Attributes
    ----------
    curve : Curve
        What was measured.
    model : ModelFacts
        Facts of its model.
    machine : str
        Class of the link inside the node.
    network : Network
        What joins nodes.
    framework : str
        Class of the software.
    per_node : int
        Workers in a node.
    batch : array, shape (W,)
        Global batch at each size [samples].
    micro : array, shape (W,)
        Micro-batches of a step [1].
    step : float or None
        Time of a step at the smallest size [s]; None where the table has no such time.
    unstated : tuple of str
        What the table does not say.
    """

    curve: Curve
    model: ModelFacts
    device: str
    machine: str
    network: Network
    framework: str
    per_node: int
    batch: np.ndarray
    micro: np.ndarray
    step: float | None
    unstated: tuple[str, ...]

    @property
    def to_quality(self) -> bool:
        """Whether the times are those to a target quality, with batches that change."""
        return self.framework == "tuned" and self.step is None

    @property
    def regime(self) -> str:
        """Kind of run that error bands are told by; see `dpmodel.evidence.bands`."""
        return regime_of(
            self.per_node, self.machine, self.network.kind, float(self.curve.workers[-1])
        )


def make_case(curve: Curve, constants: Constants = DEFAULT) -> Case:
    """Read a curve's cells into facts.

    Parameters
    ----------
    curve : Curve
        Measured curve.
    constants : Constants
        Mechanisms.
    """
    unstated: list[str] = []
    device, machine = device_of(curve.cells, unstated)
    per_node = workers_per_node(curve.cells, unstated)
    model = model_facts(curve.cells, unstated)
    network = network_of(curve.cells, unstated)
    gradient_bytes(curve.cells, unstated)
    batch, micro = _batches(curve, model, unstated)
    if not constants.accumulation:
        micro = np.ones(len(batch))
    rate = _samples_per_second(curve, model, unstated)
    step = batch[0] / rate if rate else None
    return Case(
        curve, model, device, machine, network, framework_of(curve.cells), per_node,
        batch, micro, step, tuple(dict.fromkeys(unstated)),
    )  # fmt: skip


def _batches(curve: Curve, model: ModelFacts, unstated: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Global batch and micro-batches at each size."""
    workers = curve.workers
    own = np.array([positive(row.get("per_worker_batch")) or np.nan for row in curve.rows])
    given = np.array([positive(row.get("global_batch")) or np.nan for row in curve.rows])
    if np.isnan(own).all() and np.isnan(given).all():
        unstated.append("batch")
        largest = 1.0 if curve.mode == "weak" else workers.max() / workers.min()
        own = np.full(len(workers), model.typical_batch)
        if curve.mode == "strong":
            own = model.typical_batch * largest * workers[0] / workers
    own = np.where(
        np.isnan(own), np.nanmedian(own) if (~np.isnan(own)).any() else given / workers, own
    )
    product = own * workers
    if curve.mode == "strong" and np.isnan(given).any():
        given = np.full(len(workers), np.nanmax(np.append(product, given)))
    batch = np.clip(np.where(np.isnan(given), product, given), 1.0, _LARGEST_BATCH)
    most = np.clip(batch / workers, 1.0, _MOST_MICRO)
    micro = np.clip(np.round(batch / product), 1.0, most)
    return np.asarray(batch), np.asarray(np.floor(micro))


def _samples_per_second(curve: Curve, model: ModelFacts, unstated: list[str]) -> float | None:
    unit = curve.cells.get("throughput_unit", "").lower()
    rate = float(curve.rate[0])
    if not unit or not positive(curve.cells.get("throughput")):
        unstated.append("time of a step")
        return None
    if "flop" in unit:
        return rate * _TERA_FLOP / model.flop
    if re.match(r"m samples", unit):
        rate *= _MILLION
    if re.search(r"token|word|frame", unit) or (model.kind == "speech" and model.units > 5000):
        rate /= model.units
    return rate


def assumptions(case: Case) -> Mapping[str, str]:
    """What was taken for each cell, for the screen and the record."""
    return {
        "model": case.model.name,
        "device": case.device,
        "link inside the node": case.machine,
        "network": case.network.kind,
        "software": case.framework,
        "workers per node": str(case.per_node),
    }
