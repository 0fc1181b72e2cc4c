"""Slow, obvious versions of the closed forms: loops over ranks, chunks, buckets and failures.

Each says what happens, one message or bucket at a time, with the textbook cost of a message,
alpha + bytes / rate. The model must equal them; nothing here is used by the model.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict

Message = tuple[int, int, float]  # sender, receiver, bytes


def rounds_time(rounds: list[list[Message]], alpha: float, rate: float) -> float:
    """Time of rounds that follow each other; in a round each rank uses its two-way link once."""
    time = 0.0
    for messages in rounds:
        sent: dict[int, float] = defaultdict(float)
        received: dict[int, float] = defaultdict(float)
        for sender, receiver, size in messages:
            sent[sender] += size
            received[receiver] += size
        time += alpha + max([*sent.values(), *received.values()]) / rate
    return time


# --- all-reduce, rank by rank ---------------------------------------------------------------------
def ring_rounds(ranks: int, size: float) -> list[list[Message]]:
    """Pass chunks of size/N on to the neighbour: N-1 times adding up, N-1 times copying."""
    return [
        [(rank, (rank + 1) % ranks, size / ranks) for rank in range(ranks)]
        for _ in range(2 * (ranks - 1))
    ]


def tree_rounds(ranks: int, size: float) -> list[list[Message]]:
    """Reduce to rank 0 over distances 1, 2, 4, ..., then broadcast the same way back."""
    up, distance = [], 1
    while distance < ranks:
        senders = range(distance, ranks, 2 * distance)
        up.append([(rank, rank - distance, size) for rank in senders])
        distance *= 2
    down = [[(to, sender, part) for sender, to, part in messages] for messages in reversed(up)]
    return up + down


def _folded(ranks: int, size: float) -> tuple[int, list[list[Message]], list[list[Message]]]:
    """Power of two that takes part, and the rounds that fold the other ranks in and out."""
    core = 1
    while 2 * core <= ranks:
        core *= 2
    extra = [(rank, rank - core, size) for rank in range(core, ranks)]
    back = [(to, sender, size) for sender, to, size in extra]
    return core, [extra] if extra else [], [back] if back else []


def recursive_doubling_rounds(ranks: int, size: float) -> list[list[Message]]:
    """Swap whole payloads with the partner at distance 1, 2, 4, ..."""
    core, before, after = _folded(ranks, size)
    swaps, distance = [], 1
    while distance < core:
        swaps.append([(rank, rank ^ distance, size) for rank in range(core)])
        distance *= 2
    return before + swaps + after


def halving_doubling_rounds(ranks: int, size: float) -> list[list[Message]]:
    """Swap half, a quarter, ... with ever nearer partners, then gather the same way back."""
    core, before, after = _folded(ranks, size)
    halves, distance, part = [], core // 2, size / 2
    while distance >= 1:
        halves.append([(rank, rank ^ distance, part) for rank in range(core)])
        distance, part = distance // 2, part / 2
    return before + halves + halves[::-1] + after


def parameter_server_rounds(ranks: int, size: float, servers: int) -> list[list[Message]]:
    """Push a shard to each server, then pull it back; servers have links of their own."""
    if ranks == 1:
        return []
    hosts = range(ranks, ranks + servers)
    push = [(rank, host, size / servers) for rank in range(ranks) for host in hosts]
    return [push, [(to, sender, part) for sender, to, part in push]]


def in_switch_time(ranks: int, size: float, alpha: float, rate: float, efficiency: float) -> float:
    """Each rank sends S up and receives S down at the same time, over two hops."""
    if ranks == 1:
        return 0.0
    up, down = size, size
    return 2 * alpha + max(up, down) / (efficiency * rate)


def btree_parent(rank: int, ranks: int) -> int | None:
    """Parent of a rank in the tree ordered by lowest set bit; rank 0 is the root."""
    if rank == 0:
        return None
    low = rank & -rank
    above = (rank ^ low) | (low << 1)
    return above if above < ranks else rank ^ low


def double_tree_rounds_and_load(ranks: int, size: float) -> tuple[int, float]:
    """Depth of two mirrored (N even) or shifted (N odd) trees, and bytes on the busiest link.

    Half the payload goes up and down each tree. Pieces follow each other without a gap, so the
    rounds are those of one piece, up and down, and the busiest link's bytes are its total.
    """
    sent: dict[int, float] = defaultdict(float)
    received: dict[int, float] = defaultdict(float)
    deepest = 0
    for turn in (lambda rank: rank, _other_tree(ranks)):
        for role in range(1, ranks):
            depth, parent = 0, role
            while parent is not None and parent != 0:
                parent, depth = btree_parent(parent, ranks), depth + 1
            deepest = max(deepest, depth)
            child, above = turn(role), turn(btree_parent(role, ranks) or 0)
            for sender, receiver in ((child, above), (above, child)):
                sent[sender] += size / 2
                received[receiver] += size / 2
    return 2 * deepest, max([0.0, *sent.values(), *received.values()])


def _other_tree(ranks: int):  # type: ignore[no-untyped-def]
    if ranks % 2 == 0:
        return lambda rank: ranks - 1 - rank
    return lambda rank: (rank + 1) % ranks


def all_reduce_time(
    algorithm: str, ranks: int, size: float, alpha: float, rate: float, servers: int = 1
) -> float:
    """Textbook time of an all-reduce over equal links, counted rank by rank."""
    if ranks == 1:
        return 0.0
    if algorithm == "in_switch":
        return in_switch_time(ranks, size, alpha, rate, 0.85)
    if algorithm == "double_tree":
        hops, load = double_tree_rounds_and_load(ranks, size)
        return hops * alpha + load / rate
    if algorithm == "parameter_server":
        return rounds_time(parameter_server_rounds(ranks, size, servers), alpha, rate)
    rounds = {
        "ring": ring_rounds,
        "tree": tree_rounds,
        "recursive_doubling": recursive_doubling_rounds,
        "halving_doubling": halving_doubling_rounds,
    }[algorithm](ranks, size)
    return rounds_time(rounds, alpha, rate)


def hierarchical_time(
    algorithm: str,
    nodes: int,
    per_node: int,
    size: float,
    inside: tuple[float, float],
    across: tuple[float, float],
    servers: int = 1,
) -> float:
    """Reduce-scatter in the node, all-reduce of each shard over nodes, all-gather in the node."""
    half = ring_rounds(per_node, size)[: per_node - 1]
    shard = size / per_node
    outer = all_reduce_time(algorithm, nodes, shard, *across, servers)
    return 2 * rounds_time(half, *inside) + outer


def flat_ring_time(
    nodes: int,
    per_node: int,
    size: float,
    inside: tuple[float, float],
    across: tuple[float, float],
) -> float:
    """One ring through all nodes: each round waits for the message that crosses a node boundary.

    One message crosses each boundary in a round, so it has the links of all ranks of the node.
    """
    time = 0.0
    for messages in ring_rounds(nodes * per_node, size):
        start_ups, transfers = [], []
        for sender, receiver, part in messages:
            stays = sender // per_node == receiver // per_node
            alpha, rate = inside if stays else (across[0], across[1] * per_node)
            start_ups.append(alpha)
            transfers.append(part / rate)
        time += max(start_ups) + max(transfers)
    return time


# --- overlap, bucket by bucket --------------------------------------------------------------------
def bucket_loop(ready: list[float], times: list[float], backward: float) -> tuple[float, float]:
    """Total and exposed communication of buckets that start when ready and the link is free."""
    end = 0.0
    for appears, lasts in zip(ready, times, strict=True):
        end = max(appears, end) + lasts
    return sum(times), max(0.0, end - backward)


def equal_bucket_sizes(size: float, cap: float, first: float) -> list[float]:
    """Sizes of buckets of an evenly filled model: a small first one, the remainder, whole ones."""
    small = min(first, cap, max(size - cap, 0.0))
    full = 0
    while small + (full + 1) * cap <= size * (1 + 1e-12):
        full += 1
    rest = max(size - small - full * cap, 0.0)
    return [part for part in (small, rest) if part > 0] + [cap] * full


def filled_buckets(
    layers: list[float], shares: list[float], cap: float, first: float
) -> tuple[list[float], list[float]]:
    """Pour layers into buckets; a bucket closes once it holds its limit. Sizes, and left of 1.

    A limit counts as reached when 1e-12 of all bytes is missing, which is rounding. A bucket is
    ready with the last gradient it holds; layers without gradients do not hold it back.
    """
    dust = 1e-12 * sum(layers)
    sizes: list[float] = []
    left: list[float] = []
    held, done, ready, limit = 0.0, 0.0, 0.0, min(first, cap)
    for layer, share in zip(layers, shares, strict=True):
        done += share
        if layer > 0:
            held, ready = held + layer, done
        if held >= limit - dust:
            sizes.append(held)
            left.append(1.0 - ready)
            held, limit = 0.0, cap
    if held > 0:
        sizes.append(held)
        left.append(1.0 - ready)
    return sizes, left


# --- chance ---------------------------------------------------------------------------------------
def expected_maximum(workers: int, slices: int = 60_000, reach: float = 12.0) -> float:
    """Mean of the largest of N standard normal values: sum of x N phi(x) Phi(x)^(N-1) dx."""
    width = 2 * reach / slices
    total = 0.0
    for index in range(slices):
        x = -reach + (index + 0.5) * width
        # erfc keeps its digits in the upper tail, where the maximum of many workers lies.
        log_below = math.log1p(-0.5 * math.erfc(x / math.sqrt(2))) if x > -8 else -100.0
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        total += x * workers * density * math.exp((workers - 1) * log_below) * width
    return total


def mean_slowest_step(workers: int, jitter: float, draws: int, seed: int) -> float:
    """Mean over draws of the slowest of N normal step times of mean 1."""
    chance = random.Random(seed)
    slowest = [max(chance.gauss(1.0, jitter) for _ in range(workers)) for _ in range(draws)]
    return sum(slowest) / draws


def mean_step_with_hiccups(
    workers: int, share: float, extra: float, draws: int, seed: int
) -> float:
    """Mean step over draws in which each worker takes 1 + extra with chance `share`."""
    chance = random.Random(seed)
    slow = sum(any(chance.random() < share for _ in range(workers)) for _ in range(draws))
    return 1 + extra * slow / draws


def run_with_failures(
    work: float, interval: float, checkpoint: float, restart: float, mtbf: float, seed: int
) -> float:
    """Wall time of one run that loses the work since its last checkpoint at each failure.

    A failure may strike during work, checkpoint or restart; every one is followed by a restart.
    """
    chance = random.Random(seed)
    wall, done, failure = 0.0, 0.0, chance.expovariate(1 / mtbf)
    busy = 0.0  # restart that must go through before the next segment
    while done < work * (1 - 1e-12):
        step = min(interval, work - done)
        end = wall + busy + step + checkpoint
        if failure >= end:
            wall, done, busy = end, done + step, 0.0
            continue
        wall, busy, failure = failure, restart, failure + chance.expovariate(1 / mtbf)
    return wall
