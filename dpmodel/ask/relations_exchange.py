"""Equations of gradients and their exchange."""

from __future__ import annotations

from dpmodel import collectives
from dpmodel.ask import arithmetic as own
from dpmodel.ask.conditions import (
    Row,
    flag,
    no_flag,
)

TABLE: tuple[Row, ...] = (
    # gradients and their exchange
    ("params", "payload bytes_per_param", own.ratio, "{payload} / {bytes_per_param}", None),
    ("bus_factor", "workers", own.bus_factor, "2 ({workers} − 1) / {workers}", None),
    ("payload", "params bytes_per_param", own.product, "{params} × {bytes_per_param}", None),
    (
        "sent",
        "payload workers",
        own.ring_bytes,
        "2 × ({workers} − 1) / {workers} × {payload}",
        no_flag("ps_only"),
    ),
    ("sent", "payload", own.server_worker_bytes, "2 × {payload}", flag("ps_only")),
    (
        "sent_total",
        "payload workers",
        own.ring_total,
        "2 × ({workers} − 1) × {payload}",
        no_flag("ps_only"),
    ),
    ("server_bytes", "payload workers", own.product, "{workers} × {payload}", flag("one_way")),
    ("server_bytes", "payload workers", own.server_bytes, "2 × {workers} × {payload}", None),
    (
        "comm_time",
        "payload bandwidth workers latency",
        own.server_time,
        "2 × {latency} + 2 × {workers} × {payload} / {bandwidth}",
        flag("ps_only"),
    ),
    (
        "comm_time",
        "payload bandwidth workers latency",
        own.ring_time,
        (
            "2 × ({workers} − 1) × {latency} + 2 × ({workers} − 1) / {workers} × {payload} / "
            "{bandwidth}"
        ),
        None,
    ),
    ("comm_time", "payload algbw", own.ratio, "{payload} / {algbw}", None),
    ("algbw", "payload comm_time", own.ratio, "{payload} / {comm_time}", None),
    (
        "busbw",
        "payload comm_time workers",
        collectives.bus_bandwidth,
        "{payload} / {comm_time} × 2 ({workers} − 1) / {workers}",
        None,
    ),
    ("busbw", "algbw workers", own.bus_of_alg, "{algbw} × 2 ({workers} − 1) / {workers}", None),
    ("algbw", "busbw workers", own.alg_of_bus, "{busbw} / (2 ({workers} − 1) / {workers})", None),
    (
        "bandwidth",
        "payload workers comm_time",
        own.ring_rate,
        "2 × ({workers} − 1) / {workers} × {payload} / {comm_time}",
        None,
    ),
    ("exposed", "comm_time hidden", own.left_over, "max(0, {comm_time} − {hidden})", None),
    ("hidden", "comm_time overlap", own.product, "{comm_time} × {overlap}", None),
    ("comm_ratio", "comm_time compute_time", own.ratio, "{comm_time} / {compute_time}", None),
    (
        "comm_share",
        "compute_time exposed",
        own.second_share,
        "{exposed} / ({compute_time} + {exposed})",
        None,
    ),
)
