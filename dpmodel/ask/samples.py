"""Which sample counts are the data set, the global batch, or one worker's share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpmodel.ask.quantities import Quantity

if TYPE_CHECKING:
    from dpmodel.ask.situation import Situation


def settle_samples(made: Situation) -> None:
    """Give data set, batches, steps and learning rates their variables."""
    scene = made.scene
    batches: list[Quantity] = []
    for q in scene.quantities:
        if q.role == "sample" or q.role == "token":
            kind = _kind(made, q)
            if kind == "share":
                made.give("share", q.value, q, "the batch of one worker")
            elif kind == "batch":
                batches.append(q)
            else:
                made.give("dataset", q.value, q, "the samples of one epoch")
        elif q.role == "step":
            _give_steps(made, q)
        elif q.role == "lr":
            made.give("lr", q.value, q)
    _give_batches(made, batches)


def _kind(made: Situation, q: Quantity) -> str:
    scene = made.scene
    if "worker" in q.per or scene.nearest(q, "perworkerbatch") <= 3.6:
        return "share"
    by_batch = _batch_distance(made, q)
    by_each = scene.nearest(q, "each")
    if scene.says("fit in each", "fits in each", "fit on each", "fit into each") and by_each <= 6:
        return "share"
    earlier = [o for o in scene.quantities if o.noun == "worker" and 0 <= q.start - o.end <= 2]
    if q.why == "the size of a micro-batch":
        return "share"
    if earlier and scene.word(q.start - 1) in ("x", "*", "×", "times"):
        return "share"
    if q.why == "a batch beside a learning rate":
        return "batch"
    if by_batch <= 5 or "batch" in q.text.lower():
        near_each = by_each <= 4.6 and not scene.before(q, "global", within=5)
        return "share" if near_each else "batch"
    gets = scene.word(q.start - 1) in (
        "gets",
        "get",
        "receives",
        "processes",
        "sees",
        "has",
        "with",
        "takes",
        "uses",
        "handles",
        "computes",
        "draws",
        "loads",
    )
    if by_each <= 6.6 and ("step" in q.per or q.value <= 4096) and (scene.after(q, "each") or gets):
        return "share"
    if "step" in q.per:
        return "batch"
    return "dataset"


def _batch_distance(made: Situation, q: Quantity) -> float:
    """Words to the nearest "batch", which names the number after it rather than the one before."""
    scene = made.scene
    others = [o for o in scene.quantities if o is not q and o.dimension in ("count", "bare")]
    gaps = [
        scene.distance(q, m)
        for m in scene.by_idea.get("batch", ())
        if not any(m.end <= o.start < q.start for o in others)
    ]
    good = [abs(g) for g in gaps if -4.6 <= g <= 1.6]
    return min(good, default=99.0)


def _give_steps(made: Situation, q: Quantity) -> None:
    if q.value <= 1 and q.spoken != "digits":
        return
    scene = made.scene
    single = any(
        abs(scene.distance(q, m)) <= 4
        and scene.word(m.start) in ("epoch", "epoche", "epoque", "epoca", "轮")
        for m in scene.by_idea.get("epoch", ())
    )
    per_epoch = "epoch" in q.per or single
    made.give("steps_per_epoch" if per_epoch else "steps", q.value, q)


def _give_batches(made: Situation, batches: list[Quantity]) -> None:
    """One batch is the global one; two belong to a change of learning rate or workers."""
    if not batches:
        return
    distinct = {q.value for q in batches}
    if made.has("lr") or (len(distinct) == 2 and any(a.target == "lr" for a in made.asked)):
        made.give("base_batch", batches[0].value, batches[0])
        if len(batches) > 1:
            made.give("new_batch", batches[1].value, batches[1])
        return
    for q in batches:
        made.give("batch", q.value, q, "the global batch")
