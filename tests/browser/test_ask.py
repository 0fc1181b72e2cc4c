"""The Ask page in a real browser: Enter asks, corrections, Explore, links, phone, keyboard, axe."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

TIME = "13.5 hours on one GPU at 90 % efficiency. How long on 7 GPUs?"
ANSWER = "Training time on 7 workers: 2.143 h."
TWICE = "Training time on 14 workers: 1.071 h."
# A busy machine takes its time over the first visit's scripts.
expect.set_options(timeout=20_000)
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}}


@pytest.fixture
def visit(app_server, new_page, ready):
    """Return a function that opens the Ask page at a query and waits until it stands."""

    def go(query: str = "", **options):
        page = new_page(**options)
        page.goto(f"{app_server}/ask{query}")
        ready(page)
        return page

    return go


def asking(**more: str) -> str:
    return "?" + "&".join(f"{k}={quote(v)}" for k, v in ({"q": TIME} | more).items())


def box(page):
    return page.get_by_role("textbox", name="Your question")


def expect_answer(page, sentence: str):
    expect(page.locator(".st-key-large_answer")).to_have_text(sentence)


def query(page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def correct(page, label: str, text: str):
    field = page.get_by_role("textbox", name=label)
    field.fill(text)
    field.press("Enter")


def test_enter_asks_and_a_reload_answers_again(visit, ready):
    """The question stands in the address as soon as it is asked."""
    page = visit()
    box(page).fill(TIME)
    box(page).press("Enter")
    expect_answer(page, ANSWER)
    page.wait_for_url("**q=13.5**")
    assert query(page)["q"] == TIME
    assert box(page).input_value() == TIME
    page.reload()
    expect_answer(page, ANSWER)
    page.troubles.assert_none()


def test_a_pasted_table_keeps_its_lines(visit):
    """Shift and Enter, like pasting, make a new line; only Enter alone asks."""
    page = visit()
    box(page).fill("GPUs, images/s")
    box(page).press("Shift+Enter")
    box(page).press_sequentially("1, 400")
    assert box(page).input_value() == "GPUs, images/s\n1, 400"
    expect(page.locator(".st-key-answer")).to_have_count(0)


def test_a_correction_answers_again_and_is_in_the_address(visit):
    """The link that is shared brings question and correction to a fresh browser."""
    page = visit(asking())
    expect_answer(page, ANSWER)
    correct(page, "Number of workers", "14")
    expect_answer(page, TWICE)
    page.wait_for_url("**fix=workers**")
    page.get_by_role("button", name="Share this question").click()
    link = page.locator(".st-key-share_question code, [data-testid=stPopoverBody] code").first
    expect(link).to_contain_text("fix=workers")
    fresh = visit("?" + urlsplit(link.inner_text()).query)
    expect_answer(fresh, TWICE)
    expect(fresh.get_by_role("textbox", name="Number of workers")).to_have_value("14")
    page.reload()
    expect_answer(page, TWICE)
    fresh.troubles.assert_none()


def test_explore_opens_with_the_same_scenario_and_a_return_answers_again(visit):
    """Seven workers and 13.5 hours are on the sliders and in the address."""
    page = visit(asking())
    page.get_by_role("link", name="Open this situation in Explore").click()
    sliders = {"n": "7", "hours": "13.5"}
    for key, text in sliders.items():
        slider = page.locator(f".st-key-{key} input[type=range]")
        expect(slider).to_have_attribute("aria-valuetext", text)
    page.wait_for_function("!location.search.includes('open=')")
    assert query(page) == {"n": "7", "hours": "13.5", "mode": "ideal"}
    page.get_by_role("link", name="Ask", exact=True).click()
    expect_answer(page, ANSWER)
    page.troubles.assert_none()


def test_the_keyboard_alone_asks_corrects_and_practises(visit):
    """No pointer is needed anywhere."""
    page = visit()
    box(page).focus()
    page.keyboard.type(TIME)
    page.keyboard.press("Enter")
    expect_answer(page, ANSWER)
    page.get_by_role("textbox", name="Number of workers").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("14")
    page.keyboard.press("Enter")
    expect_answer(page, TWICE)


def test_practice_is_answered_with_enter_and_keeps_the_score(visit):
    """A wrong answer is told why, with the solution."""
    page = visit("?room=Practice&seed=7&kinds=gradient")
    typed = page.get_by_role("textbox", name="Your answer, with its unit")
    typed.fill("1 TB")
    typed.press("Enter")
    expect(page.get_by_text("Worked solution")).to_be_visible()
    expect(page.locator(".st-key-small_score")).to_contain_text("0 of 1 right")
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".st-key-small_score")).to_contain_text("Question 2")
    assert query(page) == {"room": "Practice", "seed": "7", "kinds": "gradient"}
    page.troubles.assert_none()


def test_a_class_with_one_link_gets_one_set_and_can_print_it(visit):
    """The sheet in print holds the questions and none of the controls."""
    link = "?room=Practice&seed=42&kinds=ring,cost&level=2"
    first, second = (visit(link).locator(".st-key-large_exercise").inner_text() for _ in "ab")
    assert first == second
    page = visit(link + "&sheet=questions")
    page.emulate_media(media="print")
    expect(page.locator(".st-key-exercise_10")).to_be_attached()
    assert first in page.locator(".st-key-exercise_1").inner_text()
    expect(page.locator(".st-key-no_print")).not_to_be_visible()
    expect(page.locator(".st-key-scenario_box")).not_to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("at", [asking(), "?room=Practice&seed=7"], ids=["ask", "practice"])
def test_it_is_accessible_and_fits_a_phone(visit, scheme, at):
    """No violation of WCAG 2.2 AA, and nothing wider than 390 pixels."""
    page = visit(at, width=390, height=844, scheme=scheme)
    expect(page.locator("[class*=st-key-large_]").first).to_be_visible()
    page.get_by_role("button", name="Share this" if "q=" in at else "Same set").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    found = Axe().run(page, options=RULES).response["violations"]
    assert not [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found]


def test_a_question_is_shown_as_it_was_typed(visit):
    """No tag, formula, link or heading comes out of it."""
    odd = "<b>x</b> $y$ [a](b) # z zero GPUs need 40 hours on one GPU. How long?"
    page = visit("?q=" + quote(odd))
    expect(page.locator(".st-key-answer")).to_be_visible()
    assert page.locator("[data-testid=stMain] :is(b, .katex, a[href=b])").count() == 0
