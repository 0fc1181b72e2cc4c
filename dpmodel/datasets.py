"""Small data sets, made the same on every machine: what the executed model learns from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Data(NamedTuple):
    """Samples and what should be said of each.

    Attributes
    ----------
    x : array, shape (S, F)
        Features [1].
    y : array, shape (S,)
        Targets: any number for a line, 0 or 1 for a class [1].
    """

    x: np.ndarray
    y: np.ndarray


def line(samples: int, features: int = 8, noise: float = 0.5, seed: int = 1) -> Data:
    """Draw points about a plane: y = x w + noise, with features and w of unit variance.

    Parameters
    ----------
    samples, features : int
        S and F [1].
    noise : float
        Standard deviation of what no weights can explain [1].
    seed : int
        Start of the random numbers [1].
    """
    chance = np.random.default_rng(seed)
    truth = chance.standard_normal(features)
    x = chance.standard_normal((samples, features))
    return Data(x, x @ truth + noise * chance.standard_normal(samples))


def clouds(samples: int, features: int = 8, distance: float = 2.0, seed: int = 2) -> Data:
    """Draw two round clouds, one for each class, their centres `distance` apart [1].

    Parameters
    ----------
    samples, features : int
        S and F [1].
    distance : float
        Between the centres, in standard deviations of a cloud [1].
    seed : int
        Start of the random numbers [1].
    """
    chance = np.random.default_rng(seed)
    y = (np.arange(samples) % 2).astype(float)
    towards = chance.standard_normal(features)
    towards *= distance / np.linalg.norm(towards)
    x = chance.standard_normal((samples, features)) + (y - 0.5)[:, None] * towards
    return Data(x, y)


def rings(samples: int, features: int = 2, noise: float = 0.15, seed: int = 3) -> Data:
    """Draw a small ball inside a shell, which no straight cut separates.

    Parameters
    ----------
    samples, features : int
        S and F [1].
    noise : float
        Standard deviation of the radii, 0.5 and 1.5 [1].
    seed : int
        Start of the random numbers [1].
    """
    chance = np.random.default_rng(seed)
    y = (np.arange(samples) % 2).astype(float)
    x = chance.standard_normal((samples, features))
    radius = 0.5 + y + noise * chance.standard_normal(samples)
    return Data(x * (radius / np.linalg.norm(x, axis=1))[:, None], y)
