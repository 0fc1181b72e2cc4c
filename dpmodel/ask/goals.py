"""From what is asked to the variables that answer it, and what is assumed on the way."""

from __future__ import annotations

from collections.abc import Callable

from dpmodel.ask.asked import Asked
from dpmodel.ask.lexicon import listed
from dpmodel.ask.situation import Situation

_BYTES = {"fp64": 8.0, "fp32": 4.0, "fp16": 2.0, "fp8": 1.0}
_SENDING = listed("goals_sending")
_ALL = listed("goals_all")


def resolve(made: Situation, asked: Asked) -> list[str]:
    """Return the variables that one asked thing means here."""
    rule = _RULES.get(asked.target)
    if rule is None:
        return [asked.target]
    return rule(made, asked)


def _duration(made: Situation, asked: Asked) -> list[str]:
    scene = made.scene
    zone = scene.asked_sentences()
    exchange = any(scene.in_sentence(s, "allreduce", "ring", "comm") for s in zone) or not zone
    sized = made.has("payload") or made.has("params")
    if sized or (made.has("bandwidth") and scene.has("allreduce")):
        runs = made.has("base_time") or made.has("steps") or made.has("dataset")
        if not runs and (exchange or made.has("bandwidth") or scene.has("allreduce", "ring")):
            if not (made.has("compute_time") and scene.has("step") and made.has("bandwidth")):
                return ["comm_time"]
            return ["step_time"] if not exchange else ["comm_time"]
    if "asks_base" in made.flags:
        return ["base_time"]
    if made.has("compute_time") and made.has("comm_time") and not made.has("steps"):
        return ["exposed"] if scene.has("exposed") else ["step_time"]
    epoch_asked = any(scene.in_sentence(s, "epoch") for s in zone)
    if epoch_asked and made.has("dataset") and not made.has("epochs"):
        return ["epoch_time"]
    if scene.says(*listed("goals_duration")) and (
        made.has("batch") and made.has("rate") or made.has("compute_time")
    ):
        return ["step_time"]
    if made.has("time") and not made.has("base_time") and made.has("workers"):
        return ["base_time"] if scene.has("single") or "one" in scene.flat else ["time"]
    return ["time"]


def _data(made: Situation, asked: Asked) -> list[str]:
    scene = made.scene
    if scene.has("ps") and scene.has("ring"):
        return ["server_bytes", "sent"]
    if scene.has("ps") and (scene.has("server_traffic") or scene.says("server")):
        worker = scene.says("each worker", "per worker", "a worker") and not scene.has(
            "server_traffic"
        )
        return ["sent"] if worker else ["server_bytes"]
    if (
        scene.has("memory", "adam", "zero1", "zero2", "zero3", "activations", "shard")
        and not scene.has("ring")
        and (
            not scene.has("gradient")
            or scene.has("adam", "zero1", "zero2", "zero3", "replicated", "memory")
        )
    ):
        return ["memory"]
    if (scene.has("ring", "allreduce") or (scene.says(*_SENDING) and made.has("workers"))) and (
        scene.says(*_SENDING) or made.has("workers")
    ):
        return ["sent_total"] if _all_together(made) else ["sent"]
    return ["payload"]


def _all_together(made: Situation) -> bool:
    scene = made.scene
    if scene.has("total") and scene.says("traffic", "volume") and not scene.has("each"):
        return True
    return scene.says(*_ALL) and not scene.says("per worker", "each worker", "per gpu", "each gpu")


def _speedup(made: Situation, asked: Asked) -> list[str]:
    flags = made.flags
    if {"amdahl", "gustafson"} <= flags and made.has("serial", "workers"):
        return ["speedup", "scaled_speedup"]
    if "gustafson" in flags:
        return ["scaled_speedup"]
    if made.has("serial") and not made.has("workers") and "known_workers" not in made.givens:
        return ["limit"]
    endless = flags & {"infinite_workers"} or ("limit" in flags and not made.has("workers"))
    if endless and (made.has("serial") or not made.has("workers")):
        return ["limit"]
    return ["speedup"]


def accumulates(made: Situation) -> bool:
    """Whether gradients are accumulated, as far as the words tell."""
    scene = made.scene
    denied = scene.says(
        "no gradient accumulation",
        "without gradient accumulation",
        "no accumulation",
        "without accumulation",
    )
    return scene.has("micro") and not denied


def _steps(made: Situation, asked: Asked) -> list[str]:
    scene = made.scene
    if made.has("share") and made.has("batch") and accumulates(made):
        return ["micro"]
    if scene.has("epoch") and not made.has("epochs"):
        return ["steps_per_epoch"]
    if scene.says("per epoch", "each epoch", "one epoch"):
        return ["steps_per_epoch"]
    return ["steps"]


def _samples(made: Situation, asked: Asked) -> list[str]:
    if made.has("batch") and made.has("workers"):
        return ["share"]
    if made.has("share"):
        return ["batch"]
    if made.has("dataset", "workers") and made.scene.has("split"):
        made.givens["batch"] = made.givens.pop("dataset")
        return ["share"]
    return ["total_samples"] if made.has("epochs") else ["batch"]


def _throughput(made: Situation, asked: Asked) -> list[str]:
    scene = made.scene
    each = scene.has("each") and not made.has("unit_rate") and not scene.has("total")
    return ["unit_rate"] if each and made.has("rate") else ["rate"]


def _serial(made: Situation, asked: Asked) -> list[str]:
    return ["serial"]


def _cost(made: Situation, asked: Asked) -> list[str]:
    return ["cost"]


def _lr(made: Situation, asked: Asked) -> list[str]:
    return ["new_lr"]


def _epoch_time(made: Situation, asked: Asked) -> list[str]:
    if made.has("dataset") or made.has("steps_per_epoch") or made.has("base_steps"):
        return ["epoch_time"]
    return _duration(made, asked)


_RULES: dict[str, Callable[[Situation, Asked], list[str]]] = {
    "base_time": lambda made, asked: ["base_time"],
    "epoch_time": _epoch_time,
    "duration": _duration,
    "data": _data,
    "memory": lambda made, asked: ["memory"] if made.has("params") else ["payload"],
    "speedup": _speedup,
    "steps": _steps,
    "samples": _samples,
    "throughput": _throughput,
    "serial": _serial,
    "cost": _cost,
    "lr": _lr,
    "worker_hours": lambda made, asked: ["worker_seconds"],
    "accumulation": lambda made, asked: ["micro"],
    "comm_ratio": lambda made, asked: (
        ["bus_factor"] if made.scene.has("busbw") and made.scene.has("algbw") else ["comm_ratio"]
    ),
}


def infer(made: Situation) -> list[str]:
    """What is asked where no word says so, from what is given."""
    if made.has("lr") and made.has("base_batch"):
        return ["new_lr"]
    if made.has("lr") and (
        made.has("base_batch", "new_batch") or made.has("workers", "base_workers")
    ):
        return ["new_lr"]
    if made.has("steps_per_epoch", "workers", "base_workers"):
        made.givens["base_steps"] = made.givens.pop("steps_per_epoch")
        return ["steps_per_epoch"]
    if made.has("serial", "workers"):
        return ["speedup"]
    if made.has("known_speedup", "workers"):
        return ["speedup"]
    if made.has("payload", "workers") and made.scene.has("ring", "allreduce", "ps"):
        return ["comm_time"] if made.has("bandwidth") else ["sent"]
    if made.has("batch", "workers"):
        return ["share"]
    if made.has("share", "workers"):
        return ["batch"]
    if made.has("base_rate", "workers") or made.has("unit_rate", "workers"):
        return ["rate"]
    if made.has("base_time", "workers"):
        return ["time"]
    return []


def assume(made: Situation, wanted: list[str]) -> list[str]:
    """Fill in what a question leaves unsaid; return notes on what was taken for granted."""
    scene = made.scene
    notes: list[str] = []
    known = made.givens
    if "base_workers" not in known:
        made.assume("base_workers", 1.0, "one worker is the baseline")
    if "micro" not in wanted:
        made.assume("micro", 1.0, "no accumulation")
    if "bytes_per_param" not in known:
        for flag, size in _BYTES.items():
            if scene.has(flag):
                made.assume("bytes_per_param", size, flag)
                known["bytes_per_param"].assumed = False
                break
    made.assume("latency", 0.0, "no latency is told")
    _assume_overlap(made, notes)
    if wanted == ["epoch_time"]:
        made.assume("epochs", 1.0, "one epoch")
    if "epochs" not in known and "dataset" in known and not {"epochs"} & set(wanted):
        made.assume("epochs", 1.0, "one pass over the data")
    if scene.says(*listed("goals_assume")):
        made.flags.add("drop_last")
    if scene.has("ps") and not scene.has("ring", "allreduce"):
        made.flags.add("ps_only")
    inbound = scene.says(*listed("goals_assume_2"))
    if inbound and not scene.says(*listed("goals_assume_3")):
        made.flags.add("one_way")
    _assume_ideal(made, wanted, notes)
    return notes


def _assume_overlap(made: Situation, notes: list[str]) -> None:
    if "hidden" in made.givens or "overlap" in made.givens or "exposed" in made.givens:
        return
    if "fulloverlap" in made.flags and made.has("compute_time"):
        window = made.value("backward") or made.value("compute_time") or 0.0
        made.assume("hidden", window, "everything that fits behind the computation")
    else:
        made.assume("hidden", 0.0, "nothing overlaps")


_IDEAL_UNLESS_SAID = frozenset(listed("goals_ideal_unless_said"))


def _assume_ideal(made: Situation, wanted: list[str], notes: list[str]) -> None:
    """Without any word on losses, a time, a worker count or a rate is the ideal one."""
    if made.has("efficiency") or not set(wanted) & _IDEAL_UNLESS_SAID:
        return
    if (made.has("serial") or made.has("serial_time") or made.has("known_speedup")) and set(
        wanted
    ) & {"time", "workers", "base_time", "cost", "worker_seconds"}:
        return
    if set(wanted) & {"speedup", "serial", "karp_flatt", "limit", "parallel"} and not (
        "ideal" in made.flags
        and not (made.has("base_time", "time") or made.has("base_rate", "rate"))
    ):
        return
    if made.has("speedup") and not made.has("work"):
        return
    if made.scene.says(*listed("goals_not_ideal")):
        return
    if made.scene.has("efficiency") and "ideal" not in made.flags:
        return
    if made.has("time") and made.has("base_time"):
        return
    made.assume("efficiency", 1.0, "ideal, since no loss is told")
    if "ideal" not in made.flags:
        notes.append("assumed_ideal")
