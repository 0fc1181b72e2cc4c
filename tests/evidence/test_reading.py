"""Tables of measurements become cases; what cannot be read is refused with a way out."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from dpmodel.errors import InputError
from dpmodel.evidence.reading import (
    is_training_part,
    positive,
    read_by_nodes,
    read_curves,
    read_sweeps,
)
from dpmodel.evidence.report import BY_NODES, CURVES, SWEEPS

HEAD = "dataset_id,source,model,workers,per_worker_batch,throughput,throughput_unit,time,mode\n"


def write(folder: Path, text: str, name: str = "some.csv") -> Path:
    """Write one table and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_curve_keeps_its_file_and_lines(tmp_path) -> None:
    """Every size leads back to its row."""
    write(tmp_path, HEAD + "a,s,ResNet-50,8,64,760,images/s,,weak\na,s,ResNet-50,1,64,100,,,\n")
    (curve,) = read_curves(tmp_path)
    assert curve.workers.tolist() == [1, 8]
    assert curve.efficiency.tolist() == [1, 0.95]
    assert (curve.file, curve.lines) == ("some.csv", (3, 2))


def test_a_time_is_lower_the_better(tmp_path) -> None:
    """Where only a time is given, its inverse is the rate."""
    write(tmp_path, HEAD + "a,s,BERT,1,64,,,10,strong\na,s,BERT,2,32,,,5,strong\n")
    assert read_curves(tmp_path)[0].efficiency.tolist() == [1, 1]


def test_repeated_sizes_give_their_median(tmp_path) -> None:
    """Three rows at one size count once."""
    rows = "".join(
        f"a,s,BERT,{n},8,{v},x/s,,weak\n" for n, v in ((1, 9), (1, 10), (1, 99), (2, 20))
    )
    write(tmp_path, HEAD + rows)
    assert read_curves(tmp_path)[0].rate.tolist() == [10, 20]


def test_rows_without_numbers_are_left_out(tmp_path) -> None:
    """A size with neither throughput nor time is no point."""
    write(tmp_path, HEAD + "a,s,BERT,1,8,5,x/s,,weak\na,s,BERT,2,8,,,,weak\nb,s,BERT,x,8,1,,,\n")
    assert read_curves(tmp_path) == []


@pytest.mark.parametrize("text", ["", "dataset_id,model\na,b\n"])
def test_a_table_without_its_columns_is_refused(tmp_path, text) -> None:
    """The sentence says what is missing."""
    write(tmp_path, text)
    with pytest.raises(InputError, match="cannot be read"):
        read_curves(tmp_path)


def test_an_empty_folder_is_refused(tmp_path) -> None:
    """A way out is named."""
    with pytest.raises(InputError, match="Give the folder"):
        read_curves(tmp_path)


def test_a_missing_sweep_table_is_refused(tmp_path) -> None:
    """No traceback."""
    with pytest.raises(InputError, match="cannot be read"):
        read_sweeps(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("text", "value"), [("8", 8), ("1,024", 1024), ("n/a", None), ("-1", None), ("inf", None)]
)
def test_cells_that_are_no_positive_number_are_none(text, value) -> None:
    """Words, negative and infinite numbers do not pass."""
    assert positive(text) == value


def test_the_split_is_fixed_and_about_even() -> None:
    """A name's hash decides, and siblings of one group stay together."""
    groups = sorted({curve.group for curve in read_curves(CURVES)})
    share = np.mean([is_training_part(group) for group in groups])
    assert 0.35 <= share <= 0.65
    assert is_training_part("a") == is_training_part("a")


def test_carried_over_rows_keep_their_source() -> None:
    """Each of the product's rows names a publication; the profile tables are not among them."""
    for path in [*CURVES.glob("*.csv"), SWEEPS, BY_NODES]:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert rows
        if path.name != "index.csv":
            assert all(row["source"] for row in rows), path.name
    assert not list(CURVES.glob("pollux*"))


def test_runs_by_nodes_become_curves() -> None:
    """Runs of one model, machine and batch stand together, from one node up."""
    curves = read_by_nodes(BY_NODES)
    assert len(curves) >= 20
    assert all(np.all(np.diff(curve.workers) > 0) for curve in curves)
