"""One measured curve -> one scenario for each worker count.

Every mechanism is a knob of the scenario, so that a link reproduces the case in Explore.
"""

from __future__ import annotations

import numpy as np

from dpmodel.catalogue import devices, links
from dpmodel.evidence.cases import Case
from dpmodel.evidence.cells import FP32_BYTES, gradient_bytes, has_real_data, is_half
from dpmodel.evidence.constants import DEFAULT, Constants
from dpmodel.layers import layer_profile
from dpmodel.scenario import Scenario
from dpmodel.units import HOUR, MIB, UNITS

_GB = UNITS["rate"]["GB/s"]
_MS, _US = UNITS["time"]["ms"], UNITS["time"]["us"]
# A sharded model holds 16 bytes a parameter, and needs a quarter more for activations.
_BYTES_HELD = 20.0
# Hours on one worker: any number does where only throughput is measured; the steps follow.
_RUN = 40 * HOUR
# Workers that share a sample are told by counting each sample as this many parts.
_PARTS = 64.0


def node_rate(case: Case, constants: Constants) -> np.ndarray:
    """Rate at which a worker exchanges inside its node, for each size [B/s].

    Without peer-to-peer transfers all workers of a node copy through its host memory, whose rate
    they share.
    """
    rate = constants.node_rates[case.machine] * _GB * constants.reach[case.framework]
    inside = np.minimum(case.curve.workers, case.per_node)
    if case.machine in constants.host_classes:
        return np.asarray(constants.host_shared * _GB / inside)
    return np.full(len(inside), rate)


def exchanged_parameters(case: Case, constants: Constants) -> float:
    """Numbers a worker exchanges in a step [1]: all, more if sharded, fewer if models are split."""
    params = case.model.params
    if case.framework == "fsdp":
        return params * constants.sharded_traffic
    if case.framework == "tuned":
        pieces = params * _BYTES_HELD / devices()[case.device].memory
        return float(params / np.exp2(np.ceil(np.log2(max(pieces, 1.0)))))
    return params


def parameter_servers(case: Case, nodes: np.ndarray, constants: Constants) -> np.ndarray:
    """Servers that share the sum at each size [1]; one where the software has none."""
    if case.framework != "server":
        return np.ones(len(nodes))
    most = float(constants.servers)
    if constants.whole_variables and case.model.profile != "even":
        sizes = layer_profile(case.model.profile).params
        most = min(most, max(1.0, np.floor(sizes.sum() / sizes.max())))
    return np.asarray(np.clip(nodes, 1, most))


def network_rate(case: Case, constants: Constants) -> float:
    """Rate of all of a node's network cards together [B/s], as this software reaches it."""
    network, software = case.network, case.framework
    reach = constants.network_reach[network.kind] * constants.reach[software]
    rate = network.rate * network.cards * reach
    if network.kind == "tcp" and software != "server":
        streams = constants.tcp_streams.get(software, 1.0)
        return min(rate, streams * constants.tcp_stream * _GB)
    return rate


def latencies(case: Case, nodes: np.ndarray, constants: Constants) -> tuple[float, float]:
    """Latency of a hop inside the node and between nodes [s].

    The start-up of an exchange is spread over its steps: inside the node where it has several
    workers, between nodes otherwise.
    """
    start = constants.start[case.framework] * _US
    pcie = case.machine.startswith(("pcie", "geforce"))
    hop = links()["pcie3" if pcie else "nvlink3"].latency
    inside = hop + start / max(2 * (case.per_node - 1), 1)
    rounds = 2 * max(float(np.ceil(np.log2(nodes.max()))), 1.0)
    own = start / rounds if case.per_node == 1 else 0.0
    return inside, case.network.latency + own


def link_knobs(case: Case, constants: Constants) -> dict[str, object]:
    """Knobs of links and of the algorithm."""
    nodes = np.ceil(case.curve.workers / case.per_node)
    node_latency, latency = latencies(case, nodes, constants)
    return {
        "algorithm": "parameter_server" if case.framework == "server" else "double_tree",
        "servers": parameter_servers(case, nodes, constants),
        "per_node": case.per_node,
        "node_bandwidth": node_rate(case, constants),
        "node_latency": node_latency,
        "bandwidth": network_rate(case, constants),
        "nic_sharing": case.per_node if constants.shared_cards else 1,
        "latency": latency,
    }


def gradient_knobs(case: Case, constants: Constants) -> dict[str, object]:
    """Knobs of what is exchanged, in which pieces, and behind what."""
    software = case.framework
    own_layers = constants.layer_profiles and software != "fsdp"
    size = gradient_bytes(case.curve.cells, []) if constants.mixed_gradients else FP32_BYTES
    return {
        "parameters": exchanged_parameters(case, constants),
        "gradient_bytes": size,
        "overlap": "on" if constants.overlap[software] else "off",
        "bucket": constants.bucket[software] * MIB,
        "first_bucket": min(constants.bucket[software], 1.0) * MIB,
        "layers": case.model.profile if own_layers else "even",
        "contention": constants.contention,
    }


def delay_knobs(case: Case, parts: float, constants: Constants) -> dict[str, object]:
    """Knobs of stragglers and input."""
    knobs: dict[str, object] = {
        "jitter": constants.jitter_uneven if case.model.uneven else constants.jitter,
        "serial_run": 0.0,
        "mode": "realistic",
    }
    if has_real_data(case.curve.cells) and case.model.kind in ("cnn", "detection"):
        nodes = np.ceil(case.curve.workers / case.per_node)
        own = case.framework == "kvstore"
        ceiling = constants.input_ceiling_mxnet if own else constants.input_ceiling
        knobs["input_rate"] = nodes * parts * ceiling
    return knobs


def scenario_of(case: Case, compute: float, constants: Constants = DEFAULT) -> Scenario:
    """Return the case's scenario: fields that change with size are arrays over its sizes.

    Parameters
    ----------
    case : Case
        From `make_case`.
    compute : float
        Compute time of a step at the smallest size [s].
    constants : Constants
        Mechanisms.

    Returns
    -------
    Scenario
        Field `workers` holds the sizes, shape (W,).
    """
    parts = _parts(case.batch / case.curve.workers)
    changes = {
        **link_knobs(case, constants),
        **gradient_knobs(case, constants),
        **delay_knobs(case, parts, constants),
        **batch_knobs(case, compute, parts, constants),
    }
    return Scenario().but(**{name: _plain(value) for name, value in changes.items()})


def batch_knobs(
    case: Case, compute: float, parts: float, constants: Constants
) -> dict[str, object]:
    """Knobs of batch, run and compute; batches are counted in `parts` of a sample."""
    workers = case.curve.workers
    share = case.batch / workers
    fixed = launch_time(case, compute / case.micro[0], constants)
    per_sample = (compute - case.micro[0] * fixed) / share[0]
    half = np.minimum(fixed / per_sample * parts, 1e6)
    weak = case.curve.mode != "strong" and bool(np.ptp(share) == 0)
    batch = np.round((share if weak else case.batch) * parts)
    step = per_sample / parts * (batch + case.micro * half)
    steps = np.maximum(_RUN / step, 1.0)
    return {
        "workers": workers,
        "batch": batch,
        "steps": steps,
        "one_worker_time": np.where(steps > 1, _RUN, step),
        "scaling": "weak" if weak else "strong",
        "accumulation": case.micro,
        "half_batch": half,
        "critical_batch": case.model.critical_batch,
    }


def _plain(value: object) -> object:
    """Fields that are the same at every size become one number, which a link can hold."""
    if isinstance(value, np.ndarray) and value.size and bool(np.all(value == value.flat[0])):
        return float(value.flat[0])
    return value


def _parts(share: np.ndarray) -> float:
    """Parts that each sample counts as, so that every worker's share is whole."""
    whole = bool(np.all(share == np.round(share)))
    return 1.0 if whole else float(_PARTS * np.exp2(np.ceil(np.log2(max(1 / share.min(), 1.0)))))


def launch_time(case: Case, micro_step: float, constants: Constants) -> float:
    """Fixed part of one micro-batch's forward and backward pass [s]."""
    share = constants.launch_tuned if case.framework == "tuned" else 1.0
    return min(share * constants.launch[case.model.kind] * _MS, constants.launch_most * micro_step)


def guessed_compute(case: Case, constants: Constants) -> float:
    """Compute time of a step where the table has no such time: FLOP over peak and use [s]."""
    device = devices()[case.device]
    half = is_half(case.curve.cells)
    peak = (device.half if half else device.tf32 or device.fp32) or device.half or device.fp32
    assert peak is not None
    share = case.batch[0] / case.curve.workers[0]
    work = share * case.model.flop / (peak * constants.utilisation)
    return float(work + case.micro[0] * launch_time(case, np.inf, constants))


def at_size(scenario: Scenario, place: int) -> Scenario:
    """Return the scenario of one size: every array gives its value there."""
    picked: dict[str, float] = {
        name: float(value[place])
        for name, value in vars(scenario).items()
        if isinstance(value, np.ndarray)
    }
    return scenario.but(**picked)
