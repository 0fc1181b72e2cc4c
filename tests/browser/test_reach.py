"""Explore and Method by keyboard alone and on a phone: everything is reached, nothing is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pages.ui.links import PAGE_PARAMETERS
from tests import hand

KEYS = ("hours", "n", "bw", "size")
VIEWS = PAGE_PARAMETERS["view"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDTH = """Math.max(document.documentElement.scrollWidth,
  document.querySelector('[data-testid=stMain]').scrollWidth)"""
# Text that reaches beyond the window, or is cut off by its own box, without a way to scroll there.
CLIPPED = """() => {
  const scrolls = node => node && (['auto', 'scroll'].includes(getComputedStyle(node).overflowX)
    && node.scrollWidth > node.clientWidth && node.clientWidth <= innerWidth || scrolls(node.parentElement));
  const cut = node => {
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    if (box.width < 2 || style.visibility === 'hidden' || node.closest('[aria-hidden=true]:not(.nf-stage), .katex-mathml'))
      return false;
    if (box.right > innerWidth + 1 || box.left < -1) return !scrolls(node.parentElement);
    return style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
      && node.scrollWidth > node.clientWidth + 1;
  };
  const own = node => [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  return [...document.querySelectorAll('[data-testid=stMain] *')].filter(own).filter(cut)
    .map(n => n.outerHTML.slice(0, 200));
}"""  # noqa: E501
# What has the focus, and whether what had it before looked different then from now.
FOCUS = """() => {
  const look = node => { const s = getComputedStyle(node);
    return [s.outlineStyle, s.outlineWidth, s.boxShadow, s.borderColor, s.backgroundColor].join(); };
  const around = node => { const nodes = [];
    for (let n = node; n && nodes.length < 4; n = n.parentElement) nodes.push(n);
    return nodes; };
  const before = window.__focused, node = document.activeElement;
  const marked = before ? before.nodes.some((n, i) => n.isConnected && look(n) !== before.looks[i]) : true;
  const nodes = around(node);
  window.__focused = { nodes, looks: nodes.map(look) };
  const key = /st-key-([\\w-]+)/.exec(node.closest('[class*=st-key-]')?.className)?.[1] ?? '';
  return { key, tag: node.tagName, name: (node.getAttribute('aria-label') ?? node.textContent).trim(), marked };
}"""  # noqa: E501
AT_ONCE = "* { transition: none !important; }"


def test_tab_reaches_every_control_in_order_and_shows_where_it_is(visit):
    """From the menu to the views, as they stand on the screen; each one looks different then."""
    page = visit({"n": "8"})
    page.add_style_tag(content=AT_ONCE)
    page.get_by_role("link", name="Explore", exact=True).focus()
    stops = [page.evaluate(FOCUS)]
    while stops[-1]["key"] != "pin_now" and len(stops) < 60:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    # The scrolling area itself takes the focus too; Streamlit gives it no mark.
    plain = [now["name"] for now, after in zip(stops, stops[1:], strict=False)
             if not after["marked"] and now["tag"] != "MAIN"]  # fmt: skip
    assert plain == []
    sliders = [name for key in KEYS for name in (key, f"exact_{key}")]
    wanted = ["situation", "mode", "reset_everything", "share", *sliders, "more", "curves"]
    keys = dict.fromkeys(stop["key"] for stop in stops if stop["key"])
    assert list(keys) == [*wanted, "view", "pin_now"]
    files = [f"{name}: save as {kind}" for name in ("Training time", "Speed-up")
             for kind in ("PNG", "CSV")]  # fmt: skip
    assert [stop["name"] for stop in stops if stop["key"] == "curves"] == files


def test_keys_open_views_boxes_and_pins(visit, ready):
    """Enter, space and arrows work every control; Escape closes a box and gives the focus back."""
    page = visit()
    page.get_by_role("radio", name="Breakdown").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_url("**view=Map**")
    page.get_by_role("button", name="Pin to compare").press("Enter")
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    for opener, inside in (
        (page.get_by_role("button", name="Share and save"), "Open what was pasted"),
        (page.locator(".st-key-exact_bw button"), "Or pick a link"),
    ):
        opener.press("Enter")
        expect(page.get_by_text(inside, exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_text(inside, exact=True)).to_have_count(0)
        expect(opener).to_be_focused()
    page.get_by_role("radio", name="Realistic").press("Space")
    page.wait_for_url("**mode=realistic**")
    page.locator("[data-testid=stExpander] summary").press("Enter")
    page.get_by_role("tab", name="Job and batch").press("ArrowRight")
    page.wait_for_url("**group=Compute**")
    page.troubles.assert_none()


@pytest.fixture(scope="module")
def phone(visit):
    """Return the app on a phone, with everything open that can be."""
    return visit({"pin": "n=8", "more": "true"}, **PHONE)


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_shows_every_view_whole(phone, ready, view):
    """No sideways scroll, and no text beyond the edge or cut by its box."""
    button = phone.get_by_role("radio", name=view, exact=True)
    button.tap()
    expect(button).to_be_checked()
    hand.settle(phone, ready)
    phone.wait_for_timeout(300)  # figures take their width
    assert phone.evaluate(WIDTH) <= 390
    assert phone.evaluate(CLIPPED) == []
    phone.troubles.assert_none()


def test_a_phone_shows_the_method_whole(visit):
    """Wide formulas and tables scroll in their own box; the page does not."""
    page = visit({}, "method", **PHONE)
    for name in ("Method", "Glossary"):
        page.get_by_role("tab", name=name).tap()
        page.wait_for_timeout(400)
        assert page.evaluate(WIDTH) <= 390
        assert page.evaluate(CLIPPED) == []
    page.troubles.assert_none()
