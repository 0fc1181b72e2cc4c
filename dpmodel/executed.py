"""All-reduce really executed: who sends which chunk to whom, and what each worker then holds.

An algorithm is a schedule, rounds of messages that can travel at the same time. Running it on real
numbers gives the sum on every worker and counts steps and bytes, which the cost model must equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dpmodel.errors import InputError, near_matches


class Message(NamedTuple):
    """One chunk on its way: entries [start, stop) from one host to another.

    The receiver adds it to what it holds, or replaces that by it where `adds` is False.
    """

    sender: int
    receiver: int
    start: int
    stop: int
    adds: bool

    @property
    def entries(self) -> int:
        """Length of the chunk [1]."""
        return self.stop - self.start


Round = list[Message]
Schedule = list[Round]


def chunk_edges(entries: int, chunks: int) -> list[int]:
    """Edges of chunks whose lengths differ by one entry at most, length chunks + 1 [1]."""
    return [i * entries // chunks for i in range(chunks + 1)]


def ring_schedule(workers: int, entries: int) -> Schedule:
    """Ring: N - 1 rounds that add a chunk to the neighbour's, N - 1 that hand finished ones on.

    In round r of the first half worker k sends chunk k - r; it ends with chunk k + 1 finished.
    """
    edges = chunk_edges(entries, workers)

    def around(turn: int, adds: bool) -> Round:
        chunk_of = [(k - turn + (not adds)) % workers for k in range(workers)]
        return [
            Message(k, (k + 1) % workers, edges[c], edges[c + 1], adds)
            for k, c in enumerate(chunk_of)
        ]

    half = range(workers - 1)
    return [around(turn, True) for turn in half] + [around(turn, False) for turn in half]


def tree_schedule(workers: int, entries: int) -> Schedule:
    """Binomial tree: whole payloads up to worker 0 over distances 1, 2, 4, ..., then down again."""
    up, distance = [], 1
    while distance < workers:
        senders = range(distance, workers, 2 * distance)
        up.append([Message(k, k - distance, 0, entries, True) for k in senders])
        distance *= 2
    return up + [_returned(messages) for messages in reversed(up)]


def _returned(messages: Round) -> Round:
    return [Message(m.receiver, m.sender, m.start, m.stop, False) for m in messages]


def _folds(workers: int, entries: int) -> tuple[int, Schedule, Schedule]:
    """Largest power of two <= N, and the rounds that fold the workers beyond it in and out."""
    core = 1 << (workers.bit_length() - 1)
    inward = [Message(k, k - core, 0, entries, True) for k in range(core, workers)]
    return core, [inward] if inward else [], [_returned(inward)] if inward else []


def halving_doubling_schedule(workers: int, entries: int) -> Schedule:
    """Recursive halving, then doubling (Rabenseifner).

    Partners at distance N'/2, N'/4, ..., 1 swap the half that the other is to finish; then the
    finished parts come back the same way. Workers beyond N' = 2^floor(log2 N) fold in and out.
    """
    core, before, after = _folds(workers, entries)
    edges = chunk_edges(entries, core)
    halves, distance = [], core // 2
    while distance:
        swaps = []
        for k in range(core):
            partner = k ^ distance
            first = partner // distance * distance
            swaps.append(Message(k, partner, edges[first], edges[first + distance], True))
        halves.append(swaps)
        distance //= 2
    return before + halves + [_returned(swaps) for swaps in reversed(halves)] + after


def recursive_doubling_schedule(workers: int, entries: int) -> Schedule:
    """Recursive doubling: partners at distance 1, 2, 4, ... swap and add whole payloads."""
    core, before, after = _folds(workers, entries)
    swaps, distance = [], 1
    while distance < core:
        swaps.append([Message(k, k ^ distance, 0, entries, True) for k in range(core)])
        distance *= 2
    return before + swaps + after


def parameter_server_schedule(workers: int, entries: int, servers: int = 1) -> Schedule:
    """Parameter servers: each worker pushes a part to every server and pulls the sum back.

    The servers are hosts N, N + 1, ... with links of their own; they hold no gradient at first.
    """
    if workers == 1:
        return []
    edges = chunk_edges(entries, servers)
    push = [
        Message(k, workers + s, edges[s], edges[s + 1], True)
        for k in range(workers)
        for s in range(servers)
    ]
    return [push, _returned(push)]


SCHEDULES: dict[str, Callable[..., Schedule]] = {
    "ring": ring_schedule,
    "halving_doubling": halving_doubling_schedule,
    "recursive_doubling": recursive_doubling_schedule,
    "tree": tree_schedule,
    "parameter_server": parameter_server_schedule,
}


def schedule(algorithm: str, workers: int, entries: int, servers: int = 1) -> Schedule:
    """Rounds of messages of an algorithm.

    Parameters
    ----------
    algorithm : str
        A key of `SCHEDULES`.
    workers, entries : int
        N and the length of each worker's gradient [1].
    servers : int
        Parameter servers [1]; used by ``parameter_server`` only.

    Raises
    ------
    InputError
        An algorithm that is not executed, or fewer than one worker or entry.
    """
    if algorithm not in SCHEDULES:
        raise InputError(
            asked=f"'{algorithm[:40]}' cannot be executed",
            given=f"'{algorithm[:40]}'",
            rule="only all-reduces between plain workers are run step by step",
            way_out=near_matches(algorithm, list(SCHEDULES)),
        )
    if min(workers, entries, servers) < 1:
        raise InputError(
            asked=f"{entries} entries cannot be reduced over {workers} workers",
            given=f"{workers} workers, {entries} entries, {servers} servers",
            rule="there is at least one of each",
            way_out="Choose 1 or more.",
        )
    if algorithm == "parameter_server":
        return parameter_server_schedule(workers, entries, servers)
    return SCHEDULES[algorithm](workers, entries)


class Trace(NamedTuple):
    """An all-reduce as it ran, R rounds over H hosts (N workers, then any servers).

    Attributes
    ----------
    rounds : list of lists of Message
        What was sent.
    held : array, shape (R + 1, H, E)
        What each host holds before the first and after each round [1].
    sent : array, shape (R + 1, H)
        Bytes that each host has sent so far [B].
    """

    rounds: Schedule
    held: np.ndarray
    sent: np.ndarray


def execute(rounds: Schedule, values: np.ndarray, entry_bytes: int = 4) -> Trace:
    """Run a schedule on real numbers and keep what everyone holds after each round.

    Parameters
    ----------
    rounds : list of lists of Message
        From `schedule`.
    values : array, shape (N, E)
        Each worker's gradient [1].
    entry_bytes : int
        Bytes of one entry [B].
    """
    workers, entries = values.shape
    hosts = max([workers, *(max(m.sender, m.receiver) + 1 for part in rounds for m in part)])
    held = np.zeros((len(rounds) + 1, hosts, entries))
    sent = np.zeros((len(rounds) + 1, hosts))
    held[0, :workers] = values
    for number, messages in enumerate(rounds, start=1):
        before, now = held[number - 1], held[number]
        now[:], sent[number] = before, sent[number - 1]
        for sender, receiver, start, stop, adds in messages:
            arrives = before[sender, start:stop]
            now[receiver, start:stop] = now[receiver, start:stop] + arrives if adds else arrives
            sent[number, sender] += (stop - start) * entry_bytes
    return Trace(rounds, held, sent)


def all_reduce(algorithm: str, values: np.ndarray, servers: int = 1) -> np.ndarray:
    """Sum over workers as each of them holds it in the end, shape (N, E) [1].

    Parameters
    ----------
    algorithm : str
        A key of `SCHEDULES`.
    values : array, shape (N, E)
        Each worker's gradient [1].
    servers : int
        Parameter servers [1].
    """
    workers, entries = values.shape
    return execute(schedule(algorithm, workers, entries, servers), values).held[-1, :workers]


def critical_entries(rounds: Schedule) -> int:
    """Entries that pass one after another [1]: the busiest link's, one way, summed over rounds.

    This, times the bytes of an entry, is what `collectives` calls wire times payload.
    """
    total = 0
    for messages in rounds:
        busy: dict[tuple[int, bool], int] = {}
        for message in messages:
            for link in ((message.sender, True), (message.receiver, False)):
                busy[link] = busy.get(link, 0) + message.entries
        total += max(busy.values())
    return total


def total_payloads(algorithm: str, workers: int) -> int:
    """Payloads that all hosts together send [1], in closed form.

    Every all-reduce that sends nothing twice takes 2 (N - 1): N - 1 to bring all together, N - 1
    to spread the sum. A server apart from the workers makes it 2 N; recursive doubling trades
    bytes for rounds, N' log2 N' + 2 (N - N').
    """
    if workers == 1:
        return 0
    core = 1 << (workers.bit_length() - 1)
    if algorithm == "parameter_server":
        return 2 * workers
    if algorithm == "recursive_doubling":
        return core * (core.bit_length() - 1) + 2 * (workers - core)
    return 2 * (workers - 1)


def host_payloads(algorithm: str, workers: int, servers: int = 1) -> np.ndarray:
    """Payloads that each host sends [1], shape (N,) or (N + servers,), in closed form.

    Parameters
    ----------
    algorithm : str
        A key of `SCHEDULES`.
    workers, servers : int
        N and s [1].
    """
    k = np.arange(workers)
    if algorithm == "ring" or workers == 1:
        return np.full(workers, 2 * (workers - 1) / workers)
    if algorithm == "parameter_server":
        return np.append(np.ones(workers), np.full(servers, workers / servers))
    if algorithm == "tree":
        distance = 1 << np.arange((workers - 1).bit_length())
        to_child = (k[:, None] % (2 * distance) == 0) & (k[:, None] + distance < workers)
        return np.asarray(to_child.sum(axis=1) + (k > 0.0))
    core = 1 << (workers.bit_length() - 1)
    rounds = core.bit_length() - 1
    swapped = 2 * (core - 1) / core if algorithm == "halving_doubling" else rounds
    # A worker in excess sends its payload once; its partner sends the sum back.
    return np.where(k < core, swapped + (k < workers - core), 1.0)
