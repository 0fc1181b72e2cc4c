"""Data-parallel training that is really executed: shards, gradients, average, update.

All workers are one axis of one array, so a step of N workers is a handful of NumPy calls whatever
N. Uneven shards are padded to the longest; the padding weighs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpmodel.datasets import Data
from dpmodel.errors import InputError
from dpmodel.learners import Learner

# What a worker hands over for its gradient, and what it keeps back for the next step.
Sender = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
# Turns the workers' weighted gradients into their sum, as each worker holds it: (N, P) to (N, P).
Reducer = Callable[[np.ndarray], np.ndarray]


class Shards(NamedTuple):
    """A batch split over N workers, padded to M samples each.

    Attributes
    ----------
    x : array, shape (N, M, F)
        Features [1].
    y : array, shape (N, M)
        Targets [1].
    counts : array, shape (N,)
        Samples that each worker really holds [1].
    """

    x: np.ndarray
    y: np.ndarray
    counts: np.ndarray

    @property
    def mask(self) -> np.ndarray | None:
        """1 for samples, 0 for padding, shape (N, M); None where nothing is padded."""
        longest = self.y.shape[1]
        if (self.counts == longest).all():
            return None
        return (np.arange(longest) < self.counts[:, None]).astype(float)


def even_counts(batch: int, workers: int) -> np.ndarray:
    """Samples of each worker, as even as can be, shape (N,): the first B mod N hold one more.

    Raises
    ------
    InputError
        Some worker would have no sample.
    """
    if not 1 <= workers <= batch:
        raise InputError(
            asked=f"{workers:,} workers cannot share {batch:,} samples",
            given=f"{batch:,} < {workers:,}" if workers > batch else f"{workers:,} workers",
            rule="each worker needs a sample, and there is at least one worker",
            way_out=f"Choose 1 to {batch:,} workers or a larger batch.",
        )
    return batch // workers + (np.arange(workers) < batch % workers)


def uneven_counts(batch: int, workers: int, ratio: float = 4.0) -> np.ndarray:
    """Samples of each worker where the last takes `ratio` times the mean of the others, (N,)."""
    last = round(batch * ratio / (ratio + workers - 1)) if workers > 1 else batch
    last = min(max(last, 1), batch - (workers - 1))
    if workers == 1:
        return np.array([batch])
    return np.append(even_counts(batch - last, workers - 1), last)


def places(counts: np.ndarray) -> np.ndarray:
    """Place in the batch of each worker's samples, shape (N, M); padding points at the first."""
    start = np.cumsum(counts) - counts
    column = np.arange(counts.max())
    return np.where(column < counts[:, None], start[:, None] + column, 0)


def split(data: Data, counts: Sequence[int] | np.ndarray) -> Shards:
    """Split samples in their order: the first counts[0] to worker 0, and so on.

    Parameters
    ----------
    data : Data
        S samples.
    counts : array of int, shape (N,)
        Samples of each worker [1]; a worker may have none.

    Raises
    ------
    InputError
        The counts do not add up to S, or one is negative.
    """
    held = np.asarray(counts, int)
    if held.size == 0 or held.min() < 0 or held.sum() != len(data.y):
        raise InputError(
            asked=f"{len(data.y):,} samples cannot be split into these shares",
            given=f"shares of {', '.join(str(count) for count in held[:6])}"
            + (", ..." if held.size > 6 else ""),
            rule="shares are not negative and add up to the batch",
            way_out="Use even_counts(batch, workers).",
        )
    at = places(held)
    return Shards(data.x[at], data.y[at], held)


def shard_losses_and_gradients(
    learner: Learner, weights: np.ndarray, shards: Shards
) -> tuple[np.ndarray, np.ndarray]:
    """Mean loss (N,) and mean gradient (N, P) of each worker's own shard [1].

    Parameters
    ----------
    learner : Learner
        The model.
    weights : array, shape (P,) or (N, P)
        Shared by all, or each worker's own [1].
    shards : Shards
        Who holds what; a worker without samples has a gradient of zero.
    """
    loss, gradient = learner.sums(weights, shards.x, shards.y, shards.mask)
    held = np.maximum(shards.counts, 1)
    return loss / held, gradient / held[:, None]


def shard_gradients(learner: Learner, weights: np.ndarray, shards: Shards) -> np.ndarray:
    """Mean gradient of each worker's own shard, shape (N, P) [1]."""
    return shard_losses_and_gradients(learner, weights, shards)[1]


def full_gradient(learner: Learner, weights: np.ndarray, data: Data) -> np.ndarray:
    """Mean gradient of all samples on one worker, shape (P,) [1]."""
    return np.asarray(learner.sums(weights, data.x, data.y, None)[1] / len(data.y))


def loss(learner: Learner, weights: np.ndarray, data: Data) -> np.ndarray:
    """Mean loss of all samples, shape (...,) for weights (..., P) [1]."""
    many = weights.reshape(-1, weights.shape[-1])
    each = [learner.sums(row, data.x, data.y, None)[0] for row in many]
    return np.reshape(each, weights.shape[:-1]) / len(data.y)


def sample_norm(learner: Learner, weights: np.ndarray, data: Data) -> float:
    """Mean norm of the gradients of single samples, the scale that rounding is judged by [1]."""
    each = learner.sums(weights, data.x[:, None, :], data.y[:, None], None)[1]
    return float(np.linalg.norm(each, axis=-1).mean())


def average(gradients: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Mean gradient of the batch from the shards' means, sum of b_k/B g_k, shape (P,) [1].

    Equal to the full-batch gradient to rounding, whatever the shares: each sample weighs 1/B.

    Parameters
    ----------
    gradients : array, shape (N, P)
        Mean gradient of each shard [1].
    counts : array, shape (N,)
        Samples b_k of each [1].
    """
    return np.asarray((gradients * (counts / counts.sum())[:, None]).sum(axis=0))


def mean_of_means(gradients: np.ndarray) -> np.ndarray:
    """Plain mean over workers, shape (P,): wrong for uneven shards.

    A sample in a small shard then weighs more than one in a large shard.
    """
    return np.asarray(gradients.mean(axis=0))


@dataclass(frozen=True)
class Method:
    """How the workers train.

    Attributes
    ----------
    rate : float
        Learning rate [1].
    exchange : str
        ``"weighted"`` averages by share, ``"plain"`` takes the mean of means, ``"none"`` skips
        the all-reduce, so that each worker follows its own gradient.
    stale : int
        Steps by which the last worker's weights lag when it computes its gradient [1].
    send : callable, optional
        (gradients (N, P), kept back (N, P)) -> (handed over, kept back); rounding or compression.
    reduce : callable, optional
        An executed all-reduce of the weighted gradients, (N, P) to (N, P).
    """

    rate: float = 0.1
    exchange: str = "weighted"
    stale: int = 0
    send: Sender | None = None
    reduce: Reducer | None = None


def draws(samples: int, batch: int, steps: int, seed: int = 0) -> np.ndarray:
    """Samples of each step, shape (K, B): all of them once before any comes again."""
    chance = np.random.default_rng(seed)
    rounds = -(-steps * batch // samples)
    order = np.concatenate([chance.permutation(samples) for _ in range(rounds)])
    return order[: steps * batch].reshape(steps, batch)


def train(
    learner: Learner,
    data: Data,
    counts: np.ndarray,
    method: Method,
    steps: int,
    *,
    start: np.ndarray | None = None,
    seed: int = 0,
) -> np.ndarray:
    """Train N replicas and keep their weights at every step.

    Parameters
    ----------
    learner : Learner
        The model.
    data : Data
        All S samples; each step draws a batch of sum(counts) from them.
    counts : array, shape (N,)
        Samples of each worker in a step [1].
    method : Method
        Learning rate, exchange and what is done to it.
    steps : int
        Updates K [1].
    start : array, shape (P,), optional
        First weights [1]; the learner's own where left out.
    seed : int
        Order of the samples [1].

    Returns
    -------
    array, shape (K + 1, N, P)
        Weights of each replica before the first and after each update [1].
    """
    counts = np.asarray(counts, int)
    first = learner.start(data.x.shape[1]) if start is None else start
    history = np.empty((steps + 1, len(counts), len(first)))
    history[0] = first
    kept = np.zeros(history.shape[1:])
    at = places(counts)
    for step, batch in enumerate(draws(len(data.y), int(counts.sum()), steps, seed)):
        shards = Shards(data.x[batch[at]], data.y[batch[at]], counts)
        used = history[step].copy()
        used[-1] = history[max(step - method.stale, 0), -1]
        gradients = shard_gradients(learner, used, shards)
        if method.send is not None:
            gradients, kept = method.send(gradients, kept)
        history[step + 1] = history[step] - method.rate * _exchanged(gradients, counts, method)
    return history


def _exchanged(gradients: np.ndarray, counts: np.ndarray, method: Method) -> np.ndarray:
    """Return the gradient that each worker applies, shape (N, P) or (P,)."""
    if method.exchange == "none":
        return gradients
    if method.exchange == "plain":
        return mean_of_means(gradients)
    if method.reduce is not None:
        return method.reduce(gradients * (counts / counts.sum())[:, None])
    return average(gradients, counts)


def disagreement(weights: np.ndarray) -> np.ndarray:
    """Largest distance of a replica's weight from the replicas' mean, (..., N, P) to (...) [1]."""
    away = np.abs(weights - weights.mean(axis=-2, keepdims=True))
    return np.asarray(away.max(axis=(-2, -1)))
