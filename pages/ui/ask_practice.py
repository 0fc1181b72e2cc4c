"""Practice: one seeded question after another, marked, scored, and printable as a sheet."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import streamlit as st

from dpmodel.ask.exercises import KINDS
from dpmodel.ask.practice import LEVELS, Exercise, Mark, exercises, mark
from dpmodel.errors import InputError
from pages.ui import ask_address, plain
from pages.ui.ask_address import KINDS as KINDS_NAME
from pages.ui.ask_address import LEVEL, SEED, SHEET

ON_A_SHEET = 10
_ROUND = "practice round"
_LARGEST_SEED = 9999


@dataclass(frozen=True)
class Round:
    """One set and how far it has come: `marks` of the answered questions, the present `mark`."""

    seed: int
    kinds: tuple[str, ...]
    level: int
    marks: tuple[bool, ...] = ()
    mark: Mark | None = None
    answers: tuple[str, ...] = field(default=())

    @property
    def number(self) -> int:
        """Position of the present question, from 0."""
        done = self.mark is not None and self.mark.right is not None
        return len(self.marks) - (1 if done else 0)


def draw() -> None:
    """Draw the set's choices, the present question, and what came of the answer."""
    now = present()
    _choices(now)
    exercise = _exercise(now)
    plain.small(_score(now, exercise), "score")
    with st.container(border=True, key="exercise_now"):
        plain.large(exercise.question, "exercise")
        if now.mark is None or now.mark.right is None:
            _answer_form(now)
        if now.mark is not None:
            _show_mark(now, exercise, now.mark)
    _share(now)


# --- the set ------------------------------------------------------------------------------------


def present() -> Round:
    """Return the round of the address; another set starts from nothing."""
    seed = _seed()
    kinds = tuple(k for k in ask_address.text(KINDS_NAME).split(",") if k in KINDS)
    level = ask_address.text(LEVEL)
    wanted = Round(seed, kinds, int(level) if level in _levels() else LEVELS[0])
    held: Round | None = st.session_state.get(_ROUND)
    if held and (held.seed, held.kinds, held.level) == (wanted.seed, wanted.kinds, wanted.level):
        return held
    st.session_state[_ROUND] = wanted
    return wanted


def _levels() -> list[str]:
    return [str(level) for level in LEVELS]


def _seed() -> int:
    """Return the address's seed; a visit without one draws its own, which the address then says."""
    text = ask_address.text(SEED)
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST_SEED)) + 5):
        text = str(random.randint(1, _LARGEST_SEED))
        ask_address.put(SEED, text)
    return int(text)


def _exercise(now: Round) -> Exercise:
    return exercises(now.seed, now.kinds, now.level, now.number + 1)[-1]


def _choices(now: Round) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="choices"):
        _show("practice_kinds", list(now.kinds))
        st.multiselect(
            "Kinds",
            list(KINDS),
            format_func=lambda kind: KINDS[kind][1].capitalize(),
            key="practice_kinds",
            placeholder="All kinds",
            on_change=_take_kinds,
            width=360,
        )
        _show("practice_level", str(now.level))
        st.segmented_control(
            "Level", _levels(), key="practice_level", required=True, on_change=_take_level
        )
        st.button("Another set", key="another_set", on_click=_another_set)


def _show(key: str, value: object) -> None:
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _take_kinds() -> None:
    ask_address.put(KINDS_NAME, ",".join(st.session_state["practice_kinds"]))


def _take_level() -> None:
    level = st.session_state["practice_level"]
    ask_address.put(LEVEL, "" if level == str(LEVELS[0]) else level)


def _another_set() -> None:
    ask_address.put(SEED, str(random.randint(1, _LARGEST_SEED)))


# --- answering ----------------------------------------------------------------------------------


def _score(now: Round, exercise: Exercise) -> str:
    right = sum(now.marks)
    score = f" · {right} of {len(now.marks)} right" if now.marks else ""
    return f"Question {now.number + 1} · {exercise.label}{score}"


def _answer_form(now: Round) -> None:
    with st.form("practice_form", border=False, clear_on_submit=False):
        st.text_input(
            "Your answer, with its unit",
            key=f"typed_{now.seed}_{now.level}_{now.number}",
            placeholder="A number",
        )
        st.form_submit_button("Check", on_click=_check)


def _check() -> None:
    now = present()
    typed = st.session_state.get(f"typed_{now.seed}_{now.level}_{now.number}") or ""
    given = mark(_exercise(now), typed) if typed.strip() else None
    if given is not None and given.right is not None:
        now = replace(now, marks=(*now.marks, given.right), answers=(*now.answers, typed))
    st.session_state[_ROUND] = replace(now, mark=given)


def _show_mark(now: Round, exercise: Exercise, given: Mark) -> None:
    words = plain.escaped(given.feedback)
    if given.right is None:
        st.info(words + " It does not count.")
        return
    (st.success if given.right else st.error)(words)
    plain.small(f"You answered: {now.answers[-1]}", "typed")
    st.markdown("**Worked solution**")
    st.code("\n".join(exercise.solution), language=None, wrap_lines=True)
    st.button("Next question", key="next_question", on_click=_next)


def _next() -> None:
    st.session_state[_ROUND] = replace(present(), mark=None)


# --- for a class --------------------------------------------------------------------------------


def _share(now: Round) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Sheet to print", key="sheet_questions", on_click=_print, args=("questions",))
        st.button(
            "Sheet with solutions", key="sheet_solutions", on_click=_print, args=("solutions",)
        )
        popover = st.popover("Same set for a class", key="share_set", on_change="rerun")
        if popover.open:
            with popover:
                st.code(_link(now), language=None, wrap_lines=True)
                st.caption("Everyone who opens this link gets the same questions.")


def _link(now: Round) -> str:
    return ask_address.link(
        {
            "room": "Practice",
            SEED: str(now.seed),
            KINDS_NAME: ",".join(now.kinds),
            LEVEL: "" if now.level == LEVELS[0] else str(now.level),
        }
    )


def _print(which: str) -> None:
    ask_address.put(SHEET, which)


def printing() -> bool:
    """Whether the address asks for the sheet to print."""
    return ask_address.text(SHEET) in ("questions", "solutions")


def sheet() -> None:
    """Show ten questions, with or without solutions, and nothing else."""
    now = present()
    solved = ask_address.text(SHEET) == "solutions"
    with st.container(key="no_print", horizontal=True, vertical_alignment="center"):
        st.button("Back to practice", key="leave_sheet", on_click=_leave)
        st.caption("Print with Ctrl+P; these two lines and the menu are left out.")
    st.title("Practice: training on N workers", anchor=False)
    plain.small(f"Set {now.seed}, level {now.level}" + ("" if solved else "    Name:"), "set")
    try:
        asked = exercises(now.seed, now.kinds, now.level, ON_A_SHEET)
    except InputError as error:
        st.error(plain.escaped(str(error)))
        return
    for number, exercise in enumerate(asked, 1):
        with st.container(key=f"exercise_{number}"):
            st.text(f"{number}. {exercise.question}")
            if solved:
                st.code("\n".join(exercise.solution), language=None, wrap_lines=True)
                st.text(f"Answer: {exercise.shown}")
            else:
                st.space("medium")


def _leave() -> None:
    ask_address.put(SHEET, "")
    # A sheet opened by its link has no room of its own in the address.
    st.session_state["room"] = "Practice"
