"""All-reduce costs: loops over ranks, known numbers, bounds and limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.border import make_scenario
from dpmodel.collectives import (
    ALGORITHMS,
    all_reduce_cost,
    bus_bandwidth,
    bytes_sent,
    join,
    phase_cost,
    small_message_time,
    steps_and_wire,
)
from dpmodel.scenario import Scenario
from tests import reference

ALPHA, RATE = 20e-6, 1.25e9
TEXTBOOK = make_scenario(law="textbook", latency="20 us", bandwidth="10 Gb/s")
SIZES = (1.0, 1e6, 1e8)
POWERS = 2.0 ** np.arange(13)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("ranks", [*range(1, 18), 31, 32, 33, 64])
def test_closed_form_equals_the_loop_over_ranks(algorithm: str, ranks: int) -> None:
    """Messages counted rank by rank and chunk by chunk take the closed form's textbook time."""
    cost = all_reduce_cost(TEXTBOOK.but(algorithm=algorithm, servers=3), ranks)
    for size in SIZES:
        counted = reference.all_reduce_time(algorithm, ranks, size, ALPHA, RATE, servers=3)
        assert np.isclose(cost.time(size), counted, rtol=1e-12, atol=0)


@pytest.mark.parametrize("servers", [1, 2, 7, 8, 16])
def test_parameter_servers_equal_the_loop(servers: int) -> None:
    """The busiest link is a server's while there are fewer servers than workers."""
    scenario = TEXTBOOK.but(algorithm="parameter_server", servers=servers)
    for ranks in range(1, 20):
        counted = reference.all_reduce_time("parameter_server", ranks, 1e8, ALPHA, RATE, servers)
        assert np.isclose(all_reduce_cost(scenario, ranks).time(1e8), counted, rtol=1e-12)


def nodes_of(per_node: int, **changes: object) -> Scenario:
    links = {"node_bandwidth": 150e9, "node_latency": 3e-6, "nic_sharing": 1.0}
    return TEXTBOOK.but(per_node=per_node, **(links | changes))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("nodes", "per_node"), [(1, 8), (2, 8), (3, 4), (4, 2), (8, 8), (5, 3)])
def test_hierarchical_equals_the_loop(algorithm: str, nodes: int, per_node: int) -> None:
    """Reduce-scatter inside, all-reduce of each shard across, all-gather inside, added up."""
    scenario = nodes_of(per_node, algorithm=algorithm, topology="hierarchical", servers=2)
    counted = reference.hierarchical_time(
        algorithm, nodes, per_node, 1e8, (3e-6, 150e9), (ALPHA, RATE), servers=2
    )
    time = all_reduce_cost(scenario, nodes * per_node).time(1e8)
    assert np.isclose(time, counted, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("nodes", "per_node"), [(1, 8), (2, 8), (3, 4), (8, 2)])
@pytest.mark.parametrize("across", [(ALPHA, RATE), (ALPHA, 100e9), (0.0, RATE)])
def test_flat_ring_equals_the_loop_over_nodes(
    nodes: int, per_node: int, across: tuple[float, float]
) -> None:
    """Each round of a ring through all nodes waits for its slowest link and latency."""
    alpha, rate = across
    scenario = nodes_of(per_node, algorithm="ring", topology="flat", bandwidth=rate, latency=alpha)
    counted = reference.flat_ring_time(nodes, per_node, 1e8, (3e-6, 150e9), across)
    time = all_reduce_cost(scenario, nodes * per_node).time(1e8)
    assert np.isclose(time, counted, rtol=1e-12, atol=0)


def test_ring_by_hand() -> None:
    """100 MB over 8 workers at 10 Gb/s: 14 x 20 us + 1.75 x 80 ms = 140.28 ms."""
    assert np.isclose(all_reduce_cost(TEXTBOOK, 8).time(1e8), 0.14028, rtol=1e-12)


def test_pipelined_ring_by_hand() -> None:
    """(sqrt(0.28 ms) + sqrt(140 ms))^2 = 152.80 ms: pieces that follow each other."""
    cost = all_reduce_cost(TEXTBOOK.but(law="pipelined"), 8)
    assert np.isclose(cost.time(1e8), (np.sqrt(0.28e-3) + np.sqrt(0.14)) ** 2, rtol=1e-12)


def test_flat_ring_carries_almost_twice_the_bytes_over_two_nodes() -> None:
    """At 16 workers on two nodes the boundary carries 15/8 S against S: 1.9x."""
    flat = nodes_of(8, topology="flat", node_bandwidth=1e15, latency=0.0, node_latency=0.0)
    ratio = all_reduce_cost(flat, 16).time(1e8) / all_reduce_cost(
        flat.but(topology="hierarchical"), 16
    ).time(1e8)
    assert np.isclose(ratio, 1.875, rtol=1e-3)


@pytest.mark.parametrize("topology", ["hierarchical", "flat"])
@pytest.mark.parametrize("law", ["pipelined", "textbook"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_worker_never_communicates(algorithm: str, law: str, topology: str) -> None:
    """Nothing is sent and no time passes for N = 1."""
    for per_node in (1, 8):
        scenario = Scenario(algorithm=algorithm, law=law, topology=topology, per_node=per_node)
        assert all_reduce_cost(scenario, 1).time(1e9) == 0
        assert sum(bytes_sent(scenario, 1, 1e9)) == 0


@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if a != "in_switch"])
def test_no_point_to_point_algorithm_beats_the_bound(algorithm: str) -> None:
    """Every all-reduce over one two-way link a rank carries at least 2(N-1)/N payloads."""
    workers = np.arange(1, 300)
    _, wire = steps_and_wire(algorithm, workers, 64)
    assert (wire >= 2 * (workers - 1) / workers - 1e-12).all()


def test_as_many_servers_as_workers_are_no_bottleneck() -> None:
    """From s = N on, the workers' own links decide; one server's link carries N payloads."""
    assert steps_and_wire("parameter_server", 8, 8) == steps_and_wire("parameter_server", 8, 99)
    assert steps_and_wire("parameter_server", 8, 1)[1] == 16


def test_cost_depends_on_the_number_of_workers() -> None:
    """With one algorithm and even nodes, more workers never make an all-reduce cheaper."""
    for algorithm in ALGORITHMS:
        for per_node in (1, 8):
            cost = all_reduce_cost(Scenario(algorithm=algorithm, per_node=per_node), POWERS)
            times = np.broadcast_to(cost.time(1e8), POWERS.shape)
            assert (np.diff(times) >= -1e-15).all()
            assert times[1] > times[0]
    ring = all_reduce_cost(Scenario(algorithm="ring"), POWERS).time(1e8)
    assert (np.diff(ring) > 0).all()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(ALGORITHMS)),
    st.integers(1, 5000),
    st.floats(1, 1e11),
    st.floats(1.01, 100),
    st.sampled_from(["pipelined", "textbook"]),
)
def test_more_bytes_never_faster_more_bandwidth_never_slower(
    algorithm: str, workers: int, size: float, more: float, law: str
) -> None:
    """Time never falls with message size or latency, nor rises with bandwidth."""
    scenario = Scenario(algorithm=algorithm, law=law, per_node=4)
    time = all_reduce_cost(scenario, workers).time(size)
    assert all_reduce_cost(scenario, workers).time(size * more) >= time
    faster = scenario.but(bandwidth=scenario.bandwidth * more)
    assert all_reduce_cost(faster, workers).time(size) <= time
    slower = scenario.but(latency=scenario.latency * more)
    assert all_reduce_cost(slower, workers).time(size) >= time


@settings(deadline=None)
@given(st.floats(1e-12, 10), st.floats(1e-12, 10))
def test_pipelined_lies_between_the_textbook_sum_and_its_double(start: float, move: float) -> None:
    """a + w <= (sqrt a + sqrt w)^2 <= 2 (a + w); equal where either is nothing."""
    textbook, pipelined = join(start, move, "textbook"), join(start, move, "pipelined")
    assert textbook <= pipelined <= 2 * textbook * (1 + 1e-12)
    assert join(start, 0.0, "pipelined") == start
    assert np.isclose(pipelined, (np.sqrt(start) + np.sqrt(move)) ** 2, rtol=1e-12)


def test_cost_is_the_join_of_its_parts() -> None:
    """start + per byte + per root in one sum is the law's join at every size."""
    sizes = np.geomspace(1, 1e10, 30)
    for law in ("pipelined", "textbook"):
        cost = phase_cost(3e-5, 2e-10, law)
        assert np.allclose(cost.time(sizes), join(3e-5, 2e-10 * sizes, law), rtol=1e-12)


def test_bytes_and_bits_are_told_apart() -> None:
    """10 Gb/s is 1.25e9 bytes a second, one direction: S = 1.25 GB takes 1 s for two workers."""
    scenario = TEXTBOOK.but(latency=0.0)
    assert np.isclose(all_reduce_cost(scenario, 2).time(1.25e9), 1.0, rtol=1e-12)


def test_oversubscription_and_shared_links_divide_the_rate() -> None:
    """Half the rate for each worker doubles the transfer."""
    free = TEXTBOOK.but(latency=0.0)
    once = all_reduce_cost(free, 8).time(1e8)
    for halved in (free.but(oversubscription=2.0), free.but(nic_sharing=2.0)):
        assert np.isclose(all_reduce_cost(halved, 8).time(1e8), 2 * once, rtol=1e-12)


def test_bytes_sent_over_two_nodes() -> None:
    """Hierarchical: 2 x 7/8 S inside the node, and a shard's S/8 over the network."""
    inside, across = bytes_sent(nodes_of(8, topology="hierarchical"), 16, 8e8)
    assert np.isclose(inside, 2 * 7 / 8 * 8e8)
    assert np.isclose(across, 1e8)


def test_bus_bandwidth_of_a_latency_free_ring_is_the_link() -> None:
    """The nccl-tests factor 2(N-1)/N makes a ring's bus bandwidth its wire speed for every N."""
    workers = np.array([2, 8, 100])
    time = all_reduce_cost(TEXTBOOK.but(latency=0.0), workers).time(1e8)
    assert np.allclose(bus_bandwidth(1e8, time, workers), RATE, rtol=1e-12)


def test_small_message_by_hand() -> None:
    """Two nodes of 8: 6.8 + 2 (7 x 0.6 + 1 x 6.7) = 28.6 us."""
    assert np.isclose(small_message_time(2, 8), 28.6e-6, rtol=1e-12)


def test_vector_equals_scalar() -> None:
    """A sweep over workers, sizes and bandwidths equals the calls one by one."""
    workers, rates = np.array([1, 3, 8, 100]), np.array([1e9, 1e10])[:, None]
    for algorithm in ALGORITHMS:
        for topology in ("hierarchical", "flat"):
            scenario = Scenario(algorithm=algorithm, topology=topology, per_node=4)
            swept = all_reduce_cost(scenario.but(bandwidth=rates), workers).time(1e8)
            each = [
                [
                    all_reduce_cost(scenario.but(bandwidth=float(r)), int(n)).time(1e8)
                    for n in workers
                ]
                for r in rates[:, 0]
            ]
            assert np.array_equal(np.broadcast_to(swept, (2, 4)), np.array(each, float))
