"""Figures as plain Plotly dictionaries: arrays in, figure out; no screen, no model."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.axes import base_axis, decade_ticks, time_axis, worker_axis
from pages.ui.theme import COLOURS, HATCH, SPEED_SCALE

Figure = dict[str, Any]
PARTS = {
    "compute": "Compute",
    "contention": "Slowed by communication",
    "exposed": "Exposed communication",
    "straggler": "Waiting for the slowest",
    "input": "Waiting for data",
    "serial": "Serial work",
}
_COLOUR_OF = {"exposed": "communication"}


def part_colour(part: str) -> dict[str, str]:
    """Colour of one part of a step."""
    return COLOURS[_COLOUR_OF.get(part, part)]


def layout(xaxis: Figure, yaxis: Figure, *, left: int = 64, legend: bool = True) -> Figure:
    """Layout that all figures share."""
    return {
        "xaxis": xaxis,
        "yaxis": yaxis,
        "font": {"color": COLOURS["text"], "size": 13, "family": "Source Sans, sans-serif"},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": left, "r": 12, "t": 8, "b": 48},
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "font": {"size": 12},
            "bgcolor": "rgba(0,0,0,0)",
        },
        "hovermode": "closest",
        "dragmode": False,
        "uirevision": "keep",
        "hoverlabel": {"font": {"size": 13}},
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)",
            "color": COLOURS["muted"],
            "activecolor": COLOURS["text"],
        },
    }


def line(x: Any, y: Any, name: str, colour: dict[str, str], **rest: Any) -> Figure:
    """One line trace."""
    style = {"color": colour, "width": rest.pop("width", 2.5)} | rest.pop("line", {})
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": style} | rest


def markers(x: Any, y: Any, name: str, colour: dict[str, str], **rest: Any) -> Figure:
    """Marker trace with an outline that stays visible on any line."""
    marker = {
        "color": colour,
        "size": rest.pop("size", 12),
        "symbol": rest.pop("symbol", "circle"),
        "line": {"color": COLOURS["paper"], "width": 1.5},
    }
    base = {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker}
    return base | rest


def efficiency_bands(largest: int) -> list[Figure]:
    """Fill speed-up bands: 80-100 %, 50-80 % and below, as three quiet areas under the ideal."""
    ends = [1.0, float(largest)]
    bands = []
    for upper, lower, colour, name in (
        (1.0, 0.8, "good", "80-100 % efficient"),
        (0.8, 0.5, "fair", "50-80 %"),
    ):
        x = [*ends, *ends[::-1]]
        y = [n * upper for n in ends] + [n * lower for n in ends[::-1]]
        bands.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": x,
                "y": y,
                "fill": "toself",
                "fillcolor": COLOURS[colour],
                "line": {"width": 0},
                "name": name,
                "hoverinfo": "skip",
                "showlegend": True,
            }
        )
    return bands


def speed_up_layout(largest: int) -> Figure:
    """Axes of the speed-up chart: the ideal is the diagonal."""
    powers = [2**i for i in range(0, int(np.log2(largest)) + 1)]
    yaxis = base_axis(
        "Speed-up S (log scale)",
        type="log",
        range=[-0.25, float(np.log10(largest)) + 0.08],
        tickvals=powers,
        ticktext=[f"{p:,}x" if i % 2 == 0 else "" for i, p in enumerate(powers)],
    )
    return layout(worker_axis(largest), yaxis)


def time_layout(one_worker: float, largest: int) -> Figure:
    """Axes of the training-time chart."""
    return layout(worker_axis(largest), time_axis(one_worker), left=72)


def step_bar(parts: dict[str, float], hidden: float) -> Figure:
    """One step in two lanes: what the worker does, and what the network does meanwhile [ms]."""
    traces = [
        _bar([value], ["Worker"], PARTS[name], part_colour(name), HATCH[_COLOUR_OF.get(name, name)])
        for name, value in parts.items()
        if value > 0 or name == "compute"
    ]
    before = parts["compute"] + parts["contention"] - hidden
    exposed = parts["exposed"]
    traces.append(
        _bar([max(before, 0.0)], ["Network"], "", _CLEAR, "", showlegend=False, hoverinfo="skip")
    )
    traces.append(_bar([hidden], ["Network"], "Hidden communication", COLOURS["hidden"], "\\"))
    traces.append(
        _bar(
            [exposed], ["Network"], PARTS["exposed"], part_colour("exposed"), "/", showlegend=False
        )
    )
    top = sum(parts.values()) * 1.02
    xaxis = base_axis("Time in one step [ms]", range=[0, top], rangemode="tozero")
    figure = layout(xaxis, base_axis("", autorange="reversed", showgrid=False), left=72)
    return {"data": traces, "layout": figure | {"barmode": "stack", "bargap": 0.35}}


_CLEAR = {"light": "rgba(0,0,0,0)", "dark": "rgba(0,0,0,0)"}


def _bar(x: Any, y: Any, name: str, colour: Any, hatch: str, **rest: Any) -> Figure:
    marker = {
        "color": colour,
        "line": {"width": 0},
        "pattern": {
            "shape": hatch,
            "fillmode": "overlay",
            "fgcolor": COLOURS["paper"],
            "fgopacity": 0.45,
            "size": 7,
        },
    }
    base = {"type": "bar", "orientation": "h", "x": x, "y": y, "name": name, "marker": marker}
    return base | {"hovertemplate": f"{name}: %{{x:.3~g}} ms<extra></extra>"} | rest


def step_over_workers(workers: list[int], shares: dict[str, list[float]], now: int) -> Figure:
    """Draw each part's share of the step over workers, stacked to 100 % [%]."""
    labels = [f"{n:,}" for n in workers]
    traces = []
    for name, values in shares.items():
        if not any(v > 0 for v in values if v == v):
            continue
        bar = _bar(
            labels, values, PARTS[name], part_colour(name), HATCH[_COLOUR_OF.get(name, name)]
        )
        hover = f"%{{x}} workers, {PARTS[name].lower()}: %{{y:.3~g}} %<extra></extra>"
        traces.append(bar | {"orientation": "v", "hovertemplate": hover})
    xaxis = base_axis(
        "Workers N (log scale)", type="category", categoryarray=labels, categoryorder="array"
    )
    yaxis = base_axis("Share of one step [%]", range=[0, 100])
    figure = layout(xaxis, yaxis) | {"barmode": "stack", "bargap": 0.15}
    if now in workers:
        figure["annotations"] = [_now_annotation(workers.index(now))]
    return {"data": traces, "layout": figure}


def _now_annotation(x: int) -> Figure:
    return {
        "x": x,
        "y": 100,
        "yanchor": "bottom",
        "text": "now",
        "showarrow": False,
        "font": {"size": 12, "color": COLOURS["text"]},
    }


def speed_map(
    workers: list[float],
    knob_values: list[float],
    speed_up: np.ndarray,
    now: tuple[float, float],
    knob_title: str,
    scheme: str,
) -> Figure:
    """Draw speed-up over workers and one knob, with lines of equal efficiency.

    Parameters
    ----------
    workers, knob_values : list of float
        Axes of the map, shapes (W,) and (K,).
    speed_up : array, shape (K, W)
        Speed-up [1]; NaN where the batch cannot feed the workers.
    now : tuple of float
        Present workers and knob value.
    knob_title : str
        Name and unit of the knob.
    scheme : str
        ``"light"`` or ``"dark"``, for the colour scale.
    """
    colours = SPEED_SCALE[scheme]
    scale = [[i / (len(colours) - 1), colour] for i, colour in enumerate(colours)]
    top = int(np.ceil(np.log2(max(np.nanmax(speed_up), 2))))
    ticks = list(range(0, top + 1, 2 if top > 5 else 1))
    heat = {
        "type": "heatmap",
        "x": workers,
        "y": knob_values,
        "z": np.log2(speed_up),
        "zmin": 0,
        "zmax": top,
        "colorscale": scale,
        "customdata": speed_up,
        "hovertemplate": "%{x} workers, %{y:.3~g}: %{customdata:.3~g}x<extra></extra>",
        "colorbar": {
            "title": {"text": "Speed-up", "side": "right"},
            "tickvals": ticks,
            "ticktext": [f"{2**t:,}x" for t in ticks],
            "thickness": 14,
        },
    }
    lines = [
        _iso_efficiency(workers, knob_values, speed_up, level, dash)
        for level, dash in ((0.9, "solid"), (0.8, "dash"), (0.5, "dot"))
    ]
    point = markers([now[0]], [now[1]], "Now", COLOURS["measured"], size=14)
    yaxis = base_axis(knob_title + " (log scale)", type="log", **decade_ticks(knob_values))
    return {"data": [heat, *lines, point], "layout": layout(_map_workers(workers), yaxis, left=76)}


def _map_workers(workers: list[float]) -> Figure:
    axis = worker_axis(int(workers[-1]))
    axis["range"] = [float(np.log10(workers[0])), float(np.log10(workers[-1]))]
    return axis


def _iso_efficiency(
    workers: list[float], knob_values: list[float], speed_up: np.ndarray, level: float, dash: str
) -> Figure:
    return {
        "type": "contour",
        "x": workers,
        "y": knob_values,
        "z": speed_up / np.asarray(workers),
        "contours": {"start": level, "end": level, "size": 1, "coloring": "none"},
        "line": {"color": COLOURS["text"], "width": 1.6, "dash": dash},
        "name": f"{100 * level:.0f} % efficiency",
        "showscale": False,
        "showlegend": True,
        "hoverinfo": "skip",
    }


def waterfall(
    start: tuple[str, float], changes: dict[str, float], end: tuple[str, float]
) -> Figure:
    """Bridge from one training time to another, cause by cause [h]."""
    names = [start[0], *changes, end[0]]
    values = [start[1], *changes.values(), end[1]]
    kinds = ["absolute", *["relative"] * len(changes), "total"]
    trace = {
        "type": "waterfall",
        "orientation": "h",
        "y": names,
        "x": values,
        "measure": kinds,
        "increasing": {"marker": {"color": COLOURS["communication"]}},
        "decreasing": {"marker": {"color": COLOURS["input"]}},
        "totals": {"marker": {"color": COLOURS["compute"]}},
        "connector": {"line": {"color": COLOURS["grid"]}},
        "text": [_signed(v, kind) for v, kind in zip(values, kinds, strict=True)],
        "textposition": "outside",
        "hovertemplate": "%{y}: %{x:.3~g} h<extra></extra>",
        "cliponaxis": False,
    }
    xaxis = base_axis("Training time [h]", rangemode="tozero", automargin=True)
    yaxis = base_axis("", type="category", autorange="reversed", automargin=True, showgrid=False)
    return {"data": [trace], "layout": layout(xaxis, yaxis, legend=False)}


def _signed(hours: float, kind: str) -> str:
    return f"{hours:+.3g}" if kind == "relative" else f"{hours:.3g}"
