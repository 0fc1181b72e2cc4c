"""Quantities in a question: each number with what it counts, per what, and where it stands."""

from __future__ import annotations

from dpmodel.ask.numerals import Numeral, read_digits
from dpmodel.ask.quantity import COUNTED, Quantity
from dpmodel.ask.unit_reader import CURRENCY, TIME, UnitReader


class Reader(UnitReader):
    """Reads the quantities of one question."""

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
            or before.low in CURRENCY
            or bool({m.idea for m in self.ideas.get(i - 1, ())} & {"sample", "token", "step"})
        )

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
        if before is not None and before.text in CURRENCY and made.dimension in ("money", "price"):
            return before.start
        return self.tokens[made.start].start

    def _add_unit(self, made: Quantity, numeral: Numeral) -> None:
        i = made.start
        if i and self.tokens[i - 1].low in CURRENCY and self._low(i - 1) not in ("元", "美"):
            made.dimension, made.unit = "money", CURRENCY[self.tokens[i - 1].low]
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
        made.value *= TIME[unit]
        return True

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
            seconds = TIME[times[0][5:]]
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
        smaller = TIME.get(new.unit, 0.0) < TIME.get(last.unit, 0.0)
        return close and len(between) <= 1 and smaller and new.value < TIME.get(last.unit, 0.0)

    def _join(self, last: Quantity, new: Quantity) -> None:
        last.value += new.value
        last.end, last.per = new.end, new.per
        last.span = (last.span[0], new.span[1])
        last.text = self.text[last.span[0] : last.span[1]]
