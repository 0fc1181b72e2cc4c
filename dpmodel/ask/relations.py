"""Equations between the variables of a situation, each computed by the model's own function.

A relation gives one variable from others. Relations of one variable are tried in the order they
stand in the tables; `formula` holds the names of its inputs in braces, and is shown once with
symbols and once with the numbers put in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpmodel.ask import relations_exchange, relations_run, relations_work, relations_workers
from dpmodel.ask.conditions import Test


@dataclass(frozen=True, slots=True)
class Relation:
    """`target` from `needs` by `law`; it holds only where `when` says so."""

    target: str
    needs: tuple[str, ...]
    law: Callable[..., Any]
    formula: str
    when: Test | None = None


RELATIONS = [
    Relation(target, tuple(needs.split()), law, formula, when)
    for table in (
        relations_run.TABLE,
        relations_workers.TABLE,
        relations_work.TABLE,
        relations_exchange.TABLE,
    )
    for target, needs, law, formula, when in table
]
BY_TARGET: dict[str, list[Relation]] = {}
for _relation in RELATIONS:
    BY_TARGET.setdefault(_relation.target, []).append(_relation)
