"""Efficiency of a measured curve, predicted from its smallest size alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpmodel.errors import InputError
from dpmodel.evidence.cases import Case, make_case
from dpmodel.evidence.constants import DEFAULT, Constants
from dpmodel.evidence.mapping import guessed_compute, scenario_of
from dpmodel.evidence.reading import Curve
from dpmodel.scenario import Scenario
from dpmodel.step import step_parts

# Compute is never taken as less than this share of the smallest size's step.
_LEAST_COMPUTE = 0.3
_ROUNDS = 12


@dataclass(frozen=True)
class CurvePrediction:
    """A case with its scenario and predicted efficiency over its sizes, shape (W,) [1]."""

    case: Case
    scenario: Scenario
    efficiency: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """Predicted less measured efficiency, beyond the smallest size, shape (W - 1,) [1]."""
        return np.asarray(self.efficiency - self.case.curve.efficiency)[1:]


def predict_curve(curve: Curve, constants: Constants = DEFAULT) -> CurvePrediction:
    """Predict a curve's efficiency against its smallest size.

    Compute time is set such that the smallest size's step takes as long as measured; nothing of
    the larger sizes is used but their worker counts and batches.

    Parameters
    ----------
    curve : Curve
        Measured curve; only its first rate is read.
    constants : Constants
        Mechanisms.
    """
    case = make_case(curve, constants)
    try:
        return _predict(case, constants)
    except InputError as error:
        # Cells that no scenario can hold: the ideal line, and said so.
        note = f"outside the model, the ideal line is given: {error.asked}"
        case = replace(case, unstated=(*case.unstated, note))
        return CurvePrediction(case, Scenario(), np.ones(len(curve.workers)))


def _predict(case: Case, constants: Constants) -> CurvePrediction:
    curve = case.curve
    compute = _compute(case, constants)
    scenario = scenario_of(case, compute, constants)
    step = np.asarray(step_parts(scenario, curve.workers).total)
    samples = _samples_to_train(case, constants)
    time = samples / case.batch * step
    if case.to_quality:
        fixed = constants.serial_train
        time = time / time[0] * (1 - fixed) + fixed
    efficiency = time[0] / time * curve.workers[0] / curve.workers
    return CurvePrediction(case, scenario, np.asarray(efficiency))


def _compute(case: Case, constants: Constants) -> float:
    if case.step is None:
        return guessed_compute(case, constants)
    compute = case.step
    first = case.curve.workers[:1]
    for _ in range(_ROUNDS if first[0] > 1 else 0):
        scenario = scenario_of(case, compute, constants)
        total = float(np.ravel(step_parts(scenario, case.curve.workers).total)[0])
        compute = max(compute + case.step - total, _LEAST_COMPUTE * case.step)
    return compute


def _samples_to_train(case: Case, constants: Constants) -> np.ndarray:
    """Samples of the whole run at each size, to a common factor: E(B) ~ 1 + B/B_crit."""
    if not (case.to_quality and constants.extra_epochs):
        return np.ones(len(case.batch))
    return np.asarray(1 + case.batch / case.model.critical_batch)
