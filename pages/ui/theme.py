"""One colour per meaning, in light and dark, legible to the colour-blind.

A colour in a figure is a pair {"light", "dark"} until it is drawn, so that the same figure serves
both themes; `resolve` picks one of each pair.
"""

from __future__ import annotations

from typing import Any

Pair = dict[str, str]


def _pair(light: str, dark: str) -> Pair:
    return {"light": light, "dark": dark}


# After Okabe & Ito's palette, darkened or lightened to 3:1 on its background; parts of a bar are
# also told apart by their hatching.
COLOURS: dict[str, Pair] = {
    "compute": _pair("#0b57d0", "#7cacf8"),
    "contention": _pair("#4f6d9c", "#a9bfe3"),
    "communication": _pair("#c2410c", "#fb923c"),
    "hidden": _pair("#e8a46f", "#8a5a36"),
    "straggler": _pair("#9d174d", "#f472b6"),
    "input": _pair("#0f766e", "#2dd4bf"),
    "serial": _pair("#6b4fa0", "#c4b5fd"),
    "ideal": _pair("#5f6b7a", "#9aa7b8"),
    "limit": _pair("#8a1c1c", "#f3a6a6"),
    "ghost": _pair("#9aa3ad", "#6f7a88"),
    "measured": _pair("#111827", "#f3f4f6"),
    "pinned": _pair("#7a5c00", "#e3c15a"),
    "text": _pair("#1f2328", "#e6e8eb"),
    "muted": _pair("#57606a", "#a3acb7"),
    "grid": _pair("#e4e7eb", "#30363d"),
    "paper": _pair("#ffffff", "#0f1419"),
    "good": _pair("rgba(15,118,110,0.20)", "rgba(45,212,191,0.22)"),
    "fair": _pair("rgba(180,130,0,0.16)", "rgba(227,193,90,0.16)"),
    "band": _pair("rgba(11,87,208,0.12)", "rgba(124,172,248,0.18)"),
    "poor": _pair("rgba(194,65,12,0.06)", "rgba(251,146,60,0.07)"),
}
HATCH = {
    "compute": "",
    "contention": ".",
    "communication": "/",
    "hidden": "\\",
    "straggler": "x",
    "input": "-",
    "serial": "+",
}
# Light to dark blue: more speed-up is darker on white, brighter on black.
SPEED_SCALE = {
    "light": ["#f3f7fd", "#c9dcf7", "#8fb6ee", "#4b86dd", "#1d5bbd", "#0a3a85"],
    "dark": ["#111a26", "#16304f", "#1d4d82", "#3476bd", "#6ea5e6", "#b9d6fb"],
}


def resolve(value: Any, scheme: str) -> Any:
    """Pick the light or dark half of every colour pair in a figure.

    Parameters
    ----------
    value : any
        A figure or part of one, made of dicts and lists.
    scheme : str
        ``"light"`` or ``"dark"``.
    """
    if isinstance(value, dict):
        if value.keys() == {"light", "dark"}:
            return value[scheme]
        return {key: resolve(part, scheme) for key, part in value.items()}
    if isinstance(value, list):
        return [resolve(part, scheme) for part in value]
    return value
