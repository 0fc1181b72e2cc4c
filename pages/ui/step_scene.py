"""One executed step as a scene for the player: frames, what is held, lanes, and words for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpmodel.executed import Round
from dpmodel.one_step import (
    ExecutedStep,
    carry_out,
    clock_workers,
    shares,
    shown_batch,
    shown_workers,
)
from dpmodel.scenario import Scenario
from dpmodel.step import gradient_size
from dpmodel.timeline import Span, Timeline, network
from dpmodel.units import human, significant
from pages.ui.step_clock import Choices, timed
from pages.ui.theme import COLOURS

ENTRY_BYTES = 4
KINDS = {
    "input": ("Waiting for data", COLOURS["input"]),
    "earlier": ("Earlier micro-batches", COLOURS["contention"]),
    "forward": ("Forward", COLOURS["contention"]),
    "backward": ("Backward", COLOURS["compute"]),
    "waiting": ("Waiting for the slowest", COLOURS["straggler"]),
    "exposed": ("Exposed communication", COLOURS["communication"]),
    "hidden": ("Hidden communication", COLOURS["hidden"]),
    "serial": ("Serial work", COLOURS["serial"]),
}


@dataclass(frozen=True)
class Scene:
    """One step executed and timed: what the player and the sentences beside it draw from."""

    choices: Choices
    step: ExecutedStep
    lanes: Timeline
    data: dict[str, Any]


def make_scene(scenario: Scenario, choices: Choices) -> Scene:
    """Execute one step of the situation and lay it out on the model's clock."""
    workers = shown_workers(scenario)
    counts = shares(shown_batch(scenario), workers, uneven=choices.uneven)
    step = carry_out(choices.learner, choices.algorithm, counts, exchange=not choices.skip)
    lanes = timed(scenario, choices)
    return Scene(choices, step, lanes, _data(scenario, choices, step, lanes))


def _data(
    scenario: Scenario, choices: Choices, step: ExecutedStep, lanes: Timeline
) -> dict[str, Any]:
    frames = _frames(choices, step, lanes)
    hosts = step.trace.held.shape[1]
    workers = len(step.counts)
    total = lanes.makespan
    return {
        "names": [_host(k, workers) for k in range(hosts)],
        "workers": workers,
        "counts": step.counts.tolist(),
        "losses": [significant(value) for value in step.losses.tolist()],
        "gradients": _rounded(step.gradients),
        "weighted": _rounded(step.trace.held[0]),
        "moved": _rounded(step.start - step.ends),
        "frames": frames,
        "lanes": [
            *(_lane(_host(k, workers), lanes.usual, total) for k in range(workers - 1)),
            _lane(f"Worker {clock_workers(scenario):,}", lanes.slowest, total),
            _lane("Network", network(lanes, 120), total),
        ],
        "kinds": {key: {"name": name, "colour": colour} for key, (name, colour) in KINDS.items()},
        "total": total,
        "total_text": human(total, "time"),
        "size_text": human(float(np.asarray(gradient_size(scenario))), "data"),
        "ticks": _ticks(total),
        "file": "one-step",
    }


def _host(number: int, workers: int) -> str:
    return f"Worker {number + 1}" if number < workers else "Server"


def _rounded(values: np.ndarray) -> list[list[float]]:
    return [[float(f"{v:.4g}") for v in row] for row in values.tolist()]


def _lane(name: str, spans: Iterable[Span], total: float) -> dict[str, Any]:
    """Bars of one lane as [kind, start, end, bucket], in parts of the whole step [1]."""
    bars = [
        [s.kind, round(s.start / total, 5), round(s.end / total, 5), s.bucket]
        for s in spans
        if s.length > 1e-6 * total
    ]
    return {"name": name, "bars": bars}


def _ticks(total: float) -> list[list[Any]]:
    step = 10.0 ** np.floor(np.log10(total / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if total / (step * factor) <= 5)
    return [
        [float(t / total), human(float(t), "time") if t else "0"]
        for t in np.arange(0, total * 1.0001, step)
    ]


def _frames(choices: Choices, step: ExecutedStep, lanes: Timeline) -> list[dict[str, Any]]:
    """Split, forward, backward, rounds, update: each with its time, moves and words."""
    begin, turn, computed = _passes(lanes)
    total = lanes.makespan
    frames = [
        _frame("Split", 0.0, begin / total, "counts", _split_text(step)),
        _frame("Forward", begin / total, turn / total, "losses", _forward_text(step)),
        _frame(
            "Backward", turn / total, computed / total, "gradients", _backward_text(choices, step)
        ),
    ]
    ends = max((s.end for s in lanes.slowest if s.kind == "exposed"), default=computed)
    rounds = step.trace.rounds
    edges = np.linspace(computed / total, ends / total, len(rounds) + 1).tolist()
    for number, messages in enumerate(rounds, start=1):
        frame = _frame(
            f"All-reduce {number} of {len(rounds)}",
            edges[number - 1],
            edges[number],
            "held",
            _round_text(step, number, messages),
        )
        frame["moves"] = [[m.sender, m.receiver, m.start, m.stop, int(m.adds)] for m in messages]
        frame["changes"] = [
            [m.receiver, m.start, _row(step.trace.held[number, m.receiver, m.start : m.stop])]
            for m in messages
        ]
        frames.append(frame)
    frames.append(_frame("Update", ends / total, 1.0, "moved", _update_text(choices, step)))
    return frames


def _row(values: np.ndarray) -> list[float]:
    return [float(f"{value:.4g}") for value in values.tolist()]


def _frame(phase: str, start: float, end: float, shows: str, text: str) -> dict[str, Any]:
    return {
        "phase": phase,
        "start": round(start, 5),
        "end": round(max(end, start), 5),
        "shows": shows,
        "text": text,
        "moves": [],
        "changes": [],
    }


def _passes(lanes: Timeline) -> tuple[float, float, float]:
    """When the forward pass begins and ends, and the slowest backward pass ends [s]."""
    forward = next((s for s in lanes.slowest if s.kind == "forward"), None)
    if forward is None:
        return 0.0, 0.0, lanes.computed
    return forward.start, forward.end, lanes.computed


# --- words ----------------------------------------------------------------------------------------
def _split_text(step: ExecutedStep) -> str:
    counts, total = step.counts, int(step.counts.sum())
    if np.ptp(counts) == 0:
        each = f"each worker holds {counts[0]:,}"
    elif np.ptp(counts) == 1:
        each = f"workers hold {counts.max():,} or {counts.min():,}"
    else:
        each = f"worker {len(counts)} holds {counts[-1]:,}, the others about {counts[0]:,} each"
    return f"The batch of {total:,} samples is split: {each}. All start from the same weights."


def _forward_text(step: ExecutedStep) -> str:
    low, high = (significant(float(v)) for v in (step.losses.min(), step.losses.max()))
    return (
        "Each worker computes the loss on its own samples only. "
        f"The losses run from {low} to {high}, since the samples differ."
    )


def _backward_text(choices: Choices, step: ExecutedStep) -> str:
    entries = step.gradients.shape[1]
    told = (
        f"Each worker has a gradient of {entries} entries from its own samples; no two are alike."
    )
    if choices.skip or choices.no_overlap:
        return told
    return told + " On the clock, the first buckets are already on their way."


def _round_text(step: ExecutedStep, number: int, messages: Round) -> str:
    workers, rounds = len(step.counts), len(step.trace.rounds)
    verb = "adds it to its own" if messages[0].adds else "keeps it in place of its own"
    some = messages[0]
    name = _host(some.sender, workers)
    first = (
        f"{name} sends {_entries(some.start, some.stop)} to "
        f"{_host(some.receiver, workers).lower()}, which {verb}"
    )
    others = f"; {len(messages) - 1} more messages travel" if len(messages) > 1 else ""
    sent = int(step.trace.sent[number].sum())
    done = " All workers now hold the same average, bit for bit." if number == rounds else ""
    return f"{first}{others}. {sent:,} bytes sent so far by all.{done}"


def _entries(start: int, stop: int) -> str:
    if stop == start:
        return "an empty chunk"
    return f"entry {start + 1}" if stop - start == 1 else f"entries {start + 1} to {stop}"


def _update_text(choices: Choices, step: ExecutedStep) -> str:
    if choices.skip:
        away = significant(float(np.abs(step.ends - step.ends.mean(axis=0)).max()))
        return (
            "Without the all-reduce each worker applies its own gradient. "
            f"The replicas already differ by up to {away} from their mean."
        )
    same = bool((step.ends == step.ends[0]).all())
    held = "still the same, bit for bit" if same else "no longer the same"
    return (
        f"All apply the same average, and their weights are {held}. The average differs from the "
        f"whole batch's gradient by {tiny(step.off)} of a sample's gradient, which is rounding."
    )


def tiny(value: float) -> str:
    """Write a number far below one: 2 × 10⁻¹⁶."""
    if value == 0:
        return "0"
    digit, exponent = f"{value:.0e}".split("e")
    return f"{digit} × 10" + str(int(exponent)).translate(
        str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    )
