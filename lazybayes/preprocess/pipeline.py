"""From a table to the rows a learner sees: imputation, then discretization, fitted on training rows.

A text attribute is no part of this: its words are counted, and given along, as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lazybayes.counts.codes import Rows
from lazybayes.data.table import Attribute, Column, Table
from lazybayes.experiment import Preprocess
from lazybayes.preprocess.bins import assign, bin_labels, find_cuts
from lazybayes.preprocess.impute import mean, mode
from lazybayes.preprocess.mdl import Floats, Ints
from lazybayes.preprocess.vocabulary import documents


@dataclass(frozen=True)
class AttributeTransform:
    """What was learnt about one attribute.

    fill: the code or number that replaces a missing cell; None = it stays missing.
    cuts: the rising cut points of a discretized attribute; None = the attribute keeps its type.
    """

    attribute: Attribute
    fill: float | None = None
    cuts: Floats | None = None

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The declared labels of the attribute as a learner sees it; None = numeric."""
        if self.attribute.kind == "nominal":
            return self.attribute.values
        return None if self.cuts is None else bin_labels(self.cuts)

    def apply(self, column: Column) -> Column:
        """(n,) int32 codes, or (n,) float64 of an attribute that stays numeric."""
        if self.fill is not None:
            column = np.where(_missing(column), np.asarray(self.fill, dtype=column.dtype), column)
        return column if self.cuts is None else assign(column, self.cuts)


@dataclass(frozen=True)
class FittedPreprocess:
    """Preprocessing with all it learnt: one step an attribute but text. notices: what the user should be told."""

    steps: tuple[AttributeTransform, ...]
    notices: tuple[str, ...]

    def transform(self, table: Table, positions: Ints) -> Rows:
        """The rows at these positions of the table (0 to n_rows - 1), as learners see them."""
        cells = (column[positions] for _, column in _attributes(table))
        columns = [step.apply(column) for step, column in zip(self.steps, cells, strict=True)]
        labels = tuple(step.labels for step in self.steps)
        nominal = [column for column, values in zip(columns, labels, strict=True) if values is not None]
        numeric = [column for column, values in zip(columns, labels, strict=True) if values is None]
        n, words = len(positions), documents(table)
        return Rows(
            names=tuple(step.attribute.name for step in self.steps),
            labels=labels,
            nominal=np.column_stack([np.empty((n, 0), dtype=np.int32), *nominal]),
            numeric=np.column_stack([np.empty((n, 0)), *numeric]),
            documents=words and words.take(positions),
        )


def fit_preprocess(spec: Preprocess, table: Table, train: Ints) -> FittedPreprocess:
    """Learns imputation and discretization from the training rows, or from every row with `fit: all-rows`.

    train: (n,) positions in the table.
    """
    everything = spec.fit == "all-rows"
    rows = np.arange(table.n_rows) if everything else train
    steps, notices = [], _leaks(spec, table) if everything else []
    for attribute, column in _attributes(table):
        step = _fit(spec, attribute, column[rows], table.y[rows])
        steps.append(step)
        outcome = _outcome_if_unknown(spec, step)
        if outcome and _missing(column[rows]).all():
            seen = "rows" if everything else "training rows"
            notices.append(f"{table.name}: attribute {attribute.name} has no known value in the {seen}: {outcome}")
    return FittedPreprocess(tuple(steps), tuple(notices))


def _attributes(table: Table) -> Iterator[tuple[Attribute, Column]]:
    """The attributes that have values to count or to bin, with their cells."""
    pairs = zip(table.attributes, table.columns, strict=True)
    return (pair for pair in pairs if pair[0].kind != "string")


def _fit(spec: Preprocess, attribute: Attribute, column: Column, y: Ints) -> AttributeTransform:
    fill = None
    if spec.impute == "mode-mean":
        fill = mode(column) if attribute.kind == "nominal" else mean(column)
    step = AttributeTransform(attribute, fill)
    if attribute.kind == "nominal" or spec.discretize == "none":
        return step
    return AttributeTransform(attribute, fill, find_cuts(spec.discretize, step.apply(column), y, spec.bins))


def _outcome_if_unknown(spec: Preprocess, step: AttributeTransform) -> str:
    """What becomes of the attribute if no cell of it was known; empty where nothing was asked of it."""
    if step.cuts is not None:
        return "it becomes one constant bin"
    return "its missing cells stay missing" if spec.impute == "mode-mean" else ""


def _leaks(spec: Preprocess, table: Table) -> list[str]:
    """The notice that fitting on all rows leaks, if there is anything to fit."""
    fitted = []
    if spec.impute == "mode-mean" and any(_missing(column).any() for _, column in _attributes(table)):
        fitted.append("imputation")
    if spec.discretize != "none" and any(attribute.kind == "numeric" for attribute in table.attributes):
        fitted.append("mdl discretization, by the classes," if spec.discretize == "mdl" else f"{spec.discretize} bins")
    if not fitted:
        return []
    return [
        f"{table.name}: {' and '.join(fitted)} fitted on all rows, test rows included: the results leak "
        "(fit: training-fold does not)"
    ]


def _missing(column: Column) -> Column:
    """(n,) bool, True where the cell is missing."""
    return np.isnan(column) if column.dtype.kind == "f" else column == -1
