"""The address that opens the same situation in Explore."""

from __future__ import annotations

from dpmodel.ask.situation import Situation
from dpmodel.border import make_scenario, to_query
from dpmodel.errors import InputError
from dpmodel.units import HOUR, UNITS

_MOST_EFFICIENT = 1.0


def explore_link(known: dict[str, float], made: Situation) -> str:
    """Return the query of the nearest scenario: the workers, hours and network that were told."""
    values = scenario_values(known, made)
    try:
        return to_query(make_scenario(None, **values))
    except InputError:
        kept = {k: v for k, v in values.items() if k in ("hours", "workers", "mode")}
        try:
            return to_query(make_scenario(None, **kept))
        except InputError:
            return "?"


def scenario_values(known: dict[str, float], made: Situation) -> dict[str, object]:
    """Knob values, in display units, that a solved question tells."""
    values: dict[str, object] = {}
    base = known.get("base_workers", 1.0)
    if "base_time" in known and known.get("efficiency", 1.0) > 0:
        values["hours"] = known["base_time"] * base / HOUR
    if "workers" in known:
        values["workers"] = int(round(known["workers"]))
    if "params" in known:
        values["size"] = known["params"] / UNITS["count"]["M"]
    if "bandwidth" in known:
        values["bandwidth"] = known["bandwidth"] / UNITS["rate"]["Gb/s"]
    if "latency" in known and known["latency"] > 0:
        values["latency"] = known["latency"] / UNITS["time"]["us"]
    if "batch" in known and known["batch"] == int(known["batch"]):
        values["batch"] = int(known["batch"])
    if "price" in known:
        values["price"] = known["price"] * HOUR
    if "deadline" in known:
        values["deadline"] = known["deadline"] / HOUR
    if "serial" in known and 0 <= known["serial"] < 1:
        values |= {"mode": "realistic", "serial_run": known["serial"] / UNITS["fraction"]["%"]}
    elif "bandwidth" not in known:
        values["mode"] = "ideal"
    return values
