"""The plain laws of speed-up, each with its inverses: ideal, Amdahl, Gustafson, Karp-Flatt, USL.

All of them broadcast. A value outside its domain (a serial fraction of 2, no workers) is an
`InputError`. A question that has no answer, such as 25x with 5 % serial work, is an `InputError`
that says why where it is asked of scalars, and NaN at its place in an array. Numbers of workers
are returned as real numbers, so that every inverse is exact; `whole_workers` rounds them up.
"""

from __future__ import annotations

import numpy as np

from dpmodel.answers import (
    check_run,
    check_shape,
    each_place,
    no_fraction,
    percent,
    where_possible,
    whole_workers,
    within,
)
from dpmodel.errors import InputError
from dpmodel.knobs import Number
from dpmodel.scaled_laws import (
    gustafson_serial,
    gustafson_speed_up,
    gustafson_workers,
    usl_coherency,
    usl_contention,
    usl_peak,
    usl_speed_up,
    usl_workers,
)
from dpmodel.units import human, significant

__all__ = [
    "amdahl_limit",
    "amdahl_one_worker_time",
    "amdahl_serial",
    "amdahl_speed_up",
    "amdahl_time",
    "amdahl_workers",
    "amdahl_workers_for_time",
    "efficiency_of",
    "gustafson_serial",
    "gustafson_speed_up",
    "gustafson_workers",
    "ideal_one_worker_time",
    "ideal_time",
    "ideal_workers",
    "karp_flatt",
    "usl_coherency",
    "usl_contention",
    "usl_peak",
    "usl_speed_up",
    "usl_workers",
    "whole_workers",
]


def ideal_time(one_worker_time: Number, workers: Number, efficiency: Number = 1.0) -> Number:
    """Training time of N workers, T(N) = T(1) / (N E) [s].

    Ideal where E = 1: the work splits evenly, nothing else takes time. An E holds at its own N.

    Parameters
    ----------
    one_worker_time : float or array
        T(1) > 0 [s].
    workers : float or array
        N >= 1 [1].
    efficiency : float or array
        E = speed-up / N > 0 [1].
    """
    check_run(one_worker_time, workers, efficiency)
    return one_worker_time / (workers * efficiency)


def ideal_workers(one_worker_time: Number, time: Number, efficiency: Number = 1.0) -> Number:
    """Workers that finish within a time, N = T(1) / (T E), never less than one [1].

    Parameters
    ----------
    one_worker_time, time : float or array
        T(1) > 0 and the wanted T(N) > 0 [s].
    efficiency : float or array
        E > 0, held at every N [1].
    """
    check_run(one_worker_time, 1.0, efficiency)
    within("The time", time, 0.0, above=True)
    return np.maximum(one_worker_time / (time * efficiency), 1.0)


def ideal_one_worker_time(time: Number, workers: Number, efficiency: Number = 1.0) -> Number:
    """One-worker time behind a time on N workers, T(1) = T(N) N E [s].

    Parameters
    ----------
    time : float or array
        T(N) > 0 [s].
    workers, efficiency : float or array
        N >= 1 and E > 0 [1].
    """
    check_run(time, workers, efficiency)
    return time * workers * efficiency


def efficiency_of(one_worker_time: Number, time: Number, workers: Number) -> Number:
    """Efficiency that a measured time shows, E = T(1) / (N T(N)) [1].

    Above 1 is possible in measurements (more cache or memory for each share) and is returned.

    Parameters
    ----------
    one_worker_time, time : float or array
        T(1) > 0 and T(N) > 0 [s].
    workers : float or array
        N >= 1 [1].
    """
    check_run(one_worker_time, workers, 1.0)
    within("The time", time, 0.0, above=True)
    return one_worker_time / (workers * time)


def amdahl_speed_up(workers: Number, serial: Number) -> Number:
    """Speed-up of a fixed job, S = 1 / (f + (1-f)/N) [1].

    A share f of the one-worker time cannot be split; the rest splits evenly and nothing is
    added for communication, so real speed-ups are lower (Amdahl 1967).

    Parameters
    ----------
    workers : float or array
        N >= 1 [1]; infinity gives the limit.
    serial : float or array
        Serial fraction f of the one-worker time, 0 to 1 [1].
    """
    check_shape(workers, serial)
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(1.0, serial + (1 - serial) / np.asarray(workers, float))[()]


def amdahl_limit(serial: Number) -> Number:
    """Speed-up that no number of workers exceeds, 1/f [1]; infinite for f = 0.

    Parameters
    ----------
    serial : float or array
        Serial fraction f, 0 to 1 [1].
    """
    return amdahl_speed_up(np.inf, serial)


def amdahl_time(one_worker_time: Number, workers: Number, serial: Number) -> Number:
    """Training time, T(N) = T(1) (f + (1-f)/N) [s].

    Parameters
    ----------
    one_worker_time : float or array
        T(1) > 0 [s].
    workers, serial : float or array
        N >= 1 and serial fraction f, 0 to 1 [1].
    """
    check_run(one_worker_time, workers, 1.0)
    return one_worker_time / amdahl_speed_up(workers, serial)


def amdahl_one_worker_time(time: Number, workers: Number, serial: Number) -> Number:
    """One-worker time behind a time on N workers, T(1) = T(N) / (f + (1-f)/N) [s].

    Parameters
    ----------
    time : float or array
        T(N) > 0 [s].
    workers, serial : float or array
        N >= 1 and serial fraction f, 0 to 1 [1].
    """
    check_run(time, workers, 1.0)
    return time * amdahl_speed_up(workers, serial)


def amdahl_workers(speed_up: Number, serial: Number) -> Number:
    """Workers that reach a speed-up, N = (1-f) / (1/S - f) [1].

    Parameters
    ----------
    speed_up : float or array
        Wanted S >= 1 [1].
    serial : float or array
        Serial fraction f, 0 to 1 [1].

    Returns
    -------
    float or array
        N [1]; NaN in an array where S >= 1/f.

    Raises
    ------
    InputError
        A scalar target at or above the limit 1/f.
    """
    within("The speed-up", speed_up, 1.0)
    limit = amdahl_limit(serial)
    possible = (np.asarray(speed_up) < limit) | (np.asarray(speed_up) == 1)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        workers = np.divide(1.0 - serial, np.divide(1.0, speed_up) - serial)
    workers = np.where(np.asarray(speed_up) == 1, 1.0, workers)
    return where_possible(workers, possible, _beyond_amdahl(speed_up, serial, limit, possible))


def _beyond_amdahl(
    speed_up: Number, serial: Number, limit: Number, possible: Number
) -> InputError | None:
    if np.ndim(possible) or possible:
        return None
    shown = significant(float(limit))
    return InputError(
        asked=f"a speed-up of {significant(float(speed_up))}x cannot be reached",
        given=f"{shown} <= {significant(float(speed_up))}",
        rule=f"{percent(serial)} serial work never exceeds {shown}x, on any number of workers",
        way_out=f"Choose a speed-up below {shown}x, or make less of the work serial.",
    )


def amdahl_workers_for_time(one_worker_time: Number, time: Number, serial: Number) -> Number:
    """Workers that finish within a time, N = (1-f) / (T/T(1) - f), never less than one [1].

    Parameters
    ----------
    one_worker_time, time : float or array
        T(1) > 0 and the wanted T(N) > 0 [s].
    serial : float or array
        Serial fraction f, 0 to 1 [1].

    Returns
    -------
    float or array
        N [1]; NaN in an array where T <= f T(1), since the serial part alone takes that long.

    Raises
    ------
    InputError
        A scalar time that the serial part alone uses up.
    """
    within("The one-worker time", one_worker_time, 0.0, above=True)
    within("The time", time, 0.0, above=True)
    wanted = np.maximum(np.divide(one_worker_time, time), 1.0)
    possible = (wanted < amdahl_limit(serial)) | (wanted == 1)
    if np.ndim(possible) == 0 and not possible:
        alone = human(float(serial * one_worker_time), "time")
        raise InputError(
            asked=f"the run cannot finish in {human(float(time), 'time')}",
            given=f"{human(float(time), 'time')} <= {alone}",
            rule=f"its serial part, {percent(serial)} of the one-worker time, takes {alone}",
            way_out=f"Choose a time above {alone}, or make less of the work serial.",
        )
    flat = np.where(possible, wanted, 1.0)
    return np.where(possible, each_place(amdahl_workers, flat, serial), np.nan)[()]


def amdahl_serial(speed_up: Number, workers: Number) -> Number:
    """Serial fraction that a speed-up implies, f = (1/S - 1/N) / (1 - 1/N) [1].

    Parameters
    ----------
    speed_up : float or array
        Measured S(N) > 0 [1].
    workers : float or array
        N > 1 [1]; one worker tells nothing about f.

    Returns
    -------
    float or array
        f, 0 to 1 [1]; NaN in an array where S > N or S < 1, which no serial fraction explains.

    Raises
    ------
    InputError
        A scalar speed-up above N or below 1.
    """
    serial = karp_flatt(speed_up, workers)
    possible = (serial >= -1e-12) & (serial <= 1 + 1e-12)
    error = no_fraction("Amdahl's", speed_up, workers, possible)
    return where_possible(np.clip(serial, 0.0, 1.0), possible, error)


def karp_flatt(speed_up: Number, workers: Number) -> Number:
    """Experimentally determined serial fraction, e = (1/S - 1/N) / (1 - 1/N) [1].

    Constant over N: serial work. Rising with N: overhead that grows, such as communication.
    Negative: more than N-fold. Its inverse is `amdahl_speed_up` (Karp & Flatt 1990).

    Parameters
    ----------
    speed_up : float or array
        Measured S(N) > 0 [1].
    workers : float or array
        N > 1 [1].
    """
    within("The speed-up", speed_up, 0.0, above=True)
    within("The number of workers", workers, 1.0, above=True)
    share = np.divide(1.0, workers)
    return (np.divide(1.0, speed_up) - share) / (1.0 - share)
