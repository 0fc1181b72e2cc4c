"""Places where a question lacks a word: "a run on . takes", "for within two hours"."""

from __future__ import annotations

from dpmodel.ask.lexicon import listed
from dpmodel.ask.scene import Scene

_BEFORE_A_THING = frozenset(listed("holes_before_a_thing"))
_PAIRS = frozenset(listed("holes_pairs"))
_ENDS = frozenset(["with", "of", "from", "within", "at", "between", "than"])


def hole(scene: Scene) -> str:
    """Return the word after which something is missing, or ""."""
    for i, token in enumerate(scene.tokens[:-1]):
        after = scene.tokens[i + 1]
        if token.text == "," and after.text in (",", ".", ";"):
            return ","
        if token.text in ";." and after.text == ";" and after.start > token.end:
            return ";"
        if (token.low, after.low) in (("from", "to"), ("between", "and")):
            return token.text
        if token.low not in _BEFORE_A_THING or token.kind != "word":
            continue
        if after.text in ".,;:)!" and not _may_end(scene, i):
            return token.text
        if after.text == "?" and token.low in _ENDS - {"than"}:
            return token.text
        if (after.low in _BEFORE_A_THING and f"{token.low} {after.low}" not in _PAIRS) and (
            after.low
            not in (
                "at",
                "over",
                "under",
                "about",
                "around",
                "en",
                "em",
                "por",
            )
            and token.low not in ("en", "em", "por")
        ):
            return token.text
    return ""


def _may_end(scene: Scene, i: int) -> bool:
    """It runs on. A comma or full stop after a verb's own preposition is no hole."""
    before = scene.word(i - 1)
    return before in (
        "run",
        "runs",
        "train",
        "works",
        "depends",
        "going",
        "goes",
        "rely",
        "so",
        "relied",
        "carry",
        "carries",
        "left",
        "trained",
        "built",
        "early",
        "later",
        "keep",
        "moves",
        "turned",
        "switched",
    )
