"""Numbers and sentences for people: units, names and symbols, by language."""

from __future__ import annotations

from dpmodel.ask.lexicon import data
from dpmodel.units import UNITS, human, significant

TIMES = frozenset(
    [
        "base_time",
        "time",
        "ideal_time",
        "deadline",
        "step_time",
        "base_step",
        "new_step",
        "epoch_time",
        "comm_time",
        "compute_time",
        "hidden",
        "exposed",
        "latency",
        "saved",
        "backward",
        "new_comm_time",
        "serial_time",
        "parallel_time",
    ]
)
SHARES = frozenset(
    ["efficiency", "serial", "parallel", "karp_flatt", "closeness", "overlap", "comm_share"]
)
FACTORS = frozenset(["speedup", "scaled_speedup", "limit"])
DATA = frozenset(
    [
        "payload",
        "sent",
        "sent_total",
        "server_bytes",
        "memory",
        "memory_total",
        "device_memory",
        "bytes_per_param",
    ]
)
RATES = frozenset(["bandwidth", "algbw", "busbw"])
MONEY = frozenset(["cost", "budget"])
PRICES = frozenset(["price", "node_price", "cluster_price"])
THROUGHPUTS = frozenset(["rate", "base_rate", "unit_rate"])
WORKER_TIMES = frozenset(["work", "worker_seconds", "extra_seconds"])
WORKERS = frozenset(["workers", "base_workers", "fastest"])


def words(language: str, name: str) -> str:
    """A quantity's name or a sentence, in English where the language has none."""
    table = data("wording")
    found = table.get(language, {}).get(name) or table["en"].get(name) or name
    return str(found)


def symbol(name: str) -> str:
    """The symbol of a variable."""
    return str(data("wording")["symbols"].get(name, name))


def in_unit(name: str, value: float, unit: str) -> tuple[float, str]:
    """Turn an SI value of a variable into the unit wanted, or its usual one."""
    if name in TIMES:
        table = UNITS["time"]
        unit = unit if unit in table else _time_unit(value)
        return value / table[unit], unit
    if name in SHARES:
        return (value, "") if unit == "fraction" else (value / UNITS["fraction"]["%"], "%")
    if name in DATA:
        unit = unit if unit in UNITS["data"] else _data_unit(value)
        return value / UNITS["data"][unit], unit
    if name in RATES:
        unit = unit if unit in UNITS["rate"] else "GB/s"
        return value / UNITS["rate"][unit], unit
    if name in PRICES:
        return value * UNITS["time"]["h"], (unit or "USD") + "/h"
    if name in WORKER_TIMES:
        unit = unit if unit in UNITS["time"] else "h"
        return value / UNITS["time"][unit], unit
    if name in FACTORS:
        return value, "x"
    if name in MONEY:
        return value, unit or "USD"
    if name in THROUGHPUTS:
        return value, unit or "samples/s"
    if name in WORKERS:
        return value, "workers"
    return value, unit


def _time_unit(value: float) -> str:
    for unit in ("h", "min", "s", "ms"):
        if abs(value) >= UNITS["time"][unit] * 0.9995:
            return unit
    return "s" if value == 0 else "us"


def _data_unit(value: float) -> str:
    for unit in ("TB", "GB", "MB", "kB"):
        if abs(value) >= UNITS["data"][unit]:
            return unit
    return "B"


def shown(name: str, value: float, unit: str = "") -> str:
    """Write a variable's SI value with its unit: "8 h", "85 %", "3.5 GB"."""
    if name in TIMES and not unit:
        return human(value, "time", 4)
    number, unit = in_unit(name, value, unit)
    text = significant(number, 4)
    if unit == "x":
        return f"{text}x"
    if unit == "USD":
        return f"${text}"
    if unit == "workers":
        return text
    return f"{text} {unit}".strip()


def formula_with(formula: str, names: tuple[str, ...], known: dict[str, float] | None) -> str:
    """Write a formula with symbols, or with the numbers put in."""
    for name in names:
        text = symbol(name) if known is None else shown(name, known[name])
        formula = formula.replace("{" + name + "}", text)
    return formula
