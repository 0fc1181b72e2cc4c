"""How fast the gradients of many workers are: `python -m tests.bench.sharding`.

256 workers share 4,096 samples of the linear model with 8 features; one vectorised call against a
Python loop over workers that computes the same with NumPy, and against the target of 15 times.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable

import numpy as np

from dpmodel.learners import learner
from dpmodel.sharding import even_counts, shard_gradients, split

WORKERS, SAMPLES, FEATURES, TARGET, ROUNDS = 256, 4096, 8, 15.0, 60


def loop_over_workers(
    weights: np.ndarray, shards: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """Mean gradient of each shard of the linear model, one worker after another."""
    return np.array([x.T @ (x @ weights - y) / len(y) for x, y in shards])


def best(work: Callable[[], object]) -> float:
    """Seconds of processor time of one call, best of `ROUNDS`."""
    fastest = np.inf
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(10):
            work()
        fastest = min(fastest, (time.process_time() - began) / 10)
    return fastest


def measure() -> tuple[float, float, float]:
    """Seconds of the loop and of the one call, and their largest relative difference."""
    model = learner("linear")
    data = model.data(SAMPLES, FEATURES)
    weights = np.random.default_rng(0).standard_normal(FEATURES)
    shards = split(data, even_counts(SAMPLES, WORKERS))
    parts = list(zip(shards.x, shards.y, strict=True))
    slow, fast = loop_over_workers(weights, parts), shard_gradients(model, weights, shards)
    off = float(np.abs(slow - fast).max() / np.abs(slow).max())
    looped = best(lambda: loop_over_workers(weights, parts))
    return looped, best(lambda: shard_gradients(model, weights, shards)), off


def main() -> int:
    """Print the figures; return 1 where they fall short."""
    looped, at_once, off = measure()
    holds = looped / at_once >= TARGET and off < 1e-12
    print(f"loop {looped * 1e6:.0f} us, one call {at_once * 1e6:.1f} us, differ by {off:.1e}")
    verdict = "holds" if holds else "FALLS SHORT"
    print(f"{looped / at_once:.1f} times as fast, target {TARGET:g}: {verdict}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
