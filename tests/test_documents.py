"""What the documents say is true: the README's example runs, METHOD.md's tables are current."""

import re
from pathlib import Path

from dpmodel.glossary import glossary, nomenclature
from dpmodel.scenario import FIELD_KNOBS

ROOT = Path(__file__).resolve().parents[1]


def between(text: str, name: str) -> str:
    """Return the text between a document's two markers."""
    found = re.search(rf"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", text, re.S)
    assert found, f"no markers {name}"
    return found[1].strip()


def test_the_readme_example_runs(capsys) -> None:  # type: ignore[no-untyped-def]
    """The README's Python block prints a speed-up of 1 for one worker and a 3 by 3 sweep."""
    block = re.search(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S
    )
    assert block
    names: dict[str, object] = {}
    exec(block[1], names)  # noqa: S102
    assert capsys.readouterr().out.startswith("[1. ")
    assert names["swept"].efficiency.shape == (3, 3)  # type: ignore[attr-defined]


def test_the_nomenclature_is_made_from_the_knobs() -> None:
    """METHOD.md's table of symbols is the one that the knob declarations give."""
    assert (
        between((ROOT / "METHOD.md").read_text(encoding="utf-8"), "nomenclature") == nomenclature()
    )


def test_every_knob_and_term_is_explained_in_a_dozen_words() -> None:
    """The glossary holds every control's help, and no entry is longer than twelve words."""
    words = glossary()
    assert all(0 < len(text.split()) <= 12 for text in words.values())
    assert {knob.help for knob in FIELD_KNOBS.values()} <= set(words.values())


def test_functions_named_in_the_method_exist() -> None:
    """Every `dpmodel.x.y` that METHOD.md names can be imported."""
    import importlib

    text = (ROOT / "METHOD.md").read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"`(dpmodel(?:\.\w+)+)`", text))):
        assert _resolves(name, importlib), name


def _resolves(name: str, importlib) -> bool:  # type: ignore[no-untyped-def]
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            found = getattr(found, attribute, None)
        return found is not None
    return False
