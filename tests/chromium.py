"""Find a Chromium for the browser tests, or bring one: `python -m tests.chromium` prints it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
BRING_SECONDS = 600


def find_chromium() -> str | None:
    """Return the path of a browser that works: $CHROMIUM, one on the PATH, or Playwright's own."""
    for name in (os.environ.get("CHROMIUM"), *NAMES):
        path = shutil.which(name) if name else None
        if path and _works(path):
            return path
    return _playwright_chromium()


def bring_chromium() -> str | None:
    """Install a browser with the system's packages or with Playwright, and return its path."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("No Chromium found: installing it with apt-get.", file=sys.stderr)
        packages = ("--no-install-recommends", "chromium", "fonts-dejavu-core")
        _succeeds("apt-get", "update", "-q") and _succeeds("apt-get", "install", "-y", *packages)
    if found := find_chromium():
        return found
    print("No Chromium found: asking Playwright for one.", file=sys.stderr)
    _succeeds(sys.executable, "-m", "playwright", "install", "chromium")
    return find_chromium()


def _works(path: str) -> bool:
    # Ubuntu's chromium-browser may be a stub that only says where to get the real one. Windows'
    # browser opens a window when asked for its version.
    return sys.platform == "win32" or _succeeds(path, "--version", quiet=True, seconds=30)


def _playwright_chromium() -> str | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _succeeds(*command: str, quiet: bool = False, seconds: float = BRING_SECONDS) -> bool:
    output = subprocess.DEVNULL if quiet else sys.stderr
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    chromium = find_chromium() or bring_chromium()
    if chromium:
        print(chromium)
    else:
        print("No Chromium could be had: the browser tests will be skipped.", file=sys.stderr)
