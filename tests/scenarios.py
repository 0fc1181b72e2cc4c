"""Drawn scenarios for properties: every knob that changes a time, within its declared range."""

from __future__ import annotations

from hypothesis import strategies as st

from dpmodel.collectives import ALGORITHMS
from dpmodel.scenario import Scenario

MODES = ("ideal", "communication", "realistic")
SCALINGS = ("strong", "weak", "quality")


@st.composite
def drawn(draw: st.DrawFn, **fixed: object) -> Scenario:
    """Draw a scenario; `fixed` holds some fields at their SI values."""
    fields: dict[str, object] = {
        "mode": draw(st.sampled_from(MODES)),
        "scaling": draw(st.sampled_from(SCALINGS)),
        "algorithm": draw(st.sampled_from(list(ALGORITHMS))),
        "law": draw(st.sampled_from(["pipelined", "textbook"])),
        "topology": draw(st.sampled_from(["hierarchical", "flat"])),
        "overlap": draw(st.sampled_from(["on", "off"])),
        "one_worker_time": draw(st.floats(60, 1e8)),
        "steps": draw(st.floats(10, 1e7)),
        "batch": float(draw(st.sampled_from([256, 512, 1000, 4096, 65536]))),
        "parameters": draw(st.floats(1e4, 1e12)),
        "bandwidth": draw(st.floats(1e6, 1e12)),
        "latency": draw(st.floats(0, 1e-3)),
        "per_node": float(draw(st.sampled_from([1, 2, 8, 16]))),
        "accumulation": float(draw(st.sampled_from([1, 4]))),
        "contention": draw(st.floats(0, 1)),
        "half_batch": draw(st.floats(0, 64)),
        "launch_floor": draw(st.floats(0, 0.1)),
        "jitter": draw(st.floats(0, 0.3)),
        "slow_chance": draw(st.floats(0, 0.5)),
        "slow_worker": draw(st.floats(1, 3)),
        "serial_step": draw(st.floats(0, 1)),
        "serial_run": draw(st.floats(0, 0.9)),
        "input_rate": draw(st.one_of(st.just(float("inf")), st.floats(1, 1e6))),
    }
    return Scenario(**(fields | fixed))  # type: ignore[arg-type]
