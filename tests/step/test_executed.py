"""Executed all-reduces: the sum on every worker, and the steps and bytes of the cost model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpmodel.collectives import steps_and_wire
from dpmodel.errors import InputError
from dpmodel.executed import (
    SCHEDULES,
    all_reduce,
    chunk_edges,
    critical_entries,
    execute,
    host_payloads,
    schedule,
    total_payloads,
)

ALGORITHMS = list(SCHEDULES)
ENTRY = 4  # bytes
# 997 is prime; 7 is less than most N; 1056 is divided by 2, 3, 4, 8, 11, 16, 32 and 33 only.
SIZES = (7, 997, 1056)


def _values(workers, entries):
    return np.random.default_rng(workers).standard_normal((workers, entries))


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_all_workers_end_with_the_same_bits_of_the_sum(algorithm, entries) -> None:
    """For every N from 2 to 33, and sizes that N does not divide."""
    for workers in range(2, 34):
        values = _values(workers, entries)
        end = all_reduce(algorithm, values, servers=2)
        assert (end == end[0]).all(), workers
        assert np.allclose(end[0], values.sum(axis=0), rtol=1e-12, atol=1e-12), workers


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_steps_equal_the_cost_model(algorithm) -> None:
    """Rounds of messages are the model's dependent messages, powers of two or not."""
    for workers in range(1, 34):
        steps, _ = steps_and_wire(algorithm, workers, servers=3)
        assert len(schedule(algorithm, workers, 99, servers=3)) == steps, workers


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_bytes_of_all_hosts_equal_the_closed_form_exactly(algorithm, entries) -> None:
    """2 (N - 1) payloads, 2 N where a server stands apart, more for recursive doubling."""
    for workers in range(2, 34):
        sent = execute(schedule(algorithm, workers, entries, 3), _values(workers, entries)).sent
        assert sent[-1].sum() == total_payloads(algorithm, workers) * entries * ENTRY, workers


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_bytes_of_each_worker_are_within_a_chunk_of_the_closed_form(algorithm, entries) -> None:
    """Chunks differ by an entry; the owner of a longer one passes it on log2 N times at most."""
    for workers in range(2, 34):
        sent = execute(schedule(algorithm, workers, entries, 3), _values(workers, entries)).sent
        expected = host_payloads(algorithm, workers, 3) * entries
        off = np.abs(sent[-1] / ENTRY - expected)[:workers].max()
        chunk = -(-entries // workers)
        assert off <= (chunk if entries >= 997 else max(chunk, np.log2(workers))), workers


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_bytes_in_a_row_equal_the_cost_models_wire(algorithm) -> None:
    """The busiest link of each round, added up, is wire times payload, for all N.

    Also where workers are folded in and out: the two fold rounds carry a payload each, one after
    the other, though in opposite directions. A chunk's odd entry may come up in each round.
    """
    for workers in range(2, 34):
        rounds = schedule(algorithm, workers, 1056, servers=3)
        _, wire = steps_and_wire(algorithm, workers, servers=3)
        assert 0 <= critical_entries(rounds) - float(wire) * 1056 + 1e-6 <= len(rounds), workers


def test_a_folded_worker_sends_one_payload_less_than_lies_on_the_critical_path() -> None:
    """With 6 workers, wire counts both folds (3.5 payloads); no link sends more than 2.5."""
    _, wire = steps_and_wire("halving_doubling", 6)
    assert float(wire) - 1 == host_payloads("halving_doubling", 6).max() == 2.5
    assert (
        float(steps_and_wire("halving_doubling", 8)[1]) == host_payloads("halving_doubling", 8)[0]
    )


def test_bus_bytes_of_even_algorithms_are_those_of_each_worker() -> None:
    """Ring with any N, and halving-doubling with a power of two: every worker sends 2(N-1)/N."""
    for workers in range(2, 34):
        assert np.allclose(host_payloads("ring", workers), 2 * (workers - 1) / workers)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ALGORITHMS), st.integers(2, 20), st.integers(1, 70))
def test_no_host_sends_what_it_was_not_asked(algorithm, workers, entries) -> None:
    """A round's messages to one host never overlap unless they add, and none is to oneself."""
    for messages in schedule(algorithm, workers, entries):
        copied = [(m.receiver, e) for m in messages if not m.adds for e in range(m.start, m.stop)]
        assert len(copied) == len(set(copied))
        assert all(m.sender != m.receiver for m in messages)


def test_ring_by_hand() -> None:
    """Three workers, three entries: after two rounds worker k holds the sum of entry k + 1."""
    trace = execute(schedule("ring", 3, 3), np.array([[1.0, 2, 3], [10, 20, 30], [100, 200, 300]]))
    assert [(m.sender, m.receiver, m.start) for m in trace.rounds[0]] == [
        (0, 1, 0),
        (1, 2, 1),
        (2, 0, 2),
    ]
    assert [trace.held[2, k, (k + 1) % 3] for k in range(3)] == [222, 333, 111]
    assert trace.held[-1].tolist() == [[111, 222, 333]] * 3
    assert trace.sent[-1].tolist() == [16, 16, 16]


def test_each_server_sends_its_own_part_to_every_worker() -> None:
    """Three servers share seven entries as 2, 2 and 3, and send them to four workers each."""
    sent = execute(schedule("parameter_server", 4, 7, 3), _values(4, 7)).sent[-1]
    assert (sent[4:] / ENTRY).tolist() == [8, 8, 12]
    assert (sent[:4] / ENTRY).tolist() == [7, 7, 7, 7]


def test_one_worker_sends_nothing() -> None:
    """Its gradient is the sum already."""
    for algorithm in ALGORITHMS:
        assert schedule(algorithm, 1, 9) == []
        assert all_reduce(algorithm, np.ones((1, 9))).tolist() == [[1.0] * 9]


def test_chunks_cover_all_entries() -> None:
    """Lengths differ by one at most."""
    lengths = np.diff(chunk_edges(10, 4))
    assert lengths.sum() == 10
    assert np.ptp(lengths) <= 1


def test_what_cannot_be_executed_is_refused() -> None:
    """In-switch reduction has no worker that adds."""
    with pytest.raises(InputError, match="cannot be executed"):
        schedule("in_switch", 4, 8)
    with pytest.raises(InputError, match="at least one"):
        schedule("ring", 0, 8)
