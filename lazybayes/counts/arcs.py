"""Attributes with a parent: P(value given class and the parent's value), one space of value ids for all arcs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.scores import LogTables, log_tables
from lazybayes.counts.tables import Counts, ValueIndex, count
from lazybayes.counts.training import TrainingRows

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Arcs:
    """Places for every value of an attribute beside every value of its parent.

    Attribute j has as many groups of k_j places as its parent has values, and one more for rows that do not know the
    parent (the only one of an attribute without a parent).

    value_index: of the attributes; parents: (a,) the parent of each, -1 = none.
    """

    value_index: ValueIndex
    parents: Ints

    @cached_property
    def n_groups(self) -> NDArray[np.int64]:
        """(a,) groups of each attribute."""
        return np.where(self.parents < 0, 0, self.value_index.arity[self.parents]) + 1

    @cached_property
    def groups(self) -> ValueIndex:
        """The space of the places: each group counts as an attribute."""
        return ValueIndex(np.repeat(self.value_index.arity, self.n_groups))

    @cached_property
    def value(self) -> NDArray[np.int64]:
        """(W,) the attribute's value id at each place."""
        attribute = np.repeat(np.arange(len(self.parents)), self.n_groups)[self.groups.attribute_of]
        inside = np.arange(self.groups.n_values) - self.groups.offsets[self.groups.attribute_of]
        return self.value_index.offsets[attribute] + inside

    @cached_property
    def parentless(self) -> NDArray[np.bool_]:
        """(W,) which places are for rows that do not know a parent."""
        last = np.zeros(len(self.groups.arity), dtype=bool)
        last[np.cumsum(self.n_groups) - 1] = True
        return last[self.groups.attribute_of]

    def places(self, ids: Ints) -> Ints:
        """(n, a) places of rows, W where the attribute is missing. ids: (n, a)."""
        first = np.cumsum(self.n_groups) - self.n_groups
        of_parent = ids[:, self.parents] - self.value_index.offsets[self.parents]
        unknown = (self.parents < 0) | (ids[:, self.parents] == self.value_index.n_values)
        group = first + np.where(unknown, self.n_groups - 1, of_parent)
        places = self.groups.offsets[group] + ids - self.value_index.offsets
        return np.where(ids == self.value_index.n_values, self.groups.n_values, places)

    def log_tables(self, training: TrainingRows) -> LogTables:
        """The logs of P(value given class and parent) over the places.

        A row that does not know the parent is scored by P(value given class), of all rows that know the attribute.
        """
        counts = training.counts
        given = count(self.groups, self.places(training.ids), training.y, training.n_classes)
        marginal = Counts(self.groups, counts.classes, counts.values[:, self.value])
        values = np.where(self.parentless, marginal.values, given.values)
        return log_tables(Counts(self.groups, counts.classes, values), training.estimate, marginal)
