"""What the live panel sends: packed, decoded again, and published."""

from __future__ import annotations

import json
import shutil
import struct
import time
from pathlib import Path

import numpy as np
import pytest

from pages.ui import plotlyjs
from pages.ui.packing import AxisRange, Bound, Column, Family, PanelFigure, pack, unpack

TOY = Path(__file__).parent / "browser" / "apps" / "live_toy.py"
X = np.geomspace(1, 4096, 64)


def family(length: int, index: int, scale: float = 1.0) -> Family:
    """A family of straight curves with one marker."""
    rows = np.arange(1, length + 1, dtype=float)[:, None]
    labels = [str(i) for i in range(length)]
    series = {"time": scale * rows * X, "mark": rows}
    return Family(labels, index, series, [[f"{i} h", f"{i}x"] for i in range(length)])


def figure(mode: str = "lines") -> PanelFigure:
    """A figure with one bound trace, an array, a colour pair and a CSV."""
    line = {"mode": mode, "line": {"color": {"light": "#000", "dark": "#fff"}}}
    fixed = {"mode": "lines", "x": X, "y": 2 * X, "customdata": np.ones((3, 2))}
    csv = [Column("N", "x"), Column("Time [h]", "time"), Column("Twice", 2 * X)]
    return PanelFigure("a", "Title", {"data": [line, fixed], "layout": {}}, "Alt", csv=csv)


def packed(**changes: object) -> bytes:
    """A panel of two knobs."""
    parts: dict[str, object] = {
        "figures": [figure()],
        "headline": ["Time", "Speed-up"],
        "families": {"n": family(13, 6), "bw": family(25, 3)},
        "bound": [Bound(0, 0, "time")],
        "x": X,
        "notice": "Look.",
    }
    return pack(**(parts | changes))  # type: ignore[arg-type]


def test_families_come_back_as_they_were_sent():
    """Every row of every series is what was sent, in single precision."""
    header = unpack(packed())
    for knob, sent in zip(header["knobs"], (family(13, 6), family(25, 3)), strict=True):
        assert knob["labels"] == sent.labels
        assert knob["texts"] == sent.texts
        for name, rows in sent.series.items():
            np.testing.assert_allclose(knob["series"][name], rows, rtol=1e-7)


def test_present_row_is_the_base():
    """The base is the row at the present value, of the first family that has the series."""
    header = unpack(packed())
    np.testing.assert_allclose(header["base"]["time"], 7 * X, rtol=1e-7)
    assert header["values"] == ["6 h", "6x"]
    np.testing.assert_allclose(header["x"], X, rtol=1e-7)


def test_series_of_one_knob_only_has_a_base_too():
    """A series that only the second family has takes that family's present row."""
    extra = Family(["1", "2"], 1, {"other": np.array([[1.0, 2], [3, 4]])}, [["a", "b"]] * 2)
    header = unpack(packed(families={"n": family(13, 6), "k": extra}))
    assert header["base"]["other"].tolist() == [3, 4]


def test_gaps_are_kept():
    """NaN stays NaN: the browser does not draw it."""
    rows = np.array([[1.0, np.nan], [np.nan, 2.0]])
    knob = Family(["1", "2"], 0, {"time": rows}, ["no", ["1 h"]])
    header = unpack(packed(families={"n": knob}))
    np.testing.assert_array_equal(header["knobs"][0]["series"]["time"], rows)
    assert header["values"] == "no"


def test_numbers_are_aligned_and_little_endian():
    """The header's length is a multiple of four, so that the browser can read floats in place."""
    for notice in ("", "a", "ab", "abc", "ü"):
        data = packed(notice=notice)
        (size,) = struct.unpack_from("<I", data)
        assert size % 4 == 0
        assert json.loads(data[4 : 4 + size])["notice"] == notice


def test_arrays_in_a_spec_travel_as_numbers():
    """Arrays in data and CSV columns become places in the block, with their dimensions."""
    given = unpack(packed())["figures"][0]
    assert given["spec"]["data"][1]["x"]["$f"][1:] == [1, 64, 1]
    assert given["spec"]["data"][1]["customdata"]["$f"][1:] == [3, 2, 2]
    assert given["csv"][2]["numbers"]["$f"][2] == 64
    assert given["csv"][1]["values"] == "time"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bound": [Bound(0, 0, "missing")]}, "no family has the series"),
        ({"ranges": [AxisRange(0, "y", "missing")]}, "no family has the series"),
        ({"figures": [figure("lines+markers")]}, "lines or markers"),
        ({"families": {"n": family(13, 13)}}, "differ in length"),
        ({"notice": float("nan")}, "not JSON compliant"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, sentence):
    """A panel that the browser could not draw fails at the server."""
    with pytest.raises(ValueError, match=sentence):
        packed(**changes)


def test_packing_four_knobs_is_quick_and_small():
    """Four full families take a few milliseconds at most and less than 130 kB."""
    families = {str(i): family(length, 3) for i, length in enumerate((22, 13, 25, 24))}
    for item in families.values():
        item.series["speed"] = item.series["time"]  # type: ignore[index]
    start = time.process_time()
    for _ in range(10):
        data = packed(families=families)
    assert (time.process_time() - start) / 10 < 0.02
    assert len(data) < 130_000


def test_file_is_published_once(tmp_path):
    """A file is written when missing or cut short, and left alone otherwise."""
    folder = tmp_path / "static"
    assert plotlyjs.publish("a-1.js", b"12345", folder) == "app/static/a-1.js"
    target = folder / "a-1.js"
    stamp = target.stat().st_mtime_ns
    plotlyjs.publish("a-1.js", b"12345", folder)
    assert target.stat().st_mtime_ns == stamp
    target.write_bytes(b"12")
    plotlyjs.publish("a-1.js", b"12345", folder)
    assert target.read_bytes() == b"12345"
    assert [path.name for path in folder.iterdir()] == ["a-1.js"]


def test_folder_that_cannot_be_written_gives_no_address(tmp_path):
    """Where the folder cannot be made there is no address, and no error."""
    (tmp_path / "static").write_text("")
    assert plotlyjs.publish("a-1.js", b"1", tmp_path / "static") is None


def test_plotly_is_the_installed_one(tmp_path, monkeypatch):
    """The published plotly.js is the installed package's, under its version."""
    import plotly

    monkeypatch.setattr(plotlyjs, "STATIC", tmp_path)
    plotlyjs.plotly_url.cache_clear()
    assert plotlyjs.plotly_url() == f"app/static/plotly-{plotly.__version__}.min.js"
    plotlyjs.plotly_url.cache_clear()
    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    (copy,) = tmp_path.iterdir()
    assert copy.read_bytes() == source.read_bytes()


def test_script_is_one_module():
    """The script's parts hang together as one module with a single export and no import."""
    from pages.ui.live import script

    text = script()
    assert text.count("export default") == 1
    assert "\nimport " not in text


def test_panel_in_a_page_sends_what_the_sliders_show(tmp_path, monkeypatch):
    """In a page, twice in one process: labels are the slider's options, present texts its value."""
    from streamlit.testing.v1 import AppTest

    monkeypatch.setattr(plotlyjs, "STATIC", tmp_path / "static")
    page = shutil.copy(TOY, tmp_path)
    for _ in range(2):
        app = AppTest.from_file(page).run(timeout=30)
        assert not app.exception
        header = unpack(app.get("bidi_component")[0].proto.bytes)
        for knob, slider in zip(header["knobs"], app.select_slider, strict=True):
            assert knob["labels"] == slider.options
            assert knob["labels"][knob["index"]] == str(slider.value)
            assert knob["texts"][knob["index"]] == header["values"]
        app.select_slider(key="bw").set_value(10).run()
        moved = unpack(app.get("bidi_component")[0].proto.bytes)
        bandwidth = header["knobs"][1]
        row = bandwidth["labels"].index("10")
        assert bandwidth["texts"][row] == moved["values"]
        np.testing.assert_allclose(bandwidth["series"]["time"][row], moved["base"]["time"])
