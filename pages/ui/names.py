"""Which device, link or model has a value, with its source and date."""

from __future__ import annotations

from functools import lru_cache

from dpmodel.catalogue import Entry, devices, links_at, models_at
from dpmodel.knobs import Knob

_CLOSE = 0.01


@lru_cache(maxsize=1024)
def entries(key: str, value: float) -> tuple[Entry, ...]:
    """Return the catalogue's entries that a knob's value belongs to.

    Parameters
    ----------
    key : str
        Key of the knob.
    value : float
        SI value; an entry within 1 % counts.
    """
    if key == "bandwidth":
        return tuple(links_at(value))
    if key == "node_bandwidth":
        return tuple(links_at(value, "node"))
    if key == "size":
        return tuple(models_at(value))
    if key == "peak":
        peaks = {d: (d.fp32, d.tf32, d.half) for d in devices().values()}
        return tuple(d for d, of in peaks.items() if any(_near(peak, value) for peak in of))
    return ()


def _near(peak: float | None, value: float) -> bool:
    return peak is not None and abs(peak / value - 1) <= _CLOSE


def credit(knob: Knob, value: float, most: int = 2) -> str:
    """Name what has the value, with source and date; empty where nothing has."""
    found = entries(knob.key, value)
    told = [f"{entry.name} ({entry.source}, {entry.date})" for entry in found[:most]]
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return f"{knob.show(value)} is {'; '.join(told)}{more}." if told else ""
