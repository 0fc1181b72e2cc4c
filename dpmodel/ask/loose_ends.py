"""Numbers and words of a question that an answer does not account for."""

from __future__ import annotations

from dpmodel.ask.lexicon import listed
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution

_IDLE_ROLES = frozenset(listed("general_idle_roles"))


def loose_ends(made: Situation, solution: Solution, wanted: list[str]) -> list[str]:
    """Numbers of the question that the answer does not use although they are of its kind.

    An answer that leaves out a time beside the times it uses has probably misread the question.
    """
    used = set(wanted) | {n for relation, _ in solution.chain for n in relation.needs}
    values = {round(solution.known[n], 12) for n in used if n in solution.known}
    spans = [made.givens[n].quantity for n in used if n in made.givens]
    kinds = {q.dimension for q in spans if q is not None}
    left = []
    for q in made.scene.quantities:
        if (
            any(q is s for s in spans)
            or id(q) in made.parts
            or q.role in _IDLE_ROLES
            or q.dimension not in kinds | {"share", "factor"}
        ):
            continue
        if q.dimension == "count" and q.noun not in ("worker", "sample", "token"):
            continue
        if q.noun == "worker" and used & {"rate", "base_rate"} and "workers" not in used:
            continue
        if wanted == ["new_lr"] and "workers" in used and q.noun == "sample":
            continue
        if q.dimension == "share" and any(abs(1 - q.value - v) < 1e-9 for v in values):
            continue
        if q.noun == "worker" and "node_price" in used:
            continue
        if q.role == "compute_time" and set(wanted) & {"exposed", "hidden", "comm_time"}:
            continue
        base = made.givens.get("base_time")
        if set(wanted) <= {"cost", "worker_seconds"} and base is not None and base.quantity is q:
            continue
        if q.noun == "worker" and _elsewhere(made, q, spans):
            continue
        if q.noun != "worker" and _made_of(q.value, [v for v in values if v > 0]):
            continue
        one = q.value == 1 and (
            q.noun != "worker" or solution.known.get("base_workers", 1.0) == 1.0
        )
        if round(q.value, 12) in values or one or q.spoken == "article":
            continue
        left.append(q.text)
    return left


def _elsewhere(made: Situation, q: Quantity, spans: list[Quantity | None]) -> bool:
    """Whether a worker count stands in a sentence that has no part in the question."""
    sentences = {s.sentence for s in spans if s is not None} | made.scene.asked_sentences()
    return q.sentence not in sentences


def _made_of(value: float, others: list[float]) -> bool:
    """Whether a number only repeats a sum or a difference of two others."""
    close = 1e-6 * max(abs(value), 1e-12)
    return any(
        abs(value - (a + sign * b)) < close for a in others for b in others for sign in (1, -1)
    )
