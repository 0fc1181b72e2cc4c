"""The Ask side of the page: the question, its answer, how it was read, and where it leads."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from dpmodel.ask import AskResult, Understood
from pages.ui import ask_address, ask_enter, ask_picture, ask_reading, chart, links, plain, state

_LAST = "last question"
_TITLES = {"Ask": "What do you want to know?", "Practice": "Can you work it out yourself?"}
_REFUSALS = {
    "insufficient": "Something is missing",
    "contradictory": "Two statements clash",
    "invalid": "This cannot be",
    "not_understood": "Not understood",
}


def room() -> str:
    """Draw the page's title and the choice between its two rooms; return the room."""
    held = st.session_state.get("room") or st.query_params.get("room", "Ask")
    with st.container(horizontal=True, vertical_alignment="center", key="no_print"):
        st.title(_TITLES.get(held, _TITLES["Ask"]), anchor=False, width="content")
        chosen = st.segmented_control(
            "Ask or practise",
            links.PAGE_PARAMETERS["room"],
            default="Ask",
            required=True,
            key="room",
            bind="query-params",
            label_visibility="collapsed",
        )
    return chosen or "Ask"


def draw() -> None:
    """Draw the box and, once something was asked, everything that answers it."""
    question = _box()
    if not question.strip():
        _chips()
        plain.small(
            "Ask in your own words: English, German, French, Spanish, Portuguese or Chinese. "
            "You see the answer, how the question was read, and every step.",
            "invitation",
        )
        return
    result = ask_reading.read(question, ask_address.corrections())
    _answer(result)
    _quantities(question, result)
    _working(result)
    _onward(question, result)


# --- question -----------------------------------------------------------------------------------


def _box() -> str:
    # Another page drops the box and its place in the address; who returns finds the question.
    if not st.session_state.get("q") and st.session_state.get(_LAST):
        st.session_state["q"] = st.session_state[_LAST]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        question = st.text_area(
            "Your question",
            key="q",
            bind="query-params",
            height=84,
            max_chars=4000,
            placeholder="40 hours on one GPU, how long on 8?",
            on_change=_take_question,
        )
        st.button("Ask", key="ask_now")
    if question and question.strip():
        with st.popover("Examples", type="tertiary"):
            _chips()
    ask_enter.enter_asks()
    if question:
        st.session_state[_LAST] = question
    return question or ""


def _take_question() -> None:
    st.session_state[_LAST] = st.session_state["q"]
    _forget_corrections()


def _forget_corrections() -> None:
    ask_address.put(ask_address.FIX, "")


def _chips() -> None:
    with st.container(horizontal=True, key="examples", gap="small"):
        for i, (name, question) in enumerate(ask_reading.EXAMPLES.items()):
            st.button(plain.escaped(name), key=f"example_{i}", on_click=ask, args=(question,))


def ask(question: str) -> None:
    """Put a question into the box."""
    st.session_state["q"] = question
    _forget_corrections()


# --- answer -------------------------------------------------------------------------------------


def _answer(result: AskResult) -> None:
    answered = result.status == "answered"
    with st.container(border=True, key="answer"):
        if not answered:
            st.markdown(f"**{_REFUSALS[result.status]}**")
        plain.large(result.sentence or result.reason, "answer")
        for i, note in enumerate(result.notes):
            plain.small(note, f"note_{i}")
        if result.status == "not_understood":
            _nearest(result)


def _nearest(result: AskResult) -> None:
    read = [ask_reading.box_text(u) for u in result.understood]
    plain.small("Read: " + (", ".join(read) if read else "no quantity") + ".", "read")
    st.markdown("Questions of these kinds are answered:")
    with st.container(horizontal=True, key="nearest", gap="small"):
        for i, kind in enumerate(result.nearest):
            question = _OF_KIND.get(kind)
            name = plain.escaped(_begun_large(kind))
            if question:
                st.button(name, key=f"near_{i}", on_click=ask, args=(question,))


_BY_EXAMPLE = list(ask_reading.EXAMPLES.values())
_OF_KIND = {
    "time on N workers": _BY_EXAMPLE[0],
    "workers for a deadline": (
        "Training takes 40 hours on one GPU. How many GPUs are needed to finish in 5 hours "
        "with ideal scaling?"
    ),
    "speed-up and efficiency": _BY_EXAMPLE[1],
    "Amdahl and Gustafson": _BY_EXAMPLE[7],
    "throughput, epochs and steps": (
        "A data set has 1,200,000 images. 8 GPUs train 250 images/s each with ideal scaling. "
        "How long does an epoch take?"
    ),
    "bytes and time of an all-reduce": (
        "8 workers ring-all-reduce a gradient of 2 GB. How many GB does each worker send?"
    ),
    "cost and worker-hours": "8 GPUs run for 5 hours at $2 per GPU-hour. What does it cost?",
    "a measured series": _BY_EXAMPLE[5],
    "true or false": _BY_EXAMPLE[2],
    "the order of one training step": _BY_EXAMPLE[4],
}

# --- understood as ------------------------------------------------------------------------------


def _quantities(question: str, result: AskResult) -> None:
    said, granted = ask_reading.quantities(result)
    corrected = ask_address.corrections()
    missing = dict(zip(result.missing_roles, result.missing, strict=False))
    missing.pop("points", None)
    if not (said or missing or corrected):
        return
    editable = ask_reading.can_correct(question, tuple(sorted(corrected.items())))
    st.subheader("Understood as", anchor=False)
    grid = st.grid(4, min_column_width=150, gap="small")
    shown = set()
    for role, label in missing.items():
        _fill(grid.container(gap=None), question, role, label)
        shown.add(role)
    for quantity in said + [u for u in granted if u.role in corrected]:
        if quantity.role not in shown:
            _quantity(grid.container(gap=None), question, quantity, editable)
    if granted:
        lines = ", ".join(f"{u.label} {ask_reading.box_text(u)} ({u.why})" for u in granted)
        plain.small(f"Taken for granted: {lines}.", "granted")
    if corrected:
        st.button("Back to the question as asked", on_click=_forget_corrections, type="tertiary")


def _fill(place, question: str, role: str, label: str) -> None:  # type: ignore[no-untyped-def]
    with place:
        _quantity_box(question, role, label, "")
        plain.small("Missing: fill it in", f"why_{role}")


def _quantity(place, question: str, quantity: Understood, editable: bool) -> None:  # type: ignore[no-untyped-def]
    role = quantity.role
    with place:
        if editable or role in ask_address.corrections():
            _quantity_box(question, role, quantity.label, ask_reading.box_text(quantity))
        else:
            st.markdown(plain.escaped(_begun_large(quantity.label)))
            st.text(ask_reading.box_text(quantity))
        plain.small(_origin(quantity), f"why_{role}")


def _origin(quantity: Understood) -> str:
    if quantity.role in ask_address.corrections():
        return "Corrected by you"
    if quantity.text:
        return f"From “{quantity.text}”"
    return f"Assumed: {quantity.why}" if quantity.why else "Worked out"


def _quantity_box(question: str, role: str, label: str, now: str) -> None:
    key = f"fix_{role}"
    present = (question, now)
    if st.session_state.get(f"{key} shows") != present:
        st.session_state[key], st.session_state[f"{key} shows"] = now, present
    st.text_input(plain.escaped(_begun_large(label)), key=key, on_change=_take, args=(role, key))
    if sentence := state.refusal(key):
        st.error(plain.escaped(sentence))


def _begun_large(label: str) -> str:
    return label[:1].upper() + label[1:]


def _take(role: str, key: str) -> None:
    typed = st.session_state[key].strip()
    state.forgive(key)
    if not typed:
        ask_address.drop_correction(role)
        st.session_state.pop(f"{key} shows", None)
    elif sentence := ask_reading.problem(role, typed):
        state.refuse(key, sentence)
    else:
        ask_address.correct(role, typed)


# --- working ------------------------------------------------------------------------------------


def _working(result: AskResult) -> None:
    if not (result.steps or result.checks):
        return
    st.subheader("Working", anchor=False)
    for i, step in enumerate(result.steps):
        plain.small(_begun_large(step.what), f"step_{i}")
        lines = [part for part in (step.formula, step.substitution, step.result) if part]
        st.code("\n= ".join(lines), language=None, wrap_lines=True)
        if step.source:
            plain.small(f"Computed by {step.source}", f"source_{i}")
    for i, check in enumerate(result.checks):
        plain.small(check, f"check_{i}")


# --- where it leads -----------------------------------------------------------------------------


def _onward(question: str, result: AskResult) -> None:
    scenario = ask_picture.scenario_of(result)
    if scenario is not None:
        figure = ask_picture.picture(result, scenario)
        st.subheader("In the picture", anchor=False)
        chart.show(figure, height=340)
        st.caption(plain.escaped(f"{figure.alt} {ask_picture.remark(result, scenario)}".strip()))
    with st.container(horizontal=True, vertical_alignment="center"):
        if scenario is not None:
            st.page_link(
                "pages/explore.py",
                label="Open this situation in Explore →",
                query_params=dict(parse_qsl(result.explore.lstrip("?"))) | {links.OPEN: "1"},
            )
        share = st.popover("Share this question", key="share_question", on_change="rerun")
        if share.open:
            with share:
                fix = ask_address.text(ask_address.FIX)
                st.code(
                    ask_address.link({"q": question, ask_address.FIX: fix}),
                    language=None,
                    wrap_lines=True,
                )
