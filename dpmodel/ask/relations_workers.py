"""Equations of serial work and of the workers that are needed, in the order they are tried."""

from __future__ import annotations

from dpmodel import laws
from dpmodel.ask import arithmetic as own
from dpmodel.ask.conditions import (
    Row,
    flag,
    from_many,
    from_one,
    only_gustafson,
)

TABLE: tuple[Row, ...] = (
    # serial work
    (
        "efficiency",
        "base_time deadline workers",
        laws.efficiency_of,
        "{base_time} / ({deadline} × {workers})",
        from_one,
    ),
    (
        "compute_time",
        "step_time exposed",
        own.left_over,
        "{step_time} − {exposed}",
        flag("wants_efficiency", "wants_comm_share"),
    ),
    ("price", "budget workers time", own.affordable_time, "{budget} / ({workers} × {time})", None),
    (
        "params",
        "device_memory bytes_per_param",
        own.ratio,
        "{device_memory} / {bytes_per_param}",
        flag("wants_params"),
    ),
    ("efficiency", "comm_share", own.rest, "1 − {comm_share}", None),
    ("saved", "base_time time", own.left_over, "{base_time} − {time}", None),
    ("limit", "serial", laws.amdahl_limit, "1 / {serial}", None),
    ("serial", "limit", own.inverse, "1 / {limit}", None),
    (
        "serial",
        "speedup workers",
        laws.gustafson_serial,
        "({workers} − {speedup}) / ({workers} − 1)",
        only_gustafson,
    ),
    (
        "serial",
        "speedup workers",
        laws.amdahl_serial,
        "(1/{speedup} − 1/{workers}) / (1 − 1/{workers})",
        from_one,
    ),
    (
        "karp_flatt",
        "speedup workers",
        laws.karp_flatt,
        "(1/{speedup} − 1/{workers}) / (1 − 1/{workers})",
        from_one,
    ),
    ("serial", "serial_time base_time", own.ratio, "{serial_time} / {base_time}", from_one),
    (
        "serial",
        "known_speedup known_workers",
        laws.amdahl_serial,
        "(1/{known_speedup} − 1/{known_workers}) / (1 − 1/{known_workers})",
        None,
    ),
    ("parallel", "serial", own.rest, "1 − {serial}", None),
    # workers
    (
        "workers",
        "base_time deadline serial",
        laws.amdahl_workers_for_time,
        "(1 − {serial}) / ({deadline}/{base_time} − {serial})",
        from_one,
    ),
    (
        "workers",
        "speedup serial",
        laws.gustafson_workers,
        "({speedup} − {serial}) / (1 − {serial})",
        only_gustafson,
    ),
    (
        "workers",
        "speedup serial",
        laws.amdahl_workers,
        "(1 − {serial}) / (1/{speedup} − {serial})",
        from_one,
    ),
    (
        "workers",
        "serial closeness",
        own.workers_near_limit,
        "(1 − {serial}) / ({serial}/(1 − {closeness}) − {serial})",
        None,
    ),
    (
        "workers",
        "serial efficiency",
        own.workers_at_efficiency,
        "1 + (1/{efficiency} − 1) / {serial}",
        None,
    ),
    (
        "workers",
        "base_time deadline efficiency",
        laws.ideal_workers,
        "{base_time} / ({deadline} × {efficiency})",
        from_one,
    ),
    (
        "workers",
        "base_time base_workers deadline efficiency",
        own.workers_between,
        "{base_time} × {base_workers} / ({deadline} × {efficiency})",
        from_many,
    ),
    (
        "workers",
        "total_samples unit_rate deadline efficiency",
        own.workers_for_samples,
        "{total_samples} / ({unit_rate} × {deadline} × {efficiency})",
        None,
    ),
    (
        "workers",
        "work deadline efficiency",
        laws.ideal_workers,
        "{work} / ({deadline} × {efficiency})",
        None,
    ),
    ("workers", "speedup efficiency", own.ratio, "{speedup} / {efficiency}", None),
    (
        "workers",
        "rate unit_rate efficiency",
        own.workers_for_rate,
        "{rate} / ({unit_rate} × {efficiency})",
        None,
    ),
    ("workers", "batch share", own.ratio, "{batch} / {share}", flag("wants_workers")),
    ("workers", "memory_total device_memory", own.ratio, "{memory_total} / {device_memory}", None),
    (
        "workers",
        "budget price deadline",
        own.affordable_time,
        "{budget} / ({price} × {deadline})",
        None,
    ),
    ("workers", "budget price time", own.affordable_time, "{budget} / ({price} × {time})", None),
)
