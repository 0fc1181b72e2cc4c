"""Words and the ideas they stand for, by language, from `dpmodel/data/ask/*.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from dpmodel.ask.text import Token, fold, tokens_of

LANGUAGES = ("en", "de", "fr", "es", "pt", "zh")
_SHORTEST_SLIP = 5


@dataclass(frozen=True, slots=True)
class Mention:
    """An idea named in the text: tokens `start` up to, not including, `end`."""

    idea: str
    start: int
    end: int


@cache
def data(name: str) -> dict[str, Any]:
    """Read one TOML file of the ask room."""
    path = files("dpmodel") / "data" / "ask" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def language_of(tokens: list[Token]) -> str:
    """Guess the language by its commonest words; English where nothing speaks for another."""
    if sum(token.kind == "cjk" for token in tokens) >= 3:
        return "zh"
    words = [token.low for token in tokens if token.kind == "word"]
    best, most = ["en"], 0.0
    for name, common in data("languages")["common"].items():
        known = _common(name, common)
        count = sum(word in known for word in words if len(word) > 1) + 2 * sum(
            any(c in data("languages")["letters"].get(name, "") for c in t.text.lower())
            for t in tokens
        )
        if count > most:
            best, most = [name], count
        elif count == most and count:
            best.append(name)
    if len(best) == 1:
        return best[0]
    return max(best, key=lambda name: sum(word in lexicon(name).exact for word in words))


@cache
def _common(name: str, words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split("|"))


def _split(phrase: str) -> tuple[str, ...]:
    return tuple(word + ("*" if star else "") for word, star in _words_with_star(phrase))


def _words_with_star(phrase: str) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    for token in tokens_of(phrase):
        if token.text == "*" and found:
            found[-1] = (found[-1][0], True)
        elif token.text != "-":
            found.append((token.low, False))
    return found


class Lexicon:
    """The phrases of one language together with the English ones, ready to be looked up."""

    def __init__(self, language: str) -> None:
        sources = [data(language)] + ([data("en")] if language != "en" else [])
        self.language = language
        self.exact: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.open: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.units: dict[tuple[str, ...], str] = {}
        self.numbers: dict[str, float] = {}
        self.fractions: dict[str, float] = {}
        self.grammar: dict[str, set[str]] = {}
        self.decimal = sources[0]["language"]["decimal"]
        for source in reversed(sources):
            self._add(source)
        self._slips = _deletions({word for word in self.exact if len(word) >= _SHORTEST_SLIP})

    def _add(self, source: dict[str, Any]) -> None:
        for idea, phrases in source["ideas"].items():
            for phrase in phrases.split("|"):
                words = _split(phrase)
                table = self.open if words[0].endswith("*") else self.exact
                key = words[0][:3] if words[0].endswith("*") else words[0]
                table.setdefault(key, []).append((words, idea))
        for unit, names in source["units"].items():
            self.units |= {_split(name): unit for name in names.split("|")}
        self.numbers |= {fold(k): float(v) for k, v in source["numbers"].items()}
        self.fractions |= {fold(k): float(v) for k, v in source["fractions"].items()}
        for name, words in source["grammar"].items():
            self.grammar.setdefault(name, set()).update(fold(w) for w in words.split("|"))

    def slip(self, word: str) -> str | None:
        """Return the known word that this one misspells by one letter, if there is one."""
        if len(word) < _SHORTEST_SLIP or word in self.exact:
            return None
        for form in [word, *(word[:i] + word[i + 1 :] for i in range(len(word)))]:
            for known in self._slips.get(form, ()):
                if _is_slip(word, known):
                    return known
        return None

    def mentions(self, tokens: list[Token]) -> list[Mention]:
        """Find every idea; where phrases start at one token, the longest wins.

        A phrase inside a longer one is not a mention of its own.
        """
        words = [t for t in tokens if t.text != "-"]
        place = [i for i, t in enumerate(tokens) if t.text != "-"]
        lows = [t.low for t in words]
        found: list[Mention] = []
        covered_to, covering = -1, 0
        for i in range(len(lows)):
            hits = self._hits(lows, i)
            if not hits:
                continue
            longest = max(length for length, _ in hits)
            if i + longest <= covered_to and longest < covering:
                continue
            for length, idea in hits:
                if length == longest:
                    found.append(Mention(idea, place[i], place[i + length - 1] + 1))
            if i + longest > covered_to:
                covered_to, covering = i + longest, longest
        return found

    def every(self, tokens: list[Token]) -> dict[int, list[Mention]]:
        """Find every phrase at every token, those inside longer phrases too."""
        place = [i for i, t in enumerate(tokens) if t.text != "-"]
        lows = [tokens[i].low for i in place]
        return {
            place[i]: [Mention(idea, place[i], place[i + n - 1] + 1) for n, idea in hits]
            for i in range(len(lows))
            if (hits := self._hits(lows, i))
        }

    def _hits(self, lows: list[str], i: int) -> list[tuple[int, str]]:
        entries = self.exact.get(lows[i], []) + self.open.get(lows[i][:3], [])
        return [(len(words), idea) for words, idea in entries if _fits(words, lows, i)]


def _fits(words: tuple[str, ...], lows: list[str], i: int) -> bool:
    if i + len(words) > len(lows):
        return False
    for word, low in zip(words, lows[i:], strict=False):
        if word != low and not (word[-1] == "*" and len(word) > 1 and low.startswith(word[:-1])):
            return False
    return True


def _deletions(words: set[str]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for word in sorted(words):
        for form in {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}:
            table.setdefault(form, []).append(word)
    return table


def _is_slip(word: str, known: str) -> bool:
    """One letter swapped, missing, doubled or wrong inside the word; another ending is no slip."""
    if word[0] != known[0] or abs(len(word) - len(known)) > 1:
        return False
    if sorted(word) == sorted(known):
        return sum(a != b for a, b in zip(word, known, strict=True)) == 2
    if len(word) == len(known):
        wrong = [k for k, (a, b) in enumerate(zip(word, known, strict=True)) if a != b]
        return len(wrong) == 1 and wrong[0] < len(word) - 2 and len(word) > 5
    short, long = sorted((word, known), key=len)
    cut = next((k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return (
        cut < len(short) and short[cut:] == long[cut + 1 :] and not long.endswith("s" + short[-1:])
    )


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language, read once."""
    return Lexicon(language)
