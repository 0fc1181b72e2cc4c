"""The house keeps its shape: imports point one way, unit factors stay home, nothing strays in."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys

import pytest

from tests.browsing import ROOT

# What a room may import beside the standard library. Rooms are matched by the longest path.
MAY_IMPORT = {
    "app.py": {"streamlit", "pages.ui", "dpmodel"},
    "dpmodel/": {"numpy", "dpmodel"},
    "pages/": {"streamlit", "pages.ui", "dpmodel"},
    "pages/ui/": {"streamlit", "plotly", "numpy", "pages.ui", "dpmodel"},
}
LATE_SCIPY = ("dpmodel/fit.py", "dpmodel/diagnose.py")  # inside functions only: it loads slowly
SCREENLESS = ("pages/ui/figures.py", "pages/ui/theme.py", "dpmodel/__init__.py")
UNIT_ROOMS = ("dpmodel/units.py", "dpmodel/catalogue.py", "dpmodel/readers.py")
FACTORS = {1e6, 1e9, 1e12, 8e9, 1024}
POWERS = {10, 20, 30, 40}
HALL_LINES = 60
TOP_LEVEL = {
    *("app.py", "dpmodel", "pages", "tests", "requirements.txt", "requirements-dev.txt"),
    *("README.md", "METHOD.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "CITATION.cff"),
    *("Makefile", "pyproject.toml", ".streamlit", ".ci", ".gitignore", "deploy"),
}
# The project speaks of itself alone. Each pattern is written so that it does not match itself.
STRAYS = re.compile(
    r"/wor[k]/|/far[m]/|(?<!docs)/tm[p]/\w|\.\./share[d]"
    r"|(?<!user )(?<!user-)\bagent[s]?\b|\bas an A[I]\b|\bclaud[e]\b|\bchat ?gp[t]\b|\bcopilo[t]\b"
    r"|\bA[I][ -](?:assistant|generated|helper|session|written)|\bcoding session[s]?\b"
    r"|\bissue[s]? #?\d+\b|\b(?:fix(?:es)?|close[sd]?|see) #\d+\b",
    re.IGNORECASE,
)

# Another project's issue, named with its owner, is a source like any other.
UPSTREAM = re.compile(r"\b[\w-]+/[\w.-]+ issues? #?\d+")


def stray_words(text: str) -> list[str]:
    """Return the words of a text that speak of something else than the project."""
    return [match.group() for match in STRAYS.finditer(UPSTREAM.sub("", text))]


def source_files() -> list[str]:
    """Return the app's Python files as paths from the top."""
    found = [ROOT / "app.py", *ROOT.glob("dpmodel/**/*.py"), *ROOT.glob("pages/**/*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.exists())


def imports(path: str, source: str) -> list[tuple[str, bool]]:
    """Return each imported module's full name, and whether it loads with the file."""
    tree = ast.parse(source)
    late = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = path.split("/")[: -node.level or None] if node.level else []
            stem = ".".join([*package, *filter(None, [node.module])])
            names = [f"{stem}.{alias.name}" for alias in node.names]
        else:
            continue
        found += [(name, id(node) not in late) for name in names]
    return found


def within(name: str, allowed: set[str]) -> bool:
    """Return whether a module is one of the allowed ones or lies inside one."""
    return any(name == one or name.startswith(one + ".") for one in allowed)


def wrong_imports(path: str, source: str) -> list[str]:
    """Return what a file imports against the table."""
    room = max((r for r in MAY_IMPORT if path.startswith(r)), key=len)
    allowed = MAY_IMPORT[room]
    return [
        name
        for name, at_load in imports(path, source)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not within(name, allowed)
        and not (within(name, {"scipy"}) and path in LATE_SCIPY and not at_load)
    ]


def reached(start: str, sources: dict[str, str]) -> set[str]:
    """Return every module that importing a file brings in, through the app's own files."""
    files = {path.removesuffix(".py").replace("/", "."): path for path in sources}
    files |= {name.removesuffix(".__init__"): path for name, path in files.items()}
    seen, waiting, names = set(), [start], set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for name, _ in imports(path, sources[path]):
            names.add(name)
            parents = (name, name.rpartition(".")[0])
            waiting += [files[one] for one in parents if one in files]
    return names


def unit_factors(source: str) -> list[int]:
    """Return the lines that convert units: times or over 1e9 and such, over 8, powers of 2."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.BinOp | ast.AugAssign):
            right = node.right if isinstance(node, ast.BinOp) else node.value
            left = node.left if isinstance(node, ast.BinOp) else node.target
            if _converts(node.op, left, right):
                lines.append(node.lineno)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and _value(node.value) in FACTORS:
            lines.append(node.lineno)
    return lines


def _converts(operator: ast.operator, left: ast.AST, right: ast.AST) -> bool:
    a, b = _value(left), _value(right)
    if isinstance(operator, ast.Pow):
        return a == 2 and b in POWERS
    if isinstance(operator, ast.LShift):
        return a == 1 and b in POWERS
    if isinstance(operator, ast.Mult):
        return a in FACTORS or b in FACTORS
    # 1 / 8 is a plain fraction; bits / 8 is a change of unit.
    return isinstance(operator, ast.Div) and (b in FACTORS or (b == 8 and a is None))


def _value(node: ast.AST | None) -> float | None:
    number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if number else None


def tracked_files() -> list[str]:
    """Return the paths under version control, or skip where that cannot be asked."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: what is tracked cannot be listed")
    # A clone that another user owns is fine to list.
    command = [git, "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.split("\0") if path and (ROOT / path).is_file()]


@pytest.mark.parametrize("path", source_files())
def test_imports_point_from_pages_to_ui_to_the_model(path):
    """No file imports against the direction of the house."""
    assert wrong_imports(path, (ROOT / path).read_text()) == []


@pytest.mark.parametrize("path", [p for p in SCREENLESS if (ROOT / p).exists()])
def test_figures_theme_and_model_never_load_the_screen(path):
    """Not even through another file do they reach Streamlit."""
    sources = {name: (ROOT / name).read_text() for name in source_files()}
    assert {name for name in reached(path, sources) if within(name, {"streamlit"})} == set()


@pytest.mark.parametrize(
    "path", [p for p in source_files() if p.startswith("dpmodel/") and p not in UNIT_ROOMS]
)
def test_the_model_converts_no_units_outside_their_rooms(path):
    """Factors between units stand in units, catalogue and readers only."""
    assert unit_factors((ROOT / path).read_text()) == []


@pytest.mark.parametrize("path", [p for p in source_files() if not p.startswith("dpmodel/")])
def test_no_button_is_of_the_type_that_cannot_be_read_in_the_dark(path):
    """Streamlit writes white on primary buttons, whatever the accent colour."""
    assert not re.search(r"""type=["']primary["']""", (ROOT / path).read_text())


def test_the_hall_is_short():
    """app.py routes; what it would do itself belongs in a page."""
    hall = ROOT / "app.py"
    assert len(hall.read_text().splitlines()) <= HALL_LINES


def test_the_top_level_holds_only_what_the_house_has():
    """A new name at the top is a decision, made here first."""
    assert {path.partition("/")[0] for path in tracked_files()} - TOP_LEVEL == set()


def test_the_project_speaks_of_itself_alone():
    """No tracked text names the places or the people that wrote it."""
    strays = []
    for path in tracked_files():
        text = (ROOT / path).read_bytes()
        if b"\0" not in text:
            strays += [f"{path}: {word}" for word in stray_words(text.decode())]
    assert strays == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("dpmodel/step.py", "import streamlit"),
        ("dpmodel/step.py", "import plotly.graph_objects as go"),
        ("dpmodel/step.py", "from pages.ui import theme"),
        ("dpmodel/step.py", "from ..pages.ui import theme"),
        ("dpmodel/step.py", "def f():\n    import scipy"),
        ("dpmodel/fit.py", "import scipy.optimize"),
        ("pages/explore.py", "import numpy as np"),
        ("pages/explore.py", "from plotly import graph_objects"),
        ("pages/explore.py", "from pages import method"),
        ("pages/explore.py", "from pages.method import show"),
        ("pages/ui/blocks.py", "from pages.explore import show"),
        ("pages/ui/blocks.py", "from ..explore import show"),
        ("pages/ui/blocks.py", "import pandas"),
        ("app.py", "import numpy"),
    ],
)
def test_a_wrong_import_is_found(path, line):
    """The check can fail."""
    assert wrong_imports(path, line) != []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (
            "dpmodel/step.py",
            "import math\nimport numpy as np\nfrom dpmodel.errors import InputError",
        ),
        ("dpmodel/step.py", "from . import errors\nfrom .units import GIB"),
        ("dpmodel/fit.py", "def f():\n    from scipy import optimize"),
        ("dpmodel/ask/parse.py", "from ..units import parse"),
        ("pages/explore.py", "from pages.ui import controls\nimport streamlit as st"),
        ("pages/ui/blocks.py", "from . import theme\nfrom .theme import COLOURS"),
    ],
)
def test_a_right_import_is_left_alone(path, line):
    """The check does not cry wolf."""
    assert wrong_imports(path, line) == []


def test_streamlit_is_found_behind_another_file():
    """A figure that imports controls imports the screen."""
    sources = {
        "pages/ui/figures.py": "from . import helper",
        "pages/ui/helper.py": "from pages.ui.controls import draw",
        "pages/ui/controls.py": "import streamlit as st",
    }
    assert "streamlit" in reached("pages/ui/figures.py", sources)
    assert "streamlit" not in reached("pages/ui/figures.py", sources | {"pages/ui/helper.py": ""})


@pytest.mark.parametrize(
    "line",
    ["x * 1e9", "x / 1e6", "1024 * x", "bits / 8", "x / 8e9", "x * 2**20", "x * 2.0**30"]
    + ["x << 3; y = 1 << 30", "x *= 1e9", "GB = 1e9", "MIB: int = 1024"],
)
def test_a_factor_between_units_is_found(line):
    """The check can fail."""
    assert unit_factors(line) != []


@pytest.mark.parametrize(
    "line",
    ["x + 1e-9", "range(8)", "f(high=1e9)", "ladder = (512, 1024)", "1 / 8", "x ** 2", "8 * x"],
)
def test_a_plain_number_is_left_alone(line):
    """Limits, ladders and tolerances are no factors."""
    assert unit_factors(line) == []


@pytest.mark.parametrize(
    "words",
    [
        ("written by an age", "nt"),
        ("see ", "issue", " 2"),
        ("fixes", " #12"),
        ("in /", "work/main"),
        ("../", "shared/evidence"),
        ("Cla", "ude wrote this"),
        ("an ", "AI", "-written page"),
    ],
)
def test_a_stray_word_is_found(words):
    """The check can fail."""
    assert stray_words("".join(words))


@pytest.mark.parametrize(
    "text",
    [
        "a user agent",
        "the session state",
        "AI accelerators",
        "streamlit#16052",
        "NVIDIA/nccl issue 450",
    ],
)
def test_an_innocent_word_is_left_alone(text):
    """Words that the subject itself needs may stay."""
    assert not stray_words(text)
