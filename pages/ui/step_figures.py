"""Figures of executed training: loss over steps, steps over batch; arrays in, figure out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpmodel.large_batches import CriticalBatch
from pages.ui.axes import base_axis
from pages.ui.figures import Figure, layout, line, markers
from pages.ui.theme import COLOURS

# Told apart by dash as well as by colour.
STYLES = (
    ("compute", "solid"),
    ("communication", "dash"),
    ("straggler", "dot"),
    ("serial", "dashdot"),
    ("input", "longdash"),
    ("limit", "longdashdot"),
)


def over_steps(curves: Mapping[str, np.ndarray], title: str) -> Figure:
    """Draw curves over steps, on a log axis.

    Parameters
    ----------
    curves : mapping of str to array, shape (K + 1,)
        Values by name [1]; NaN leaves a gap.
    title : str
        What the values are.
    """
    traces = [
        line(
            np.arange(len(values)), values, name, COLOURS[colour], line={"dash": dash},
            hovertemplate="step %{x}: %{y:.3~g}<extra>%{fullData.name}</extra>",
        )
        for (name, values), (colour, dash) in zip(curves.items(), STYLES, strict=False)
    ]  # fmt: skip
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1000]
    yaxis = base_axis(f"{title} (log scale)", type="log", tickvals=ticks)
    return {"data": traces, "layout": layout(base_axis("Step"), yaxis)}


def steps_over_batch(batches: np.ndarray, steps: np.ndarray, fit: CriticalBatch) -> Figure:
    """Draw measured steps to a loss over the batch, their fit, and what halving would give.

    Parameters
    ----------
    batches, steps : arrays, shape (Q,)
        Measured [1].
    fit : CriticalBatch
        Law through them.
    """
    fine = np.geomspace(batches[0], batches[-1], 60)
    top = float(np.log10(steps[0])) + 0.2
    mark = {
        "type": "line", "x0": fit.critical, "x1": fit.critical, "y0": 0, "y1": 1, "yref": "paper",
        "line": {"color": COLOURS["limit"], "dash": "dot", "width": 1.5},
    }  # fmt: skip
    note = {
        "x": float(np.log10(fit.critical)), "y": 1, "yref": "paper", "xanchor": "right",
        "yanchor": "top", "text": "critical batch ", "showarrow": False,
        "font": {"size": 12, "color": COLOURS["limit"]},
    }  # fmt: skip
    ticks = [int(b) for b in batches]
    xaxis = base_axis("Global batch B (log scale)", type="log", tickvals=ticks,
                      ticktext=[f"{b:,}" for b in ticks])  # fmt: skip
    yaxis = base_axis("Steps to the same loss (log scale)", type="log", range=[0, top],
                      tickvals=[1, 3, 10, 30, 100, 300, 1000])  # fmt: skip
    return {
        "data": [
            line(fine, steps[0] * batches[0] / fine, "Twice the batch, half the steps",
                 COLOURS["ideal"], line={"dash": "dash"}, width=1.8, hoverinfo="skip"),
            line(fine, fit.steps(fine), "Fit S (1 + B_crit/B)", COLOURS["compute"]),
            markers(batches, steps, "Real runs", COLOURS["measured"], size=9,
                    hovertemplate="batch %{x}: %{y:.3~g} steps<extra></extra>"),
        ],
        "layout": layout(xaxis, yaxis) | {"shapes": [mark], "annotations": [note]},
    }  # fmt: skip


def rule_layout() -> Figure:
    """Axes of loss over samples seen."""
    yaxis = base_axis("Loss (log scale)", type="log", range=[-1.1, 2.2],
                      tickvals=[0.1, 1, 10, 100])  # fmt: skip
    return layout(base_axis("Samples seen", range=[0, 4200]), yaxis)
