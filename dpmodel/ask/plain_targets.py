"""Targets of questions without a strong word: how long, hours, GPUs needed."""

from __future__ import annotations

from dpmodel.ask.asked import Asked
from dpmodel.ask.asked_words import mention_words, rate_follows
from dpmodel.ask.counted import COUNT_TARGETS
from dpmodel.ask.free_units import free_units
from dpmodel.ask.scene import Scene


def plain_targets(scene: Scene, zone: set[int]) -> list[Asked]:
    """How long, time, needs; or only a unit: "Hours?"."""
    units = free_units(scene, zone)
    inside = {k for q in scene.quantities for k in range(q.start, q.end)}
    for i, token in enumerate(scene.tokens):
        if (
            token.low in ("usd", "eur", "dollars", "euros", "$", "€")
            and i not in inside
            and token.sentence in zone
        ) and not any(q.start - 1 == i for q in scene.quantities):
            return [Asked("cost", "", i, token.text)]
    for dimension, unit, at in units:
        if dimension in ("data", "rate"):
            return [Asked("data" if dimension == "data" else "bandwidth", unit, at, unit)]
    wanted = any(q.role == "deadline" for q in scene.quantities)
    how_long = any(scene.in_sentence(s, "howlong") for s in zone)
    if wanted and not how_long:
        for mention in scene.names(("worker", "node")):
            within = any(q.start <= mention.start < q.end for q in scene.quantities)
            if scene.tokens[mention.start].sentence in zone and not within:
                return [Asked("workers", "workers", mention.start, mention_words(scene, mention))]
    needed = _needed_workers(scene, zone) or _batch_asked(scene, zone)
    if needed:
        return needed
    for idea in ("duration",):
        for mention in scene.by_idea.get(idea, ()):
            if scene.tokens[mention.start].sentence in zone:
                return [Asked("duration", "", mention.start, mention_words(scene, mention))]
    for dimension, unit, at in units:
        if dimension == "time":
            return [Asked("duration", unit, at, unit)]
    timed = any(q.role == "run" for q in scene.quantities)
    for idea in ("sample", "step", *(() if timed else ("worker",)), "split"):
        for mention in scene.by_idea.get(idea, ()):
            within = any(q.start <= mention.start < q.end for q in scene.quantities)
            if scene.tokens[mention.start].sentence in zone and not within:
                roles = {q.role for q in scene.quantities}
                if idea == "step" and roles & {"compute_time", "comm_time"}:
                    return [Asked("duration", "", mention.start, mention_words(scene, mention))]
                if idea in ("sample", "step") and rate_follows(scene, mention.end):
                    return [Asked("throughput", "", mention.start, mention_words(scene, mention))]
                target = {"split": "samples"}.get(idea) or COUNT_TARGETS[idea]
                return [Asked(target, "", mention.start, mention_words(scene, mention))]
    return []


def _needed_workers(scene: Scene, zone: set[int]) -> list[Asked]:
    """GPUs needed: a count of workers is asked without "how many"."""
    for mention in scene.names(("worker", "node")):
        inside = any(q.start <= mention.start < q.end for q in scene.quantities)
        follow = {scene.word(mention.end), scene.word(mention.end + 1)}
        if (scene.tokens[mention.start].sentence in zone and not inside) and (
            follow & {"needed", "required", "necessary"}
        ):
            return [Asked("workers", "workers", mention.start, mention_words(scene, mention))]
    return []


def _batch_asked(scene: Scene, zone: set[int]) -> list[Asked]:
    """A batch size is asked, and not given beside its name."""
    for mention in scene.names(("batch", "perworkerbatch")):
        given = any(
            q.start - 5 <= mention.start < q.end
            for q in scene.quantities
            if q.noun == "sample" or q.dimension == "bare"
        )
        how_long = any(scene.in_sentence(s, "howlong") for s in zone)
        if scene.tokens[mention.start].sentence in zone and not given and not how_long:
            if scene.has("lr") or scene.has("throughput"):
                continue
            return [Asked("samples", "", mention.start, mention_words(scene, mention))]
    return []
