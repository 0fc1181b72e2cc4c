"""Scenario files: JSON out, JSON back in, from a path, a pipe or pasted text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dpmodel.border import make_scenario, scenario_to_dict
from dpmodel.errors import InputError
from dpmodel.scenario import Scenario


def scenario_json(scenario: Scenario) -> str:
    """Write every knob in display units, as `read_scenario_text` reads it back."""
    return json.dumps({"scenario": scenario_to_dict(scenario)}, indent=2, ensure_ascii=False)


def read_scenario(path: str) -> Scenario:
    """Read a scenario from a JSON file, or from standard input for "-".

    Raises
    ------
    InputError
        The file cannot be read, or `read_scenario_text` refuses it.
    """
    if path == "-":
        return read_scenario_text(sys.stdin.read())
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            asked=f"The scenario file '{path[:60]}' cannot be read",
            given=type(error).__name__,
            rule="a scenario is a JSON file",
            way_out="Save one with 'Scenario (JSON)' on the Explore page.",
        ) from error
    return read_scenario_text(text)


def read_scenario_text(text: str) -> Scenario:
    """Read a scenario from JSON text: an object of knobs, or one under "scenario".

    Raises
    ------
    InputError
        Not JSON, not an object, or a knob that is unknown or out of range.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise _not_a_scenario(f"line {error.lineno}: {error.msg}") from error
    if isinstance(document, dict) and isinstance(document.get("scenario"), dict):
        document = document["scenario"]
    if not isinstance(document, dict):
        raise _not_a_scenario(f"a {type(document).__name__}")
    return make_scenario(None, **document)


def _not_a_scenario(given: str) -> InputError:
    return InputError(
        asked="This text is no scenario",
        given=given,
        rule="""a scenario is a JSON object such as {"hours": 40, "workers": 8}""",
        way_out="Save one with 'Scenario (JSON)' on the Explore page, or use predict --json.",
    )
