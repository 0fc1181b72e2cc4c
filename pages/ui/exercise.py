"""Put the events of one step in order: which must come first, and why."""

from __future__ import annotations

from typing import Any

EVENTS = {
    "update": "All workers apply the same update",
    "backward": "The backward pass reaches the first layers and ends",
    "first": "The all-reduce of the first bucket begins",
    "split": "The batch is split over the workers",
    "last": "The all-reduce of the last bucket ends",
    "forward": "Each worker runs the forward pass on its own samples",
    "gradients": "The last layers' gradients fill the first bucket",
}
RULES = (
    ("split", "forward", "a worker needs its samples before it can compute on them."),
    ("forward", "gradients", "gradients come from the backward pass, which needs the loss."),
    ("gradients", "first", "a bucket is sent only once its gradients exist."),
    ("gradients", "backward", "the backward pass begins at the last layers and ends at the first."),
    ("first", "backward", "with overlap, the first bucket leaves while the pass still runs."),
    ("backward", "last", "the last bucket holds the first layers, which come last."),
    ("last", "update", "an update before all averages are in would set the replicas apart."),
)
WITHOUT_OVERLAP = (
    "backward",
    "first",
    "without overlap, nothing is sent before the backward pass ends.",
)
PRAISE = "That is the order. The last bucket's all-reduce is the part that nothing can hide."


def exercise(*, overlap: bool) -> dict[str, Any]:
    """Return events in a mixed order, and the rules that a right order keeps."""
    rules = RULES
    if not overlap:
        rules = tuple(r for r in RULES if r[:2] != ("first", "backward")) + (WITHOUT_OVERLAP,)
    return {
        "events": [{"key": key, "text": text} for key, text in EVENTS.items()],
        "rules": [list(rule) for rule in rules],
        "praise": PRAISE,
    }
