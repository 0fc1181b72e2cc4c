"""Scores of predictions: medians, the worst tenth, bias, and the share inside the bands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpmodel.evidence.bands import interval
from dpmodel.evidence.curves import CurvePrediction
from dpmodel.evidence.reading import is_training_part
from dpmodel.evidence.sweeps import SweepFit, relative_error


def summary(errors: Sequence[np.ndarray]) -> dict[str, Any]:
    """Points, median and 90 % quantile of the absolute error, and mean error [1]."""
    joined = np.concatenate(errors) if errors else np.zeros(0)
    if not joined.size:
        return {"points": 0, "median": None, "p90": None, "bias": None}
    size = np.abs(joined)
    return {
        "points": int(size.size),
        "median": float(np.median(size)),
        "p90": float(np.quantile(size, 0.9)),
        "bias": float(joined.mean()),
    }


def curve_scores(predictions: Sequence[CurvePrediction]) -> dict[str, Any]:
    """Score predictions beside the ideal line, with the share inside the stated bands."""
    ideal = [1 - one.case.curve.efficiency[1:] for one in predictions]
    inside = [_inside(one) for one in predictions]
    scored = summary([one.error for one in predictions])
    scored["ideal"] = summary(ideal)
    scored["in_band"] = float(np.concatenate(inside).mean()) if inside else None
    return scored


def _inside(one: CurvePrediction) -> np.ndarray:
    low, high = one_interval(one)
    measured = one.case.curve.efficiency
    return np.asarray((low <= measured) & (measured <= high))[1:]


def one_interval(one: CurvePrediction) -> tuple[np.ndarray, np.ndarray]:
    """80 % band of a predicted curve [1]; nothing is uncertain at its smallest size."""
    low, high = interval(
        one.case.regime, one.efficiency, trusted=one.case.curve.trust in ("A", "not given")
    )
    low[0] = high[0] = 1.0
    return low, high


def by(
    predictions: Sequence[CurvePrediction], key: Callable[[CurvePrediction], str]
) -> dict[str, Any]:
    """Score predictions by a key of each."""
    groups: dict[str, list[CurvePrediction]] = {}
    for one in predictions:
        groups.setdefault(key(one), []).append(one)
    return {name: curve_scores(groups[name]) for name in sorted(groups)}


def scored_part(predictions: Sequence[CurvePrediction]) -> list[CurvePrediction]:
    """Trusted curves (A); all of them where the files tell no trust."""
    trusted = [one for one in predictions if one.case.curve.trust == "A"]
    return trusted or list(predictions)


def half(predictions: Sequence[CurvePrediction], *, training: bool) -> list[CurvePrediction]:
    """Predictions of the half that sets constants, or of the other."""
    return [one for one in predictions if is_training_part(one.case.curve.group) == training]


def sweep_scores(fits: Sequence[SweepFit], name: str) -> dict[str, float | None]:
    """Median over runs of the median error, and of the worst size's error [1].

    Parameters
    ----------
    fits : sequence of SweepFit
        Runs.
    name : str
        "nothing_fitted", "two", "three" or "affine".
    """
    errors = [relative_error(getattr(one, name), one.sweep) for one in fits]
    if not errors:
        return {"median": None, "worst": None}
    return {
        "median": float(np.median([np.median(error) for error in errors])),
        "worst": float(np.median([error.max() for error in errors])),
    }
