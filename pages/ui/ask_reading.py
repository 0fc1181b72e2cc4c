"""Answers as the page needs them: kept between runs, and with texts for every box."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dpmodel.ask import AskResult, Understood, answer
from dpmodel.ask.overrides import read_value
from dpmodel.errors import InputError
from dpmodel.units import significant

# Named by what is asked; each is a question that the engine must answer.
EXAMPLES: dict[str, str] = {
    "40 hours on 8 GPUs?": (
        "Training takes 40 hours on one GPU. How long does it take on 8 GPUs if communication "
        "overhead is negligible?"
    ),
    "Only 5.7x on 8?": (
        "Training takes 40 hours on one GPU but 7 hours on 8 GPUs. What is the efficiency?"
    ),
    "Twice the workers, half the time?": (
        "True or false: doubling the workers always halves the training time."
    ),
    "What after the gradients?": (
        "After each machine has computed its own gradients, which action is most critical? "
        "A) save a checkpoint B) average the gradients across all machines "
        "C) lower the learning rate"
    ),
    "Order of one step": (
        "Put these in chronological order: a) all-reduce the gradients b) forward pass "
        "c) update the weights d) split the batch e) backward pass"
    ),
    "16 GPUs, only 10x": (
        "8 workers give nearly 8x, but 16 workers only 10x. What is the likely bottleneck?"
    ),
    "Is this a good plan?": (
        "Someone proposes to train a 1.3B model on 64 GPUs linked by 10 Gb Ethernet with plain "
        "data parallelism, fp32 gradients and 350 ms of compute per step. Evaluate the plan."
    ),
    "5 % serial, 7 workers": "5 % of the work is serial. What is the speed-up on 7 workers?",
    "13,5 Stunden auf 7 GPUs": (
        "Ein Training dauert 13,5 Stunden auf einer GPU. Wie lange dauert es auf 7 GPUs?"
    ),
}
_CACHED = 512
_IDLE = frozenset({"micro"})


def read(question: str, corrections: Mapping[str, str]) -> AskResult:
    """Answer a question with its corrections.

    Parameters
    ----------
    question : str
        As typed.
    corrections : mapping of str to str
        Role to text.
    """
    return _read(question, tuple(sorted(corrections.items())))


@lru_cache(maxsize=_CACHED)
def _read(question: str, corrections: tuple[tuple[str, str], ...]) -> AskResult:
    return answer(question, dict(corrections))


def box_text(quantity: Understood) -> str:
    """Write an understood quantity as its box holds it: "13.5 h", "7", "85 %"."""
    unit = "" if quantity.unit in ("workers", "x") else quantity.unit
    return f"{significant(quantity.value, 7)} {unit}".strip()


def problem(role: str, typed: str) -> str:
    """Return why a typed quantity cannot be taken, or ""."""
    try:
        read_value(role, typed)
    except InputError as error:
        return str(error)
    return ""


def quantities(result: AskResult) -> tuple[list[Understood], list[Understood]]:
    """Return what was read, in the question's order, and what was taken for granted."""
    one_each = list({u.role: u for u in result.understood}.values())
    said = [u for u in one_each if not u.assumed or u.role == "efficiency"]
    granted = [u for u in one_each if u not in said and u.role not in _IDLE and u.value]
    said.sort(key=lambda u: (u.span is None, u.span or (0, 0)))
    return said, granted


@lru_cache(maxsize=_CACHED)
def can_correct(question: str, corrections: tuple[tuple[str, str], ...]) -> bool:
    """Whether corrections reach this kind of question.

    An answer by the question's form, such as true or false, has no quantities to put back; where
    putting a quantity back as it was read changes the answer, a box would only mislead.
    """
    result = _read(question, corrections)
    own = {u.role: box_text(u) for u in quantities(result)[0] if u.role not in dict(corrections)}
    if not own:
        return bool(corrections)
    again = _read(question, tuple(sorted((dict(corrections) | own).items())))
    return (again.status, again.answer) == (result.status, result.answer)
