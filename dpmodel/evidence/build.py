"""Build the product's tables from the full collection of measurements.

    python -m dpmodel.evidence.build FOLDER

copies the facts that the product shows into dpmodel/data/evidence (source column kept; the tables
of `LEFT_OUT` stay where they lie), sets the error bands on the training half of the collection,
and writes the scores that the screen shows and the section of METHOD.md on measurements.
"""

from __future__ import annotations

import csv
import json
import shutil
import sys
from datetime import date
from pathlib import Path

from dpmodel.evidence.bands import bands, set_bands, write_bands
from dpmodel.evidence.curves import predict_curve
from dpmodel.evidence.method import evidence_section, write_section
from dpmodel.evidence.reading import read_curves
from dpmodel.evidence.report import (
    BY_NODES,
    CURVES,
    SCORES,
    SWEEPS,
    evidence_document,
    scores_document,
)
from dpmodel.evidence.scores import half, scored_part

LEFT_OUT = ("pollux_sia_profiles.csv", "pairs_two_sizes.csv")


def carry_over(folder: Path) -> None:
    """Copy the tables, and the lines of the index that belong to them."""
    CURVES.mkdir(parents=True, exist_ok=True)
    kept = set()
    for path in sorted((folder / "curves").glob("*.csv")):
        if path.name not in (*LEFT_OUT, "index.csv"):
            shutil.copyfile(path, CURVES / path.name)
            with path.open(newline="") as file:
                kept |= {row["dataset_id"] for row in csv.DictReader(file)}
    with (folder / "curves" / "index.csv").open(newline="") as file:
        reader = csv.DictReader(file)
        rows = [row for row in reader if row["dataset_id"] in kept]
        names = list(reader.fieldnames or ())
    with (CURVES / "index.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shutil.copyfile(folder / "allreduce.csv", SWEEPS)
    shutil.copyfile(folder / "end_to_end_scaling.csv", BY_NODES)


def main(arguments: list[str]) -> int:
    """Carry the facts over and set the bands."""
    folder = Path(arguments[0])
    carry_over(folder)
    predictions = [predict_curve(curve) for curve in read_curves(folder / "curves")]
    write_bands(set_bands(half(scored_part(predictions), training=True)))
    bands.cache_clear()
    whole = evidence_document(
        folder / "curves", folder / "allreduce.csv", by_nodes=folder / "end_to_end_scaling.csv"
    )
    SCORES.write_text(json.dumps(scores_document(whole), indent=1) + "\n", encoding="utf-8")
    write_section(evidence_section(folder, date.today().isoformat()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
