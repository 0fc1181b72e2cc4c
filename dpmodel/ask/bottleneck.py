"""What holds a run back, told by the words and numbers around it, and options that name it."""

from __future__ import annotations

from dpmodel.ask.concepts import spaced

# cause -> cues in the stem, then cues in an option.
_STEM: dict[str, tuple[str, ...]] = {
    "input": (
        "cpu core is at 100",
        "cpu cores are at 100",
        "every cpu core",
        "cpus are at 100",
        "cpu at 100",
        "cpu is at 100",
        "data loader cannot",
        "waiting for the next batch",
        "waiting for a batch",
        "waiting on data",
        "wait for data",
        "waiting for input",
        "synthetic data",
        "disk",
        "file server",
        "gpu utilisation",
        "gpu utilization",
        "gpus are idle",
        "gpus idle",
        "idle gpus",
        "waiting for data",
        "jpeg",
        "decoding",
        "nfs",
        "loader workers",
        "iops",
        "storage",
        "cpu load",
        "all cpu",
        "dataloader",
        "cpu usage",
        "random tensors",
        "dummy data",
        "fake data",
        "utilisation drops",
        "utilization drops",
    ),
    "small": (
        "global batch stays",
        "keep the global batch",
        "hold the global batch",
        "global batch at",
        "global batch is fixed",
        "fixed global batch",
        "global batch fixed",
        "all reduce time is unchanged",
        "batch per gpu",
        "per gpu batch",
        "samples per gpu",
        "global batch is kept",
        "global batch constant",
        "same global batch",
        "global batch of",
        "tiny kernels",
        "launch overhead",
    ),
    "straggler": (
        "one gpu is slower",
        "one machine",
        "one of the",
        "one worker is",
        "one node is",
        "slower gpu",
        "thermal",
        "throttl",
        "older card",
        "slowest",
        "rank 3",
        "one rank",
        "clocked",
        "other ranks wait",
        "all others wait",
        "single slow",
        "waits for rank",
    ),
    "serial": (
        "constant karp flatt",
        "karp flatt fraction is",
        "validation",
        "checkpoint",
        "rank 0",
        "single process",
        "logging",
        "does not change with",
        "serial fraction is the same",
        "on one process",
        "minutes regardless",
        "regardless of the number",
        "same on 1",
    ),
    "comm": (
        "pcie",
        "nvlink",
        "all reduce",
        "ethernet",
        "network",
        "second node",
        "two nodes",
        "over nodes",
        "communication",
        "nccl",
        "sixteen",
        "16",
        "gradient",
        "interconnect",
        "larger model",
        "no nvlink",
        "10 gb",
        "bandwidth",
        "exchange",
        "crossing",
        "across nodes",
    ),
    "memory": ("out of memory", "oom", "swap"),
}
_OPTION: dict[str, tuple[str, ...]] = {
    "comm": (
        "gradient",
        "all reduce",
        "allreduce",
        "communicat",
        "synchron",
        "network",
        "exchang",
        "interconnect",
        "combining",
        "nccl",
        "link",
        "bandwidth",
        "inter node",
        "between nodes",
        "ethernet",
        "pcie",
    ),
    "input": (
        "input",
        "data load",
        "dataload",
        "decod",
        "augment",
        "disk",
        "storage",
        "file",
        "preprocess",
        "cpu",
        "reading",
        "feeding",
    ),
    "small": (
        "too little",
        "too small",
        "just 2 samples",
        "few samples",
        "per gpu batch",
        "small batch",
        "batch fell",
        "little work",
        "few samples",
        "small per",
        "launch",
        "batch per",
        "fixed cost",
        "shrinks",
        "batch is small",
        "shrunk",
    ),
    "straggler": ("slow", "straggler", "throttl", "one gpu", "one worker", "faulty", "hottest"),
    "serial": (
        "serial",
        "sequential",
        "rank 0",
        "validation",
        "checkpoint",
        "single process",
        "not parallel",
        "non parallel",
        "amdahl",
    ),
    "growing": (
        "overhead is growing",
        "overhead grows",
        "overhead that grows",
        "rises with",
        "increases with n",
        "grows with n",
        "grows with",
        "growing overhead",
        "increases with the number",
    ),
    "memory": ("memory", "fit", "vram"),
    "other": (
        "seed",
        "learning rate",
        "loss function",
        "classes",
        "epochs",
        "dropout",
        "optimi",
        "accuracy",
        "label",
        "validation set size",
        "random",
        "tokeni",
        "version of python",
        "name",
    ),
    "none": ("nothing", "linear", "no bottleneck", "as expected"),
}
_SERIES = {
    "amdahl": "serial",
    "linear_overhead": "comm",
    "retrograde": "comm",
    "node_boundary": "comm",
    "ceiling": "input",
    "straggler": "straggler",
    "near_linear": "none",
}


def cause_of(text: str, series_class: str = "") -> str:
    """The likeliest cause: ``comm``, ``input``, ``small``, ``straggler``, ``serial``.

    Parameters
    ----------
    text : str
        The stem of the question.
    series_class : str
        Class of the measured series in it, "" where there is none.
    """
    flat = spaced(text)
    scores = {cause: sum(f" {cue}" in flat for cue in cues) for cause, cues in _STEM.items()}
    scores["comm"] *= 0.5
    if series_class:
        cause = _SERIES.get(series_class, "")
        weight = 2.5 if "karp" in flat else 1.2
        if cause in scores:
            scores[cause] += weight
        elif cause:
            return cause
    for excluded, cues in _EXCLUDED.items():
        if any(cue in flat for cue in cues):
            scores[excluded] = 0.0
    best = max(scores, key=lambda c: scores[c])
    return best if scores[best] > 0 else ""


_EXCLUDED = {
    "comm": (
        " all reduce time is unchanged",
        " communication is unchanged",
        " all reduce time stays",
        " network is idle",
        " network is nearly idle",
        " network is almost idle",
        " all reduce takes only",
        " network is fast",
        " all reduce taking 3",
        " network is fine",
        " link is idle",
        " communication is hidden",
        " all reduce is hidden",
        " network traffic is low",
        " communication is negligible",
    ),
    "input": (
        " data loader keeps up",
        " loader keeps up",
        " synthetic data does not",
        " synthetic data changes nothing",
        " input is not",
        " same with synthetic data",
        " data is cached",
        " synthetic data gives the same",
        " loader is idle",
        " input pipeline keeps up",
        " with synthetic data too",
        " input keeps up",
        " data in ram",
    ),
}


def option_cause(text: str) -> str:
    """The cause that an option names, or ""."""
    flat = spaced(text)
    if any(f" {cue}" in flat for cue in _OPTION["growing"]):
        return "comm"
    scores = {c: sum(f" {cue}" in flat for cue in cues) for c, cues in _OPTION.items()}
    best = max(scores, key=lambda c: scores[c])
    return best if scores[best] else ""


def choose_cause(stem: str, options: dict[str, str], series_class: str) -> tuple[str, str]:
    """The option that names the likeliest cause, with the cause; "" where none or several do."""
    cause = cause_of(stem, series_class)
    named = [letter for letter, text in options.items() if option_cause(text) == cause]
    return (named[0], cause) if cause and len(named) == 1 else ("", cause)
