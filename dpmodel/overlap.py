"""Gradient buckets behind the backward pass: what stays exposed, in closed form.

Buckets are sent one after another, each as soon as its gradients exist and the one before is
through: start_b = max(ready_b, end_{b-1}). The last end is the worst suffix,
max over b of (ready_b + sum of the times from b on), so no loop is needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpmodel.collectives import Cost
from dpmodel.knobs import Number


class Exchange(NamedTuple):
    """Communication of one step: all of it, and the part that no compute hides [s]."""

    total: Number
    exposed: Number


class EqualBuckets(NamedTuple):
    """Sizes of an evenly filled model's buckets [B]: one first, one rest, `full` whole ones.

    The first bucket is small so that the exchange starts early; what does not fill a whole
    bucket comes second. A framework leaves the remainder for last; placed here, the last bucket,
    which is always exposed, does not shrink when a model grows past a whole number of them.
    """

    first: Number
    rest: Number
    full: Number
    cap: Number


def equal_buckets(size: Number, cap: Number, first: Number) -> EqualBuckets:
    """Split S gradient bytes into buckets of at most `cap`, with a small first one.

    Parameters
    ----------
    size, cap, first : float or array
        Gradient bytes S, largest bucket and wanted first bucket [B].

    Returns
    -------
    EqualBuckets
        ``first + rest + full * cap == size``; a model of one bucket or less has no first one.
    """
    small = np.minimum(np.minimum(first, cap), np.maximum(size - cap, 0.0))
    full = np.floor((size - small) / cap * (1 + 1e-12))
    return EqualBuckets(small, np.maximum(size - small - full * cap, 0.0), full, cap)


def exchange_equal(size: Number, buckets: EqualBuckets, cost: Cost, backward: Number) -> Exchange:
    """All-reduce equal buckets behind a backward pass whose gradients appear evenly.

    Only four suffixes can be the worst: from the first bucket, from the remainder, from the first
    whole bucket, and the last alone; in between, the end is linear in b.

    Parameters
    ----------
    size : float or array
        Gradient bytes S [B].
    buckets : EqualBuckets
        From `equal_buckets`.
    cost : Cost
        Of one all-reduce over the workers.
    backward : float or array
        Backward pass during which buckets appear [s]; 0 for no overlap.

    Returns
    -------
    Exchange
        Total and exposed communication [s].
    """
    whole = cost.start + cost.per_byte * buckets.cap + cost.per_root * np.sqrt(buckets.cap)
    rest = cost.time(buckets.rest)
    run = buckets.full * whole
    late = run + rest
    total = late + cost.time(buckets.first)
    window = backward / size
    exposed = np.maximum(
        total - window * (size - buckets.first),
        late - window * (buckets.full * buckets.cap),
    )
    several = np.maximum(buckets.full - 1, 0.0)
    exposed = np.maximum(exposed, run - window * (several * buckets.cap))
    exposed = np.maximum(exposed, whole * (buckets.full > 0))
    return Exchange(total, np.minimum(exposed, total))


def profile_buckets(
    shares: np.ndarray, backward_shares: np.ndarray, size: Number, cap: Number, first: Number
) -> tuple[np.ndarray, np.ndarray]:
    """Fill buckets from a model's own layers in the order of the backward pass.

    A bucket closes once it holds its limit or more, so a huge layer makes a huge bucket, as in
    PyTorch's DistributedDataParallel.

    Parameters
    ----------
    shares : array, shape (L,)
        Each layer's share of the gradient bytes, last layer first [1].
    backward_shares : array, shape (L,)
        Each layer's share of the backward pass, in the same order [1].
    size, cap, first : float or array, shape (...)
        Gradient bytes S, bucket limit and first bucket's limit [B].

    Returns
    -------
    tuple of arrays, shape (..., M)
        Bucket sizes [B], and the share of the backward pass still to come when each is ready [1];
        zeros behind the last bucket of those that have fewer than M.
    """
    held, passed = (
        np.cumsum(np.concatenate([[0.0], part / part.sum()])) for part in (shares, backward_shares)
    )
    last = held.searchsorted(held[-1])
    size, cap, first = np.broadcast_arrays(size, cap, first)
    # The slack lets a bucket close at its limit whatever the rounding of the running sums.
    limit, whole = np.minimum(first, cap) / size - 1e-12, cap / size - 1e-12
    closed = [np.zeros(size.shape, np.intp)]
    while closed[-1].min() < last:
        layers = held.searchsorted(held[closed[-1]] + limit)
        closed.append(np.minimum(np.maximum(layers, closed[-1] + 1), last))
        limit = whole
    ends = np.stack(closed, axis=-1)
    sizes = np.diff(held[ends], axis=-1) * size[..., None]
    return sizes, np.maximum(1.0 - passed[ends[..., 1:]], 0.0)


def exchange_buckets(sizes: np.ndarray, left: np.ndarray, cost: Cost, backward: Number) -> Exchange:
    """All-reduce any buckets behind the backward pass: the worst suffix, over a bucket axis.

    Parameters
    ----------
    sizes : array, shape (..., M)
        Bucket sizes in order [B]; zeros take no time.
    left : array, shape (..., M)
        Share of the backward pass still to come when each bucket is ready [1].
    cost : Cost
        Of one all-reduce; fields broadcast against the leading axes.
    backward : float or array
        Backward pass [s].

    Returns
    -------
    Exchange
        Total and exposed communication [s], without the bucket axis.
    """
    # A time is linear in the three terms of the cost, so the sums over buckets are taken once for
    # a layout, and not again at every point of a sweep.
    terms = np.stack([sizes > 0, sizes, np.sqrt(sizes)])
    count, held, roots = np.cumsum(terms[..., ::-1], axis=-1)[..., ::-1]
    start, per_byte, per_root = (np.asarray(part, float)[..., None] for part in cost)
    suffix = start * count + per_byte * held + per_root * roots
    total = suffix[..., 0]
    exposed = (suffix - np.asarray(backward, float)[..., None] * left).max(axis=-1)
    return Exchange(total, np.minimum(np.maximum(exposed, 0.0), total))
