"""How a law answers: what it refuses, and what it says where there is no answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpmodel.errors import InputError
from dpmodel.knobs import Number
from dpmodel.units import significant


def within(
    name: str, value: Number, low: float, high: float = np.inf, *, above: bool = False
) -> None:
    """Refuse a value below `low` (or at it, where `above`), above `high`, or not a number."""
    values = np.asarray(value, float)
    good = (values > low if above else values >= low) & (values <= high)
    if good.all():
        return
    worst = float(values[~good].ravel()[0])
    bounds = f"{'more than' if above else 'at least'} {significant(low)}"
    bounds += f" and at most {significant(high)}" if np.isfinite(high) else ""
    raise InputError(
        asked=f"{name} cannot be {worst:g}",
        given=f"given {worst:g}",
        rule=f"it is {bounds}",
        way_out=f"Choose for example {significant(_example(low, high))}.",
    )


def _example(low: float, high: float) -> float:
    return 2 * low if low else min(high, 1.0) / 2


def where_possible(answer: Number, possible: Number, error: InputError | None) -> Number:
    """Return the answer, with NaN where there is none; a scalar question raises instead."""
    if error is not None and np.ndim(possible) == 0 and not possible:
        raise error
    return np.where(possible, answer, np.nan)[()]


def percent(fraction: Number) -> str:
    """Write a scalar fraction [1] as "5 %"."""
    return f"{significant(100 * float(fraction))} %"


def whole_workers(workers: Number) -> Number:
    """Round workers up to the whole number that is needed [1]; 8.0000000001 stays 8."""
    return np.ceil(np.asarray(workers, float) * (1 - 1e-9))[()]


def each_place(law: Callable[..., Number], *values: Number) -> Number:
    """Call a law on arrays, so that no place of it raises."""
    answer = np.asarray(law(*(np.atleast_1d(value) for value in values)))
    return answer.reshape(np.broadcast_shapes(*map(np.shape, values)))


def check_run(time: Number, workers: Number, efficiency: Number) -> None:
    """Refuse times and efficiencies that are not positive, and workers below 1."""
    within("The time", time, 0.0, above=True)
    within("The number of workers", workers, 1.0)
    within("The efficiency", efficiency, 0.0, above=True)


def check_shape(workers: Number, serial: Number) -> None:
    """Refuse workers below 1 and serial fractions outside 0 to 1."""
    within("The number of workers", workers, 1.0)
    within("The serial fraction", serial, 0.0, 1.0)


def no_fraction(law: str, speed_up: Number, workers: Number, possible: Number) -> InputError | None:
    """Return the refusal of a scalar speed-up outside 1 to N, or None where there is no need."""
    if np.ndim(possible) or possible:
        return None
    return InputError(
        asked=f"no serial fraction gives {significant(float(speed_up))}x on {workers:g} workers",
        given=f"{significant(float(speed_up))}x on {workers:g} workers",
        rule=f"{law} speed-up lies between 1 and the number of workers",
        way_out="Check the measurement, or use another law.",
    )
