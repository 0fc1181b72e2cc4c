"""Gradients in 16 bits: what rounding to fp16 and bf16 does, and how loss scaling saves fp16."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.errors import InputError, near_matches


class Format(NamedTuple):
    """A 16-bit floating point format.

    Attributes
    ----------
    label : str
        Its name.
    fraction : int
        Bits of the fraction [1]; rounding is within 2^-(fraction + 1) of the value.
    smallest, largest : float
        Smallest positive and largest finite number [1].
    """

    label: str
    fraction: int
    smallest: float
    largest: float


FORMATS = {
    "fp16": Format("fp16", 10, 2.0**-24, 65504.0),
    "bf16": Format("bf16", 7, 2.0**-133, float((2.0 - 2.0**-7) * 2.0**127)),
}


def round_to(values: np.ndarray, name: str) -> np.ndarray:
    """Round to the nearest number of a 16-bit format, ties to even.

    Parameters
    ----------
    values : array
        Numbers [1].
    name : str
        ``"fp16"`` or ``"bf16"``.

    Returns
    -------
    array
        Rounded numbers as float64 [1]; infinite beyond the format's largest, zero below half its
        smallest.

    Raises
    ------
    InputError
        No such format.
    """
    if name not in FORMATS:
        raise InputError(
            asked=f"Gradients cannot be rounded to '{name[:20]}'",
            given=f"'{name[:20]}'",
            rule="two 16-bit formats are executed",
            way_out=near_matches(name, list(FORMATS)),
        )
    with np.errstate(over="ignore"):
        if name == "fp16":
            return np.asarray(np.asarray(values, float).astype(np.float16), float)
        return _round_bf16(np.asarray(values, float))


def _round_bf16(values: np.ndarray) -> np.ndarray:
    """Round float64 straight to 8 bits of significand: a stop at float32 could round twice."""
    _, exponent = np.frexp(values)
    # Below 2^-126 numbers are subnormal: their last place stays at 2^-133.
    place = np.exp2(np.maximum(exponent - 8.0, -133.0))
    rounded = np.round(values / place) * place
    over = np.abs(rounded) > FORMATS["bf16"].largest
    return np.asarray(np.where(over, np.copysign(np.inf, values), rounded))


def rounded(gradients: np.ndarray, name: str, scale: float = 1.0) -> np.ndarray:
    """Round gradients of a loss that was multiplied by `scale`, and divide by it again.

    A power of two as scale changes no digit; it only lifts small gradients over the smallest
    number of the format (Micikevicius et al. 2018).

    Parameters
    ----------
    gradients : array
        True gradients [1].
    name : str
        ``"fp16"`` or ``"bf16"``.
    scale : float
        Loss scale [1].
    """
    return np.asarray(round_to(gradients * scale, name) / scale)


def best_scale(gradients: np.ndarray, name: str) -> float:
    """Largest power of two that keeps every scaled gradient finite in the format [1]."""
    largest = float(np.abs(gradients).max())
    if largest == 0 or not np.isfinite(largest):
        return 1.0
    return float(2.0 ** np.floor(np.log2(FORMATS[name].largest / largest)))


class RoundingLoss(NamedTuple):
    """What rounding took: relative error of the whole gradient, and shares lost or overflowed.

    `error` = |rounded - true| / |true| [1]; `lost` of the non-zero values became zero [1];
    `overflowed` became infinite [1].
    """

    error: float
    lost: float
    overflowed: float


def rounding_loss(gradients: np.ndarray, name: str, scale: float = 1.0) -> RoundingLoss:
    """Measure what rounding takes from gradients, shape (...), at a loss scale [1]."""
    given = np.asarray(gradients, float)
    got = rounded(given, name, scale)
    kept = np.isfinite(got)
    nonzero = max(int((given != 0).sum()), 1)
    wrong = float(np.linalg.norm(np.where(kept, got, 0.0) - given))
    error = wrong / max(float(np.linalg.norm(given)), 1e-300)
    lost = float(((got == 0) & (given != 0)).sum() / nonzero)
    return RoundingLoss(error, lost, float((~kept).mean()))
