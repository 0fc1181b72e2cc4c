"""The role of each quantity: scored by unit, by the ideas near it, and by its place.

Every role of a dimension gets a score: a prior, plus its best cue weakened by the distance in
words. The best one wins, and the cue that decided is kept as the reason.
"""

from __future__ import annotations

from dpmodel.ask.lexicon import Mention
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.scene import Scene

# dimension -> role -> (prior, {idea: weight}).
ROLES: dict[str, dict[str, tuple[float, dict[str, float]]]] = {
    "time": {
        "run": (0.34, {"job": 0.2, "duration": 0.1}),
        "comm_time": (0.0, {"comm": 1.0, "allreduce": 1.05}),
        "compute_time": (0.0, {"compute": 1.0}),
        "backward_time": (0.0, {}),
        "latency": (0.0, {"latency": 1.4}),
        "hidden_time": (0.0, {"overlap": 0.9}),
        "exposed_time": (0.0, {"exposed": 1.2}),
        "deadline": (0.0, {"deadline": 0.9}),
        "ideal_time": (0.0, {"ideal_time": 1.3}),
        "step_time": (0.0, {"step": 0.55}),
        "serial_time": (0.0, {"serial": 1.0}),
        "parallel_time": (0.0, {"parallel": 1.0}),
    },
    "share": {
        "efficiency": (0.1, {"efficiency": 1.0, "ideal": 0.4}),
        "serial": (0.0, {"serial": 1.1}),
        "parallel": (0.0, {"parallel": 1.0}),
        "overlap": (0.0, {"overlap": 1.25}),
        "utilisation": (0.0, {"utilisation": 1.2, "input": 0.3}),
        "closeness": (0.0, {"closeness": 1.0}),
        "slower": (0.0, {"slow": 1.0}),
        "comm_share": (0.0, {"comm": 0.8}),
    },
    "data": {
        "payload": (0.3, {"gradient": 0.6, "message": 0.5, "allreduce": 0.5, "ring": 0.3}),
        "bytes_per_param": (0.0, {}),
        "device_memory": (0.0, {"memory": 0.8, "worker": 0.45}),
    },
    "rate": {
        "bandwidth": (0.5, {"bandwidth": 0.5}),
        "busbw": (0.0, {"busbw": 1.2}),
        "algbw": (0.0, {"algbw": 1.2}),
    },
    "factor": {
        "speedup": (0.3, {"speedup": 1.0}),
        "growth": (0.0, {"worker": 0.25}),
    },
    "money": {
        "price": (0.0, {"price": 0.8}),
        "budget": (0.1, {"budget": 1.0}),
        "cost": (0.0, {"cost": 0.35}),
    },
}
_BEFORE_ONLY = {"deadline", "ideal_time", "budget", "closeness"}
_LONG_FOR_A_STEP = 600.0


def assign_roles(scene: Scene) -> None:
    """Give every quantity that has a dimension its best role."""
    ideal = scene.names(("ideal",))
    for quantity in scene.quantities:
        if quantity.role in ("per_node", "nodes", "placed") or quantity.why == "by its symbol":
            continue
        if quantity.dimension == "time" and "worker" in quantity.per and scene.has("step"):
            counted = any(q.noun == "step" and q.value > 1 for q in scene.quantities)
            if counted:
                quantity.role, quantity.why = "step_time", "each step"
                continue
        if quantity.dimension == "time" and told_workers(scene, quantity):
            quantity.role, quantity.why = "run", "named by its symbol"
            continue
        if _is_reference(scene, quantity):
            quantity.role, quantity.why = "reference", "named as what it is not"
            continue
        works = any(q.dimension == "work" for q in scene.quantities)
        if (
            quantity.dimension == "money"
            and works
            and scene.word(quantity.start - 1) in ("at", "@")
        ):
            quantity.role, quantity.why = "price", "the price of a worker-hour"
            continue
        if quantity.dimension in ROLES:
            quantity.role, quantity.why = _best_role(scene, quantity, ideal)
        else:
            quantity.role = _plain_role(quantity)
            quantity.why = quantity.why or "by its unit"


def _is_reference(scene: Scene, q: Quantity) -> bool:
    """Why isn't it 8x; instead of 4x; not 16x."""
    if q.dimension not in ("factor", "time", "share"):
        return False
    words = [scene.word(i) for i in range(max(q.start - 3, 0), q.start)]
    return bool(words) and (
        words[-1] in ("not", "isn't", "nicht", "pas", "keine")
        or words[-2:]
        in (
            ["isn't", "it"],
            ["not", "a"],
            ["instead", "of"],
            ["rather", "than"],
            ["no", "es"],
            ["isn't", "a"],
            ["n'est", "pas"],
        )
        or words[-3:]
        in (["not", "get", "a"], ["is", "it", "not"], ["isn't", "it", "a"], ["not", "the", "full"])
    )


def _plain_role(q: Quantity) -> str:
    names = {"price": "price", "throughput": "throughput", "work": "work", "lr": "lr"}
    names["step_rate"] = "step_rate"
    if q.dimension in names:
        return names[q.dimension]
    return {"count": q.noun}.get(q.dimension, "")


def _best_role(scene: Scene, q: Quantity, ideal: list[Mention]) -> tuple[str, str]:
    best, top, reason = "", -1.0, ""
    for role, (prior, cues) in ROLES[q.dimension].items():
        score, why = _score(scene, q, role, prior, cues, ideal)
        if score > top:
            best, top, reason = role, score, why
    return best, reason


def _score(
    scene: Scene,
    q: Quantity,
    role: str,
    prior: float,
    cues: dict[str, float],
    ideal: list[Mention],
) -> tuple[float, str]:
    unit = _by_unit(scene, q, role, scene.by_idea.get("job", []))
    score, why = prior + unit, "by its unit and place"
    for idea, weights in cues.items():
        for mention in scene.by_idea.get(idea, ()):
            distance = scene.distance(q, mention)
            if role in _BEFORE_ONLY and distance > 1:
                continue
            if idea == "step" and distance == 0:
                continue
            if distance > 0 and _heads_share(scene, q, mention):
                continue
            if idea == "comm" and any(
                abs(m.start - mention.end) <= 2
                or abs(m.end - mention.start) <= 2
                or m.start <= mention.start < m.end
                for m in ideal
            ):
                continue
            weight = 0.6 * weights if distance > 0 and _joins_on(scene, q, mention) else weights
            near = 0.45 if _stands_between(scene, q, mention) else 1.0
            value = prior + unit + near * weight / (1 + 0.14 * abs(distance))
            if value > score:
                words = scene.text[
                    scene.tokens[mention.start].start : scene.tokens[mention.end - 1].end
                ]
                score, why = value, f"stands near “{words}”"
    if (
        role in ("comm_time", "compute_time", "step_time", "hidden_time")
        and q.value > _LONG_FOR_A_STEP
    ):
        score *= 0.35
    return score, why


def _heads_share(scene: Scene, q: Quantity, mention: Mention) -> bool:
    """The serial fraction 0.04: the cue belongs to the share right after it."""
    for other in scene.quantities:
        gap = other.start - mention.end
        if other is not q and 0 <= gap <= 3 and other.dimension in ("share", "factor"):
            words = {scene.word(i) for i in range(mention.end, other.start)}
            if words <= {
                "fraction",
                "share",
                "part",
                "portion",
                "is",
                "of",
                "=",
                ":",
                "speed",
                "up",
                "ratio",
                "-",
            }:
                return q.dimension not in ("share", "factor")
    return False


def _joins_on(scene: Scene, q: Quantity, mention: Mention) -> bool:
    """An "and" between a number and a cue after it: the cue belongs to what follows."""
    between = {scene.word(i) for i in range(q.end, mention.start)}
    for other in scene.quantities:
        heads = 0 <= other.start - mention.end <= 1 and other.dimension == q.dimension
        if heads and scene.word(mention.end) not in (",", ".", ";"):
            return True
    return bool(between & {"and", "then", "while", "plus", "but", "und", "et", "y", "e", "gefolgt"})


def _stands_between(scene: Scene, q: Quantity, mention: Mention) -> bool:
    """Whether another quantity of the same kind stands between a quantity and a cue."""
    low, high = sorted((q.start, mention.start))
    return any(
        low < other.start < high and other is not q and other.dimension == q.dimension
        for other in scene.quantities
    )


def _names_job(scene: Scene, q: Quantity, m: Mention) -> bool:
    """A 50-hour job; un trabajo de 80 horas."""
    if 0 <= m.start - q.end <= 1:
        return True
    return m.end == q.start - 1 and scene.word(q.start - 1) in ("of", "de", "von", "d'")


def _by_unit(scene: Scene, q: Quantity, role: str, jobs: list[Mention]) -> float:
    per = q.per
    if role == "step_time":
        return 0.45 if "step" in per else 0.0
    if role == "run" and "epoch" in per:
        return 0.6
    if role == "run" and any(_names_job(scene, q, m) for m in jobs):
        return 0.7
    if role == "latency":
        return 0.25 if q.value < 1e-4 and q.dimension == "time" else -0.5
    if role == "bytes_per_param":
        return 2.0 if "param" in per else -1.0
    if role == "price" and "worker" in per:
        return 0.5
    return 0.0


def told_workers(scene: Scene, q: Quantity) -> bool:
    """Whether a time is named T1, T8 or T(8) right before it."""
    i = q.start - 1
    if scene.word(i) in ("=", ":", "is", "was", "of"):
        i -= 1
    head = scene.word(i)
    if head[:1] == "t" and head[1:].isdigit():
        return True
    return head == ")" and scene.word(i - 2) == "(" and scene.word(i - 3) == "t"
