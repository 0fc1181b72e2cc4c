"""The tooling keeps its promises: colours that can be read, and one clear sentence per refusal."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from urllib.request import urlopen

import pytest

from tests import chromium
from tests.browsing import ROOT

CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
READABLE = 4.5  # WCAG 2.2 AA, text of normal size
VISIBLE = 3.0  # WCAG 2.2 AA, parts of controls
CAPTION_OPACITY = 0.6  # Streamlit draws captions in the text colour at this strength
TINT = 0.1  # and a selected segment in the accent colour, on a tint of it
posix_only = pytest.mark.skipif(os.name != "posix", reason="make and sh are for POSIX systems")


def channels(colour: str) -> tuple[float, ...]:
    """Return red, green and blue of "#rrggbb" in 0..1."""
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))


def blend(top, bottom, opacity: float) -> tuple[float, ...]:
    """Return the colour seen where `top` covers `bottom` at an opacity."""
    return tuple(opacity * a + (1 - opacity) * b for a, b in zip(top, bottom, strict=True))


def luminance(colour) -> float:
    """Return the relative luminance that WCAG defines."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other) -> float:
    """Return the WCAG contrast ratio of two colours, 1..21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21_and_of_equal_colours_1():
    """The ratio's two ends are those of its definition."""
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#0b57d0"), channels("#0b57d0")) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_every_text_colour_can_be_read_on_both_grounds(scheme, ground):
    """Text, captions, links and the selected segment meet WCAG AA in both palettes."""
    theme = CONFIG["theme"][scheme]
    below = channels(theme[ground])
    text, link = channels(theme["textColor"]), channels(theme["linkColor"])
    accent = channels(theme["primaryColor"])
    assert contrast(text, below) >= 7
    assert contrast(blend(text, below, CAPTION_OPACITY), below) >= READABLE
    assert contrast(link, below) >= READABLE
    assert contrast(accent, blend(accent, below, TINT)) >= READABLE
    assert contrast(accent, below) >= VISIBLE


def test_both_palettes_set_the_same_colours():
    """A colour set for one theme only would leave Streamlit's own in the other."""
    assert CONFIG["theme"]["light"].keys() == CONFIG["theme"]["dark"].keys()


def test_streamlit_accepts_every_option_and_starts_without_a_word_of_warning(tmp_path, start_app):
    """An unknown or mistyped option would be named in the server's log."""
    script = tmp_path / "hello.py"
    script.write_text("import streamlit as st\nst.title('Hello')\n")
    (tmp_path / "static").mkdir()
    server = start_app(script)
    with urlopen(f"{server}/_stcore/health", timeout=5) as answer:
        assert answer.read() == b"ok"
    assert not re.search(
        "warn|not a valid|unrecognized|e-?mail|usage stat", server.log_tail(), re.I
    )


def test_the_development_list_holds_the_app_list_and_nothing_shadows_it():
    """Hosts prefer other files to requirements.txt, so none of those may exist."""
    assert (ROOT / "requirements-dev.txt").read_text().startswith("-r requirements.txt\n")
    assert not [n for n in ("uv.lock", "Pipfile", "environment.yml") if (ROOT / n).exists()]
    assert "project" not in tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_held_below_a_release_that_may_break_it(name):
    """A requirement without an upper bound changes under a reader's feet."""
    lines = [line for line in (ROOT / name).read_text().splitlines() if line[:1].isalpha()]
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+>=[\d.]+,<[\d.]+", line)] == []


def fake_python(folder, name: str, version: str, *, modules: bool = True) -> None:
    """Write a stand-in that answers the three questions find-python asks."""
    new_enough = tuple(map(int, version.split(".")[:2])) >= (3, 11)
    script = folder / name
    script.write_text(
        '#!/bin/sh\ncase "$2" in\n'
        f"  *print*) echo {version} ;;\n"
        f"  *sys.exit*) exit {int(not new_enough)} ;;\n"
        f"  *ensurepip*) exit {int(not modules)} ;;\nesac\n"
    )
    script.chmod(0o755)


def find_python(folder, **environment: str) -> subprocess.CompletedProcess:
    """Run the search with nothing but `folder` on the PATH."""
    return subprocess.run(
        [shutil.which("sh"), str(ROOT / ".ci" / "find-python")],
        env={"PATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@posix_only
def test_no_python_at_all_is_one_sentence(tmp_path):
    """A machine without Python hears what is needed and where to get it."""
    done = find_python(tmp_path)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer, and found no python3" in done.stderr
    assert done.stderr.count("\n") == 1


@posix_only
def test_a_python_too_old_is_named_with_its_version(tmp_path):
    """The sentence says which Python was found."""
    fake_python(tmp_path, "python3", "3.9.2")
    done = find_python(tmp_path)
    assert done.returncode == 1
    assert "python3 is 3.9.2" in done.stderr
    assert done.stderr.count("\n") == 1


@posix_only
def test_a_newer_python_beside_an_old_one_is_taken(tmp_path):
    """python3 may be old while python3.13 stands beside it."""
    fake_python(tmp_path, "python3", "3.9.2")
    fake_python(tmp_path, "python3.13", "3.13.1")
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3.13")


@posix_only
@pytest.mark.parametrize(
    ("name", "package"), [("python3", "python3-venv"), ("python3.12", "python3.12-venv")]
)
def test_a_python_without_venv_names_the_package(tmp_path, name, package):
    """Debian keeps venv in a package of its own."""
    fake_python(tmp_path, name, "3.12.1", modules=False)
    done = find_python(tmp_path)
    assert done.returncode == 1
    assert f"sudo apt install {package}" in done.stderr
    assert done.stderr.count("\n") == 1


@posix_only
def test_a_python_that_is_named_is_the_only_one_tried(tmp_path):
    """PYTHON=... never falls back to another one in silence."""
    fake_python(tmp_path, "python3", "3.12.1")
    done = find_python(tmp_path, PYTHON="python3.99")
    assert done.returncode == 1
    assert "found no python3.99" in done.stderr


def check_port(host: str, port: object) -> subprocess.CompletedProcess:
    """Run the check that stands before every start."""
    return subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "check_port.py"), host, str(port)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_busy_port_is_named_with_one_that_is_free():
    """The sentence ends with a command that works."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = check_port("localhost", port)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Port {port} on localhost is taken")
    other = int(re.search(r"make run PORT=(\d+)\n$", done.stderr).group(1))
    assert other != port
    assert check_port("localhost", other).returncode == 0


@pytest.mark.parametrize("port", ["", "abc", "0", "-1", "65536", "8501.5"])
def test_a_port_that_is_none_is_refused(port):
    """Every refusal says what a port is."""
    done = check_port("localhost", port)
    assert done.returncode == 1
    assert "not a number from 1 to 65535" in done.stderr


def test_a_host_that_is_not_this_machine_is_refused():
    """A name that nothing resolves is answered with one that works."""
    done = check_port("no-such-host.invalid", 8501)
    assert done.returncode == 1
    assert done.stderr.endswith("try HOST=localhost.\n")


@posix_only
def test_a_missing_browser_is_brought_by_apt_where_that_is_allowed(tmp_path, monkeypatch):
    """As root on Debian the tests install their browser themselves."""
    apt = tmp_path / "apt-get"
    apt.write_text(
        f'#!/bin/sh\n[ "$1" = install ] || exit 0\ncd "{tmp_path}"\n'
        "printf '#!/bin/sh\\n' > chromium\n/bin/chmod +x chromium\n"
    )
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert chromium.bring_chromium() == str(tmp_path / "chromium")


@posix_only
def test_a_browser_that_only_says_where_to_get_one_is_passed_over(tmp_path, monkeypatch):
    """Ubuntu's stub is on the PATH and fails when run."""
    for name, code in (("chromium-browser", 1), ("google-chrome", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert chromium.find_chromium() == str(tmp_path / "google-chrome")


@pytest.mark.parametrize(("demanded", "outcome"), [("0", "1 skipped"), ("1", "1 error")])
def test_a_missing_browser_skips_aloud_and_fails_where_it_is_demanded(tmp_path, demanded, outcome):
    """No run ends with every browser test left out in silence."""
    test = tmp_path / "test_it.py"
    test.write_text(
        "from tests import chromium\nchromium.NAMES = ()\ndef test_it(new_page):\n    new_page()\n"
    )
    environment = {
        **{k: v for k, v in os.environ.items() if k != "CHROMIUM"},
        "REQUIRE_BROWSER": demanded,
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path),
    }
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml")]
    command += ["-p", "tests.conftest", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert outcome in done.stdout
    assert "no Chromium: `make test` brings one" in done.stdout
