"""Answer a question about a measured series: a value at another count, or a diagnosis."""

from __future__ import annotations

from dpmodel.ask.essay import CAUSES
from dpmodel.ask.points import Points, read_points
from dpmodel.ask.result import AskResult, Step
from dpmodel.ask.scene import Scene
from dpmodel.ask.series import Diagnosis, diagnose, speed_ups
from dpmodel.laws import karp_flatt
from dpmodel.units import UNITS, significant

_DIAGNOSING = ("resource", "why", "strategy", "best")


def series_points(scene: Scene, question: str) -> Points | None:
    """The series of a question, where it has one of at least three points, or of repeats."""
    found = read_points(scene, question)
    if found is None:
        return None
    told = len(found.values) + (found.kind == "speedup" and min(found.values) > 1)
    return found if told >= 3 or found.spread else None


def hints_of(scene: Scene) -> set[str]:
    """What the words around a series hint at."""
    hints = set()
    if scene.has("slow") and scene.says(
        "one slow",
        "slowest worker",
        "one machine",
        "straggler",
        "throttled",
        "one gpu is slower",
        "one node is slower",
        "thermal",
        "one of the",
    ):
        hints.add("straggler")
    if scene.says(
        "different batch",
        "different precision",
        "other cluster",
        "another cluster",
        "different gpu",
        "fp32 at",
        "mixed precision from",
        "was measured with",
        "were measured with",
        "a100 for",
        "v100 for",
        "different machines",
        "switched to",
        "bf16 from",
        "batch was",
    ):
        hints.add("mixed")
    hardware = {t.low for t in scene.tokens} & {
        "a100",
        "v100",
        "h100",
        "h200",
        "b200",
        "t4",
        "l4",
        "p100",
        "k80",
        "mi300",
        "mi250",
    }
    if len(hardware) > 1:
        hints.add("mixed")
    if scene.has("boundary", "node"):
        hints.add("node")
    if scene.has("input"):
        hints.add("input")
    if scene.says(
        "does the same", "same factor", "same way", "each doubling", "every doubling", "same ratio"
    ):
        hints.add("power")
    return hints


def series_answer(scene: Scene, points: Points, result: AskResult) -> AskResult:
    """Fill the result of a series question."""
    found = diagnose(points, hints_of(scene))
    result.status, result.kind = "answered", "diagnose_series"
    left = _left_over(scene, points)
    if left:
        result.status = "not_understood"
        result.reason = result.sentence = f"It is not clear what “{left}” stands for in the series."
        return result
    result.steps = _steps(points)
    if (
        not _asks_why(scene)
        and not points.asked
        and scene.says("will", "would", "predict", "expect")
    ):
        result.status, result.missing = "insufficient", ["number of workers"]
        result.reason = result.sentence = "To answer this, the number of workers must be known."
        return result
    if not _asks_why(scene) and points.asked:
        return _value(scene, points, found, result)
    result.answer = {
        "type": "diagnosis",
        "class": found.name,
        "values": {k: _shown(v, unit) for k, (v, unit) in list(found.values.items())[:12]},
    }
    said = [f"{k.replace('_', ' ')} {_text(v, unit)}" for k, (v, unit) in found.values.items()]
    result.sentence = f"{found.why} {found.remedy} In numbers: " + "; ".join(said) + "."
    if scene.has("why"):
        result.notes += CAUSES
    if min(points.values) != 1:
        result.notes.append(f"The baseline is {min(points.values):g} workers, not one.")
    if points.spread:
        result.notes.append(f"Repeats differ by {significant(100 * points.spread)} %.")
    return result


def _left_over(scene: Scene, points: Points) -> str:
    """A measured value that belongs to no worker count of the series."""
    if points.spread:
        return ""
    kinds = {"rate": "throughput", "time": "time", "speedup": "factor"}
    kind = kinds.get(points.kind, "")
    known = list(points.values.values())
    for q in scene.quantities:
        if q.dimension != kind or q.role in ("comm_time", "compute_time", "deadline", "latency"):
            continue
        if all(abs(q.value - v) > 1e-9 * max(abs(v), 1.0) for v in known):
            return q.text
    return ""


def _asks_why(scene: Scene) -> bool:
    zone = scene.asked_sentences()
    if scene.has("resource", "strategy"):
        return True
    return any(scene.in_sentence(s, *_DIAGNOSING) for s in zone) or scene.has("resource")


def _shown(value: float, unit: str) -> dict[str, float | str]:
    if unit == "%":
        value = value / UNITS["fraction"]["%"]
    elif unit in UNITS["time"]:
        value = value / UNITS["time"][unit]
    return {"value": float(f"{value:.8g}"), "unit": unit}


def _text(value: float, unit: str) -> str:
    shown = _shown(value, unit)
    return f"{significant(float(shown['value']))} {unit}".strip()


def _value(scene: Scene, points: Points, found: Diagnosis, result: AskResult) -> AskResult:
    n = points.asked[0]
    value, unit = found.values[f"at_{n:g}"]
    if scene.has("speedup") and points.kind != "speedup" and not scene.has("throughput"):
        value, unit = found.predicted[n] * min(points.values) ** 0, "x"
    elif scene.has("efficiency") and any(
        scene.in_sentence(s, "efficiency") for s in scene.asked_sentences()
    ):
        value, unit = found.predicted[n] * min(points.values) / n, "%"
    result.answer = {"type": "number", **_shown(value, unit)}
    result.sentence = f"At {n:g} workers: {_text(value, unit)}. {found.why}"
    result.notes.append("Predicted from the measured points; farther out it is less sure.")
    return result


def _steps(points: Points) -> list[Step]:
    n, s = speed_ups(points)
    lines = []
    for workers, gain in zip(n[1:], s[1:], strict=True):
        relative = workers / n[0]
        e = gain / relative
        serial = (
            f", Karp-Flatt {significant(100 * float(karp_flatt(gain, relative)))} %"
            if gain > 0
            else ""
        )
        lines.append(
            Step(
                f"speed-up at {workers:g}",
                "value / baseline",
                f"over {n[0]:g}",
                f"{significant(float(gain))}x, efficiency {significant(100 * float(e))} %{serial}",
                "dpmodel.laws.karp_flatt",
            )
        )
    return lines
