"""What an all-reduce costs: steps and bytes by algorithm, and the law that makes them time.

Every algorithm is two numbers that depend on the number of workers only: how many dependent
messages it takes (`steps`), and how many payloads the busiest worker's link carries one way
(`wire`). Latency and bandwidth turn them into a start-up time a and a transfer time w, and a
transfer law joins the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dpmodel.knobs import Number
from dpmodel.scenario import Scenario

# Share of the link rate that NCCL's in-switch reduction reaches on Hopper (tuning.cc, 2.30).
IN_SWITCH_EFFICIENCY = 0.85
# NCCL's start-up and hop times of small messages, LL protocol (tuning.cc, 2.30) [s].
NCCL_BASE, NCCL_NVLINK_HOP, NCCL_INFINIBAND_HOP = 6.8e-6, 0.6e-6, 6.7e-6


class Cost(NamedTuple):
    """Cost of one all-reduce of S bytes: time = start + per_byte S + per_root sqrt(S) [s].

    `start` [s], `per_byte` [s/B] and `per_root` [s/sqrt(B)] broadcast against each other.
    """

    start: Number
    per_byte: Number
    per_root: Number

    def time(self, size: Number) -> Number:
        """Time of one all-reduce.

        Parameters
        ----------
        size : float or array
            Payload S of each worker [B]; nothing is sent, and no time passes, for S = 0.

        Returns
        -------
        float or array
            Time [s].
        """
        sent = self.start + self.per_byte * size + self.per_root * np.sqrt(size)
        return np.where(np.asarray(size) > 0, sent, 0.0)


def rounds(workers: Number) -> np.ndarray:
    """Rounds of halving or doubling that reach all workers, ceil(log2 N) [1]."""
    # 1e-12 keeps exact powers of two from being rounded up.
    return np.ceil(np.log2(np.maximum(workers, 1)) - 1e-12)


def _power_below(workers: Number) -> tuple[np.ndarray, np.ndarray]:
    """Exponent of the largest power of two <= N, and whether N is more than that."""
    exponent = np.floor(np.log2(np.maximum(workers, 1)) + 1e-12)
    return exponent, np.asarray(workers) > np.exp2(exponent)


def ring(workers: Number) -> tuple[Number, Number]:
    """Ring: reduce-scatter then all-gather; 2(N-1) steps, 2(N-1)/N payloads.

    Bandwidth-optimal for any N (Patarasuk & Yuan 2009); its latency grows with N, which is why
    trees win on small messages.
    """
    n = np.asarray(workers, float)
    return 2 * (n - 1), 2 * (n - 1) / n


def tree(workers: Number) -> tuple[Number, Number]:
    """Binomial tree: reduce to one root, then broadcast; 2 ceil(log2 N) steps and payloads.

    Good for tiny messages only: whole payloads travel in every round (Thakur et al. 2005).
    """
    r = rounds(workers)
    return 2 * r, 2 * r


def double_tree(workers: Number) -> tuple[Number, Number]:
    """Double binary tree: 2 ceil(log2 N) steps, min(2, N/2) payloads, fully pipelined.

    Each worker is inner in one tree and leaf in the other, so both directions of every link are
    used (Sanders, Speck & Träff 2009); with two or three workers no inner one has two children.
    The pipelined transfer law gives its optimal segmenting.
    """
    r = rounds(workers)
    return 2 * r, np.where(r > 0, np.minimum(2.0, np.asarray(workers) / 2), 0.0)


def recursive_doubling(workers: Number) -> tuple[Number, Number]:
    """Recursive doubling: partners swap whole payloads; log2 N steps and payloads.

    Where N is no power of two, the workers in excess fold in and out: two more steps and
    payloads (Thakur et al. 2005), so 7 workers cost more than 8.
    """
    exponent, uneven = _power_below(workers)
    return exponent + 2 * uneven, exponent + 2 * uneven


def halving_doubling(workers: Number) -> tuple[Number, Number]:
    """Recursive halving, then doubling: 2 log2 N steps, 2(N-1)/N payloads (Rabenseifner).

    N' = 2^floor(log2 N) workers take part; those in excess fold in and out with two steps and
    two payloads more, as in MPICH. Needs full bisection bandwidth.
    """
    exponent, uneven = _power_below(workers)
    n = np.exp2(exponent)
    return 2 * exponent + 2 * uneven, 2 * (n - 1) / n + 2 * uneven


def parameter_server(workers: Number, servers: Number = 1) -> tuple[Number, Number]:
    """Parameter servers: push and pull; 2 steps, 2 max(1, N/s) payloads at the busiest link.

    The s servers have links of their own, as fast as a worker's; with one server the time grows
    with N, with s >= N the workers' own links decide (Li et al. 2014).
    """
    n = np.asarray(workers, float)
    many = n > 1
    return 2.0 * many, np.where(many, 2 * np.maximum(1.0, n / servers), 0.0)


def in_switch(workers: Number) -> tuple[Number, Number]:
    """In-switch reduction: up and down once; 2 steps, 1 payload at 85 % of the link rate.

    Outside the point-to-point bound 2(N-1)/N, since the switch adds (SHARP, NVLS).
    """
    many = np.asarray(workers) > 1
    return 2.0 * many, many / IN_SWITCH_EFFICIENCY


ALGORITHMS: dict[str, Callable[..., tuple[Number, Number]]] = {
    "ring": ring,
    "tree": tree,
    "double_tree": double_tree,
    "recursive_doubling": recursive_doubling,
    "halving_doubling": halving_doubling,
    "parameter_server": parameter_server,
    "in_switch": in_switch,
}


def steps_and_wire(algorithm: str, workers: Number, servers: Number = 1) -> tuple[Number, Number]:
    """Dependent messages [1] and payloads on the busiest link [1] of an algorithm.

    Parameters
    ----------
    algorithm : str
        A key of `ALGORITHMS`.
    workers : int or array
        Workers N that take part [1].
    servers : int or array
        Parameter servers s [1]; used by ``parameter_server`` only.
    """
    if algorithm == "parameter_server":
        return parameter_server(workers, servers)
    return ALGORITHMS[algorithm](workers)


def join(start: Number, transfer: Number, law: str) -> Number:
    """Join start-up time a and transfer time w into the time of one phase.

    Pipelined (q = 1/2): t = (sqrt(a) + sqrt(w))^2, the optimally pipelined transfer; on 37 full
    measured sweeps it is 7.4 % off with two parameters a run. Textbook (q = 1): t = a + w, 17 %
    off there, nearly always too fast between 16 KiB and 64 MiB.

    Parameters
    ----------
    start, transfer : float or array
        a and w [s].
    law : str
        ``"pipelined"`` or ``"textbook"``.

    Returns
    -------
    float or array
        Time [s].
    """
    cross = 2 * np.sqrt(start * transfer) if law == "pipelined" else 0.0
    return start + transfer + cross


def phase_cost(start: Number, per_byte: Number, law: str) -> Cost:
    """Return the `Cost` of one phase with start-up a [s] and 1/rate w/S [s/B] under a law."""
    cross = 2 * np.sqrt(start * per_byte) if law == "pipelined" else np.zeros(())
    return Cost(start, per_byte, cross)


def node_layout(workers: Number, per_node: Number) -> tuple[np.ndarray, np.ndarray]:
    """Workers inside a node min(N, g) [1] and nodes ceil(N/g) [1]; the last may be part full."""
    return np.minimum(workers, per_node), np.ceil(np.asarray(workers) / per_node)


def network_rate(scenario: Scenario) -> Number:
    """Rate of one worker's share of the network, B / (w o) [B/s]."""
    return scenario.bandwidth / (scenario.nic_sharing * scenario.oversubscription)


def all_reduce_cost(scenario: Scenario, workers: Number) -> Cost:
    """Cost of one all-reduce over `workers`, by the scenario's algorithm, nodes and law.

    Hierarchical (more than one worker a node): reduce-scatter inside the node, the algorithm
    over the k nodes on S/g bytes, all-gather inside the node; the phases follow each other.
    Flat: the algorithm over all N at the slowest link's rate and latency; a flat ring crosses
    each node boundary once, so it has all of the node's links to itself.

    Parameters
    ----------
    scenario : Scenario
        Network knobs; arrays broadcast.
    workers : int or array
        Workers N [1].

    Returns
    -------
    Cost
        Zero for N = 1.
    """
    if scenario.topology == "flat":
        return _flat_cost(scenario, workers)
    inside, nodes = node_layout(workers, scenario.per_node)
    inner_steps, inner_wire = ring(inside)
    inner = phase_cost(
        inner_steps * scenario.node_latency, inner_wire / scenario.node_bandwidth, scenario.law
    )
    steps, wire = steps_and_wire(scenario.algorithm, nodes, scenario.servers)
    outer = phase_cost(
        steps * scenario.latency, wire / (inside * network_rate(scenario)), scenario.law
    )
    return Cost(*(a + b for a, b in zip(inner, outer, strict=True)))


def _flat_cost(scenario: Scenario, workers: Number) -> Cost:
    inside, nodes = node_layout(workers, scenario.per_node)
    across = network_rate(scenario)
    if scenario.algorithm == "ring":
        across = across * inside
    # Each round waits for its slowest message, be it inside a node or between nodes.
    shared = np.asarray(scenario.per_node) > 1
    slowest = np.where(shared, np.minimum(across, scenario.node_bandwidth), across)
    alpha = scenario.latency
    longest = np.where(shared, np.maximum(alpha, scenario.node_latency), alpha)
    one_node = (nodes == 1) & shared
    rate = np.where(one_node, scenario.node_bandwidth, slowest)
    latency = np.where(one_node, scenario.node_latency, longest)
    steps, wire = steps_and_wire(scenario.algorithm, workers, scenario.servers)
    return phase_cost(steps * latency, wire / rate, scenario.law)


def bytes_sent(scenario: Scenario, workers: Number, size: Number) -> tuple[Number, Number]:
    """Bytes on the busiest worker's node link and network link in one all-reduce [B], one way.

    Parameters
    ----------
    scenario : Scenario
        Network knobs.
    workers : int or array
        Workers N [1].
    size : float or array
        Payload S [B].
    """
    inside, nodes = node_layout(workers, scenario.per_node)
    if scenario.topology == "flat":
        _, wire = steps_and_wire(scenario.algorithm, workers, scenario.servers)
        within = (nodes == 1) & (np.asarray(scenario.per_node) > 1)
        return wire * size * within, wire * size * ~within
    _, wire = steps_and_wire(scenario.algorithm, nodes, scenario.servers)
    return ring(inside)[1] * size, wire * size / inside


def bus_bandwidth(size: Number, time: Number, workers: Number) -> Number:
    """Bus bandwidth of an all-reduce [B/s]: S/t x 2(N-1)/N, comparable over N (nccl-tests)."""
    n = np.asarray(workers, float)
    return np.asarray(size / time * 2 * (n - 1) / n)


def small_message_time(
    nodes: Number,
    per_node: Number,
    hop: Number = NCCL_INFINIBAND_HOP,
) -> Number:
    """Time of an all-reduce so small that only latency counts, on NCCL's tree [s].

    T0 = 6.8 us + 2 [(g-1) 0.6 us + log2(k) a_net], LL protocol on NVLink nodes; a_net is 6.7 us
    on InfiniBand (5 us hop and the card). Valid below about 1 KiB; above, use `all_reduce_cost`.

    Parameters
    ----------
    nodes, per_node : int or array
        Nodes k and workers per node g [1].
    hop : float or array
        Latency between nodes a_net [s].

    Returns
    -------
    float or array
        Time [s]. Source: NCCL src/graph/tuning.cc, 2.30.
    """
    inside = (np.asarray(per_node) - 1) * NCCL_NVLINK_HOP
    return NCCL_BASE + 2 * (inside + np.log2(nodes) * hop)
