"""One sentence that says what to notice, made from the present numbers."""

from __future__ import annotations

import numpy as np

from dpmodel.landmarks import Landmarks
from dpmodel.losses import largest_loss
from dpmodel.scenario import Scenario
from dpmodel.step import gradient_size, input_ceiling_raised, most_workers, one_worker_run
from dpmodel.training import Prediction
from dpmodel.units import human, percent, significant, times, workers_text


def notice(prediction: Prediction, marks: Landmarks) -> str:
    """Say the most surprising true thing about one prediction.

    Parameters
    ----------
    prediction : Prediction
        At the present workers (scalars).
    marks : Landmarks
        Of the curve through it (scalars).

    Returns
    -------
    str
        One sentence, or two where the second says what would help.
    """
    n = int(prediction.workers)
    if n == 1:
        return "One worker has nobody to talk to: its speed-up is 1 in every mode."
    if prediction.scenario.mode == "ideal":
        return (
            f"If exchanging gradients cost nothing, {workers_text(n)} would need 1/{n} of the "
            "time. Switch to 'With communication' to see what it really costs."
        )
    if input_ceiling_raised(prediction.scenario):
        return (
            "The input ceiling is below what one worker already reads, so it is taken as that "
            "rate: no further worker can help until data comes faster."
        )
    best = float(marks.best)
    speed_up = float(prediction.speed_up)
    if best < n and float(marks.best_time) < 0.97 * float(prediction.time):
        return _past_best(prediction, marks)
    if speed_up >= 0.9 * n:
        return _nearly_ideal(prediction, marks)
    return _why_not(prediction)


def _past_best(prediction: Prediction, marks: Landmarks) -> str:
    best, n = float(marks.best), float(prediction.workers)
    best_up = float(prediction.one_worker) / float(marks.best_time)
    return (
        f"{workers_text(n)} give {times(float(prediction.speed_up))}, but {workers_text(best)} "
        f"would give {times(best_up)}: beyond that, {_culprit(prediction)}."
    )


def _culprit(prediction: Prediction) -> str:
    cause, _ = largest_loss(prediction)
    return {
        "exposed": "every further worker adds more communication than it saves compute",
        "contention": "communication slows the compute it hides behind",
        "straggler": "waiting for the slowest worker grows faster than compute shrinks",
        "input": "the data cannot come any faster",
        "serial": "the serial work is all that is left",
        "more_steps": "larger batches need more steps than they save",
        "share": "shares get too small or too uneven to be worth splitting",
        "failures": "more workers fail more often",
    }[cause]


def _nearly_ideal(prediction: Prediction, marks: Landmarks) -> str:
    n = float(prediction.workers)
    start = f"Close to ideal: {workers_text(n)} give {times(float(prediction.speed_up))}"
    step = prediction.step
    total = float(np.asarray(step.communication))
    if total > 0:
        hidden = float(np.asarray(step.hidden)) / total
        share = "nearly all" if hidden > 0.99 else percent(hidden, 2)
        small = total < 0.1 * float(np.asarray(step.total))
        why = "communication is small" if small and hidden < 0.9 else ""
        start += f", since {why or f'{share} of the communication hides behind the backward pass'}"
    if np.isfinite(marks.at_80):
        return f"{start}. Efficiency falls below 80 % at about {workers_text(float(marks.at_80))}."
    return start + "."


def _why_not(prediction: Prediction) -> str:
    n, step = float(prediction.workers), prediction.step
    start = f"{workers_text(n)} give {times(float(prediction.speed_up))}, not {int(n):,}x: "
    cause, share = largest_loss(prediction)
    part = percent(share, 2)
    size = human(float(np.asarray(gradient_size(prediction.scenario))), "data")
    total = human(float(np.asarray(step.communication)), "time")
    exposed = human(float(np.asarray(step.exposed)), "time")
    compute = human(float(np.asarray(step.compute)), "time")
    return (
        start
        + {
            "exposed": f"{exposed} of the {total} that exchanging {size} of gradients takes stay "
            f"exposed in each step, next to {compute} of compute.",
            "contention": f"{part} of the time, communication slows the compute it hides behind.",
            "straggler": f"{part} of the time is waiting for the slowest worker of each step.",
            "input": f"{part} of the time, workers wait for data. A faster input would help, not "
            "more workers.",
            "serial": f"{part} of the time is serial work that no worker can share.",
            "more_steps": f"the larger batch needs {significant(_more_steps(prediction), 3)} times "
            "the steps that splitting alone would, to reach the same quality.",
            "share": f"{part} of the time is lost since a share of "
            f"{significant(_share(prediction), 3)} samples keeps a worker poorly busy.",
            "failures": f"{part} of the time goes to failures, restarts and checkpoints.",
        }[cause]
    )


def _more_steps(prediction: Prediction) -> float:
    scenario = prediction.scenario
    return float(np.asarray(prediction.steps * prediction.workers / scenario.steps))


def _share(prediction: Prediction) -> float:
    scenario = prediction.scenario
    batch = float(scenario.batch)
    grows = scenario.scaling != "strong"
    return batch if grows else float(np.ceil(batch / float(prediction.workers)))


def limit_sentence(prediction: Prediction) -> str:
    """Say where the curve ends for lack of samples, or nothing where it does not."""
    most = float(np.asarray(most_workers(prediction.scenario)))
    if np.isinf(most):
        return ""
    return f"The curve ends at {workers_text(most)}: the batch has no sample for another one."


def run_in_other_words(scenario: Scenario) -> str:
    """Say how many samples the run has, and how long one worker's step takes."""
    samples = float(np.asarray(scenario.steps * scenario.batch))
    step = float(np.asarray(one_worker_run(scenario) / scenario.steps))
    return (
        f"{significant(float(np.asarray(scenario.steps)), 6)} steps of "
        f"{significant(float(np.asarray(scenario.batch)), 6)} samples are "
        f"{human(samples, 'count')} samples; one worker needs {human(step, 'time')} a step."
    )
