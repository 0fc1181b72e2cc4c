"""Nothing on any page breaks WCAG A or AA, in both themes, whatever is open."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from pages.ui.assumptions import BY_GROUP
from pages.ui.links import PAGE_PARAMETERS

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
# Names, roles and sizes are the same in both themes: the second theme's check is the colours'.
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
VIEWS = PAGE_PARAMETERS["view"]
SCHEME = "getComputedStyle(document.querySelector('.stApp')).colorScheme"


@pytest.fixture(scope="module")
def axe():
    """Return the accessibility checker."""
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


@pytest.fixture(scope="module")
def expect_clean(axe, ready):
    """Return a function that checks what a page shows now, in the light and the dark theme."""

    def wrong(page, rules) -> list:
        found = axe.run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response
        assert found["passes"]
        return [
            (item["id"], node["html"], node["failureSummary"])
            for item in found["violations"]
            for node in item["nodes"]
        ]

    def check(page):
        here = page.evaluate(SCHEME)
        assert wrong(page, RULES) == [], here
        other = "light" if here == "dark" else "dark"
        page.emulate_media(color_scheme=other)
        page.wait_for_function(f"other => ({SCHEME}) === other", arg=other)
        page.wait_for_timeout(200)  # colours fade over
        ready(page)
        assert wrong(page, OF_COLOURS) == [], other

    return check


def test_every_group_of_assumptions_and_every_view(visit, expect_clean, ready):
    """Further knobs and figures have names, roles and contrast."""
    page = visit({"more": "true", "mode": "realistic", "n": "8"})
    expect_clean(page)
    for number, group in enumerate(BY_GROUP):
        page.get_by_role("tab", name=group, exact=True).click()
        page.locator(f".st-key-{BY_GROUP[group][0].link}").wait_for()
        if number < len(VIEWS):
            page.get_by_role("radio", name=VIEWS[number]).click()
            page.wait_for_url(f"**view={quote_plus(VIEWS[number])}**")
        page.wait_for_timeout(100)
        ready(page)
        expect_clean(page)
    assert number >= len(VIEWS)


def test_a_comparison_with_a_pinned_scenario(visit, expect_clean):
    """The bridge from the pinned scenario to the present one."""
    page = visit({"pin": "n=8", "view": "Compare"})
    page.wait_for_selector(".st-key-chart-bridge .waterfalllayer path", state="attached")
    expect_clean(page)


def test_a_bad_link_and_a_refused_value_in_an_open_box(visit, expect_clean):
    """The warning above and the sentence inside the box of an exact value."""
    page = visit({"wrokers": "8"})
    page.locator(".st-key-exact_bw button").click()
    box = page.locator(".st-key-box_bw input")
    box.fill("fast")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(2)
    expect_clean(page)


def test_share_and_save_with_a_refused_file(visit, expect_clean):
    """Link, files, upload and the sentence about what was pasted."""
    page = visit({})
    page.get_by_role("button", name="Share and save").click()
    page.locator(".st-key-scenario_text textarea").fill("{broken")
    page.get_by_role("button", name="Open what was pasted").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect_clean(page)


def test_an_impossible_setting(visit, expect_clean):
    """The sentence that stands in place of the headline's numbers."""
    page = visit({"n": "4096"})
    expect(page.locator(".nf-message")).to_contain_text("cannot share")
    expect_clean(page)


def test_method_and_glossary(visit, expect_clean, ready):
    """Formulas, tables and the glossary."""
    page = visit({}, "method")
    expect(page.get_by_role("tab", name="Method")).to_have_attribute("aria-selected", "true")
    expect_clean(page)
    page.get_by_role("tab", name="Glossary").click()
    expect(page.get_by_role("cell", name="Efficiency", exact=True)).to_be_visible()
    expect_clean(page)
