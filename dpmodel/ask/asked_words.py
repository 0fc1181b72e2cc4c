"""Words of a mention, and what follows them."""

from __future__ import annotations

from dpmodel.ask.lexicon import Mention
from dpmodel.ask.scene import Scene


def only_named(scene: Scene, i: int) -> bool:
    """Triple the number of GPUs: the number is named, not asked."""
    if scene.word(i - 1) not in (
        "the",
        "any",
        "same",
        "infinite",
        "a",
        "large",
        "larger",
        "unlimited",
    ):
        return False
    return scene.word(i - 2) not in (
        "is",
        "what",
        "find",
        "give",
        "determine",
        "compute",
        "calculate",
        "estimate",
        "and",
        ":",
        "state",
        "was",
        "are",
    )


def rate_follows(scene: Scene, i: int) -> bool:
    """Whether "per second" follows."""
    return scene.word(i) in ("/", "per", "a") and scene.word(i + 1) in ("s", "second", "sec")


def mention_words(scene: Scene, mention: Mention) -> str:
    """The text of a mention."""
    return scene.text[scene.tokens[mention.start].start : scene.tokens[mention.end - 1].end]
