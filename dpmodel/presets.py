"""Situations to start from, each with the sentence that says what it teaches."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpmodel.border import make_scenario
from dpmodel.errors import InputError, near_matches
from dpmodel.scenario import Scenario


@dataclass(frozen=True)
class Preset:
    """A named scenario and what to look at in it."""

    key: str
    name: str
    look: str
    scenario: Scenario


@cache
def presets() -> dict[str, Preset]:
    """Return all presets by key, in the order in which they are shown."""
    text = (Path(__file__).parent / "data" / "presets.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["preset"]
    return {
        row["key"]: Preset(row["key"], row["name"], row["look"], make_scenario(**row["set"]))
        for row in rows
    }


def preset_named(name: str) -> Preset:
    """Find a preset by key or full name.

    Raises
    ------
    InputError
        No preset has that name; the way out lists near matches.
    """
    folded = name.strip().lower()
    for preset in presets().values():
        if folded in (preset.key.lower(), preset.name.lower()):
            return preset
    raise InputError(
        asked=f"There is no preset '{name[:40]}'",
        given=f"'{name[:40]}'",
        rule="a preset is chosen by its key or name",
        way_out=near_matches(name, list(presets())),
    )
