"""One question with everything found in it: words, ideas, quantities, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from dpmodel.ask.lexicon import Lexicon, Mention, language_of, lexicon
from dpmodel.ask.quantities import Quantity, Reader
from dpmodel.ask.text import Token, clean, fold, tokens_of

FAR = 99.0


def _without_brackets(tokens: list[Token]) -> tuple[list[int | None], list[int]]:
    """Places of tokens without what stands in brackets, and their clauses counted without it."""
    places: list[int | None] = []
    clauses, clause, depth, place = [], 0, 0, 0
    for token in tokens:
        if token.text == "(":
            depth += 1
        inside = depth > 0
        clauses.append(clause)
        places.append(None if inside else place)
        place += not inside
        if token.text == ")":
            depth = max(depth - 1, 0)
        elif not inside and (token.text in ",:.?!;" or token.kind == "line"):
            clause += 1
    return places, clauses


class Scene:
    """The cleaned text with its tokens, mentions of ideas and quantities."""

    def __init__(self, text: str, language: str | None = None) -> None:
        self.text = clean(text)
        self.tokens: list[Token] = tokens_of(self.text)
        self.language = language or language_of(self.tokens)
        self.lexicon: Lexicon = lexicon(self.language)
        self._mend_slips()
        self.mentions: list[Mention] = self.lexicon.mentions(self.tokens)
        self.by_idea: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            self.by_idea.setdefault(mention.idea, []).append(mention)
        self.quantities: list[Quantity] = Reader(
            self.tokens, self.lexicon, self.mentions, self.text
        ).read()
        self._place, self._clause = _without_brackets(self.tokens)
        self.flat = " " + " ".join(t.low for t in self.tokens if t.text != "-") + " "

    def _mend_slips(self) -> None:
        for token in self.tokens:
            if token.kind == "word":
                known = self.lexicon.slip(token.low)
                token.low = known or token.low

    def has(self, *ideas: str) -> bool:
        """Whether any of the ideas is named anywhere."""
        return any(idea in self.by_idea for idea in ideas)

    def says(self, *phrases: str) -> bool:
        """Whether any of these plain phrases occurs, whole words, case and hyphens aside."""
        return any(f" {fold(phrase)} " in self.flat for phrase in phrases)

    def names(self, ideas: Iterable[str]) -> list[Mention]:
        """All mentions of the ideas, in order."""
        found = [m for idea in ideas for m in self.by_idea.get(idea, ())]
        return sorted(found, key=lambda m: m.start)

    def in_sentence(self, sentence: int, *ideas: str) -> bool:
        """Whether a sentence names any of the ideas."""
        return any(self.tokens[m.start].sentence == sentence for m in self.names(ideas))

    def distance(self, quantity: Quantity, mention: Mention) -> float:
        """Words between a quantity and a mention; clause borders count as five, sentences far.

        Negative where the mention stands before the quantity.
        """
        if mention.start < quantity.end and mention.end > quantity.start:
            return 0.0
        before = mention.end <= quantity.start
        gap = quantity.start - mention.end if before else mention.start - quantity.end
        low, high = sorted((self.tokens[mention.start].clause, quantity.clause))
        a, b = self._place[mention.start], self._place[quantity.start]
        if a is not None and b is not None:  # what stands in brackets between them is skipped
            first, last = (mention.end, quantity.start) if before else (quantity.end, mention.start)
            gap = sum(self._place[i] is not None for i in range(first, last))
            low, high = sorted((self._clause[mention.start], self._clause[quantity.start]))
        gap += 5 * (high - low)
        if self.tokens[mention.start].sentence != quantity.sentence:
            gap += FAR
        return -gap - 0.5 if before else gap + 0.5

    def nearest(self, quantity: Quantity, *ideas: str) -> float:
        """Smallest distance to any of the ideas, without sign."""
        return min((abs(self.distance(quantity, m)) for m in self.names(ideas)), default=FAR)

    def before(self, quantity: Quantity, *ideas: str, within: float = 5) -> bool:
        """Whether an idea stands shortly before the quantity."""
        return any(-within <= self.distance(quantity, m) < 0 for m in self.names(ideas))

    def after(self, quantity: Quantity, *ideas: str, within: float = 5) -> bool:
        """Whether an idea stands shortly after the quantity, or in its unit."""
        return any(0 <= self.distance(quantity, m) <= within for m in self.names(ideas))

    def word(self, i: int) -> str:
        """The folded word at a token, "" outside the text."""
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def last_sentence(self) -> int:
        """Number of the last sentence."""
        return self.tokens[-1].sentence if self.tokens else 0

    def asked_sentences(self) -> set[int]:
        """Sentences that ask: those that end in a question mark, or the imperative ones."""
        marks = {t.sentence for t in self.tokens if t.text == "?"}
        if marks:
            return marks | {
                self.tokens[m.start].sentence
                for m in self.by_idea.get("question", ())
                if self._opens(m.start)
            }
        spoken = {self.tokens[m.start].sentence for m in self.by_idea.get("question", ())}
        return spoken or {self.last_sentence()}

    def _opens(self, i: int) -> bool:
        return i == 0 or self.tokens[i - 1].sentence != self.tokens[i].sentence
