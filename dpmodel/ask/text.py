"""Text to tokens: words, numbers and signs, each with its place, sentence and clause."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# One character for one character, so that every place in the cleaned text is a place in the typed.
_PLAIN = str.maketrans(
    "‐‑‒–—−’‘“”«»\u00a0\u202f\u2009\t×：，。；？！（）％０１２３４５６７８９、．／＝",
    '------\'\'""""    x:,.;?!()%0123456789,./=',
)
LONGEST = 4000

_TOKEN = re.compile(
    r"(?P<arrow>-+>|=>|→|⇒|➜)"
    r"|(?P<clock>\d{1,3}:\d{2}:\d{2}(?!\d))"
    r"|(?P<num>(?:\d{1,3}(?:[ '.,]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?(?:[eE][+-]?\d+(?![\w]))?|(?<![\w\u3400-\u9fff)。])[.]\d+)"
    r"|(?P<by>x(?=\d))"
    r"|(?P<cjk>[\u3400-\u9fff])"
    r"|(?P<elided>\b[dlnscjmtDLNSCJMT]'(?=[^\W\d_]{2}))"
    r"|(?P<word>[^\W\d_][^\W_\u3400-\u9fff]*(?:'[^\W\d_]+)?)"
    r"|(?P<line>\n)"
    r"|(?P<sign>\S)"
)
_ABBREVIATIONS = {"e.g", "i.e", "vs", "approx", "ca", "bzw", "z.b", "resp", "no", "nr", "fig", "eq"}


@dataclass(slots=True)
class Token:
    """One word, number or sign of the question.

    `low` is lower-case without accents; `sentence` and `clause` count from 0.
    """

    text: str
    low: str
    start: int
    end: int
    kind: str
    sentence: int = 0
    clause: int = 0


_LISTED = re.compile(r"(?<![\d.,])\d+(?: \d+){3,}(?![\d])")


_SLASHES = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?){2,}(?![\w])")
_COMMAS = re.compile(r"(?<![\d.,])\d+(?:,\d+){3,}(?![\d])")


def _separate(run: re.Match[str]) -> str:
    """1,2,4,8 is a list; 1,281,167,000 is one number."""
    groups = run.group().split(",")
    one_number = len(groups[0]) <= 3 and all(len(g) == 3 for g in groups[1:])
    return run.group() if one_number else run.group().replace(",", "_")


def clean(text: str) -> str:
    """Return the text with typographic signs made plain; no place in it moves."""
    kept = text[:LONGEST].translate(_PLAIN)
    # Four numbers in a row are a list, not one number with spaces between its thousands.
    kept = _LISTED.sub(lambda run: run.group().replace(" ", "_"), kept)
    kept = _COMMAS.sub(_separate, kept)
    kept = _SLASHES.sub(lambda run: run.group().replace("/", "_"), kept)
    return "".join(c if c in "\n" or unicodedata.category(c)[0] != "C" else " " for c in kept)


def fold(word: str) -> str:
    """Lower-case a word and take off its accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower().replace("ß", "ss"))
    return "".join(c for c in parts if not unicodedata.combining(c))


def tokens_of(text: str) -> list[Token]:
    """Cut cleaned text into tokens and number their sentences and clauses."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = "word" if match.lastgroup == "elided" else str(match.lastgroup)
        word = match.group()
        found.append(Token(word, fold(word), match.start(), match.end(), kind))
    _number_parts(found, text)
    return found


def _number_parts(tokens: list[Token], text: str) -> None:
    sentence = clause = 0
    for i, token in enumerate(tokens):
        token.sentence, token.clause = sentence, clause
        if _ends_sentence(tokens, i, text):
            sentence, clause = sentence + 1, clause + 1
        elif token.text in ",:()" or token.kind == "line":
            clause += 1


def _ends_sentence(tokens: list[Token], i: int, text: str) -> bool:
    token = tokens[i]
    if token.text in "?!;":
        return True
    if token.kind == "line":
        return i > 0 and tokens[i - 1].text != ","
    if token.text != ".":
        return False
    follows = text[token.end : token.end + 1]
    before = tokens[i - 1].low if i else ""
    return (not follows or follows.isspace() or ord(follows) > 0x2FFF) and (
        before not in _ABBREVIATIONS
    )
