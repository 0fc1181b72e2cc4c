"""The commands `ask "QUESTION" [--json]` and `ask --jsonl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

from dpmodel.ask.answer import answer
from dpmodel.ask.result import AskResult


def ask_text(question: str, as_json: bool) -> str:
    """Answer one question as JSON or as a person's text."""
    result = answer(question)
    if as_json:
        return json.dumps(result.document(), indent=2, ensure_ascii=False, allow_nan=False)
    return person_text(result)


def person_text(result: AskResult) -> str:
    """Lay an answer out for a person: the answer, how it was read, and the working."""
    lines = [result.sentence or result.reason]
    read = [f"{u.label} {u.value:g} {u.unit}".strip() for u in result.understood if not u.assumed]
    if read:
        lines.append("Understood: " + "; ".join(read) + ".")
    lines += [f"  {step.line()}" for step in result.steps]
    lines += [f"  {line}" for line in (*result.checks, *result.notes)]
    if result.nearest:
        lines.append("Nearest kinds: " + ", ".join(result.nearest) + ".")
    if result.explore:
        lines.append(f"Explore: {result.explore}")
    return "\n".join(lines)


def ask_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer JSON lines {"id", "question"} one by one; a bad line is answered as not understood."""
    for line in lines:
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
            identity, question = asked.get("id"), str(asked.get("question", ""))
        except (ValueError, AttributeError):
            identity, question = None, line
        document = {"id": identity, **answer(question).document()}
        yield json.dumps(document, ensure_ascii=False, allow_nan=False)


def main(arguments: list[str]) -> str:
    """Run the command; `--jsonl` writes each answer as soon as it is known."""
    if "--jsonl" in arguments:
        for document in ask_lines(sys.stdin):
            print(document, flush=True)
        return ""
    words = [a for a in arguments if a != "--json"]
    return ask_text(" ".join(words), "--json" in arguments)
