"""The page "One step": its own controls, the player, and what breaks in numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpmodel.learners import LEARNERS
from dpmodel.one_step import clock_workers
from dpmodel.scenario import Scenario
from dpmodel.sharding import Method, disagreement, loss, train
from dpmodel.step import global_batch
from dpmodel.units import human, significant
from pages.ui.exercise import exercise
from pages.ui.player import exercise as draw_exercise
from pages.ui.player import player
from pages.ui.step_clock import Choices, drawn_bucket, timed
from pages.ui.step_scene import Scene, make_scene, tiny

ALGORITHMS = {
    "Ring": "ring",
    "Halving-doubling": "halving_doubling",
    "Recursive doubling": "recursive_doubling",
    "Tree": "tree",
    "Parameter server": "parameter_server",
}
MODELS = {held.label: key for key, held in LEARNERS.items()}
TRIALS = {
    "skip": ("Skip the all-reduce", "Each worker follows its own gradient."),
    "slow": ("One slow worker", "The last worker takes twice as long for a sample."),
    "uneven": ("Uneven shards", "The last worker holds four times as many samples."),
    "alone": ("No overlap", "No bucket is sent before the backward pass ends."),
}
# Steps trained to show where skipping or wrong averaging leads.
FOLLOWED = 50


def choices(scenario: Scenario) -> Choices:
    """Draw the page's own controls and return what they say."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        small = st.selectbox(
            "Small model",
            list(MODELS),
            key="net",
            bind="query-params",
            width=210,
            help="Its gradients are really computed, on built-in data.",
        )
        names = {value: name for name, value in ALGORITHMS.items()}
        usual = names.get(str(scenario.algorithm), "Ring")
        way = st.selectbox(
            "All-reduce shown",
            list(ALGORITHMS),
            index=list(ALGORITHMS).index(usual),
            key="way",
            bind="query-params",
            width=200,
            help="Who sends which chunk to whom.",
        )
        tried = {
            key: st.toggle(name, key=key, bind="query-params", help=hint)
            for key, (name, hint) in TRIALS.items()
        }
    return Choices(
        MODELS[small],
        ALGORITHMS[way],
        skip=tried["skip"],
        slow=tried["slow"],
        uneven=tried["uneven"],
        no_overlap=tried["alone"],
    )


def draw(scenario: Scenario) -> Choices:
    """Draw controls, the player, what breaks, and what the picture leaves out."""
    chosen = choices(scenario)
    scene = make_scene(scenario, chosen)
    st.markdown(notice(scenario, scene))
    player("one-step", scene.data)
    st.caption(_shown(scenario, scene))
    return chosen


def draw_order(chosen: Choices) -> None:
    """Draw the exercise for the step with or without overlap."""
    st.markdown("**Put one step in order**, from first to last, as this page's switches have it.")
    draw_exercise("order", exercise(overlap=not chosen.no_overlap))


# --- words ----------------------------------------------------------------------------------------
def notice(scenario: Scenario, scene: Scene) -> str:
    """Say what to notice, from the numbers of this step."""
    said = [
        text
        for wanted, text in (
            (scene.choices.skip, _skipped),
            (scene.choices.slow, _slowed),
            (scene.choices.uneven, _tilted),
            (scene.choices.no_overlap, _in_a_row),
        )
        if wanted
        for text in [text(scenario, scene)]
    ]
    return " ".join(said) if said else _usual(scene)


def _usual(scene: Scene) -> str:
    parts = scene.lanes.step
    exposed, total = float(parts.exposed), scene.lanes.makespan
    workers = len(scene.step.counts)
    return (
        f"{workers} gradients become one: their average differs from the gradient of the whole "
        f"batch by {tiny(scene.step.off)} of a sample's gradient. In this situation the step takes "
        f"{human(total, 'time')}, of which {human(exposed, 'time')} ({share(exposed / total)}) is "
        "communication that nothing hides."
    )


def share(part: float) -> str:
    """Write a part of one as a percentage that does not hide a small one."""
    return "under 1 %" if 0 < part < 0.01 else f"{part:.0%}"


def _skipped(scenario: Scenario, scene: Scene) -> str:
    apart, joint = (followed(scene, Method(0.1, exchange=how)) for how in ("none", "weighted"))
    data, model = scene.step.data, scene.step.learner
    lost = float(loss(model, apart[-1], data).mean()), float(loss(model, joint[-1, 0], data))
    with_it = timed(scenario, _but(scene.choices, skip=False)).makespan
    return (
        f"**Without the all-reduce** the step takes {human(scene.lanes.makespan, 'time')} instead "
        f"of {human(with_it, 'time')}, but after {FOLLOWED} steps the replicas differ by up to "
        f"{significant(float(disagreement(apart[-1])))} in a weight, and their mean loss is "
        f"{significant(lost[0])} instead of {significant(lost[1])}: you have "
        f"{len(scene.step.counts)} models, each of its own samples."
    )


def _slowed(scenario: Scenario, scene: Scene) -> str:
    without = timed(scenario, _but(scene.choices, slow=False)).makespan
    return (
        f"**One worker at half speed** makes the step {human(scene.lanes.makespan, 'time')} "
        f"instead of {human(without, 'time')}: {scene.lanes.makespan / without:.2g} times as long, "
        "since all-reduce waits for the slowest. The sum is the same, and so is the update."
    )


def _tilted(scenario: Scenario, scene: Scene) -> str:
    without = timed(scenario, _but(scene.choices, uneven=False)).makespan
    return (
        f"**Uneven shards**: the step takes {human(scene.lanes.makespan, 'time')} instead of "
        f"{human(without, 'time')}, since all wait for the largest share. Weighted by share, the "
        f"average is still right (off by {tiny(scene.step.off)}); a plain mean of the workers' "
        f"means would be off by {scene.step.mean_of_means_off:.1%} of a sample's gradient."
    )


def _in_a_row(scenario: Scenario, scene: Scene) -> str:
    with_overlap = timed(scenario, _but(scene.choices, no_overlap=False)).makespan
    return (
        f"**Without overlap** compute and communication follow each other: "
        f"{human(scene.lanes.makespan, 'time')} instead of {human(with_overlap, 'time')} a step. "
        "The numbers that are exchanged are the same."
    )


def _but(chosen: Choices, **changed: bool) -> Choices:
    return Choices(**(vars(chosen) | changed))


def followed(scene: Scene, method: Method) -> np.ndarray:
    """Train the scene's replicas for `FOLLOWED` steps on batches of its data, (K + 1, N, P)."""
    counts = np.maximum(scene.step.counts // 4, 1)
    return train(scene.step.learner, scene.step.data, counts, method, FOLLOWED)


def _shown(scenario: Scenario, scene: Scene) -> str:
    """Say at what size the step is executed, and what its clock stands for."""
    workers, batch = len(scene.step.counts), int(scene.step.counts.sum())
    asked, timed_workers = int(float(scenario.workers)), clock_workers(scenario)
    asked_batch = int(float(global_batch(scenario, float(asked))))
    less = []
    if asked == 1:
        less.append("2 workers are shown, since one alone exchanges nothing")
    elif workers < timed_workers:
        less.append(f"{workers} of {timed_workers:,} workers are shown, the last as the slowest")
    if timed_workers < asked:
        less.append(f"the batch feeds {timed_workers:,} of {asked:,} workers")
    if batch != asked_batch:
        less.append(f"{batch:,} samples are computed where the batch has {asked_batch:,}")
    bucket = drawn_bucket(scenario)
    if bucket > float(scenario.bucket):
        less.append(f"the clock has buckets of {human(bucket, 'data')}, so that they can be drawn")
    note = ("; ".join(less) + ". ") if less else ""
    return (
        f"{note[:1].upper()}{note[1:]}The gradients are those of a small model on built-in data; "
        f"the clock is the cost model's for your situation, with {scene.data['size_text']} of "
        "gradients. The update is counted with the compute. In the strips, slate is below zero "
        "and gold above."
        + (
            " Reduced over the shown all-reduce; the clock uses your situation's."
            if scene.choices.algorithm != str(scenario.algorithm)
            else ""
        )
    )
