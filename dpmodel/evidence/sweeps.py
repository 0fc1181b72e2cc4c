"""All-reduce sweeps: predicted with nothing fitted, and by laws of two and three parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpmodel.evidence.fits import best_of
from dpmodel.evidence.machines import Network, device_of, network_of
from dpmodel.evidence.reading import Sweep, positive
from dpmodel.evidence.tuner import (
    HostMachine,
    Machine,
    all_reduce_time,
    host_all_reduce_time,
)
from dpmodel.units import UNITS

_GB, _US = UNITS["rate"]["GB/s"], UNITS["time"]["us"]
# Bus rate inside a node, of trees there, and of in-switch reduction, by class of link [GB/s].
_NODE_RATES: dict[str, tuple[float, float, float]] = {
    "nvlink5": (682.0, 700.0, 840.0),
    "nvlink4": (366.0, 470.0, 475.0),
    "nvlink3": (235.0, 190.0, 0.0),
    "nvlink2": (129.0, 105.0, 0.0),
    "nvlink1": (60.0, 50.0, 0.0),
    "nvlink-bridge": (48.0, 40.0, 0.0),
    "xgmi-mi300x": (315.0, 0.0, 0.0),
    "xgmi-mi250x": (100.0, 0.0, 0.0),
    "pcie5": (28.0, 24.0, 0.0),
    "pcie4": (20.0, 17.0, 0.0),
    "pcie3": (11.2, 9.5, 0.0),
    "pcie3-old": (2.6, 2.3, 0.0),
    "geforce": (4.0, 3.5, 0.0),
    "geforce-turing": (5.0, 4.5, 0.0),
}
# Rate of host memory where peer-to-peer transfers are off [GB/s].
_NO_PEER_RATE = 5.0
# Share of a card's rate that collectives reach, and time to pass a card [us], by transport.
_CARDS: dict[str, tuple[float, float]] = {
    "ib": (0.93, 1.7),
    "rdma": (0.92, 5.0),
    "efa": (0.88, 65.0),
    "efa-one": (0.88, 40.0),
    "tcpx": (0.92, 55.0),
    "tcp": (0.65, 80.0),
}
# Launching eight workers from one process, for each worker [us].
_LAUNCH_EACH = 4.4
# Exponent of the two-parameter law by kind: one protocol for all sizes turns more sharply than
# NVLink machines, where the library changes protocol and algorithm on the way.
_POWERS = {"plain": 0.6, "host": 0.5, "nvlink": 0.44}


@dataclass(frozen=True)
class SweepFit:
    """A sweep with its predicted times, shape (M,) [s], and what its cells do not state."""

    sweep: Sweep
    nothing_fitted: np.ndarray
    two: np.ndarray
    three: np.ndarray
    affine: np.ndarray
    unstated: tuple[str, ...]


def machine_of(cells: Mapping[str, str], unstated: list[str]) -> Machine | HostMachine:
    """Read where a sweep ran from its cells.

    Parameters
    ----------
    cells : mapping
        Row with ranks, nodes, gpus_per_node, gpu, intra_link, inter_link, nics_per_node.
    unstated : list of str
        Gains a word for each thing that is not stated.
    """
    ranks, nodes = positive(cells.get("ranks")) or 2, positive(cells.get("nodes"))
    if nodes is None:
        unstated.append("nodes")
    share = max(1, round(ranks / (nodes or 1)))
    per_node = max(1, int(min(positive(cells.get("gpus_per_node")) or share, ranks)))
    _, link = device_of(cells, unstated)
    if link == "host":
        return HostMachine(per_node)
    network = network_of(cells, unstated)
    rate, tree, switch = _NODE_RATES.get(link, (50.0, 40.0, 0.0))
    joined = (cells.get("intra_link") or "").lower()
    if "p2p off" in joined or "no p2p" in joined or "shared memory" in joined:
        rate, tree, switch = _NO_PEER_RATE, _NO_PEER_RATE, 0.0
    reach, latency = _card(network, cells)
    single = "-g 8" in cells.get("library_version", "")
    return Machine(
        per_node,
        "nvlink" if link.startswith(("nvlink", "xgmi")) else "pcie",
        rate * _GB,
        tree * _GB,
        switch * _GB if "ring" not in cells.get("algorithm", "").lower() else 0.0,
        network.rate * network.cards * reach,
        latency * _US,
        per_node * _LAUNCH_EACH * _US if single else 0.0,
    )


def _card(network: Network, cells: Mapping[str, str]) -> tuple[float, float]:
    text = (cells.get("inter_link") or "").lower()
    if network.kind == "efa" and network.cards == 1:
        return _CARDS["efa-one"]
    return _CARDS["tcpx" if "tcpx" in text else network.kind]


def nothing_fitted(sweep: Sweep, unstated: list[str]) -> np.ndarray:
    """Predict a sweep from its cells alone [s], shape (M,)."""
    machine = machine_of(sweep.cells, unstated)
    workers = int(positive(sweep.cells["ranks"]) or 2)
    if isinstance(machine, HostMachine):
        return host_all_reduce_time(machine, sweep.size, workers)
    return all_reduce_time(machine, sweep.size, workers)


def fit_sweep(sweep: Sweep) -> SweepFit:
    """Predict a sweep with nothing fitted, and fit it with two and three parameters.

    Two parameters are a start-up time a and a rate B in t = (a^q + (R S/B)^q)^(1/q), with q by
    the kind of machine; the third is q. The affine form a + R S/B is the textbook's.
    """
    unstated: list[str] = []
    predicted = nothing_fitted(sweep, unstated)
    power = _POWERS[_kind(sweep)]
    two = fitted_time(sweep, power, free=False)
    affine = fitted_time(sweep, 1.0, free=False)
    three = fitted_time(sweep, power, free=True)
    return SweepFit(sweep, predicted, two, three, affine, tuple(dict.fromkeys(unstated)))


def _kind(sweep: Sweep) -> str:
    machine = machine_of(sweep.cells, [])
    if isinstance(machine, HostMachine):
        return "host"
    return "nvlink" if machine.kind == "nvlink" and machine.per_node > 1 else "plain"


def fitted_time(sweep: Sweep, power: float, *, free: bool) -> np.ndarray:
    """Times of the fitted q-norm [s], shape (M,).

    Parameters
    ----------
    sweep : Sweep
        Measured sizes and times.
    power : float
        Exponent q [1], the first guess where it is free.
    free : bool
        Whether q is fitted too.
    """
    ranks = positive(sweep.cells["ranks"]) or 2
    wire = 2 * (ranks - 1) / ranks * sweep.size
    log_wire, log_time = np.log(wire), np.log(sweep.time)

    def law(values: np.ndarray) -> np.ndarray:
        q = np.exp(np.clip(values[2], -2.3, 1.0)) if free else power
        return np.asarray(np.logaddexp(q * values[0], q * (log_wire - values[1])) / q)

    rate = wire[-1] / sweep.time[-1]
    starts = [
        np.log([start, speed, power][: 3 if free else 2])
        for start in (sweep.time.min(), sweep.time.min() / 2)
        for speed in (rate, 1.4 * rate)
    ]
    return np.asarray(np.exp(law(best_of(law, log_time, starts))))


def relative_error(predicted: np.ndarray, sweep: Sweep) -> np.ndarray:
    """Error of predicted times over measured ones [1], shape (M,)."""
    return np.asarray(np.abs(predicted / sweep.time - 1))
