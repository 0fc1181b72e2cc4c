"""What a visit holds: one text per knob, and the address bar that says the same.

The four headline sliders are bound to the address bar by Streamlit, so that a move replaces the
entry in the browser's history. Every other knob is held here as the text that stands in the
address bar, only where it differs from its default; its widget is a view, built when seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpmodel.border import make_scenario
from dpmodel.errors import InputError
from dpmodel.knobs import Knob
from dpmodel.presets import Preset, presets
from dpmodel.scenario import FIELD_OF, KNOBS, Scenario

SLIDERS = ("hours", "workers", "bandwidth", "size")
BY_LINK: dict[str, Knob] = {knob.link: knob for knob in KNOBS.values()}
SLIDER_LINKS = tuple(KNOBS[key].link for key in SLIDERS)
DEFAULTS = {link: knob.text(knob.default_si) for link, knob in BY_LINK.items()}
PRESET_NAME = "from"
_HELD, _PRESET, _REFUSED = "held texts", "held preset", "refused inputs"


def through_the_hall() -> None:
    """Start over through app.py where Streamlit has run a page alone.

    A process beside a folder `pages` takes each file in it for a page of its own until app.py
    has called st.navigation once. A deep link that comes first would miss the hall.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def begun() -> bool:
    """Whether this visit has already read its address."""
    return _HELD in st.session_state


def texts() -> dict[str, str]:
    """Return link names with texts for every knob that is not at its default."""
    held: dict[str, str] = {
        link: st.session_state[link]
        for link in SLIDER_LINKS
        if st.session_state.get(link, DEFAULTS[link]) != DEFAULTS[link]
    }
    return {**held, **st.session_state[_HELD]}


def text_of(knob: Knob) -> str:
    """Return the present text of one knob, "25" for a bucket of 25 MiB."""
    if knob.link in SLIDER_LINKS:
        return str(st.session_state.get(knob.link, DEFAULTS[knob.link]))
    return str(st.session_state[_HELD].get(knob.link, DEFAULTS[knob.link]))


def shown(knob: Knob, text: str | None = None) -> str:
    """Write a knob's present value (or `text`) with its unit, safe inside markdown."""
    value = knob.parse(text_of(knob) if text is None else text)
    return knob.show(value).replace(" us", " µs").replace("$", "\\$")


def read(knob: Knob, given: str) -> str:
    """Return the text that the controls show for what a person wrote, "7000" for "7B".

    Raises
    ------
    InputError
        It cannot be read or is out of range; the sentence names the knob.
    """
    try:
        return knob.text(knob.parse(given))
    except InputError as error:
        if knob.label in error.asked:
            raise
        asked = f"{knob.label}: {error.asked}"
        raise InputError(
            asked=asked, given=error.given, rule=error.rule, way_out=error.way_out
        ) from error


def put(link: str, text: str) -> None:
    """Set one knob to a text that its `parse` has accepted."""
    if link in SLIDER_LINKS:
        if st.session_state.get(link, DEFAULTS[link]) != text:
            st.session_state[link] = text
    elif text == DEFAULTS[link]:
        st.session_state[_HELD].pop(link, None)
    else:
        st.session_state[_HELD][link] = text


def put_all(wanted: Mapping[str, str], preset: str | None = None) -> None:
    """Set every knob: `wanted` by link name, all others to their defaults."""
    st.session_state[_HELD] = {}
    st.session_state[_PRESET] = preset if preset in presets() else start_preset()
    st.session_state[_REFUSED] = {}
    for link, default in DEFAULTS.items():
        put(link, wanted.get(link, default))


def scenario() -> Scenario:
    """Return the scenario that the controls and the address bar show."""
    return _scenario_of(tuple(sorted(texts().items())))


@lru_cache(maxsize=256)
def _scenario_of(items: tuple[tuple[str, str], ...]) -> Scenario:
    return make_scenario(None, **dict(items))


def texts_of(made: Scenario) -> dict[str, str]:
    """Return link names with texts for the knobs of a scenario that differ from defaults."""
    said = {link: knob.text(getattr(made, FIELD_OF[knob.key])) for link, knob in BY_LINK.items()}
    return {link: text for link, text in said.items() if text != DEFAULTS[link]}


# --- presets ------------------------------------------------------------------------------------


def start_preset() -> str:
    """Return the key of the preset that holds the defaults."""
    return next(iter(presets()))


def preset() -> Preset:
    """Return the preset that was chosen last."""
    return presets()[st.session_state[_PRESET]]


@lru_cache(maxsize=64)
def preset_texts(key: str) -> dict[str, str]:
    """Return what a preset sets, by link name."""
    return texts_of(presets()[key].scenario)


def changed_links(now: Mapping[str, str], base: Mapping[str, str]) -> list[str]:
    """Return the knobs, by link name in their declared order, in which two settings differ."""
    return [link for link in BY_LINK if now.get(link) != base.get(link)]


# --- inputs that were refused -------------------------------------------------------------------


def refuse(place: str, sentence: str) -> None:
    """Keep the sentence that stands beside a box until its next value."""
    st.session_state[_REFUSED][place] = sentence


def refusal(place: str) -> str | None:
    """Return the sentence that stands beside a box, if its value was refused."""
    sentence: str | None = st.session_state[_REFUSED].get(place)
    return sentence


def forgive(place: str) -> None:
    """Drop the sentence beside a box."""
    st.session_state[_REFUSED].pop(place, None)


# --- the address bar ----------------------------------------------------------------------------


def went_back() -> bool:
    """Whether the browser's Back or Forward button brought this address."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def sync_address(dropped: Iterable[str] = ()) -> None:
    """Make the address bar say what is held; parameters of the pages stay as they are.

    Parameters
    ----------
    dropped : iterable of str
        Parameters that cannot be honoured and leave the address.
    """
    ours = {*BY_LINK, PRESET_NAME, *dropped}
    present = st.query_params.to_dict()
    wanted = {name: text for name, text in present.items() if name not in ours} | texts()
    if st.session_state[_PRESET] != start_preset():
        wanted[PRESET_NAME] = st.session_state[_PRESET]
    if wanted != present:
        _write_at_once(wanted)


def _write_at_once(wanted: Mapping[str, str]) -> None:
    """Write all parameters in one message.

    A public write refuses bound parameters, and a bound widget that is set by us writes its own,
    so that a preset would leave up to eight entries in the browser's history instead of one.
    Sorted, because the browser sorts too when a slider moves: the same words in another order
    would be one more entry.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as held:
        held.clear_with_no_forward_msg(preserve_embed=True)
        for name, text in sorted(wanted.items()):
            held.set_with_no_forward_msg(name, text)
        held.set_initial_query_params_from_current()
        held._send_query_param_msg()
