"""How fast the screen is: `python -m tests.bench.screen [--presses N] [--sessions N]`.

In a real browser: a key press or another control to the new picture, a drag by the mouse, a cold
start; and many visitors at once. Times are set against the smallest app that has one slider and
one chart, in the same run, pressed in turn with ours, so that a busy machine slows both. That app
and the visitors come from the folder `shared` beside the checkout; without it they are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests import hand
from tests.bench.figures import DESKTOP, load_noted, open_page, say
from tests.bench.responses import SLIDERS, TRIVIAL_CURVES, report_controls, report_presses
from tests.browsing import CHROMIUM_FLAGS, ROOT, Server, ready, running_app
from tests.chromium import find_chromium

BENCH = ROOT.parent / "shared" / "bench"


# --- drags --------------------------------------------------------------------------------------


def report_drag(page: Page, key: str, seconds: float) -> None:
    """Drag a slider to and fro with the mouse and print what the eye saw."""
    frames: list[str] = page.frames_of_sockets
    place = page.locator(f".st-key-{key} [data-testid=stSlider]").bounding_box()
    middle, reach = place["x"] + place["width"] / 2, 0.48 * place["width"]
    with hand.grabbed(page, key) as (_, y):
        frames.clear()
        page.evaluate(hand.EYE, key)
        began = time.monotonic()
        while (now := time.monotonic() - began) < seconds:
            page.mouse.move(middle + reach * math.sin(2 * math.pi * now / seconds), y)
            page.wait_for_timeout(8)
        page.mouse.move(middle - 0.8 * reach, y, steps=3)
        page.wait_for_timeout(60)
        eye, messages = page.evaluate(hand.REPORT), len(frames)
        text, picture = hand.headline(page), page.evaluate(hand.GEOMETRY)
    hand.settle(page, ready)
    apart = hand.farthest(picture, page.evaluate(hand.GEOMETRY))
    say(f"drag of {key}: websocket messages", messages, "", 0)
    say(f"drag of {key}: animation frames", eye["frames_per_s"], "per s", 30, less=False)
    say(f"drag of {key}: reported values not drawn, of {eye['said']}", eye["said"] - eye["drawn"],
        "", 0)  # fmt: skip
    say(f"drag of {key}: pictures a position", eye["shapes"] / eye["positions"], "", 1, less=False)
    say(f"drag of {key}: picture to the one after release", apart, "px", 0.1)
    say(f"drag of {key}: headline texts that differ", int(hand.headline(page) != text), "", 0)


def watch_socket(socket, frames: list) -> None:
    """Keep every message of a websocket, both ways."""

    def keep(message):  # Playwright wants a function of its own, not a list's method.
        frames.append(message)

    socket.on("framesent", keep)
    socket.on("framereceived", keep)


def report_drags(browser: Browser, server: Server, seconds: float) -> None:
    """Drag every headline slider on the default view."""
    page = browser.new_context(**DESKTOP).new_page()
    page.frames_of_sockets = []
    page.on("websocket", lambda socket: watch_socket(socket, page.frames_of_sockets))
    page.goto(str(server))
    hand.settle(page, ready)
    for key in SLIDERS:
        report_drag(page, key, seconds)
    page.context.close()


# --- visitors and cold starts -------------------------------------------------------------------


def report_visitors(server: Server, sessions: int, seconds: float, label: str) -> None:
    """Let many sessions move one headline slider every two seconds, and print their waits."""
    command = [sys.executable, str(BENCH / "ws_load.py"), "--url", str(server), "--label", label]
    command += ["--sessions", str(sessions), "--period", "2", "--duration", str(seconds)]
    command += ["--warmup", "15", "--server-pid", str(server.pid)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    got = json.loads(told.splitlines()[-1])
    name = f"{sessions} sessions moving {label}"
    say(f"{name}: p50", got["p50_ms"], "ms")
    say(f"{name}: p95", got["p95_ms"], "ms", 400)
    say(f"{name}: errors in {got['moves']} moves", got["errors"], "", 0)
    say(f"{name}: moves finished", got["finished_in_window_per_s"], "per s")
    say(f"{name}: server's share of a core", got["server_cpu_cores"], "")
    spent = got["server_cpu_cores"] / max(got["finished_in_window_per_s"], 1e-9) * 1e3
    say(f"{name}: processor time of a move", spent, "ms")
    say(f"{name}: most memory", got["rss_peak_mb"], "MiB")


def report_cold_start(browser: Browser, folder: Path) -> None:
    """Start the app and print when it is healthy, what a first visit takes, and a later one."""
    began = time.perf_counter()
    with running_app(ROOT / "app.py", folder / "cold.log") as server:
        say("start to healthy", time.perf_counter() - began, "s")
        visits = [cold_visit(browser, server) for _ in range(4)]
    for name, (sketch, figure, _) in (("first", visits[0]), ("later", visits[-1])):
        say(f"{name} visit, empty profile, to headline and curve", sketch, "s")
        say(f"{name} visit, empty profile, to full figures", figure, "s")
    say("over the wire on a visit with an empty profile", visits[-1][2], "MB")


def cold_visit(browser: Browser, server: Server) -> tuple[float, float, float]:
    """Visit with an empty profile; times to first and full picture [s], and size [MB]."""
    page = browser.new_context(**DESKTOP).new_page()
    sizes: list[float] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    began = time.perf_counter()
    page.goto(str(server), wait_until="commit")
    page.wait_for_selector(".nf-sketch svg, .nf-plot .main-svg", state="attached")
    first = time.perf_counter() - began
    page.wait_for_selector(".nf-plot .main-svg", state="attached")
    whole = time.perf_counter() - began
    page.wait_for_timeout(500)
    page.context.close()
    return first, whole, sum(sizes) / 1e6


# --- all of it ----------------------------------------------------------------------------------


def start(stack: ExitStack, folder: Path) -> dict[str, Server]:
    """Start the app, and the trivial one where it is here, with the same settings."""
    scripts = {"ours": ROOT / "app.py", "trivial": BENCH / "apps" / "trivial.py"}
    quick = ("--runner.postScriptGC", "false")
    return {
        name: stack.enter_context(running_app(script, folder / f"{name}.log", *quick))
        for name, script in scripts.items()
        if script.exists()
    }


def measure(options: argparse.Namespace, stack: ExitStack) -> None:
    """Run the parts in turn."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    chromium = stack.enter_context(sync_playwright()).chromium
    browser = chromium.launch(executable_path=find_chromium(), args=list(CHROMIUM_FLAGS))
    stack.callback(browser.close)
    with load_noted("cold start"):
        report_cold_start(browser, folder)
    apps = start(stack, folder)
    if "trivial" not in apps:
        print("   no folder `shared` beside the checkout: no trivial app, no visitors")
    trivial = open_page(browser, str(apps["trivial"]), TRIVIAL_CURVES) if len(apps) > 1 else None
    with load_noted("key presses"):
        ours = open_page(browser, str(apps["ours"]), hand.DRAWN)
        report_presses(ours, trivial, apps, options.presses)
        ours.context.close()
    with load_noted("other controls"):
        report_controls(browser, trivial, apps, options.turns)
    with load_noted("drags"):
        report_drags(browser, apps["ours"], options.drag)
    for context in browser.contexts:
        context.close()
    for label in ("Workers", "Bandwidth") if (BENCH / "ws_load.py").exists() else ():
        with load_noted("visitors"):
            report_visitors(apps["ours"], options.sessions, options.seconds, label)


def main(arguments: list[str] | None = None) -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=60, help="key presses on sliders")
    parser.add_argument("--turns", type=int, default=12, help="uses of each other control")
    parser.add_argument("--drag", type=float, default=3, help="seconds that each drag lasts")
    parser.add_argument("--sessions", type=int, default=100, help="visitors at once")
    parser.add_argument("--seconds", type=float, default=30, help="how long they move")
    with ExitStack() as stack:
        measure(parser.parse_args(arguments), stack)


if __name__ == "__main__":
    main()
