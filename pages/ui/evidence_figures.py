"""Figures of the Evidence page: predicted against measured, one curve, one sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pages.ui.axes import base_axis, worker_axis
from pages.ui.figures import layout, line, markers
from pages.ui.theme import COLOURS

Figure = dict[str, Any]
_TICKS = {"tickvals": [0, 25, 50, 75, 100, 125], "range": [0, 130]}
_BYTES = {"8 B": 3, "1 KiB": 10, "32 KiB": 15, "1 MiB": 20, "32 MiB": 25, "1 GiB": 30, "16 GiB": 34}
_MICROSECONDS = {"1 µs": 1, "10 µs": 10, "100 µs": 1e2, "1 ms": 1e3, "10 ms": 1e4, "100 ms": 1e5,
                 "1 s": 1e6}  # fmt: skip


def scatter(
    measured: Sequence[float],
    predicted: Sequence[float],
    keys: Sequence[str],
    labels: Sequence[str],
    picked: str,
) -> Figure:
    """Draw predicted against measured efficiency, each point one size of one run [%].

    Parameters
    ----------
    measured, predicted : sequence of float, shape (P,)
        Efficiencies [%].
    keys, labels : sequence of str, shape (P,)
        Which run a point belongs to, and what is said when it is pointed at.
    picked : str
        Key of the run shown beside.
    """
    own = np.array([key == picked for key in keys], bool)
    x, y, names = np.asarray(measured), np.asarray(predicted), np.asarray(labels)
    every = markers(x, y, "One size of one run", COLOURS["compute"], size=7, opacity=0.5)
    told = "%{text}<br>measured %{x:.0f} %, predicted %{y:.0f} %<extra></extra>"
    every |= {"customdata": list(keys), "text": labels, "hovertemplate": told}
    every |= {"selected": {"marker": {"opacity": 0.9}}, "unselected": {"marker": {"opacity": 0.5}}}
    shown = markers(x[own], y[own], "Shown beside", COLOURS["measured"], size=11)
    shown |= {"text": names[own], "hovertemplate": told, "customdata": [picked] * int(own.sum())}
    same = line([0, 130], [0, 130], "Predicted = measured", COLOURS["ideal"], width=1.5,
                hoverinfo="skip", line={"dash": "dash"})  # fmt: skip
    xaxis = base_axis("Measured efficiency [%]", **_TICKS)
    return {"data": [same, every, shown], "layout": layout(xaxis, base_axis(_PREDICTED, **_TICKS))}


_PREDICTED = "Predicted efficiency [%]"


def curve(
    workers: np.ndarray,
    measured: np.ndarray,
    predicted: np.ndarray,
    band: tuple[np.ndarray, np.ndarray],
) -> Figure:
    """Draw one run's efficiency over workers with the prediction and its 80 % band [%].

    Parameters
    ----------
    workers : array, shape (W,)
        Sizes [1].
    measured, predicted : array, shape (W,)
        Efficiencies [%].
    band : tuple of arrays, shape (W,)
        Lower and upper end [%].
    """
    hover = "%{x:,} workers: %{y:.0f} %<extra>%{fullData.name}</extra>"
    area = {
        "type": "scatter", "mode": "lines", "name": "80 % band", "line": {"width": 0},
        "x": np.append(workers, workers[::-1]), "y": np.append(band[1], band[0][::-1]),
        "fill": "toself", "fillcolor": COLOURS["band"], "hoverinfo": "skip",
    }  # fmt: skip
    ideal = line([workers[0], workers[-1]], [100, 100], "Ideal", COLOURS["ideal"], width=1.8,
                 hoverinfo="skip", line={"dash": "dash"})  # fmt: skip
    ours = line(workers, predicted, "Predicted", COLOURS["compute"], hovertemplate=hover)
    seen = markers(workers, measured, "Measured", COLOURS["measured"], hovertemplate=hover, size=10)
    return {
        "data": [area, ideal, ours, seen],
        "layout": layout(_sizes(workers), _percent(measured)),
    }


def _percent(measured: np.ndarray) -> Figure:
    top = max(105.0, 1.04 * float(measured.max()))
    return base_axis("Efficiency against the smallest size [%]", range=[0, top])


def _sizes(workers: np.ndarray) -> Figure:
    low, high = np.log10(float(workers[0])), np.log10(float(workers[-1]))
    axis = worker_axis(int(workers[-1]))
    first = int(np.floor(np.log2(float(workers[0]))))
    powers = [2**i for i in range(first, int(np.ceil(np.log2(float(workers[-1])))) + 1)]
    step = 2 if len(powers) > 7 else 1
    axis["tickvals"] = powers
    axis["ticktext"] = [f"{p:,}" if i % step == 0 else "" for i, p in enumerate(powers)]
    axis["range"] = [low - 0.05, high + 0.05]
    return axis


def sweep(
    size: np.ndarray, measured: np.ndarray, predicted: np.ndarray, fits: dict[str, np.ndarray]
) -> Figure:
    """Draw one all-reduce sweep: time over message size, both logarithmic [us].

    Parameters
    ----------
    size : array, shape (M,)
        Message sizes [B].
    measured, predicted : array, shape (M,)
        Times, measured and with nothing fitted [us].
    fits : dict of str to array, shape (M,)
        Fitted laws by name [us].
    """
    hover = "%{y:,.3~s} µs<extra>%{fullData.name}</extra>"
    looks = (("dot", "serial"), ("dashdot", "input"), ("dash", "ideal"))
    traces = [
        line(
            size, times, name, COLOURS[colour], width=1.8, line={"dash": dash}, hovertemplate=hover
        )
        for (name, times), (dash, colour) in zip(fits.items(), looks, strict=False)
    ]
    ours = line(size, predicted, "Nothing fitted", COLOURS["compute"], hovertemplate=hover, width=3)
    seen = markers(size, measured, "Measured", COLOURS["measured"], hovertemplate=hover, size=8)
    xaxis = base_axis(
        "Message size (log scale)", type="log",
        tickvals=[2.0**power for power in _BYTES.values()], ticktext=list(_BYTES),
    )  # fmt: skip
    yaxis = base_axis(
        "Time of one all-reduce (log scale)", type="log",
        tickvals=list(_MICROSECONDS.values()), ticktext=list(_MICROSECONDS),
    )  # fmt: skip
    return {"data": [*traces, ours, seen], "layout": layout(xaxis, yaxis, left=72)}


def sweep_scatter(
    measured: Sequence[float],
    predicted: Sequence[float],
    keys: Sequence[str],
    picked: str,
) -> Figure:
    """Draw predicted against measured all-reduce times, each point one message size [us]."""
    own = np.array([key == picked for key in keys], bool)
    x, y = np.asarray(measured), np.asarray(predicted)
    told = "%{customdata}<br>measured %{x:,.3~s} µs, predicted %{y:,.3~s} µs<extra></extra>"
    every = markers(x, y, "One size of one sweep", COLOURS["compute"], size=6, opacity=0.45)
    every |= {"customdata": list(keys), "hovertemplate": told}
    shown = markers(x[own], y[own], "Shown beside", COLOURS["measured"], size=9)
    shown |= {"customdata": [picked] * int(own.sum()), "hovertemplate": told}
    ends = [float(min(x.min(), y.min())) * 0.8, float(max(x.max(), y.max())) * 1.25]
    same = line(ends, ends, "Predicted = measured", COLOURS["ideal"], width=1.5,
                hoverinfo="skip", line={"dash": "dash"})  # fmt: skip
    ticks = {"tickvals": list(_MICROSECONDS.values()), "ticktext": list(_MICROSECONDS)}
    xaxis = base_axis("Measured time (log scale)", type="log", **ticks)
    yaxis = base_axis("Predicted time (log scale)", type="log", **ticks)
    return {"data": [same, every, shown], "layout": layout(xaxis, yaxis, left=72)}
