"""Units that a question names without a number."""

from __future__ import annotations

from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS


def free_units(scene: Scene, zone: set[int]) -> list[tuple[str, str, int]]:
    """Units named in the question without a number: (dimension, unit, token)."""
    inside = {k for q in scene.quantities for k in range(q.start, q.end)}
    found = []
    for i, token in enumerate(scene.tokens):
        if token.sentence not in zone or i in inside:
            continue
        single = (token.low,)
        if single in scene.lexicon.units and (len(token.low) > 1 or _stands_alone(scene, i)):
            capital = len(token.text) == 1 and token.text.isupper()
            if not capital and scene.word(i - 1) not in (
                "/",
                "per",
                "pro",
                "par",
                "por",
                "-",
                "an",
                "a",
                "each",
            ):
                found.append(("time", scene.lexicon.units[single], i))
        elif token.text in ("%",) or token.low in ("percent", "prozent", "percentage"):
            found.append(("share", "%", i))
        elif (
            token.text in UNITS["data"]
            and len(token.text) > 1
            or token.low in SPELT
            or spelt(scene, token.low, "")
        ):
            name = spelt(scene, token.low, token.text)
            rate = (
                scene.word(i + 1) == "/"
                and scene.word(i + 2) == "s"
                or (scene.word(i + 1) == "per" and scene.word(i + 2) == "second")
            )
            found.append(("rate" if rate else "data", name + ("/s" if rate else ""), i))
        elif token.text in UNITS["rate"]:
            found.append(("rate", token.text, i))
    return found


SPELT = {
    "gigabytes": "GB",
    "gigabyte": "GB",
    "megabytes": "MB",
    "megabyte": "MB",
    "terabytes": "TB",
    "kilobytes": "kB",
    "bytes": "B",
    "gigaoctets": "GB",
    "mégaoctets": "MB",
    "gib": "GiB",
    "mib": "MiB",
}


def spelt(scene: Scene, low: str, text: str) -> str:
    """The unit a word spells; Mo and Go are French only."""
    if scene.language == "fr" and low in ("mo", "go"):
        return {"mo": "MB", "go": "GB"}[low]
    return SPELT.get(low, text)


def _stands_alone(scene: Scene, i: int) -> bool:
    return scene.word(i - 1) in ("in", "(", "_", "=") or scene.word(i + 1) in (")", "?", "")
