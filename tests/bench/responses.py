"""How long a key press or another control takes to a new picture, here and in the trivial app."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from playwright.sync_api import Browser, Page

from tests import hand
from tests.bench.figures import open_page, processor_seconds, say
from tests.browsing import Server, ready

SLIDERS = ("n", "bw", "size", "hours")
CURVES = ".nf-plot path.js-line, .nf-plot .points path"
TRIVIAL_CURVES = ".js-plotly-plot path.js-line"
LIMIT_MS = 15_000
# The clock starts with the event itself and stops at the first frame with another picture.
ARM = """([chart, limit]) => {
  const look = () => [...document.querySelectorAll(chart)].map(node => node.getAttribute('d')
    + node.getAttribute('transform') + (node.href?.baseVal.length ?? '')).join();
  const before = look();
  let began = null;
  const start = event => { began ??= event.timeStamp; };
  for (const kind of ['keydown', 'click']) document.addEventListener(kind, start, { capture: true, once: true });
  window.__changed = new Promise(resolve => {
    const eye = new MutationObserver(() => {
      const now = look();
      if (began === null || !now || now === before) return;
      eye.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - began));
    });
    eye.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['d', 'transform'] });
    setTimeout(() => resolve(limit), limit);
  });
}"""  # noqa: E501


def to_picture(page: Page, chart: str, act: Callable[[], object]) -> float:
    """Return the time from an action's key press or click to another picture [ms]."""
    page.evaluate(ARM, [chart, LIMIT_MS])
    act()
    taken = float(page.evaluate("window.__changed"))
    page.wait_for_timeout(120)
    ready(page)
    page.wait_for_timeout(80)
    if taken >= LIMIT_MS:
        raise RuntimeError(f"no new picture within {LIMIT_MS / 1e3:g} s at {page.url}")
    return taken


def presses(ours: Page, trivial: Page | None, count: int) -> tuple[dict[str, list[float]], list]:
    """Press arrow keys on our sliders and on the trivial app's in turn; all times [ms]."""
    mine: dict[str, list[float]] = {key: [] for key in SLIDERS}
    theirs = []
    for turn in range(count):
        key = SLIDERS[turn % len(SLIDERS)]
        arrow = "ArrowRight" if turn // len(SLIDERS) % 6 < 3 else "ArrowLeft"
        thumb = hand.slider(ours, key)
        thumb.focus()
        mine[key].append(to_picture(ours, CURVES, lambda at=thumb, a=arrow: at.press(a)))
        if trivial:
            theirs.append(press_trivial(trivial, turn))
    return mine, theirs


def press_trivial(page: Page, turn: int) -> float:
    """Press an arrow key in the trivial app; time to its new picture [ms].

    To and fro, so that no number of presses reaches the end of the slider, where nothing changes.
    """
    arrow = "ArrowRight" if turn % 2 == 0 else "ArrowLeft"
    thumb = page.get_by_role("slider", name="Workers")
    thumb.focus()
    return to_picture(page, TRIVIAL_CURVES, lambda: thumb.press(arrow))


def report_presses(ours: Page, trivial: Page | None, apps: dict[str, Server], count: int) -> None:
    """Print how long a key press on a headline slider takes to a new picture."""
    before = {name: processor_seconds(server) for name, server in apps.items()}
    mine, theirs = presses(ours, trivial, count)
    everything = sum(mine.values(), [])
    for key, times in mine.items():
        say(f"key press on {key} to new picture, median of {len(times)}", median(times), "ms")
    say(f"key press to new picture, median of {count}", median(everything), "ms")
    if theirs:
        say(f"the trivial app's, median of {len(theirs)}", median(theirs), "ms")
        say("key press against the trivial app", median(everything) / median(theirs), "x", 1.0)
    for name, server in apps.items():
        spent = (processor_seconds(server) - before[name]) / count * 1e3
        say(f"processor time of a run, {name}", spent, "ms")


def switch_mode(page: Page, turn: int) -> float:
    """Choose another mode."""
    name = ("Realistic", "Ideal", "With communication")[turn % 3]
    button = page.locator(".st-key-mode").get_by_role("radio", name=name)
    return to_picture(page, CURVES, button.click)


def choose_situation(page: Page, turn: int) -> float:
    """Choose another situation with the keyboard."""
    page.get_by_role("combobox", name="Situation").click()
    page.keyboard.press("ArrowDown" if turn % 8 < 4 else "ArrowUp")
    page.wait_for_timeout(50)
    return to_picture(page, CURVES, lambda: page.keyboard.press("Enter"))


def set_latency(page: Page, turn: int) -> float:
    """Type another latency under the further assumptions, which are open."""
    page.locator(".st-key-lat input").click()
    page.keyboard.type(str(30 + 10 * (turn % 7)))
    page.wait_for_timeout(50)
    return to_picture(page, CURVES, lambda: page.keyboard.press("Enter"))


def open_view(page: Page, turn: int) -> float:
    """Open the breakdown or the map."""
    name, chart = (("Breakdown", "step"), ("Map", "map"))[turn % 2]
    picture = f".st-key-chart-{chart} :is(.barlayer, .heatmaplayer) :is(path, image)"
    button = page.locator(".st-key-view").get_by_role("radio", name=name)
    return to_picture(page, picture, button.click)


CONTROLS = {
    "mode": ("", switch_mode),
    "situation": ("", choose_situation),
    "latency, in more assumptions": ("?more=true&group=Network", set_latency),
    "view": ("", open_view),
}


def report_controls(
    browser: Browser, trivial: Page | None, apps: dict[str, Server], count: int
) -> None:
    """Print how long every other kind of control takes to a new picture."""
    for name, (query, act) in CONTROLS.items():
        page = open_page(browser, f"{apps['ours']}/{query}", hand.DRAWN)
        before, mine, theirs = processor_seconds(apps["ours"]), [], []
        for turn in range(count):
            mine.append(act(page, turn))
            if trivial:
                theirs.append(press_trivial(trivial, turn))
        spent = (processor_seconds(apps["ours"]) - before) / count * 1e3
        page.context.close()
        say(f"{name} to new picture, median of {count}", median(mine), "ms")
        say(f"{name}: processor time of a run", spent, "ms")
        if theirs:
            say(f"{name} against the trivial app", median(mine) / median(theirs), "x", 2.5)
