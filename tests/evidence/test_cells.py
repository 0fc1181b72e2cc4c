"""What text cells mean: accelerators, links, networks, models, precision and software."""

from __future__ import annotations

import pytest

from dpmodel.catalogue import devices
from dpmodel.evidence.cells import framework_of, gradient_bytes, has_real_data, model_facts
from dpmodel.evidence.machines import device_of, network_of, workers_per_node

GBIT = 125e6


@pytest.mark.parametrize(
    ("text", "link", "device", "joined"),
    [
        ("V100-SXM2-16GB", "NVLink (hybrid mesh)", "v100-sxm", "nvlink2"),
        ("NVIDIA A100-PCIe-80GB", "", "a100-40", "pcie4"),
        ("NVIDIA H100-SXM5-80GB", "NVLINK Gen4", "h100-sxm", "nvlink4"),
        ("RTX 3090", "PCIe, GeForce (no P2P stated)", "rtx-3090", "geforce"),
        ("RTX 2080 Ti + NVLink bridges", "NVLink bridge pairs over PCIe", "t4", "nvlink-bridge"),
        ("CPU buffers (host of A100 node)", "shared memory", "k80", "host"),
        ("TPU-v5p", "", "tpu-v5p", "ici-v5p"),
        ("MI300X", "xGMI 7x64", "mi300x", "xgmi-mi300x"),
    ],
)
def test_accelerators_are_found_in_the_catalogue(text, link, device, joined) -> None:
    """The text names a device and what joins it to its neighbours."""
    cells = {"accelerator": text, "interconnect_intra": link}
    assert device_of(cells, []) == (device, joined)
    assert device in devices()


@pytest.mark.parametrize(
    ("text", "gbit", "cards", "kind"),
    [
        ("InfiniBand 100 Gbit/s (4X EDR), one mlx5_0 HCA per node", 100, 1, "ib"),
        ("Management: 1x Ethernet 40Gb/Sec, Compute: 8x ConnectX-6 IB HDR 200Gb/Sec", 200, 8, "ib"),
        ("25 Gbit/s RoCE, 4 servers x 4 GPUs (stated)", 25, 1, "rdma"),
        ("RDMA 400 Gb/s per GPU (stated)", 400, 8, "rdma"),
        ("1600 Gbit/s node-node RoCE", 1600, 1, "rdma"),
        ("EFA 4x100G", 100, 4, "efa"),
        ("plain 40 Gbit/s network, 16 servers", 40, 1, "tcp"),
        ("GPUDirect-TCPXO 8x200G (1.8 Tbps incl. host NIC)", 200, 8, "tcp"),
    ],
)
def test_networks_are_read_from_text(text, gbit, cards, kind) -> None:
    """Rate of a card in bits, cards a node, and the transport."""
    network = network_of({"interconnect_inter": text, "accelerators_per_node": "8"}, [])
    assert network.rate == pytest.approx(gbit * GBIT)
    assert (network.cards, network.kind) == (cards, kind)


def test_the_software_may_name_the_transport() -> None:
    """Horovod over TCP stays TCP on a card that could do better."""
    cells = {"interconnect_inter": "25 Gbit/s RoCE", "framework": "TCP Horovod (NCCL)"}
    assert network_of(cells, []).kind == "tcp"


def test_what_is_not_stated_is_reported() -> None:
    """An empty row leaves nothing silently assumed."""
    unstated: list[str] = []
    device_of({}, unstated)
    network_of({}, unstated)
    model_facts({}, unstated)
    gradient_bytes({}, unstated)
    workers_per_node({}, unstated)
    told = " ".join(unstated)
    for word in ("accelerator", "link", "network", "model", "precision", "workers per node"):
        assert word in told


@pytest.mark.parametrize(
    ("model", "params", "count"),
    [
        ("resnet50", "", 25.6e6),
        ("BERT-large pretraining (Sequence Length 512)", "", 335e6),
        ("AlexNet", "203 MB of parameters", 203e6 / 4),
        ("MPT 7b (seq 2048)", "6658859008", 6658859008),
        ("decoder LM 32B", "32B", 32e9),
        ("MPT 3b", "", 3e9),
    ],
)
def test_parameters_come_from_the_row_or_the_model(model, params, count) -> None:
    """A stated count wins over the table's."""
    assert model_facts({"model": model, "params": params}, []).params == pytest.approx(count)


@pytest.mark.parametrize(
    ("text", "size"), [("fp32", 4), ("tf32", 4), ("amp", 4), ("fp16", 2), ("bf16", 2), ("mixed", 2)]
)
def test_automatic_mixed_precision_exchanges_fp32(text, size) -> None:
    """Only pure half precision halves the bytes on the wire."""
    assert gradient_bytes({"precision": text}, []) == size


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("PyTorch", "ddp"),
        ("TensorFlow 1.1, tf_cnn_benchmarks, parameter servers", "server"),
        ("tf_cnn_benchmarks, variable_update=replicated", "replicated"),
        ("TCP Horovod (allreduce on CPU)", "host"),
        ("NGC TensorFlow 1.x", "horovod"),
        ("MXNet, kv-store device", "kvstore"),
        ("Composer/PyTorch FSDP FULL_SHARD", "fsdp"),
        ("PyTorch NVIDIA Release 21.09", "tuned"),
    ],
)
def test_software_is_told_by_how_it_exchanges(text, kind) -> None:
    """Eight classes."""
    assert framework_of({"framework": text}) == kind


def test_real_data_is_told_from_synthetic() -> None:
    """The notes decide."""
    assert has_real_data({"notes": "real ImageNet data"})
    assert not has_real_data({"notes": "synthetic data"})
    assert not has_real_data({"framework": "MXNet", "notes": "synthetic data"})
