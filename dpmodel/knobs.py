"""What a knob is: how one adjustable quantity is named, read, bounded, shown and explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dpmodel.errors import InputError, near_matches
from dpmodel.units import human, parse_quantity, plain, significant, to_unit, unit_factor

Number = float | np.ndarray


@dataclass(frozen=True)
class Knob:
    """One adjustable quantity: how it is named, shown, bounded and explained.

    `low`, `high`, `ladder` and `default` are in `unit`. `none` is the text that stands for
    "no limit" (held inside as infinity), or "" where there is no such value.
    """

    key: str
    link: str
    label: str
    symbol: str
    help: str
    group: str
    default: float | str
    unit: str = ""
    dimension: str = "count"
    per: str = ""
    low: float = 0.0
    high: float = 0.0
    ladder: tuple[float, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    integer: bool = False
    none: str = ""
    source: str = ""
    realistic: bool = False

    @cached_property
    def factor(self) -> float:
        """SI value of one display unit."""
        return unit_factor(self.unit, self.dimension)

    def parse(self, value: object) -> float | str:
        """Read one value given at a border, in the display unit or with its own, into SI.

        Raises
        ------
        InputError
            Not a number, not a known choice, out of range, or not whole where it must be.
        """
        if self.choices:
            return self._parse_choice(value)
        text = str(value).strip()
        if self.none and text.lower() in (self.none, "none", "inf", "infinity"):
            return float("inf")
        if isinstance(value, bool):
            raise self._refuse(text, "it is a number")
        number = parse_quantity(text, self.dimension, self.unit)
        self.check(number)
        return round(number) if self.integer else number

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest SI value, with room for the rounding of a unit conversion."""
        return self.low * self.factor * (1 - 1e-9), self.high * self.factor * (1 + 1e-9)

    def check(self, value: Number) -> None:
        """Refuse SI values outside the knob's range (infinity passes only where `none` exists)."""
        if isinstance(value, np.ndarray):
            self._check_array(value)
            return
        low, high = self.bounds
        if self.none and value == float("inf"):
            return
        if not low <= value <= high:
            raise self._refuse(self._in_unit(value), self._range_rule())
        if self.integer and abs(value - round(value)) > 1e-9 * max(1.0, abs(value)):
            raise self._refuse(self._in_unit(value), "it is a whole number")

    def _check_array(self, values: np.ndarray) -> None:
        finite = values[values != np.inf] if self.none else values
        if np.isnan(values).any():
            self.check(float("nan"))
        if finite.size:
            self.check(float(finite.min()))
            self.check(float(finite.max()))
            if self.integer:
                self.check(float(finite.flat[np.argmax(np.abs(finite - np.round(finite)))]))

    def _parse_choice(self, value: object) -> str:
        text = str(value).strip()
        folded = _folded(text)
        for choice in self.choices:
            if folded == _folded(choice):
                return choice
        raise InputError(
            asked=f"{self.label} cannot be '{text[:40]}'",
            given=f"'{text[:40]}' is none of them",
            rule=f"it is one of {', '.join(self.choices)}",
            way_out=near_matches(text, list(self.choices)),
        )

    def _refuse(self, given: str, rule: str) -> InputError:
        return InputError(
            asked=f"{self.label} cannot be {given}",
            given=f"given {given}",
            rule=rule,
            way_out=f"Choose for example {self.show(self.default_si)}.",
        )

    def _range_rule(self) -> str:
        limits = f"it is a number from {self._bound(self.low)} to {self._bound(self.high)}"
        return limits + (f", or '{self.none}'" if self.none else "")

    def _bound(self, value: float) -> str:
        return f"{significant(value, 6)} {self.unit}".strip()

    def _in_unit(self, value: float) -> str:
        if value != value:
            return "not a number"
        if abs(value) == float("inf"):
            return "infinite" if value > 0 else "minus infinity"
        return f"{value / self.factor:.6g} {self.unit}".strip()

    @property
    def default_si(self) -> float | str:
        """The default in SI, or the default choice."""
        if isinstance(self.default, str):
            return float("inf") if self.none and self.default == self.none else self.default
        return self.default * self.factor

    def border(self, value: float | str) -> float | int | str:
        """Turn an SI value into what the JSON file and the address bar hold."""
        if isinstance(value, str):
            return value
        if self.none and value == float("inf"):
            return self.none
        shown = to_unit(value, self.unit, self.dimension)
        assert isinstance(shown, float)
        return int(shown) if shown == int(shown) else shown

    def text(self, value: float | str) -> str:
        """Return the bare text used as a ladder option and in the address bar: "25.6"."""
        shown = self.border(value)
        return shown if isinstance(shown, str) else plain(float(shown))

    def show(self, value: float | str) -> str:
        """Write the value with its unit for a sentence: "10 Gb/s", "512 samples"."""
        if isinstance(value, str):
            return self.choices.get(value, value)
        if self.none and value == float("inf"):
            return self.none
        if self.dimension == "time" and self.unit in ("h", "s") and value >= 0:
            return human(value, "time", 4)
        number = significant(float(to_unit(value, self.unit, self.dimension)), 4)
        return f"{number} {self.unit}".strip()


def _folded(text: str) -> str:
    return text.lower().replace("-", "_").replace(" ", "_")
