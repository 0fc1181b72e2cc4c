"""SI inside, units at the border: the only room where factors between units live.

GB = 1e9 bytes, GiB = 2**30 bytes, Gb = 1e9 bits. A small table instead of a units library: a
quantity is parsed once at the border, and the model never carries a unit object.
"""

from __future__ import annotations

import math
import re

import numpy as np

from dpmodel.errors import InputError

MINUTE, HOUR, DAY, WEEK = 60.0, 3600.0, 86400.0, 604800.0
BITS_PER_BYTE = 8
ENDLESS = 1000 * 365.25 * DAY
KIB, MIB, GIB, TIB = 2.0**10, 2.0**20, 2.0**30, 2.0**40
JOULES_PER_KWH = 3.6e6

_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": KIB, "Mi": MIB, "Gi": GIB, "Ti": TIB}


def _data_units() -> dict[str, float]:
    table = {prefix + "B": factor for prefix, factor in (_DECIMAL | _BINARY).items()}
    for prefix, factor in (_DECIMAL | _BINARY).items():
        table[prefix + "b"] = table[prefix + "bit"] = factor / BITS_PER_BYTE
    return table


def _rate_units() -> dict[str, float]:
    per_second = {name + "/s": factor for name, factor in _data_units().items()}
    for prefix, factor in _DECIMAL.items():
        per_second[prefix + "bps"] = factor / BITS_PER_BYTE
        # Lower-case "gbps" and "gbit/s" are always meant as bits; "gb/s" is not, and is refused.
        per_second[prefix.lower() + "bps"] = per_second[prefix + "bps"]
        per_second[prefix.lower() + "bit/s"] = per_second[prefix + "bps"]
        per_second[prefix + "Bps"] = factor
    return per_second


UNITS: dict[str, dict[str, float]] = {
    "time": {
        "ns": 1e-9,
        "us": 1e-6,
        "µs": 1e-6,
        "μs": 1e-6,
        "ms": 1e-3,
        **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
        **dict.fromkeys(("min", "minute", "minutes"), MINUTE),
        **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), HOUR),
        **dict.fromkeys(("d", "day", "days"), DAY),
        **dict.fromkeys(("wk", "week", "weeks"), WEEK),
    },
    "data": _data_units(),
    "rate": _rate_units(),
    "count": {
        "": 1.0,
        **dict.fromkeys(("k", "K", "thousand"), 1e3),
        **dict.fromkeys(("M", "million"), 1e6),
        **dict.fromkeys(("B", "G", "bn", "billion"), 1e9),
        **dict.fromkeys(("T", "trillion"), 1e12),
    },
    "fraction": {"": 1.0, "%": 0.01},
    "factor": {"": 1.0, "x": 1.0},
    "throughput": {"samples/s": 1.0, "/s": 1.0, "k/s": 1e3, "images/s": 1.0, "tokens/s": 1.0},
    "money": {"$": 1.0, "USD": 1.0},
    "price": {"$/h": 1.0 / HOUR},
    "power": {"W": 1.0, "kW": 1e3, "MW": 1e6},
    "compute": {
        prefix + name: factor
        for prefix, factor in _DECIMAL.items()
        for name in ("FLOP/s", "FLOPS", "FLOPs")
    },
    "exponent": {"": 1.0},
}

_NUMBER = re.compile(
    r"\s*([-+]?(?:\d[\d,_ ]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf|nan)\s*(.*?)\s*$"
)
_THOUSANDS = re.compile(r"^[-+]?\d{1,3}([,_ ]\d{3})+(\.\d*)?$")


def parse_quantity(text: str, dimension: str, default_unit: str) -> float:
    """Read "1.5 days", "7B", "100 Gb/s" or a bare number in the default unit.

    Parameters
    ----------
    text : str
        A number with an optional unit. Bits and bytes are told apart by the case of the b.
    dimension : str
        A key of `UNITS`.
    default_unit : str
        The unit of a bare number.

    Returns
    -------
    float
        The value in SI units of the dimension.

    Raises
    ------
    InputError
        The text holds no number, or a unit of another dimension.
    """
    match = _NUMBER.match(str(text))
    if not match or not _is_one_number(match.group(1)):
        raise InputError(
            asked=f"'{_short(text)}' cannot be read",
            given=f"no number in '{_short(text)}'",
            rule=f"a number is needed here, with or without a unit such as {default_unit or '1e3'}",
            way_out=f"Write for example {_example(dimension, default_unit)}.",
        )
    number = float(re.sub(r"[,_ ]", "", match.group(1)))
    return number * unit_factor(match.group(2) or default_unit, dimension)


def unit_factor(unit: str, dimension: str) -> float:
    """Return the SI value of one `unit` of `dimension`; spelling is forgiving, b and B are not."""
    table = UNITS[dimension]
    if unit in table:
        return table[unit]
    folded = [name for name in table if name.lower() == unit.lower()]
    if folded and len({table[name] for name in folded}) == 1:
        return table[folded[0]]
    known = ", ".join(name for name in list(table)[:9] if name) or "a bare number"
    raise InputError(
        asked=f"the unit '{_short(unit)}' cannot be used for a {dimension}",
        given=f"unit '{_short(unit)}'",
        rule=f"a {dimension} is given in one of: {known}",
        way_out=f"Write for example {_example(dimension, next(iter(table)))}.",
    )


def _is_one_number(text: str) -> bool:
    text = text.strip()
    return not re.search(r"[,_ ]", text) or bool(_THOUSANDS.match(text))


def _short(text: object) -> str:
    shown = str(text)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _example(dimension: str, unit: str) -> str:
    examples = {"h": "1.5 days", "Gb/s": "100 Gb/s", "MiB": "25 MiB", "M": "7B"}
    return examples.get(unit, f"10 {unit}".strip())


def to_unit(value: float | np.ndarray, unit: str, dimension: str) -> float | np.ndarray:
    """Convert SI to `unit`, dropping the rounding dust that a factor leaves on a scalar."""
    converted = value / UNITS[dimension][unit]
    if isinstance(converted, np.ndarray):
        return converted
    return float(f"{converted:.12g}")


def plain(value: float) -> str:
    """Write a number as a person would type it: 0.1, 25.6, 100000; never 1e+05."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.10g}"
    return text if "e" not in text else np.format_float_positional(float(text), trim="-")


def significant(value: float, digits: int = 3) -> str:
    """Round to significant figures without a trailing exponent: 1,440 or 0.0212."""
    if not math.isfinite(value):
        return "no end" if value > 0 else "unknown"
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text if len(text) < 4 or "." in text else f"{float(text):,.10g}"
    rounded = float(text)
    if abs(rounded) >= 1e15:
        return text
    return f"{rounded:,.0f}" if abs(rounded) >= 1 else np.format_float_positional(rounded, trim="-")


# Per dimension: unit, smallest value shown in it, and its size in SI, from large to small.
_SCALES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "time": (
        ("years", 365.25 * DAY, 365.25 * DAY),
        ("days", 2 * DAY, DAY),
        ("h", HOUR, HOUR),
        ("min", MINUTE, MINUTE),
        ("s", 1.0, 1.0),
        ("ms", 1e-3, 1e-3),
        ("µs", 0.0, 1e-6),
    ),
    "data": (
        ("TB", 1e12, 1e12),
        ("GB", 1e9, 1e9),
        ("MB", 1e6, 1e6),
        ("kB", 1e3, 1e3),
        ("B", 0.0, 1.0),
    ),
    "rate": (
        ("TB/s", 1e12, 1e12),
        ("GB/s", 1e9, 1e9),
        ("MB/s", 1e6, 1e6),
        ("kB/s", 0.0, 1e3),
    ),
    "bits": (
        ("Tb/s", 1e12 / BITS_PER_BYTE, 1e12 / BITS_PER_BYTE),
        ("Gb/s", 1e9 / BITS_PER_BYTE, 1e9 / BITS_PER_BYTE),
        ("Mb/s", 1e6 / BITS_PER_BYTE, 1e6 / BITS_PER_BYTE),
        ("kb/s", 0.0, 1e3 / BITS_PER_BYTE),
    ),
    "count": (("T", 1e12, 1e12), ("B", 1e9, 1e9), ("M", 1e6, 1e6), ("k", 1e5, 1e3), ("", 0.0, 1.0)),
    "energy": (
        ("TWh", 3.6e15, 3.6e15),
        ("GWh", 3.6e12, 3.6e12),
        ("MWh", 3.6e9, 3.6e9),
        ("kWh", 3.6e6, 3.6e6),
        ("Wh", 0.0, 3.6e3),
    ),
    "money": (("T", 1e12, 1e12), ("B", 1e9, 1e9), ("M", 1e6, 1e6), ("", 0.0, 1.0)),
}


def _scale_of(value: float, dimension: str) -> tuple[str, float]:
    for unit, smallest, size in _SCALES[dimension]:
        if value >= smallest:
            return unit, size
    raise AssertionError("the last scale starts at 0")


def percent(fraction: float, digits: int = 3) -> str:
    """Write a fraction as a percentage: "36.6 %"."""
    return f"{significant(100 * fraction, digits)} %"


def times(ratio: float) -> str:
    """Write a speed-up: "5.85x", and "under 0.001x" where no digit would tell more."""
    return "under 0.001x" if 0 < ratio < 1e-3 else f"{significant(ratio)}x"


def workers_text(count: float) -> str:
    """Write "1 worker" or "1,024 workers"."""
    return f"{int(count):,} worker{'' if int(count) == 1 else 's'}"


_ZERO = {"time": "0 s", "data": "0 B", "energy": "0 kWh"}


def human(value: float, dimension: str, digits: int = 3) -> str:
    """Write an SI value with the unit a person would choose: "37 min", "1.7 days", "102 MB".

    Parameters
    ----------
    value : float
        The value in SI units [s], [B], [B/s], [J] or [1].
    dimension : str
        "time", "data", "rate" (bytes), "bits" (a rate shown in bits), "count", "energy", "money".
    digits : int
        Significant figures.
    """
    if not math.isfinite(value):
        return significant(value, digits)
    if value == 0 and dimension in _ZERO:
        return _ZERO[dimension]
    if dimension == "time" and value > ENDLESS:
        return "over 1,000 years"
    unit, size = _scale_of(abs(value) * 1.0005, dimension)
    text = significant(value / size, digits)
    if dimension == "money":
        return f"${text} {unit}" if unit else f"${text}"
    return f"{text} {unit}" if unit else text
