"""Constants of the mapping that no cell of a table states, one line of reason for each.

They started from values chosen with all curves in view, were searched on the training part only
(`reading.is_training_part`) and rounded by hand; `dpmodel evidence` prints the error of both
halves. Each field is one named mechanism: a neutral value switches it off.
"""

from __future__ import annotations

from dataclasses import dataclass, field


def _rates() -> dict[str, float]:
    """Large-message rate by class of link inside a node [GB/s]; see `node_rate`."""
    return {
        "nvlink5": 682.0, "nvlink4": 366.0, "nvlink3": 235.0, "nvlink2": 129.0, "nvlink1": 60.0,
        "nvlink-bridge": 5.0, "pcie5": 28.0, "pcie4": 24.0, "pcie3": 8.0, "pcie3-old": 4.0,
        "geforce": 12.0, "geforce-turing": 6.0, "host": 3.0, "gaudi2-roce": 100.0,
        "ici-v5p": 200.0, "ici-v5e": 100.0, "ici-v4": 100.0, "xgmi-mi300x": 315.0,
        "xgmi-mi250x": 100.0,
    }  # fmt: skip


@dataclass(frozen=True)
class Constants:
    """Mechanisms and their sizes; times in seconds, shares as fractions, rates in GB/s."""

    node_rates: dict[str, float] = field(default_factory=_rates)
    # Peer-to-peer transfers absent: all workers copy through one host memory of this rate.
    host_shared: float = 6.0
    # One stream of kernel TCP never carries more than this [GB/s].
    tcp_stream: float = 0.95
    # Streams that the software opens between two nodes, where more than one.
    tcp_streams: dict[str, float] = field(default_factory=lambda: {"horovod": 3.0})
    host_classes: tuple[str, ...] = ("geforce", "host")
    # Share of a link's large-message rate that the software's exchange reaches.
    reach: dict[str, float] = field(
        default_factory=lambda: {
            "ddp": 0.8, "horovod": 0.8, "replicated": 0.6, "server": 0.7, "kvstore": 0.6,
            "fsdp": 0.5, "tuned": 0.9, "host": 0.35,
        }
    )  # fmt: skip
    # Whether the exchange overlaps the backward pass.
    overlap: dict[str, bool] = field(
        default_factory=lambda: {
            "ddp": True, "horovod": True, "replicated": True, "server": True, "kvstore": True,
            "fsdp": True, "tuned": True, "host": True,
        }
    )  # fmt: skip
    # Fusion buffer [MiB].
    bucket: dict[str, float] = field(
        default_factory=lambda: {
            "ddp": 25.0, "horovod": 64.0, "replicated": 16.0, "server": 16.0, "kvstore": 32.0,
            "fsdp": 64.0, "tuned": 64.0, "host": 64.0,
        }
    )  # fmt: skip
    # Start-up of one exchange beyond the hops of the link: launch and negotiation [us].
    start: dict[str, float] = field(
        default_factory=lambda: {
            "ddp": 50.0, "horovod": 700.0, "replicated": 250.0, "server": 1000.0,
            "kvstore": 150.0, "fsdp": 100.0, "tuned": 30.0, "host": 700.0,
        }
    )  # fmt: skip
    # Fixed time of a forward and backward pass: kernel launches, optimizer [ms].
    launch: dict[str, float] = field(
        default_factory=lambda: {
            "cnn": 15.0, "transformer": 15.0, "detection": 25.0, "speech": 20.0, "gan": 40.0,
            "recommender": 4.0,
        }
    )  # fmt: skip
    # The fixed part never is more than this share of the smallest size's step.
    launch_most: float = 0.5
    # Share of that fixed time left in tuned submissions, which replay captured graphs.
    launch_tuned: float = 0.12
    # Spread of step times between equal workers; between workers with samples of uneven length.
    jitter: float = 0.03
    jitter_uneven: float = 0.075
    # Contention of communication kernels, share of the hidden time.
    contention: float = 0.23
    # Images a second that the loaders of one node decode, in rows of data from storage.
    input_ceiling: float = 7000.0
    input_ceiling_mxnet: float = 3800.0
    # Most parameter servers that a job runs.
    servers: int = 16
    # One variable lives on one server: a model's largest layer limits how many servers share it.
    whole_variables: bool = True
    # Time to train: start-up and evaluation that do not shrink, share of the smallest size's time.
    serial_train: float = 0.01
    # Larger batches need more samples in time-to-train rows.
    extra_epochs: bool = True
    # Share of peak assumed where a table gives no time of a step.
    utilisation: float = 0.35
    # Share of a network card's rate that collectives reach, by transport.
    network_reach: dict[str, float] = field(
        default_factory=lambda: {"ib": 0.85, "rdma": 0.9, "efa": 0.4, "tcp": 1.0}
    )
    # Buckets fill in the order of the model's own layers, not evenly.
    layer_profiles: bool = True
    # Automatic mixed precision exchanges fp32 gradients; "mixed" submissions half.
    mixed_gradients: bool = True
    # Micro-batches that are accumulated exchange once a step.
    accumulation: bool = True
    # All workers of a node share its network cards.
    shared_cards: bool = True
    # A parameter of a sharded model crosses three times (two gathers, one scatter), not two.
    sharded_traffic: float = 1.5


DEFAULT = Constants()
