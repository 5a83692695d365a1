"""Likelihood weighting (Fung & Chang 1990; Shachter & Peot 1990).

Variables are drawn from their tables, parents first; evidence is not drawn, but weighs the sample by its probability
given its parents. Only ancestors of what is asked or given are drawn. The generator is numpy's default (PCG64).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.networks.network import Network

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK = 1 << 14
"""Samples drawn at once."""


@dataclass(frozen=True)
class Tallies:
    """Sums over all samples; weights are scaled by exp(-log_scale).

    weight, square: sums of w and of w^2; weights, squares: the same for each joint value of each group asked for,
    (product of k,) a group.
    """

    log_scale: float
    weight: float
    square: float
    weights: tuple[Floats, ...]
    squares: tuple[Floats, ...]


def tally(
    network: Network, given: Mapping[int, int], groups: Sequence[Sequence[int]], n: int, rng: np.random.Generator
) -> Tallies:
    """Draws n weighted samples and adds up their weights by the values of each group of variables.

    given: values by variable, both as numbers.
    """
    relevant = network.ancestors([*given, *(i for group in groups for i in group)])
    order = [i for i in network.order if i in relevant]
    shapes = [tuple(network.arity[i] for i in group) for group in groups]
    sums = [np.zeros((2, int(np.prod(shape)))) for shape in shapes]
    scale, total = -np.inf, np.zeros(2)
    for start in range(0, n, BLOCK):
        codes, log_weight = _draw(network, order, given, min(BLOCK, n - start), rng)
        peak = max(scale, float(log_weight.max()))
        if np.isneginf(peak):
            continue
        shrink = np.exp(scale - peak) ** np.array([1.0, 2.0])
        scale = peak
        w = np.exp(log_weight - scale)
        total = total * shrink + (w.sum(), (w * w).sum())
        for group, shape, own in zip(groups, shapes, sums, strict=True):
            cell = np.ravel_multi_index([codes[i] for i in group], shape)
            both = [np.bincount(cell, weights, minlength=own.shape[1]) for weights in (w, w * w)]
            own[...] = own * shrink[:, None] + both
    return Tallies(
        scale, float(total[0]), float(total[1]), tuple(own[0] for own in sums), tuple(own[1] for own in sums)
    )


def _draw(
    network: Network, order: Sequence[int], given: Mapping[int, int], n: int, rng: np.random.Generator
) -> tuple[dict[int, Ints], Floats]:
    """(n,) values of each variable, and (n,) ln of the samples' weights."""
    codes: dict[int, Ints] = {}
    log_weight = np.zeros(n)
    for i in order:
        rows = network.variables[i].table[tuple(codes[parent] for parent in network.parents[i])]
        if i in given:
            codes[i] = np.full(n, given[i])
            with np.errstate(divide="ignore"):
                log_weight += np.log(rows[..., given[i]])
            continue
        # the last possible value takes what rounding leaves of the sum
        bounds = np.cumsum(rows, axis=-1)
        bounds /= bounds[..., -1:]
        drawn = rng.random(n)
        codes[i] = np.asarray((np.broadcast_to(bounds, (n, bounds.shape[-1])) <= drawn[:, None]).sum(axis=1))
    return codes, log_weight
