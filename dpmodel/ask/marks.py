"""Roles of times that only the whole question tells: a deadline, an epoch, an exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpmodel.ask.situation import Situation


def time_of_exchange(made: Situation) -> None:
    """Where a bandwidth is asked, the only time is that of the exchange."""
    times = [q for q in made.scene.quantities if q.dimension == "time"]
    wanted = {a.target for a in made.asked} & {"algbw", "busbw", "bandwidth"}
    if wanted and len(times) == 1 and times[0].role in ("run", "deadline", "step_time"):
        times[0].role, times[0].why = "comm_time", "the only time beside a bandwidth"


def mark_epoch_time(made: Situation) -> None:
    """One epoch in 6 minutes, of 100."""
    scene = made.scene
    times = [q for q in scene.quantities if q.role == "run"]
    epochs = made.value("epochs")
    if len(times) != 1 or epochs is None or epochs <= 1 or made.has("dataset"):
        return
    single = any(
        abs(scene.distance(times[0], m)) <= 5
        and scene.word(m.end - 1) in ("epoch", "epoche", "epoque", "epoca")
        and not any(
            q.noun == "epoch" and q.value > 1 and q.start <= m.start < q.end
            for q in scene.quantities
        )
        for m in scene.by_idea.get("epoch", ())
    )
    if "epoch" in times[0].per or single:
        times[0].role = "epoch_time"
        made.give("epoch_time", times[0].value, times[0], "the time of one epoch")


def mark_deadline(made: Situation) -> None:
    """Where workers are asked and two times are given, the shorter one is wanted."""
    times = [q for q in made.scene.quantities if q.role == "run" and "step" not in q.per]
    asks = any(a.target == "workers" for a in made.asked) and not made.scene.has("cheapest")
    if asks and len(times) == 2 and not made.has("deadline") and not made.has("dataset"):
        shorter = min(times, key=lambda q: q.value)
        if times[0].value != times[1].value and not any(
            q.role == "deadline" for q in made.scene.quantities
        ):
            shorter.role, shorter.why = "deadline", "the shorter time, where workers are asked"
