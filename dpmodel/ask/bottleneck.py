"""What holds a run back, told by the words and numbers around it, and options that name it."""

from __future__ import annotations

from dpmodel.ask.concepts import spaced
from dpmodel.ask.lexicon import listed_table

# cause -> cues in the stem, then cues in an option.
_STEM: dict[str, tuple[str, ...]] = listed_table("bottleneck_stem")
_OPTION: dict[str, tuple[str, ...]] = listed_table("bottleneck_option")
_SERIES = {
    "amdahl": "serial",
    "linear_overhead": "comm",
    "retrograde": "comm",
    "node_boundary": "comm",
    "ceiling": "input",
    "straggler": "straggler",
    "near_linear": "none",
}


def cause_of(text: str, series_class: str = "") -> str:
    """The likeliest cause: ``comm``, ``input``, ``small``, ``straggler``, ``serial``.

    Parameters
    ----------
    text : str
        The stem of the question.
    series_class : str
        Class of the measured series in it, "" where there is none.
    """
    flat = spaced(text)
    scores = {cause: float(sum(f" {cue}" in flat for cue in cues)) for cause, cues in _STEM.items()}
    scores["comm"] *= 0.5
    if series_class:
        cause = _SERIES.get(series_class, "")
        weight = 2.5 if "karp" in flat else 1.2
        if cause in scores:
            scores[cause] += weight
        elif cause:
            return cause
    for excluded, cues in _EXCLUDED.items():
        if any(cue in flat for cue in cues):
            scores[excluded] = 0.0
    best = max(scores, key=lambda c: scores[c])
    return best if scores[best] > 0 else ""


_EXCLUDED = listed_table("bottleneck_excluded")


def option_cause(text: str) -> str:
    """The cause that an option names, or ""."""
    flat = spaced(text)
    if any(f" {cue}" in flat for cue in _OPTION["growing"]):
        return "comm"
    scores = {c: sum(f" {cue}" in flat for cue in cues) for c, cues in _OPTION.items()}
    best = max(scores, key=lambda c: scores[c])
    return best if scores[best] else ""


def choose_cause(stem: str, options: dict[str, str], series_class: str) -> tuple[str, str]:
    """The option that names the likeliest cause, with the cause; "" where none or several do."""
    cause = cause_of(stem, series_class)
    named = [letter for letter, text in options.items() if option_cause(text) == cause]
    return (named[0], cause) if cause and len(named) == 1 else ("", cause)
