"""Correct quantities of a question that was read: role to text, as a person types it."""

from __future__ import annotations

from collections.abc import Mapping

from dpmodel.ask import wording
from dpmodel.ask.quantities import Quantity
from dpmodel.ask.scene import Scene
from dpmodel.ask.situation import Given, Situation
from dpmodel.errors import InputError
from dpmodel.units import UNITS

_TABLES = (
    (wording.TIMES, "time", "h"),
    (wording.DATA, "data", "GB"),
    (wording.RATES, "rate", "GB/s"),
    (wording.SHARES, "fraction", "%"),
)


def apply_overrides(made: Situation, overrides: Mapping[str, str]) -> None:
    """Replace or add variables of a situation.

    Parameters
    ----------
    made : Situation
        As it was read; changed in place.
    overrides : mapping of str to str
        Role to text: ``{"workers": "7", "base_time": "13.5 h"}``; a bare number is in the unit
        that the quantity had.

    Raises
    ------
    InputError
        A text without a number.
    """
    for role, text in overrides.items():
        known = made.givens.get(role)
        value = read_value(role, str(text), "" if known is None else _unit(known.quantity))
        if known is not None and known.quantity is not None:
            made.parts.add(id(known.quantity))
        made.givens[role] = Given(value, None, "corrected")
        made.clashes = []


def _unit(quantity: Quantity | None) -> str:
    return "" if quantity is None else quantity.unit


def read_value(role: str, text: str, unit: str = "") -> float:
    """Read one value typed for a role, in SI.

    Parameters
    ----------
    role : str
        Name of the variable.
    text : str
        "7", "13.5 h", "85 %", "1.5 days".
    unit : str
        Unit of a bare number; the role's usual one where left out.

    Returns
    -------
    float
        The value in SI units.
    """
    found = Scene(text, "en").quantities
    if len(found) != 1:
        raise InputError(
            asked=f"'{text[:40]}' cannot be read",
            given=f"{len(found)} numbers in '{text[:40]}'",
            rule="one number is needed here, with or without a unit",
            way_out="Write for example 7, 13.5 h or 85 %.",
        )
    q = found[0]
    if q.dimension != "bare":
        return q.value
    for roles, dimension, usual in _TABLES:
        if role in roles:
            name = unit if unit in UNITS[dimension] else usual
            return q.value * UNITS[dimension][name]
    if role in wording.PRICES:
        return q.value * UNITS["price"]["$/h"]
    return q.value
