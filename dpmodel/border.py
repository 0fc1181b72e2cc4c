"""The border: display units, texts and files in; a checked SI scenario out, and back."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from dpmodel.errors import InputError, near_matches
from dpmodel.knobs import Knob
from dpmodel.scenario import FIELD_OF, KNOBS, Scenario
from dpmodel.units import HOUR, parse_quantity

_NAMES: dict[str, str] = {
    name: knob.key for knob in KNOBS.values() for name in (knob.key, knob.link, *knob.aliases)
}
# Other ways to say how long the run is; they are turned into hours and steps at once.
SAME_SAID = ("seconds_per_step", "samples", "epochs", "samples_per_epoch")


def knob_named(name: str) -> Knob:
    """Find a knob by key, link name or alias; dashes and case do not matter.

    Raises
    ------
    InputError
        No knob has that name; the way out lists near matches.
    """
    folded = name.strip().lower().replace("-", "_")
    if folded in _NAMES:
        return KNOBS[_NAMES[folded]]
    raise InputError(
        asked=f"'{name[:40]}' cannot be set",
        given=f"'{name[:40]}'",
        rule="no quantity has that name",
        way_out=near_matches(name, [*KNOBS, *SAME_SAID]),
    )


def make_scenario(start: Scenario | None = None, **values: object) -> Scenario:
    """Make a checked scenario from display units: `make_scenario(hours=40, workers=8)`.

    Parameters
    ----------
    start : Scenario, optional
        The scenario whose other values are kept; the defaults where it is left out.
    **values : object
        Knob keys (or link names) with a number in the knob's unit, or a text with its own unit:
        ``hours="1.5 days"``, ``size="7B"``, ``bandwidth="12.5 GB/s"``. `seconds_per_step` [s],
        `samples` [1], or `epochs` [1] with `samples_per_epoch` [1] are other ways to give
        hours and steps.

    Returns
    -------
    Scenario
        SI values, checked.

    Raises
    ------
    InputError
        An unknown name, an unreadable or impossible value, or two ways to say the same thing.
    """
    plain_values = {name: value for name, value in values.items() if name not in SAME_SAID}
    changes = {}
    for name, value in plain_values.items():
        knob = knob_named(name)
        changes[FIELD_OF[knob.key]] = knob.parse(value)
    made = (start or Scenario()).but(**changes)
    said = {name: values[name] for name in SAME_SAID if name in values}
    return _say_differently(made, said, set(changes)) if said else made


def _say_differently(made: Scenario, said: Mapping[str, object], given: set[str]) -> Scenario:
    """Turn seconds per step, samples or epochs into hours and steps."""
    clash = [n for n in ("steps", "samples", "epochs") if n in said or n in given]
    if len(clash) > 1:
        raise _said_twice(clash)
    if "seconds_per_step" in said and "one_worker_time" in given:
        raise _said_twice(["hours", "seconds_per_step"])
    read = {name: _positive(name, value) for name, value in said.items()}
    if "epochs" in read:
        if "samples_per_epoch" not in read:
            raise InputError(
                asked="Epochs alone do not give the number of steps",
                given="no samples_per_epoch",
                rule="steps = epochs x samples per epoch / batch",
                way_out="Add samples_per_epoch, or give steps or samples.",
            )
        read["samples"] = read["epochs"] * read["samples_per_epoch"]
    if "samples" in read:
        made = made.but(steps=max(1.0, read["samples"] / float(made.batch)))
    if "seconds_per_step" in read:
        made = made.but(one_worker_time=read["seconds_per_step"] * float(made.steps))
    return made


def _positive(name: str, value: object) -> float:
    dimension, unit = ("time", "s") if name == "seconds_per_step" else ("count", "")
    number = parse_quantity(str(value), dimension, unit)
    if not 0 < number < 1e18:
        raise InputError(
            asked=f"{name} cannot be {value}",
            given=f"given {value}",
            rule=f"{name} is a positive number",
            way_out=f"Choose for example {name} = {'1.44' if unit else '1000'}.",
        )
    return number


def _said_twice(names: list[str]) -> InputError:
    return InputError(
        asked=f"{names[0]} and {names[1]} cannot both be given",
        given=", ".join(names),
        rule="they are two ways to say the same thing",
        way_out=f"Leave out {names[1]}.",
    )


def scenario_to_dict(scenario: Scenario) -> dict[str, float | int | str]:
    """Return every knob's key with its value in display units, as the JSON file holds it.

    `make_scenario(**scenario_to_dict(s)) == s` for every scenario of scalars.
    """
    return {key: KNOBS[key].border(getattr(scenario, name)) for key, name in FIELD_OF.items()}


def changed_knobs(scenario: Scenario, base: Scenario | None = None) -> dict[str, Knob]:
    """Return the knobs (by key) whose value differs from the defaults, or from `base`."""
    base = base or Scenario()
    return {
        key: KNOBS[key]
        for key, name in FIELD_OF.items()
        if KNOBS[key].text(getattr(scenario, name)) != KNOBS[key].text(getattr(base, name))
    }


def to_query(scenario: Scenario, *, every: bool = False) -> str:
    """Return the address bar's query "?n=8&hours=40": changed knobs, or every one of them."""
    knobs = KNOBS if every else changed_knobs(scenario)
    return "?" + urlencode(
        {knob.link: knob.text(getattr(scenario, FIELD_OF[key])) for key, knob in knobs.items()}
    )


def from_query(values: Mapping[str, str]) -> tuple[Scenario, list[InputError]]:
    """Read address-bar values one by one; what cannot be honoured is reported, the rest kept.

    Returns
    -------
    tuple of Scenario and list of InputError
        The scenario made of all good values, and one error for each bad one.
    """
    good: dict[str, object] = {}
    bad: list[InputError] = []
    for name, value in values.items():
        try:
            knob = knob_named(name)
            knob.parse(value)
            good[knob.key] = value
        except InputError as error:
            bad.append(error)
    return make_scenario(None, **good), bad


def hours(scenario: Scenario) -> float:
    """One-worker time in hours, for sentences."""
    return float(scenario.one_worker_time) / HOUR
