"""Open questions: why it is not N-fold, and whether a plan is sound, with the numbers at hand."""

from __future__ import annotations

from dpmodel import laws
from dpmodel.ask import arithmetic as own
from dpmodel.ask.concepts import named_card, spaced, strength
from dpmodel.ask.general import steps_of, understood
from dpmodel.ask.goals import assume
from dpmodel.ask.result import AskResult
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution
from dpmodel.ask.wording import shown, words
from dpmodel.units import significant

CAUSES = (
    "Communication: the gradient all-reduce (synchronisation) that is not hidden behind the backward pass; compare the step on one node and on two nodes, and run an all-reduce benchmark.",
    "Input pipeline: data loading and CPU preprocessing that cannot keep up; run on synthetic data to see.",
    "Stragglers and unequal shards: all wait for the slowest worker; log each rank's step time.",
    "Serial parts: validation, checkpointing, logging, start-up; time them apart (Amdahl's law).",
    "Small per-worker batch: launch overhead and poor GPU use when the share of each worker shrinks; try weak scaling.",
    "Measure: a step breakdown with a profiler, at 1, 2, 4, ... workers, before changing anything.",
)
REMEDIES = (
    "Remedies: bf16 or compressed gradients, gradient accumulation or a larger batch per worker, "
    "overlap with the backward pass, a faster network, hierarchical all-reduce, fewer nodes, or "
    "sharding (ZeRO, FSDP) where memory is short."
)
AFTER_GRADIENTS = (
    "The gradients are averaged (aggregated) across all workers by an all-reduce, before any update: "
    "every replica then applies the same update, so the weights stay identical; otherwise the "
    "replicas diverge and drift apart into different models."
)
_PLAN = (
    (
        "lr",
        "Learning rate: with a k times larger global batch scale it about linearly (k times) with warm-up; beyond the critical batch accuracy (convergence) can suffer.",
    ),
    (
        "batch",
        "Batch: global batch = per-GPU batch x workers; a larger one needs fewer steps per epoch but not fewer samples; watch convergence, generalization and the critical batch.",
    ),
    (
        "memory",
        "Memory: plain data parallelism keeps a full replica of weights, gradients and optimizer state on every worker; use sharding (ZeRO, FSDP) if it does not fit.",
    ),
    (
        "slow",
        "Stragglers: synchronous steps wait for the slowest worker; mixed hardware wastes the faster ones; give smaller shards to slow workers or leave them out.",
    ),
    (
        "input",
        "Data loading: input throughput must grow with the workers; check storage, CPU decoding and prefetch.",
    ),
    (
        "asynchronous",
        "Asynchronous updates avoid waiting but use stale gradients, which can hurt convergence.",
    ),
)


def essay_answer(made: Situation, result: AskResult, evaluates: bool) -> AskResult:
    """Answer an open question with what can be computed and the points that matter."""
    assume(made, ["efficiency"])
    if made.has("params") and "bytes_per_param" not in made.givens:
        made.assume("bytes_per_param", 4.0, "fp32 gradients, since no precision is told")
    known = {n: g.value for n, g in made.givens.items()}
    solution = Solution(known, made.flags)
    facts = _facts(made, solution)
    points = [text for cue, text in _PLAN if _speaks_of(made, cue)] if evaluates else []
    points += [REMEDIES] if evaluates else []
    points += list(CAUSES)
    result.status, result.kind = "answered", "evaluate_strategy" if evaluates else "open_analysis"
    result.understood = understood(made)
    result.steps = steps_of(solution, {})
    if not evaluates and strength(named_card("combine-gradients").about, spaced(made.scene.text)):
        points = [AFTER_GRADIENTS, *points]
    text = " ".join([*facts, *points])
    result.answer = {"type": "text", "text": text}
    result.sentence = facts[0] if facts else points[0]
    return result


def _speaks_of(made: Situation, cue: str) -> bool:
    if cue == "asynchronous":
        return made.scene.says("asynchronous", "asynchronously", "async")
    if cue == "memory":
        return made.scene.has("memory", "param") or made.has("params")
    return made.scene.has(cue) or cue == "batch"


def _facts(made: Situation, solution: Solution) -> list[str]:
    facts = []
    for name in ("speedup", "efficiency", "payload", "sent", "comm_time"):
        value = solution.find(name)
        if value is not None and not (
            name == "efficiency" and value == 1.0 and "ideal" in made.flags
        ):
            facts.append(f"{words('en', name).capitalize()}: {shown(name, value)}.")
    known = solution.known
    if "compute_time" in known and "comm_time" in known:
        facts += _verdict(known["compute_time"], known["comm_time"])
    if "speedup" in known and known.get("workers", 0) > 1 and known.get("base_workers", 1.0) == 1.0:
        if known["speedup"] <= known["workers"]:
            serial = float(laws.karp_flatt(known["speedup"], known["workers"]))
            facts.append(
                f"Experimentally determined serial fraction (Karp-Flatt): {significant(100 * serial)} %."
            )
    if "share" in known and "workers" in known:
        facts.append(f"Global batch: {significant(known['share'] * known['workers'], 5)}.")
    if "batch" in known and "workers" in known:
        facts.append(f"Per-GPU batch: {significant(known['batch'] / known['workers'], 4)} samples.")
    return facts


def _verdict(compute: float, exchange: float) -> list[str]:
    efficiency = own.share_of_sum(compute, exchange)
    viable = (
        "not viable as it stands"
        if efficiency < 0.5
        else "workable"
        if efficiency < 0.85
        else "sound"
    )
    return [
        f"Per step about {shown('comm_time', exchange)} of communication versus {shown('compute_time', compute)} "
        f"of compute: efficiency about {significant(100 * efficiency)} % without overlap: {viable}.",
    ]
