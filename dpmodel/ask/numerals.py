"""Numbers as people write them: 1,200 and 1.200 and 37,5, twenty-four, fünfundzwanzig, 二十四."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dpmodel.ask.labels import is_label
from dpmodel.ask.lexicon import Lexicon, Mention
from dpmodel.ask.number_words import (
    CHINESE_DIGITS,
    CHINESE_TENS,
    chinese_share,
    number_word,
    sum_chinese,
)
from dpmodel.ask.text import Token, fold
from dpmodel.units import UNITS

_GROUPED = re.compile(r"^\d{1,3}(?:[ '.,]\d{3})+(?:[.,]\d+)?$")


_LARGEST = 1e24  # beyond, a number is a slip or a joke


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number without its unit: tokens `start` up to, not including, `end`.

    `kind` is ``digits``, ``words``, ``share`` (a fifth) or ``fold`` (eightfold).
    """

    value: float
    start: int
    end: int
    kind: str
    loose: bool = False


def read_digits(text: str, decimal: str, whole: bool = False) -> float:
    """Read digits with separators; `whole` says that only whole numbers make sense here."""
    body = text.replace(" ", "").replace("'", "")
    if "." in body and "," in body:
        mark = max(".,", key=body.rfind)
        other = "," if mark == "." else "."
        return float(body.replace(other, "").replace(mark, "."))
    for mark in ".,":
        if mark not in body:
            continue
        grouped = _GROUPED.match(body) and not body.startswith("0")
        several = body.count(mark) > 1
        if grouped and (several or mark != decimal or whole):
            return float(body.replace(mark, ""))
        return float(body.replace(mark, "."))
    return float(body)


def numerals(tokens: list[Token], lexicon: Lexicon, mentions: list[Mention]) -> list[Numeral]:
    """Find every number in order; labels such as ResNet-50 and "2)" are left out."""
    busy = {
        k
        for m in mentions
        if m.idea in ("zero1", "zero2", "zero3", "fp32", "fp16", "fp8", "fp64", "gustafson")
        for k in range(m.start, m.end)
    }
    found: list[Numeral] = []
    i = 0
    while i < len(tokens):
        numeral = None if i in busy else _numeral_at(tokens, i, lexicon)
        if numeral is None:
            i += 1
            continue
        if not abs(numeral.value) < _LARGEST:
            i = numeral.end
            continue
        if numeral.kind == "words" and _is_minus(tokens, numeral.start):
            numeral = replace(numeral, value=-numeral.value)
        if found and _is_exact_form(tokens, found[-1], numeral):
            found[-1] = replace(found[-1], value=numeral.value)
            i = numeral.end
            continue
        repeated = found and _repeats(tokens, found[-1], numeral)
        if not repeated:
            found.append(numeral)
        i = numeral.end
    return found


def _repeats(tokens: list[Token], last: Numeral, new: Numeral) -> bool:
    """Whether this is the same number again in brackets: one (1)."""
    bracketed = new.start > 0 and tokens[new.start - 1].text == "("
    return bracketed and new.start - last.end <= 2 and new.value == last.value


def _is_exact_form(tokens: list[Token], last: Numeral, new: Numeral) -> bool:
    """Whether brackets give the exact number of a rounded one: 4k (4096)."""
    bracketed = new.start > 0 and tokens[new.start - 1].text == "(" and new.start - last.end <= 1
    return bracketed and 0 < abs(new.value - last.value) < 0.03 * abs(last.value)


def _numeral_at(tokens: list[Token], i: int, lexicon: Lexicon) -> Numeral | None:
    token = tokens[i]
    if token.kind == "clock":
        h, m, s = (float(p) for p in token.text.split(":"))
        return Numeral(h * UNITS["time"]["h"] + m * UNITS["time"]["min"] + s, i, i + 1, "clock")
    if token.kind == "num":
        return None if is_label(tokens, i) else _digits(tokens, i, lexicon)
    if token.kind == "cjk":
        return _chinese(tokens, i, lexicon)
    return _words(tokens, i, lexicon) or _fold(tokens, i, lexicon)


def _digits(tokens: list[Token], i: int, lexicon: Lexicon) -> Numeral:
    token = tokens[i]
    end = i + 1
    value = read_digits(token.text, lexicon.decimal)
    loose = bool(_GROUPED.match(token.text))
    if end + 1 < len(tokens) and tokens[end].text == "^" and tokens[end + 1].kind == "num":
        value, end = value ** min(float(tokens[end + 1].text), 99.0), end + 2
    if end + 1 < len(tokens) and tokens[end].text == "/" and tokens[end + 1].kind == "num":
        below = read_digits(tokens[end + 1].text, lexicon.decimal)
        if below > value and tokens[end].start == token.end and below <= 100 and value < 100:
            return Numeral(value / below, i, end + 2, "share")
    value, end = _scaled(tokens, end, value, lexicon)
    value, end = _and_a_half(tokens, end, value, lexicon)
    sign = -1.0 if _is_minus(tokens, i) else 1.0
    return Numeral(sign * value, i, end, "digits", loose and end == i + 1)


def _is_minus(tokens: list[Token], i: int) -> bool:
    if i and tokens[i - 1].low in ("minus", "negative", "moins", "menos"):
        return i < 2 or tokens[i - 2].kind != "num"
    if not i or tokens[i - 1].text != "-" or tokens[i - 1].end != tokens[i].start:
        return False
    return (
        i == 1
        or (tokens[i - 2].end < tokens[i - 1].start or tokens[i - 2].text in "(=:")
        and (tokens[i - 2].kind != "num")
    )


def _scaled(tokens: list[Token], end: int, value: float, lexicon: Lexicon) -> tuple[float, int]:
    """Multiply by a scale that follows: 7B, 600k, 1.3 billion, 3 Mio."""
    while end < len(tokens):
        word = tokens[end]
        attached = word.start == tokens[end - 1].end
        known = lexicon.numbers.get(word.low, 0)
        if (
            (
                known >= 100
                or word.low in ("dozen", "dozens", "dutzend", "docenas", "duzias", "douzaines")
            )
            and word.kind in ("word", "cjk")
            and known != 100
        ):
            value, end = value * known, end + 1
        elif attached and word.text in ("k", "K", "M", "B", "bn", "T", "G", "Mio", "m"):
            if word.text == "m":  # 25m parameters are millions; 30m is minutes
                break
            scale = UNITS["count"][word.text]
            following = tokens[end + 1] if end + 1 < len(tokens) else None
            if word.text in ("B", "T", "G", "k", "K") and following is not None:
                per_each = following.text == "/" or following.low in ("per", "each")
                if word.text == "B" and per_each:
                    break
            value, end = value * scale, end + 1
            break
        else:
            break
    return value, end


def _and_a_half(tokens: list[Token], end: int, value: float, lexicon: Lexicon) -> tuple[float, int]:
    """Two and a half; deux et demi."""
    if end + 1 >= len(tokens) or tokens[end].low not in lexicon.grammar["and"]:
        return value, end
    k = end + 1
    if tokens[k].low in lexicon.grammar["article"] and k + 1 < len(tokens):
        k += 1
    share = lexicon.fractions.get(tokens[k].low)
    if share is not None and share in (0.5, 0.25) and value == int(value):
        return value + share, k + 1
    return value, end


def _words(tokens: list[Token], i: int, lexicon: Lexicon) -> Numeral | None:
    word = tokens[i].low
    if word in ("millions", "billions", "thousands", "hundreds", "dozens", "millones"):
        return None  # a unit to answer in, not a number
    number = number_word(word, lexicon)
    fraction = lexicon.fractions.get(word)
    article = word in lexicon.grammar["article"]
    after = tokens[i + 1].low if i + 1 < len(tokens) else ""
    if fraction is not None:
        return _fraction(tokens, i, 1.0, i, lexicon)
    if article and (number is None or number == 1):
        big = number_word(after, lexicon)
        if big is not None and big >= 12 and word != "the":
            return _counted(tokens, i, big, i + 2, lexicon)
        if after in lexicon.fractions:
            return _fraction(tokens, i + 1, 1.0, i, lexicon)
        if after in lexicon.grammar.get("couple", ()):
            return Numeral(2.0, i, i + 2, "words")
    if number is None:
        return None
    value, end = _sum_words(tokens, i, number, lexicon)
    if end < len(tokens) and _is_part(tokens, end, lexicon):
        k = end + 1 if tokens[end].text == "-" else end
        return _fraction(tokens, k, value, i, lexicon)
    return _counted(tokens, i, value, end, lexicon)


def _counted(tokens: list[Token], i: int, value: float, end: int, lexicon: Lexicon) -> Numeral:
    value, end = _and_a_half(tokens, end, value, lexicon)
    kind = "words"
    k = end + 1 if end < len(tokens) and tokens[end].text == "-" else end
    if k < len(tokens) and tokens[k].low == "fold":
        return Numeral(value, i, k + 1, "fold")
    return Numeral(value, i, end, kind)


def _is_part(tokens: list[Token], end: int, lexicon: Lexicon) -> bool:
    k = end + 1 if tokens[end].text == "-" and end + 1 < len(tokens) else end
    return tokens[k].low in lexicon.fractions and tokens[k].low not in lexicon.grammar["half"]


def _fraction(
    tokens: list[Token], k: int, times: float, start: int, lexicon: Lexicon
) -> Numeral | None:
    """A fifth, two-thirds, half; half a dozen is a count, a third worker is no number."""
    value, end = times * lexicon.fractions[tokens[k].low], k + 1
    rest = [t.low for t in tokens[end : end + 2]]
    if rest and rest[0] in lexicon.grammar["article"]:
        inner = number_word(rest[1], lexicon) if len(rest) > 1 else None
        if inner is not None and inner >= 12:
            return Numeral(value * inner, start, end + 2, "words")
    ordinal = tokens[k].low not in lexicon.grammar["half"] and tokens[k].low[-1:] != "s"
    if ordinal and start == k:  # "fifth" without "a" or a number before it
        return None
    return Numeral(value, start, end, "share")


def _sum_words(tokens: list[Token], i: int, first: float, lexicon: Lexicon) -> tuple[float, int]:
    total, current, last, end = 0.0, first, first, i + 1
    while end < len(tokens):
        k = end
        if tokens[k].text == "-" and k + 1 < len(tokens):
            k += 1
        joined = tokens[k].low in lexicon.grammar["and"] and k + 1 < len(tokens)
        if joined:
            tens = last in range(20, 100, 10) and bool(lexicon.grammar.get("joins_tens"))
            if last < 100 and not tens:
                break
            k += 1
        value = number_word(tokens[k].low, lexicon)
        if value is None or value == 0:
            break
        if value >= 100:
            if value >= 1000:
                total, current = total + current * value, 0.0
            else:
                current *= value
        elif (
            current % 100 == 0
            and current >= 100
            or current == 0
            and total
            or current % 100 in range(20, 100, 10)
            and value < 10
        ):
            current += value
        else:
            break
        last, end = value, k + 1
    return total + current, end


def _fold(tokens: list[Token], i: int, lexicon: Lexicon) -> Numeral | None:
    """Eightfold, tenfold."""
    word = tokens[i].low
    if word.endswith("fold") and len(word) > 6:
        value = lexicon.numbers.get(fold(word[:-4]))
        if value:
            return Numeral(value, i, i + 1, "fold")
    return None


def _chinese(tokens: list[Token], i: int, lexicon: Lexicon) -> Numeral | None:
    percent = [t.text for t in tokens[i : i + 3]] == ["百", "分", "之"]
    if percent:
        share = chinese_share(tokens, i + 3)
        return Numeral(share[0], i, share[1], "share") if share else None
    if i and [t.text for t in tokens[i - 1 : i + 1]] == ["百", "分"]:
        return None
    if tokens[i].text == "半":
        return Numeral(0.5, i, i + 1, "share")
    end = i
    while end < len(tokens) and tokens[end].text in (CHINESE_DIGITS | CHINESE_TENS):
        end += 1
    return Numeral(sum_chinese(tokens, i, end), i, end, "words") if end > i else None
