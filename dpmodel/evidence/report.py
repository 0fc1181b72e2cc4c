"""The document of `python -m dpmodel evidence --json`, and its text for a person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpmodel.border import to_query
from dpmodel.evidence.cases import assumptions
from dpmodel.evidence.curves import CurvePrediction, predict_curve
from dpmodel.evidence.mapping import at_size
from dpmodel.evidence.reading import read_by_nodes, read_curves, read_sweeps
from dpmodel.evidence.scores import by, curve_scores, half, one_interval, scored_part, sweep_scores
from dpmodel.evidence.sweeps import SweepFit, fit_sweep
from dpmodel.units import UNITS

OWN = Path(__file__).parents[1] / "data" / "evidence"
CURVES, SWEEPS, BY_NODES = OWN / "curves", OWN / "allreduce.csv", OWN / "end_to_end_scaling.csv"
SCORES = OWN / "scores.json"
_MICROSECOND = UNITS["time"]["us"]
_FITS = ("nothing_fitted", "two", "three", "affine")


def evidence_document(
    curves: Path = CURVES,
    allreduce: Path = SWEEPS,
    iterations: Path | None = None,
    by_nodes: Path = BY_NODES,
) -> dict[str, Any]:
    """Predict every case of the given files and score them.

    Parameters
    ----------
    curves : Path
        Folder of curve tables.
    allreduce : Path
        Table of all-reduce sweeps.
    iterations : Path, optional
        Folder of iteration times of hybrid runs; not predicted yet, and said so.
    by_nodes : Path
        Table of end-to-end runs by nodes.

    Raises
    ------
    InputError
        A file cannot be read.
    """
    predictions = [predict_curve(curve) for curve in read_curves(curves)]
    nodes = [predict_curve(curve) for curve in read_by_nodes(by_nodes)]
    fits = [fit_sweep(sweep) for sweep in read_sweeps(allreduce)]
    return {
        "curves": curves_document(predictions),
        "allreduce": sweeps_document(fits),
        "by_nodes": curve_scores(nodes) | {"cases": [case_document(one) for one in nodes]},
        "iterations": {
            "status": "not yet",
            "given": None if iterations is None else iterations.name,
            "reason": "hybrid tensor, pipeline and data parallel runs are not modelled yet",
        },
    }


def curves_document(predictions: Sequence[CurvePrediction]) -> dict[str, Any]:
    """Scores of the trusted curves, by family and regime, and every case."""
    trusted = scored_part(predictions)
    return curve_scores(trusted) | {
        "families": by(trusted, lambda one: one.case.curve.family),
        "regimes": by(trusted, lambda one: one.case.regime),
        "kinds": by(trusted, lambda one: one.case.model.kind),
        "modes": by(trusted, lambda one: one.case.curve.mode),
        "held_out": curve_scores(half(trusted, training=False)),
        "every_trust": curve_scores(predictions),
        "every_trust_families": by(predictions, lambda one: one.case.curve.family),
        "cases": [case_document(one) for one in predictions],
    }


def case_document(one: CurvePrediction) -> dict[str, Any]:
    """One curve with its prediction, its source, and a link for each size."""
    curve = one.case.curve
    low, high = one_interval(one)
    return {
        "dataset_id": curve.dataset_id,
        "family": curve.family,
        "model": curve.cells["model"],
        "mode": curve.mode,
        "trust": curve.trust,
        "regime": one.case.regime,
        "workers": [int(n) for n in curve.workers],
        "measured": _column(curve.efficiency),
        "predicted": _column(one.efficiency),
        "low": _column(low),
        "high": _column(high),
        "unstated": list(one.case.unstated),
        "assumed": dict(assumptions(one.case)),
        "source": curve.cells["source"],
        "file": curve.file,
        "lines": list(curve.lines),
        "explore": [to_query(at_size(one.scenario, i)) for i in range(len(curve.workers))],
    }


def sweeps_document(fits: Sequence[SweepFit]) -> dict[str, Any]:
    """Scores of the full healthy sweeps, and every case."""
    full = [one for one in fits if one.sweep.is_full]
    return (
        {"runs": len(full)}
        | {name: sweep_scores(full, name) for name in _FITS}
        | {"cases": [sweep_document(one) for one in fits]}
    )


def sweep_document(one: SweepFit) -> dict[str, Any]:
    """One sweep with its predicted times."""
    cells = one.sweep.cells
    return {
        "case_id": one.sweep.case_id,
        "scored": one.sweep.is_full,
        "health": cells.get("health", ""),
        "ranks": int(float(cells["ranks"])),
        "message_bytes": [int(size) for size in one.sweep.size],
        "measured_us": _column(one.sweep.time / _MICROSECOND),
        **{f"{name}_us": _column(getattr(one, name) / _MICROSECOND) for name in _FITS},
        "unstated": list(one.unstated),
        "source": cells["source"],
        "lines": list(one.sweep.lines),
    }


def scores_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document's scores without its cases, as the screen shows them."""
    kept = ("curves", "allreduce", "by_nodes")
    return {name: {k: v for k, v in document[name].items() if k != "cases"} for name in kept}


def _column(values: np.ndarray) -> list[float]:
    return [float(f"{value:.5g}") for value in values]


def evidence_text(document: dict[str, Any]) -> str:
    """Write the scores as a person reads them."""
    curves, sweeps = document["curves"], document["allreduce"]
    rows = [("trusted curves", curves), ("left out of the search", curves["held_out"])]
    rows += [(f"  {name}", part) for name, part in curves["families"].items()]
    rows += [(f"  {name}", part) for name, part in curves["regimes"].items()]
    rows += [("every curve", curves["every_trust"]), ("by nodes", document["by_nodes"])]
    lines = [
        "Scaling efficiency predicted from the smallest size alone, error in points",
        f"{'':30}{'points':>7}{'median':>8}{'worst tenth':>13}{'bias':>7}"
        f"{'ideal line':>16}{'in 80 % band':>14}",
        *(_row(name, part) for name, part in rows),
        "",
        f"All-reduce, {sweeps['runs']} whole healthy sweeps, error in time",
        f"{'':30}{'median':>8}{'worst size':>12}",
    ]
    names = {"nothing_fitted": "nothing fitted", "two": "two parameters a run"}
    names |= {"three": "three parameters a run", "affine": "affine, two parameters"}
    for key, name in names.items():
        score = sweeps[key]
        if score["median"] is not None:
            lines.append(f"{name:30}{score['median']:>8.1%}{score['worst']:>12.0%}")
    lines += ["", f"Iteration times of hybrid runs: {document['iterations']['status']}."]
    return "\n".join(lines)


def _row(name: str, part: dict[str, Any]) -> str:
    if not part["points"]:
        return f"{name[:29]:30}{0:>7}"
    ideal = part["ideal"]
    beside = f"{100 * ideal['median']:.1f} / {100 * ideal['p90']:.0f}"
    return (
        f"{name[:29]:30}{part['points']:>7}{100 * part['median']:>8.1f}"
        f"{100 * part['p90']:>13.1f}{100 * part['bias']:>+7.1f}{beside:>16}"
        f"{part['in_band']:>14.0%}"
    )
