"""N-fold's model of data-parallel training: NumPy only, no screen.

The public names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "InputError": "dpmodel.errors",
    "KNOBS": "dpmodel.scenario",
    "Scenario": "dpmodel.scenario",
    "make_scenario": "dpmodel.border",
    "scenario_to_dict": "dpmodel.border",
    "to_query": "dpmodel.border",
    "from_query": "dpmodel.border",
    "Prediction": "dpmodel.training",
    "predict": "dpmodel.training",
    "check_workers": "dpmodel.step",
    "step_parts": "dpmodel.step",
    "all_reduce_cost": "dpmodel.collectives",
    "bytes_sent": "dpmodel.collectives",
    "timeline": "dpmodel.timeline",
    "landmarks": "dpmodel.landmarks",
    "worker_grid": "dpmodel.landmarks",
    "losses": "dpmodel.losses",
    "workers_for_deadline": "dpmodel.goals",
    "workers_for_budget": "dpmodel.goals",
    "bandwidth_for_efficiency": "dpmodel.goals",
    "presets": "dpmodel.presets",
    "devices": "dpmodel.catalogue",
    "links": "dpmodel.catalogue",
    "models": "dpmodel.catalogue",
}

__all__ = [*_HOME]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dpmodel' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(_HOME)
