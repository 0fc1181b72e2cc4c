"""The section of METHOD.md on measurements: made by a command, so that it cannot go stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpmodel.evidence.curves import CurvePrediction, predict_curve
from dpmodel.evidence.mechanisms import ablation
from dpmodel.evidence.reading import read_by_nodes, read_curves, read_sweeps
from dpmodel.evidence.report import curves_document, sweeps_document
from dpmodel.evidence.scores import curve_scores, half, scored_part
from dpmodel.evidence.sweeps import fit_sweep

BEGIN, END = "<!-- evidence: begin -->\n", "<!-- evidence: end -->"
FILE = Path(__file__).parents[2] / "METHOD.md"
_HEAD = "| runs | points | median error | one in ten | mean error | ideal line | in the band |"

_SPLIT = """\
Measured on {date} by `python -m dpmodel evidence` over the whole collection. Each curve is \
predicted from the throughput of its smallest size, its batches and its text cells; errors are \
of the efficiency against that size, in points (100 points = all of it), for curves whose \
source states machine and method. The mean error is predicted less measured: above zero, the \
model is too hopeful.

Constants that no cell states (`dpmodel.evidence.constants`) started from values chosen with all \
curves in view; a search then ran on one half of the curves only, and its result was rounded by \
hand. A curve belongs to that half if the first byte of the SHA-256 of \
"family, accelerator, model" is even, so that sister curves stay together. *Held out* is the \
half that the search did not see. \
It is no blind test: what cells leave open (a machine's usual network, the rate of MXNet's loader) \
was read with all curves in view, one mechanism that did not help there (crowding of the network) \
was dropped, and the form of the bands and their widening for less trusted sources were chosen by \
their coverage there. Expect somewhat larger errors on measurements that nobody has looked at.

Rates and latencies of all-reduces come from the library's tables and from large messages. Nothing \
is fitted to a run, but the joining exponents, searched on part of the sweeps and then rounded, \
the latencies by transport and the exponent of the two-parameter law by kind of machine were \
chosen with all 37 sweeps in view.

The two-size comparisons of the collection were looked at last, and are the one look at runs \
that had set nothing: 19 points median and 56 at the \
worst tenth, against 36 and 75 of the ideal line; they led to reading transports from the \
software's name, to variables that stay whole on a server, and to several streams in NCCL, with \
which they are 13 and 32, no longer unseen."""

_LEFT_OUT = """\
| left out of these predictions | they are |
|---|---|
| loaders that do not keep up, where no cell says that data were real | too hopeful |
| tensor, pipeline and sequence parallel traffic inside a split model | too hopeful |
| sparse exchange of embeddings | too pessimistic |
| noisy neighbours on clouds, several jobs on one machine | too hopeful |
| a first size that ran slower than it should: efficiency above 100 % | too pessimistic |
| RCCL's own start-up times | too fast on small messages |"""


def evidence_section(folder: Path, date: str) -> str:
    """Return the section's text.

    Parameters
    ----------
    folder : Path
        The whole collection: curves/, allreduce.csv, end_to_end_scaling.csv.
    date : str
        Day of the measurement.
    """
    predictions = [predict_curve(curve) for curve in read_curves(folder / "curves")]
    document = curves_document(predictions)
    nodes = [predict_curve(c) for c in read_by_nodes(folder / "end_to_end_scaling.csv")]
    fits = [fit_sweep(sweep) for sweep in read_sweeps(folder / "allreduce.csv")]
    blocks = [
        _SPLIT.format(date=date),
        _curve_table(document, predictions, nodes),
        _sweep_table(sweeps_document(fits)),
        _mechanism_table(predictions),
        _LEFT_OUT,
    ]
    return "\n\n".join(blocks) + "\n"


def _curve_table(
    document: Mapping[str, Any],
    predictions: Sequence[CurvePrediction],
    nodes: Sequence[CurvePrediction],
) -> str:
    training = curve_scores(half(scored_part(predictions), training=True))
    rows = [
        ("**all**", document),
        ("searched on", training),
        ("held out", document["held_out"]),
        *document["modes"].items(),
        *document["regimes"].items(),
        *document["kinds"].items(),
        *document["families"].items(),
        ("every curve, less trusted too", document["every_trust"]),
        ("by nodes (end to end)", curve_scores(nodes)),
    ]
    return "\n".join([_HEAD, "|---|---|---|---|---|---|---|", *(_row(*row) for row in rows)])


def _row(name: str, part: Mapping[str, Any]) -> str:
    ideal = part["ideal"]
    return (
        f"| {name} | {part['points']} | {_points(part['median'])} | {_points(part['p90'])} | "
        f"{100 * part['bias']:+.1f} | {_points(ideal['median'])} / {_points(ideal['p90'])} | "
        f"{part['in_band']:.0%} |"
    )


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _sweep_table(document: Mapping[str, Any]) -> str:
    names = {
        "nothing_fitted": "nothing fitted: `dpmodel.evidence.tuner`",
        "two": "two parameters a run: start-up and rate, exponent by kind of machine",
        "three": "three parameters a run: the exponent too",
        "affine": "textbook a + R S/B, two parameters a run",
    }
    head = (
        f"| all-reduce time, {document['runs']} whole healthy sweeps | median error | worst size |"
    )
    rows = [
        f"| {text} | {document[key]['median']:.1%} | {document[key]['worst']:.0%} |"
        for key, text in names.items()
    ]
    return "\n".join([head, "|---|---|---|", *rows])


def _mechanism_table(predictions: Sequence[CurvePrediction]) -> str:
    held = [one.case.curve for one in half(scored_part(predictions), training=False)]
    head = "| mechanism | held-out points it moves | mean error without | with |"
    rows = [
        f"| {name} | {points} | {_points(before)} | {_points(after)} |"
        for name, points, before, after in ablation(held)
    ]
    return "\n".join([head, "|---|---|---|---|", *rows])


def write_section(text: str, path: Path = FILE) -> None:
    """Put the section between its markers, which are added at the end where they are missing."""
    document = path.read_text(encoding="utf-8")
    if BEGIN not in document:
        document = (
            document.rstrip("\n") + "\n\n## Error against measurements\n\n" + BEGIN + END + "\n"
        )
    before, rest = document.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(before + BEGIN + text + END + after, encoding="utf-8")
