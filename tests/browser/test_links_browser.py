"""The address bar in a real browser: it always says what the screen shows, and brings it back."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

SLIDERS = {"hours": "Hours on one worker", "n": "Workers", "bw": "Bandwidth", "size": "Model size"}
DEFAULTS = {"hours": "40", "n": "16", "bw": "10", "size": "25.6"}


@pytest.fixture
def visit(app_server, new_page, ready):
    """Return a function that opens the app at a query and waits until its controls stand."""

    def go(query: str = "", path: str = "", **options):
        page = new_page(**options)
        page.goto(f"{app_server}/{path}{query}")
        ready(page)
        slider(page, "n").wait_for(state="attached")
        return page

    return go


def slider(page, key):
    return page.locator(f".st-key-{key} input[type=range]")


def shown(page) -> dict[str, str]:
    return {key: slider(page, key).get_attribute("aria-valuetext") for key in SLIDERS}


def expect_shown(page, **values):
    """Wait until the sliders show these texts, all others their defaults."""
    for key, text in (DEFAULTS | values).items():
        expect(slider(page, key)).to_have_attribute("aria-valuetext", text)


def address(page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def expect_address(page, **wanted):
    """Wait until the address bar says this and nothing else."""
    page.wait_for_function(
        """wanted => JSON.stringify([...new URLSearchParams(location.search)].sort())
            === JSON.stringify(Object.entries(wanted).sort())""",
        arg=wanted,
    )


def history_length(page) -> int:
    return page.evaluate("history.length")


def choose(page, situation: str):
    page.get_by_role("combobox", name="Situation").click()
    page.get_by_role("option", name=situation, exact=True).click()


def test_a_key_press_changes_the_address_and_adds_nothing_to_the_history(visit):
    """Moves replace the entry, so that Back leaves the page as it always did."""
    page = visit()
    before = history_length(page)
    for key in ("n", "bw"):
        slider(page, key).press("ArrowRight")
    expect_address(page, n="32", bw="16")
    assert history_length(page) == before
    page.troubles.assert_none()


def test_a_reload_and_a_fresh_browser_show_the_same(visit):
    """The address alone reproduces the screen."""
    page = visit()
    choose(page, "VGG-16 on 25 GbE")
    page.wait_for_url("**from=vgg16**")
    slider(page, "n").press("ArrowRight")
    page.wait_for_url("**n=32**")
    before = shown(page)
    page.reload()
    slider(page, "n").wait_for(state="attached")
    expect_shown(page, **before)
    expect(page.get_by_text("Changed from preset: Workers 32.")).to_be_visible()
    fresh = visit("?" + urlsplit(page.url).query)
    expect_shown(fresh, **before)
    fresh.troubles.assert_none()


def test_a_preset_is_one_step_in_the_history_and_back_undoes_it(visit):
    """Eight knobs change at once; one Back brings all of them back, Forward sets them again."""
    page = visit("?n=32")
    before = history_length(page)
    choose(page, "BERT-large on 32 nodes")
    page.wait_for_url("**from=bert32**")
    expect_shown(page, hours="9000", n="256", bw="100", size="335")
    assert history_length(page) == before + 1
    page.go_back()
    expect_shown(page, n="32")
    expect_address(page, n="32")
    page.go_forward()
    expect_shown(page, hours="9000", n="256", bw="100", size="335")


def test_reset_everything_is_one_click_and_one_step(visit):
    """The address is bare again, and Back brings the setting back."""
    page = visit("?n=7&lat=50&mode=realistic")
    page.get_by_role("button", name="Reset", exact=True).click()
    expect_address(page)
    expect_shown(page)
    page.go_back()
    expect_shown(page, n="7")
    expect_address(page, n="7", lat="50", mode="realistic")


def test_two_tabs_do_not_share_anything(visit):
    """Each tab has its own scenario."""
    first, second = visit("?n=8"), visit("?n=64")
    slider(first, "bw").press("ArrowRight")
    expect_address(first, n="8", bw="16")
    expect_shown(second, n="64")
    assert address(second) == {"n": "64"}


def test_names_units_and_values_of_no_ladder_open(visit):
    """?size=7B&hours=1.5d&workers=7 is a link, and becomes one in short names."""
    page = visit("?size=7B&hours=1.5d&workers=7")
    expect_shown(page, size="7000", hours="36", n="7")
    expect_address(page, size="7000", hours="36", n="7")


def test_a_bad_link_says_what_was_dropped_and_keeps_the_rest(visit):
    """One warning with every sentence; the address holds what was kept."""
    page = visit("?wrokers=8&lat=fast&n=1e30&bw=25")
    expect_shown(page, bw="25")
    warning = page.get_by_role("alert")
    for part in ("wrokers", "fast", "Workers cannot be"):
        expect(warning).to_contain_text(part)
    expect_address(page, bw="25")
    page.get_by_role("button", name="Dismiss").click()
    expect(warning).to_have_count(0)
    page.troubles.assert_none()


def test_the_scenario_goes_along_to_other_pages_and_back(visit):
    """Every page's address is whole, also where the controls are folded away."""
    page = visit("?n=8&lat=50")
    page.get_by_role("link", name="Method", exact=True).click()
    page.wait_for_url("**/method?**")
    expect_address(page, n="8", lat="50")
    page.get_by_text("Scenario", exact=True).click()
    slider(page, "n").press("ArrowRight")
    expect_address(page, lat="50")
    page.get_by_role("link", name="Explore", exact=True).click()
    expect_shown(page, n="16")
    expect_address(page, lat="50")


def test_a_whole_link_opens_in_a_fresh_browser(visit, new_page):
    """The link in "Share and save" names every knob and shows the same."""
    page = visit("?n=7&lat=50&mode=realistic")
    page.get_by_role("button", name="Share and save").click()
    link = page.locator("[data-testid=stCode] code").inner_text()
    assert dict(parse_qsl(urlsplit(link).query))["batch"] == "512"
    fresh = new_page()
    fresh.goto(link)
    expect_shown(fresh, n="7")
    expect_address(fresh, n="7", lat="50", mode="realistic")


def test_a_saved_scenario_can_be_opened_again(visit, tmp_path):
    """The JSON download is taken back by the upload box."""
    page = visit("?n=7&lat=50")
    page.get_by_role("button", name="Share and save").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Scenario (JSON)").click()
    file = tmp_path / "scenario.json"
    saved.value.save_as(file)
    other = visit()
    other.get_by_role("button", name="Share and save").click()
    other.locator("input[type=file]").set_input_files(file)
    expect_shown(other, n="7")
    expect_address(other, n="7", lat="50")


def test_an_exact_value_takes_units_and_answers_bad_ones_beside_the_box(visit):
    """12.5 GB/s is 100 Gb/s; "fast" is answered in one sentence and changes nothing."""
    page = visit()
    page.get_by_role("button", name="10 Gb/s: 10 GbE").click()
    box = page.locator(".st-key-box_bw input")
    box.fill("fast")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Bandwidth: 'fast' cannot be read")
    expect_address(page)
    box.fill("12.5 GB/s")
    box.press("Enter")
    expect_address(page, bw="100")
    expect(page.get_by_role("button", name="100 Gb/s: 100 GbE")).to_be_visible()


def test_a_model_can_be_picked_by_its_name(visit):
    """GPT-2 XL sets the size, and the caption names it."""
    page = visit()
    page.get_by_role("button", name="25.6 M parameters: ResNet-50").click()
    page.get_by_role("combobox", name="Or pick a model").click()
    page.get_by_role("option", name="GPT-2 XL").click()
    expect(page.get_by_role("button", name="GPT-2 XL")).to_be_visible()
    assert address(page)["size"].startswith("15")


def test_a_further_knob_takes_typed_text_with_a_unit(visit):
    """0.1 ms is 100 µs; a bad text is answered beside the box, and Back undoes the change."""
    page = visit("?more=true&group=Network")
    box = page.locator(".st-key-lat input")
    for typed in ("0.1 ms", "fast"):
        box.click()
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect_address(page, more="true", group="Network", lat="100")
        expect(box).to_have_value("100")
    expect(page.get_by_role("alert")).to_contain_text("Latency: 'fast' cannot be read")
    page.go_back()
    expect_address(page, more="true", group="Network")
    expect(box).to_have_value("20")


def test_the_keyboard_alone_reaches_and_moves_every_headline_control(visit):
    """Tab goes through situation, mode, reset or share and the sliders in their order."""
    page = visit()
    page.get_by_role("combobox", name="Situation").focus()
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.closest('[class*=st-key-]')?.className ?? ''")
        )
    order = [key for name in reached for key in SLIDERS if f"st-key-{key} " in name + " "]
    assert list(dict.fromkeys(order)) == list(SLIDERS)


@pytest.mark.parametrize("query", ["", "?preset=bert32&more=true&group=Network"])
def test_a_phone_needs_no_sideways_scroll(visit, query):
    """390 pixels are enough, the further knobs open or not."""
    page = visit(query, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.troubles.assert_none()
