"""The one kind of error that a person can cause."""

from __future__ import annotations


class InputError(ValueError):
    """A value or question that cannot be honoured, told in one sentence of four parts.

    Parameters
    ----------
    asked : str
        What was asked for, as a clause: "128 workers cannot share a global batch of 100".
    given : str
        The value or comparison that was found: "100 < 128".
    rule : str
        The rule it breaks: "some would have no sample".
    way_out : str
        A whole sentence that says what would work.
    """

    def __init__(self, *, asked: str, given: str, rule: str, way_out: str) -> None:
        self.asked, self.given, self.rule, self.way_out = asked, given, rule, way_out
        super().__init__(f"{asked}: {rule} ({given}). {way_out}")


def near_matches(text: str, known: list[str]) -> str:
    """Return "Did you mean A or B?", or the list of what is known when nothing is near."""
    import difflib

    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(text.lower(), list(by_lower), n=3, cutoff=0.6)
    if close:
        return "Did you mean " + " or ".join(by_lower[name] for name in close) + "?"
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"Known: {shown}."
