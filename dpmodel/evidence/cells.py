"""Text cells on model, precision and software -> facts; what is not stated is reported so."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpmodel.evidence.reading import positive
from dpmodel.units import UNITS

_DATA = Path(__file__).parents[1] / "data" / "evidence"
_MILLION = UNITS["count"]["M"]
_GIGA_FLOP = UNITS["compute"]["GFLOP/s"]
_MB = UNITS["data"]["MB"]
# Sequences of 512 tokens do four times the work of the table's 128.
_LONG_BERT = 4
# Fewer parameters than any trained network has: the cell means something else.
_FEWEST = 100.0
FP32_BYTES, HALF_BYTES = 4.0, 2.0


@dataclass(frozen=True)
class ModelFacts:
    """What the prediction needs to know of a model.

    Attributes
    ----------
    name, kind : str
        Name shown; "cnn", "transformer", "detection", "speech", "gan" or "recommender".
    params : float
        Numbers all-reduced in a step [1].
    profile : str
        Layer profile of the model's own scenario, or "even".
    flop : float
        Forward and backward of one sample [FLOP].
    units : float
        Units of throughput (tokens, frames) in one sample [1].
    typical_batch, critical_batch : float
        Samples per worker in common use; batch at twice the fewest steps [1].
    uneven : bool
        Whether samples differ in length.
    """

    name: str
    kind: str
    params: float
    profile: str
    flop: float
    units: float
    typical_batch: float
    critical_batch: float
    uneven: bool


@cache
def _model_table() -> tuple[tuple[re.Pattern[str], dict[str, str]], ...]:
    with (_DATA / "models.csv").open(newline="") as file:
        return tuple((re.compile(row["pattern"]), row) for row in csv.DictReader(file))


def model_facts(cells: Mapping[str, str], unstated: list[str]) -> ModelFacts:
    """Find a model by its text; an unknown one is taken as 100 M parameters, and reported.

    Parameters
    ----------
    cells : mapping
        Row with `model` and perhaps `params`.
    unstated : list of str
        Gains a word for each thing that is not stated.
    """
    text = cells.get("model", "").lower()
    stated = _stated_params(cells.get("params", ""), text)
    if stated is not None and stated < _FEWEST:
        unstated.append("parameters: unreadable")
        stated = None
    row = _model_row(text, cells.get("source", ""), unstated)
    params = stated or float(row["params_m"]) * _MILLION
    if not params:
        unstated.append("parameters")
        params = 125 * _MILLION
    units = _units(row, text)
    return ModelFacts(
        row["name"], row["kind"], params, row["profile"],
        _flop(row, text, params, units, given=stated is not None), units,
        float(row["typical_batch"]), float(row["critical_batch"]), row["uneven"] == "yes",
    )  # fmt: skip


def _model_row(text: str, source: str, unstated: list[str]) -> dict[str, str]:
    """Return the table's row for a model; a pattern with "@" also looks at the source."""
    about = f"{text} @ {source.lower()[:60]}"
    for pattern, row in _model_table():
        if pattern.search(about if "@" in pattern.pattern else text):
            return row
    unstated.append("model: unknown, taken as 100 million parameters")
    return _model_table()[-1][1] | {"name": text or "unknown", "params_m": "100"}


def _flop(row: Mapping[str, str], text: str, params: float, units: float, *, given: bool) -> float:
    """Work of one sample: the table's, or 6 FLOP for each parameter and token."""
    flop = float(row["train_gflop"]) * _GIGA_FLOP
    if row["kind"] == "transformer" and (given or not flop):
        return 6 * params * units
    longer = row["name"] == "BERT-large" and "512" in text
    return flop * (_LONG_BERT if longer else 1)


def _units(row: Mapping[str, str], text: str) -> float:
    length = re.search(r"seq(?:uence)?(?: length)?\D{0,3}(\d{3,5})", text)
    units = float(row["units_per_sample"])
    return float(length.group(1)) if length and units > 1 else units


def _stated_params(params: str, model: str) -> float | None:
    """Parameters from "203 MB of parameters", "32B", "65.2M", a count, or "7b" in the name."""
    size = re.search(r"([\d.]+)\s*MB", params)
    if size:
        return float(size.group(1)) * _MB / FP32_BYTES
    counted = re.search(r"([\d.]+)\s*([kMBG])\b", params)
    if counted:
        return float(counted.group(1)) * UNITS["count"][counted.group(2)]
    plain = positive(params)
    if plain:
        return plain
    family = r"(?:mpt|lm|opt|pythia|gpt-neox?|falcon|bloom|mistral|gemma|qwen|megatron|gpt|t5)"
    named = re.search(family + r"\D{0,9}?[ -]?([\d.]+)\s*([mb])\b", model)
    return float(named.group(1)) * UNITS["count"][named.group(2).upper()] if named else None


def gradient_bytes(cells: Mapping[str, str], unstated: list[str]) -> float:
    """Bytes a gradient takes on the wire: 2 in half precision, 4 in fp32, TF32 and automatic mixed.

    Automatic mixed precision keeps its weights, and so the gradients it exchanges, in fp32.
    """
    text = cells.get("precision", "").lower()
    if not text or "not stated" in text:
        unstated.append("precision")
    pure = re.search(r"mixed|^(fp|bf|float)16|amp_bf16|pure|half", text)
    return HALF_BYTES if pure else FP32_BYTES


def is_half(cells: Mapping[str, str]) -> bool:
    """Whether the arithmetic runs on matrix units in half precision."""
    return bool(re.search(r"fp16|bf16|amp|mixed|half|fp8", cells.get("precision", "").lower()))


def framework_of(cells: Mapping[str, str]) -> str:
    """Class of the software that exchanges gradients.

    "ddp", "horovod", "replicated" (tensor by tensor, in graph), "server" (parameter servers),
    "kvstore" (MXNet), "host" (all-reduce on processors), "fsdp", "tuned" (benchmark submissions).
    """
    names = ("framework", "notes", "interconnect_inter", "source")
    text = " ".join(cells.get(name, "") for name in names).lower()
    rules = (
        (r"fsdp|full_shard|zero|maxtext|jax", "fsdp"),
        (r"parameter server|vars\. on cpu|variables on cpu|paddlepaddle ps|tf.*\bps\b", "server"),
        (r"distributed tensorflow(?!-)", "server"),
        (r"all-?reduce on cpu|horovod on cpu", "host"),
        (r"replicated", "replicated"),
        (r"tf_cnn_benchmarks|local_allreduce", "replicated"),
        (r"nvidia release|nemo|hugectr|minutes|time to train to target", "tuned"),
        (r"horovod|byteps", "horovod"),
        (r"kv-?store", "kvstore"),
        (r"(ngc|nvidia).*mxnet|mxnet.*nvidia", "horovod"),
        (r"mxnet", "kvstore"),
        (r"tensorflow|oneflow|paddle", "horovod"),
    )
    if "minutes" in cells.get("time_unit", ""):
        return "tuned"
    return next((name for pattern, name in rules if re.search(pattern, text)), "ddp")


def has_real_data(cells: Mapping[str, str]) -> bool:
    """Whether samples came from storage: the row says so, or it is MXNet's default example."""
    text = (cells.get("framework", "") + " " + cells.get("notes", "")).lower()
    reads = "real" in text or framework_of(cells) == "kvstore"
    return reads and "synthetic" not in text
