"""Why a measured series is not N-fold: its class, the numbers behind it, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpmodel import laws
from dpmodel.ask.points import Points

_FLAT, _OUTLIER, _DROP = 0.03, 0.22, 0.10
_NEAR, _STEADY = 0.92, 0.30


@dataclass
class Diagnosis:
    """The class of a series, one sentence why, and the values that go with it (SI)."""

    name: str
    why: str
    values: dict[str, tuple[float, str]] = field(default_factory=dict)
    predicted: dict[float, float] = field(default_factory=dict)
    remedy: str = ""


def speed_ups(points: Points) -> tuple[np.ndarray, np.ndarray]:
    """Worker counts N [1] and speed-ups over the smallest of them [1], both of shape (P,)."""
    n = np.array(sorted(points.values), float)
    v = np.array([points.values[k] for k in n], float)
    if points.kind == "time":
        gain = v[0] / v
        return n, gain * (n / n[0] if points.each else 1.0)
    if points.kind == "efficiency":
        return n, v * n / (v[0] * n[0])
    if points.kind == "speedup":
        # A speed-up is over one worker, whether or not that row is given.
        if n[0] > 1:
            return np.concatenate([[1.0], n]), np.concatenate([[1.0], v])
        return n, v / v[0]
    total = v * n if points.each else v
    return n, total / total[0]


def fit_terms(n: np.ndarray, time: np.ndarray) -> tuple[float, float, float]:
    """Best a, b, c >= 0 of t = a + b/N + c N, relative errors weighted equally [s].

    Parameters
    ----------
    n, time : array, shape (P,)
        Worker counts [1] and times [any unit].
    """
    columns = np.stack([np.ones_like(n), 1 / n, n]) / time
    best, least = (0.0, float(np.mean(time * n)), 0.0), np.inf
    for picks in ((0, 1, 2), (0, 1), (1, 2), (1,)):
        if len(picks) > len(n):
            continue
        found, *_ = np.linalg.lstsq(columns[list(picks)].T, np.ones_like(n), rcond=None)
        if (found < 0).any():
            continue
        error = float(np.sum((found @ columns[list(picks)] - 1) ** 2)) + 1e-12 * len(picks)
        if error < least * 0.999:
            terms = [0.0, 0.0, 0.0]
            for index, value in zip(picks, found, strict=True):
                terms[index] = float(value)
            best, least = (terms[0], terms[1], terms[2]), error
    return best


def diagnose(points: Points, hints: set[str]) -> Diagnosis:
    """Name the class of a series and work out its numbers.

    Parameters
    ----------
    points : Points
        The measured series.
    hints : set of str
        What the words say besides: ``input``, ``straggler``, ``mixed``, ``node``.
    """
    n, s = speed_ups(points)
    if len(n) < 3 and not points.spread:
        return _pair(points, n, s)
    name, why, keep = _class(points, n, s, hints)
    made = Diagnosis(name, why, remedy=_REMEDIES.get(name, ""))
    if "power" in hints:
        growth = (s[-1] / s[-2]) ** (1 / np.log2(n[-1] / n[-2]))
        for w in points.asked[:2]:
            made.predicted[w] = float(s[-1] * growth ** np.log2(w / n[-1]))
            made.values[f"at_{w:g}"] = (_from_gain(points, n, made.predicted[w], w), points.unit)
        return made
    _numbers(made, points, n, s, keep)
    return made


def _class(
    points: Points, n: np.ndarray, s: np.ndarray, hints: set[str]
) -> tuple[str, str, np.ndarray]:
    every = np.ones(len(n), bool)
    e = s * n[0] / n
    if "mixed" in hints:
        return "mixed_configurations", "The rows were measured under different conditions.", every
    if "straggler" in hints:
        return "straggler", "One slow worker sets the pace of all.", every
    if points.spread and points.spread >= 0.6 * abs(1 - e[-1]):
        return "near_linear", "The loss is no larger than the noise between repeats.", every
    odd = _outlier(n, s)
    if odd is not None:
        keep = every.copy()
        keep[odd] = False
        return "outlier", f"The value at {n[odd]:g} does not fit its neighbours.", keep
    ratio = s[1:] / s[:-1]
    grew = n[1:] / n[:-1]
    kept = e[1:] / e[:-1]
    if s[-1] < s[:-1].max() * (1 - _FLAT / 2):
        return "retrograde", "Beyond a point more workers make it slower.", every
    if e[1:].max() > 1.08 or (len(n) > 3 and kept[0] < 0.85 and kept[1:].min() > 0.96):
        return "bad_baseline", "All points but the first agree, so the baseline is off.", every
    if ratio[-1] < 1 + 0.12 * (grew[-1] - 1) and e[-1] < 0.9:
        return "ceiling", "Throughput stops at a fixed value: a shared resource is full.", every
    if e[-1] >= _NEAR:
        return "near_linear", "Nearly every worker counts in full.", every
    step = _boundary(n, kept, grew, hints)
    if step is not None:
        return (
            "node_boundary",
            f"The loss comes in one step, from {n[step]:g} to {n[step + 1]:g}.",
            every,
        )
    return _law(n, s, every)


def _law(n: np.ndarray, s: np.ndarray, every: np.ndarray) -> tuple[str, str, np.ndarray]:
    a, b, c = fit_terms(n, 1 / s)
    if c * n[-1] > 0.5 * (a + c * n[-1]) and c > 0:
        return (
            "linear_overhead",
            "The serial fraction rises with the workers: overhead that grows.",
            every,
        )
    return (
        "amdahl",
        "The serial fraction is the same at every count: a constant serial part.",
        every,
    )


def _outlier(n: np.ndarray, s: np.ndarray) -> int | None:
    """A point far off the line between its neighbours, in logarithms."""
    if len(n) < 4:
        return None
    x, y = np.log(n), np.log(s)
    worst, index = 0.0, None
    for i in range(1, len(n) - 1):
        between = y[i - 1] + (y[i + 1] - y[i - 1]) * (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        off = abs(y[i] - between)
        others = [
            abs(
                y[j]
                - (y[j - 1] + (y[j + 1] - y[j - 1]) * (x[j] - x[j - 1]) / (x[j + 1] - x[j - 1]))
            )
            for j in range(1, len(n) - 1)
            if abs(j - i) > 1
        ]
        if off > max(_OUTLIER, 3 * max(others, default=0.0)) and off > worst:
            worst, index = off, i
    if index is None:
        return None
    rest = np.delete(s * n[0] / n, index)
    steady = bool(np.all(rest[1:] / rest[:-1] > 0.75)) and bool(np.all(rest < 1.15))
    return index if steady else None


def _boundary(n: np.ndarray, kept: np.ndarray, grew: np.ndarray, hints: set[str]) -> int | None:
    """Where one step loses far more than all others."""
    loss = -np.log(np.maximum(kept, 1e-9)) / np.log2(grew)
    worst = int(np.argmax(loss))
    others = np.delete(loss, worst)
    if not len(others) or loss[worst] < _DROP:
        return None
    usual = float(others.max())
    sharp = loss[worst] > 2.5 * max(usual, 0.01)
    later = loss[worst + 1 :]
    falls_back = len(later) == 0 or float(later.max()) < 0.6 * loss[worst]
    if "node" in hints and loss[worst] > 1.6 * max(usual, 0.01) and falls_back and n[worst] >= 2:
        return worst
    return worst if sharp and falls_back and (len(later) > 0 or n[worst] >= 4) else None


def _pair(points: Points, n: np.ndarray, s: np.ndarray) -> Diagnosis:
    e = float(s[-1] * n[0] / n[-1])
    made = Diagnosis("too_few_points", "Two points cannot tell the causes apart.")
    made.values["relative_efficiency"] = (e, "%")
    if n[0] == 1 and s[-1] > 0:
        made.values["serial_fraction"] = (float(laws.karp_flatt(s[-1], n[-1])), "%")
    made.values["speed_up"] = (float(s[-1]), "x")
    return made


_REMEDIES = {
    "amdahl": "Shrink the serial part: validation, checkpoints, logging, start-up, the optimiser.",
    "ceiling": "Test with synthetic data; then widen the shared resource: input, storage, network.",
    "node_boundary": "Look at the link between nodes; reduce inside the node first, use larger batches.",
    "retrograde": "Use fewer workers, or cut the overhead that grows with them.",
    "linear_overhead": "Cut the overhead that grows with the workers: fewer messages, a tree or a ring.",
    "near_linear": "Nothing to mend here; measure further out.",
    "outlier": "Measure that point again before fitting anything.",
    "bad_baseline": "Measure the baseline again with the same code, batch and precision.",
    "straggler": "Find the slow worker and replace it, or give it a smaller share.",
    "mixed_configurations": "Measure all counts with the same batch, precision and machines.",
}


def _numbers(
    made: Diagnosis, points: Points, n: np.ndarray, s: np.ndarray, keep: np.ndarray
) -> None:
    e = s * n[0] / n
    made.values[f"efficiency_at_{n[-1]:g}"] = (float(e[-1]), "%")
    wanted = [w for w in points.asked if w > 0] or [2 * n[-1]]
    predict = _predictor(made, points, n, s, keep)
    for w in wanted[:2]:
        made.predicted[w] = predict(w)
        made.values[f"at_{w:g}"] = (_from_gain(points, n, predict(w), w), points.unit)
    if points.each and points.kind == "rate":
        made.values[f"total_at_{n[-1]:g}"] = (points.values[n[-1]] * n[-1], points.unit)
    if len(n) > 2:
        made.values["efficiency_of_last_step"] = (float(e[-1] / e[-2]), "%")
    if made.name == "bad_baseline" and len(n) > 2:
        made.values["relative_efficiency"] = (float(e[-1] / e[1]), "%")
    if made.name == "node_boundary":
        kept = e[1:] / e[:-1]
        at = int(np.argmin(kept))
        made.values[f"efficiency_at_{n[at]:g}"] = (float(e[at]), "%")
        if at + 1 < len(n) - 1:
            made.values[f"efficiency_at_{n[at + 1]:g}"] = (float(e[at + 1]), "%")


def _from_gain(points: Points, n: np.ndarray, gain: float, w: float) -> float:
    """The measured kind of value at w workers from its speed-up over the first point."""
    first = points.values.get(float(n[0]), 1.0)
    if points.kind == "time":
        return first / gain * (w / n[0] if points.each else 1.0)
    if points.kind == "efficiency":
        return float(first * gain * n[0] / w)
    if points.kind == "rate" and points.each:
        return float(first * gain * n[0] / w)
    return first * gain


def _predictor(made: Diagnosis, points: Points, n: np.ndarray, s: np.ndarray, keep: np.ndarray):  # type: ignore[no-untyped-def]
    name = made.name
    if name == "ceiling":
        made.values["ceiling"] = (_from_gain(points, n, float(s[-1]), float(n[-1])), points.unit)
        return lambda w: float(s[-1])
    if name in ("near_linear", "node_boundary", "outlier", "bad_baseline"):
        good_n, good_s = n[keep], s[keep]
        loss = _last_loss(good_n, good_s, name)
        if name == "outlier":
            odd = int(np.flatnonzero(~keep)[0])
            x = np.log(n)
            part = (x[odd] - x[odd - 1]) / (x[odd + 1] - x[odd - 1])
            gain = float(np.exp(np.log(s[odd - 1]) * (1 - part) + np.log(s[odd + 1]) * part))
            made.values[f"expected_at_{n[odd]:g}"] = (
                _from_gain(points, n, gain, float(n[odd])),
                points.unit,
            )
        return lambda w: float(good_s[-1] * (w / good_n[-1]) * loss ** np.log2(w / good_n[-1]))
    a, b, c = fit_terms(n, 1 / s)
    if name in ("amdahl", "straggler", "mixed_configurations"):
        a, b = _constant_serial(n, s)
        c = 0.0
        one = a + b
        made.values["serial_fraction"] = (a / one, "%")
        if a > 0:
            made.values["highest_speed_up"] = (one / a, "x")
            if points.kind in ("rate", "time"):
                made.values["ceiling"] = (_from_gain(points, n, 1 / a, float(n[0])), points.unit)
    elif c > 0 and b > 0:
        best = float(np.sqrt(b / c))
        made.values["best_workers"] = (best, "workers")
        gain = 1 / (a + b / best + c * best)
        made.values["value_at_best"] = (_from_gain(points, n, gain, best), points.unit)
    return lambda w: 1 / (a + b / w + c * w)


def _constant_serial(n: np.ndarray, s: np.ndarray) -> tuple[float, float]:
    """Serial and parallel part of the baseline time under Amdahl's law, both relative."""
    columns = np.stack([np.ones_like(n), 1 / n]) * s
    (a, b), *_ = np.linalg.lstsq(columns.T, np.ones_like(n), rcond=None)
    if a < 0:
        return 0.0, float(n[0])
    return float(a), float(b)


def _last_loss(n: np.ndarray, s: np.ndarray, name: str) -> float:
    """Efficiency kept at one more doubling, from the measured ones."""
    e = s / n
    kept = (e[1:] / e[:-1]) ** (1 / np.log2(n[1:] / n[:-1]))
    if name == "node_boundary" and len(kept) > 1:
        after = kept[int(np.argmin(kept)) + 1 :]
        return float(
            min(1.0, after.mean() if len(after) else np.delete(kept, np.argmin(kept)).mean())
        )
    return float(min(1.0, kept.mean() if name == "near_linear" else kept[-1]))
