"""The situation's step on the clock, with what the page's switches change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpmodel.one_step import clock_workers, shares, with_shares
from dpmodel.scenario import KNOBS, Scenario
from dpmodel.step import global_batch, gradient_size, one_worker_run
from dpmodel.timeline import Timeline, timeline

# A slow worker takes twice as long, in the words and in the numbers.
SLOW = 2.0
MOST_BUCKETS = 20_000


@dataclass(frozen=True)
class Choices:
    """What the page's own controls say.

    Attributes
    ----------
    learner, algorithm : str
        Keys of the small model and of the executed all-reduce.
    skip, slow, uneven, no_overlap : bool
        What is broken on purpose.
    """

    learner: str = "linear"
    algorithm: str = "ring"
    skip: bool = False
    slow: bool = False
    uneven: bool = False
    no_overlap: bool = False


def timed(scenario: Scenario, choices: Choices) -> Timeline:
    """Lay out the situation's step on the clock, with what the choices change.

    Parameters
    ----------
    scenario : Scenario
        The present situation (scalars).
    choices : Choices
        What is broken on purpose.

    Returns
    -------
    Timeline
        Of as many of the situation's workers as its batch can feed, two at least.
    """
    workers = clock_workers(scenario)
    made = _fed(scenario, workers)
    if choices.slow or choices.uneven:
        batch = int(float(np.asarray(global_batch(made, float(workers)))))
        counts = shares(max(batch, workers), workers, uneven=choices.uneven)
        made = with_shares(made, counts, SLOW if choices.slow else 1.0)
    made = made.but(bucket=drawn_bucket(made))
    if choices.no_overlap:
        made = made.but(overlap="off")
    if choices.skip:
        made = _silent(made)
    return timeline(made, workers)


def _fed(scenario: Scenario, workers: int) -> Scenario:
    """Give a batch too small for two workers what it needs, at the same time a sample."""
    batch, parts = float(np.asarray(scenario.batch)), float(np.asarray(scenario.accumulation))
    if scenario.mode == "ideal" or batch >= parts * (
        workers if scenario.scaling == "strong" else 1
    ):
        return scenario
    parts = min(parts, batch)
    enough = max(batch, parts * workers) if scenario.scaling == "strong" else batch
    one = float(np.asarray(one_worker_run(scenario))) * enough / batch
    return scenario.but(accumulation=parts, batch=enough, time_from="hours", one_worker_time=one)


def _silent(scenario: Scenario) -> Scenario:
    """Send nothing: one parameter's gradient over links without latency."""
    one = float(np.asarray(one_worker_run(scenario)))
    return scenario.but(
        time_from="hours", one_worker_time=one, parameters=1.0, latency=0.0, node_latency=0.0
    )


def drawn_bucket(scenario: Scenario) -> float:
    """Bucket size of the lanes [B]: the situation's, or so large that there are 20,000 at most."""
    size = float(np.asarray(gradient_size(scenario)))
    return max(
        float(np.asarray(scenario.bucket)), min(size / MOST_BUCKETS, KNOBS["bucket"].bounds[1])
    )
