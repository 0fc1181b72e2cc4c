"""A server with the toy page, and pages in a real browser, for the tests of the live panel."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests import hand
from tests.browsing import Troubles

TOY = Path(__file__).parent / "apps" / "live_toy.py"
VIEWPORT = {"viewport": {"width": 1280, "height": 1000}}


@pytest.fixture(scope="module")
def toy_server(start_app, tmp_path_factory):
    """Address of a server with a copy of the toy page: what it serves stays out of the tree."""
    return start_app(Path(shutil.copy(TOY, tmp_path_factory.mktemp("toy"))))


@pytest.fixture(scope="module")
def sealed_server(start_app, tmp_path_factory):
    """Address of a server whose served folder cannot be made."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "static").write_text("not a folder")
    return start_app(Path(shutil.copy(TOY, folder)))


@pytest.fixture(scope="module")
def context_with(browser):
    """Return a function that gives one browser profile for each set of options."""
    contexts = {}

    def get(**options):
        name = repr(options)
        if name not in contexts:
            contexts[name] = browser.new_context(**VIEWPORT | options)
        return contexts[name]

    yield get
    for context in contexts.values():
        context.close()


@pytest.fixture
def open_toy(context_with, toy_server):
    """Return a function that opens the toy page and waits until its panel stands."""
    pages = []

    def open_page(query="", *, url=None, before=None, plotly=True, **context_options):
        page = context_with(**context_options).new_page()
        pages.append(page)
        _record(page)
        if before:
            before(page)
        page.goto(f"{url or toy_server}/{query}")
        page.settle = lambda: settle(page)
        page.settle()
        drawn = ".nf-plot .main-svg" if plotly else ".nf-sketch svg"
        page.wait_for_selector(drawn, state="attached")
        return page

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture(scope="module")
def visit(context_with, app_server, ready):
    """Return a function that opens an address of the app in a tab of a shared profile."""
    pages = []

    def go(query: dict[str, str] | None = None, path: str = "", **options):
        page = context_with(**({"viewport": {"width": 1440, "height": 900}} | options)).new_page()
        pages.append(page)
        page.troubles, page.messages = Troubles(), []
        page.troubles.watch(page)
        page.on("websocket", lambda socket: _overhear(socket, page.messages))
        page.goto(f"{app_server}/{path}?{urlencode(query or {})}")
        ready(page)
        if not path:
            hand.settle(page, ready)
        return page

    yield go
    for page in pages:
        page.close()


def _overhear(socket, messages: list) -> None:
    socket.on("framesent", lambda text: messages.append(("sent", text)))
    socket.on("framereceived", lambda text: messages.append(("received", text)))


def _record(page) -> None:
    """Keep the page's errors and the messages that it sends to the server."""
    page.problems, page.sent = [], []

    def keep_message(payload):
        page.sent.append(payload)

    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("websocket", lambda socket: socket.on("framesent", keep_message))


def settle(page) -> None:
    """Wait until the server has answered and the panel shows its answer."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_selector(".nf-panel:not(.nf-moving) .nf-headline", state="attached")
