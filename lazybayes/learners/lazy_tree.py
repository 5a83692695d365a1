"""LazyTree: one path of a decision tree for each row to be classified (LazyDT of Friedman, Kohavi & Yun 1996).

The path is a conjunction of tests "attribute = the row's value". The leaf at its end depends on the tests alone, so
all rows to be classified go down together, level by level: a set of tests that several rows reach, in whatever order,
is one node, and one class x value table of a level's nodes gives the gain of every test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from lazybayes.counts.codes import Rows
from lazybayes.counts.tables import count
from lazybayes.counts.training import TrainingRows
from lazybayes.learners.base import Learner
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

EQUAL = 1e-10
"""Gains this close are equal, and gains this small count as 0."""


@dataclass(frozen=True)
class PathLevel:
    """The nodes with equally many tests, and the rows to be classified that have come so far.

    tests: (G, L) the value ids of each node's tests, ascending; rows: each node's training rows; query:
    (m,) positions of the rows to be classified, by node; node: (m,) the node of each, ascending.
    """

    tests: Ints
    rows: list[Ints]
    query: Ints
    node: Ints


class LazyTree(Learner):
    """LazyTree: the class frequencies at the end of the path that a decision tree grown for this one row would have.

    Again and again the attribute is taken whose test "equals the row's value" has the highest information gain; the
    training rows that pass it stay. A path ends where the rows are of one class or no test gains. At each node the
    class probabilities are first made equal among the classes present: a majority of one class cannot hide a gain.

    Readings taken: the gain is the fall of the entropy from the node to the rows that pass, the only branch that the
    row sees, as in LazyDT (with the mean over both branches LBR loses more domains to LazyTree than the paper records);
    gains within 1e-10 are equal and the lowest attribute wins; a value that no current row or every current row has is
    no test; there is no minimum number of rows. LazyDT's cache is left out, as in the LBR paper: it changes no answer.

    References
    ----------
    Friedman, J. H., Kohavi, R. and Yun, Y. (1996). Lazy decision trees. AAAI-96, 717-724.
    Zheng, Z. and Webb, G. I. (2000). Lazy learning of Bayesian rules. Machine Learning 41, 53-84.
    """

    diagnostics: ClassVar[Mapping[str, str]] = {
        "path_length": "mean number of tests on a row's path",
        "rows_reached": "mean number of training rows at the end of a row's path",
        "distinct_paths": "different ends of paths that the rows have",
    }
    missing = (
        "an attribute missing in the row to be classified is not tested; a training row that misses it does not pass"
    )
    paper = "Friedman, Kohavi & Yun 1996 (LazyDT), as described in Zheng & Webb 2000, section 5.1"

    def _fit(self, rows: Rows, y: Ints) -> None:
        self.training_ = TrainingRows.of(rows, y, self._class_names())

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        reached = np.zeros((len(rows), len(self.classes_)))
        length = np.zeros(len(rows))
        ends = 0
        for query, classes, tests in self._ends(self.training_.value_index.ids(rows.nominal)):
            reached[query], length[query] = classes, tests
            ends += 1
        with np.errstate(divide="ignore"):
            scores = np.log(reached / reached.sum(axis=1, keepdims=True))
        n = max(1, len(rows))
        means = length.sum() / n, reached.sum() / n
        return scores, {"path_length": means[0], "rows_reached": means[1], "distinct_paths": float(ends)}

    def describe(self) -> str:
        """What was learnt: nothing but the training rows."""
        rows, attributes = (
            plural(len(self.training_), "training row"),
            plural(len(self.training_.value_index.arity), "attribute"),
        )
        return f"{rows} of {attributes}; each row grows its own path"

    def _ends(self, ids: Ints) -> Iterator[tuple[Ints, Floats, int]]:
        """The ends of paths: rows that get there, (C,) class counts of the training rows there, and tests passed."""
        everything, nothing = np.arange(len(self.training_)), np.empty((1, 0), dtype=np.int64)
        level = PathLevel(nothing, [everything], np.arange(len(ids)), np.zeros(len(ids), dtype=np.int64))
        while len(level.query):
            choice, classes = self._choose(level, ids)
            stay = choice < 0
            for node in np.unique(level.node[stay]).tolist():
                here = level.query[stay & (level.node == node)]
                yield here, classes[node], level.tests.shape[1]
            level = self._descend(level, choice)

    def _descend(self, level: PathLevel, choice: Ints) -> PathLevel:
        """The next level. choice: (m,) the test each row takes (a value), or -1."""
        go = choice >= 0
        tests = np.sort(np.column_stack([level.tests[level.node[go]], choice[go]]), axis=1)
        tests, first, node = np.unique(tests, axis=0, return_index=True, return_inverse=True)
        rows = []
        for parent, value in zip(level.node[go][first].tolist(), choice[go][first].tolist(), strict=True):
            candidates = level.rows[parent]
            rows.append(
                candidates[self.training_.ids[candidates, self.training_.value_index.attribute_of[value]] == value]
            )
        by_node = np.argsort(node.ravel(), kind="stable")
        return PathLevel(tests, rows, level.query[go][by_node], node.ravel()[by_node])

    def _choose(self, level: PathLevel, ids: Ints) -> tuple[Ints, Floats]:
        """(m,) each row's test with the highest gain, -1 where its path ends, and (G, C) classes at the nodes."""
        value_index, n_classes = self.training_.value_index, len(self.classes_)
        choice = np.empty(len(level.query), dtype=np.int64)
        classes = np.empty((len(level.rows), n_classes))
        for block in self.training_.table_blocks(len(level.rows)):
            part = level.rows[block]
            group = np.repeat(np.arange(len(part)), [len(rows) for rows in part])
            rows = np.concatenate(part)
            counts = count(value_index, self.training_.ids[rows], self.training_.y[rows], n_classes, group, len(part))
            classes[block] = counts.classes
            first, last = np.searchsorted(level.node, (block.start, block.stop))
            query = ids[level.query[first:last]]
            node = level.node[first:last, None] - block.start
            known = query < value_index.n_values
            gains = _gains(counts.values[node, :, np.where(known, query, 0)], counts.classes[node])
            gains = np.where(known, gains, 0.0)
            best = gains.max(axis=1, initial=0.0, keepdims=True)
            good = (gains > EQUAL) & (gains >= best - EQUAL)
            stop = np.ones(len(query), dtype=np.int64)
            attribute = np.column_stack([good, stop]).argmax(axis=1)
            choice[first:last] = np.column_stack([query, -stop])[np.arange(len(query)), attribute]
        return choice, classes


def _gains(passed: Floats, classes: Floats) -> Floats:
    """(m, a) how far tests lower the entropy (nats) of classes that weigh the same where they are present.

    passed: (m, a, C) rows of each class that pass the test; classes: (m, 1, C) rows of each class at the node. A test
    that all rows pass, or none, gains 0.
    """
    share = passed / np.maximum(classes, 1.0)
    mass = share.sum(axis=-1)
    entropy = (xlogy(mass, mass) - xlogy(share, share).sum(axis=-1)) / np.where(mass > 0, mass, 1.0)
    n_passed, n = passed.sum(axis=-1), classes.sum(axis=-1)
    return np.where((n_passed > 0) & (n_passed < n), np.log((classes > 0).sum(axis=-1)) - entropy, 0.0)
