"""Peak memory of naive Bayes and LBR: fit on and predict generated rows of 14 attributes, each in a process of its own.

The rows imitate a census: attributes of 2 to 41 values that hang together through a hidden group, and a class that
needs several of them at once, so that LBR's rules grow.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pandas as pd
from harness import Figure

from lazybayes import LazyBayesianRules, NaiveBayes
from lazybayes.counts.codes import Rows
from lazybayes.memory import keep_freed_memory

ARITIES = (7, 8, 5, 16, 9, 7, 14, 6, 5, 2, 10, 8, 6, 41)
N_ROWS = 50_000
LEARNERS = {"naive Bayes": NaiveBayes, "LBR": LazyBayesianRules}
MEGABYTE = 1024  # ru_maxrss counts kilobytes on Linux


def figures(fast: bool) -> Iterator[Figure]:
    """A figure for each learner; fast: a tenth of the rows."""
    n = N_ROWS // 10 if fast else N_ROWS
    for name in LEARNERS:
        done = subprocess.run([sys.executable, __file__, name, str(n)], capture_output=True, text=True, check=True)
        megabytes, seconds = map(float, done.stdout.split())
        subject = f"{name} {n} x {len(ARITIES)}, fit + predict_proba, peak memory"
        yield Figure(subject, f"in {seconds:.1f} s", "", megabytes, "MB", 1000.0)


def generate(n: int) -> tuple[Rows, pd.Categorical]:
    """N rows and their classes, two of them."""
    rng = np.random.default_rng(1)
    group = rng.integers(0, 4, n)
    columns = []
    for arity in ARITIES:
        shares = rng.dirichlet(np.full(arity, 0.7), size=4).cumsum(axis=1)
        columns.append((rng.random((n, 1)) > shares[group]).sum(axis=1).clip(0, arity - 1))
    codes = np.column_stack(columns).astype(np.int32)
    high = codes > np.median(codes, axis=0)
    label = (high[:, 0] ^ high[:, 3]) | (high[:, 5] & high[:, 6] & ~high[:, 10])
    label ^= rng.random(n) < 0.1
    names = tuple(f"a{j}" for j in range(len(ARITIES)))
    labels = tuple(tuple(f"v{v}" for v in range(arity)) for arity in ARITIES)
    return Rows(names, labels, codes, np.empty((n, 0))), pd.Categorical.from_codes(label.astype(int), ["low", "high"])


def main(name: str, n: int) -> None:
    """Prints the peak memory of this process in MB and the CPU seconds of the learner."""
    keep_freed_memory()
    rows, y = generate(n)
    start = time.process_time()
    LEARNERS[name]().fit(rows, y).predict_proba(rows)
    spent = time.process_time() - start
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE, spent)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
