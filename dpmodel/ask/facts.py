"""Hold a statement against a list of known ones: near a true one, or nearer a false one.

Words become ideas (GPU, node and machine are one), directions (grow, rise, more are one) and
stems; rare ones weigh more. Similarity is the cosine of the weighted word sets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from dpmodel.ask.lexicon import data, lexicon
from dpmodel.ask.text import clean, tokens_of

_DIRECTIONS = {
    "UP": "grow grows growing grown rise rises rising increase increases increased increasing larger bigger more higher "
    "raise raises multiply up exceed exceeds above quadruple quadruples greater most improve improves better",
    "DOWN": "fall falls falling decrease decreases shrink shrinks smaller fewer less lower lowers lowered reduce reduces "
    "reduced save saves down drop drops below half halve halves halved half halving cut worse hurt hurts divides",
    "SAME": "same identical equal equals constant fixed unchanged independent stay stays equally consistent",
    "DIFF": "different differ differs diverge drift own separate distinct disjoint unequal",
    "ALWAYS": "always every-time necessarily invariably guaranteed guarantees automatically never whatever ever",
    "NOT": "not no cannot without n't don't doesn't isn't aren't can't won't nothing none neither",
    "FAST": "faster quick quicker fast speeds fastest",
    "SLOW": "slow slower slows slowest straggler stragglers delays delay delayed",
    "ALL": "all everyone everybody each every whole entire complete full",
    "ONE": "one single only alone itself",
    "DOUBLE": "double doubles doubled doubling twice two-fold",
    "AVERAGE": "average averages averaged averaging mean aggregate aggregates aggregated combine combines combined synchronise "
    "synchronised synchronize synchronized synchronises synchronizes synchronisation synchronization sum",
}
_CLASS = {word: name for name, words in _DIRECTIONS.items() for word in words.split()}
_KEPT = frozenset(
    [
        "worker",
        "comm",
        "allreduce",
        "gradient",
        "batch",
        "epoch",
        "step",
        "sample",
        "param",
        "serial",
        "efficiency",
        "speedup",
        "overlap",
        "memory",
        "latency",
        "bandwidth",
        "ring",
        "ps",
        "lr",
        "cost",
        "input",
        "weak",
        "strong",
        "amdahl",
        "gustafson",
        "karpflatt",
        "micro",
        "compute",
    ]
)
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "for",
        "with",
        "and",
        "or",
        "is",
        "are",
        "be",
        "as",
        "at",
        "by",
        "it",
        "its",
        "that",
        "this",
        "which",
        "what",
        "when",
        "how",
        "do",
        "does",
        "can",
        "may",
        "will",
        "would",
        "if",
        "so",
        "than",
        "then",
        "their",
        "they",
        "we",
        "our",
        "you",
        "your",
        "from",
        "has",
        "have",
        "after",
        "before",
        "use",
        "uses",
        "used",
        "using",
        "into",
        "over",
        "not-only",
        "training",
        "data",
        "parallel",
        "parallelism",
        "model",
        "gpu",
    ]
)
_STRONG = {
    "UP": 1.7,
    "DOWN": 1.7,
    "SAME": 1.6,
    "DIFF": 1.6,
    "ALWAYS": 1.5,
    "NOT": 1.6,
    "DOUBLE": 1.5,
    "AVERAGE": 1.8,
}


@dataclass(frozen=True)
class Fact:
    """A known statement with its weighted terms."""

    text: str
    truth: bool
    terms: dict[str, float]
    norm: float


def terms_of(text: str) -> list[str]:
    """Cut a text into ideas, directions and stems."""
    tokens = tokens_of(clean(text))
    words = lexicon("en")
    ideas = {m.start: m for m in words.mentions(tokens) if m.idea in _KEPT}
    found, skip = [], 0
    for i, token in enumerate(tokens):
        if token.kind not in ("word", "num") or i < skip:
            continue
        named = _CLASS.get(token.low)
        mention = ideas.get(i)
        if named:
            found.append(named)
        elif mention is not None:
            found.append(mention.idea)
            skip = mention.end
        elif token.low not in _EMPTY:
            found.append(_stem(token.low))
    return found


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@cache
def _facts() -> tuple[tuple[Fact, ...], dict[str, float]]:
    table = data("facts")
    texts = [(t, True) for t in table["true"]] + [(t, False) for t in table["false"]]
    sets = [set(terms_of(text)) for text, _ in texts]
    counts: dict[str, int] = {}
    for terms in sets:
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    weights = {t: (1 + math.log(len(sets) / n)) * _STRONG.get(t, 1.0) for t, n in counts.items()}
    made = []
    for (text, truth), terms in zip(texts, sets, strict=True):
        weighted = {t: weights[t] for t in terms}
        made.append(Fact(text, truth, weighted, math.sqrt(sum(w * w for w in weighted.values()))))
    return tuple(made), weights


def nearest(parts: list[tuple[str, float]]) -> tuple[tuple[float, str], tuple[float, str]]:
    """Similarity to the nearest true and the nearest false statement, each with its text.

    Parameters
    ----------
    parts : list of (str, float)
        Texts with the weight of their words: a statement, or a stem at half weight and an option.
    """
    facts, weights = _facts()
    rare = 1 + math.log(len(facts))
    terms: dict[str, float] = {}
    for text, weight in parts:
        for term in terms_of(text):
            value = weight * weights.get(term, 0.5 * rare)
            terms[term] = max(terms.get(term, 0.0), value)
    norm = math.sqrt(sum(w * w for w in terms.values())) or 1.0
    best = {True: (0.0, ""), False: (0.0, "")}
    for fact in facts:
        dot = sum(w * terms[t] for t, w in fact.terms.items() if t in terms)
        score = dot / (norm * fact.norm)
        if score > best[fact.truth][0]:
            best[fact.truth] = (score, fact.text)
    return best[True], best[False]


def judge_by_facts(statement: str) -> tuple[bool, str] | None:
    """Truth of a statement by the nearest known ones, with the statement that decided."""
    (yes, true_text), (no, false_text) = nearest([(statement, 1.0)])
    if max(yes, no) < 0.5 or abs(yes - no) < 0.1:
        return None
    return (True, true_text) if yes > no else (False, false_text)


def choose_by_facts(stem: str, options: dict[str, str], inverted: bool) -> tuple[str, str]:
    """The option that stands nearest to the truth, "" where none stands out."""
    scores, texts = {}, {}
    for letter, option in options.items():
        (yes, text), (no, _) = nearest([(stem, 0.6), (option, 1.0)])
        scores[letter] = (no - yes) if inverted else (yes - 0.7 * no)
        texts[letter] = text
    order = sorted(scores, key=lambda letter: -scores[letter])
    if scores[order[0]] < 0.12 or scores[order[0]] - scores[order[1]] < 0.06:
        return "", ""
    return order[0], texts[order[0]]
