"""Laws of jobs that grow, and of workers that get in each other's way: Gustafson and the USL.

Public through `dpmodel.laws`, which says how all laws answer.
"""

from __future__ import annotations

import numpy as np

from dpmodel.answers import check_shape, no_fraction, where_possible, within
from dpmodel.errors import InputError
from dpmodel.knobs import Number
from dpmodel.units import significant


def gustafson_speed_up(workers: Number, serial: Number) -> Number:
    """Scaled speed-up, S = N - f (N-1) [1].

    The job grows with N and the run lasts as long; f is the serial share of the time on N
    workers, not on one, so it is not Amdahl's f (Gustafson 1988).

    Parameters
    ----------
    workers : float or array
        N >= 1 [1].
    serial : float or array
        Serial fraction f of the N-worker time, 0 to 1 [1].
    """
    check_shape(workers, serial)
    return workers - serial * (workers - 1)


def gustafson_workers(speed_up: Number, serial: Number) -> Number:
    """Workers that reach a scaled speed-up, N = (S - f) / (1 - f) [1].

    Parameters
    ----------
    speed_up : float or array
        Wanted S >= 1 [1].
    serial : float or array
        Serial fraction f, 0 to 1 [1].

    Returns
    -------
    float or array
        N [1]; NaN in an array where f = 1 and S > 1.

    Raises
    ------
    InputError
        A scalar target above 1 with fully serial work.
    """
    within("The speed-up", speed_up, 1.0)
    check_shape(1.0, serial)
    nothing_to_split = np.asarray(serial) == 1
    possible = ~nothing_to_split | (np.asarray(speed_up) == 1)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        workers = np.divide(np.subtract(speed_up, serial), np.subtract(1.0, serial))
    error = InputError(
        asked="a speed-up above 1x cannot be reached",
        given="serial fraction 100 %",
        rule="fully serial work gains nothing from more workers",
        way_out="Choose a serial fraction below 100 %.",
    )
    return where_possible(np.where(nothing_to_split, 1.0, workers), possible, error)


def gustafson_serial(speed_up: Number, workers: Number) -> Number:
    """Serial fraction of the N-worker time, f = (N - S) / (N - 1) [1].

    Parameters
    ----------
    speed_up : float or array
        Scaled speed-up S, 1 to N [1].
    workers : float or array
        N > 1 [1].

    Returns
    -------
    float or array
        f [1]; NaN in an array where S is outside 1 to N.

    Raises
    ------
    InputError
        A scalar speed-up outside 1 to N.
    """
    within("The number of workers", workers, 1.0, above=True)
    possible = (np.asarray(speed_up) >= 1) & (np.asarray(speed_up) <= workers)
    error = no_fraction("Gustafson's", speed_up, workers, possible)
    return where_possible(
        np.subtract(workers, speed_up) / np.subtract(workers, 1.0), possible, error
    )


def usl_speed_up(workers: Number, contention: Number, coherency: Number) -> Number:
    """Relative capacity, C(N) = N / (1 + sigma (N-1) + kappa N (N-1)) [1].

    Contention sigma queues for what is shared, as in Amdahl's law; coherency kappa is work
    between all pairs, which makes more workers slower beyond a peak (Gunther 1993). An
    empirical law: outside the measured range it extrapolates.

    Parameters
    ----------
    workers : float or array
        N >= 1 [1].
    contention : float or array
        sigma, 0 to 1 [1].
    coherency : float or array
        kappa >= 0 [1].
    """
    _check_usl(workers, contention, coherency)
    return workers / (1 + contention * (workers - 1) + coherency * workers * (workers - 1))


def usl_peak(contention: Number, coherency: Number) -> tuple[Number, Number]:
    """Workers n* = sqrt((1-sigma)/kappa) with the highest speed-up, and that speed-up [1].

    Parameters
    ----------
    contention, coherency : float or array
        sigma, 0 to 1, and kappa >= 0 [1].

    Returns
    -------
    tuple of float or array
        n*, at least 1, infinite for kappa = 0; and C(n*), for kappa = 0 the limit 1/sigma [1].
    """
    _check_usl(1.0, contention, coherency)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        free = np.asarray(coherency) == 0
        peak = np.maximum(np.sqrt(np.divide(1.0 - contention, coherency)), 1.0)
        peak = np.where(free, np.where(np.asarray(contention) == 1, 1.0, np.inf), peak)
        # At the peak kappa n*^2 = 1 - sigma; the limit is approached, not reached, for kappa = 0.
        at_peak = usl_speed_up(np.where(np.isinf(peak), 1.0, peak), contention, coherency)
        best = np.where(np.isinf(peak), np.divide(1.0, contention), at_peak)
    return peak[()], best[()]


def usl_workers(speed_up: Number, contention: Number, coherency: Number) -> Number:
    """Fewest workers that reach a speed-up, on the rising side of the peak [1].

    The smaller root of kappa S N^2 - (1 - S (sigma - kappa)) N + S (1 - sigma) = 0, in the form
    2c / (b + sqrt(b^2 - 4ac)), which holds for kappa = 0 too.

    Parameters
    ----------
    speed_up : float or array
        Wanted S >= 1 [1].
    contention, coherency : float or array
        sigma, 0 to 1, and kappa >= 0 [1].

    Returns
    -------
    float or array
        N [1]; NaN in an array where S is above the peak.

    Raises
    ------
    InputError
        A scalar target above the peak.
    """
    within("The speed-up", speed_up, 1.0)
    peak, best = usl_peak(contention, coherency)
    reached = np.asarray(speed_up) <= best * (1 + 1e-12)
    possible = (reached & np.isfinite(peak)) | (np.asarray(speed_up) < best)
    slope = 1 - speed_up * np.subtract(contention, coherency)
    constant = speed_up * np.subtract(1.0, contention)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(slope**2 - 4 * coherency * speed_up * constant, 0.0))
        workers = np.maximum(np.divide(2 * constant, slope + root), 1.0)
    workers = np.where(np.asarray(speed_up) == 1, 1.0, workers)
    return where_possible(workers, possible, _beyond_peak(speed_up, peak, best, possible))


def _beyond_peak(
    speed_up: Number, peak: Number, best: Number, possible: Number
) -> InputError | None:
    if np.ndim(possible) or possible:
        return None
    shown = significant(float(best))
    at = (
        f"at {significant(float(peak))} workers"
        if np.isfinite(peak)
        else "on any number of workers"
    )
    return InputError(
        asked=f"a speed-up of {significant(float(speed_up))}x cannot be reached",
        given=f"{shown} < {significant(float(speed_up))}",
        rule=f"the law's highest speed-up is {shown}x, {at}",
        way_out=f"Choose a speed-up below {shown}x, or reduce contention and coherency.",
    )


def usl_contention(speed_up: Number, workers: Number, coherency: Number) -> Number:
    """Contention that a speed-up implies, sigma = (N/S - 1) / (N-1) - kappa N [1].

    Parameters
    ----------
    speed_up, workers, coherency : float or array
        Measured S > 0, N > 1 and known kappa >= 0 [1].

    Returns
    -------
    float or array
        sigma [1]; outside 0 to 1 where no USL of that kappa passes through the point.
    """
    return _usl_excess(speed_up, workers) - coherency * np.asarray(workers, float)


def usl_coherency(speed_up: Number, workers: Number, contention: Number) -> Number:
    """Coherency that a speed-up implies, kappa = ((N/S - 1) / (N-1) - sigma) / N [1].

    Parameters
    ----------
    speed_up, workers, contention : float or array
        Measured S > 0, N > 1 and known sigma, 0 to 1 [1].

    Returns
    -------
    float or array
        kappa [1]; negative where no USL of that sigma passes through the point.
    """
    return (_usl_excess(speed_up, workers) - contention) / np.asarray(workers, float)


def _usl_excess(speed_up: Number, workers: Number) -> Number:
    within("The speed-up", speed_up, 0.0, above=True)
    within("The number of workers", workers, 1.0, above=True)
    return (np.divide(workers, speed_up) - 1) / np.subtract(workers, 1.0)


def _check_usl(workers: Number, contention: Number, coherency: Number) -> None:
    within("The number of workers", workers, 1.0)
    within("The contention", contention, 0.0, 1.0)
    within("The coherency", coherency, 0.0)
