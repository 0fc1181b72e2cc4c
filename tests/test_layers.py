"""Layer profiles equal published parameter and FLOP counts, in the order of the backward pass."""

import numpy as np
import pytest

from dpmodel.catalogue import models
from dpmodel.errors import InputError
from dpmodel.layers import forward_layers, layer_profile
from dpmodel.scenario import LAYER_PROFILES

DESCRIBED = [key for key, model in models().items() if model.layers is not None]
# Multiply-adds of one forward pass as the torchvision weights table states them [1e9].
TORCHVISION_GMAC = {
    "alexnet": 0.71,
    "vgg-16": 15.47,
    "resnet-18": 1.81,
    "resnet-50": 4.09,
    "resnet-101": 7.80,
    "resnet-152": 11.51,
    "vit-b16": 17.56,
    "vit-l16": 61.55,
}


def forward_flop(key):
    """FLOP of one forward pass."""
    return sum(layer.flop for layer in forward_layers(key))


@pytest.mark.parametrize("key", DESCRIBED)
def test_parameters_equal_the_published_count(key):
    """Counted layer by layer, every model has exactly its published parameters."""
    assert layer_profile(key).params.sum() == models()[key].params


@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("alexnet", 61_100_840),
        ("vgg-16", 138_357_544),
        ("resnet-50", 25_557_032),
        ("vit-b16", 86_567_656),
        ("bert-large", 335_141_888),
        ("gpt2-xl", 1_557_611_200),
        ("llama2-70b", 68_976_648_192),
        ("llama3.1-405b", 405_853_388_800),
    ],
)
def test_parameters_known(key, params):
    """The counts of well-known implementations."""
    assert models()[key].params == params


@pytest.mark.parametrize("key", DESCRIBED)
def test_training_flop_is_three_forward_passes(key):
    """The catalogue's training FLOP is three times the counted forward pass, within 2 %."""
    assert 3 * forward_flop(key) == pytest.approx(models()[key].train_flop, rel=0.02)


@pytest.mark.parametrize(("key", "gmac"), TORCHVISION_GMAC.items())
def test_multiply_adds_of_torchvision(key, gmac):
    """The forward pass has twice torchvision's multiply-adds, within 2 %."""
    assert forward_flop(key) / 2e9 == pytest.approx(gmac, rel=0.02)


@pytest.mark.parametrize("key", [key for key in DESCRIBED if key.startswith("gpt")])
def test_gpt_equals_the_published_formula(key):
    """GPT's training FLOP are 72 s l h^2 (1 + s/6h + V/12lh), Narayanan et al. 2021."""
    layout = models()[key].layers
    h, depth = layout["width"], layout["blocks"]
    s, words = layout["positions"], layout["vocabulary"]
    formula = 72 * s * depth * h**2 * (1 + s / (6 * h) + words / (12 * depth * h))
    assert 3 * forward_flop(key) == pytest.approx(formula, rel=1e-12)


@pytest.mark.parametrize("key", DESCRIBED)
def test_profile_is_sound(key):
    """Shares are not negative and sum to one, arrays agree, cannot be changed, and stay short."""
    profile = layer_profile(key)
    assert profile.params.shape == profile.backward_share.shape == (len(profile.names),)
    assert profile.backward_share.sum() == pytest.approx(1, rel=1e-12)
    assert profile.backward_share.min() >= 0 and profile.params.min() >= 0
    assert len(profile.names) <= 400
    with pytest.raises(ValueError, match="read-only"):
        profile.params[0] = 0


def test_vgg_holds_most_of_itself_in_one_layer():
    """VGG-16's first fully connected layer has 102,764,544 parameters and 0.7 % of the FLOP."""
    profile = layer_profile("vgg-16")
    assert profile.params.max() == 102_764_544
    assert profile.params.argmax() == 2
    assert profile.backward_share[2] == pytest.approx(0.0067, rel=0.05)


@pytest.mark.parametrize("key", ["bert-base", "gpt2-small", "llama2-7b"])
def test_embeddings_come_last(key):
    """The word embedding's gradient is the last that the backward pass produces."""
    assert layer_profile(key).names[-1] == "word embedding"


def test_tied_output_is_counted_once():
    """GPT-2's output matrix is worked through first and exchanged with the embedding last."""
    profile = layer_profile("gpt2-small")
    assert profile.params[0] == 0 and profile.backward_share[0] > 0.2
    assert profile.params[-1] == 50257 * 768 and profile.backward_share[-1] == 0


def test_first_layer_needs_no_input_gradient():
    """The image's own gradient is not computed: the first convolution works half as long."""
    flop = [layer.flop for layer in forward_layers("alexnet")]
    expected = flop[0] / (2 * sum(flop) - flop[0])
    assert layer_profile("alexnet").backward_share[-1] == pytest.approx(expected)


def test_grouped_queries_share_keys_and_values():
    """Llama 2 70B's 8 key-value heads make its qkv matrices 8192 x (8192 + 2 x 1024)."""
    names, params = (layer_profile("llama2-70b").names, layer_profile("llama2-70b").params)
    assert params[names.index("block 80 qkv")] == 8192 * (8192 + 2048) + 8192


def test_resnet_grows_towards_its_end():
    """ResNet-50's gradients appear heavy end first: half the bytes in a quarter of the pass."""
    profile = layer_profile("resnet-50")
    half = np.searchsorted(np.cumsum(profile.params) / profile.params.sum(), 0.5)
    assert profile.backward_share[: half + 1].sum() < 0.25
    assert len(profile.names) == 54


@pytest.mark.parametrize("key", ["inception-v3", "no-such-model"])
def test_undescribed_models_say_which_are(key):
    """A model without an architecture is refused with the keys of those that have one."""
    with pytest.raises(InputError, match="resnet-50"):
        layer_profile(key)


def test_every_described_model_can_be_chosen():
    """The layer knob offers an even profile and every model whose layers are described, by name."""
    names = {"even": "Even"} | {key: models()[key].name for key in DESCRIBED}
    assert names == LAYER_PROFILES
