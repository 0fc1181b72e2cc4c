"""Links: the address bar read at arrival, the whole link to copy, and files to keep."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from urllib.parse import parse_qsl

import streamlit as st

from dpmodel.border import from_query, knob_named, to_query
from dpmodel.curves import curve_grid
from dpmodel.errors import InputError, near_matches
from dpmodel.files import read_scenario_text, scenario_json
from dpmodel.knobs import Knob
from dpmodel.presets import preset_named
from dpmodel.report import prediction_document
from dpmodel.scenario import KNOBS, Scenario
from dpmodel.step import most_workers
from dpmodel.sweeps import SHOWN
from pages.ui import state
from pages.ui.assumptions import BY_GROUP

# Parameters that pages bind to widgets of their own; they are no knobs and are left to them.
# Where their choices are named here, anything else is reported.
PAGE_PARAMETERS: dict[str, tuple[str, ...]] = {
    "more": ("true", "false"),
    "group": tuple(BY_GROUP),
    "view": ("Breakdown", "Map", "Goals", "How it is made", "Compare"),
    "map": ("Bandwidth", "Model size"),
    "net": ("Linear regression", "Logistic regression", "Two-layer network"),
    "way": ("Ring", "Halving-doubling", "Recursive doubling", "Tree", "Parameter server"),
    **dict.fromkeys(("skip", "slow", "uneven", "alone"), ("true", "false")),
    "look": ("Put in order", "Loss curves", "Fewer bytes", "Larger batches"),
    "sweep": ("None", *SHOWN.values()),
    "closer": ("Bytes and steps", "Bandwidths", "Node boundary", "Bucket size", "Transfer law"),
    "pin": (),
    "evidence": ("Scaling curves", "All-reduce"),
    "case": (),
    "runs": (),
    "measured": (),
    "q": (),
    "fix": (),
    "room": ("Ask", "Practice"),
    "seed": (),
    "kinds": (),
    "level": ("1", "2", "3"),
    "sheet": ("questions", "solutions"),
}
# A link inside the app that sets the scenario says so: else what the visit holds wins.
OPEN = "open"
_PROBLEMS = "link problems"


def arrive() -> None:
    """Take the address's values at the start of a visit, after Back, and from a link inside."""
    given = st.query_params.to_dict()
    if not state.begun() or state.went_back() or OPEN in given:
        texts, preset, problems = read_address(given)
        state.put_all(texts, preset)
        st.session_state[_PROBLEMS] = problems
        kept = PAGE_PARAMETERS.keys() - problems.keys()
        state.sync_address(dropped=given.keys() - kept)
    else:
        state.sync_address()


def read_address(
    given: Mapping[str, str],
) -> tuple[dict[str, str], str | None, dict[str, str]]:
    """Read address-bar parameters one by one; a bad one never costs a good one.

    Parameters
    ----------
    given : mapping of str to str
        Parameter names (link names, knob keys or aliases; ``preset``; those of pages) with texts,
        with or without units: ``{"size": "7B", "hours": "1.5d"}``.

    Returns
    -------
    texts : dict of str to str
        Link names with the texts that the controls show.
    preset : str or None
        Key of the preset that the setting comes from.
    problems : dict of str to str
        One four-part sentence for each parameter that cannot be honoured.
    """
    texts: dict[str, str] = {}
    problems: dict[str, str] = {}
    origin = _preset_in(given, problems)
    base = state.preset_texts(origin) if origin and "preset" in given else {}
    for name, value in given.items():
        if name in ("preset", state.PRESET_NAME, OPEN):
            continue
        try:
            if name == "pin":
                _check_pinned(value)
            elif name in PAGE_PARAMETERS:
                _check_choice(name, value)
            else:
                _read_one(name, value, texts)
        except InputError as error:
            problems[name] = str(error)
    kept = {link: text for link, text in (base | texts).items() if text != state.DEFAULTS[link]}
    return kept, origin, problems


def _check_choice(name: str, value: str) -> None:
    choices = PAGE_PARAMETERS[name]
    if choices and value not in choices:
        raise InputError(
            asked=f"'{name}' in the link cannot be '{value[:40]}'",
            given=f"'{value[:40]}'",
            rule="it is one of the named choices",
            way_out=near_matches(value, list(choices)),
        )


def _check_pinned(value: str) -> None:
    """Report the first value of a pinned scenario that cannot be honoured; the rest is kept."""
    problems = from_query(dict(parse_qsl(value)))[1]
    if problems:
        first = problems[0]
        raise InputError(
            asked=f"In the pinned scenario: {first.asked}",
            given=first.given,
            rule=first.rule,
            way_out=first.way_out,
        )


def _read_one(name: str, value: str, texts: dict[str, str]) -> None:
    knob = _knob_in_link(name)
    text = state.read(knob, value)
    if texts.setdefault(knob.link, text) != text:
        raise InputError(
            asked=f"{knob.label} cannot be both {texts[knob.link]} and {text}",
            given=f"'{name}' and '{knob.link}' in one link",
            rule="they are two names of one quantity",
            way_out=f"Keep one of them; {texts[knob.link]} was taken.",
        )


def _knob_in_link(name: str) -> Knob:
    try:
        return knob_named(name)
    except InputError as error:
        names = [*state.BY_LINK, *KNOBS, *PAGE_PARAMETERS, "preset"]
        raise InputError(
            asked=f"'{name[:40]}' in the link was left out",
            given=f"'{name[:40]}'",
            rule="nothing here has that name",
            way_out=near_matches(name, names),
        ) from error


def _preset_in(given: Mapping[str, str], problems: dict[str, str]) -> str | None:
    for name in ("preset", state.PRESET_NAME):
        if name in given:
            try:
                return preset_named(given[name]).key
            except InputError as error:
                problems[name] = str(error)
    return None


def report_problems() -> None:
    """Say in one warning what the link could not be honoured in, until it is dismissed."""
    problems = st.session_state.get(_PROBLEMS)
    if not problems:
        return
    head = "Part of this link could not be honoured; the rest was kept."
    if len(problems) == 1:
        body = next(iter(problems.values()))
    else:
        body = "\n".join(f"- {_escaped(sentence)}" for sentence in problems.values())
    st.warning(f"{head}\n\n{body if len(problems) > 1 else _escaped(body)}")
    st.button("Dismiss", key="dismiss_problems", on_click=_dismiss, type="tertiary")


def _dismiss() -> None:
    st.session_state[_PROBLEMS] = {}


def _escaped(sentence: str) -> str:
    """Keep what a stranger's link says from being read as formatting."""
    return "".join("\\" + sign if sign in r"\`*_[]<>$#:|~" else sign for sign in sentence)


# --- share and save -----------------------------------------------------------------------------


def full_link(scenario: Scenario) -> str:
    """Return the whole link: this page's address with every knob, defaults too."""
    base = (st.context.url or "").split("?")[0]
    link = base + to_query(scenario, every=True)
    origin = state.preset().key
    return link if origin == state.start_preset() else f"{link}&{state.PRESET_NAME}={origin}"


def curve_csv(scenario: Scenario) -> str:
    """Return the predicted curve as CSV: one row a worker count, units in the header."""
    most = float(most_workers(scenario))
    counts = [int(n) for n in curve_grid(scenario).tolist() if n == int(n) and n <= most]
    document = prediction_document(scenario, counts)
    lists = {name: values for name, values in document.items() if isinstance(values, list)}
    lists |= {f"step_{name}": values for name, values in document["step"].items()}
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(lists)
    writer.writerows(zip(*lists.values(), strict=True))
    return table.getvalue()


def share() -> None:
    """Draw the "Share and save" popover; it is built only while it is open."""
    popover = st.popover("Share and save", key="share", on_change="rerun")
    if not popover.open:
        state.forgive("scenario")
        return
    scenario = state.scenario()
    with popover:
        st.markdown("**Link with every value**")
        st.code(full_link(scenario), language=None, wrap_lines=True)
        st.download_button(
            "Scenario (JSON)",
            lambda: scenario_json(scenario),
            file_name="n-fold.json",
            mime="application/json",
            on_click="ignore",
        )
        st.download_button(
            "Curve (CSV)",
            lambda: curve_csv(scenario),
            file_name="n-fold.csv",
            mime="text/csv",
            on_click="ignore",
        )
        _open_scenario()


def _open_scenario() -> None:
    st.file_uploader(
        "Open a scenario file",
        type="json",
        key="scenario_file",
        on_change=_take_file,
        max_upload_size=1,
    )
    st.text_area(
        "Or paste one", key="scenario_text", placeholder='{"hours": 40, "workers": 8}', height=90
    )
    st.button("Open what was pasted", key="open_pasted", on_click=_take_paste)
    if sentence := state.refusal("scenario"):
        st.error(_escaped(sentence))


def _take_file() -> None:
    upload = st.session_state["scenario_file"]
    if upload is not None:
        _open_text(upload.getvalue().decode("utf-8", errors="replace"))


def _take_paste() -> None:
    _open_text(st.session_state["scenario_text"])


def _open_text(text: str) -> None:
    """Open a scenario's JSON, or keep everything and say why not."""
    try:
        opened = read_scenario_text(text)
    except InputError as error:
        state.refuse("scenario", str(error))
        return
    state.put_all(state.texts_of(opened))
