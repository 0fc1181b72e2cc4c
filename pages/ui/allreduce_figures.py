"""Figures of the all-reduce page: times by algorithm, bandwidths, boundary, buckets, laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpmodel.crossovers import Crossover
from dpmodel.units import unit_factor
from pages.ui.axes import base_axis, worker_axis
from pages.ui.figures import Figure, layout, line, markers
from pages.ui.theme import COLOURS

# An algorithm has its colour and dash wherever it is drawn; communication's orange is the present.
STYLE = {
    "ring": ("compute", "solid"),
    "tree": ("straggler", "dot"),
    "double_tree": ("serial", "dashdot"),
    "recursive_doubling": ("input", "longdash"),
    "halving_doubling": ("contention", "dash"),
    "parameter_server": ("limit", "longdashdot"),
    "in_switch": ("pinned", "dot"),
}
_SIZES = {
    "256 B": 256, "4 KiB": 2**12, "64 KiB": 2**16, "1 MiB": 2**20, "16 MiB": 2**24,
    "256 MiB": 2**28, "4 GiB": 2**32,
}  # fmt: skip
_TIMES = ("1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s", "1000 s")
HOVER = "<extra>%{fullData.name}</extra>"


def size_axis(title: str = "Message size (log scale)") -> Figure:
    """Log axis over bytes with binary ticks."""
    return base_axis(
        title, type="log", range=[float(np.log10(200)), float(np.log10(2**33))],
        tickvals=list(_SIZES.values()), ticktext=list(_SIZES),
    )  # fmt: skip


def seconds_axis(values: np.ndarray, title: str = "Time of one all-reduce (log scale)") -> Figure:
    """Log axis over seconds with human ticks, around the given values [s]."""
    good = values[np.isfinite(values) & (values > 0)]
    low, high = (good.min(), good.max()) if good.size else (1e-6, 1.0)
    ticks = [float(t.split()[0]) * unit_factor(t.split()[1], "time") for t in _TIMES]
    return base_axis(
        title, type="log", range=[float(np.log10(low)) - 0.15, float(np.log10(high)) + 0.15],
        tickvals=ticks, ticktext=[t.replace("us", "µs").replace("1000", "1,000") for t in _TIMES],
    )  # fmt: skip


def by_algorithm(
    x: np.ndarray,
    times: Mapping[str, np.ndarray],
    names: Mapping[str, str],
    present: str,
    crossings: list[Crossover],
    measured: tuple[np.ndarray, np.ndarray, str] | None,
    xaxis: Figure,
    now: float,
) -> Figure:
    """Draw times by algorithm over sizes or workers.

    Parameters
    ----------
    x : array, shape (X,)
        Sizes [B] or workers [1].
    times : mapping of str to array, shape (X,)
        Time of each algorithm [s].
    names : mapping of str to str
        Their names on the screen.
    present : str
        The situation's algorithm, drawn thicker.
    crossings : list of Crossover
        Where the fastest changes.
    measured : tuple, optional
        x and time of measured points, shape (Q,), and their name.
    xaxis : dict
        The axis of x.
    now : float
        The situation's own x.
    """
    traces = []
    for key, values in times.items():
        colour, dash = STYLE[key]
        traces.append(
            line(x, values, names[key], COLOURS[colour], line={"dash": dash},
                 width=4 if key == present else 1.8,
                 hovertemplate="%{x:,.4~s}: %{y:.3~s}s" + HOVER)
        )  # fmt: skip
    if crossings:
        traces.append(
            markers([c.at for c in crossings], [c.time for c in crossings], "Fastest changes",
                    COLOURS["text"], symbol="diamond", size=12,
                    text=[f"{names[c.before]} to {names[c.after]}" for c in crossings],
                    hovertemplate="%{text} at %{x:,.4~s}<extra></extra>")
        )  # fmt: skip
    if measured is not None:
        traces.append(
            markers(measured[0], measured[1], f"Measured: {measured[2]}", COLOURS["measured"],
                    size=7, hovertemplate="%{x:,.4~s}: %{y:.3~s}s" + HOVER)
        )  # fmt: skip
    every = np.concatenate([*times.values(), measured[1] if measured else np.zeros(0)])
    figure = layout(xaxis, seconds_axis(every), left=72)
    return {"data": traces, "layout": figure | {"shapes": [_mark(now)], **_tall_legend()}}


def _tall_legend() -> Figure:
    return {
        "legend": {
            "orientation": "h", "x": 0, "y": -0.2, "yanchor": "top", "font": {"size": 12},
            "bgcolor": "rgba(0,0,0,0)",
        },
        "margin": {"l": 72, "r": 12, "t": 8, "b": 150},
    }  # fmt: skip


def _mark(x: float) -> dict[str, Any]:
    return {
        "type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper",
        "line": {"color": COLOURS["communication"], "dash": "dot", "width": 1.5},
    }  # fmt: skip


def bandwidths(size: np.ndarray, algorithm: np.ndarray, bus: np.ndarray, limit: float,
               measured: tuple[np.ndarray, np.ndarray, str] | None) -> Figure:  # fmt: skip
    """Draw algorithm and bus bandwidth over sizes [GB/s].

    Parameters
    ----------
    size : array, shape (X,)
        Sizes [B].
    algorithm, bus : arrays, shape (X,)
        S/t, and that times 2(N-1)/N [GB/s].
    limit : float
        Rate of the slowest link [GB/s].
    measured : tuple, optional
        Sizes [B], bus bandwidths [GB/s] and name of a sweep.
    """
    hover = "%{x:,.4~s}B: %{y:.3~g} GB/s" + HOVER
    ends = [float(size[0]), float(size[-1])]
    traces = [
        line(ends, [limit, limit], "Slowest link", COLOURS["ideal"], line={"dash": "dash"},
             hovertemplate=hover),
        line(size, algorithm, "Algorithm bandwidth S/t", COLOURS["serial"], line={"dash": "dot"},
             hovertemplate=hover),
        line(size, bus, "Bus bandwidth", COLOURS["communication"], hovertemplate=hover),
    ]  # fmt: skip
    if measured is not None:
        traces.append(
            markers(measured[0], measured[1], f"Measured bus: {measured[2]}", COLOURS["measured"],
                    size=7, hovertemplate=hover)
        )  # fmt: skip
    yaxis = base_axis("Bandwidth [GB/s] (log scale)", type="log", exponentformat="none")
    return {"data": traces, "layout": layout(size_axis(), yaxis)}


def boundary(workers: np.ndarray, two_level: np.ndarray, flat: np.ndarray, edge: float,
             now: float) -> Figure:  # fmt: skip
    """Draw hierarchical and flat times over workers [s], and where the first node is full."""
    hover = "%{x:,} workers: %{y:.3~s}s" + HOVER
    traces = [
        line(workers, two_level, "In two levels", COLOURS["communication"], hovertemplate=hover),
        line(workers, flat, "Flat", COLOURS["serial"], line={"dash": "dash"}, hovertemplate=hover),
    ]
    figure = layout(worker_axis(int(workers[-1])), seconds_axis(np.concatenate([two_level, flat])),
                    left=72)  # fmt: skip
    edge_line = _mark(edge) | {"line": {"color": COLOURS["limit"], "dash": "dash", "width": 1.5}}
    note = {
        "x": float(np.log10(edge)), "y": 0, "yref": "paper", "xanchor": "left", "yanchor": "bottom",
        "text": " node boundary", "showarrow": False,
        "font": {"size": 12, "color": COLOURS["limit"]},
    }  # fmt: skip
    marked = {"shapes": [edge_line, _mark(now)], "annotations": [note]}
    return {"data": traces, "layout": figure | marked}


def bucket_trade(
    size: np.ndarray, total: np.ndarray, exposed: np.ndarray, best: tuple[float, float], now: float
) -> Figure:
    """Draw communication and its exposed part over the bucket size [B] to [s]."""
    hover = "%{x:,.4~s}B: %{y:.3~s}s" + HOVER
    xaxis = size_axis("Bucket size (log scale)")
    xaxis["range"] = [float(np.log10(size[0])), float(np.log10(size[-1]))]
    traces = [
        line(size, total, "All communication of a step", COLOURS["hidden"], line={"dash": "dash"},
             hovertemplate=hover),
        line(size, exposed, "Exposed communication", COLOURS["communication"], hovertemplate=hover),
        markers([best[0]], [best[1]], "Least exposed", COLOURS["text"], symbol="star", size=14,
                hovertemplate=hover),
    ]  # fmt: skip
    figure = layout(xaxis, seconds_axis(np.concatenate([total, exposed]), "Time in one step "
                                        "(log scale)"), left=72)  # fmt: skip
    return {"data": traces, "layout": figure | {"shapes": [_mark(now)]}}


def laws(size: np.ndarray, pipelined: np.ndarray, textbook: np.ndarray,
         measured: tuple[np.ndarray, np.ndarray, str]) -> Figure:  # fmt: skip
    """Draw both transfer laws, fitted to one sweep, over its points [B] to [s]."""
    hover = "%{x:,.4~s}B: %{y:.3~s}s" + HOVER
    traces = [
        line(size, textbook, "Textbook, a + w", COLOURS["serial"], line={"dash": "dash"},
             hovertemplate=hover),
        line(size, pipelined, "Pipelined, (√a + √w)²", COLOURS["communication"],
             hovertemplate=hover),
        markers(measured[0], measured[1], f"Measured: {measured[2]}", COLOURS["measured"], size=8,
                hovertemplate=hover),
    ]  # fmt: skip
    return {"data": traces, "layout": layout(size_axis(), seconds_axis(measured[1]), left=72)}
