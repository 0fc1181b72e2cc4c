"""Put the events of one data-parallel training step in order."""

from __future__ import annotations

from dpmodel.ask.choices import split_items
from dpmodel.ask.gloss import with_english
from dpmodel.ask.lexicon import data, language_of
from dpmodel.ask.result import AskResult
from dpmodel.ask.text import clean, fold, tokens_of


def order_items(question: str) -> tuple[dict[str, str], dict[str, float]]:
    """Return the items of an ordering question and the stage that each belongs to.

    An item that fits no stage has none; the caller then refuses.
    """
    _, items = split_items(clean(question))
    language = language_of(tokens_of(clean(question)))
    best: dict[str, float] = {}
    for sequence in ("stage", "ring", "server"):
        stages = {
            key: stage_of(with_english(text, language), sequence) for key, text in items.items()
        }
        told = {key: stage for key, stage in stages.items() if stage is not None}
        if (len(told), len(set(told.values()))) > (len(best), len(set(best.values()))):
            best = told
    return items, best


def stage_of(text: str, sequence: str = "stage") -> float | None:
    """Stage of a training step that a text tells of, by its cue words; None for no stage."""
    words = " " + " ".join(t.low for t in tokens_of(clean(text)) if t.text != "-") + " "
    best, most = None, 0.0
    for stage in data("steps")[sequence]:
        score = sum(_weight(cue, words) for cue in stage["cues"].split("|"))
        score -= sum(2 * _weight(cue, words) for cue in stage.get("not", "").split("|") if cue)
        if score > most:
            best, most = float(stage["at"]), score
    return best


def _weight(cue: str, words: str) -> float:
    folded = " ".join(fold(w) for w in cue.split())
    if folded.endswith("*"):
        return 1.0 + 0.6 * folded.count(" ") if f" {folded[:-1]}" in words else 0.0
    return 1.0 + 0.6 * folded.count(" ") if f" {folded} " in words else 0.0


def order_answer(question: str, result: AskResult) -> AskResult | None:
    """Answer an ordering question; None where its items are not understood."""
    items, stages = order_items(question)
    if len(items) < 3 or len(stages) < len(items):
        return None
    ties = len(set(stages.values())) < len(stages)
    place = {key: n for n, key in enumerate(items)}
    keys = sorted(items, key=lambda key: (stages[key], place[key]))
    shown = [int(k) if k.isdigit() else _like(question, k) for k in keys]
    result.status, result.kind = "answered", "ordering"
    result.answer = {"type": "order", "order": shown}
    result.sentence = "In order: " + ", ".join(str(k) for k in shown) + "."
    result.checks = [
        f"{n}. {k}: {items[key]}" for n, (k, key) in enumerate(zip(shown, keys, strict=True), 1)
    ]
    if ties:
        result.notes.append("Two items belong to the same stage; they keep the order given.")
    return result


def _like(question: str, key: str) -> str:
    """Letters as the question writes them."""
    lower = key.lower()
    return lower if f"{lower})" in question or f"({lower}" in question else key
