"""Every knob declared once, and the frozen scenario that they make.

One declaration feeds the widget, the address bar, the command line, the JSON file and the
nomenclature table of METHOD.md. A knob is known by its `key` (command line, JSON, Python) and by
its shorter `link` (address bar); both borders use the knob's display unit. The fields of
`Scenario` hold SI values.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from dpmodel.knobs import Knob, Number

GROUPS = {
    "headline": "Headline",
    "job": "Job and batch",
    "compute": "Compute",
    "network": "Network",
    "overlap": "Overlap with the backward pass",
    "delays": "Stragglers, input and serial work",
    "money": "Cost and energy",
    "failures": "Failures",
    "goals": "Goals",
}


def _knob(key: str, link: str, label: str, symbol: str, default: Any, **rest: Any) -> Any:
    """Declare a field of `Scenario` together with its knob."""
    knob = Knob(key=key, link=link, label=label, symbol=symbol, default=default, **rest)
    return field(default=knob.default_si, metadata={"knob": knob})


def _ladder(low: int, high: int, steps: tuple[float, ...] = (1, 3)) -> tuple[float, ...]:
    return tuple(float(f"{s}e{d}") for d in range(low, high) for s in steps) + (float(f"1e{high}"),)


_POWERS = tuple(float(2**i) for i in range(13))
_MEMORY_NOTE = "assumption; set your own"
# Models of the catalogue whose layers are known; a test holds both lists together.
LAYER_PROFILES = {
    "even": "Even",
    "lenet-5": "LeNet-5",
    "alexnet": "AlexNet",
    "vgg-16": "VGG-16",
    "resnet-18": "ResNet-18",
    "resnet-50": "ResNet-50",
    "resnet-101": "ResNet-101",
    "resnet-152": "ResNet-152",
    "vit-b16": "ViT-B/16",
    "vit-l16": "ViT-L/16",
    "bert-base": "BERT-base",
    "bert-large": "BERT-large",
    "gpt2-small": "GPT-2 small",
    "gpt2-medium": "GPT-2 medium",
    "gpt2-large": "GPT-2 large",
    "gpt2-xl": "GPT-2 XL",
    "gpt3-175b": "GPT-3 175B",
    "llama1-30b": "Llama 1 30B",
    "llama2-7b": "Llama 2 7B",
    "llama2-13b": "Llama 2 13B",
    "llama2-70b": "Llama 2 70B",
    "llama3.1-8b": "Llama 3.1 8B",
    "llama3.1-405b": "Llama 3.1 405B",
}


@dataclass(frozen=True)
class Scenario:
    """One situation, in SI units, checked once when made.

    Numeric fields may be arrays: every function of the model broadcasts over them, so a sweep
    over any knobs is one call. Build one from display units with `make_scenario`.

    Raises
    ------
    InputError
        A field is outside the range that its knob declares.
    """

    # fmt: off
    # --- headline ---------------------------------------------------------------------------
    one_worker_time: Number = _knob(
        "hours", "hours", "Hours on one worker", "T(1)", 40, unit="h", dimension="time",
        per="whole run", low=1e-3, high=1e9, aliases=("h", "t1_hours"),
        ladder=(1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800,
            1000), help="Failure-free training time on one worker, everything included.",
        group="headline",
    )
    workers: Number = _knob(
        "workers", "n", "Workers", "N", 16, unit="", per="job", low=1, high=1e6,
        ladder=_POWERS, integer=True, aliases=("gpus",),
        help="Devices that share each batch and hold the same model.", group="headline",
    )
    bandwidth: Number = _knob(
        "bandwidth", "bw", "Bandwidth", "B", 10, unit="Gb/s", dimension="rate",
        per="network link, one direction", low=1e-3, high=1e9,
        ladder=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 16, 25, 32, 40, 50, 56, 75, 100, 126, 200, 252, 400,
            504, 800, 1200, 1600, 2400, 3600, 7200),
        help="Speed of one network link, one direction, in bits.", group="headline",
    )
    parameters: Number = _knob(
        "size", "size", "Model size", "P", 25.6, unit="M", per="model", low=1e-6,
        high=1e8, aliases=("parameters", "params"),
        ladder=(0.1, 0.3, 1, 3, 5.3, 11.7, 25.6, 44.5, 61.1, 86.6, 109, 138, 304, 335, 774, 1560,
            3000, 6740, 13000, 32500, 69000, 175000, 406000),
        help="Trainable parameters; their gradients are exchanged every step.", group="headline",
    )
    mode: str = _knob(
        "mode", "mode", "Mode", "", "communication",
        choices={"ideal": "Ideal", "communication": "With communication", "realistic": "Realistic"},
        help="How much of what costs time is counted.", group="headline",
    )
    # --- job --------------------------------------------------------------------------------
    batch: Number = _knob(
        "batch", "batch", "Global batch", "B₀", 512, unit="", per="step, on one worker", low=1,
        high=1e9, integer=True,
        ladder=(8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536),
        help="Samples in one step before more workers change it.", group="job",
    )
    steps: Number = _knob(
        "steps", "steps", "Steps", "K", 100000, unit="", per="run, on one worker", low=1,
        high=1e10, ladder=_ladder(2, 7),
        help="Weight updates in the whole run on one worker.", group="job",
    )
    scaling: str = _knob(
        "scaling", "scaling", "When workers are added", "", "strong",
        choices={"strong": "Split the same batch (strong scaling)",
            "weak": "Same batch per worker, fewer steps (weak scaling)",
            "quality": "Same batch per worker, same final quality"},
        help="Whether the global batch stays or grows with workers.", group="job",
    )
    critical_batch: Number = _knob(
        "critical_batch", "bcrit", "Critical batch", "B_crit", 46000, unit="",
        per="model and data set", low=1, high=1e10,
        ladder=(256, 512, 1024, 2048, 4096, 8192, 13000, 16384, 32768, 46000, 65536, 131072,
            262144, 524288, 1048576), help="Batch at which twice the fewest steps are needed.",
        group="job",
        source="ResNet-50 46,000 images, BERT-large 13,000 sequences: fits to the MLPerf "
        "reference convergence points (mlcommons/logging, training 4.0 and 5.0)",
    )
    accumulation: Number = _knob(
        "accumulation", "acc", "Gradient accumulation", "A", 1, unit="", per="step", low=1,
        high=4096, integer=True, ladder=(1, 2, 4, 8, 16, 32, 64, 128),
        help="Micro-batches computed before one all-reduce.", group="job",
    )
    # --- compute ----------------------------------------------------------------------------
    time_from: str = _knob(
        "time_from", "t1", "Time on one worker", "", "hours",
        choices={"hours": "As given in hours", "device": "From model and device"},
        help="Give the hours, or compute them from FLOP and device.", group="compute",
    )
    peak: Number = _knob(
        "peak", "peak", "Device peak", "F", 125, unit="TFLOP/s", dimension="compute",
        per="worker, dense", low=1e-3, high=1e6,
        ladder=(1, 4.4, 8.1, 15.7, 19.5, 31.2, 65, 82.6, 125, 156, 275, 312, 459, 756, 989, 1300,
            2250), help="Dense peak arithmetic rate of one worker.", group="compute",
        source="device data sheets, see the catalogue",
    )
    utilisation: Number = _knob(
        "mfu", "mfu", "Model FLOP utilisation", "MFU", 40, unit="%", dimension="fraction",
        per="worker", low=0.1, high=100,
        ladder=(5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 100),
        help="Share of the peak that useful arithmetic reaches.", group="compute",
        source="30-60 % end to end on large models",
    )
    reuse: Number = _knob(
        "reuse", "reuse", "Uses of each parameter", "r", 160, unit="", per="sample", low=0.1,
        high=1e7, ladder=(1, 3, 10, 24, 37, 71, 112, 160, 203, 512, 1024, 2048, 4096, 8192),
        help="Tokens or image positions that use each parameter.", group="compute",
        source="training FLOP per sample = 6 P r; ResNet-50: 24.5 GFLOP / (6 x 25.6 M) = 160",
    )
    half_batch: Number = _knob(
        "half_batch", "half", "Batch at half efficiency", "b½", 4, unit="",
        per="worker and micro-batch", low=0, high=1e6, realistic=True,
        ladder=(0, 0.5, 1, 2, 4, 8, 16, 32, 64, 128), source=_MEMORY_NOTE,
        help="Samples at which a worker runs at half speed.", group="compute",
    )
    launch_floor: Number = _knob(
        "floor", "floor", "Launch floor", "t_min", 0, unit="ms", dimension="time",
        per="worker and micro-batch", low=0, high=1e6, realistic=True,
        ladder=(0, 1, 2, 5, 10, 20, 50, 100), source=_MEMORY_NOTE,
        help="Shortest possible forward and backward pass.", group="compute",
    )
    # --- network ----------------------------------------------------------------------------
    gradient_bytes: Number = _knob(
        "gradient_bytes", "gb", "Gradient precision", "s", 4, unit="", per="parameter, bytes",
        low=0.01, high=8, ladder=(0.5, 1, 2, 4, 8), aliases=("precision",),
        help="Bytes per gradient: 4 for fp32, 2 for bf16.", group="network",
    )
    latency: Number = _knob(
        "latency", "lat", "Latency", "α", 20, unit="us", dimension="time", per="message", low=0,
        high=1e7,
        ladder=(0, 0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 80, 100, 200, 500, 1000),
        help="Start-up time of one message between workers.", group="network",
        source="5-7 µs InfiniBand, 30 µs EFA, 50-100 µs TCP (measured sweeps)",
    )
    algorithm: str = _knob(
        "algorithm", "alg", "All-reduce algorithm", "", "ring",
        choices={"ring": "Ring", "tree": "Binomial tree", "double_tree": "Double binary tree",
            "recursive_doubling": "Recursive doubling",
            "halving_doubling": "Recursive halving-doubling",
            "parameter_server": "Parameter servers", "in_switch": "In-switch reduction"},
        help="How workers add up their gradients.", group="network",
    )
    servers: Number = _knob(
        "servers", "servers", "Parameter servers", "s_ps", 1, unit="", per="job", low=1,
        high=1e6, integer=True, ladder=_POWERS,
        help="Servers that share the sum; one is a bottleneck.", group="network",
    )
    law: str = _knob(
        "law", "law", "Transfer law", "q", "pipelined",
        choices={"pipelined": "Pipelined (q = 1/2)",
            "textbook": "Textbook (latency + bytes/bandwidth)"},
        help="How latency and bandwidth combine in one transfer.", group="network",
        source="fits 37 measured sweeps to 7 % against 17 % for the textbook form",
    )
    per_node: Number = _knob(
        "per_node", "g", "Workers per node", "g", 1, unit="", per="node", low=1, high=1024,
        integer=True, ladder=(1, 2, 4, 8, 16, 32, 72), aliases=("workers_per_node",),
        help="Workers in one machine, joined by the faster node link.", group="network",
    )
    node_bandwidth: Number = _knob(
        "node_bandwidth", "nbw", "Node link", "B_n", 150, unit="GB/s", dimension="rate",
        per="worker, one direction", low=1e-6, high=1e9,
        ladder=(1, 3, 5, 11, 15.75, 31.5, 63, 80, 150, 300, 450, 900),
        help="Speed between workers inside one node.", group="network",
        source="NVLink 2 of a V100: 150 GB/s one way",
    )
    node_latency: Number = _knob(
        "node_latency", "nlat", "Node latency", "α_n", 3, unit="us", dimension="time",
        per="message", low=0, high=1e7, ladder=(0, 0.5, 1, 2, 3, 5, 10, 20),
        help="Start-up time of one message inside a node.", group="network",
        source="NCCL: 3.4 µs per ring hop on NVLink, Simple protocol",
    )
    nic_sharing: Number = _knob(
        "nic_sharing", "nic", "Workers per network link", "w", 1, unit="", per="network link",
        low=1, high=1024, integer=True, ladder=(1, 2, 4, 8, 16),
        help="Workers that share one network card.", group="network",
    )
    oversubscription: Number = _knob(
        "oversubscription", "over", "Oversubscription", "o", 1, unit="x", dimension="factor",
        per="network", low=1, high=1000, ladder=(1, 1.5, 2, 3, 4, 8),
        help="How many times links outnumber the core's capacity.", group="network",
    )
    topology: str = _knob(
        "topology", "topo", "Across nodes", "", "hierarchical",
        choices={"hierarchical": "Hierarchical: node first", "flat": "Flat: all workers alike"},
        help="Whether sums are formed inside nodes first.", group="network",
    )
    # --- overlap ----------------------------------------------------------------------------
    overlap: str = _knob(
        "overlap", "overlap", "Overlap", "", "on", choices={"on": "On", "off": "Off"},
        help="Whether gradients travel while the backward pass runs.", group="overlap",
    )
    bucket: Number = _knob(
        "bucket", "bucket", "Gradient bucket", "S_b", 25, unit="MiB", dimension="data",
        per="all-reduce", low=1e-3, high=1e7,
        ladder=(1, 2, 4, 8, 16, 25, 32, 64, 128, 256, 512, 1024),
        help="Gradients sent together in one all-reduce.", group="overlap",
        source="PyTorch DistributedDataParallel bucket_cap_mb = 25",
    )
    first_bucket: Number = _knob(
        "first_bucket", "bucket1", "First bucket", "S_1", 1, unit="MiB", dimension="data",
        per="step", low=1e-3, high=1e7, ladder=(0.25, 0.5, 1, 2, 4, 8, 25),
        help="A smaller first bucket starts the exchange early.", group="overlap",
        source="PyTorch reducer: kDefaultFirstBucketBytes = 1 MiB",
    )
    backward_share: Number = _knob(
        "backward", "bwd", "Backward share", "β", 66.7, unit="%", dimension="fraction",
        per="compute of a step", low=1, high=99, ladder=(50, 55, 60, 66.7, 70, 75, 80),
        help="Part of the compute that is backward pass.", group="overlap",
        source="backward = 2 x forward FLOP",
    )
    layers: str = _knob(
        "layers", "layers", "Layer profile", "", "even", choices=LAYER_PROFILES,
        help="Where in the backward pass gradients appear.", group="overlap",
    )
    contention: Number = _knob(
        "contention", "cont", "Contention", "ε", 19, unit="%", dimension="fraction",
        per="hidden communication", low=0, high=100, ladder=(0, 2, 5, 10, 15, 19, 25, 30, 40, 50),
        help="How much communication slows the compute it hides behind.", group="overlap",
        source="mean 18.9 %, worst 40 % on A100, H100, MI210, MI250 (Lee et al. 2025, "
        "arXiv:2507.03114); Calculon assumes 15 % on NVLink, 2 % on a network",
    )
    # --- delays -----------------------------------------------------------------------------
    jitter: Number = _knob(
        "jitter", "jit", "Step-time jitter", "σ/µ", 2, unit="%", dimension="fraction",
        per="worker and step", low=0, high=100, realistic=True,
        ladder=(0, 0.5, 1, 2, 3, 5, 10, 20, 30), source=_MEMORY_NOTE,
        help="Spread of step times between equal workers.", group="delays",
    )
    slow_chance: Number = _knob(
        "slow_chance", "slowp", "Chance of a slow step", "p_s", 0, unit="%", dimension="fraction",
        per="worker and step", low=0, high=100, realistic=True,
        ladder=(0, 0.001, 0.01, 0.1, 0.3, 1, 3, 10), help="How often a worker has a hiccup.",
        group="delays",
    )
    slow_extra: Number = _knob(
        "slow_extra", "slowx", "Slow step takes longer by", "δ", 100, unit="%",
        dimension="fraction", per="slow step", low=0, high=10000, realistic=True,
        ladder=(10, 20, 50, 100, 200, 500, 1000), help="Extra time of a step with a hiccup.",
        group="delays",
    )
    slow_worker: Number = _knob(
        "slow_worker", "straggler", "One slow worker", "f", 1, unit="x", dimension="factor",
        per="job of two or more", low=1, high=1000, realistic=True,
        ladder=(1, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 10),
        help="Step time of the slowest worker, times a normal one.", group="delays",
    )
    input_rate: Number = _knob(
        "input_rate", "input", "Input ceiling", "R_in", "none", unit="samples/s",
        dimension="throughput", per="whole job", low=1e-3, high=1e12, none="none",
        ladder=(100, 300, 1000, 2000, 3000, 5000, 10000, 30000, 100000), realistic=True,
        help="Samples per second that storage and loaders deliver.", group="delays",
    )
    serial_step: Number = _knob(
        "serial_step", "sers", "Serial part of a step", "f_s", 0, unit="%", dimension="fraction",
        per="step on one worker", low=0, high=100, realistic=True,
        ladder=(0, 0.1, 0.3, 0.5, 1, 2, 5, 10, 20, 50),
        help="Work in each step that no worker can share.", group="delays",
    )
    serial_run: Number = _knob(
        "serial_run", "serr", "Serial part of the run", "f_r", 0.05, unit="%",
        dimension="fraction", per="T(1)", low=0, high=100, realistic=True,
        ladder=(0, 0.01, 0.05, 0.1, 0.3, 0.5, 1, 2, 5, 10, 20, 50), source=_MEMORY_NOTE,
        help="Start-up, validation and checkpoints that are not split.", group="delays",
    )
    # --- money ------------------------------------------------------------------------------
    price: Number = _knob(
        "price", "price", "Price", "c", 3.06, unit="$/h", dimension="price", per="worker", low=0,
        high=1e6, ladder=(0, 0.1, 0.3, 0.5, 1, 2, 3.06, 4, 5, 8, 10),
        help="Rent of one worker for one hour.", group="money",
        source="AWS p3.2xlarge (one V100), us-east-1 on demand",
    )
    power: Number = _knob(
        "power", "power", "Power", "W", 300, unit="W", dimension="power", per="worker", low=0,
        high=1e6, ladder=(0, 70, 150, 250, 300, 400, 500, 700, 1000, 1200),
        help="Electric power of one worker while training.", group="money",
        source="V100 SXM2 board power",
    )
    pue: Number = _knob(
        "pue", "pue", "Power overhead", "PUE", 1.2, unit="x", dimension="factor", per="site",
        low=1, high=3, ladder=(1, 1.1, 1.2, 1.3, 1.5, 1.8, 2),
        help="Site power over the power of its computers.", group="money", source=_MEMORY_NOTE,
    )
    # --- failures ---------------------------------------------------------------------------
    mtbf: Number = _knob(
        "mtbf", "mtbf", "Time between failures", "M₁", "none", unit="days", dimension="time",
        per="worker", low=1e-3, high=1e6, none="none",
        ladder=(10, 30, 100, 300, 1000, 2000, 3000, 10000), realistic=True,
        source="2,110 days per H100 (Llama 3, 2024); 1,230 on Meta's RSC-1 (Kokolis et al. 2024)",
        help="Mean time between failures of one worker.", group="failures",
    )
    checkpoint: Number = _knob(
        "checkpoint", "ckpt", "Checkpoint", "δ_c", 60, unit="s", dimension="time",
        per="checkpoint", low=1e-3, high=1e6, realistic=True,
        ladder=(1, 3, 10, 30, 60, 120, 300, 600, 1800),
        help="Time training stops to write one checkpoint.", group="failures",
    )
    restart: Number = _knob(
        "restart", "restart", "Restart", "R", 300, unit="s", dimension="time", per="failure",
        low=0, high=1e6, realistic=True, ladder=(0, 30, 60, 120, 300, 600, 1800, 3600),
        help="Time from a failure to training again.", group="failures",
    )
    interval: Number = _knob(
        "interval", "every", "Checkpoint every", "τ", "best", unit="min", dimension="time",
        per="run", low=0.01, high=1e6, none="best", realistic=True,
        ladder=(1, 5, 10, 15, 30, 60, 120, 240, 480),
        help="Training time between checkpoints; best is Daly's.", group="failures",
        source="Daly 2006",
    )
    # --- goals ------------------------------------------------------------------------------
    deadline: Number = _knob(
        "deadline", "deadline", "Deadline", "T_goal", 8, unit="h", dimension="time", per="run",
        low=1e-6, high=1e9,
        ladder=(0.5, 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500),
        help="Training time you can wait for.", group="goals",
    )
    budget: Number = _knob(
        "budget", "budget", "Budget", "C_goal", 300, unit="$", dimension="money", per="run",
        low=1e-3, high=1e12,
        ladder=(10, 30, 100, 200, 300, 500, 1000, 3000, 10000, 100000),
        help="Money you can spend on the run.", group="goals",
    )
    # fmt: on

    def __post_init__(self) -> None:
        for name in FIELD_KNOBS:
            _check(name, getattr(self, name))

    def but(self, **changes: Any) -> Scenario:
        """Return a copy with some fields (SI values or arrays) changed; only these are checked."""
        for name, value in changes.items():
            if name not in FIELD_KNOBS:
                raise TypeError(f"a scenario has no field '{name}'")
            _check(name, value)
        copy = object.__new__(Scenario)
        copy.__dict__.update(self.__dict__, **changes)
        return copy


def _check(name: str, value: Any) -> None:
    knob, low, high = _BOUNDS[name]
    # The usual case first: a sweep makes many scenarios, and a check costs more than it.
    if type(value) is float and low <= value <= high and not knob.integer:
        return
    if knob.choices:
        if value not in knob.choices:
            knob.parse(value)
    else:
        knob.check(np.asarray(value) if isinstance(value, (list, tuple)) else value)


FIELD_KNOBS: dict[str, Knob] = {f.name: f.metadata["knob"] for f in fields(Scenario)}
KNOBS: dict[str, Knob] = {knob.key: knob for knob in FIELD_KNOBS.values()}
FIELD_OF: dict[str, str] = {knob.key: name for name, knob in FIELD_KNOBS.items()}
_BOUNDS = {
    name: (knob, *((0.0, 0.0) if knob.choices else knob.bounds))
    for name, knob in FIELD_KNOBS.items()
}
