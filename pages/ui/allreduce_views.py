"""What opens below the all-reduce curves: counts, bandwidths, node boundary, buckets, laws."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpmodel.collectives import (
    all_reduce_cost,
    bus_bandwidth,
    network_rate,
    node_layout,
)
from dpmodel.crossovers import counts
from dpmodel.scenario import KNOBS, Scenario
from dpmodel.step import gradient_size, most_workers, step_parts
from dpmodel.sweeps import Sweep, shown_fit, sweeps
from dpmodel.units import human, significant, to_unit
from pages.ui import allreduce_figures, chart
from pages.ui.allreduce_page import COUNTS, NAMES, SIZES
from pages.ui.packing import Column, PanelFigure

LOOKS = ("Bytes and steps", "Bandwidths", "Node boundary", "Bucket size", "Transfer law")


def bytes_and_steps(scenario: Scenario) -> None:
    """Show steps, payloads and bytes of every algorithm, counted by the model and by running it."""
    workers = max(int(float(scenario.workers)), 2)
    size = float(np.asarray(gradient_size(scenario)))
    rows = [
        {
            "Algorithm": NAMES[c.algorithm],
            "Steps in a row": f"{c.steps:.0f}",
            "Payloads in a row": significant(c.wire),
            "Counted by running it": f"{c.run_steps:.0f} and {significant(c.run_wire)}"
            if np.isfinite(c.run_steps)
            else "not run",
            "Bytes in a row": human(c.wire * size, "data"),
            "Time in your situation": human(c.time, "time"),
        }
        for c in counts(scenario, workers, size)
    ]
    st.markdown(
        f"**What does each algorithm send, with {workers:,} workers in one level and "
        f"{human(size, 'data')} each?**"
    )
    st.table(rows, border="horizontal")
    st.caption(
        "In a row means one after another: the busiest link of each step, added up. Run on real "
        "chunks up to 64 workers, every worker ends with the same sum, bit for bit, and the counts "
        "agree. Where workers are folded in and out, because their number is no power of two, the "
        "two folds follow each other but use opposite directions of a link. In-switch reduction "
        "sends one payload, at 85 % of the link's rate."
    )


def bandwidth(scenario: Scenario, sweep: Sweep | None) -> None:
    """Draw algorithm and bus bandwidth over sizes, and say what each is for."""
    workers = max(float(scenario.workers), 2.0)
    seconds = np.asarray(all_reduce_cost(scenario, workers).time(SIZES))
    gb = {"dimension": "rate", "unit": "GB/s"}
    algorithm = np.asarray(to_unit(SIZES / seconds, **gb))
    bus = np.asarray(to_unit(bus_bandwidth(SIZES, seconds, workers), **gb))
    limit = float(to_unit(_slowest(scenario, workers), **gb))
    measured = None
    if sweep:
        measured_bus = bus_bandwidth(sweep.size, sweep.time, sweep.workers)
        measured = (sweep.size, np.asarray(to_unit(measured_bus, **gb)), sweep.label)
    factor = 2 * (workers - 1) / workers
    figure = PanelFigure(
        "bandwidths",
        "How much of the link is used?",
        allreduce_figures.bandwidths(SIZES, algorithm, bus, limit, measured),
        f"At {human(SIZES[-1], 'data')} the algorithm bandwidth is {significant(algorithm[-1])} "
        f"GB/s and the bus bandwidth {significant(bus[-1])} GB/s; the slowest link gives "
        f"{significant(limit)} GB/s.",
        "all-reduce-bandwidths",
        [Column("bytes", SIZES), Column("algorithm_GBps", algorithm), Column("bus_GBps", bus)],
    )
    chart.show(figure, height=380)
    st.caption(
        f"{figure.alt} Algorithm bandwidth is payload over time, S/t: what a training step feels. "
        f"Bus bandwidth multiplies it by 2(N-1)/N, here {significant(factor)}, the payloads that a "
        "ring puts on each link, so that it can be compared with the link's own rate whatever N. "
        "An algorithm that sends less, as a switch that adds, or one that uses a node's links "
        "together, can show a bus bandwidth above the slowest link."
    )


def _slowest(scenario: Scenario, workers: float) -> float:
    """Rate of the slowest link that the all-reduce crosses [B/s]."""
    inside, nodes = node_layout(workers, scenario.per_node)
    rates = []
    if float(nodes) > 1:
        rates.append(float(np.asarray(network_rate(scenario))))
    if float(inside) > 1:
        rates.append(float(np.asarray(scenario.node_bandwidth)))
    return min(rates)


def node_boundary(scenario: Scenario) -> None:
    """Draw all-reduce in two levels against a flat one, over the node boundary."""
    per_node = float(np.asarray(scenario.per_node))
    made = scenario if per_node > 1 else scenario.but(per_node=8.0)
    edge = per_node if per_node > 1 else 8.0
    size = float(np.asarray(gradient_size(scenario)))
    two, flat = (
        np.asarray(all_reduce_cost(made.but(topology=way), COUNTS).time(size))
        for way in ("hierarchical", "flat")
    )
    before, after = (
        float(np.asarray(all_reduce_cost(made.but(topology="hierarchical"), n).time(size)))
        for n in (edge, 2 * edge)
    )
    flat_after = float(np.asarray(all_reduce_cost(made.but(topology="flat"), 2 * edge).time(size)))
    figure = PanelFigure(
        "boundary",
        "What does leaving the node cost?",
        allreduce_figures.boundary(COUNTS, two, flat, edge, float(scenario.workers)),
        f"From one node of {edge:.0f} to two, {human(size, 'data')} take {human(after, 'time')} "
        f"instead of {human(before, 'time')}; flat, {human(flat_after, 'time')}.",
        "node-boundary",
        [Column("workers", COUNTS), Column("two_levels_s", two), Column("flat_s", flat)],
    )
    chart.show(figure, height=380)
    assumed = "" if per_node > 1 else " Your situation has one worker a node; 8 are assumed here."
    st.caption(
        f"{figure.alt} In two levels, a node adds up inside first, so that each of its workers "
        "sends only its share of the sum over the network; a flat ring waits in every step for the "
        f"message that crosses the boundary.{assumed}"
    )


def bucket_size(scenario: Scenario) -> None:
    """Draw start-up cost against the exposed tail over the bucket size, with the optimum."""
    made = scenario if scenario.mode != "ideal" else scenario.but(mode="communication")
    workers = min(max(float(made.workers), 2.0), float(np.asarray(most_workers(made))))
    knob = KNOBS["bucket"]
    sizes = np.geomspace(max(knob.low, 0.05), min(knob.high, 4096), 241) * knob.factor
    swept = step_parts(made.but(bucket=sizes), workers)
    total = np.broadcast_to(swept.communication, sizes.shape)
    exposed = np.broadcast_to(swept.exposed, sizes.shape)
    if not np.isfinite(exposed).all():
        st.info("The batch cannot feed that many workers, so there is no step to show.")
        return
    at = int(np.argmin(exposed))
    present = float(np.asarray(made.bucket))
    now = float(np.asarray(step_parts(made, workers).exposed))
    figure = PanelFigure(
        "buckets",
        "How large should a bucket be?",
        allreduce_figures.bucket_trade(
            sizes, total, exposed, (float(sizes[at]), float(exposed[at])), present
        ),
        f"Least is exposed with buckets of {human(sizes[at], 'data')}: "
        f"{human(float(exposed[at]), 'time')} a step; your {human(present, 'data')} leave "
        f"{human(now, 'time')}.",
        "bucket-size",
        [Column("bucket_bytes", sizes), Column("communication_s", total),
         Column("exposed_s", exposed)],
    )  # fmt: skip
    chart.show(figure, height=380)
    st.caption(
        f"{figure.alt} Small buckets pay the start-up time once each; a large last bucket is sent "
        "when no compute is left to hide it. The dotted line is your bucket size."
    )


def transfer_law(sweep: Sweep | None) -> None:
    """Draw both laws fitted to the chosen sweep, and all sweeps' errors."""
    chosen = sweep or next(iter(sweeps().values()))
    joined, added = (shown_fit(chosen.label, law) for law in ("pipelined", "textbook"))
    fine = np.geomspace(chosen.size[0], chosen.size[-1], 120)
    figure = PanelFigure(
        "laws",
        "How do start-up and transfer add up?",
        allreduce_figures.laws(fine, joined.time(fine), added.time(fine),
                               (chosen.size, chosen.time, chosen.label)),
        f"{chosen.label}: with two fitted numbers, the pipelined law is {joined.median:.0%} off "
        f"in the median ({joined.worst:.0%} at worst), the textbook law {added.median:.0%} "
        f"({added.worst:.0%}).",
        "transfer-law",
        [Column("bytes", fine), Column("pipelined_s", joined.time(fine)),
         Column("textbook_s", added.time(fine))],
    )  # fmt: skip
    chart.show(figure, height=380)
    st.caption(
        figure.alt + " The textbook adds the two times. Real transfers are cut into pieces that "
        "overlap their own start-ups, which costs most where both times are alike: where gradient "
        "buckets live. The pipelined law is the q-norm (a^q + w^q)^(1/q) with q = 1/2."
    )
    st.table(
        [
            {
                "Measured sweep": one.label,
                "Pipelined, median off": f"{shown_fit(one.label, 'pipelined').median:.0%}",
                "Textbook, median off": f"{shown_fit(one.label, 'textbook').median:.0%}",
                "Source": one.source,
            }
            for one in sweeps().values()
        ],
        border="horizontal",
    )
