"""Times given as a formula of N: "800/N + 2N milliseconds"."""

from __future__ import annotations

import re

import numpy as np

from dpmodel.ask.result import AskResult, Step
from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS, significant

_NUMBER = r"(\d+(?:[.,]\d+)?)"
_SHARED = re.compile(_NUMBER + r"\s*/\s*[nNpP]\b")
_GROWING = re.compile(r"(?<![/\d.])" + _NUMBER + r"\s*\*?\s*[·×x]?\s*[nNpP]\b")
_FORMULA = re.compile(r"=?\s*([\d.,\s+*/·×()-]*\d\s*/\s*[nNpP]\b[\d.,\s+*/·×()nNpP-]*)")


def formula_answer(scene: Scene, result: AskResult) -> AskResult | None:
    """Answer a question about t = a + b/N + cN; None where there is no such formula."""
    found = _FORMULA.search(scene.text)
    if not found:
        return None
    body = found.group(1)
    shared = _SHARED.search(body)
    rest = _SHARED.sub(" ", body)
    growing = _GROWING.search(rest)
    rest = _GROWING.sub(" ", rest)
    constant = re.search(r"(?:^|\+)\s*" + _NUMBER + r"\s*(?:\+|$)", rest.strip(" ="))
    if not shared or not (growing or constant):
        return None
    b = _read(shared.group(1))
    c = _read(growing.group(1)) if growing else 0.0
    a = _read(constant.group(1)) if constant else 0.0
    return _solve(scene, result, a, b, c, found.end())


def _read(text: str) -> float:
    return float(text.replace(",", "."))


def _solve(
    scene: Scene, result: AskResult, a: float, b: float, c: float, end: int
) -> AskResult | None:
    unit = next(
        (
            scene.lexicon.units[(t.low,)]
            for t in scene.tokens
            if (t.low,) in scene.lexicon.units and len(t.low) > 1
        ),
        "s",
    )
    asked = [q.value for q in scene.quantities if q.span[0] >= end and q.noun == "worker"]
    result.status, result.kind = "answered", "formula"

    def time(n: float) -> float:
        return a + b / n + c * n

    if (
        scene.has("best", "howmany")
        or scene.says("fastest", "minimises", "minimizes", "optimal")
        and c > 0
    ):
        if c == 0:
            return None
        low = max(np.floor(np.sqrt(b / c)), 1.0)
        best = min((low, low + 1), key=time)
        result.answer = {"type": "number", "value": float(best), "unit": "workers"}
        if scene.says(
            "and the step time",
            "and the time",
            "step time there",
            "time there",
            "how long is",
            "and its time",
            "and how long",
        ):
            there = {"value": float(f"{time(best):.10g}"), "unit": unit}
            both = {"workers": {"value": float(best), "unit": "workers"}, "time": there}
            result.answer = {"type": "numbers", "values": both}
        result.sentence = f"{best:g} workers: {significant(time(best))} {unit} a step, the least."
        result.steps = [Step("fastest N", "√(b / c)", f"√({b:g} / {c:g})", f"{best:g}")]
        return result
    if len(asked) == 1:
        value, name = (
            (time(1) / time(asked[0]), "x") if scene.has("speedup") else (time(asked[0]), unit)
        )
        if scene.has("efficiency"):
            value, name = time(1) / time(asked[0]) / asked[0] / UNITS["fraction"]["%"], "%"
        result.answer = {"type": "number", "value": float(f"{value:.10g}"), "unit": name}
        result.sentence = f"At {asked[0]:g} workers: {significant(value)} {name}."
        return result
    return None
