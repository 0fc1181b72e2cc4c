"""What the words of a question speak of without giving a number."""

from __future__ import annotations

from dpmodel.ask.holes import hole
from dpmodel.ask.lexicon import listed
from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution
from dpmodel.ask.wording import shown, words

TOO_GOOD = 1.4


def too_good(known: dict[str, float]) -> str:
    """Why an efficiency far above 100 % is rather a misreading."""
    more = known.get("workers", 1.0) / known.get("base_workers", 1.0)
    return (
        f"{shown('speedup', known['efficiency'] * more)} from {more:g} times the workers would be "
        f"{shown('efficiency', known['efficiency'])} efficiency: the worker counts and the "
        "measurements do not fit together."
    )


def unsaid_names(made: Situation, solution: Solution, wanted: list[str]) -> list[str]:
    """Quantities that the question speaks of without giving their number."""
    scene, used = made.scene, set(solution.known)
    found = []
    if (scene.has("serial") and not ({"serial", "karp_flatt"} & (used | set(wanted)))) and (
        not scene.says("no serial", "without serial", "nothing serial")
    ):
        found.append(words("en", "serial"))
    denied = scene.says(*listed("general_unsaid"))
    if (scene.has("latency") and wanted[0] in ("comm_time", "step_time") and not denied) and (
        made.givens["latency"].assumed and not scene.has("ideal")
    ):
        found.append(words("en", "latency"))
    if (
        scene.has("fewer")
        and not any(q.role in ("lost",) for q in scene.quantities)
        and (
            scene.says(*listed("general_unsaid_2"))
            and made.has("workers")
            and scene.says("of them")
        )
    ):
        found.append(words("en", "workers"))
    missing_word = hole(scene)
    if missing_word and not found:
        found.append(f"a number after “{missing_word}”")
    return found
