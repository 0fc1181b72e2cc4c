"""A small page with three sliders and one live panel, for the browser tests of the panel.

The formula is a toy: T = T1/N + 2 (N-1)/N S/B. `?slow=0.8` makes the server late by 0.8 s.
"""

import time
from pathlib import Path

import numpy as np
import streamlit as st

from pages.ui import plotlyjs
from pages.ui.theme import COLOURS

plotlyjs.STATIC = Path(__file__).parent / "static"

from pages.ui.live import AxisRange, Bound, Column, Family, PanelFigure, panel  # noqa: E402

WORKERS = [2**i for i in range(13)]
BANDWIDTH = [1, 2, 3, 5, 7, 10, 15, 20, 25, 40, 50, 70, 100, 150, 200, 300, 400, 600, 800]
BANDWIDTH += [1000, 1500, 2000, 3000, 6000, 10000]
SIZE = [1, 3, 10, 30, 100, 300, 1000]
X = np.geomspace(1, 4096, 64)
HOURS = 40.0


def run_time(n, bandwidth, size):
    """Hours for one run; shapes broadcast."""
    hours = HOURS / n + 2 * (n - 1) / n * size / bandwidth
    return np.where(n > 4000 / np.sqrt(size), np.nan, hours)


def time_top(size):
    """Upper end of the time axis (log10): one decade more for large models."""
    return np.where(size >= 300, 4.0, 3.0)


def texts(n, bandwidth, size):
    """Headline texts at one setting, or the sentence where it is impossible."""
    hours = float(run_time(float(n), bandwidth, size))
    if not np.isfinite(hours):
        return f"{n} workers are too many for {size} M parameters. Choose fewer."
    return [f"{hours:.3g} h", f"{HOURS / hours:.3g}x", f"{HOURS / hours / n:.3g}"]


def family(labels, value, n, bandwidth, size):
    """Everything at each value of one knob; `n`, `bandwidth`, `size` are (L, 1)."""
    curve, mark = run_time(X, bandwidth, size), run_time(n, bandwidth, size)
    full = np.ones((len(labels), 1))
    series = {
        "time": curve + 0 * full,
        "speed": HOURS / curve + 0 * full,
        "mark_n": n * full,
        "mark_time": mark * full,
        "mark_speed": HOURS / mark * full,
        "time_range": np.hstack([-2.0 * full, time_top(size) * full]),
    }
    rows = np.broadcast_arrays(n * full, bandwidth * full, size * full)
    words = [texts(int(a), b, c) for a, b, c in zip(*(r[:, 0] for r in rows), strict=True)]
    return Family([str(v) for v in labels], labels.index(value), series, words)


def axis(title, ticks, **rest):
    """Log axis with the given ticks."""
    text = [str(t) for t in ticks]
    return {"type": "log", "title": {"text": title}, "tickvals": ticks, "ticktext": text} | rest


def line(name, colour, **rest):
    """Line trace."""
    style = {"color": COLOURS[colour], "width": 2.5}
    return {"type": "scatter", "mode": "lines", "name": name, "line": style} | rest


def marker(hover):
    """Marker of the present setting."""
    look = {"size": 12, "color": "var:--st-text-color"}
    return {"mode": "markers", "name": "Now", "marker": look, "hovertemplate": hover}


def column(value):
    """(1, 1) array of one value."""
    return np.array([[float(value)]])


st.set_page_config(page_title="Live panel", layout="wide")
st.title("Live panel")
shown = st.checkbox("Show the panel", True, key="shown")
n = st.select_slider("Workers", WORKERS, 64, key="n", bind="query-params")
bw = st.select_slider("Bandwidth", BANDWIDTH, 100, key="bw", bind="query-params")
size = st.select_slider("Model size", SIZE, 10, key="size", bind="query-params")
time.sleep(float(st.query_params.get("slow", 0)))

before = st.session_state.get("before", (n, bw, size))
if before != (n, bw, size) and st.session_state.get("now") != (n, bw, size):
    before = st.session_state.get("now", before)
st.session_state.update(before=before, now=(n, bw, size))
ghost = run_time(X, float(before[1]), float(before[2])) if before != (n, bw, size) else X[:0]

families = {
    "n": family(WORKERS, n, np.array(WORKERS, float)[:, None], column(bw), column(size)),
    "bw": family(BANDWIDTH, bw, column(n), np.array(BANDWIDTH, float)[:, None], column(size)),
    "size": family(SIZE, size, column(n), column(bw), np.array(SIZE, float)[:, None]),
}
ghost_line = {"x": X[: len(ghost)], "y": ghost, "hoverinfo": "skip"}
workers_axis = axis("Workers", [1, 4, 16, 64, 256, 1024, 4096], range=[0, 3.62])
figures = [
    PanelFigure(
        "time",
        "Training time",
        {
            "data": [
                line("Before", "ghost", **ghost_line),
                line("Time", "compute", hovertemplate="%{x:.0f}: %{y:.3g} h<extra></extra>"),
                marker("%{x} workers: %{y:.3g} h<extra></extra>"),
            ],
            "layout": {
                "xaxis": workers_axis,
                "yaxis": axis("Hours", [0.1, 1, 10, 100], range=[-2, float(time_top(size))]),
                "legend": {"orientation": "h", "y": 1.1},
            },
        },
        f"{n} workers, {bw} Gb/s, {size} M parameters",
        "training-time",
        [Column("Workers", "x"), Column("Time [h]", "time"), Column("Grid", np.arange(64.0))],
        {"xaxis": {"tickvals": [1, 64, 4096], "ticktext": ["1", "64", "4096"]}},
    ),
    PanelFigure(
        "speed",
        "Speed-up",
        {
            "data": [
                line("Ideal", "ideal", x=[1, 4096], y=[1, 4096]),
                line("Speed-up", "compute"),
                marker("%{x} workers: %{y:.3g}x<extra></extra>"),
            ],
            "layout": {
                "xaxis": workers_axis,
                "yaxis": axis("Speed-up", [1, 10, 100, 1000], range=[-1, 3.62]),
                "showlegend": False,
            },
        },
        "Speed-up over workers",
    ),
]
if not shown:
    st.stop()
panel(
    "live",
    figures=figures,
    headline=["Time", "Speed-up", "Efficiency"],
    families=families,
    bound=[
        Bound(0, 0, "time", ghost=True),
        Bound(0, 1, "time"),
        Bound(0, 2, "mark_time", "mark_n"),
        Bound(1, 1, "speed"),
        Bound(1, 2, "mark_speed", "mark_n"),
    ],
    ranges=[AxisRange(0, "y", "time_range")],
    x=X,
    notice=f"At {n} workers the network carries {2 * (n - 1) / n * size:.3g} units.",
)
st.caption(f"marker-{n}-{bw}-{size}")
