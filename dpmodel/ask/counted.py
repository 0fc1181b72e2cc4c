"""How many of what is asked."""

from __future__ import annotations

from dpmodel.ask.asked import Asked
from dpmodel.ask.asked_words import mention_words, only_named, rate_follows
from dpmodel.ask.free_units import SPELT, spelt
from dpmodel.ask.lexicon import Mention
from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS

COUNT_TARGETS = {
    "worker": "workers",
    "node": "workers",
    "epoch": "epochs",
    "step": "steps",
    "micro": "accumulation",
    "sample": "samples",
    "token": "samples",
    "param": "params",
    "bucket": "buckets",
}


def how_many(scene: Scene, zone: set[int]) -> list[Asked]:
    """What a "how many" asks for, in the asked sentences."""
    found = []
    for mention in scene.by_idea.get("howmany", ()):
        if scene.tokens[mention.start].sentence not in zone:
            continue
        asked = _counted_thing(scene, mention)
        if asked:
            found.append(asked)
    return found


def _counted_thing(scene: Scene, mention: Mention) -> Asked | None:
    hits = scene.lexicon.every(scene.tokens)
    words = mention_words(scene, mention).lower()
    if words == "number of" and only_named(scene, mention.start):
        return None
    if words in ("cluster size", "which n", "what n", "optimal n", "best n", "worker count") or (
        words in ("gpu count", "which gpu count", "which worker count", "n?", "n =")
        or "cluster" in words
    ):
        return Asked("workers", "workers", mention.start, words)
    inside = {
        k for q in scene.quantities for k in range(q.start, q.end) if q.noun not in COUNT_TARGETS
    }
    for i in range(mention.end, min(mention.end + 5, len(scene.tokens))):
        token = scene.tokens[i]
        if i in inside:
            continue
        if (token.low,) in scene.lexicon.units:
            unit = scene.lexicon.units[(token.low,)]
            return Asked("duration", unit, mention.start, words)
        if (
            token.text in UNITS["data"]
            and len(token.text) > 1
            or token.low in SPELT
            or spelt(scene, token.low, "")
        ):
            return Asked("data", spelt(scene, token.low, token.text), mention.start, words)
        if token.low in ("times", "fold", "mal", "veces", "fois", "vezes"):
            return Asked("speedup", "x", mention.start, words)
        if token.low in ("percent", "%"):
            return None
        if token.low in ("dollars", "euros", "usd", "eur"):
            return Asked("cost", "", mention.start, words)
        ideas = {m.idea: m for m in hits.get(i, ()) if m.idea in COUNT_TARGETS}
        if ideas:
            longest = max(ideas.values(), key=lambda m: m.end)
            target = COUNT_TARGETS[longest.idea]
            follow = scene.word(longest.end)
            hours = scene.lexicon.units.get((follow,), "") in ("h", "d") and len(follow) > 1
            if target == "workers" and (follow == "-" or hours):
                return Asked("worker_hours", "h", mention.start, words)
            if target in ("samples", "steps") and rate_follows(scene, longest.end):
                return Asked("throughput", "", mention.start, words)
            return Asked(target, "workers" if target == "workers" else "", mention.start, words)
    return None
