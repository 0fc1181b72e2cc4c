"""What the browser tests stand on: a running app, and a page that remembers what went wrong."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
START_SECONDS = 60
# Opened below the top, Streamlit's page first asks for these beside its own address.
PROBE = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
IDLE = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
    ":has([data-testid=stMain] [data-testid=stElementContainer])"
)


@dataclass(frozen=True)
class Server:
    """A running app; as text it is its address, without a slash at the end."""

    url: str
    log: Path
    pid: int

    def __str__(self) -> str:
        return self.url

    def log_tail(self, characters: int = 4000) -> str:
        """Return the end of what the server printed."""
        return self.log.read_text(errors="replace")[-characters:]


@contextmanager
def running_app(script: Path, log: Path, *options: str):
    """Run a Streamlit script with this repository's configuration; yield its Server."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    (ROOT / "static").mkdir(exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    server = Server(f"http://127.0.0.1:{port}", log, process.pid)
    try:
        _wait_until_healthy(server, process)
        yield server
    finally:
        _stop(process)


def free_port() -> int:
    """Return a port of this machine that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(server: Server, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"The app did not start within {START_SECONDS} s:\n{server.log_tail()}")


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def ready(page, timeout: float = 30_000):
    """Wait until the script has run and its page is drawn, and return the page.

    After a click also wait for what it changes: the run may not have begun yet.
    """
    page.wait_for_selector(IDLE, state="attached", timeout=timeout)
    return page


@dataclass
class Troubles:
    """What a page should never have: errors in its console, requests beyond this machine."""

    console: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def watch(self, page) -> None:
        """Collect from now on."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", lambda request: self._leave(request.url))
        page.on("websocket", lambda socket: self._leave(socket.url))

    def _hear(self, message) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and not PROBE.search(urlsplit(where).path):
            self.console.append(f"{message.text} ({where})")

    def _leave(self, url: str) -> None:
        parts = urlsplit(url)
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if parts.scheme in ("http", "https", "ws", "wss") and not local:
            self.outside.append(url)

    def assert_none(self) -> None:
        """Fail with the list of what went wrong, if anything did."""
        assert not self.console, "errors in the console:\n" + "\n".join(self.console)
        assert not self.outside, "requests beyond this machine:\n" + "\n".join(self.outside)
