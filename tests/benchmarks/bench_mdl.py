"""Times MDL discretization of all of letter (20,000 rows x 16 attributes, 26 classes) on one thread.

Run from the checkout: `python tests/benchmarks/bench_mdl.py`. Without ../shared, a generated set of the same shape
stands in for letter. A second line is the hard case: letter with noise, so that nearly all 20,000 values of an
attribute are distinct.
"""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

import numpy as np

from lazybayes.data.load import load_table
from lazybayes.experiment import DatasetEntry
from lazybayes.preprocess.mdl import Floats, Ints, mdl_cuts

LETTER = Path(__file__).resolve().parents[3] / "shared" / "data" / "arff" / "letter.arff"
REPEATS = 5


def letter() -> tuple[str, Floats, Ints]:
    """Name, (n, 16) values and (n,) classes."""
    if LETTER.is_file():
        table = load_table(DatasetEntry("letter", source="path", location=str(LETTER)))
        return table.name, np.column_stack(table.columns), table.y
    rng = np.random.default_rng(1)
    y = rng.integers(0, 26, 20_000)
    centres = rng.uniform(2, 13, (26, 16))
    return "generated", np.clip(np.rint(centres[y] + rng.normal(0, 2, (20_000, 16))), 0, 15), y


def seconds(x: Floats, y: Ints) -> tuple[float, int]:
    """Median CPU seconds of cutting every attribute, and the number of cuts."""
    times, n_cuts = [], 0
    for _ in range(REPEATS):
        start = time.process_time()
        n_cuts = sum(len(mdl_cuts(column, y)) for column in x.T)
        times.append(time.process_time() - start)
    return statistics.median(times), n_cuts


def main() -> None:
    """Prints one line a data set."""
    name, x, y = letter()
    noisy = x + np.random.default_rng(2).normal(0, 1, x.shape)
    load = os.getloadavg()[0]
    for title, values in ((name, x), (f"{name} with noise", noisy)):
        spent, n_cuts = seconds(values, y)
        print(f"mdl {title}: {len(values)} x {values.shape[1]}: {spent:.3f} CPU s, {n_cuts} cuts (load {load:.1f})")


if __name__ == "__main__":
    main()
