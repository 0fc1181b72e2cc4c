"""The live panel on a page of its own: zoom, legend, themes, late answers, and sabotage."""

import csv
import re

import pytest

THUMB = ".st-key-{key} [data-testid=stSliderThumbValue]"
SHAPES = """() => {
  window.__shapes = new Set(); window.__steps = []; window.__frames = 0;
  const line = () => document.querySelectorAll('#nf-time .trace')[1]?.querySelector('path.js-line')
    ?? [...document.querySelectorAll('#nf-time .nf-sketch svg svg path')].at(-1);
  new MutationObserver(ms => ms.forEach(m => m.target.closest('.st-key-bw')
    && window.__steps.push(m.target.getAttribute('aria-valuetext')))).observe(document.body,
    { subtree: true, attributes: true, attributeFilter: ['aria-valuetext'] });
  const look = () => { window.__frames++; window.__shapes.add(line()?.getAttribute('d'));
    requestAnimationFrame(look); };
  look();
}"""
GEOMETRY = """() => {
  const line = node => {
    const length = node.getTotalLength();
    return Array.from({ length: 41 }, (_, i) => node.getPointAtLength(length * i / 40))
      .flatMap(p => [p.x, p.y]);
  };
  const lines = [...document.querySelectorAll('.nf-plot .scatterlayer path.js-line')]
    .filter(n => n.closest('.trace').style.opacity !== '0').map(line);
  const points = [...document.querySelectorAll('.nf-plot .points path')]
    .map(n => n.getAttribute('transform').match(/-?[0-9.]+/g).map(Number));
  return { lines, points };
}"""


def headline(page):
    """Headline texts as shown."""
    return page.locator(".nf-headline").inner_text()


def thumb(page, key):
    """Centre of a slider's thumb [px]."""
    box = page.locator(THUMB.format(key=key)).locator("xpath=..").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grab_and_move(page, key, by, steps=24, pause=16):
    """Drag a slider's thumb without letting go."""
    x, y = thumb(page, key)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(x + by * step / steps, y)
        page.wait_for_timeout(pause)


def release(page):
    """Let go and wait for the server's answer."""
    page.mouse.up()
    page.wait_for_timeout(100)
    page.settle()


def assert_same_geometry(live, settled):
    """Hold two pictures to 0.1 px."""
    assert len(live["points"]) == len(settled["points"])
    for one, other in zip(live["points"], settled["points"], strict=True):
        assert one == pytest.approx(other, abs=0.1)
    assert len(live["lines"]) == len(settled["lines"])
    for one, other in zip(live["lines"], settled["lines"], strict=True):
        assert one == pytest.approx(other, abs=0.1)


@pytest.mark.parametrize(("key", "by"), [("n", 150), ("size", 480)])
def test_release_equals_live_for_other_knobs(open_toy, key, by):
    """Markers, gaps, an early end of the curve and a new axis range are the same on release."""
    page = open_toy()
    grab_and_move(page, key, by)
    live_text, live_picture = headline(page), page.evaluate(GEOMETRY)
    release(page)
    assert headline(page) == live_text
    assert_same_geometry(live_picture, page.evaluate(GEOMETRY))


def test_late_server_never_shows_the_old_picture(open_toy):
    """While the server computes, the panel keeps what the hand left, and dims the sentence."""
    page = open_toy("?slow=3")
    grab_and_move(page, "bw", -300)
    live = headline(page)
    page.mouse.up()
    for _ in range(5):
        page.wait_for_timeout(100)
        assert headline(page) == live
    assert page.locator(".nf-notice.nf-dim").count() == 1
    page.wait_for_timeout(1200)
    page.settle()
    assert headline(page) == live
    assert page.locator(".nf-notice.nf-dim").count() == 0


def test_impossible_value_is_one_sentence(open_toy):
    """At an impossible value the sentence replaces the cells; nothing moves on the page."""
    page = open_toy()
    top = page.locator(".nf-figures").bounding_box()["y"]
    grab_and_move(page, "n", 600)
    assert "too many for 10.0 M parameters" in page.locator(".nf-message").inner_text()
    assert not page.locator(".nf-headline").is_visible()
    assert page.locator(".nf-figures").bounding_box()["y"] == top
    hidden = page.evaluate(GEOMETRY)["points"]
    assert all(abs(x) > 1000 for x, _ in hidden)
    page.mouse.up()


def test_zoom_survives_drag_and_answer(open_toy):
    """A zoomed axis stays through a drag and the server's answer."""
    page = open_toy()
    box = page.locator("#nf-time .nsewdrag").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 160, steps=8)
    page.mouse.up()
    page.wait_for_timeout(500)
    ranges = "document.querySelector('#nf-time .nf-plot')._fullLayout.xaxis.range"
    zoomed = page.evaluate(ranges)
    assert zoomed != pytest.approx([0, 3.62])
    page.evaluate("document.querySelector('#nf-time .nf-plot').__mark = 1")
    grab_and_move(page, "bw", -300)
    live = page.evaluate(GEOMETRY)
    release(page)
    assert page.evaluate(ranges) == pytest.approx(zoomed)
    assert page.evaluate("document.querySelector('#nf-time .nf-plot').__mark") == 1
    for one, other in zip(live["points"], page.evaluate(GEOMETRY)["points"], strict=True):
        assert one == pytest.approx(other, abs=0.1)


def test_hidden_trace_stays_hidden(open_toy):
    """A trace hidden through the legend stays hidden, and the rest goes on."""
    page = open_toy()
    page.locator("#nf-time .legendtoggle").nth(1).click()
    page.wait_for_timeout(600)
    visible = "document.querySelector('#nf-time .nf-plot')._fullData[1].visible"
    assert page.evaluate(visible) == "legendonly"
    grab_and_move(page, "bw", -300)
    release(page)
    assert page.evaluate(visible) == "legendonly"
    assert page.problems == []


def test_theme_follows_without_losing_the_drag(open_toy):
    """Light to dark changes the series' colours, and the picture still follows the hand."""
    page = open_toy(color_scheme="light")
    stroke = "document.querySelectorAll('#nf-time path.js-line')[1].style.stroke"
    light = page.evaluate(stroke)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{stroke} !== {light!r}")
    assert page.evaluate(stroke) == "rgb(124, 172, 248)"
    before = headline(page)
    grab_and_move(page, "bw", -300)
    assert headline(page) != before
    release(page)


def test_broken_pixel_conversion_falls_back(open_toy):
    """Where Plotly's drawing cannot be edited, its own call draws the same picture."""
    page = open_toy()
    page.evaluate(
        "document.querySelectorAll('.nf-plot').forEach(p => { p._fullLayout.xaxis.d2p ="
        " () => { throw Error('broken'); }; })"
    )
    grab_and_move(page, "bw", -300)
    live_text, live = headline(page), page.evaluate(GEOMETRY)
    release(page)
    assert headline(page) == live_text
    for one, other in zip(live["points"], page.evaluate(GEOMETRY)["points"], strict=True):
        assert one == pytest.approx(other, abs=0.1)
    assert page.problems == []


SILENT = (
    "window.MutationObserver = class { observe() {} disconnect() {} takeRecords() { return [] } }"
)
DEAF = """(() => { const real = Element.prototype.closest;
  Element.prototype.closest = function (s) {
  if (/st-key-(n|bw|size)$/.test(s)) throw Error('broken'); return real.call(this, s); }; })()"""
UNREADABLE = """(() => { const real = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
  return name === 'aria-valuetext' ? 'unreadable' : real.call(this, name); }; })()"""


@pytest.mark.parametrize("sabotage", [SILENT, DEAF, UNREADABLE])
def test_without_live_updates_release_still_works(open_toy, sabotage):
    """When the sliders cannot be read, the picture stands still in the drag and is right after."""
    page = open_toy(before=lambda page: page.add_init_script(sabotage))
    before = headline(page)
    grab_and_move(page, "bw", -300)
    assert headline(page) == before
    page.mouse.up()
    page.wait_for_function(
        "before => document.querySelector('.nf-headline').innerText !== before", arg=before
    )
    assert page.problems == []
    assert page.get_by_text("BidiComponent Error").count() == 0


def block(pattern):
    """Refuse requests that match."""
    return lambda page: page.route(re.compile(pattern), lambda route: route.abort())


def test_without_plotly_the_sketch_follows(open_toy):
    """Without plotly.js headline, text equivalent and a simple curve stay, and follow the hand."""
    page = open_toy(before=block(r"static/plotly-"), plotly=False)
    page.evaluate(SHAPES)
    assert page.get_by_role("figure", name="64 workers, 100 Gb/s, 10 M parameters").count() == 1
    grab_and_move(page, "bw", -300)
    assert page.evaluate("__shapes.size") >= 4
    release(page)
    assert page.problems == []


def test_without_our_script_the_numbers_stay(browser, toy_server):
    """Without our script the headline, the sentence and the text equivalents stay as text."""
    page = browser.new_page()
    block(r"static/live-")(page)
    page.goto(str(toy_server))
    page.get_by_text("Time: 0.822 h").wait_for()
    assert page.get_by_text("64 workers, 100 Gb/s, 10 M parameters").count() == 1
    assert page.get_by_text("BidiComponent Error").count() == 0
    page.close()


def test_folder_that_cannot_be_written(open_toy, sealed_server):
    """Where nothing can be served, Streamlit's own plotly.js draws, and the picture follows."""
    page = open_toy(url=sealed_server)
    page.evaluate(SHAPES)
    grab_and_move(page, "bw", -300)
    assert page.evaluate("__shapes.size") >= 4
    release(page)
    assert page.problems == []


def test_nothing_jumps_when_plotly_arrives(open_toy):
    """The first sketch and the full figure take the same room."""
    page = open_toy(before=block(r"static/plotly-"), plotly=False)
    sketched = page.locator(".nf-panel").bounding_box()["height"]
    assert open_toy().locator(".nf-panel").bounding_box()["height"] == sketched


def test_phone(open_toy):
    """At 390 px the figures stack without horizontal scroll, and a finger scrolls past them."""
    page = open_toy(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    first, second = (page.locator(f"#nf-{name}").bounding_box() for name in ("time", "speed"))
    assert second["y"] >= first["y"] + first["height"]
    assert page.evaluate("document.querySelector('.nf-plot')._fullLayout.dragmode") is False
    ticks = page.locator("#nf-time .xtick text")
    assert ticks.all_text_contents() == ["1", "64", "4096"]


def test_resize_keeps_the_figures_in_the_panel(open_toy):
    """Figures stand side by side in a wide panel and stack in a narrow one."""
    page = open_toy()
    tops = (
        "['time', 'speed'].map(n => document.getElementById('nf-' + n).getBoundingClientRect().top)"
    )
    assert len(set(page.evaluate(tops))) == 1
    page.set_viewport_size({"width": 700, "height": 1000})
    page.wait_for_timeout(400)
    assert len(set(page.evaluate(tops))) == 2
    fits = """[...document.querySelectorAll('.nf-plot')].every(p =>
      Math.abs(p.querySelector('.main-svg').getBoundingClientRect().width - p.clientWidth) < 2)"""
    assert page.evaluate(fits)


def test_hover_is_silent_while_a_value_is_in_the_air(open_toy):
    """No tooltip shows an old value in a drag; after release tooltips are back."""
    page = open_toy()
    grab_and_move(page, "bw", -300)
    catcher = "document.querySelector('#nf-time .nsewdrag')"
    assert page.evaluate(f"getComputedStyle({catcher}).pointerEvents") == "none"
    release(page)
    box = page.locator("#nf-time .points path").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    page.wait_for_selector("#nf-time .hovertext")


def test_csv_holds_what_is_seen(open_toy):
    """The CSV has units in its header and the curve's values; gaps are empty."""
    page = open_toy()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Training time: save as CSV").click()
    assert waiting.value.suggested_filename == "training-time.csv"
    rows = list(csv.reader(waiting.value.path().read_text().splitlines()))
    assert rows[0] == ["Workers", "Time [h]", "Grid"]
    assert len(rows) == 65
    assert [float(v) for v in rows[1]] == [1, 40, 0]
    assert rows[-1][1] == ""


def test_panel_comes_back_after_it_was_away(open_toy):
    """Leaving and returning leaves no error, and the picture follows the hand again."""
    page = open_toy()
    for _ in range(3):
        page.get_by_text("Show the panel").click()
        page.wait_for_selector(".nf-panel", state="detached")
        page.get_by_text("Show the panel").click()
        page.wait_for_selector(".nf-plot .main-svg")
        page.settle()
    before = headline(page)
    grab_and_move(page, "bw", -300)
    assert page.sent and headline(page) != before
    release(page)
    assert page.problems == []


def test_same_answer_draws_nothing(open_toy):
    """A rerun that changes nothing leaves the figure alone."""
    page = open_toy()
    page.evaluate(
        "window.__draws = 0; document.querySelector('#nf-time .nf-plot')"
        ".on('plotly_afterplot', () => window.__draws++)"
    )
    page.keyboard.press("r")
    page.wait_for_timeout(500)
    page.settle()
    assert page.evaluate("window.__draws") == 0
