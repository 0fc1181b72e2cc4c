"""What an answer is made of, for the page, the command and the practice room."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Value:
    """A number with the unit it is shown in."""

    value: float
    unit: str = ""

    def document(self) -> dict[str, Any]:
        """Return the value as JSON holds it."""
        return {"value": self.value, "unit": self.unit}


@dataclass(frozen=True)
class Understood:
    """One quantity as it was read.

    `role` is the name that overrides use, `label` what a person sees; `span` is its place in the
    question, or None where it was assumed or worked out.
    """

    role: str
    label: str
    value: float
    unit: str
    text: str = ""
    span: tuple[int, int] | None = None
    why: str = ""
    assumed: bool = False
    editable: bool = True


@dataclass(frozen=True)
class Step:
    """One line of the working: what, the formula, the numbers put in, and the result."""

    what: str
    formula: str
    substitution: str
    result: str
    source: str = ""

    def line(self) -> str:
        """Return the step as one line of text."""
        return f"{self.what} = {self.formula} = {self.substitution} = {self.result}"


@dataclass
class AskResult:
    """The answer to one question, or the reason why there is none.

    Attributes
    ----------
    status : str
        ``answered``, ``insufficient``, ``contradictory``, ``invalid`` or ``not_understood``.
    answer : dict
        The answer in the shape of its type (number, numbers, choice, ...).
    sentence : str
        The answer or refusal in one sentence, in the question's language.
    """

    question: str
    status: str = "not_understood"
    kind: str = ""
    language: str = "en"
    answer: dict[str, Any] = field(default_factory=dict)
    sentence: str = ""
    understood: list[Understood] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    missing_roles: list[str] = field(default_factory=list)
    reason: str = ""
    nearest: list[str] = field(default_factory=list)
    explore: str = ""

    def document(self) -> dict[str, Any]:
        """Return everything as JSON holds it."""
        return {
            "status": self.status,
            "kind": self.kind,
            "language": self.language,
            "answer": self.answer or None,
            "sentence": self.sentence,
            "understood": {
                u.role: {"value": u.value, "unit": u.unit, "text": u.text, "assumed": u.assumed}
                for u in self.understood
            },
            "steps": [step.line() for step in self.steps] + self.checks,
            "notes": self.notes,
            "missing": self.missing,
            "reason": self.reason,
            "nearest": self.nearest,
            "explore": self.explore,
        }
