"""The commands: `python -m dpmodel predict --hours 40 --workers 1,8 --mode ideal --json`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dpmodel.errors import InputError, near_matches

USAGE = """usage: python -m dpmodel COMMAND [...]

  predict [--preset NAME] [--KNOB VALUE ...] [--workers 1,2,4,8] [--scenario FILE] [--json]
          training time, speed-up and the parts of a step, for each worker count
  evidence [--curves FOLDER] [--allreduce FILE] [--iterations FOLDER] [--json]
          published measurements beside what the model predicts for them, and how far it is off
  knobs   every knob with its unit, range and default
  ask "QUESTION" [--json], or ask --jsonl
          answer a question in plain words with its working; --jsonl reads lines
          {"id", "question"} and writes one answer a line

A value is a number in the knob's unit, or has its own: --hours "1.5 days" --size 7B."""


def main(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code (2 for what cannot be honoured)."""
    commands = {"predict": _predict, "evidence": _evidence, "ask": _ask, "knobs": _knobs}
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    try:
        if arguments[0] not in commands:
            raise InputError(
                asked=f"There is no command '{arguments[0][:40]}'",
                given=f"'{arguments[0][:40]}'",
                rule="the first word names a command",
                way_out=near_matches(arguments[0], list(commands)),
            )
        shown = commands[arguments[0]](list(arguments[1:]))
        if shown:
            print(shown, flush=True)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader, such as head, has seen enough; nothing more can be said to it.
        sys.stdout = None
    return 0


def _options(arguments: list[str], flags: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """Split "--name value", "--name=value" and bare flags."""
    values: dict[str, str] = {}
    seen: set[str] = set()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise _misplaced(word)
        name, equals, value = word[2:].partition("=")
        if name in flags and not equals:
            seen.add(name)
        elif equals or rest:
            values[name.replace("-", "_")] = value if equals else rest.pop(0)
        else:
            raise _misplaced(word)
    return values, seen


def _misplaced(word: str) -> InputError:
    return InputError(
        asked=f"'{word[:40]}' cannot be read",
        given=f"'{word[:40]}'",
        rule="options come as --name value",
        way_out="Run python -m dpmodel help for examples.",
    )


def _predict(arguments: list[str]) -> str:
    from dpmodel.border import make_scenario
    from dpmodel.files import read_scenario
    from dpmodel.presets import preset_named
    from dpmodel.report import prediction_document, prediction_text

    values, flags = _options(arguments, ("json",))
    start = preset_named(values.pop("preset")).scenario if "preset" in values else None
    if "scenario" in values:
        start = read_scenario(values.pop("scenario"))
    counts = next((values.pop(name) for name in ("workers", "n") if name in values), None)
    _check_names(values)
    scenario = make_scenario(start, **values)
    workers = _worker_list(counts) if counts else [int(scenario.workers)]
    if "json" in flags:
        import json

        document = prediction_document(scenario, workers)
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    return prediction_text(scenario, workers)


def _check_names(values: dict[str, str]) -> None:
    """Refuse an unknown option, with the options of the command among the near matches."""
    from dpmodel.border import SAME_SAID, knob_named
    from dpmodel.scenario import KNOBS

    for name in values:
        try:
            name in SAME_SAID or knob_named(name)
        except InputError as error:
            known = [*KNOBS, *SAME_SAID, "preset", "scenario", "json"]
            raise InputError(
                asked=error.asked,
                given=error.given,
                rule=error.rule,
                way_out=near_matches(name, known),
            ) from error


def _worker_list(text: str) -> list[int]:
    from dpmodel.scenario import KNOBS

    return [int(KNOBS["workers"].parse(part)) for part in text.split(",")]


def _ask(arguments: list[str]) -> str:
    from dpmodel.ask.command import main as ask

    return ask(arguments)


def _evidence(arguments: list[str]) -> str:
    from pathlib import Path

    from dpmodel.evidence.report import evidence_document, evidence_text

    values, flags = _options(arguments, ("json",))
    for name in values:
        if name not in ("curves", "allreduce", "iterations"):
            raise _misplaced(f"--{name}")
    document = evidence_document(**{name: Path(path) for name, path in values.items()})
    if "json" in flags:
        import json

        return json.dumps(document, ensure_ascii=False, allow_nan=False)
    return evidence_text(document)


def _knobs(arguments: list[str]) -> str:
    from dpmodel.scenario import KNOBS

    _options(arguments, ())
    lines = [f"{'knob':<18} {'link':<10} {'default':<24} {'unit':<10} meaning"]
    for knob in KNOBS.values():
        lines.append(
            f"{knob.key:<18} {knob.link:<10} {knob.show(knob.default_si):<24} "
            f"{knob.unit:<10} {knob.help}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
