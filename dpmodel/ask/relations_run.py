"""Equations of the run, its speed-up and efficiency, in the order they are tried."""

from __future__ import annotations

from dpmodel import laws
from dpmodel.ask import arithmetic as own
from dpmodel.ask.conditions import (
    Row,
    fixed_size,
    flag,
    from_many,
    from_one,
)

TABLE: tuple[Row, ...] = (
    # the run
    ("time", "steps step_time", own.product, "{steps} × {step_time}", None),
    ("time", "total_samples rate", own.ratio, "{total_samples} / {rate}", None),
    (
        "time",
        "base_time workers serial",
        laws.amdahl_time,
        "{base_time} × ({serial} + (1 − {serial}) / {workers})",
        from_one,
    ),
    (
        "time",
        "base_time base_workers workers serial",
        own.amdahl_between,
        (
            "{base_time} × ({serial} + (1 − {serial}) / {workers}) / ({serial} + (1 − "
            "{serial}) / {base_workers})"
        ),
        from_many,
    ),
    ("time", "base_time serial", own.product, "{base_time} × {serial}", flag("infinite_workers")),
    ("time", "base_time speedup", own.ratio, "{base_time} / {speedup}", None),
    ("time", "ideal_time efficiency", own.ratio, "{ideal_time} / {efficiency}", None),
    (
        "time",
        "base_time workers efficiency",
        laws.ideal_time,
        "{base_time} / ({workers} × {efficiency})",
        from_one,
    ),
    (
        "time",
        "base_time base_workers workers efficiency",
        own.time_between,
        "{base_time} × {base_workers} / ({workers} × {efficiency})",
        from_many,
    ),
    ("time", "budget price workers", own.affordable_time, "{budget} / ({price} × {workers})", None),
    (
        "time",
        "budget node_price nodes",
        own.affordable_time,
        "{budget} / ({node_price} × {nodes})",
        None,
    ),
    ("time", "budget cluster_price", own.ratio, "{budget} / {cluster_price}", None),
    ("time", "cost price workers", own.affordable_time, "{cost} / ({price} × {workers})", None),
    (
        "time",
        "work workers efficiency",
        laws.ideal_time,
        "{work} / ({workers} × {efficiency})",
        None,
    ),
    ("time", "worker_seconds workers", own.ratio, "{worker_seconds} / {workers}", None),
    (
        "base_time",
        "time workers efficiency",
        laws.ideal_one_worker_time,
        "{time} × {workers} × {efficiency}",
        from_one,
    ),
    (
        "base_time",
        "time workers efficiency base_workers",
        own.base_time_between,
        "{time} × {workers} × {efficiency} / {base_workers}",
        from_many,
    ),
    ("base_time", "time speedup", own.product, "{time} × {speedup}", None),
    (
        "base_time",
        "time workers serial",
        laws.amdahl_one_worker_time,
        "{time} / ({serial} + (1 − {serial}) / {workers})",
        from_one,
    ),
    ("base_time", "serial_time parallel_time", own.add, "{serial_time} + {parallel_time}", None),
    ("base_time", "total_samples unit_rate", own.ratio, "{total_samples} / {unit_rate}", None),
    ("base_time", "ideal_time workers", own.product, "{ideal_time} × {workers}", None),
    (
        "ideal_time",
        "base_time base_workers workers",
        own.ideal_between,
        "{base_time} × {base_workers} / {workers}",
        None,
    ),
    # speed-up and efficiency
    (
        "scaled_speedup",
        "workers serial",
        laws.gustafson_speed_up,
        "{workers} − {serial} × ({workers} − 1)",
        None,
    ),
    (
        "speedup",
        "workers base_workers compute_time comm_time new_comm_time",
        own.gain_of_two_exchanges,
        (
            "{workers} / {base_workers} × ({compute_time} + {comm_time}) / ({compute_time} + "
            "{new_comm_time})"
        ),
        None,
    ),
    ("speedup", "base_time time", own.ratio, "{base_time} / {time}", None),
    ("speedup", "rate base_rate", own.ratio, "{rate} / {base_rate}", None),
    ("speedup", "rate unit_rate", own.ratio, "{rate} / {unit_rate}", None),
    (
        "speedup",
        "workers base_step new_step",
        own.weak_gain,
        "{workers} × {base_step} / {new_step}",
        from_one,
    ),
    (
        "speedup",
        "base_workers workers base_step new_step",
        own.weak_gain_between,
        "{workers} × {base_step} / ({base_workers} × {new_step})",
        from_many,
    ),
    (
        "speedup",
        "workers serial",
        laws.amdahl_speed_up,
        "1 / ({serial} + (1 − {serial}) / {workers})",
        fixed_size,
    ),
    (
        "speedup",
        "workers serial",
        laws.gustafson_speed_up,
        "{workers} − {serial} × ({workers} − 1)",
        flag("gustafson"),
    ),
    (
        "speedup",
        "base_workers workers serial",
        own.amdahl_gain,
        "({serial} + (1 − {serial}) / {base_workers}) / ({serial} + (1 − {serial}) / {workers})",
        from_many,
    ),
    (
        "speedup",
        "base_step workers exposed",
        own.split_gain,
        "{base_step} / ({base_step} / {workers} + {exposed})",
        None,
    ),
    (
        "speedup",
        "base_time workers exposed",
        own.split_gain,
        "{base_time} / ({base_time} / {workers} + {exposed})",
        from_one,
    ),
    (
        "speedup",
        "efficiency workers base_workers",
        own.gain_of,
        "{efficiency} × {workers} / {base_workers}",
        None,
    ),
    ("efficiency", "base_step new_step", own.ratio, "{base_step} / {new_step}", None),
    (
        "efficiency",
        "speedup workers base_workers",
        own.efficiency_between,
        "{speedup} × {base_workers} / {workers}",
        None,
    ),
    ("efficiency", "ideal_time time", own.ratio, "{ideal_time} / {time}", None),
    (
        "efficiency",
        "compute_time exposed",
        own.share_of_sum,
        "{compute_time} / ({compute_time} + {exposed})",
        None,
    ),
    (
        "efficiency",
        "rate unit_rate workers",
        own.rate_efficiency,
        "{rate} / ({unit_rate} × {workers})",
        None,
    ),
)
