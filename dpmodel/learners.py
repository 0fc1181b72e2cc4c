"""Three small models with their gradients by hand: a line, a logistic cut, a two-layer network.

Every function broadcasts over leading axes, so that the gradients of all workers, each on its own
shard and if need be from its own weights, are one computation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dpmodel.datasets import Data, clouds, line, rings
from dpmodel.errors import InputError, near_matches

HIDDEN = 8


class Learner(NamedTuple):
    """A model that can be trained.

    Attributes
    ----------
    label : str
        Its name on the screen.
    size : callable
        Parameters P for F features [1].
    sums : callable
        (weights (..., P), x (..., M, F), y (..., M), mask (..., M) or None) -> summed loss (...)
        and summed gradient (..., P) over the samples that the mask holds.
    data : callable
        (samples, features) -> a data set that suits it.
    spread : float
        Standard deviation of its first weights [1].
    """

    label: str
    size: Callable[[int], int]
    sums: Callable[..., tuple[np.ndarray, np.ndarray]]
    data: Callable[..., Data]
    spread: float

    def start(self, features: int, seed: int = 0) -> np.ndarray:
        """Return the first weights, shape (P,) [1]; the same on every machine."""
        return self.spread * np.random.default_rng(seed).standard_normal(self.size(features))


def scores(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Weighted sum of each sample's features, (..., F) and (..., M, F) to (..., M) [1]."""
    if weights.ndim == 1:
        # One product over all shards: a product per shard is 256 calls for 256 workers.
        return np.asarray((x.reshape(-1, x.shape[-1]) @ weights).reshape(x.shape[:-1]))
    return np.asarray(np.matmul(x, weights[..., None])[..., 0])


def _pulled(slope: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Sum of slope times features over samples, (..., M) and (..., M, F) to (..., F)."""
    return np.asarray(np.matmul(slope[..., None, :], x)[..., 0, :])


def _held(values: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return values if mask is None else values * mask


def linear_sums(
    weights: np.ndarray, x: np.ndarray, y: np.ndarray, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Half squared error of a line, and its gradient x^T (x w - y), summed over samples.

    Parameters
    ----------
    weights : array, shape (..., F)
        w [1].
    x, y : arrays, shapes (..., M, F) and (..., M)
        Samples [1].
    mask : array, shape (..., M), optional
        1 for a sample, 0 for padding.
    """
    error = _held(scores(weights, x) - y, mask)
    return 0.5 * np.vecdot(error, error), _pulled(error, x)


def logistic_sums(
    weights: np.ndarray, x: np.ndarray, y: np.ndarray, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Logistic loss of a straight cut, and its gradient x^T (p - y), summed over samples.

    Parameters
    ----------
    weights : array, shape (..., F)
        w [1].
    x, y : arrays, shapes (..., M, F) and (..., M)
        Samples and their classes 0 or 1 [1].
    mask : array, shape (..., M), optional
        1 for a sample, 0 for padding.
    """
    score = scores(weights, x)
    loss = _held(np.logaddexp(0.0, score) - y * score, mask)
    return loss.sum(axis=-1), _pulled(_held(_chance(score) - y, mask), x)


def _chance(score: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-score)), without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * score)))


def network_size(features: int) -> int:
    """Parameters of the two-layer network: F H + H + H + 1 [1]."""
    return features * HIDDEN + 2 * HIDDEN + 1


def network_sums(
    weights: np.ndarray, x: np.ndarray, y: np.ndarray, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Logistic loss of a two-layer tanh network, and its gradient by back-propagation.

    Parameters
    ----------
    weights : array, shape (..., F H + 2 H + 1)
        First matrix, its bias, second vector, its bias [1].
    x, y : arrays, shapes (..., M, F) and (..., M)
        Samples and their classes 0 or 1 [1].
    mask : array, shape (..., M), optional
        1 for a sample, 0 for padding.
    """
    inner = x.shape[-1] * HIDDEN
    first = weights[..., :inner].reshape(*weights.shape[:-1], x.shape[-1], HIDDEN)
    bias, second = weights[..., inner : inner + HIDDEN], weights[..., inner + HIDDEN : -1]
    active = np.tanh(np.matmul(x, first) + bias[..., None, :])
    score = np.matmul(active, second[..., None])[..., 0] + weights[..., -1:]
    loss = _held(np.logaddexp(0.0, score) - y * score, mask)
    slope = _held(_chance(score) - y, mask)
    back = slope[..., None] * second[..., None, :] * (1.0 - active**2)
    by_first = np.matmul(np.swapaxes(x, -1, -2), back)
    parts = (
        by_first.reshape(*by_first.shape[:-2], inner),
        back.sum(axis=-2),
        _pulled(slope, active),
        slope.sum(axis=-1)[..., None],
    )
    return loss.sum(axis=-1), np.concatenate(parts, axis=-1)


LEARNERS: dict[str, Learner] = {
    "linear": Learner("Linear regression", lambda features: features, linear_sums, line, 0.0),
    "logistic": Learner(
        "Logistic regression", lambda features: features, logistic_sums, clouds, 0.0
    ),
    "network": Learner("Two-layer network", network_size, network_sums, rings, 0.7),
}


def learner(name: str) -> Learner:
    """Return a model by name.

    Raises
    ------
    InputError
        There is none of that name.
    """
    if name in LEARNERS:
        return LEARNERS[name]
    raise InputError(
        asked=f"There is no model '{name[:40]}' to train",
        given=f"'{name[:40]}'",
        rule="gradients are executed for the small models only",
        way_out=near_matches(name, list(LEARNERS)),
    )
