"""Files of measurements: scaling curves, all-reduce sweeps, and runs by nodes.

Each case keeps the text cells it came with, its file and its line, so that every number on the
screen leads back to its source.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from dpmodel.errors import InputError
from dpmodel.units import UNITS

# Files of a curves folder that hold no curves of three sizes or more.
_NOT_CURVES = ("index.csv", "pairs_two_sizes.csv")
_MICROSECOND = UNITS["time"]["us"]
# A sweep is scored when it is whole: this many sizes over this ratio of sizes.
_FULL_SIZES, _FULL_SPAN = 15, 1e4


@dataclass(frozen=True)
class Curve:
    """One measured scaling curve.

    Attributes
    ----------
    dataset_id, family, mode, trust : str
        Name, collection, "weak" or "strong", and how far the source is trusted (A to C).
    workers : array, shape (W,)
        Worker counts, rising [1].
    rate : array, shape (W,)
        Throughput, or runs per unit of time: higher is better [unit of the source].
    cells : mapping
        Text cells of the first row.
    rows : tuple of mapping
        One row of the source for each worker count.
    file : str
        Name of the file.
    lines : tuple of int
        Line of each row in it.
    """

    dataset_id: str
    family: str
    mode: str
    trust: str
    workers: np.ndarray
    rate: np.ndarray
    cells: Mapping[str, str]
    rows: tuple[Mapping[str, str], ...]
    file: str
    lines: tuple[int, ...]

    @property
    def efficiency(self) -> np.ndarray:
        """Measured efficiency against the smallest size [1]."""
        return np.asarray(self.rate / self.rate[0] * self.workers[0] / self.workers)

    @property
    def group(self) -> str:
        """What must not be split between setting constants and testing them."""
        return "|".join((self.family, self.cells.get("accelerator", ""), self.cells["model"]))


@dataclass(frozen=True)
class Sweep:
    """One all-reduce run over message sizes.

    Attributes
    ----------
    case_id : str
        Name.
    size : array, shape (M,)
        Message sizes, rising [B].
    time : array, shape (M,)
        Measured times [s].
    cells : mapping
        Text cells of the first row.
    lines : tuple of int
        Line of each size in the file.
    """

    case_id: str
    size: np.ndarray
    time: np.ndarray
    cells: Mapping[str, str]
    lines: tuple[int, ...]

    @property
    def is_full(self) -> bool:
        """Whether the run is healthy and whole: 15 sizes over four decades."""
        healthy = self.cells.get("health", "").startswith("healthy")
        whole = len(self.size) >= _FULL_SIZES and self.size[-1] >= _FULL_SPAN * self.size[0]
        return healthy and bool(whole)


def number(text: str | None) -> float | None:
    """Read a number cell; None where it is empty, words, or not finite."""
    try:
        value = float((text or "").replace(",", ""))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def positive(text: str | None) -> float | None:
    """Read a number cell that only makes sense above zero; None for any other."""
    value = number(text)
    return value if value and value > 0 else None


def is_training_part(group: str) -> bool:
    """Whether a group of cases may set constants: an even first byte of its name's SHA-256.

    Half of the groups; the search for constants does not see the other half.
    """
    return hashlib.sha256(group.encode()).digest()[0] % 2 == 0


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            rows = []
            for row in reader:
                plain = {key: value or "" for key, value in row.items() if isinstance(key, str)}
                rows.append((reader.line_num, plain))
            return rows
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            asked=f"'{path.name}' cannot be read",
            given=str(error)[:80],
            rule="it is a text table with commas and one header line",
            way_out="Check the path, and compare the columns with the documented format.",
        ) from error


def _need(path: Path, rows: list[tuple[int, dict[str, str]]], columns: Iterable[str]) -> None:
    missing = [name for name in columns if rows and name not in rows[0][1]]
    if missing or not rows:
        raise InputError(
            asked=f"'{path.name}' cannot be read",
            given="no rows" if not rows else "no column " + ", ".join(missing),
            rule="each case needs them",
            way_out="Compare the header line with the documented format.",
        )


def read_curves(folder: Path) -> list[Curve]:
    """Read every curve of a folder of tables, with index.csv where there is one.

    Parameters
    ----------
    folder : Path
        Holds tables with the columns dataset_id, model, workers, throughput, time, ...

    Returns
    -------
    list of Curve
        Those of two or more worker counts, in the order of the files.

    Raises
    ------
    InputError
        No tables there, or a table without the needed columns.
    """
    paths = [path for path in sorted(folder.glob("*.csv")) if path.name not in _NOT_CURVES]
    if not paths:
        raise InputError(
            asked=f"No curves can be read from '{folder.name}'",
            given="no tables in it",
            rule="the folder holds one table or more, ending in .csv",
            way_out="Give the folder that holds the curve tables.",
        )
    index_file = folder / "index.csv"
    index = {row["dataset_id"]: row for _, row in _rows(index_file)} if index_file.exists() else {}
    curves = [_curve(name, path, lines, index) for path in paths for name, lines in _cases(path)]
    return [curve for curve in curves if curve is not None]


def _cases(path: Path) -> Iterable[tuple[str, list[tuple[int, dict[str, str]]]]]:
    rows = _rows(path)
    _need(path, rows, ("dataset_id", "model", "workers", "throughput", "time"))
    cases = defaultdict(list)
    for line, row in rows:
        cases[row["dataset_id"]].append((line, row))
    return cases.items()


def _curve(
    name: str,
    path: Path,
    lines: list[tuple[int, dict[str, str]]],
    index: Mapping[str, Mapping[str, str]],
) -> Curve | None:
    at: dict[int, list[tuple[float, int, dict[str, str]]]] = defaultdict(list)
    for line, row in lines:
        workers, rate = number(row["workers"]), number(row["throughput"])
        time = number(row["time"])
        rate = rate or (1 / time if time else None)
        if workers and workers >= 1 and rate and rate > 0:
            at[int(workers)].append((rate, line, row))
    if len(at) < 2:
        return None
    counts = sorted(at)
    firsts = [at[n][0] for n in counts]
    about = index.get(name, {})
    return Curve(
        dataset_id=name,
        family=about.get("family") or path.stem,
        mode=(about.get("mode") or firsts[0][2].get("mode") or "weak").lower(),
        trust=about.get("trust") or "not given",
        workers=np.array(counts, float),
        rate=np.array([median(value for value, _, _ in at[n]) for n in counts]),
        cells=firsts[0][2],
        rows=tuple(row for _, _, row in firsts),
        file=path.name,
        lines=tuple(line for _, line, _ in firsts),
    )


def read_sweeps(path: Path) -> list[Sweep]:
    """Read every all-reduce run of a table, sizes rising.

    Parameters
    ----------
    path : Path
        Table with the columns case_id, message_bytes, time_us, ranks, nodes, ...

    Raises
    ------
    InputError
        The table cannot be read or lacks a column.
    """
    rows = _rows(path)
    _need(path, rows, ("case_id", "message_bytes", "time_us", "ranks"))
    cases = defaultdict(list)
    for line, row in rows:
        size, time = number(row["message_bytes"]), number(row["time_us"])
        if size and time and size > 0 and time > 0 and number(row["ranks"]):
            cases[row["case_id"]].append((size, time * _MICROSECOND, line, row))
    sweeps = []
    for name, points in cases.items():
        points.sort(key=lambda point: point[0])
        sizes, times, lines, cells = zip(*points, strict=True)
        sweeps.append(Sweep(name, np.array(sizes), np.array(times), cells[0], lines))
    return sweeps


def read_by_nodes(path: Path) -> list[Curve]:
    """Read training throughput by nodes as curves: one for each model, machine and batch.

    Parameters
    ----------
    path : Path
        Table with the columns source, model, gpu, nodes, gpus, precision, throughput, unit, ...
    """
    rows = _rows(path)
    _need(path, rows, ("source", "model", "gpu", "gpus", "throughput", "unit"))
    names = ("source", "model", "gpu", "precision", "batch_per_gpu", "unit", "notes")
    groups: dict[tuple[str, ...], list[tuple[int, dict[str, str]]]] = defaultdict(list)
    for line, row in rows:
        if "efficiency" not in row["unit"]:
            groups[tuple(row.get(name, "") for name in names)].append((line, _as_curve_row(row)))
    curves = [
        _curve("|".join(key), path, lines, {}) for key, lines in groups.items() if len(lines) > 1
    ]
    return [curve for curve in curves if curve is not None]


def _as_curve_row(row: Mapping[str, str]) -> dict[str, str]:
    strong = "strong" in row.get("notes", "").lower()
    return {
        "source": row["source"],
        "model": row["model"],
        "framework": row.get("notes", "") + " " + row["source"],
        "accelerator": row["gpu"],
        "accelerators_per_node": row.get("gpus_per_node", ""),
        "interconnect_intra": "",
        "interconnect_inter": row["source"] if " IB " in row["source"] else "",
        "precision": row.get("precision", ""),
        "workers": row["gpus"],
        "per_worker_batch": row.get("batch_per_gpu", ""),
        "global_batch": "",
        "throughput": row["throughput"],
        "throughput_unit": row["unit"],
        "time": "",
        "time_unit": "",
        "mode": "strong" if strong else "weak",
        "notes": row.get("notes", ""),
    }
