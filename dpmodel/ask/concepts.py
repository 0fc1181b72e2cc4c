"""Concept cards: whether a statement, or an option after its stem, is right, wrong or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dpmodel.ask.lexicon import data
from dpmodel.ask.text import clean, tokens_of

_NEGATORS = frozenset(
    [
        "not",
        "never",
        "cannot",
        "neither",
        "nor",
        "n't",
        "don't",
        "doesn't",
        "isn't",
        "aren't",
        "can't",
        "won't",
    ]
)


@dataclass(frozen=True)
class Pattern:
    """Groups of alternatives that must all occur, and groups that must not."""

    needed: tuple[tuple[str, ...], ...]
    banned: tuple[tuple[str, ...], ...]
    negative: bool


@dataclass(frozen=True)
class Card:
    """One concept with what is right and wrong about it."""

    name: str
    about: Pattern
    right: tuple[Pattern, ...]
    wrong: tuple[Pattern, ...]
    reason: str
    source: str
    whole: bool = False


@dataclass(frozen=True)
class Verdict:
    """Support of a statement: above 0 right, below 0 wrong, with the card that decided."""

    score: float
    card: Card | None = None


def spaced(text: str) -> str:
    """Lower-case words between single spaces, hyphens gone."""
    return " " + " ".join(t.low for t in tokens_of(clean(text)) if t.text != "-") + " "


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(
        spaced(word.strip().rstrip("*")).strip() + ("*" if word.strip().endswith("*") else "")
        for word in text.split("|")
        if word.strip()
    )


def pattern(text: str) -> Pattern:
    """Read "a|b & c & !d": needed and banned groups of alternatives."""
    needed, banned = [], []
    for group in text.replace(" !", " &!").replace("&&", "&").split("&"):
        group = group.strip()
        if group.startswith("!"):
            banned.append(_alternatives(group[1:]))
        elif group:
            needed.append(_alternatives(group))
    words = {word for group in needed for phrase in group for word in phrase.split()}
    return Pattern(tuple(needed), tuple(banned), bool(words & _NEGATORS))


@cache
def cards() -> tuple[Card, ...]:
    """All concept cards, read once."""
    return tuple(
        Card(
            c["id"],
            pattern(c["about"]),
            tuple(pattern(p) for p in c["right"]),
            tuple(pattern(p) for p in c["wrong"]),
            c["reason"],
            c["source"],
            c.get("whole", False),
        )
        for c in data("concepts")["card"]
    )


def named_card(name: str) -> Card:
    """Return the card of a name."""
    return next(card for card in cards() if card.name == name)


def _hit(phrase: str, text: str) -> bool:
    if phrase.endswith("*"):
        return f" {phrase[:-1]}" in text
    return f" {phrase} " in text


def strength(shape: Pattern, text: str) -> float:
    """How much of a text a pattern speaks of; 0 where it does not fit."""
    if any(_hit(p, text) for group in shape.banned for p in group):
        return 0.0
    total = 0.0
    for group in shape.needed:
        hits = [p for p in group if _hit(p, text)]
        if not hits:
            return 0.0
        total += 1.0 + 0.35 * max(p.count(" ") for p in hits) + 0.15 * (len(hits) - 1)
    return total


def judge(statement: str, option: str | None = None) -> Verdict:
    """Support for a statement, or for an option as the end of its stem.

    Parameters
    ----------
    statement : str
        A whole statement, or the stem of a question.
    option : str, optional
        One option; right and wrong patterns are then looked for in it alone.
    """
    whole = spaced(statement if option is None else f"{statement} {option}")
    part = whole if option is None else spaced(option)
    best = Verdict(0.0)
    for card in cards():
        about = strength(card.about, spaced(statement) if option is not None else whole)
        if not about:
            continue
        right, negative_right = _best(card.right, part)
        wrong, negative_wrong = _best(card.wrong, part)
        score = right - wrong
        negative = negative_right if right >= wrong else negative_wrong
        if score and not negative and _negated(part):
            score = -score
        value = score * (0.5 + 0.25 * about)
        if abs(value) > abs(best.score):
            best = Verdict(value, card)
    return best


def choose(stem: str, options: dict[str, str], inverted: bool) -> tuple[str, Card | None]:
    """The option that one card sets apart from all others, "" where none does.

    Parameters
    ----------
    stem : str
        The question before its options.
    options : dict of str to str
        Option texts by letter.
    inverted : bool
        Whether the odd one out is asked: least likely, not, except.
    """
    flat = spaced(stem)
    texts = {letter: spaced(text) for letter, text in options.items()}
    best, most, by = "", 0.35, None
    for card in cards():
        about = strength(card.about, flat)
        if not about:
            continue
        scores = {
            letter: _support(card, flat + text if card.whole else text)
            for letter, text in texts.items()
        }
        if inverted:
            scores = {letter: -score for letter, score in scores.items()}
        order = sorted(scores, key=lambda letter: -scores[letter])
        gap = scores[order[0]] - scores[order[1]]
        sure = scores[order[0]] > 0 or all(scores[k] < 0 for k in order[1:])
        value = gap * (0.5 + 0.25 * about) * (1.0 if scores[order[0]] > 0 else 0.5)
        if sure and gap > 0.2 and value > most:
            best, most, by = order[0], value, card
    return best, by


def _support(card: Card, text: str) -> float:
    right, negative_right = _best(card.right, text)
    wrong, negative_wrong = _best(card.wrong, text)
    score = right - wrong
    negative = negative_right if right >= wrong else negative_wrong
    return -score if score and not negative and _negated(text) else score


def _best(patterns: tuple[Pattern, ...], text: str) -> tuple[float, bool]:
    scores = [(strength(p, text), p.negative) for p in patterns]
    return max(scores, default=(0.0, False))


def _negated(text: str) -> bool:
    words = text.split()
    count = sum(word in _NEGATORS for word in words)
    idle = text.count(" no matter ") + text.count(" not only ") + text.count(" no longer ")
    return (count - idle) % 2 == 1
