"""What the screen's benchmarks share: how a figure is printed, and a page that is ready."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from playwright.sync_api import Browser, Page

from tests.browsing import Server, ready

DESKTOP = {"viewport": {"width": 1440, "height": 900}}


def say(name: str, value: float, unit: str, target: float | None = None, *, less: bool = True):
    """Print one figure, beside its target where it has one."""
    text = f"{name:58s} {value:10.3g} {unit:10s}"
    if target is not None:
        holds = value <= target if less else value >= target
        verdict = "holds" if holds else "falls short"
        text += f" target {'<=' if less else '>='} {target:g}: {verdict}"
    print(text.rstrip(), flush=True)


@contextmanager
def load_noted(part: str) -> Iterator[None]:
    """Print a part's title, and the machine's load before and after it."""
    before = os.getloadavg()[0]
    print(f"-- {part}", flush=True)
    yield
    print(f"   load of the machine {before:.2f} before, {os.getloadavg()[0]:.2f} after", flush=True)


def processor_seconds(server: Server) -> float:
    """Return the processor time that a server has used [s]."""
    return sum(psutil.Process(server.pid).cpu_times()[:2])


def open_page(browser: Browser, url: str, chart: str) -> Page:
    """Open an address in a profile of its own and wait for its curves."""
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(url)
    ready(page)
    page.wait_for_selector(chart, state="attached")
    page.wait_for_timeout(800)
    return page
