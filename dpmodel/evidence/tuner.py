"""What an all-reduce takes by NCCL's own tables: nothing is fitted to the run at hand.

NCCL picks for every size the fastest of ring and tree, each under three protocols: LL (flags in
every word: lowest latency, half the rate), LL128 (flags in every line) and Simple (fences: full
rate). Latencies are those of its src/graph/tuning.cc (2.18 to 2.30); rates are what measured
sweeps of large messages reach on that link. Latency and transfer join by the pipelined law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.units import UNITS

_US, _GB = UNITS["time"]["us"], UNITS["rate"]["GB/s"]
PROTOCOLS = ("LL", "LL128", "Simple")
# Start-up of a call and hop times by protocol [us].
_BASE = {"ring": (6.6, 14.0, 8.4), "tree": (6.8, 14.0, 8.4)}
_HOP = {
    ("nvlink", "ring"): (0.6, 1.9, 3.4),
    ("nvlink", "tree"): (0.6, 1.25, 4.0),
    ("pcie", "ring"): (1.0, 2.5, 5.7),
    ("pcie", "tree"): (1.0, 1.9, 4.0),
    ("network", "ring"): (2.7, 4.0, 14.0),
    ("network", "tree"): (5.0, 8.5, 14.0),
}
# Times that a message passes the card, and host work beside each step of a network ring [us].
_CARD_PASSES, _HOST_WORK = (1, 1, 2), (1.0, 1.0, 3.0)
# Highest rate of LL between nodes, LL's share of a tree's rate, LL128's share of any [GB/s, 1].
_LL_MOST, _LL_TREE, _LL128_SHARE, _LL_RING = 20.0, 1 / 3.8, 0.65, 0.5
# Share of the network's rate that trees reach on more than two nodes (tuning.cc).
_TREE_SHARE = 0.92
# Exponents that join latency and transfer, by protocol: searched on part of the sweeps, then
# rounded with all of them in view.
_JOIN = (0.5, 0.7, 0.65)
# In-switch reduction inside one node: what it adds to the hop [us].
_SWITCH_HOP = 25.0


@dataclass(frozen=True)
class Machine:
    """Where a collective runs.

    Attributes
    ----------
    per_node : int
        Workers in a node g [1].
    kind : str
        "nvlink" or "pcie": how the workers of a node are joined.
    node_rate : float
        Large-message bus rate inside a node [B/s].
    tree_rate : float
        Bus rate of trees inside a node, in-switch reduction included [B/s]; 0 for no trees.
    switch_rate : float
        Bus rate of in-switch reduction on one node [B/s]; 0 where there is none.
    network_rate : float
        Rate of all of a node's cards together [B/s].
    card_latency : float
        Time to pass one card [s].
    floor : float
        Shortest call: launching all workers from one process [s].
    """

    per_node: int
    kind: str
    node_rate: float
    tree_rate: float
    switch_rate: float
    network_rate: float
    card_latency: float
    floor: float = 0.0


def all_reduce_time(machine: Machine, size: np.ndarray, workers: int) -> np.ndarray:
    """Time of one all-reduce, by the fastest algorithm and protocol [s].

    Parameters
    ----------
    machine : Machine
        Where it runs.
    size : array, shape (M,)
        Message sizes S [B].
    workers : int
        Workers N [1].

    Returns
    -------
    array, shape (M,)
        Never falls with S; within one algorithm never falls with N at powers of two.
    """
    inside = min(machine.per_node, workers)
    nodes = int(np.ceil(workers / machine.per_node))
    wire = 2 * (workers - 1) / workers * size
    times = [
        _joined(*_ring(machine, inside, nodes, protocol), wire, _JOIN[protocol])
        for protocol in range(len(PROTOCOLS))
    ]
    if nodes > 1 and (machine.tree_rate or inside == 1):
        times += [
            _joined(*_tree(machine, inside, nodes, protocol), wire, _JOIN[protocol])
            for protocol in range(len(PROTOCOLS))
        ]
    if nodes == 1 and machine.switch_rate and inside > 4:
        latency = (_BASE["ring"][2] + _SWITCH_HOP) * _US
        times.append(_joined(latency, machine.switch_rate, wire, _JOIN[2]))
    return np.asarray(np.maximum(np.min(times, axis=0), machine.floor))


def _joined(latency: float, rate: float, wire: np.ndarray, power: float) -> np.ndarray:
    """Join start-up and transfer: (a^q + w^q)^(1/q)."""
    return np.asarray((latency**power + (wire / rate) ** power) ** (1 / power))


def _ring(machine: Machine, inside: int, nodes: int, protocol: int) -> tuple[float, float]:
    """Latency [s] and bus rate [B/s] of a ring: 2(N-1) steps, 2(k-1) of them between nodes."""
    hop = _HOP[machine.kind, "ring"][protocol]
    if nodes > 1:
        hop = max(hop, _HOST_WORK[protocol])
    across = _network_hop(machine, inside, "ring", protocol)
    between = 2 * (nodes - 1)
    steps = 2 * (inside * nodes - 1) - between if inside > 1 else 0
    latency = (_BASE["ring"][protocol] + steps * hop) * _US + between * across
    rate = _flat_rate(machine, inside, nodes)
    if protocol == 0:
        rate = min(rate * _LL_RING, _LL_MOST * _GB if nodes > 1 else np.inf)
    return latency, rate * (_LL128_SHARE if protocol == 1 else 1.0)


def _tree(machine: Machine, inside: int, nodes: int, protocol: int) -> tuple[float, float]:
    """Latency and bus rate of a double tree over the nodes, chains inside them.

    On two nodes each card carries S once each way, not 2(N-1)/N S, so the bus rate may pass the
    cards' own.
    """
    hop = _HOP[machine.kind, "tree"][protocol]
    across = _network_hop(machine, inside, "tree", protocol)
    latency = (_BASE["tree"][protocol] + 2 * (inside - 1) * hop) * _US
    latency += 2 * np.log2(nodes) * across
    workers = inside * nodes
    rate = machine.network_rate * (2 * (workers - 1) / workers if nodes == 2 else _TREE_SHARE)
    rate = min(rate, machine.tree_rate) if inside > 1 else rate
    if protocol == 0:
        rate = min(rate * _LL_TREE, _LL_MOST * _GB)
    return latency, rate * (_LL128_SHARE if protocol == 1 else 1.0)


def _network_hop(machine: Machine, inside: int, algorithm: str, protocol: int) -> float:
    wire = _HOP["network", algorithm if inside > 1 else "tree"][protocol] * _US
    return wire + _CARD_PASSES[protocol] * machine.card_latency


def _flat_rate(machine: Machine, inside: int, nodes: int) -> float:
    """A ring crosses each node once: it has all cards, and the node's links, to itself."""
    if nodes == 1:
        return machine.node_rate
    return min(machine.node_rate, machine.network_rate) if inside > 1 else machine.network_rate


@dataclass(frozen=True)
class HostMachine:
    """Processes on processors, joined by MPI: latency by doublings, rate of host memory."""

    per_node: int
    base: float = 1.0 * _US
    inside_hop: float = 0.3 * _US
    between_hop: float = 2.0 * _US
    rate: float = 2.6 * _GB
    power: float = 0.6


def host_all_reduce_time(machine: HostMachine, size: np.ndarray, workers: int) -> np.ndarray:
    """Time of one all-reduce over processors [s]; shapes as in `all_reduce_time`."""
    inside = min(machine.per_node, workers)
    nodes = np.ceil(workers / machine.per_node)
    latency = machine.base + machine.inside_hop * np.log2(inside)
    latency += machine.between_hop * np.log2(nodes)
    wire = 2 * (workers - 1) / workers * size
    return _joined(latency, machine.rate, wire, machine.power)
