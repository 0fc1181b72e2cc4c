"""Change a question so that it should no longer get its answer, or mangle it altogether."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.scene import Scene
from dpmodel.ask.situation import situate

_DIGITS = re.compile(r"[\d.,]*\d")
_ODD = [
    "½",
    "∞",
    "1e999",
    "-",
    "%%",
    "٣",
    "\u202e",
    "<b>x</b>",
    "[a](b)",
    "`",
    "{}",
    "$$",
    "😀",
    "\x00",
]


def quantities(text: str) -> list[Quantity]:
    """The quantities of a question that stand in it as they were read."""
    scene = Scene(text)
    situate(scene)
    found = [q for q in scene.quantities if q.dimension != "bare"]
    return [q for q in found if text[q.span[0] : q.span[1]] == q.text]


def spoilt(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to remove, contradict or make impossible one quantity of a question."""
    for q in quantities(text):
        start, end = q.span
        yield "removed", f"{text[:start]} {text[end:]}"
        digits = _DIGITS.search(q.text)
        if q.spoken != "digits" or not digits:
            continue
        other = f"{q.text[: digits.start()]}{_doubled(digits.group())}{q.text[digits.end() :]}"
        yield "contradicted", f"{text[:end]} (elsewhere {other}){text[end:]}"
        if digits.start() == 0:
            yield "negative", f"{text[:start]}-{text[start:]}"


def _doubled(digits: str) -> str:
    return str(round(2 * float(digits.replace(",", "")) + 3))


def mangled(texts: list[str], dice: random.Random) -> str:
    """Return a random string: pieces of questions cut, joined and sown with odd signs."""
    kind = dice.randrange(4)
    if kind == 0:
        return "".join(chr(dice.randrange(32, 0x2FFF)) for _ in range(dice.randrange(200)))
    words = dice.choice(texts).split()
    if kind == 1:
        dice.shuffle(words)
    for _ in range(dice.randrange(1, 6)):
        place = dice.randrange(len(words) + 1)
        if dice.random() < 0.5 and words:
            words.pop(min(place, len(words) - 1))
        else:
            words.insert(place, dice.choice([*_ODD, *dice.choice(texts).split()]))
    joiner = dice.choice([" ", " ", "", "\n", ", "])
    return joiner.join(words)
