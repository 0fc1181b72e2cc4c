"""Number words: fünfundzwanzig, 二十四."""

from __future__ import annotations

from functools import cache

from dpmodel.ask.lexicon import Lexicon
from dpmodel.ask.text import Token
from dpmodel.units import UNITS


@cache
def _german(lexicon_name: str) -> dict[str, float]:
    ones = ["ein", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun"]
    tens = ["zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    return {
        f"{one}und{ten}": 10.0 * (t + 2) + o + 1
        for t, ten in enumerate(tens)
        for o, one in enumerate(ones)
    }


def number_word(word: str, lexicon: Lexicon) -> float | None:
    """Value of one number word, glued German ones included."""
    if word in lexicon.numbers:
        return lexicon.numbers[word]
    if lexicon.language == "de":
        return _german("de").get(word)
    return None


CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}


CHINESE_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10000, "亿": 100000000}


def chinese_share(tokens: list[Token], i: int) -> tuple[float, int] | None:
    """百分之五 and 百分之5."""
    if i < len(tokens) and tokens[i].kind == "num":
        return float(tokens[i].text.replace(",", "")) * UNITS["fraction"]["%"], i + 1
    end = i
    while end < len(tokens) and tokens[end].text in (CHINESE_DIGITS | CHINESE_TENS):
        end += 1
    if end == i:
        return None
    inner = sum_chinese(tokens, i, end)
    return inner * UNITS["fraction"]["%"], end


def sum_chinese(tokens: list[Token], i: int, end: int) -> float:
    """Value of Chinese numerals."""
    total, section, digit = 0.0, 0.0, 0.0
    for token in tokens[i:end]:
        char = token.text
        if char in CHINESE_DIGITS:
            digit = float(CHINESE_DIGITS[char])
        elif CHINESE_TENS[char] >= 10000:
            total, section, digit = (total + section + digit) * CHINESE_TENS[char], 0.0, 0.0
        else:
            section, digit = section + (digit or 1.0) * CHINESE_TENS[char], 0.0
    return total + section + digit
