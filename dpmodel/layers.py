"""Layer profiles: where a model's parameters sit, and when their gradients appear.

Counted by formula from the architectures in data/models.toml. A multiply-add is 2 FLOP; norms,
activations and biases cost nothing beside the matrix products, and are left out of the FLOP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dpmodel.catalogue import models
from dpmodel.errors import InputError

# Beyond this depth a transformer block is told in two entries, not four: profiles stay short.
FINE_BLOCKS = 96


class Layer(NamedTuple):
    """One layer or group of matrices, with its parameters [1] and forward work [FLOP a sample]."""

    name: str
    params: int
    flop: int


class LayerProfile(NamedTuple):
    """A model's layers in the order in which the backward pass produces their gradients.

    Attributes
    ----------
    params : array, shape (L,)
        Parameters of each layer, last layer first [1].
    backward_share : array, shape (L,)
        Share of the backward pass spent on each; sums to 1 [1].
    names : tuple of str, length L
        What each entry is.
    """

    params: np.ndarray
    backward_share: np.ndarray
    names: tuple[str, ...]


@cache
def layer_profile(model_key: str) -> LayerProfile:
    """Return the profile of a catalogue model whose architecture is described.

    Backward work is twice the forward work, once for the weights' gradients and once for the
    inputs'; the first layer needs no gradient of its input. Tied weights count where they are
    used first, since their gradient is whole only at the very end.

    Parameters
    ----------
    model_key : str
        Key of the catalogue.

    Returns
    -------
    LayerProfile
        Read-only arrays.

    Raises
    ------
    InputError
        No such model, or none whose architecture the catalogue holds.
    """
    layers = forward_layers(model_key)[::-1]
    work = np.array([2.0 * layer.flop for layer in layers])
    work[-1] /= 2
    params = np.array([float(layer.params) for layer in layers])
    share = work / work.sum()
    for array in (params, share):
        array.flags.writeable = False
    return LayerProfile(params, share, tuple(layer.name for layer in layers))


def forward_layers(model_key: str) -> list[Layer]:
    """Return a catalogue model's layers in forward order.

    Raises
    ------
    InputError
        No such model, or none whose architecture the catalogue holds.
    """
    model = models().get(model_key)
    if model is None or model.layers is None:
        described = [key for key, known in models().items() if known.layers is not None]
        raise InputError(
            asked=f"The layers of '{model_key[:40]}' cannot be counted",
            given=f"'{model_key[:40]}'",
            rule="the catalogue holds no architecture under that key",
            way_out="Choose one of " + ", ".join(described) + ".",
        )
    return list(BUILDERS[model.layers["kind"]](model.layers))


def _convolution(name: str, shape: tuple[int, int, int], out_size: int, extra: int) -> Layer:
    """Convolution from `shape` = channels in, out, kernel, to out_size x out_size positions."""
    channels, out, kernel = shape
    weights = channels * out * kernel**2
    return Layer(name, weights + extra * out, 2 * weights * out_size**2)


def _matrix(name: str, rows: int, columns: int, times: int = 1, extra: int = 0) -> Layer:
    """Matrix product rows x columns, applied to `times` vectors, with `extra` more parameters."""
    return Layer(name, rows * columns + extra, 2 * rows * columns * times)


def _plain(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """Convolutions, pooling and fully connected layers, one after another, all with biases."""
    size, channels = layout["image"], layout["channels"]
    features = 0
    for number, (kind, *numbers) in enumerate(layout["stack"], start=1):
        if kind == "conv":
            out, kernel, stride, padding = numbers
            size = (size + 2 * padding - kernel) // stride + 1
            yield _convolution(f"convolution {number}", (channels, out, kernel), size, extra=1)
            channels = out
        elif kind == "pool":
            kernel, stride = numbers
            size = (size - kernel) // stride + 1
        else:
            rows = features or channels * size**2
            (features,) = numbers
            yield _matrix(f"fully connected {number}", rows, features, extra=features)


def _resnet(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """ResNet on 224 x 224 images; each convolution takes its batch norm (2 per channel) along."""
    wide = 4 if layout["block"] == "bottleneck" else 1
    yield _convolution("stem", (3, 64, 7), 112, extra=2)
    channels, size = 64, 56
    for stage, blocks in enumerate(layout["stages"]):
        width = 64 * 2**stage
        for block in range(blocks):
            out_size = size // 2 if stage > 0 and block == 0 else size
            name = f"stage {stage + 1} block {block + 1}"
            yield from _residual_block(name, (channels, width, width * wide), size, out_size)
            channels, size = width * wide, out_size
    yield _matrix("fully connected", channels, 1000, extra=1000)


def _residual_block(
    name: str, channels: tuple[int, int, int], size: int, out_size: int
) -> Iterator[Layer]:
    """Basic or bottleneck block; the stride sits in the first 3 x 3 convolution (v1.5)."""
    enters, width, leaves = channels
    if leaves == width:
        yield _convolution(f"{name} 3x3 a", (enters, width, 3), out_size, extra=2)
        yield _convolution(f"{name} 3x3 b", (width, width, 3), out_size, extra=2)
    else:
        yield _convolution(f"{name} 1x1 a", (enters, width, 1), size, extra=2)
        yield _convolution(f"{name} 3x3", (width, width, 3), out_size, extra=2)
        yield _convolution(f"{name} 1x1 b", (width, leaves, 1), out_size, extra=2)
    if enters != leaves or size != out_size:
        yield _convolution(f"{name} shortcut", (enters, leaves, 1), out_size, extra=2)


def _blocks(
    count: int, width: int, tokens: int, key_value: int | None = None, gated: int | None = None
) -> Iterator[Layer]:
    """Transformer blocks: attention over all tokens, then a multi-layer perceptron.

    The classic block has biases, layer norms and a perceptron of 4 x width (12 d^2 + 13 d);
    `gated` is the perceptron's width where it has a gate, no biases and RMS norms, and
    `key_value` the width of keys and values where query heads share them. The attention scores
    (4 s^2 d FLOP) count with the query, key and value matrices, whose gradients wait for them.
    """
    narrow = width if key_value is None else key_value
    inner, gates, bias, norm = (gated, 2, 0, width) if gated else (4 * width, 1, 1, 2 * width)
    thirds = width + 2 * narrow
    for block in range(1, count + 1):
        query = _matrix(f"block {block} qkv", width, thirds, tokens, norm + bias * thirds)
        query = query._replace(flop=query.flop + 4 * tokens**2 * width)
        out = _matrix(f"block {block} attention out", width, width, tokens, bias * width)
        up = _matrix(f"block {block} mlp up", width, gates * inner, tokens, norm + bias * inner)
        down = _matrix(f"block {block} mlp down", inner, width, tokens, bias * width)
        if count <= FINE_BLOCKS:
            yield from (query, out, up, down)
        else:
            yield _joined(f"block {block} attention", query, out)
            yield _joined(f"block {block} mlp", up, down)


def _joined(name: str, first: Layer, second: Layer) -> Layer:
    return Layer(name, first.params + second.params, first.flop + second.flop)


def _gpt(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """GPT-2 and GPT-3: learned positions; the output matrix is the word embedding again."""
    width, words, tokens = layout["width"], layout["vocabulary"], layout["positions"]
    yield Layer("word embedding", words * width, 0)
    yield Layer("position embedding", tokens * width, 0)
    yield from _blocks(layout["blocks"], width, tokens)
    yield Layer("final norm", 2 * width, 0)
    yield Layer("output (tied)", 0, 2 * words * width * tokens)


def _bert(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """BERT with pooler, without the word-prediction head; two token types."""
    width, tokens = layout["width"], layout["positions"]
    yield Layer("word embedding", layout["vocabulary"] * width, 0)
    yield Layer("position and type embedding, norm", (tokens + 2 + 2) * width, 0)
    yield from _blocks(layout["blocks"], width, tokens)
    yield _matrix("pooler", width, width, extra=width)


def _llama(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """Llama: rotary positions without parameters, RMS norms, gated perceptron, untied output."""
    width, words, tokens = layout["width"], layout["vocabulary"], layout["positions"]
    yield Layer("word embedding", words * width, 0)
    yield from _blocks(
        layout["blocks"], width, tokens, layout["key_value_width"], layout["mlp_width"]
    )
    yield Layer("final norm", width, 0)
    yield _matrix("output", width, words, tokens)


def _vit(layout: Mapping[str, Any]) -> Iterator[Layer]:
    """Vision transformer: patches and one class token."""
    width, side = layout["width"], layout["image"] // layout["patch"]
    tokens = side**2 + 1
    yield _convolution("patches", (3, width, layout["patch"]), side, extra=1)
    yield Layer("class token and positions", (1 + tokens) * width, 0)
    yield from _blocks(layout["blocks"], width, tokens)
    yield Layer("final norm", 2 * width, 0)
    yield _matrix("head", width, layout["classes"], extra=layout["classes"])


BUILDERS: dict[str, Callable[[Mapping[str, Any]], Iterator[Layer]]] = {
    "plain": _plain,
    "resnet": _resnet,
    "gpt": _gpt,
    "bert": _bert,
    "llama": _llama,
    "vit": _vit,
}
