"""The gradient of the whole batch from the workers' own: the mean, weighted by their shares."""

from __future__ import annotations

import numpy as np

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.result import AskResult, Step
from dpmodel.ask.scene import Scene
from dpmodel.units import significant


def weighted_mean(values: list[float], weights: list[float]) -> float:
    """Mean of gradients [1] weighted by the samples of their shards [1]."""
    return float(np.average(values, weights=weights))


def gradient_answer(scene: Scene, result: AskResult) -> AskResult | None:
    """Answer a question that gives gradients as numbers; None where it is no such question."""
    if not scene.has("gradient") or not (
        scene.has("average", "allreduce", "comm")
        or scene.says(
            "over all", "whole batch", "full batch", "entire batch", "global gradient", "sum"
        )
    ):
        return None
    vectors = _vectors(scene)
    if vectors:
        return _vector_answer(scene, result, vectors)
    values = [q for q in scene.quantities if _is_gradient(scene, q)]
    rate, weight, values = _update(scene, values)
    shares = [q for q in scene.quantities if q.dimension == "count" and q.noun == "sample"]
    if len(values) < 2:
        return None
    asked = scene.asked_sentences()
    total = [q for q in shares if _is_total(shares, q) or (q.sentence in asked and len(shares) > 1)]
    shares = [q for q in shares if all(q is not t for t in total)]
    wrong = any(abs(sum(s.value for s in shares) - t.value) > 1e-9 for t in total)
    if (
        any(q.value < 0 for q in shares)
        or (shares and len(shares) != len(values))
        or (total and wrong)
    ):
        result.status = "insufficient"
        result.missing = ["number of samples of every worker"]
        result.reason = result.sentence = (
            "To weight the gradients, the samples of every worker must be known and add up."
        )
        return result
    numbers = [q.value for q in values]
    if shares and len(shares) == len(values):
        weights = [q.value for q in shares]
    else:
        weights = [1.0] * len(numbers)
    if "sum" in scene.flat.split() and not scene.has("average"):
        weights, mean = [1.0] * len(numbers), float(np.sum(numbers))
    else:
        mean = weighted_mean(numbers, weights)
    made = _fill(result, numbers, weights, mean, values)
    return _stepped(made, rate, weight, mean) if rate and weight else made


def _update(
    scene: Scene, values: list[Quantity]
) -> tuple[Quantity | None, Quantity | None, list[Quantity]]:
    """Take the learning rate and the old weight out of the numbers."""
    rate = next((q for q in values if scene.before(q, "lr", within=4)), None)
    weight = None
    if rate is not None:
        weight = next(
            (
                q
                for q in values
                if q is not rate
                and (
                    scene.word(q.start - 2) in ("w", "weight", "theta")
                    or scene.before(q, "param", within=4)
                )
                and not scene.before(q, "gradient", within=6)
            ),
            None,
        )
    return rate, weight, [q for q in values if q is not rate and q is not weight]


def _stepped(result: AskResult, rate: Quantity, weight: Quantity, mean: float) -> AskResult:
    """The weight after one step of gradient descent."""
    new = weight.value - rate.value * mean
    result.answer = {"type": "number", "value": float(f"{new:.10g}"), "unit": ""}
    result.sentence = f"The new weight: {significant(new, 4)}."
    result.steps.append(
        Step(
            "new weight",
            "w − η g",
            f"{weight.value:g} − {rate.value:g} × {significant(mean, 4)}",
            significant(new, 4),
            "",
        )
    )
    return result


def _is_gradient(scene: Scene, q: Quantity) -> bool:
    named = scene.word(q.start - 1) in (
        "worker",
        "gpu",
        "node",
        "machine",
        "device",
        "rank",
        "replica",
    )
    if named and scene.word(q.end) in (":", "(", "has", "with"):
        return False
    return (
        q.dimension in ("bare", "lr")
        and not (q.spoken == "words" and q.value == int(q.value))
        or (q.dimension == "count" and q.noun in ("worker",) and q.value != int(q.value))
        or (q.dimension == "share" and q.unit == "fraction" and q.spoken == "digits")
    )


def _is_total(shares: list[Quantity], q: Quantity) -> bool:
    others = [s.value for s in shares if s is not q]
    return len(others) >= 2 and abs(sum(others) - q.value) < 1e-9


def _vectors(scene: Scene) -> list[list[float]]:
    """Gradients of several components: (1, 2) and (3, 4)."""
    found, depth, current = [], False, []
    starts = {q.start: q for q in scene.quantities}
    for i, token in enumerate(scene.tokens):
        if token.text in "([":
            depth, current = True, []
        elif token.text in ")]" and depth:
            if len(current) >= 2:
                found.append(current)
            depth = False
        elif depth and i in starts:
            current.append(starts[i].value)
    same = {len(v) for v in found}
    return found if len(found) >= 2 and len(same) == 1 else []


def _vector_answer(scene: Scene, result: AskResult, vectors: list[list[float]]) -> AskResult:
    shares = [q.value for q in scene.quantities if q.dimension == "count" and q.noun == "sample"]
    weights = shares if len(shares) == len(vectors) else [1.0] * len(vectors)
    mean = np.average(np.array(vectors), axis=0, weights=weights)
    result.status, result.kind = "answered", "gradient_average"
    result.answer = {
        "type": "numbers",
        "values": {
            f"component_{i + 1}": {"value": float(f"{v:.10g}"), "unit": ""}
            for i, v in enumerate(mean)
        },
    }
    result.sentence = (
        "Averaged gradient: (" + ", ".join(significant(float(v), 4) for v in mean) + ")."
    )
    return result


def _fill(
    result: AskResult, numbers: list[float], weights: list[float], mean: float, used: list[Quantity]
) -> AskResult:
    equal = len(set(weights)) == 1
    terms = " + ".join(f"{w:g} × {v:g}" for w, v in zip(weights, numbers, strict=True))
    result.status, result.kind = "answered", "gradient_average"
    result.answer = {"type": "number", "value": float(f"{mean:.10g}"), "unit": ""}
    result.sentence = f"The gradient that every worker applies: {significant(mean, 4)}."
    result.steps = [
        Step(
            "gradient of the whole batch",
            "Σ b_i g_i / Σ b_i" if not equal else "Σ g_i / N",
            f"({terms}) / {sum(weights):g}",
            significant(mean, 4),
            "dpmodel.ask.gradients.weighted_mean",
        )
    ]
    if not equal:
        result.notes.append("Shares differ, so the plain mean would be wrong.")
    return result
