"""Text cells on accelerators and links -> catalogue facts; what is not stated is reported so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dpmodel.catalogue import links
from dpmodel.evidence.reading import positive
from dpmodel.units import UNITS

_MOST_IN_NODE, _MOST_CARDS = 1024, 64.0
# Taken where a speed cell reads as zero.
_UNREADABLE_GBIT = 10.0
_GBIT = UNITS["rate"]["Gb/s"]
_TERA_PER_GIGA = UNITS["rate"]["Tb/s"] / _GBIT

# Pattern of the accelerator's text -> (device of the catalogue, what joins it to its neighbours).
_DEVICES: tuple[tuple[str, str, str], ...] = (
    (r"^cpu|xeon|epyc", "k80", "host"),
    (r"gb[23]00|nvl72", "gb200", "nvlink5"),
    (r"b[23]00|blackwell", "b200", "nvlink5"),
    (r"gh200", "gh200", "nvlink4"),
    (r"h[12]00.*(pcie|nvl)", "h100-pcie", "pcie5"),
    (r"h200", "h200", "nvlink4"),
    (r"h[18]00", "h100-sxm", "nvlink4"),
    (r"a[18]00.*pcie|pcie.*a[18]00|a40\b|a30\b", "a100-40", "pcie4"),
    (r"a100|a800", "a100-40", "nvlink3"),
    (r"a6000|6000 ada|l40|a10g?\b|\bl4\b|a5000", "a10g", "pcie4"),
    (r"rtx ?[345]0[5-9]0", "rtx-3090", "geforce"),
    (r"2080|titan|1080|geforce|\brtx\b.*node", "t4", "geforce-turing"),
    (r"quadro|rtx ?8000|rtx ?6000", "t4", "pcie3"),
    (r"v100.*pcie", "v100-pcie", "pcie3"),
    (r"v100", "v100-sxm", "nvlink2"),
    (r"p100.*(dgx|sxm)", "p100", "nvlink1"),
    (r"p100|pascal|p40\b", "p100", "pcie3"),
    (r"k80|k40|m60", "k80", "pcie3-old"),
    (r"\bt4\b", "t4", "pcie3"),
    (r"gaudi", "gaudi2", "gaudi2-roce"),
    (r"v5p", "tpu-v5p", "ici-v5p"),
    (r"v5e|v6e", "tpu-v5e", "ici-v5e"),
    (r"tpu|v4\b", "tpu-v4", "ici-v4"),
    (r"mi3\d\d", "mi300x", "xgmi-mi300x"),
    (r"mi[12]\d\d", "mi250x", "xgmi-mi250x"),
    (r"ipu", "a100-40", "pcie4"),
    # Machines that name no accelerator.
    (r"\bp5\b|dgx h100|\ba3-", "h100-sxm", "nvlink4"),
    (r"\bp4d|dgx a100|\ba2-|nd96", "a100-40", "nvlink3"),
    (r"\bp3\b|\bp3dn|dgx-?[12]", "v100-sxm", "nvlink2"),
    (r"\bp2\b", "k80", "pcie3-old"),
    (r"\bg5\b", "a10g", "pcie4"),
    (r"\bg4dn", "t4", "pcie3"),
)


def device_of(cells: Mapping[str, str], unstated: list[str]) -> tuple[str, str]:
    """Return the catalogue key of the accelerator and the class of its link inside the node.

    Parameters
    ----------
    cells : mapping
        Row with `accelerator` (or `gpu`) and `interconnect_intra` (or `intra_link`).
    unstated : list of str
        Gains a word where the link or the accelerator is not stated.
    """
    text = (cells.get("accelerator") or cells.get("gpu") or "").lower()
    link_text = (cells.get("interconnect_intra") or cells.get("intra_link") or "").lower()
    found = next(((d, ln) for pattern, d, ln in _DEVICES if re.search(pattern, text)), None)
    if found is None:
        unstated.append("accelerator")
        found = ("v100-sxm", "pcie3")
    if not link_text or "not stated" in link_text or "not in readme" in link_text:
        unstated.append("link inside the node")
    device, link = found
    joined = "nvlink" in link_text or "nvswitch" in link_text
    if joined and "bridge" in link_text:
        link = "nvlink-bridge"
    elif joined and not link.startswith("nvlink"):
        link = {"v100-pcie": "nvlink2", "h100-pcie": "nvlink4", "p100": "nvlink1"}.get(device, link)
    elif "pcie" in link_text and link.startswith("nvlink"):
        link = "pcie4" if device.startswith(("a", "h", "b", "g")) else "pcie3"
    return device, link


@dataclass(frozen=True)
class Network:
    """What joins nodes: rate of one card [B/s], cards a node, latency [s] and transport."""

    rate: float
    cards: float
    latency: float
    kind: str


_IB = {"fdr": 56, "edr": 100, "hdr": 200, "ndr": 400, "xdr": 800}


def network_of(cells: Mapping[str, str], unstated: list[str]) -> Network:
    """Read the network between nodes: "8x ConnectX-6 IB HDR 200Gb/sec", "25 Gbit/s RoCE".

    Parameters
    ----------
    cells : mapping
        Row with `interconnect_inter` or `inter_link`.
    unstated : list of str
        Gains a word where no speed is stated.
    """
    part = _between_nodes(cells)
    gbit, cards = _speed(part)
    kind = _transport(part)
    if gbit is None:
        known = _known_machine(cells)
        if "one node" not in part and "none" not in part:
            unstated.append("network between nodes")
        gbit, cards, kind = known if known else (100.0, 4.0, kind or "rdma")
    kind = _transport(cells.get("framework", "").lower(), "") or kind or "tcp"
    cards = min(_cards_stated(cells, part) or cards, _MOST_CARDS) or 1.0
    return Network((gbit or _UNREADABLE_GBIT) * _GBIT, cards, _LATENCY[kind], kind)


def _between_nodes(cells: Mapping[str, str]) -> str:
    """Text on what carries gradients: without storage, management, and what is not stated."""
    text = cells.get("interconnect_inter") or cells.get("inter_link") or ""
    compute = re.search(r"compute:?(.*?)(?:storage:|management:|\||$)", text, re.IGNORECASE)
    part = (compute.group(1) if compute else text).lower()
    if re.search(r"(?<!\bif )not stated here|bandwidth not|no speed", part):
        part = re.sub(r"\bnot stated.*", "", part)
    return part


def _cards_stated(cells: Mapping[str, str], part: str) -> float | None:
    if re.search(r"per (?:gpu|accelerator|worker|card|chip)", part):
        return float(workers_per_node(cells, []))
    return 1.0 if re.search(r"\bone\b.*per node", part) else positive(cells.get("nics_per_node"))


_LATENCY = {
    "ib": links()["ib-hdr"].latency,
    "rdma": links()["100gbe"].latency,
    "efa": links()["efa-p4d"].latency,
    "tcp": links()["10gbe"].latency,
}


def _transport(part: str, plain: str = r"ethernet|gbe|plain|network|gbit|ena\b|lan\b") -> str:
    """Transport that a text names; `plain` words mean TCP where nothing better is said."""
    if re.search(r"\befa", part):
        return "efa"
    if re.search(r"infiniband|\bib\b|\bedr\b|\bhdr\b|\bndr\b|mlx5|omni-?path|aries|cray", part):
        return "ib"
    if re.search(r"roce|rdma|slingshot|connectx|bluefield", part):
        return "rdma"
    return "tcp" if "tcp" in part or (plain and re.search(plain, part)) else ""


def _speed(part: str) -> tuple[float | None, float]:
    """Rate of a card [Gb/s] and cards a node; None where no speed is stated."""
    part = re.sub(r"(?:data bandwidth for )?gpu-pcie.*", "", part)
    cards = re.search(r"\b(\d{1,2}) ?x\s", part) or re.search(r"\b(\d{1,2})x\d", part)
    count = float(cards.group(1)) if cards else (2.0 if re.search(r"dual.?rail", part) else 1.0)
    total = re.search(r"([\d,.]+)\s*g(?:bit|b)?(?:ps|/s|/sec)?\b.*?(?:total|node-node)", part)
    speed = re.search(r"([\d.]+)\s*(t|g)(?:bit|bps|b/s|b/sec|be\b|b\b)", part)
    coded = next((rate for name, rate in _IB.items() if name in part), None)
    plain = re.search(r"\b\d{1,2} ?x\s?(\d{2,3})g?\b", part)
    if cards and plain:
        return float(plain.group(1)), count
    if total:
        return float(total.group(1).replace(",", "")), 1.0
    if coded is not None:
        return float(coded), count
    if speed:
        return float(speed.group(1)) * (_TERA_PER_GIGA if speed.group(2) == "t" else 1), count
    if plain:
        return float(plain.group(1)), count
    short = re.search(r"\b(\d{2,3})g\b", part)
    return (float(short.group(1)) if short else None), count


# Usual network of a machine whose table does not state it: rate of a card [Gb/s], cards, transport.
_MACHINES: tuple[tuple[str, tuple[float, float, str]], ...] = (
    (r"aries|cray xc", (80.0, 1.0, "ib")),
    (r"p5", (100.0, 32.0, "efa")),
    (r"p4d", (100.0, 4.0, "efa")),
    (r"p3dn", (100.0, 1.0, "efa")),
    (r"p3", (25.0, 1.0, "tcp")),
    (r"g5\b|a10g", (10.0, 1.0, "tcp")),
    (r"g4dn|\bt4\b", (50.0, 1.0, "tcp")),
    (r"p2\.xlarge", (3.0, 1.0, "tcp")),
    (r"p2\.", (10.0, 1.0, "tcp")),
    (r"k80", (10.0, 1.0, "tcp")),
    (r"tpu", (100.0, 64.0, "rdma")),
    (r"gb[23]00|b[23]00|blackwell|h[12]00", (400.0, 8.0, "ib")),
    (r"dgx a100|a100", (200.0, 8.0, "ib")),
    (r"dgx-2", (100.0, 8.0, "ib")),
    (r"dgx-1|v100", (100.0, 4.0, "ib")),
    (r"p100|pascal", (25.0, 1.0, "rdma")),
    (r"gaudi", (100.0, 2.0, "rdma")),
    (r"cpu|xeon", (25.0, 1.0, "tcp")),
    (r"rtx|quad|titan|1080|2080", (10.0, 1.0, "tcp")),
)


def _known_machine(cells: Mapping[str, str]) -> tuple[float, float, str] | None:
    text = " ".join(
        cells.get(name, "") for name in ("accelerator", "gpu", "interconnect_inter", "inter_link")
    )
    return next((net for pattern, net in _MACHINES if re.search(pattern, text.lower())), None)


def workers_per_node(cells: Mapping[str, str], unstated: list[str]) -> int:
    """Workers in one machine; 8 where the table does not say."""
    text = cells.get("accelerators_per_node") or cells.get("gpus_per_node") or ""
    found = re.findall(r"\d+", text)
    if found:
        return min(max(int(found[-1]), 1), _MOST_IN_NODE)
    if "n/a" in text or "cpu" in cells.get("accelerator", "").lower():
        return 1
    unstated.append("workers per node")
    return 8
