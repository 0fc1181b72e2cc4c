"""Why the speed-up is not N: the time beyond T(1)/N, split by cause."""

from __future__ import annotations

import numpy as np

from dpmodel.knobs import Number
from dpmodel.step import one_worker_run
from dpmodel.training import Prediction, failure_free_time

CAUSES = {
    "share": "Small or uneven shares",
    "contention": "Compute slowed by communication",
    "exposed": "Exposed communication",
    "straggler": "Waiting for the slowest worker",
    "input": "Waiting for data",
    "serial": "Serial work",
    "more_steps": "More steps for larger batches",
    "failures": "Failures and checkpoints",
}


def losses(prediction: Prediction) -> dict[str, Number]:
    """Split T(N) - T(1)/N by cause.

    Parameters
    ----------
    prediction : Prediction
        From `predict`.

    Returns
    -------
    dict of str to array
        Seconds of the whole run by cause (keys of `CAUSES`) [s]; with T(1)/N they add up to T(N).
    """
    scenario, step, n = prediction.scenario, prediction.step, prediction.workers
    real = scenario.mode == "realistic"
    per_run = scenario.serial_run if real else 0.0
    per_step = scenario.serial_step if real else 0.0
    run = one_worker_run(scenario)
    shared = run * (1 - per_run) * (1 - per_step)
    same_samples = scenario.steps if scenario.scaling == "strong" else scenario.steps / n
    serial = same_samples * step.serial + per_run * run
    free = failure_free_time(scenario, n, step)
    return {
        "share": same_samples * step.compute - shared / n,
        "contention": same_samples * step.contention,
        "exposed": same_samples * step.exposed,
        "straggler": same_samples * step.straggler,
        "input": same_samples * step.input,
        "serial": serial - (run - shared) / n,
        "more_steps": (prediction.steps - same_samples) * step.total,
        "failures": prediction.time - free,
    }


def ideal_time(prediction: Prediction) -> Number:
    """T(1)/N, without failures [s]."""
    return one_worker_run(prediction.scenario) / prediction.workers


def largest_loss(prediction: Prediction) -> tuple[str, float]:
    """Cause that costs a scalar prediction most, and its share of T(N) [1]."""
    parts = {cause: float(np.asarray(value)) for cause, value in losses(prediction).items()}
    cause = max(parts, key=lambda name: parts[name])
    return cause, parts[cause] / float(np.asarray(prediction.time))
