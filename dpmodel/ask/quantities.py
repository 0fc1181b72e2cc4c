"""Quantities in a question: each number with what it counts, per what, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpmodel.ask.lexicon import Lexicon, Mention
from dpmodel.ask.numerals import Numeral, numerals, read_digits
from dpmodel.ask.text import Token
from dpmodel.units import HOUR, UNITS

COUNTED = (
    "worker",
    "node",
    "sample",
    "token",
    "epoch",
    "step",
    "micro",
    "param",
    "batch",
    "bucket",
    "ps",
)
_CURRENCY = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "usd": "USD", "eur": "EUR"}
_CURRENCY |= {"dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "gbp": "GBP"}
_CURRENCY |= {"bucks": "USD", "chf": "CHF", "dolares": "USD", "美": "USD", "元": "CNY"}
_CURRENCY |= {"pounds": "GBP", "cents": "cents", "cent": "cents", "ct": "cents"}
_SPELT_DATA = {"byte": "B", "bytes": "B", "octets": "B", "bit": "bit", "bits": "bit"}
_SPELT_DATA |= {
    prefix + word: letter + unit
    for prefix, letter in (("kilo", "k"), ("mega", "M"), ("giga", "G"), ("tera", "T"))
    for word, unit in (("byte", "B"), ("bytes", "B"), ("bit", "bit"), ("bits", "bit"))
}
_SPELT_DATA |= {"gb": "GB", "mb": "MB", "kb": "kB", "tb": "TB", "gib": "GiB", "mib": "MiB"}
_SPELT_DATA |= {"gigs": "GB", "go": "GB", "mo": "MB", "kib": "KiB", "tib": "TiB"}
_NETWORKS = (1, 10, 25, 40, 50, 56, 100, 200, 400, 800)
_TIME = UNITS["time"] | {
    "fortnight": 2 * UNITS["time"]["wk"],
    "month": 30 * UNITS["time"]["d"],
    "year": 365 * UNITS["time"]["d"],
}


@dataclass(slots=True)
class Quantity:
    """One number of the question with its unit.

    `dimension` is time, data, rate, share, factor, throughput, money, price, count (of `noun`)
    or bare. `value` is in SI [s, B, B/s, 1, 1/s, $, $/s]; `per` holds what it is per.
    """

    value: float
    dimension: str
    noun: str = ""
    unit: str = ""
    per: frozenset[str] = frozenset()
    start: int = 0
    end: int = 0
    text: str = ""
    span: tuple[int, int] = (0, 0)
    sentence: int = 0
    clause: int = 0
    spoken: str = "digits"
    role: str = ""
    why: str = ""
    used: bool = field(default=False, repr=False)


class Reader:
    """Reads the quantities of one question."""

    def __init__(
        self, tokens: list[Token], lexicon: Lexicon, mentions: list[Mention], text: str
    ) -> None:
        self.tokens, self.lexicon, self.text = tokens, lexicon, text
        self.ideas = lexicon.every(tokens)
        self.found = numerals(tokens, lexicon, mentions)

    def read(self) -> list[Quantity]:
        """Return all quantities in order, compound durations joined."""
        quantities: list[Quantity] = []
        starts = {n.start: n for n in self.found}
        covered = 0
        for i in range(len(self.tokens)):
            if i < covered:
                continue
            numeral = starts.get(i) or self._article(i)
            if numeral is None:
                continue
            quantity = self._quantity(numeral)
            if quantity is None:
                continue
            covered = quantity.end
            if quantities and self._continues(quantities[-1], quantity):
                self._join(quantities[-1], quantity)
            else:
                quantities.append(quantity)
        return quantities

    def _article(self, i: int) -> Numeral | None:
        """A week, an hour: one of a unit of time. A single GPU: one worker."""
        token = self.tokens[i]
        after = self._low(i + 1)
        if token.low in ("a", "an", "une", "un", "una", "um", "uma", "eine", "einen", "einem"):
            unit, length = self._time_unit(i + 1)
            if unit and len(after) > 1 and not self._is_rate_word(i):
                return Numeral(1.0, i, i + 1, "article")
        single = {m.idea for m in self.ideas.get(i, ())} & {"single"}
        if single:
            k = max(m.end for m in self.ideas[i] if m.idea == "single")
            k += self._low(k) == "-"
            serial = k - i >= 2 and token.low in ("serial", "sequential")
            if serial and self._low(k) != "%" and self._low(i - 1) != "%":
                return Numeral(1.0, i, k, "sequential")
            if self._noun(k)[0] in ("worker", "node"):
                return Numeral(1.0, i, k, "single")
        return None

    def _is_rate_word(self, i: int) -> bool:
        """$2 an hour, 300 images a second: the article means per."""
        before = self.tokens[i - 1] if i else None
        return before is not None and (
            before.kind == "num"
            or before.low in _CURRENCY
            or bool({m.idea for m in self.ideas.get(i - 1, ())} & {"sample", "token", "step"})
        )

    def _low(self, i: int) -> str:
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def _quantity(self, numeral: Numeral) -> Quantity | None:
        first = self.tokens[numeral.start]
        value = numeral.value
        made = Quantity(value, "bare", start=numeral.start, end=numeral.end, spoken=numeral.kind)
        if numeral.kind == "sequential":
            made.dimension, made.noun, made.spoken = "count", "worker", "single"
        elif numeral.kind == "clock":
            made.dimension, made.unit = "time", "h"
        elif numeral.kind == "fold":
            made.dimension, made.unit = "factor", "x"
        else:
            self._add_unit(made, numeral)
        if made.dimension == "bare" and numeral.kind in ("article",):
            return None
        if made.dimension == "bare" and numeral.kind == "share":
            made.dimension, made.unit = "share", "fraction"
        made.sentence, made.clause = first.sentence, first.clause
        made.span = (self._start(made), self.tokens[made.end - 1].end)
        made.text = self.text[made.span[0] : made.span[1]]
        return made

    def _start(self, made: Quantity) -> int:
        before = self.tokens[made.start - 1] if made.start else None
        if before is not None and before.text in _CURRENCY and made.dimension in ("money", "price"):
            return before.start
        return self.tokens[made.start].start

    def _add_unit(self, made: Quantity, numeral: Numeral) -> None:
        i = made.start
        if i and self.tokens[i - 1].low in _CURRENCY and self._low(i - 1) not in ("元", "美"):
            made.dimension, made.unit = "money", _CURRENCY[self.tokens[i - 1].low]
            self._add_per(made)
            return
        k = made.end
        if self._low(k) == "-" and k + 1 < len(self.tokens):
            k += 1
        for reader in (self._percent, self._money, self._data, self._time, self._times):
            end = reader(made, k, numeral)
            if end:
                made.end = end
                self._add_per(made)
                return
        noun, end = self._noun(k, skip=4)
        if noun:
            made.dimension, made.noun, made.end = "count", noun, end
            if numeral.loose and noun in COUNTED:
                made.value = read_digits(self.tokens[i].text, self.lexicon.decimal, whole=True)
            if not self._work(made):
                self._add_per(made)
            self._chinese_rate(made)
        elif self._low(k) in ("/", "per") and self._per_unit(k + 1)[0]:
            self._add_per(made)

    def _chinese_rate(self, made: Quantity) -> None:
        """每块每秒处理250张图片: per second and per worker stand before the number."""
        before = [self._low(j) for j in range(max(made.start - 8, 0), made.start)]
        if made.noun != "sample" or "秒" not in before or "每" not in before:
            return
        made.dimension = "throughput"
        if before.count("每") > 1 or before[before.index("每") + 1] in (
            "块",
            "张",
            "个",
            "台",
            "卡",
        ):
            made.per = made.per | {"worker"}

    def _work(self, made: Quantity) -> bool:
        """30 GPU-hours: workers times time."""
        k = made.end + (self._low(made.end) == "-")
        unit, length = self._time_unit(k)
        if made.noun not in ("worker", "node") or not unit or self._low(made.end) in ("(", ","):
            return False
        if k == made.end and len(self._low(k)) == 1 and self._low(k) != "h":
            return False
        made.dimension, made.unit, made.end = "work", unit, k + length
        made.value *= _TIME[unit]
        return True

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
        name = _CURRENCY.get(self._low(k))
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
        made.value = (made.value + value) * _TIME[unit]
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

    def _add_per(self, made: Quantity) -> None:
        per: set[str] = set()
        k = made.end
        while k < len(self.tokens):
            low = self._low(k)
            if low == "each" and not self._per_unit(k + 1)[0]:
                if self._low(k + 1) not in ("way", "direction"):
                    per.add("worker")
                break
            linked = low in ("/", "*", "-") or low in self.lexicon.grammar["per"] or low == "and"
            if low in ("and",) and not per:
                break
            start = k + 1 if linked else k
            if not linked and not (made.dimension == "data" and low == "ps"):
                if low == "each" and self._low(k + 1) not in ("way", "direction"):
                    per.add("worker")
                    k += 1
                break
            name, end = self._per_unit(start)
            if low == "and" and name not in ("step", "worker", "epoch"):
                break
            if low in ("a", "an", "la", "a") and not name.startswith("time:"):
                break
            if low == "-" and not (made.dimension == "money" or per):
                break
            if not name:
                break
            per.add(name)
            k = end
            made.end = end
        self._combine(made, per)

    def _combine(self, made: Quantity, per: set[str]) -> None:
        times = [p for p in per if p.startswith("time:")]
        others = {p for p in per if not p.startswith("time:")}
        if times:
            seconds = _TIME[times[0][5:]]
            kinds = {"data": "rate", "money": "price", "count": "throughput", "bare": "throughput"}
            if made.dimension in kinds:
                made.dimension = kinds[made.dimension]
                made.value /= seconds
            if made.dimension == "throughput" and made.noun == "step":
                made.dimension = "step_rate"
        if made.dimension == "count" and "time" in others:
            others.discard("time")
        made.per = frozenset(others)

    def _continues(self, last: Quantity, new: Quantity) -> bool:
        """2 h 30 min; 9 hrs and 36 mins; one hour and thirty minutes."""
        if (
            last.dimension != "time"
            or new.dimension != "time"
            or last.per
            or new.spoken == "article"
        ):
            return False
        between = [t.low for t in self.tokens[last.end : new.start]]
        close = all(word in (",", *self.lexicon.grammar["and"]) for word in between)
        smaller = _TIME.get(new.unit, 0.0) < _TIME.get(last.unit, 0.0)
        return close and len(between) <= 1 and smaller and new.value < _TIME.get(last.unit, 0.0)

    def _join(self, last: Quantity, new: Quantity) -> None:
        last.value += new.value
        last.end, last.per = new.end, new.per
        last.span = (last.span[0], new.span[1])
        last.text = self.text[last.span[0] : last.span[1]]
