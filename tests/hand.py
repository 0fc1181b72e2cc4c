"""A hand on the sliders and an eye on the live picture, for browser tests and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

SETTLED = ".nf-panel:not(.nf-moving) .nf-headline"
DRAWN = ".nf-plot .main-svg"
# Points along each visible line, because equal curves may be written as different paths.
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
  return [...lines, ...points];
}"""
# `said` holds what the slider reported, `seen` pairs of reported value and picture at each frame.
EYE = """key => {
  const slider = document.querySelector(`.st-key-${key} input[type=range]`);
  const look = () => document.querySelector('.nf-top').textContent + [...document.querySelectorAll(
    '.nf-plot path.js-line, .nf-plot .points path, .nf-sketch path, .nf-sketch circle')]
    .map(n => n.getAttribute('d') + n.getAttribute('transform')).join();
  const eye = window.__eye = { said: new Set(), seen: new Map(), frames: 0, since: performance.now() };
  const observer = new MutationObserver(() => eye.said.add(slider.getAttribute('aria-valuetext')));
  observer.observe(slider, { attributes: true, attributeFilter: ['aria-valuetext'] });
  const frame = () => {
    if (eye.closed) return observer.disconnect();
    eye.frames++;
    const said = slider.getAttribute('aria-valuetext');
    if (said !== eye.last) { eye.seen.set(said, look()); eye.last = said; }
    requestAnimationFrame(frame);
  };
  frame();
}"""  # noqa: E501
REPORT = """() => {
  const { said, seen, frames, since } = window.__eye;
  window.__eye.closed = true;
  return { said: said.size, drawn: [...said].filter(value => seen.has(value)).length,
    shapes: new Set(seen.values()).size, positions: seen.size,
    frames_per_s: 1000 * frames / (performance.now() - since) };
}"""


def slider(page, key: str):
    """Return the range input of a headline slider, by its link name."""
    return page.locator(f".st-key-{key} input[type=range]")


def headline(page) -> str:
    """Return the headline's texts as shown."""
    return page.locator(".nf-top").inner_text()


def settle(page, ready) -> None:
    """Wait until the server has answered and the panel shows its answer."""
    page.wait_for_timeout(100)  # the run that a release starts may not have begun yet
    ready(page)
    page.wait_for_selector(SETTLED, state="attached")
    page.wait_for_selector(DRAWN, state="attached")


def thumb(page, key: str) -> tuple[float, float]:
    """Return the centre of a slider's thumb [px]."""
    box = page.locator(f".st-key-{key} [data-testid=stSliderThumbValue]").locator("xpath=..")
    place = box.bounding_box()
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


@contextmanager
def grabbed(page, key: str) -> Iterator[tuple[float, float]]:
    """Hold a slider's thumb; yield where it was grabbed [px], and let go at the end."""
    x, y = thumb(page, key)
    page.mouse.move(x, y)
    page.mouse.down()
    yield x, y
    page.mouse.up()


def farthest(one: list[list[float]], other: list[list[float]]) -> float:
    """Return the largest distance between two pictures' coordinates [px]; inf if parts differ."""
    if [len(part) for part in one] != [len(part) for part in other]:
        return float("inf")
    pairs = zip(sum(one, []), sum(other, []), strict=True)
    return max((abs(a - b) for a, b in pairs), default=0.0)
