"""More assumptions: every knob that is not a headline, by group, built only while it is seen."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from dpmodel.errors import InputError
from dpmodel.knobs import Knob
from dpmodel.notice import run_in_other_words
from dpmodel.scenario import GROUPS, KNOBS
from pages.ui import names, state

BY_GROUP: dict[str, list[Knob]] = {
    title: [knob for knob in KNOBS.values() if knob.group == group]
    for group, title in GROUPS.items()
    if group != "headline"
}
COLUMNS = 3


def expander() -> None:
    """Draw the expander with all further knobs; closed, it costs one empty element."""
    box = st.expander("More assumptions", key="more", on_change="rerun", bind="query-params")
    if box.open:
        with box:
            body()


def body() -> None:
    """Draw the groups as tabs; only the knobs of the open one are built."""
    tabs = st.tabs(list(BY_GROUP), key="group", on_change="rerun", bind="query-params")
    for tab, knobs in zip(tabs, BY_GROUP.values(), strict=True):
        if tab.open:
            with tab:
                _group(knobs)
                if knobs[0].group == "job":
                    st.caption(run_in_other_words(state.scenario()))


def _group(knobs: list[Knob]) -> None:
    for first in range(0, len(knobs), COLUMNS):
        columns = st.columns(COLUMNS, gap="medium")
        for knob, column in zip(knobs[first : first + COLUMNS], columns, strict=False):
            with column:
                _control(knob)


def _control(knob: Knob) -> None:
    held = state.text_of(knob)
    changed = held != state.DEFAULTS[knob.link]
    if st.session_state.get(knob.link) != held:
        st.session_state[knob.link] = held
    label = ("● " if changed else "") + _label(knob)
    if knob.choices:
        st.selectbox(
            label,
            list(knob.choices),
            format_func=lambda choice: knob.choices.get(choice, choice),
            key=knob.link,
            help=knob.help,
            on_change=_take,
            args=(knob,),
        )
    else:
        st.selectbox(
            label,
            list(_options(knob.key, held)),
            key=knob.link,
            help=f"{knob.help} Pick one or type your own.",
            accept_new_options=True,
            on_change=_take,
            args=(knob,),
        )
    if sentence := state.refusal(knob.link):
        st.error(sentence)
    if changed:
        st.button(
            f"Reset to {state.shown(knob, state.DEFAULTS[knob.link])}",
            key=f"reset_{knob.link}",
            on_click=_reset,
            args=(knob,),
            type="tertiary",
        )
    if note := _note(knob):
        st.caption(note)


def _label(knob: Knob) -> str:
    """Name the knob with its unit and per what: "Latency, µs per message"."""
    per = f"per {knob.per}" if knob.per and f"per {knob.per}" not in knob.label else ""
    unit = knob.unit.replace("us", "µs").replace("$", "\\$")
    rest = f"{unit} {per}".strip()
    return f"{knob.label}, {rest}" if rest else knob.label


@lru_cache(maxsize=512)
def _options(key: str, held: str) -> tuple[str, ...]:
    """Return the ladder's texts with the present value among them, in order."""
    knob = KNOBS[key]
    values = {knob.text(value * knob.factor): value * knob.factor for value in knob.ladder}
    if knob.none:
        values[knob.none] = 0.0
    values.setdefault(held, float(knob.parse(held)))
    return tuple(sorted(values, key=values.__getitem__))


def _note(knob: Knob) -> str:
    named = "" if knob.choices else names.credit(knob, float(knob.parse(state.text_of(knob))))
    source = named or (f"Source: {knob.source}." if knob.source else "")
    if knob.realistic and state.text_of(KNOBS["mode"]) != "realistic":
        return f"Counts in realistic mode only. {source}".strip()
    return source.replace("~", "\\~").replace("$", "\\$")


def _take(knob: Knob) -> None:
    given = st.session_state[knob.link]
    if given is None:
        return
    try:
        text = state.read(knob, given)
    except InputError as error:
        state.refuse(knob.link, str(error))
        return
    state.forgive(knob.link)
    state.put(knob.link, text)


def _reset(knob: Knob) -> None:
    state.forgive(knob.link)
    state.put(knob.link, state.DEFAULTS[knob.link])
