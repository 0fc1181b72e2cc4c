"""Explore in a real browser: the picture follows the hand, views open, files hold what is seen.

The address bar, keyboard and phone, and accessibility have files of their own beside this.
"""

from __future__ import annotations

import csv
import re

import psutil
import pytest
from playwright.sync_api import expect

from pages.ui.links import PAGE_PARAMETERS
from tests import hand

KEYS = ("hours", "n", "bw", "size")
VIEWS = PAGE_PARAMETERS["view"]
FIGURES = {"Breakdown": ("step", "shares"), "Map": ("map",), "Goals": (), "How it is made": (),
           "Compare": ("bridge",)}  # fmt: skip


@pytest.fixture(scope="module")
def desk(visit):
    """Return one page for the tests that leave no trace."""
    return visit()


def open_view(page, ready, view: str):
    """Open a view, unless it is open, and wait for its figures."""
    button = page.get_by_role("radio", name=view, exact=True)
    if not button.is_checked():
        button.click()
    expect(button).to_be_checked()
    hand.settle(page, ready)
    for name in FIGURES[view]:
        page.locator(f".st-key-chart-{name} .main-svg").first.wait_for(state="attached")


# --- the hand -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_the_picture_follows_a_dragged_slider_without_the_server(desk, ready, key):
    """Each reported value is drawn at 30 frames a second or more; release changes nothing."""
    before = hand.headline(desk)
    with hand.grabbed(desk, key) as (x, y):
        desk.messages.clear()
        desk.evaluate(hand.EYE, key)
        for step in range(1, 31):
            desk.mouse.move(x + 3.5 * step, y)
            desk.wait_for_timeout(16)
        desk.wait_for_timeout(60)
        eye, messages = desk.evaluate(hand.REPORT), list(desk.messages)
        text, picture = hand.headline(desk), desk.evaluate(hand.GEOMETRY)
    assert messages == []
    assert eye["shapes"] == eye["positions"] >= 4
    assert eye["drawn"] == eye["said"]
    assert eye["frames_per_s"] >= 30
    assert text != before
    hand.settle(desk, ready)
    assert desk.messages
    assert hand.headline(desk) == text
    assert hand.farthest(picture, desk.evaluate(hand.GEOMETRY)) <= 0.1


@pytest.mark.parametrize("key", KEYS)
def test_a_key_press_shows_before_the_server_answers(desk, ready, app_server, key):
    """Headline and curves are new while the server sleeps, and stay when it has answered."""
    thumb = hand.slider(desk, key)
    thumb.focus()
    before, text = desk.evaluate(hand.GEOMETRY), hand.headline(desk)
    server = psutil.Process(app_server.pid)
    server.suspend()
    try:
        thumb.press("ArrowLeft")
        live, live_text = desk.evaluate(hand.GEOMETRY), hand.headline(desk)
    finally:
        server.resume()
    assert live_text != text
    assert hand.farthest(before, live) > 0.1
    hand.settle(desk, ready)
    assert hand.headline(desk) == live_text
    assert hand.farthest(live, desk.evaluate(hand.GEOMETRY)) <= 0.1


def test_a_link_brings_figure_headline_view_and_pin_and_a_reload_keeps_them(visit, ready):
    """What the address says is what is drawn, twice."""
    page = visit({"n": "7", "mode": "realistic", "pin": "n=8&bw=25", "view": "Breakdown"})
    for _ in range(2):
        figure = page.get_by_role("figure", name=re.compile("^Training time"))
        expect(figure).to_have_attribute("aria-label", re.compile("7 workers"))
        expect(page.get_by_role("radio", name="Breakdown")).to_be_checked()
        expect(page.get_by_role("button", name="Unpin")).to_be_visible()
        now = hand.headline(page), page.evaluate(hand.GEOMETRY)
        address = page.url
        page.reload()
        ready(page)
        hand.settle(page, ready)
    assert (hand.headline(page), page.evaluate(hand.GEOMETRY)) == now
    assert page.url == address


# --- views and files ----------------------------------------------------------------------------


def saved(page, act) -> bytes:
    """Return the file that an action downloads."""
    with page.expect_download() as waiting:
        act()
    return waiting.value.path().read_bytes()


def csv_button(page, name: str):
    """Return a view's button for its table; Streamlit draws one for mouse and one for touch."""
    return page.locator(f".st-key-csv-{name} button:visible")


def table(data: bytes) -> list[list[str]]:
    """Read CSV."""
    return list(csv.reader(data.decode().splitlines()))


@pytest.fixture(scope="module")
def compared(visit, ready):
    """Return a page on which a scenario is pinned and another one shown."""
    page = visit({"mode": "realistic"})
    page.get_by_role("button", name="Pin to compare").click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    hand.slider(page, "n").press("ArrowRight")
    hand.settle(page, ready)
    return page


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_opens_with_its_figures_their_words_and_files(compared, ready, view):
    """No exception, no error in the console, no request elsewhere; every figure has words, PNG, CSV."""  # noqa: E501
    open_view(compared, ready, view)
    assert compared.locator("[data-testid=stException]").count() == 0
    for name in FIGURES[view]:
        chart = compared.locator(f".st-key-chart-{name}")
        words = chart.get_by_role("figure").get_attribute("aria-label")
        assert re.search(r"\d", words)
        rows = table(saved(compared, csv_button(compared, name).click))
        assert len(rows) > 3
        assert len({len(row) for row in rows}) == 1
        chart.hover()
        png = chart.get_by_role("button", name="Download plot as a PNG")
        assert saved(compared, png.click).startswith(b"\x89PNG")
    compared.troubles.assert_none()


def test_a_comparison_shows_both_curves_and_bars_that_add_up(compared, ready):
    """Pinned hours plus every change are the present hours, which are the headline's."""
    open_view(compared, ready, "Compare")
    for figure in ("time", "speedup"):
        traces = compared.evaluate(
            f"document.querySelector('#nf-{figure} .nf-plot').data"
            ".filter(t => ['Predicted', 'Pinned'].includes(t.name)).map(t => Array.from(t.y))"
        )
        assert len(traces) == 2
        assert traces[0] == pytest.approx(traces[1], rel=1e-3, nan_ok=True)
    rows = table(saved(compared, csv_button(compared, "bridge").click))
    assert rows[0] == ["step", "hours"]
    hours = [float(value) for _, value in rows[1:]]
    assert [rows[1][0], rows[-1][0]] == ["Pinned", "Now"]
    assert sum(hours[:-1]) == pytest.approx(hours[-1], rel=1e-4)
    shown = re.search(r"Training time\s+([\d.,]+) h", hand.headline(compared))[1]
    assert float(shown) == pytest.approx(hours[-1], rel=5e-3)


@pytest.mark.parametrize(("figure", "column"), [("Training time", "time"), ("Speed-up", "speed")])
def test_a_curve_is_saved_as_table_and_picture(desk, figure, column):
    """The table has units in its header and a row for each point that is drawn."""
    rows = table(saved(desk, desk.get_by_role("button", name=f"{figure}: save as CSV").click))
    assert (
        rows[0]
        == {"time": ["workers", "training_time_h"], "speed": ["workers", "speed_up"]}[column]
    )
    points = desk.evaluate("document.querySelector('#nf-time .nf-plot').data[2].x.length")
    assert len(rows) - 1 == points >= 60
    numbers = [[float(value) for value in row if value] for row in rows[1:]]
    assert numbers[0][0] == 1
    assert all(a[0] < b[0] for a, b in zip(numbers, numbers[1:], strict=False))
    picture = saved(desk, desk.get_by_role("button", name=f"{figure}: save as PNG").click)
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20]) >= 1280
