"""What each mechanism of the mapping is worth: the error with it switched off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpmodel.evidence.constants import DEFAULT, Constants
from dpmodel.evidence.curves import predict_curve
from dpmodel.evidence.reading import Curve

_ENDLESS = 500_000.0


@dataclass(frozen=True)
class Mechanism:
    """A named mechanism and the constants that switch it off."""

    name: str
    off: Constants


def _every(table: dict[str, Any], value: Any) -> dict[str, Any]:
    return dict.fromkeys(table, value)


def mechanisms(constants: Constants = DEFAULT) -> list[Mechanism]:
    """Return every mechanism with its neutral value, all else equal."""
    neutral: list[tuple[str, dict[str, Any]]] = [
        ("launch floor and small batches", {"launch": _every(constants.launch, 0.0)}),
        ("captured graphs in tuned submissions", {"launch_tuned": 1.0}),
        ("no peer-to-peer: one host memory for all", {"host_classes": ()}),
        ("what software reaches of a link", {"reach": _every(constants.reach, 1.0)}),
        ("start-up of each exchange", {"start": _every(constants.start, 0.0)}),
        ("overlap with the backward pass", {"overlap": _every(constants.overlap, False)}),
        ("fusion buffers (one exchange instead)", {"bucket": _every(constants.bucket, _ENDLESS)}),
        ("the model's own layers in buckets", {"layer_profiles": False}),
        ("contention of communication kernels", {"contention": 0.0}),
        ("fp32 or half gradients", {"mixed_gradients": False}),
        ("gradient accumulation", {"accumulation": False}),
        ("network cards shared by a node", {"shared_cards": False}),
        ("one TCP stream's limit", {"tcp_stream": _ENDLESS}),
        ("limited number of parameter servers", {"servers": 10**6}),
        ("variables that stay whole on a server", {"whole_variables": False}),
        ("sharded models send 1.5 times", {"sharded_traffic": 1.0}),
        ("stragglers", {"jitter": 0.0, "jitter_uneven": 0.0}),
        ("samples of uneven length", {"jitter_uneven": constants.jitter}),
        ("input pipeline", {"input_ceiling": np.inf, "input_ceiling_mxnet": np.inf}),
        ("extra epochs of larger batches", {"extra_epochs": False}),
        ("start-up and evaluation of the run", {"serial_train": 0.0}),
    ]
    return [Mechanism(name, replace(constants, **changes)) for name, changes in neutral]


def errors(curves: Sequence[Curve], constants: Constants) -> np.ndarray:
    """Absolute errors of predicted efficiency beyond the smallest sizes [1]."""
    joined = np.concatenate([predict_curve(curve, constants).error for curve in curves])
    return np.asarray(np.abs(joined))


def ablation(curves: Sequence[Curve]) -> list[tuple[str, int, float, float]]:
    """Error without each mechanism, where it matters at all.

    Parameters
    ----------
    curves : sequence of Curve
        Cases that the search for constants did not see.

    Returns
    -------
    list of (name, points, before, after)
        Points whose prediction it moves [1]; their mean absolute error without and with it [1].
    """
    whole = errors(curves, DEFAULT)
    rows = []
    for mechanism in mechanisms():
        without = errors(curves, mechanism.off)
        moved = np.abs(without - whole) > 1e-4
        if moved.any():
            means = (float(without[moved].mean()), float(whole[moved].mean()))
            rows.append((mechanism.name, int(moved.sum()), *means))
    return rows
