"""Cross-validation schemes: the training and test rows of each repeat and fold.

Positions are row positions in the `Table` (0 to n_rows - 1), sorted ascending. The same seed, data set name and repeat
give the same partition for all algorithms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.table import Table, listed, quoted
from lazybayes.errors import DataError
from lazybayes.evaluate.folds_file import read_folds
from lazybayes.evaluate.seeds import partition_seed
from lazybayes.experiment import Scheme
from lazybayes.messages import plural

Positions = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """One fold of one repeat: positions of the training rows and of the test rows, sorted ascending."""

    repeat: int
    fold: int
    train: Positions
    test: Positions


@dataclass(frozen=True)
class Partition:
    """The test rows of one repeat, by fold; all other rows are training rows, or all rows if `all_train`."""

    repeat: int
    n_rows: int
    tests: Mapping[int, Positions]
    all_train: bool = False

    def split(self, fold: int) -> Split:
        """The split of one fold. Raises KeyError if the fold does not exist."""
        test = self.tests[fold]
        train = np.ones(self.n_rows, dtype=bool)
        if not self.all_train:
            train[test] = False
        return Split(self.repeat, fold, np.flatnonzero(train), test)


def repeats(scheme: Scheme, table: Table) -> tuple[int, ...]:
    """The numbers of a scheme's repeats."""
    if scheme.scheme == "folds-file":
        return tuple(_folds_file(scheme, table))
    if scheme.scheme in ("leave-one-out", "resubstitution"):  # not random
        return (0,)
    return tuple(range(scheme.repeats))


def partition(scheme: Scheme, table: Table, seed: int, repeat: int) -> Partition:
    """The partition of one repeat.

    Raises DataError if there are fewer rows than folds, or no rows for training or testing.
    """
    n = table.n_rows
    if not n:
        raise DataError(f"{table.name}: there are no rows to test")
    if scheme.scheme == "resubstitution":
        return Partition(repeat, n, {0: np.arange(n)}, all_train=True)
    if scheme.scheme == "folds-file":
        return Partition(repeat, n, _folds_file(scheme, table)[repeat])
    if n < 2:
        raise DataError(f"{table.name}: {scheme.scheme} needs at least two rows")
    if scheme.scheme == "leave-one-out":
        return Partition(repeat, n, {row: np.array([row]) for row in range(n)})
    order = _shuffled_by_class(table, seed, repeat)
    if scheme.scheme == "holdout":
        return Partition(repeat, n, {0: np.sort(order[_evenly_spaced(n, scheme.test)])})
    if scheme.scheme != "stratified-k-fold":
        raise ValueError(f"unknown scheme {scheme.scheme}")
    if not 2 <= scheme.folds <= n:
        raise DataError(f"{table.name}: {scheme.folds} folds of {n} rows: expected 2 to {n} folds")
    return Partition(repeat, n, {fold: np.sort(order[fold :: scheme.folds]) for fold in range(scheme.folds)})


def folds_of(scheme: Scheme, table: Table, seed: int) -> tuple[tuple[int, int], ...]:
    """Every (repeat, fold) of a scheme, in order. Raises DataError like `partition`."""
    numbers = repeats(scheme, table)
    if scheme.scheme == "folds-file":
        return tuple((repeat, fold) for repeat in numbers for fold in partition(scheme, table, seed, repeat).tests)
    alike = tuple(partition(scheme, table, seed, numbers[0]).tests)  # all repeats have the same fold numbers
    return tuple((repeat, fold) for repeat in numbers for fold in alike)


def scheme_notices(scheme: Scheme, table: Table) -> tuple[str, ...]:
    """Notices for the user on a scheme applied to this table.

    They concern rows of a folds file that cannot be tested, and classes with fewer rows than folds.
    """
    if scheme.scheme == "folds-file" and scheme.path:
        return read_folds(scheme.path, table).notices
    if scheme.scheme != "stratified-k-fold":
        return ()
    counts = np.bincount(table.y, minlength=table.n_classes).tolist()
    few = [(label, n) for label, n in zip(table.target.values, counts, strict=True) if 0 < n < scheme.folds]
    if not few:
        return ()
    shown = listed([f"{quoted(label)} ({plural(n, 'row')})" for label, n in few], 5)
    return (
        f"data set {table.name}: {plural(len(few), 'class', 'classes')} with fewer rows than the {scheme.folds} folds, "
        f"so some folds do not test any row of them: {shown}",
    )


def _shuffled_by_class(table: Table, seed: int, repeat: int) -> Positions:
    """(n,) all positions, shuffled and then stably sorted by class."""
    shuffled = np.random.default_rng(partition_seed(seed, table.name, repeat)).permutation(table.n_rows)
    return np.asarray(shuffled[np.argsort(table.y[shuffled], kind="stable")], dtype=np.int64)


def _evenly_spaced(n: int, share: float) -> Positions:
    """round(n * share) of n positions, at least 1 and at most n - 1: the midpoints of equal intervals."""
    m = min(max(round(n * share), 1), n - 1)
    return (2 * np.arange(m) + 1) * n // (2 * m)


def _folds_file(scheme: Scheme, table: Table) -> Mapping[int, Mapping[int, Positions]]:
    if scheme.path is None:
        raise ValueError("a folds-file scheme needs a path")
    return read_folds(scheme.path, table).tests
