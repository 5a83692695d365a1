"""All splits of a scheme at once."""

from __future__ import annotations

from collections.abc import Iterator

from lazybayes.data.table import Table
from lazybayes.evaluate.splits import Split, partition, repeats
from lazybayes.experiment import Scheme


def splits(scheme: Scheme, table: Table, seed: int) -> Iterator[Split]:
    """Every split of a scheme, repeat by repeat, fold by fold."""
    for repeat in repeats(scheme, table):
        parts = partition(scheme, table, seed, repeat)
        for fold in parts.tests:
            yield parts.split(fold)
