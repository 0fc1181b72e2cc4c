"""Timeline of one step: when each pass, bucket and wait begins and ends, for a scenario.

The parts are those of `step_parts`, laid out bucket by bucket; the end of the last one is the
step's time. The order is the model's: wait for data, forward, backward with the buckets behind
it, what is exposed of them, then work that is not shared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.collectives import all_reduce_cost
from dpmodel.overlap import equal_buckets, profile_buckets
from dpmodel.scenario import Scenario
from dpmodel.step import Step, check_workers, gradient_size, step_parts


@dataclass(frozen=True)
class Buckets:
    """All-reduces of one step, M buckets in the order in which they are sent.

    Attributes
    ----------
    size : array, shape (M,)
        Bytes of each [B].
    ready, start, end : arrays, shape (M,)
        When the last worker has its gradients, when its exchange begins and ends [s].
    hidden : array, shape (M,)
        Part of its exchange that runs while some worker computes [s].
    """

    size: np.ndarray
    ready: np.ndarray
    start: np.ndarray
    end: np.ndarray
    hidden: np.ndarray


@dataclass(frozen=True)
class Span:
    """One bar: what a worker or the network does from `start` to `end` [s]."""

    kind: str
    start: float
    end: float
    bucket: int = -1

    @property
    def length(self) -> float:
        """Duration [s]."""
        return self.end - self.start


@dataclass(frozen=True)
class Timeline:
    """One step of all workers.

    Attributes
    ----------
    step : Step
        The parts that it shows [s].
    usual, slowest : tuple of Span
        Compute lane of every worker but the slowest, and of the slowest one.
    buckets : Buckets
        The exchanges one by one, the same for all workers.
    """

    step: Step
    usual: tuple[Span, ...]
    slowest: tuple[Span, ...]
    buckets: Buckets

    @property
    def makespan(self) -> float:
        """End of the last bar of any lane [s]."""
        spans = max((span.end for span in (*self.usual, *self.slowest)), default=0.0)
        return max(spans, float(self.buckets.end.max(initial=0.0)))

    @property
    def computed(self) -> float:
        """When the slowest worker's backward pass ends [s]."""
        return max((s.end for s in self.slowest if s.kind in ("forward", "backward")), default=0.0)


def bucket_layout(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of one scenario's buckets [B], and the share of the backward pass left at each [1].

    Parameters
    ----------
    scenario : Scenario
        Gradient bytes, bucket limits and layers (scalars).
    """
    size = float(gradient_size(scenario))
    if scenario.layers != "even":
        from dpmodel.layers import layer_profile

        profile = layer_profile(scenario.layers)
        sizes, left = profile_buckets(
            profile.params, profile.backward_share, size, scenario.bucket, scenario.first_bucket
        )
        return sizes[sizes > 0], left[sizes > 0]
    split = equal_buckets(size, scenario.bucket, scenario.first_bucket)
    whole = np.full(int(split.full), float(split.cap))
    sizes = np.concatenate([[float(split.first)], [float(split.rest)], whole])
    sizes = sizes[sizes > 0]
    return sizes, 1.0 - np.cumsum(sizes) / size


def ends_of(ready: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Ends of exchanges that wait for their bucket and for the one before, shape (M,) [s].

    end_b = max(ready_b, end_{b-1}) + t_b, taken over the running sum of times.
    """
    through = np.cumsum(times)
    return np.asarray(np.maximum.accumulate(ready - (through - times)) + through)


@dataclass(frozen=True)
class _Clock:
    """Turns compute time u of a worker that nothing delays into time of the step.

    The slowest worker takes `wait` longer, spread over its compute, and every hidden second of an
    exchange slows compute by `contention` seconds.
    """

    begin: float
    compute: float
    wait: float
    contention: float
    starts: np.ndarray
    ends: np.ndarray

    def busy(self, u: np.ndarray) -> np.ndarray:
        """Seconds of exchange before compute time u [s]."""
        through = np.concatenate([[0.0], np.cumsum(self.ends - self.starts)])
        number = np.searchsorted(self.starts, u, side="right")
        last = np.maximum(number - 1, 0)
        open_part = np.clip(self.ends[last] - u, 0.0, None) if self.ends.size else 0.0
        return np.asarray(through[number] - np.where(number > 0, open_part, 0.0), float)

    def at(self, u: np.ndarray, wait: float) -> np.ndarray:
        """Time of the step at compute time u, for a worker that is `wait` slower [s]."""
        inside = np.minimum(u, self.compute)
        slower = wait * inside / self.compute if self.compute > 0 else 0.0 * inside
        return np.asarray(self.begin + u + slower + self.contention * self.busy(inside))


def timeline(scenario: Scenario, workers: int | None = None) -> Timeline:
    """Lay out one step of a scenario (scalars).

    Parameters
    ----------
    scenario : Scenario
        One situation.
    workers : int, optional
        Workers N [1]; the scenario's own where left out.

    Returns
    -------
    Timeline
        Its makespan equals ``step_parts(scenario, workers).total``.

    Raises
    ------
    InputError
        The batch cannot feed that many workers.
    """
    n = float(np.asarray(scenario.workers if workers is None else workers))
    check_workers(scenario, n)
    step = step_parts(scenario, n)
    compute = float(step.compute)
    size, ready, times = _exchanges(scenario, n, compute)
    ends = ends_of(ready, times) if times.size else times
    starts = ends - times
    # Only what lies before the end of compute is hidden; the clock stops there.
    inside = starts < compute
    clock = _Clock(
        begin=float(step.input),
        compute=compute,
        wait=float(step.straggler),
        contention=float(scenario.contention) if scenario.mode != "ideal" else 0.0,
        starts=starts[inside],
        ends=np.minimum(ends[inside], compute),
    )
    buckets = _placed(clock, size, ready, starts, ends)
    done = max(
        float(clock.at(np.asarray(compute), clock.wait)), float(buckets.end.max(initial=0.0))
    )
    usual = _lane(scenario, clock, buckets, done, 0.0, float(step.serial))
    slowest = _lane(scenario, clock, buckets, done, clock.wait, float(step.serial))
    return Timeline(step, usual, slowest, buckets)


def _exchanges(
    scenario: Scenario, workers: float, compute: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes [B], readiness in compute time [s] and durations [s] of the buckets that are sent."""
    if scenario.mode == "ideal" or workers == 1:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    size, left = bucket_layout(scenario)
    times = np.asarray(all_reduce_cost(scenario, workers).time(size), float)
    hiding = scenario.backward_share / scenario.accumulation if scenario.overlap == "on" else 0.0
    return size, np.maximum(compute - float(hiding) * compute * left, 0.0), times


def _placed(
    clock: _Clock, size: np.ndarray, ready: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> Buckets:
    """Put the exchanges on the step's clock, each hidden part as late as it may end."""
    compute, wait = clock.compute, clock.wait
    hidden = np.maximum(np.minimum(ends, compute) - starts, 0.0)
    begin = clock.at(np.minimum(ends, compute), wait) - hidden
    begin = np.where(hidden > 0, begin, clock.at(starts, wait))
    return Buckets(size, clock.at(ready, wait), begin, clock.at(ends, wait), hidden)


def _lane(
    scenario: Scenario, clock: _Clock, buckets: Buckets, done: float, wait: float, serial: float
) -> tuple[Span, ...]:
    """Compute lane of one worker that is `wait` slower than usual [s]."""
    compute = clock.compute
    part = compute / float(scenario.accumulation) if scenario.mode != "ideal" else compute
    last = compute - part
    turn = compute - part * float(scenario.backward_share)
    edges, kinds = [0.0, turn, compute], ["forward", "backward"]
    if last > 0:
        edges, kinds = [0.0, last, turn, compute], ["earlier", "forward", "backward"]
    times = clock.at(np.asarray(edges), wait).tolist()
    spans = [Span("input", 0.0, times[0])]
    spans += [Span(*bar) for bar in zip(kinds, times[:-1], times[1:], strict=True)]
    own_end = times[-1]
    slow_end = float(clock.at(np.asarray(compute), clock.wait))
    spans += [
        Span("waiting", own_end, slow_end),
        Span("exposed", slow_end, done),
        Span("serial", done, done + serial),
    ]
    return tuple(span for span in spans if span.length > 0)


def network(drawn: Timeline, most: int = 200) -> tuple[Span, ...]:
    """Network lane: the hidden and the exposed part of each exchange, in order.

    Parameters
    ----------
    drawn : Timeline
        From `timeline`.
    most : int
        Exchanges shown one by one [1]; of more, neighbours are joined into bars that also cover
        the pauses between them, and carry the number of their first.
    """
    buckets, end = drawn.buckets, drawn.computed
    many = len(buckets.size)
    firsts = np.unique(np.linspace(0, many, min(many, most) + 1).astype(int))
    spans = []
    for first, after in zip(firsts[:-1].tolist(), firsts[1:].tolist(), strict=True):
        start, stop = float(buckets.start[first]), float(buckets.end[after - 1])
        if buckets.hidden[first] > 0:
            alone = start + float(buckets.hidden[first])
            spans.append(
                Span("hidden", start, alone if after - first == 1 else min(stop, end), first)
            )
        if stop > end:
            spans.append(Span("exposed", max(start, end), stop, first))
    return tuple(span for span in spans if span.length > 0)
