"""The catalogue: devices, links and models with source and date, read from data/*.toml into SI."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, overload

from dpmodel.errors import InputError, near_matches
from dpmodel.units import BITS_PER_BYTE

GIGA, TERA, MICRO = 1e9, 1e12, 1e-6
# Two nominal values that differ by less than this name the same thing.
SAME = 0.01

_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Entry:
    """What every row of the catalogue has.

    Attributes
    ----------
    key, name : str
        Short name for links and files, and the name shown.
    source, date : str
        Publication or data sheet, and its year.
    note : str
        What a reader should know: variants, and numbers that were not re-read.
    also : tuple of str
        Other names that `find` accepts.
    """

    key: str
    name: str
    source: str
    date: str
    note: str = field(default="", kw_only=True)
    also: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Device(Entry):
    """An accelerator; peaks are dense, None where the vendor gives none.

    Attributes
    ----------
    fp32, tf32, half : float or None
        Peak rates in fp32, tf32, and bf16 or fp16 [FLOP/s].
    memory : float
        Device memory [B].
    memory_bandwidth : float
        Device memory bandwidth [B/s].
    power : float or None
        Board power [W].
    link : str
        Key of the fastest link to its neighbours.
    """

    fp32: float | None
    tf32: float | None
    half: float | None
    memory: float
    memory_bandwidth: float
    power: float | None
    link: str


@dataclass(frozen=True)
class Link(Entry):
    """One worker's link, one direction.

    Attributes
    ----------
    kind : str
        "network" between nodes, "node" inside one.
    bandwidth : float
        Nominal rate [B/s].
    latency : float
        Start-up of one message [s].
    achieved : float or None
        Bus bandwidth that measured all-reduces of large messages reach [B/s].
    """

    kind: str
    bandwidth: float
    latency: float
    achieved: float | None


@dataclass(frozen=True)
class Model(Entry):
    """A model to train.

    Attributes
    ----------
    params : int
        Trained numbers, all of which are all-reduced [1].
    train_flop : float
        Forward and backward of one sample [FLOP].
    sample : str
        What one sample is.
    tokens_per_sample : int or None
        Tokens of one sample [1]; None where samples are not made of tokens.
    typical_batch : int
        Samples per worker and step in common use [1].
    layers : mapping or None
        Architecture from which `dpmodel.layers` counts; None where it is not described.
    """

    params: int
    train_flop: float
    sample: str
    tokens_per_sample: int | None
    typical_batch: int
    layers: Mapping[str, Any] | None = field(repr=False, hash=False)


def _rows(kind: str) -> list[dict[str, Any]]:
    with (_FOLDER / f"{kind}s.toml").open("rb") as file:
        rows: list[dict[str, Any]] = tomllib.load(file)[kind]
    return rows


def _common(row: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: row[name] for name in ("key", "name", "source", "date")}
    return plain | {"note": row.get("note", ""), "also": tuple(row.get("also", ()))}


def _scaled(row: Mapping[str, Any], name: str, unit: float) -> float | None:
    return row[name] * unit if name in row else None


def _device(row: Mapping[str, Any]) -> Device:
    return Device(
        **_common(row),
        fp32=_scaled(row, "fp32_tflops", TERA),
        tf32=_scaled(row, "tf32_tflops", TERA),
        half=_scaled(row, "half_tflops", TERA),
        memory=row["memory_gb"] * GIGA,
        memory_bandwidth=row["memory_gb_s"] * GIGA,
        power=_scaled(row, "power_w", 1.0),
        link=row["link"],
    )


def _link(row: Mapping[str, Any]) -> Link:
    return Link(
        **_common(row),
        kind=row["kind"],
        bandwidth=row["gbit_s"] * GIGA / BITS_PER_BYTE,
        latency=row["latency_us"] * MICRO,
        achieved=_scaled(row, "achieved_gb_s", GIGA),
    )


def _model(row: Mapping[str, Any]) -> Model:
    return Model(
        **_common(row),
        params=row["params"],
        train_flop=row["train_gflop_per_sample"] * GIGA,
        sample=row["sample"],
        tokens_per_sample=row.get("tokens_per_sample"),
        typical_batch=row["typical_batch"],
        layers=row.get("layers"),
    )


@cache
def devices() -> dict[str, Device]:
    """Return the accelerators by key, in the order of the file."""
    return {row["key"]: _device(row) for row in _rows("device")}


@cache
def links() -> dict[str, Link]:
    """Return the links by key, in the order of the file."""
    return {row["key"]: _link(row) for row in _rows("link")}


@cache
def models() -> dict[str, Model]:
    """Return the models by key, in the order of the file."""
    return {row["key"]: _model(row) for row in _rows("model")}


def links_at(bandwidth: float, kind: str | None = None) -> list[Link]:
    """Return the links whose nominal rate is `bandwidth`, within 1 %.

    Parameters
    ----------
    bandwidth : float
        Rate in one direction [B/s].
    kind : str, optional
        Only "network" or only "node" links.

    Returns
    -------
    list of Link
        In the order of the file; empty where none has that rate.
    """
    return [
        link
        for link in links().values()
        if kind in (None, link.kind) and _same(link.bandwidth, bandwidth)
    ]


def models_at(params: float) -> list[Model]:
    """Return the models with that many parameters [1], within 1 %; empty where there is none."""
    return [model for model in models().values() if _same(model.params, params)]


def _same(nominal: float, value: float) -> bool:
    return abs(value - nominal) <= SAME * nominal


_KINDS: dict[str, Callable[[], Mapping[str, Device | Link | Model]]] = {
    "device": devices,
    "link": links,
    "model": models,
}


@overload
def find(kind: Literal["device"], text: str) -> Device: ...
@overload
def find(kind: Literal["link"], text: str) -> Link: ...
@overload
def find(kind: Literal["model"], text: str) -> Model: ...


def find(kind: str, text: str) -> Device | Link | Model:
    """Find one entry by key, name or other name; case and punctuation do not matter.

    Parameters
    ----------
    kind : str
        "device", "link" or "model".
    text : str
        What a person typed: "A100 80GB", "resnet50", "InfiniBand-NDR".

    Returns
    -------
    Device or Link or Model
        The entry.

    Raises
    ------
    InputError
        No entry has that name; the way out lists near matches.
    """
    entries = _KINDS[kind]()
    wanted = _folded(text)
    for entry in entries.values():
        if wanted in {_folded(name) for name in (entry.key, entry.name, *entry.also)}:
            return entry
    shown = text.strip()[:40]
    raise InputError(
        asked=f"The {kind} '{shown}' cannot be found",
        given=f"'{shown}'",
        rule=f"no {kind} of the catalogue has that name",
        way_out=_way_out(wanted, text, entries),
    )


def _way_out(wanted: str, text: str, entries: Mapping[str, Device | Link | Model]) -> str:
    holding = [entry.name for entry in entries.values() if wanted and wanted in _folded(entry.name)]
    if holding:
        return "Did you mean " + " or ".join(holding[:4]) + "?"
    return near_matches(text, [name for e in entries.values() for name in (e.name, *e.also)])


def _folded(text: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", text.lower())
