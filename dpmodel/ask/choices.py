"""Questions with options: split them, and choose the one that agrees with the computed answer."""

from __future__ import annotations

import re

from dpmodel.ask.scene import Scene

_MARK = re.compile(
    r"(?:(?<=\s)|^|(?<=[:?.;,(]))\(?(?P<letter>[A-Fa-f])(?P<close>[).:]|(?=\s-\s))\s*", re.MULTILINE
)
_LIST = re.compile(
    r"(?:(?<=[\s:;,\u3400-\u9fff])|^)\(?(?P<letter>\d{1,2}|[a-hA-H])(?P<close>[).:])(?:\s+|(?=[\u3400-\u9fff]))",
    re.MULTILINE,
)


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Split a question into its stem and its options by letter; no options, an empty dict."""
    return _split(text, [m for m in _MARK.finditer(text)], "A")


def split_items(text: str) -> tuple[str, dict[str, str]]:
    """Split a question into its stem and its numbered or lettered items."""
    marks = [m for m in _LIST.finditer(text)]
    for first in ("1", "A"):
        stem, items = _split(text, marks, first)
        if len(items) >= 3:
            return stem, items
    return text, {}


def _split(text: str, marks: list[re.Match[str]], first: str) -> tuple[str, dict[str, str]]:
    run: list[re.Match[str]] = []
    expected = first
    for match in marks:
        if match["letter"].upper() == expected:
            run.append(match)
            expected = str(int(expected) + 1) if expected.isdigit() else chr(ord(expected) + 1)
        elif match["letter"].upper() == first and len(run) < 2:
            run, expected = [match], str(2) if first == "1" else "B"
    if len(run) < 2:
        return text, {}
    ends = [m.start() for m in run[1:]] + [len(text)]
    options = {
        m["letter"].upper() if first == "A" else m["letter"]: text[m.end() : end].strip(" ;,\n")
        for m, end in zip(run, ends, strict=True)
    }
    if any(not words for words in options.values()):
        return text, {}
    return text[: run[0].start()].strip(), options


def numeric_choice(
    options: dict[str, str], value: float, shown: float, language: str, kind: str
) -> str:
    """The option whose number is the computed one, or "" where none or several are.

    Parameters
    ----------
    options : dict of str to str
        Option texts by letter.
    value, shown : float
        The computed value in SI, and in the unit it is shown in.
    language : str
        Language of the question.
    kind : str
        Variable that was asked, for shares written as numbers.
    """
    near = {}
    for letter, text in options.items():
        read = Scene(text, language).quantities
        if not read:
            continue
        q = read[0]
        known = (value, shown) if q.dimension in ("bare", "count", "factor") else (value,)
        gaps = [abs(q.value - k) / max(abs(k), abs(q.value), 1e-30) for k in known]
        near[letter] = min(gaps)
    good = sorted(near, key=lambda letter: near[letter])
    if not good or near[good[0]] > 0.03:
        return ""
    if len(good) > 1 and near[good[1]] < 1.5 * near[good[0]] + 1e-6:
        return ""
    return good[0]
