"""English words beside those of other languages, for what is told in words rather than numbers."""

from __future__ import annotations

from functools import cache

from dpmodel.ask.lexicon import data, language_of
from dpmodel.ask.text import clean, fold, tokens_of


@cache
def _entries(language: str) -> tuple[tuple[str, str], ...]:
    table = data("languages").get("gloss", {}).get(language, {})
    return tuple((fold(word), english) for word, english in table.items())


def with_english(text: str, language: str | None = None) -> str:
    """Return a text followed by the English words for what it says; English texts unchanged."""
    language = language or language_of(tokens_of(clean(text)))
    if language == "en":
        return text
    folded = fold(text)
    if language != "zh":
        folded = " " + " ".join(t.low for t in tokens_of(clean(text)))
    found = []
    for word, english in _entries(language):
        at = folded.find(word if language == "zh" else f" {word}")
        # A longer entry that holds this one, such as "different layers", speaks for both.
        if at >= 0 and not any(
            word in longer and longer in folded
            for longer, _ in _entries(language)
            if longer != word and len(longer) > len(word) and word in longer
        ):
            found.append(english)
    return text + " " + " ".join(found) if found else text
