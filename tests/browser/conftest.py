"""A server with the toy page, and pages in a real browser, for the tests of the live panel."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOY = Path(__file__).parent / "apps" / "live_toy.py"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
OPTIONS = {
    "server.address": "127.0.0.1",
    "server.headless": "true",
    "server.enableStaticServing": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "runner.postScriptGC": "false",
    "theme.light.primaryColor": "#0b57d0",
    "theme.dark.primaryColor": "#8ab4f8",
}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(url: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(url + "/_stcore/health", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if server.poll() is not None:
                break
            time.sleep(0.1)
    pytest.fail(f"the toy server did not start:\n{log.read_text()}")


def _serve(folder: Path):
    """Run a copy of the toy page, so that the served folder lies beside it and not in the tree."""
    shutil.copy(TOY, folder)
    url, log = f"http://127.0.0.1:{(port := _free_port())}", folder / "log.txt"
    options = [f"--{name}={value}" for name, value in OPTIONS.items()]
    command = [sys.executable, "-m", "streamlit", "run", TOY.name, f"--server.port={port}"]
    with log.open("wb") as out:
        server = subprocess.Popen(
            [*command, *options],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_for(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def toy_server(tmp_path_factory):
    """Address of a server with the toy page."""
    yield from _serve(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def sealed_server(tmp_path_factory):
    """Address of a server whose served folder cannot be made."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "static").write_text("not a folder")
    yield from _serve(folder)


@pytest.fixture(scope="module")
def toy_browser():
    """A real Chromium; skipped in the open where there is none, unless one is required."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        reason = "no Chromium found (set CHROMIUM to its path)"
        pytest.fail(reason) if os.environ.get("REQUIRE_BROWSER") else pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context_with(toy_browser):
    """Return a function that gives one browser context for each set of options."""
    contexts = {}
    viewport = {"viewport": {"width": 1280, "height": 1000}}

    def get(**options):
        name = repr(options)
        if name not in contexts:
            contexts[name] = toy_browser.new_context(**viewport | options)
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
        page.goto((url or toy_server) + "/" + query)
        page.settle = lambda: settle(page)
        page.settle()
        drawn = ".nf-plot .main-svg" if plotly else ".nf-sketch svg"
        page.wait_for_selector(drawn, state="attached")
        return page

    yield open_page
    for page in pages:
        page.close()


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
    page.wait_for_selector(".nf-panel:not(.nf-moving) .nf-headline")
