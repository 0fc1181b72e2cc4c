"""What opens below the player: loss curves of broken steps, fewer bytes, larger batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpmodel.compression import (
    int8,
    int8_sender,
    relative_error,
    rounding_sender,
    sent_bytes,
    top_k,
    top_k_sender,
)
from dpmodel.datasets import line
from dpmodel.large_batches import (
    CriticalBatch,
    best_steps,
    fit_critical_batch,
    least_loss,
    linear_rule,
    stability_limit,
)
from dpmodel.large_batches import loss_curves as rate_curves
from dpmodel.learners import learner
from dpmodel.precision import best_scale, rounded
from dpmodel.sharding import (
    Method,
    even_counts,
    loss,
    shard_gradients,
    split,
    train,
    uneven_counts,
)
from dpmodel.units import significant
from pages.ui import chart, figures, step_figures
from pages.ui.packing import Column, PanelFigure
from pages.ui.step_clock import Choices
from pages.ui.theme import COLOURS

LOOKS = ("Put in order", "Loss curves", "Fewer bytes", "Larger batches")
WORKERS, BATCH, SAMPLES, STEPS, EARLY = 8, 64, 512, 120, 20
_CACHE: dict[str, Any] = {"show_spinner": False, "max_entries": 8}


def _losses(name: str, method: Method, counts: np.ndarray, steps: int = STEPS) -> np.ndarray:
    """Mean loss of the replicas on all samples over steps, shape (K + 1,)."""
    model = learner(name)
    data = model.data(SAMPLES)
    weights = train(model, data, counts, method, steps)
    same = method.exchange != "none"
    with np.errstate(over="ignore", invalid="ignore"):
        got = loss(model, weights[:, :1] if same else weights, data).mean(axis=1)
    return np.where(np.isfinite(got), got, np.nan)


# --- loss curves of broken steps ------------------------------------------------------------------
@st.cache_data(**_CACHE)
def broken_curves(name: str) -> dict[str, np.ndarray]:
    """Loss over steps with the all-reduce, without it, with a stale worker, wrongly averaged."""
    tilted = uneven_counts(BATCH, WORKERS, 8.0)
    return {
        "Averaged": _losses(name, Method(0.5), tilted),
        "All-reduce skipped": _losses(name, Method(0.5, exchange="none"), tilted),
        "Last worker 8 steps stale": _losses(name, Method(0.5, stale=8), tilted),
        "Mean of means": _losses(name, Method(0.5, exchange="plain"), tilted),
    }


def loss_curves(chosen: Choices) -> None:
    """Draw what skipping, staleness and wrong averaging do to training."""
    curves = broken_curves(chosen.learner)
    ends = {name: significant(float(curve[30])) for name, curve in curves.items()}
    told = ", ".join(f"{name.lower()} {value}" for name, value in ends.items())
    figure = PanelFigure(
        "broken",
        "What does a broken exchange do to training?",
        step_figures.over_steps(curves, "Loss on all samples"),
        f"Loss after 30 steps of {WORKERS} workers, the last with half of the batch: {told}.",
        "broken-exchange",
        [Column("step", np.arange(STEPS + 1.0)), *(Column(n, c) for n, c in curves.items())],
    )
    chart.show(figure, height=360)
    st.caption(figure.alt + " The skipped one is the mean over its replicas.")


# --- fewer bytes ----------------------------------------------------------------------------------
def _ways(name: str) -> dict[str, tuple[Any, Any, int]]:
    """Return for each way its sender, its effect on gradients (N, P), and a worker's bytes."""
    model = learner(name)
    data = model.data(SAMPLES)
    start = model.start(data.x.shape[1])
    gradients = shard_gradients(model, start, split(data, even_counts(SAMPLES, WORKERS)))
    entries = gradients.shape[1]
    keep = max(entries // 8, 1)
    scale = best_scale(gradients, "fp16") / 16
    return {
        "32 bits": (None, gradients, sent_bytes(entries, "dense")),
        "fp16, loss scaled": (
            rounding_sender("fp16", scale),
            rounded(gradients, "fp16", scale),
            sent_bytes(entries, "dense", value_bytes=2),
        ),
        "bf16": (
            rounding_sender("bf16"),
            rounded(gradients, "bf16"),
            sent_bytes(entries, "dense", value_bytes=2),
        ),
        "int8": (int8_sender(), int8(gradients), sent_bytes(entries, "int8")),
        f"Top {keep}, error fed back": (
            top_k_sender(keep), top_k(gradients, keep), sent_bytes(entries, "top_k", keep)),
        f"Top {keep}, rest dropped": (
            top_k_sender(keep, feedback=False),
            top_k(gradients, keep),
            sent_bytes(entries, "top_k", keep),
        ),
    }  # fmt: skip


@st.cache_data(**_CACHE)
def smaller(name: str) -> tuple[dict[str, np.ndarray], list[dict[str, str]]]:
    """Loss curves of each way to send less, and a table of its error and bytes."""
    counts, ways = even_counts(BATCH, WORKERS), _ways(name)
    true = ways["32 bits"][1]
    curves = {
        way: _losses(name, Method(0.1, send=send), counts) for way, (send, *_) in ways.items()
    }
    rows = [
        {
            "Gradient sent as": way,
            "Bytes a worker": f"{size:,}",
            "Error of one gradient": f"{significant(100 * relative_error(got, true), 2)} %",
            f"Loss after {EARLY} steps": significant(float(curves[way][EARLY])),
        }
        for way, (_, got, size) in ways.items()
    ]
    return curves, rows


def fewer_bytes(chosen: Choices) -> None:
    """Draw what rounding and compression do to training."""
    curves, rows = smaller(chosen.learner)
    last = f"Loss after {EARLY} steps"
    told = ", ".join(f"{row['Gradient sent as']} {row[last]}" for row in rows)
    figure = PanelFigure(
        "smaller",
        "How few bytes can a gradient take?",
        step_figures.over_steps(curves, "Loss on all samples"),
        f"{last}: {told}.",
        "fewer-bytes",
        [Column("step", np.arange(STEPS + 1.0)), *(Column(n, c) for n, c in curves.items())],
    )
    chart.show(figure, height=340)
    st.table(rows, border="horizontal")
    st.caption(
        f"Top-k sends only the largest entries, and is off by {rows[-1]['Error of one gradient']} "
        "in one step; what is kept back and added to the next gradient is not lost for good. The "
        "message has a place of 4 bytes beside each value."
    )


# --- larger batches -------------------------------------------------------------------------------
@st.cache_data(**_CACHE)
def batches_to_target() -> tuple[np.ndarray, np.ndarray, np.ndarray, CriticalBatch]:
    """Batches, fewest steps to 5 % above the least loss, their learning rates, and the fit."""
    data, batches = line(SAMPLES), 2.0 ** np.arange(10)
    steps, rates = best_steps(data, batches, 1.05 * least_loss(data))
    return batches, steps, rates, fit_critical_batch(batches, steps)


@st.cache_data(**_CACHE)
def rule_curves() -> tuple[dict[str, np.ndarray], float]:
    """Loss over samples seen: a small batch, larger ones by the linear rule, and past its end."""
    data = line(SAMPLES)
    curves = {}
    for batch in (16, 64, 256):
        rate = linear_rule(0.02, batch, 16)
        curve = rate_curves(data, batch, np.array([rate]), 4096 // batch, runs=16)[:, 0]
        curves[f"B {batch}, rate {rate:.3g}"] = curve
    over = 1.1 * stability_limit(data)
    curve = rate_curves(data, 256, np.array([over]), 16, runs=16)[:, 0]
    curves[f"B 256, rate {over:.3g}"] = curve
    return curves, stability_limit(data)


def larger_batches() -> None:
    """Draw steps to the same loss over the batch, and the linear rule with its end."""
    left, right = st.columns(2)
    with left:
        _critical()
    with right:
        _rule()


def _critical() -> None:
    batches, steps, rates, fit = batches_to_target()
    figure = PanelFigure(
        "critical",
        "How many steps does a larger batch save?",
        step_figures.steps_over_batch(batches, steps, fit),
        f"Steps to a loss 5 % above the least: {steps[0]:.0f} with batches of 1, "
        f"{steps[-1]:.2g} with 512. The fit has its critical batch at {fit.critical:.0f} samples.",
        "critical-batch",
        [Column("batch", batches), Column("steps", steps), Column("learning_rate", rates),
         Column("fitted_steps", fit.steps(batches))],
    )  # fmt: skip
    chart.show(figure, height=360)
    st.caption(
        f"Real runs of a line on {SAMPLES} samples, each batch with its best learning rate. Below "
        f"{fit.critical:.0f} samples, twice the batch nearly halves the steps; above, hardly. The "
        f"fit S = {fit.fewest:.2g} (1 + {fit.critical:.0f}/B) is {fit.error:.0%} off on average."
    )


def _rule() -> None:
    curves, limit = rule_curves()
    data = [
        figures.line(
            np.linspace(0, 4096, len(curve)),
            np.minimum(curve, 1e3),
            name,
            COLOURS[colour],
            line={"dash": dash},
        )
        for (name, curve), (colour, dash) in zip(curves.items(), step_figures.STYLES, strict=False)
    ]
    longest = max(len(curve) for curve in curves.values())
    padded = {n: np.append(c, np.full(longest - len(c), np.nan)) for n, c in curves.items()}
    figure = PanelFigure(
        "rule",
        "How far does the linear rule carry?",
        {"data": data, "layout": step_figures.rule_layout()},
        f"By the rule, batches of 16, 64 and 256 follow nearly one curve over the samples seen; "
        f"past a learning rate of {limit:.3g} the loss grows without bound.",
        "linear-rule",
        [Column("step", np.arange(float(longest))), *(Column(n, c) for n, c in padded.items())],
    )
    chart.show(figure, height=360)
    st.caption(
        figure.alt + " That rate is two over the largest curvature; chance in small batches ends "
        "the rule earlier."
    )
