"""Numbers that are names: ResNet-50, Exercise 3."""

from __future__ import annotations

from dpmodel.ask.lexicon import listed
from dpmodel.ask.text import Token

_NAMES = frozenset(listed("numerals_names"))


_LABELLED = frozenset(listed("numerals_labelled"))


def is_label(tokens: list[Token], i: int) -> bool:
    """Whether the number at a token is part of a name."""
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if before is not None and before.kind == "word":
        joined = before.end == tokens[i].start
        if before.low in _NAMES:
            share = after is not None and after.text == "%"
            return (
                not share
                and tokens[i].text.replace(".", "").isdigit()
                and before.low not in ("part",)
            )
        if before.low in _LABELLED and tokens[i].text.isdigit() and not joined:
            return (
                after is not None
                and (after.kind == "word" or after.text in ":)")
                and (before.low not in ("no",) and _singular_label(tokens, i))
            )
    if before is not None and before.text == "-" and i >= 2:
        name = tokens[i - 2]
        return (
            name.kind == "word"
            and name.end == before.start
            and (name.low in _NAMES or not name.low.islower() or len(name.low) > 2)
            and before.end == tokens[i].start
            and name.low not in ("x",)
        )
    return before is not None and before.text == "#"


def _singular_label(tokens: list[Token], i: int) -> bool:
    """Worker 3 saw ...: a name; but GPU 8: 410 img/s is a count."""
    after = tokens[i + 1]
    return after.low in (
        "saw",
        "has",
        "had",
        "reports",
        "computed",
        "takes",
        "is",
        "processed",
        "gets",
    )
