"""Memory of the model's state on each worker, sharded or not."""

from __future__ import annotations

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.result import AskResult, Step, Value
from dpmodel.ask.situation import Situation
from dpmodel.ask.wording import in_unit, shown, words

# Mixed precision with Adam (ZeRO, Rajbhandari et al. 2020): 2 B weight, 2 B gradient, and
# 12 B of optimizer state (fp32 weight, momentum, variance) for each parameter.
WEIGHT, GRADIENT, OPTIMIZER = 2.0, 2.0, 12.0


def state_bytes(params: float, workers: float, stage: int) -> float:
    """Bytes of weights, gradients and Adam state on one worker [B].

    Parameters
    ----------
    params : float
        Parameters P [1].
    workers : float
        Workers N that share the state [1].
    stage : int
        ZeRO stage: 0 none, 1 optimizer, 2 and gradients, 3 and weights are sharded.
    """
    parts = ((WEIGHT, 3), (GRADIENT, 2), (OPTIMIZER, 1))
    each = sum(size / (workers if stage >= from_stage else 1.0) for size, from_stage in parts)
    return params * each


def split_bytes(params: float, workers: float, kept: float, shared: float) -> float:
    """Bytes on one worker where some bytes of each parameter are replicated, some shared [B]."""
    return params * (kept + shared / workers)


def memory_answer(made: Situation, result: AskResult, unit: str) -> AskResult:
    """Answer a question for the memory of the model's state."""
    from dpmodel.ask.general import understood

    scene = made.scene
    params, workers = made.value("params"), made.value("workers") or made.value("base_workers")
    sizes = [q for q in scene.quantities if q.role == "bytes_per_param"]
    stage = next((s for s in (3, 2, 1) if scene.has(f"zero{s}")), 0)
    shared = stage > 0 or scene.has("shard")
    result.understood = understood(made)
    lacking = [n for n, v in (("params", params), ("workers", workers)) if v is None]
    if not shared:
        lacking = [n for n in lacking if n == "params"]
    if len(sizes) == 1 and stage in (1, 2) or not _told_apart(made, sizes):
        lacking = lacking or ["bytes_per_param"]
    if not lacking and not sizes and not stage and not _known_state(made):
        lacking = ["bytes_per_param"]
    if lacking or params is None:
        result.status, result.missing_roles = "insufficient", lacking
        result.missing = [words("en", n) for n in lacking]
        result.reason = words(result.language, "missing").format(names=", ".join(result.missing))
        result.sentence = result.reason
        return result
    n = workers or 1.0
    kept, split = _sizes(made, sizes, stage, shared)
    value = split_bytes(params, n, kept, split)
    number, unit = in_unit("memory", value, unit or "GB")
    result.status = "answered"
    result.answer = {"type": "number", **Value(float(f"{number:.10g}"), unit).document()}
    result.sentence = (
        f"{words(result.language, 'memory').capitalize()}: {shown('memory', value, unit)}."
    )
    result.steps = [
        Step(
            "memory per worker",
            "P × (replicated + sharded / N)",
            f"{params:g} × ({kept:g} B + {split:g} B / {n:g})",
            shown("memory", value, unit),
            "dpmodel.ask.memory.split_bytes",
        )
    ]
    return result


_PARTS = ("shard", "replicated", "adam", "gradient", "param", "zero1", "zero2", "zero3")


def _told_apart(made: Situation, sizes: list[Quantity]) -> bool:
    """Whether several sizes of a parameter each belong to a part: weights, gradients, state."""
    if len(sizes) < 2:
        return True
    scene = made.scene
    texts = {q.text for q in sizes}
    near = [
        any(
            q.start - 7 <= m.start <= q.end + 7 and not (q.start <= m.start < q.end)
            for m in scene.names(_PARTS)
        )
        for q in sizes
    ]
    bracketed = [scene.word(q.start - 2) == "(" for q in sizes[1:]]
    return all(near) and len(texts) == len(sizes) and not any(bracketed)


def _known_state(made: Situation) -> bool:
    return made.scene.has("adam") or made.has("bytes_per_param") or _bytes_of_precision(made) > 0


def _bytes_of_precision(made: Situation) -> float:
    for flag, size in (("fp64", 8.0), ("fp32", 4.0), ("fp16", 2.0), ("fp8", 1.0)):
        if made.scene.has(flag):
            return size
    return 0.0


def _sizes(made: Situation, sizes: list[Quantity], stage: int, shared: bool) -> tuple[float, float]:
    """Bytes of a parameter that each worker keeps, and that all share."""
    scene = made.scene
    if len(sizes) == 1 and shared and stage == 3:
        return 0.0, sizes[0].value
    if sizes:
        marked = [
            (q.value, scene.nearest(q, "shard") < scene.nearest(q, "replicated")) for q in sizes
        ]
        if not shared or len(sizes) == 1:
            total = sum(value for value, _ in marked)
            return (0.0, total) if shared and stage in (0, 3) else (total, 0.0)
        return sum(v for v, s in marked if not s), sum(v for v, s in marked if s)
    if stage or scene.has("adam"):
        parts = ((WEIGHT, 3), (GRADIENT, 2), (OPTIMIZER, 1))
        kept = sum(size for size, at in parts if stage < at)
        return kept, sum(size for size, at in parts if stage >= at)
    return _bytes_of_precision(made), 0.0
