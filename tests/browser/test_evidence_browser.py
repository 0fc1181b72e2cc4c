"""The Evidence page in a real browser: points and rows open runs, and a run opens in Explore."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest


@pytest.fixture
def evidence(app_server, new_page, ready):
    """Return a function that opens the page at a query."""

    def go(query: str = "", **options):
        page = new_page(**options)
        page.goto(f"{app_server}/evidence{query}")
        ready(page)
        page.locator(".js-plotly-plot .points path").first.wait_for()
        return page

    return go


def address(page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def test_headline_and_both_charts_fit_the_first_screen(evidence):
    """Nothing to scroll for the answer."""
    page = evidence()
    charts = page.locator(".js-plotly-plot")
    assert charts.count() == 2
    for place in range(2):
        box = charts.nth(place).bounding_box()
        assert box["y"] + box["height"] <= 900
    page.troubles.assert_none()


def test_a_point_opens_its_run_and_its_source(evidence):
    """One click from a point to curve, file, rows and publication."""
    page = evidence()
    page.locator(".js-plotly-plot").first.locator(".points path").nth(40).click(force=True)
    page.wait_for_function("new URLSearchParams(location.search).has('case')")
    case = address(page)["case"]
    page.get_by_text(case, exact=True).first.wait_for()
    assert page.get_by_text("Source").first.is_visible()
    page.troubles.assert_none()


def test_a_run_opens_in_explore_with_its_points(evidence, ready):
    """The address then says scenario and run, and the points have a place in the legend."""
    page = evidence("?case=tf17_dgx1p100_alexnet_b512_synth")
    page.get_by_role("button", name="Open in Explore").click()
    page.wait_for_function("new URLSearchParams(location.search).has('measured')")
    ready(page)
    page.get_by_role("heading", name="How close to N times faster?").wait_for()
    assert address(page)["mode"] == "realistic"
    page.get_by_text("Take measured points off").wait_for()
    page.troubles.assert_none()


def test_it_fits_a_phone(evidence):
    """Nothing is wider than a narrow screen."""
    page = evidence(width=390, height=844)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
