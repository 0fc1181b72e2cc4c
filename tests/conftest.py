"""Fixtures for every test: the running app, browser pages, and measurements beside the checkout."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import browsing
from tests.chromium import find_chromium

SHARED = browsing.ROOT.parent / "shared"
BROWSER_TESTS = browsing.ROOT / "tests" / "browser"
BROWSER_FIXTURES = {"browser", "new_page"}
NO_BROWSER = "no Chromium: `make test` brings one, or set CHROMIUM to its path"


def pytest_collection_modifyitems(items):
    """Mark the tests that use a browser, so that `-m "not browser"` leaves them out."""
    for item in items:
        used = BROWSER_FIXTURES & set(getattr(item, "fixturenames", ()))
        if used or item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker(pytest.mark.browser)
            # A page that waits for server and browser on a busy machine can miss its time; the
            # report names every test that needed a second try.
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Fail instead of skip where a browser is demanded, and show the app's log beside failures."""
    report = yield
    if report.skipped and _demands_browser(item) and NO_BROWSER in str(report.longrepr):
        report.outcome, report.longrepr = "failed", f"REQUIRE_BROWSER=1, but {NO_BROWSER}"
    server = getattr(item, "funcargs", {}).get("app_server")
    if report.failed and server is not None:
        report.sections.append(("log of the app", server.log_tail()))
    return report


def _demands_browser(item) -> bool:
    return os.environ.get("REQUIRE_BROWSER") == "1" and item.get_closest_marker("browser")


@pytest.fixture(scope="session")
def start_app(tmp_path_factory):
    """Return a function that runs a Streamlit script, with more options, until the tests end."""
    folder = tmp_path_factory.mktemp("apps")
    with ExitStack() as stack:

        def start(script: Path, *options: str) -> browsing.Server:
            log = folder / f"{len(list(folder.iterdir()))}_{script.stem}.log"
            return stack.enter_context(browsing.running_app(script, log, *options))

        yield start


@pytest.fixture(scope="session")
def app_server(start_app):
    """Return the running app: f"{app_server}/ask?n=8" is an address in it."""
    return start_app(browsing.ROOT / "app.py")


@pytest.fixture(scope="session")
def browser():
    """Return a headless Chromium, or skip and say why."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium, args=list(browsing.CHROMIUM_FLAGS)
        )
        yield launched
        launched.close()


@pytest.fixture
def new_page(browser):
    """Return a function that opens an empty page in a profile of its own.

    The page's `troubles` hold console errors and requests beyond this machine;
    `page.troubles.assert_none()` fails where there are any.
    """
    with ExitStack() as stack:

        def open_page(width: int = 1440, height: int = 900, scheme: str = "light", **options):
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, **options
            )
            stack.callback(context.close)
            page = context.new_page()
            page.troubles = browsing.Troubles()
            page.troubles.watch(page)
            return page

        yield open_page


@pytest.fixture(scope="session")
def ready():
    """Return the function that waits until the script has run and its page is drawn."""
    return browsing.ready


@pytest.fixture(scope="session")
def shared():
    """Return the folder `shared` beside the checkout, with measurements too large to keep here."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder `{SHARED.name}` beside the checkout: its measurements are not here")
    return SHARED
