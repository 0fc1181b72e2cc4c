"""Units behind a number: time, data, money, percent, factors, and nouns that are counted."""

from __future__ import annotations

from dpmodel.ask.lexicon import Lexicon, Mention
from dpmodel.ask.numerals import Numeral, numerals
from dpmodel.ask.quantity import COUNTED, Quantity
from dpmodel.ask.text import Token
from dpmodel.units import HOUR, UNITS

CURRENCY = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "usd": "USD", "eur": "EUR"}
CURRENCY |= {"dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "gbp": "GBP"}
CURRENCY |= {"bucks": "USD", "chf": "CHF", "dolares": "USD", "美": "USD", "元": "CNY"}
CURRENCY |= {"pounds": "GBP", "cents": "cents", "cent": "cents", "ct": "cents"}
_SPELT_DATA = {"byte": "B", "bytes": "B", "octets": "B", "bit": "bit", "bits": "bit"}
_SPELT_DATA |= {
    prefix + word: letter + unit
    for prefix, letter in (("kilo", "k"), ("mega", "M"), ("giga", "G"), ("tera", "T"))
    for word, unit in (("byte", "B"), ("bytes", "B"), ("bit", "bit"), ("bits", "bit"))
}
_SPELT_DATA |= {"gb": "GB", "mb": "MB", "kb": "kB", "tb": "TB", "gib": "GiB", "mib": "MiB"}
_SPELT_DATA |= {"gigs": "GB", "go": "GB", "mo": "MB", "kib": "KiB", "tib": "TiB"}
_NETWORKS = (1, 10, 25, 40, 50, 56, 100, 200, 400, 800)
TIME = UNITS["time"] | {
    "fortnight": 2 * UNITS["time"]["wk"],
    "month": 30 * UNITS["time"]["d"],
    "year": 365 * UNITS["time"]["d"],
}


class UnitReader:
    """Reads the unit that follows a number in the tokens of one question."""

    def __init__(
        self, tokens: list[Token], lexicon: Lexicon, mentions: list[Mention], text: str
    ) -> None:
        self.tokens, self.lexicon, self.text = tokens, lexicon, text
        self.ideas = lexicon.every(tokens)
        self.found = numerals(tokens, lexicon, mentions)

    def _low(self, i: int) -> str:
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def _percent(self, made: Quantity, k: int, numeral: Numeral) -> int:
        if self._low(k) == "%" or self._low(k) in ("percent", "pct", "prozent", "pourcent"):
            made.dimension, made.unit, made.value = (
                "share",
                "%",
                made.value * UNITS["fraction"]["%"],
            )
            return k + 1
        if self._low(k) in ("per", "por", "pour") and self._low(k + 1) in (
            "cent",
            "cento",
            "ciento",
        ):
            made.dimension, made.unit, made.value = (
                "share",
                "%",
                made.value * UNITS["fraction"]["%"],
            )
            return k + 2
        return 0

    def _money(self, made: Quantity, k: int, numeral: Numeral) -> int:
        name = CURRENCY.get(self._low(k))
        if name is None:
            return 0
        made.dimension, made.unit = "money", name
        if name == "cents":
            made.unit, made.value = "USD", made.value * UNITS["fraction"]["%"]
        return k + (2 if self._low(k) == "美" else 1)

    def _data(self, made: Quantity, k: int, numeral: Numeral) -> int:
        if k >= len(self.tokens):
            return 0
        word = self.tokens[k].text
        if word in ("GbE", "Gbe", "gbe") or (word == "G" and self._is_link(k + 1)):
            made.dimension, made.unit = "rate", "Gb/s"
            made.value *= UNITS["rate"]["Gb/s"]
            return k + 1
        if word in UNITS["rate"] or word.lower() in ("gbps", "mbps", "kbps") or word == "GBps":
            made.dimension, made.unit = "rate", word
            table = UNITS["rate"]
            made.value *= table[word] if word in table else table[word.lower()]
            return k + 1
        name = word if word in UNITS["data"] and word not in ("b", "T", "k") else ""
        name = name or _SPELT_DATA.get(word.lower(), "")
        end = k + 1
        if not name or (word == "B" and made.value < 1):
            return 0
        if self._low(end) in ("-",) and self._low(end + 1) in ("bit", "bits"):
            return 0
        made.dimension, made.unit = "data", name
        made.value *= UNITS["data"][name]
        if name[-1:] in "bt" and self._is_link(end):
            made.dimension, made.unit = "rate", name[0] + "b/s"
            return end
        _, speed_end = self._speed(end)
        if word in ("gb", "mb") and speed_end and self._is_network(numeral.value):
            made.value *= UNITS["data"][word[0].upper() + "b"] / UNITS["data"][name]
        return end

    def _is_link(self, k: int) -> bool:
        """10 Gb Ethernet: a rate, though no second is named."""
        words = {self._low(j) for j in range(k, k + 2)}
        return bool(
            words
            & {"ethernet", "infiniband", "link", "links", "network", "nic", "nics", "lan", "roce"}
        )

    def _is_network(self, value: float) -> bool:
        words = {t.low for t in self.tokens}
        return value in _NETWORKS and bool(words & {"ethernet", "infiniband", "network", "nic"})

    def _speed(self, k: int) -> tuple[str, int]:
        if self._low(k) in ("/", "per") and self._time_unit(k + 1)[0] == "s":
            return "s", k + 2
        return "", 0

    def _time_unit(self, k: int) -> tuple[str, int]:
        if k >= len(self.tokens):
            return "", 0
        for length in (3, 2, 1):
            words = tuple(token.low for token in self.tokens[k : k + length])
            unit = self.lexicon.units.get(words) if len(words) == length else None
            if unit:
                return unit, length
        return "", 0

    def _time(self, made: Quantity, k: int, numeral: Numeral) -> int:
        if self._low(k) == "个":
            k += 1
        skip = 0
        if numeral.kind in ("share", "words") and self._low(k) in ("a", "an", "of", "une", "eine"):
            skip = 2 if self._low(k) == "of" and self._low(k + 1) in ("a", "an") else 1
        unit, length = self._time_unit(k + skip)
        if not unit and self._low(k) == "m" and made.value < 60:
            unit, length = "min", 1
        if (
            not unit
            and made.spoken == "digits"
            and self._low(k)[:1] == "h"
            and (self._low(k)[1:].isdigit() and len(self._low(k)) == 3)
        ):
            made.value += float(self._low(k)[1:]) / (HOUR / UNITS["time"]["min"])
            unit, length = "h", 1
        if not unit:
            return 0
        end = k + skip + length
        if unit == "h" and skip == 0 and self._noun(k)[0] == "worker":
            return 0
        made.dimension, made.unit = "time", unit
        value, after = self._half_after(end)
        if unit == "h" and after == end and self._minutes_follow(end):
            value, after = float(self.tokens[end].text) / (HOUR / UNITS["time"]["min"]), end + 1
        made.value = (made.value + value) * TIME[unit]
        return after

    def _minutes_follow(self, k: int) -> bool:
        """1 h 15: two digits after the hours are minutes."""
        token = self.tokens[k] if k < len(self.tokens) else None
        two = (
            token is not None
            and token.kind == "num"
            and len(token.text) == 2
            and token.text.isdigit()
        )
        if (
            not two
            or token is None
            or int(token.text) >= 60
            or token.start - self.tokens[k - 1].end > 1
        ):
            return False
        return not self._noun(k + 1)[0] and self._low(k + 1) not in ("%", "x")

    def _half_after(self, end: int) -> tuple[float, int]:
        """An hour and a half; a day and a quarter."""
        if self._low(end) in self.lexicon.grammar["and"]:
            k = end + 1
            if self._low(k) in self.lexicon.grammar["article"]:
                k += 1
            share = self.lexicon.fractions.get(self._low(k))
            if share in (0.5, 0.25, 0.75) and not self._time_unit(k + 1)[0]:
                return share, k + 1
        if self._low(end) == "半":
            return 0.5, end + 1
        return 0.0, end

    def _times(self, made: Quantity, k: int, numeral: Numeral) -> int:
        word = self._low(k)
        if word in ("x", "fold", "fach", "mal") or (
            word in ("times", "fois", "veces", "vezes", "倍")
        ):
            following = self._low(k + 1)
            if word == "x" and (following.isdigit() or self._noun(k + 1)[0] in ("worker", "node")):
                if not following.isdigit() and self.tokens[k].start == self.tokens[k - 1].end:
                    made.dimension, made.unit = "factor", "x"
                    return k + 1
                return 0
            made.dimension, made.unit = "factor", "x"
            return k + 1
        return 0

    def _noun(self, k: int, skip: int = 0) -> tuple[str, int]:
        """What is counted at or shortly after token k, adjectives skipped."""
        if self._low(k) in ("it", "its") and self._low(k + 1) == "/":
            return "step", k + 1
        if (
            skip
            and self._low(k) == "processes"
            and k
            and self.tokens[k - 1].kind in ("num", "word")
        ):
            return "worker", k + 1
        for j in range(k, min(k + skip + 1, len(self.tokens))):
            named = [m for m in self.ideas.get(j, ()) if m.idea in COUNTED]
            if named:
                inner = self._compound(max(named, key=lambda m: m.end))
                return inner.idea, inner.end
            fixed = self.lexicon.slip(self._low(j))
            if fixed:
                for words, idea in self.lexicon.exact.get(fixed, ()):
                    if len(words) == 1 and idea in COUNTED:
                        return idea, j + 1
            low = self._low(j)
            if low not in self.lexicon.grammar["filler"] and low != "-":
                if j == k and self._is_adjective(j):
                    continue
                return "", 0
        return "", 0

    def _compound(self, mention: Mention) -> Mention:
        """GPU nodes, worker machines: the last noun counts; GPU-hours is not a noun here."""
        follow = [m for m in self.ideas.get(mention.end, ()) if m.idea in COUNTED]
        if self._low(mention.start - 1) == "-" and follow and follow[0].idea == "node":
            return mention  # an 8-GPU node: eight workers in a node
        if follow and mention.idea in ("worker", "sample", "token", "node"):
            return self._compound(follow[0])
        return mention

    def _is_adjective(self, j: int) -> bool:
        after = self.ideas.get(j + 1, ())
        word = self._low(j)
        return (
            word.isalpha()
            and len(word) > 3
            and any(m.idea in ("worker", "node", "sample", "param") for m in after)
            and not self.ideas.get(j)
        )

    def _per_unit(self, k: int) -> tuple[str, int]:
        if self._low(k) in ("it", "its") and self._low(k - 1) in ("/", "per"):
            return "step", k + 1
        unit, length = self._time_unit(k)
        if unit:
            return "time:" + unit, k + length
        noun, end = self._noun(k, skip=1)
        return (noun, end) if noun else ("", 0)
