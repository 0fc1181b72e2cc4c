"""Tables in a question: CSV lines, Markdown rows, columns of a log."""

from __future__ import annotations

import re

from dpmodel.ask.numerals import read_digits
from dpmodel.ask.scene import Scene
from dpmodel.ask.series_reading import Found, worker_like
from dpmodel.units import UNITS

_ROW = re.compile(r"^\s*\|?\s*(.+?)\s*\|?\s*$")


_CELLS = re.compile(r"\s*[|;\t]\s*|,\s*(?=\S)|\s{2,}|\s+(?=[\d.]+\s*(?:[a-zA-Z%/].*)?$)")


_STRONG = re.compile(r"\s*[|;\t]\s*")


def read_table(scene: Scene, question: str) -> Found | None:
    """Rows of cells: CSV lines, Markdown tables, columns of a log."""
    rows = []
    question = question.replace("\r", "").replace("\\n", "\n")
    for line in question.split("\n"):
        match = _ROW.match(line)
        cells = _STRONG.split(match.group(1)) if match else []
        cells = cells if len(cells) > 1 or not match else _CELLS.split(match.group(1))
        numbers = [_cell(c, scene.lexicon.decimal) for c in cells]
        if len(cells) >= 2 and all(n is not None for n in numbers[:2]):
            rows.append([n for n in numbers if n is not None])
    if len(rows) < 2:
        return None
    width = min(len(r) for r in rows)
    counts = [r[0] for r in rows]
    if width < 2 or any(n != int(n) or n < 1 for n in counts) or not worker_like(counts):
        return None
    values = {r[0]: r[1] for r in rows}
    return (values, 0.0, []) if min(values.values()) > 0 else None


def _cell(text: str, decimal: str) -> float | None:
    match = re.match(r"^\D{0,12}?(\d[\d.,']*)\s*[a-zA-Z%/() ]{0,16}$", text.strip())
    if not match:
        return None
    try:
        return read_digits(match.group(1).rstrip(".,"), decimal)
    except ValueError:
        return None


_HEADS = (
    (
        re.compile(r"speed-?\s?up|\bS\b|beschleunig|aceler|acc[eé]l", re.IGNORECASE),
        ("speedup", "x", 1.0),
    ),
    (
        re.compile(
            r"/\s?s\b|per\s?s|per_sec|throughput|img_?s|samples_?s|tok_?s|imgs|sps|durchsatz",
            re.IGNORECASE,
        ),
        ("rate", "samples/s", 1.0),
    ),
    (re.compile(r"eff", re.IGNORECASE), ("efficiency", "%", UNITS["fraction"]["%"])),
)


def header_kind(question: str) -> tuple[str, str, float] | None:
    """What a table's value column is, by its heading."""
    for line in question.split("\n"):
        cells = [c.strip() for c in re.split(r"[|;,\t]|\s{2,}", line.strip(" |")) if c.strip()]
        if len(cells) < 2 or any(ch.isdigit() for ch in cells[0]):
            continue
        for shape, kind in _HEADS:
            if shape.search(cells[1]):
                return kind
        for word, unit in (
            ("min", "min"),
            ("hour", "h"),
            ("ms", "ms"),
            ("sec", "s"),
            ("h", "h"),
            ("s", "s"),
        ):
            if re.search(rf"(?:^|[^a-z]){word}", cells[1], re.IGNORECASE) or cells[1].endswith(
                f"_{word}"
            ):
                return "time", unit, UNITS["time"][unit]
    return None


def rows_as_sentences(question: str) -> str:
    """Write the rows of a small table as sentences: "8 workers: 12.8 min."; else no change."""
    kind = header_kind(question)
    if kind is None:
        return question
    unit = {"rate": "samples/s", "speedup": "x", "efficiency": "%"}.get(kind[0], kind[1])
    lines, rows = [], 0
    for line in question.split("\n"):
        cells = [c.strip() for c in _STRONG.split(line.strip(" |"))]
        cells = cells if len(cells) > 1 else [c.strip() for c in line.split(",")]
        if len(cells) >= 2 and cells[0].isdigit() and cells[1] in ("?", "??", "x"):
            rows += 1
            lines.append(f"{cells[0]} workers: how many {unit}?")
        elif len(cells) >= 2 and cells[0].isdigit() and cells[1][:1].isdigit():
            rows += 1
            lines.append(f"{cells[0]} workers: {cells[1]} {unit}.")
        else:
            lines.append(line)
    return "\n".join(lines) if rows == 2 else question
