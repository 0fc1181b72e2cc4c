"""METHOD.md as the app shows it, and the glossary as a table."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from dpmodel.glossary import glossary

FILE = Path(__file__).resolve().parents[2] / "METHOD.md"
# On a narrow screen wide tables and formulas scroll by themselves, not the page with them.
STYLE = """<style>
.st-key-method_text :is(table, .katex-display) { display: block; overflow-x: auto; }
.st-key-method_text .katex-display { overflow-y: hidden; }
</style>"""


@cache
def method() -> str:
    """Return METHOD.md without its title, which the page shows itself, and its markers."""
    text = FILE.read_text(encoding="utf-8").split("\n", 1)[1]
    return re.sub(r"<!-- .*? -->\n", "", text).strip()


def glossary_table() -> dict[str, list[str]]:
    """Return the glossary's terms and explanations as columns."""
    words = glossary()
    return {"Term": [f"**{term}**" for term in words], "Meaning": list(words.values())}
