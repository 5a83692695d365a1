"""MDL discretization of all of letter (20,000 rows x 16 attributes, 26 classes).

Without ../shared, a generated set of the same shape stands in for letter. A second figure is the hard case: letter with
noise, so that nearly all 20,000 values of an attribute are distinct.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from harness import Figure, cpu_seconds, load, missing_data

from lazybayes.preprocess.mdl import Floats, Ints, mdl_cuts


def figures(fast: bool) -> Iterator[Figure]:
    """A figure for each of the two sets."""
    name, x, y = letter()
    noisy = x + np.random.default_rng(2).normal(0, 1, x.shape)
    for title, values, target in ((name, x, 1.0), (f"{name} with noise", noisy, None)):
        seconds = cpu_seconds(lambda values=values: cuts(values, y), reps=3 if fast else 5)
        subject = f"MDL {title}, {len(values)} x {values.shape[1]}"
        yield Figure(subject, f"{cuts(values, y)} cuts", "", seconds, "s", target)


def letter() -> tuple[str, Floats, Ints]:
    """Name, (n, 16) values and (n,) classes."""
    if not missing_data("letter"):
        table = load("letter")
        return table.name, np.column_stack(table.columns), table.y
    rng = np.random.default_rng(1)
    y = rng.integers(0, 26, 20_000)
    centres = rng.uniform(2, 13, (26, 16))
    return "generated", np.clip(np.rint(centres[y] + rng.normal(0, 2, (20_000, 16))), 0, 15), y


def cuts(x: Floats, y: Ints) -> int:
    """The number of cuts of all attributes."""
    return sum(len(mdl_cuts(column, y)) for column in x.T)
