"""The scenario controls that every page shares: situation, mode and the four headline sliders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from dpmodel.catalogue import links, links_at, models, models_at
from dpmodel.errors import InputError
from dpmodel.knobs import Knob
from dpmodel.presets import presets
from dpmodel.scenario import FIELD_OF, KNOBS, Scenario
from dpmodel.step import one_worker_run
from dpmodel.units import human, significant, to_unit
from pages.ui import assumptions, names, state
from pages.ui import links as addresses

MODE = KNOBS["mode"]
QUESTION = "How close to N times faster?"
_TWO_YEARS_OF_DAYS = 730


@dataclass(frozen=True)
class Ladder:
    """A headline slider's options, as the page shows them and as the model takes them.

    Attributes
    ----------
    link : str
        The slider's key.
    field : str
        The field of `Scenario`.
    labels : tuple of str, (L,)
        Options exactly as the slider shows them.
    values : tuple of float, (L,)
        The same in SI units.
    index : int
        Position of the present value.
    """

    link: str
    field: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    index: int


def scenario() -> Scenario:
    """Return the scenario that the controls show; every page calls this first."""
    state.through_the_hall()
    return state.scenario()


def ladders() -> dict[str, Ladder]:
    """Return the four headline ladders by link name; the present value is always on them."""
    return {KNOBS[key].link: _ladder(key, state.text_of(KNOBS[key])) for key in state.SLIDERS}


@lru_cache(maxsize=1024)
def _ladder(key: str, text: str) -> Ladder:
    knob = KNOBS[key]
    rungs = {knob.text(value * knob.factor): value * knob.factor for value in knob.ladder}
    rungs.setdefault(text, float(knob.parse(text)))
    ordered = sorted(rungs, key=rungs.__getitem__)
    values = tuple(rungs[label] for label in ordered)
    return Ladder(knob.link, FIELD_OF[key], tuple(ordered), values, ordered.index(text))


def draw(*, in_full: bool) -> None:
    """Draw the shared controls once a run, before the page.

    Parameters
    ----------
    in_full : bool
        Whether the page shows them openly; otherwise they stand in a closed expander.
    """
    addresses.arrive()
    addresses.report_problems()
    if in_full:
        _top_row(QUESTION)
        _sliders(with_captions=True)
        assumptions.expander()
        return
    box = st.expander("Scenario", key="scenario_box", on_change="rerun")
    with box:
        # A slider that is not drawn would lose its place in the address bar.
        if box.open:
            _top_row()
        _sliders(with_captions=bool(box.open))
        if box.open:
            assumptions.body()


# --- first row ----------------------------------------------------------------------------------


def _top_row(question: str = "") -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if question:
            st.title(question, anchor=False, width="content")
        _situation()
        _mode()
        st.button(
            "Reset",
            help="Set everything to its default.",
            key="reset_everything",
            on_click=reset_everything,
            disabled=not state.texts() and state.preset().key == state.start_preset(),
        )
        addresses.share()
    st.caption(_what_this_is())


def _situation() -> None:
    _show("situation", state.preset().key)
    st.selectbox(
        "Situation",
        list(presets()),
        format_func=lambda key: presets()[key].name,
        key="situation",
        on_change=_take_situation,
        label_visibility="collapsed",
        width=260,
    )


def _mode() -> None:
    _show(MODE.link, state.text_of(MODE))
    st.segmented_control(
        "Mode",
        list(MODE.choices),
        format_func=MODE.choices.__getitem__,
        key=MODE.link,
        on_change=_take_mode,
        required=True,
        label_visibility="collapsed",
    )


def _show(key: str, value: str) -> None:
    """Make an unbound widget show what is held."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _take_situation() -> None:
    key = st.session_state["situation"]
    if key in presets():
        state.put_all(state.preset_texts(key), key)


def _take_mode() -> None:
    if st.session_state[MODE.link] in MODE.choices:
        state.put(MODE.link, st.session_state[MODE.link])


def reset_everything() -> None:
    """Set every knob to its default."""
    state.put_all({})


def _what_this_is() -> str:
    """Say what the situation teaches, and what was changed since it was chosen."""
    preset = state.preset()
    changed = state.changed_links(state.texts(), state.preset_texts(preset.key))
    if not changed:
        return preset.look
    named = [_told(state.BY_LINK[link]) for link in changed[:3]]
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"Changed from preset: {', '.join(named)}{more}."


def _told(knob: Knob) -> str:
    return f"{knob.label} {state.shown(knob)}"


# --- headline sliders ---------------------------------------------------------------------------


def _sliders(*, with_captions: bool) -> None:
    grid = st.grid(4, min_column_width=150, gap="medium")
    for key in state.SLIDERS:
        knob = KNOBS[key]
        ladder = _ladder(key, state.text_of(knob))
        column = grid.container(gap=None)
        column.select_slider(
            knob.label,
            ladder.labels,
            value=state.DEFAULTS[knob.link] if state.DEFAULTS[knob.link] in ladder.labels else None,
            key=knob.link,
            bind="query-params",
            help=knob.help,
            disabled=key == "hours" and state.text_of(KNOBS["time_from"]) == "device",
        )
        if with_captions:
            with column:
                _exact(knob, ladder.values[ladder.index])


def _exact(knob: Knob, value: float) -> None:
    """Draw the caption that names the value; it opens to a box for an exact one."""
    popover = st.popover(
        _caption_now(knob, value), key=f"exact_{knob.link}", on_change="rerun", type="tertiary"
    )
    box = f"box_{knob.link}"
    if not popover.open:
        state.forgive(box)
        return
    with popover:
        st.text_input(
            f"Exact value, {knob.unit or 'whole number'} per {knob.per}",
            value=None,
            placeholder=knob.show(value),
            key=box,
            on_change=_take_exact,
            args=(knob, box),
        )
        if sentence := state.refusal(box):
            st.error(sentence)
        if told := names.credit(knob, value):
            st.caption(told)
        if choices := _named(knob.key):
            st.selectbox(
                f"Or pick a {'link' if knob.key == 'bandwidth' else 'model'}",
                list(choices),
                index=None,
                key=f"pick_{knob.link}",
                on_change=_take_named,
                args=(knob,),
            )


def _take_exact(knob: Knob, box: str) -> None:
    given = st.session_state[box]
    if given is None or not given.strip():
        return
    try:
        text = state.read(knob, given)
    except InputError as error:
        state.refuse(box, str(error))
        return
    state.forgive(box)
    state.put(knob.link, text)


def _take_named(knob: Knob) -> None:
    name = st.session_state[f"pick_{knob.link}"]
    if name in _named(knob.key):
        state.put(knob.link, _named(knob.key)[name])


@lru_cache(maxsize=8)
def _named(key: str) -> dict[str, str]:
    """Return names with slider texts: links for the bandwidth, models for the size."""
    knob = KNOBS[key]
    if key == "bandwidth":
        return {link.name: knob.text(link.bandwidth) for link in links().values()}
    if key != "size":
        return {}
    exact = {model.name: knob.text(model.params) for model in models().values()}
    start = _ladder(key, state.DEFAULTS[knob.link])
    # A rung that names the model is as good, and keeps the ladder short.
    rungs = {
        model.name: label
        for label, value in zip(start.labels, start.values, strict=True)
        for model in models_at(value)
    }
    return exact | rungs


def _caption_now(knob: Knob, value: float) -> str:
    """Caption of the present value; hours that the device computes say so."""
    if knob.key == "hours" and state.scenario().time_from == "device":
        return f"{human(float(one_worker_run(state.scenario())), 'time')}, from the device"
    return caption(knob.key, value)


@lru_cache(maxsize=1024)
def caption(key: str, value: float) -> str:
    """Say in a few words what a headline value is: "10 Gb/s: 10 GbE", "40 h = 1.7 days"."""
    knob = KNOBS[key]
    if key == "hours":
        return _hours_caption(f"{knob.text(value)} h", value)
    if key == "workers":
        return f"{significant(value, 7)} worker{'' if value == 1 else 's'}"
    if key == "bandwidth":
        near = links_at(value)
        return f"{human(value, 'bits', 4)}" + (f": {near[0].name}" if near else "")
    near_models = models_at(value)
    shown = f"{human(value, 'count')} parameters"
    return f"{shown}: {near_models[0].name}" if near_models else shown


def _hours_caption(hours: str, value: float) -> str:
    other, days = human(value, "time", 2), float(to_unit(value, "days", "time"))
    if 1 <= days < _TWO_YEARS_OF_DAYS:
        other = f"{significant(days, 2 if days < 100 else 3)} days"
    return hours if other.endswith(" h") else f"{hours} = {other}"
