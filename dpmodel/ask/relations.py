"""Equations between the variables of a situation, each computed by the model's own function.

A relation gives one variable from others. Relations of one variable are tried in the order they
stand here; `formula` holds the names of its inputs in braces, and is shown once with symbols and
once with the numbers put in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpmodel import collectives, laws
from dpmodel.ask import arithmetic as own

Test = Callable[[set[str], dict[str, float]], bool]


@dataclass(frozen=True, slots=True)
class Relation:
    """`target` from `needs` by `law`; it holds only where `when` says so."""

    target: str
    needs: tuple[str, ...]
    law: Callable[..., float]
    formula: str
    when: Test | None = None


def _from_one(flags: set[str], known: dict[str, float]) -> bool:
    return known.get("base_workers", 1.0) == 1.0


def _from_many(flags: set[str], known: dict[str, float]) -> bool:
    return known.get("base_workers", 1.0) > 1.0


def _flag(*names: str) -> Test:
    return lambda flags, known: bool(flags & set(names))


def _no_flag(*names: str) -> Test:
    return lambda flags, known: not flags & set(names)


def _no_serial(flags: set[str], known: dict[str, float]) -> bool:
    return "serial" not in known


def _fixed_size(flags: set[str], known: dict[str, float]) -> bool:
    return _from_one(flags, known) and not ("gustafson" in flags and "amdahl" not in flags)


def _relations() -> list[Relation]:
    table: list[Relation] = []

    def add(
        target: str, needs: str, law: Callable[..., float], formula: str, when: Test | None = None
    ) -> None:
        table.append(Relation(target, tuple(needs.split()), law, formula, when))

    # --- the run ---------------------------------------------------------------------------
    add("time", "steps step_time", own.product, "{steps} × {step_time}")
    add("time", "total_samples rate", own.ratio, "{total_samples} / {rate}")
    add(
        "time",
        "base_time workers serial",
        laws.amdahl_time,
        "{base_time} × ({serial} + (1 − {serial}) / {workers})",
        _from_one,
    )
    add(
        "time",
        "base_time base_workers workers serial",
        own.amdahl_between,
        "{base_time} × ({serial} + (1 − {serial}) / {workers}) / ({serial} + (1 − {serial}) / {base_workers})",
        _from_many,
    )
    add(
        "time", "base_time serial", own.product, "{base_time} × {serial}", _flag("infinite_workers")
    )
    add("time", "base_time speedup", own.ratio, "{base_time} / {speedup}")
    add("time", "ideal_time efficiency", own.ratio, "{ideal_time} / {efficiency}")
    add(
        "time",
        "base_time workers efficiency",
        laws.ideal_time,
        "{base_time} / ({workers} × {efficiency})",
        _from_one,
    )
    add(
        "time",
        "base_time base_workers workers efficiency",
        own.time_between,
        "{base_time} × {base_workers} / ({workers} × {efficiency})",
        _from_many,
    )
    add("time", "budget price workers", own.affordable_time, "{budget} / ({price} × {workers})")
    add(
        "time",
        "budget node_price nodes",
        own.affordable_time,
        "{budget} / ({node_price} × {nodes})",
    )
    add("time", "budget cluster_price", own.ratio, "{budget} / {cluster_price}")
    add("time", "cost price workers", own.affordable_time, "{cost} / ({price} × {workers})")
    add("time", "work workers efficiency", laws.ideal_time, "{work} / ({workers} × {efficiency})")
    add("time", "worker_seconds workers", own.ratio, "{worker_seconds} / {workers}")
    add(
        "base_time",
        "time workers efficiency",
        laws.ideal_one_worker_time,
        "{time} × {workers} × {efficiency}",
        _from_one,
    )
    add(
        "base_time",
        "time workers efficiency base_workers",
        own.base_time_between,
        "{time} × {workers} × {efficiency} / {base_workers}",
        _from_many,
    )
    add("base_time", "time speedup", own.product, "{time} × {speedup}")
    add(
        "base_time",
        "time workers serial",
        laws.amdahl_one_worker_time,
        "{time} / ({serial} + (1 − {serial}) / {workers})",
        _from_one,
    )
    add("base_time", "serial_time parallel_time", own.add, "{serial_time} + {parallel_time}")
    add("base_time", "total_samples unit_rate", own.ratio, "{total_samples} / {unit_rate}")
    add("base_time", "ideal_time workers", own.product, "{ideal_time} × {workers}")
    add(
        "ideal_time",
        "base_time base_workers workers",
        own.ideal_between,
        "{base_time} × {base_workers} / {workers}",
    )
    # --- speed-up and efficiency -------------------------------------------------------------
    add(
        "scaled_speedup",
        "workers serial",
        laws.gustafson_speed_up,
        "{workers} − {serial} × ({workers} − 1)",
    )
    add(
        "speedup",
        "workers base_workers compute_time comm_time new_comm_time",
        own.gain_of_two_exchanges,
        "{workers} / {base_workers} × ({compute_time} + {comm_time}) / ({compute_time} + {new_comm_time})",
    )
    add("speedup", "base_time time", own.ratio, "{base_time} / {time}")
    add("speedup", "rate base_rate", own.ratio, "{rate} / {base_rate}")
    add("speedup", "rate unit_rate", own.ratio, "{rate} / {unit_rate}")
    add(
        "speedup",
        "workers base_step new_step",
        own.weak_gain,
        "{workers} × {base_step} / {new_step}",
        _from_one,
    )
    add(
        "speedup",
        "base_workers workers base_step new_step",
        own.weak_gain_between,
        "{workers} × {base_step} / ({base_workers} × {new_step})",
        _from_many,
    )
    add(
        "speedup",
        "workers serial",
        laws.amdahl_speed_up,
        "1 / ({serial} + (1 − {serial}) / {workers})",
        _fixed_size,
    )
    add(
        "speedup",
        "workers serial",
        laws.gustafson_speed_up,
        "{workers} − {serial} × ({workers} − 1)",
        _flag("gustafson"),
    )
    add(
        "speedup",
        "base_workers workers serial",
        own.amdahl_gain,
        "({serial} + (1 − {serial}) / {base_workers}) / ({serial} + (1 − {serial}) / {workers})",
        _from_many,
    )
    add(
        "speedup",
        "base_step workers exposed",
        own.split_gain,
        "{base_step} / ({base_step} / {workers} + {exposed})",
    )
    add(
        "speedup",
        "base_time workers exposed",
        own.split_gain,
        "{base_time} / ({base_time} / {workers} + {exposed})",
        _from_one,
    )
    add(
        "speedup",
        "efficiency workers base_workers",
        own.gain_of,
        "{efficiency} × {workers} / {base_workers}",
    )
    add(
        "efficiency",
        "base_step new_step",
        own.ratio,
        "{base_step} / {new_step}",
    )
    add(
        "efficiency",
        "speedup workers base_workers",
        own.efficiency_between,
        "{speedup} × {base_workers} / {workers}",
    )
    add("efficiency", "ideal_time time", own.ratio, "{ideal_time} / {time}")
    add(
        "efficiency",
        "compute_time exposed",
        own.share_of_sum,
        "{compute_time} / ({compute_time} + {exposed})",
    )
    add(
        "efficiency",
        "rate unit_rate workers",
        own.rate_efficiency,
        "{rate} / ({unit_rate} × {workers})",
    )
    # --- serial work -----------------------------------------------------------------------------
    add(
        "efficiency",
        "base_time deadline workers",
        laws.efficiency_of,
        "{base_time} / ({deadline} × {workers})",
        _from_one,
    )
    add(
        "compute_time",
        "step_time exposed",
        own.left_over,
        "{step_time} − {exposed}",
        _flag("wants_efficiency", "wants_comm_share"),
    )
    add("price", "budget workers time", own.affordable_time, "{budget} / ({workers} × {time})")
    add(
        "params",
        "device_memory bytes_per_param",
        own.ratio,
        "{device_memory} / {bytes_per_param}",
        _flag("wants_params"),
    )
    add("efficiency", "comm_share", own.rest, "1 − {comm_share}")
    add("saved", "base_time time", own.left_over, "{base_time} − {time}")
    add("limit", "serial", laws.amdahl_limit, "1 / {serial}")
    add("serial", "limit", own.inverse, "1 / {limit}")
    add(
        "serial",
        "speedup workers",
        laws.gustafson_serial,
        "({workers} − {speedup}) / ({workers} − 1)",
        lambda flags, known: "gustafson" in flags and "amdahl" not in flags,
    )
    add(
        "serial",
        "speedup workers",
        laws.amdahl_serial,
        "(1/{speedup} − 1/{workers}) / (1 − 1/{workers})",
        _from_one,
    )
    add(
        "karp_flatt",
        "speedup workers",
        laws.karp_flatt,
        "(1/{speedup} − 1/{workers}) / (1 − 1/{workers})",
        _from_one,
    )
    add("serial", "serial_time base_time", own.ratio, "{serial_time} / {base_time}", _from_one)
    add(
        "serial",
        "known_speedup known_workers",
        laws.amdahl_serial,
        "(1/{known_speedup} − 1/{known_workers}) / (1 − 1/{known_workers})",
    )
    add("parallel", "serial", own.rest, "1 − {serial}")
    # --- workers -----------------------------------------------------------------------------------
    add(
        "workers",
        "base_time deadline serial",
        laws.amdahl_workers_for_time,
        "(1 − {serial}) / ({deadline}/{base_time} − {serial})",
        _from_one,
    )
    add(
        "workers",
        "speedup serial",
        laws.gustafson_workers,
        "({speedup} − {serial}) / (1 − {serial})",
        lambda flags, known: "gustafson" in flags and "amdahl" not in flags,
    )
    add(
        "workers",
        "speedup serial",
        laws.amdahl_workers,
        "(1 − {serial}) / (1/{speedup} − {serial})",
        _from_one,
    )
    add(
        "workers",
        "serial closeness",
        own.workers_near_limit,
        "(1 − {serial}) / ({serial}/(1 − {closeness}) − {serial})",
    )
    add(
        "workers",
        "serial efficiency",
        own.workers_at_efficiency,
        "1 + (1/{efficiency} − 1) / {serial}",
    )
    add(
        "workers",
        "base_time deadline efficiency",
        laws.ideal_workers,
        "{base_time} / ({deadline} × {efficiency})",
        _from_one,
    )
    add(
        "workers",
        "base_time base_workers deadline efficiency",
        own.workers_between,
        "{base_time} × {base_workers} / ({deadline} × {efficiency})",
        _from_many,
    )
    add(
        "workers",
        "total_samples unit_rate deadline efficiency",
        own.workers_for_samples,
        "{total_samples} / ({unit_rate} × {deadline} × {efficiency})",
    )
    add(
        "workers",
        "work deadline efficiency",
        laws.ideal_workers,
        "{work} / ({deadline} × {efficiency})",
    )
    add("workers", "speedup efficiency", own.ratio, "{speedup} / {efficiency}")
    add(
        "workers",
        "rate unit_rate efficiency",
        own.workers_for_rate,
        "{rate} / ({unit_rate} × {efficiency})",
    )
    add("workers", "batch share", own.ratio, "{batch} / {share}", _flag("wants_workers"))
    add("workers", "memory_total device_memory", own.ratio, "{memory_total} / {device_memory}")
    add(
        "workers", "budget price deadline", own.affordable_time, "{budget} / ({price} × {deadline})"
    )
    add("workers", "budget price time", own.affordable_time, "{budget} / ({price} × {time})")
    # --- throughput, epochs and steps -------------------------------------------------------------
    add("rate", "batch step_time", own.ratio, "{batch} / {step_time}")
    add("rate", "unit_rate workers efficiency", own.three, "{unit_rate} × {workers} × {efficiency}")
    add("rate", "base_rate speedup", own.product, "{base_rate} × {speedup}")
    add(
        "rate",
        "base_rate base_workers workers efficiency",
        own.rate_between,
        "{base_rate} × {workers} × {efficiency} / {base_workers}",
    )
    add("rate", "total_samples time", own.ratio, "{total_samples} / {time}")
    add("rate", "dataset epoch_seconds", own.ratio, "{dataset} / {epoch_seconds}")
    add("rate", "batch step_rate", own.product, "{batch} × {step_rate}")
    add("base_rate", "unit_rate base_workers", own.product, "{unit_rate} × {base_workers}")
    add("unit_rate", "base_rate base_workers", own.ratio, "{base_rate} / {base_workers}")
    add(
        "unit_rate",
        "rate workers",
        own.ratio,
        "{rate} / {workers}",
        _flag("wants_unit_rate", "wants_base_rate", "wants_time"),
    )
    add("unit_rate", "share step_time", own.ratio, "{share} / {step_time}")
    add("total_samples", "dataset epochs", own.product, "{dataset} × {epochs}")
    add("total_samples", "steps batch", own.product, "{steps} × {batch}")
    add("batch", "share workers micro", own.three, "{share} × {workers} × {micro}")
    add("batch", "rate step_time", own.product, "{rate} × {step_time}")
    add("batch", "dataset steps_per_epoch", own.ratio, "{dataset} / {steps_per_epoch}")
    add("share", "batch workers micro", own.batch_share, "{batch} / ({workers} × {micro})")
    add("micro", "batch workers share", own.batch_share, "{batch} / ({workers} × {share})")
    add(
        "steps_per_epoch",
        "dataset batch",
        own.full_steps,
        "⌊{dataset} / {batch}⌋",
        _flag("drop_last"),
    )
    add("steps_per_epoch", "dataset batch", own.whole_steps, "⌈{dataset} / {batch}⌉")
    for name in ("steps_per_epoch", "steps"):
        add(
            name,
            "base_steps base_workers workers",
            own.ideal_between,
            "{base_steps} × {base_workers} / {workers}",
        )
    add("steps", "steps_per_epoch epochs", own.product, "{steps_per_epoch} × {epochs}")
    add(
        "steps",
        "total_samples batch",
        own.ratio,
        "{total_samples} / {batch}",
        lambda flags, known: "dataset" not in known,
    )
    add("steps", "time step_time", own.ratio, "{time} / {step_time}")
    add("epochs", "steps steps_per_epoch", own.ratio, "{steps} / {steps_per_epoch}")
    add("epochs", "rate time dataset", own.epochs_done, "{rate} × {time} / {dataset}")
    add("epoch_time", "steps_per_epoch step_time", own.product, "{steps_per_epoch} × {step_time}")
    add("epoch_time", "dataset rate", own.ratio, "{dataset} / {rate}")
    add("step_time", "compute_time exposed", own.add, "{compute_time} + {exposed}")
    add("step_time", "batch rate", own.ratio, "{batch} / {rate}")
    add("step_time", "time steps", own.ratio, "{time} / {steps}")
    add("step_time", "step_rate", own.inverse, "1 / {step_rate}")
    # --- learning rate -----------------------------------------------------------------------------
    add(
        "new_lr",
        "lr base_batch new_batch",
        own.root_rule,
        "{lr} × √({new_batch} / {base_batch})",
        _flag("sqrtrule"),
    )
    add("new_lr", "lr base_batch new_batch", own.linear_rule, "{lr} × {new_batch} / {base_batch}")
    add(
        "new_lr",
        "lr workers base_workers",
        own.root_rule_workers,
        "{lr} × √({workers} / {base_workers})",
        _flag("sqrtrule"),
    )
    add(
        "new_lr",
        "lr workers base_workers",
        own.linear_rule_workers,
        "{lr} × {workers} / {base_workers}",
    )
    add("new_batch", "share workers micro", own.three, "{share} × {workers} × {micro}")
    # --- gradients and their exchange --------------------------------------------------------------
    add("params", "payload bytes_per_param", own.ratio, "{payload} / {bytes_per_param}")
    add("bus_factor", "workers", own.bus_factor, "2 ({workers} − 1) / {workers}")
    add("payload", "params bytes_per_param", own.product, "{params} × {bytes_per_param}")
    add(
        "sent",
        "payload workers",
        own.ring_bytes,
        "2 × ({workers} − 1) / {workers} × {payload}",
        _no_flag("ps_only"),
    )
    add("sent", "payload", own.server_worker_bytes, "2 × {payload}", _flag("ps_only"))
    add(
        "sent_total",
        "payload workers",
        own.ring_total,
        "2 × ({workers} − 1) × {payload}",
        _no_flag("ps_only"),
    )
    add("server_bytes", "payload workers", own.product, "{workers} × {payload}", _flag("one_way"))
    add("server_bytes", "payload workers", own.server_bytes, "2 × {workers} × {payload}")
    add(
        "comm_time",
        "payload bandwidth workers latency",
        own.server_time,
        "2 × {latency} + 2 × {workers} × {payload} / {bandwidth}",
        _flag("ps_only"),
    )
    add(
        "comm_time",
        "payload bandwidth workers latency",
        own.ring_time,
        "2 × ({workers} − 1) × {latency} + 2 × ({workers} − 1) / {workers} × {payload} / {bandwidth}",
    )
    add("comm_time", "payload algbw", own.ratio, "{payload} / {algbw}")
    add("algbw", "payload comm_time", own.ratio, "{payload} / {comm_time}")
    add(
        "busbw",
        "payload comm_time workers",
        collectives.bus_bandwidth,
        "{payload} / {comm_time} × 2 ({workers} − 1) / {workers}",
    )
    add("busbw", "algbw workers", own.bus_of_alg, "{algbw} × 2 ({workers} − 1) / {workers}")
    add("algbw", "busbw workers", own.alg_of_bus, "{busbw} / (2 ({workers} − 1) / {workers})")
    add(
        "bandwidth",
        "payload workers comm_time",
        own.ring_rate,
        "2 × ({workers} − 1) / {workers} × {payload} / {comm_time}",
    )
    add("exposed", "comm_time hidden", own.left_over, "max(0, {comm_time} − {hidden})")
    add("hidden", "comm_time overlap", own.product, "{comm_time} × {overlap}")
    add("comm_ratio", "comm_time compute_time", own.ratio, "{comm_time} / {compute_time}")
    add(
        "comm_share",
        "compute_time exposed",
        own.second_share,
        "{exposed} / ({compute_time} + {exposed})",
    )
    # --- money ---------------------------------------------------------------------------------------
    add("cost", "price work", own.product, "{price} × {work}")
    add("cost", "node_price nodes time", own.three, "{node_price} × {nodes} × {time}")
    add("cost", "cluster_price time", own.product, "{cluster_price} × {time}")
    add("cost", "price workers time", own.three, "{price} × {workers} × {time}")
    add("time", "epochs epoch_time", own.product, "{epochs} × {epoch_time}")
    add(
        "extra_seconds",
        "workers time base_workers base_time",
        own.extra_worker_time,
        "{workers} × {time} − {base_workers} × {base_time}",
    )
    add("worker_seconds", "workers time", own.product, "{workers} × {time}")
    add("price", "cost workers time", own.affordable_time, "{cost} / ({workers} × {time})")
    # --- memory ----------------------------------------------------------------------------------------
    add("memory_total", "params bytes_per_param", own.product, "{params} × {bytes_per_param}")
    return table


RELATIONS = _relations()
BY_TARGET: dict[str, list[Relation]] = {}
for _relation in RELATIONS:
    BY_TARGET.setdefault(_relation.target, []).append(_relation)

INVALID = math.nan
