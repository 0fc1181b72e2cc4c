"""The catalogue: what a row must hold, what the units are, and how entries are found."""

import dataclasses
import subprocess
import sys

import pytest

from dpmodel.catalogue import devices, find, links, links_at, models, models_at
from dpmodel.errors import InputError

EVERY = [*devices().values(), *links().values(), *models().values()]


def test_size():
    """The catalogue holds at least 20 devices, 20 links and 20 models."""
    assert min(len(devices()), len(links()), len(models())) >= 20


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.key)
def test_every_row_is_sourced(entry):
    """Every row names a source and a year, and no key or name holds stray space."""
    assert len(entry.source) > 10
    assert 1990 <= int(entry.date[:4]) <= 2030
    assert entry.key == entry.key.strip().lower()
    assert entry.name == entry.name.strip()


def test_names_are_unique():
    """No two entries of a kind answer to the same name."""
    for table in (devices(), links(), models()):
        names = []
        for entry in table.values():
            names += {name.lower() for name in (entry.key, entry.name, *entry.also)}
        assert len(names) == len(set(names))


def test_entries_cannot_be_changed():
    """An entry is frozen."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        devices()["t4"].memory = 0.0


def test_devices_name_links_of_the_catalogue():
    """A device's link stands in the catalogue and joins workers of one node."""
    for device in devices().values():
        assert links()[device.link].kind == "node", device.key


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("a100-80", "half", 312e12),
        ("a100-80", "memory_bandwidth", 2.039e12),
        ("h100-sxm", "half", 989e12),
        ("h100-sxm", "tf32", 494.5e12),
        ("h100-sxm", "memory", 80e9),
        ("l4", "half", 121e12),
        ("v100-sxm", "power", 300.0),
        ("tpu-v4", "fp32", None),
    ],
)
def test_device_values(key, field, value):
    """Device peaks are dense and in SI units, as on the data sheets."""
    assert getattr(devices()[key], field) == value


def test_half_precision_is_never_slower():
    """A device's peak rises from fp32 over tf32 to half precision."""
    for device in devices().values():
        rates = [r for r in (device.fp32, device.tf32, device.half) if r is not None]
        assert rates == sorted(rates), device.key


@pytest.mark.parametrize(
    ("key", "bandwidth"),
    [
        ("10gbe", 1.25e9),
        ("ib-ndr", 50e9),
        ("pcie3", 15.75e9),
        ("nvlink1", 80e9),
        ("nvlink2", 150e9),
        ("nvlink3", 300e9),
        ("nvlink4", 450e9),
        ("nvlink5", 900e9),
    ],
)
def test_links_count_one_direction_in_bytes(key, bandwidth):
    """A link's rate is bytes per second in one direction, half of what NVLink sheets add up."""
    assert links()[key].bandwidth == pytest.approx(bandwidth, rel=1e-12)


def test_no_link_exceeds_its_wire():
    """No measured all-reduce without in-switch reduction is faster than the nominal rate."""
    for link in links().values():
        assert link.achieved is None or link.achieved <= link.bandwidth, link.key


def test_latencies_are_microseconds():
    """Start-up times lie between 1 and 100 microseconds, shorter inside a node."""
    inside = [link.latency for link in links().values() if link.kind == "node"]
    between = [link.latency for link in links().values() if link.kind == "network"]
    assert 0.9e-6 < min(inside) < min(between) < max(between) < 101e-6


def test_links_of_a_rate():
    """Several links share 400 Gbit/s; a kind narrows the answer; an odd rate has none."""
    assert {"400gbe", "ib-ndr", "efa-p5"} <= {link.key for link in links_at(50e9)}
    assert links_at(50e9, "node") == []
    assert [link.key for link in links_at(15.75e9, kind="node")] == ["pcie3"]
    assert links_at(0.7e9) == []


def test_rates_match_within_one_percent():
    """A rate half a percent off still names its link, and two percent off does not."""
    assert [link.key for link in links_at(1.25e9 * 1.005)] == ["10gbe"]
    assert links_at(1.25e9 * 1.02) == []


def test_models_of_a_size():
    """25.6 million parameters name ResNet-50, 7 billion none: Llama's 7B has 6.74 billion."""
    assert [model.key for model in models_at(25.6e6)] == ["resnet-50"]
    assert models_at(7e9) == []
    assert [model.key for model in models_at(6.74e9)] == ["llama2-7b"]


@pytest.mark.parametrize(
    ("kind", "text", "key"),
    [
        ("device", "a100 80gb", "a100-80"),
        ("device", "RTX-4090", "rtx-4090"),
        ("device", "V100", "v100-sxm"),
        ("link", "InfiniBand-NDR", "ib-ndr"),
        ("link", "10 GBE", "10gbe"),
        ("link", "2.5 GbE", "2.5gbe"),
        ("model", "resnet50", "resnet-50"),
        ("model", "BERT large", "bert-large"),
        ("model", "7b", "llama2-7b"),
    ],
)
def test_found_by_any_spelling(kind, text, key):
    """Entries are found by key, name or other name, whatever the case and punctuation."""
    assert find(kind, text).key == key


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        ("model", "resnet51", "ResNet-50"),
        ("device", "A10", "A100"),
        ("link", "NVLink", "NVLink 2"),
        ("model", "", "Known"),
    ],
)
def test_unknown_names_get_near_matches(kind, text, hint):
    """An unknown name is refused in one sentence that offers near matches."""
    with pytest.raises(InputError) as caught:
        find(kind, text)
    assert hint in caught.value.way_out
    assert "\n" not in str(caught.value)


def test_nothing_is_read_at_import():
    """Importing the catalogue reads no table and loads no difflib."""
    code = (
        "import sys, dpmodel.catalogue as c; "
        "assert c.links.cache_info().currsize == 0; assert 'difflib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
