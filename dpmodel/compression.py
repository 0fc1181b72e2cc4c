"""Smaller gradients: the largest entries only, or one byte an entry, and the error either makes.

What a worker does not send it may keep and add to its next gradient. This error feedback loses
nothing for good: handed over + kept back = gradient + kept before, to the last bit for top-k.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpmodel.precision import rounded

Sender = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def top_k(gradients: np.ndarray, keep: int) -> np.ndarray:
    """Keep each worker's `keep` largest entries by size and zero the rest.

    Parameters
    ----------
    gradients : array, shape (..., P)
        One row a worker [1].
    keep : int
        Entries kept, 1 to P [1]; of equal ones, those that come first.
    """
    order = np.argsort(-np.abs(gradients), axis=-1, kind="stable")[..., :keep]
    kept = np.zeros(gradients.shape, bool)
    np.put_along_axis(kept, order, True, axis=-1)
    return np.where(kept, gradients, 0.0)


def int8(gradients: np.ndarray) -> np.ndarray:
    """Round each worker's entries to 255 even levels between minus and plus its largest.

    An entry is off by at most half a level, max |g| / 254.

    Parameters
    ----------
    gradients : array, shape (..., P)
        One row a worker [1]; a level is max |g| / 127.
    """
    level = np.abs(gradients).max(axis=-1, keepdims=True) / 127
    return np.asarray(np.round(gradients / np.where(level > 0, level, 1.0)) * level)


def sender(compress: Callable[[np.ndarray], np.ndarray], *, feedback: bool = True) -> Sender:
    """Turn a compression into what each worker does every step.

    Parameters
    ----------
    compress : callable
        (N, P) to (N, P).
    feedback : bool
        Keep what was not sent for the next step (Seide et al. 2014; Stich et al. 2018).

    Returns
    -------
    callable
        (gradients, kept back) -> (handed over, kept back), all of shape (N, P) [1].
    """

    def send(gradients: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not feedback:
            return compress(gradients), kept
        wanted = gradients + kept
        handed = compress(wanted)
        return handed, wanted - handed

    return send


def top_k_sender(keep: int, *, feedback: bool = True) -> Sender:
    """Send the `keep` largest entries [1] of each worker."""
    return sender(lambda gradients: top_k(gradients, keep), feedback=feedback)


def int8_sender(*, feedback: bool = True) -> Sender:
    """Send one byte an entry."""
    return sender(int8, feedback=feedback)


def rounding_sender(name: str, scale: float = 1.0) -> Sender:
    """Send gradients in a 16-bit format at a loss scale [1], and forget what rounding took."""
    return sender(lambda gradients: rounded(gradients, name, scale), feedback=False)


def relative_error(sent: np.ndarray, true: np.ndarray) -> float:
    """Norm of what went wrong over the norm of the true gradient [1]."""
    return float(np.linalg.norm(sent - true) / max(float(np.linalg.norm(true)), 1e-300))


def sent_bytes(entries: int, method: str, keep: int = 0, value_bytes: int = 4) -> int:
    """Bytes of one worker's message [B].

    ``"dense"`` sends every value, ``"top_k"`` a value and a 4-byte place for each kept entry,
    ``"int8"`` one byte an entry and the scale.

    Parameters
    ----------
    entries : int
        P [1].
    method : str
        ``"dense"``, ``"top_k"`` or ``"int8"``.
    keep : int
        Entries that top-k keeps [1].
    value_bytes : int
        Bytes of one value [B].
    """
    if method == "top_k":
        return keep * (value_bytes + 4)
    return entries + value_bytes if method == "int8" else entries * value_bytes
