"""What a live panel is made of, and how it is packed into the bytes that the browser reads.

Layout of the bytes: uint32 length of the header, the header (JSON, padded to a multiple of four),
then all numbers as little-endian float32. Numbers are named by [start, rows, width, dimensions].
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Texts = Sequence[str] | str


@dataclass(frozen=True)
class Column:
    """One column of a CSV: `values` is a series' name, "x", or an array (R,)."""

    header: str
    values: str | np.ndarray


@dataclass(frozen=True)
class PanelFigure:
    """One figure: a Plotly spec of plain dicts, its text equivalent and its files.

    Colours in the spec may be "var:--st-..." or {"light": ..., "dark": ...}. `narrow` holds
    layout entries that win below 480 px.
    """

    id: str
    title: str
    spec: Mapping[str, Any]
    alt: str
    file_name: str = ""
    csv: Sequence[Column] = ()
    narrow: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """What the panel shows at every value of one slider, all other knobs held.

    Parameters
    ----------
    labels : sequence of str, (L,)
        The slider's options exactly as it shows them.
    index : int
        Position of the present value.
    series : mapping of str to ndarray, (L, W)
        Named values; a series that does not change with this knob is left out.
    texts : sequence, (L,)
        Per value the headline's texts, or one sentence where the value is impossible.
    notices : sequence of str, (L,), optional
        Per value the "what to notice" sentence.
    """

    labels: Sequence[str]
    index: int
    series: Mapping[str, np.ndarray]
    texts: Sequence[Texts]
    notices: Sequence[str] | None = None


@dataclass(frozen=True)
class Bound:
    """One trace (mode "lines" or "markers") that follows the sliders.

    `y` and `x` name series; without `x` the panel's shared x is used. A ghost shows the setting
    before the move while a slider is away from it, and what the spec holds otherwise.
    """

    figure: int
    trace: int
    y: str
    x: str | None = None
    ghost: bool = False


@dataclass(frozen=True)
class AxisRange:
    """An axis ("x" or "y") whose range is the (L, 2) series, as Plotly takes it (log10 if log)."""

    figure: int
    axis: str
    series: str


def single(values: np.ndarray) -> np.ndarray:
    """Return values as the browser holds them; what is too large becomes infinite, a gap."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, "<f4")


class _Numbers:
    """Collects arrays and gives each its place in the block of numbers."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.count = 0

    def add(self, values: np.ndarray) -> list[int]:
        numbers = single(values)
        rows, width = (1, numbers.size) if numbers.ndim == 1 else numbers.shape
        place = [self.count, rows, width, numbers.ndim]
        self.parts.append(numbers.tobytes())
        self.count += numbers.size
        return place

    def as_json(self, value: object) -> object:
        """Stand in for what JSON cannot hold: arrays become a place, NumPy scalars numbers."""
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
            return {"$f": self.add(value)}
        if isinstance(value, np.ndarray | np.generic):
            return value.tolist()
        raise TypeError(f"{type(value).__name__} cannot be sent to the browser")


def pack(
    *,
    figures: Sequence[PanelFigure],
    headline: Sequence[str],
    hints: Sequence[str] = (),
    families: Mapping[str, Family],
    bound: Sequence[Bound] = (),
    x: np.ndarray,
    ranges: Sequence[AxisRange] = (),
    notice: str = "",
    values: Texts | None = None,
    height: int = 340,
    plotly: str | None = None,
) -> bytes:
    """Pack a panel; `panel` of `pages.ui.live` describes the parameters.

    Returns
    -------
    bytes
        Header and numbers, as the module's docstring lays them out.
    """
    _check(figures, families, bound, ranges)
    numbers = _Numbers()
    places = {key: _places(family, numbers) for key, family in families.items()}
    header = {
        "plotly": plotly,
        "height": height,
        "labels": list(headline),
        "hints": list(hints),
        "values": _present_texts(families) if values is None else values,
        "notice": notice,
        "figures": [_figure(figure) for figure in figures],
        "knobs": [_knob(key, family, places[key]) for key, family in families.items()],
        "bound": [vars(item) for item in bound],
        "ranges": [vars(item) for item in ranges],
        "base": _base(families, places),
        "x": numbers.add(x),
    }
    text = json.dumps(header, default=numbers.as_json, allow_nan=False, separators=(",", ":"))
    encoded = text.encode()
    encoded += b" " * (-len(encoded) % 4)
    return b"".join([struct.pack("<I", len(encoded)), encoded, *numbers.parts])


def unpack(data: bytes) -> dict[str, Any]:
    """Read packed bytes back: the header, with every series as an array.

    Parameters
    ----------
    data : bytes
        What `pack` returned.

    Returns
    -------
    dict
        The header; `knobs[i]["series"][name]` are (L, W), `base[name]` (W,), `x` (P,).
    """
    (size,) = struct.unpack_from("<I", data)
    header: dict[str, Any] = json.loads(data[4 : 4 + size])
    block = np.frombuffer(data, "<f4", offset=4 + size)

    def read(place: list[int]) -> np.ndarray:
        start, rows, width, dimensions = place
        values = block[start : start + rows * width]
        return values if dimensions == 1 else values.reshape(rows, width)

    for knob in header["knobs"]:
        knob["series"] = {name: read(place) for name, place in knob["series"].items()}
    header["base"] = {name: read(place)[0] for name, place in header["base"].items()}
    header["x"] = read(header["x"])
    return header


def _places(family: Family, numbers: _Numbers) -> dict[str, list[int]]:
    return {name: numbers.add(rows) for name, rows in family.series.items()}


def _knob(key: str, family: Family, places: dict[str, list[int]]) -> dict[str, Any]:
    return {
        "key": key,
        "labels": list(family.labels),
        "index": family.index,
        "texts": list(family.texts),
        "notices": family.notices and list(family.notices),
        "series": places,
    }


def _figure(figure: PanelFigure) -> dict[str, Any]:
    return {
        "id": figure.id,
        "title": figure.title,
        "alt": figure.alt,
        "fileName": figure.file_name or figure.id,
        "spec": figure.spec,
        "narrow": figure.narrow or None,
        "csv": [_column(column) for column in figure.csv] or None,
    }


def _column(column: Column) -> dict[str, Any]:
    if isinstance(column.values, str):
        return {"header": column.header, "values": column.values}
    return {"header": column.header, "numbers": np.asarray(column.values, float).ravel()}


def _base(
    families: Mapping[str, Family], places: Mapping[str, dict[str, list[int]]]
) -> dict[str, list[int]]:
    """Place of each series' present row, in the first family that has the series."""
    base: dict[str, list[int]] = {}
    for key, family in families.items():
        for name, (start, _, width, dimensions) in places[key].items():
            base.setdefault(name, [start + family.index * width, 1, width, dimensions])
    return base


def _present_texts(families: Mapping[str, Family]) -> Texts:
    return next((family.texts[family.index] for family in families.values()), [])


def _check(
    figures: Sequence[PanelFigure],
    families: Mapping[str, Family],
    bound: Sequence[Bound],
    ranges: Sequence[AxisRange],
) -> None:
    """Refuse a panel whose parts do not fit each other: a mistake of the page, not of a person."""
    for key, family in families.items():
        lengths = {len(family.labels), len(family.texts), len(family.notices or family.labels)}
        lengths |= {len(rows) for rows in family.series.values()}
        if len(lengths) != 1 or not 0 <= family.index < len(family.labels):
            raise ValueError(f"family {key}: labels, texts, notices and series differ in length")
    known = {name for family in families.values() for name in family.series}
    wanted = {name for item in bound for name in (item.x, item.y) if name}
    wanted |= {item.series for item in ranges}
    if not wanted <= known:
        raise ValueError(f"no family has the series {sorted(wanted - known)}")
    for item in bound:
        mode = figures[item.figure].spec["data"][item.trace].get("mode")
        if mode not in ("lines", "markers"):
            raise ValueError(f"a bound trace is lines or markers, not {mode}")
