"""Splits by what they do for naive Bayesian classifiers: what those at the branches lose against the node's own.

All of a level's nodes and all their possible splits are judged together. A row is in one branch of each split, so there
are about as many pairs of a row and a branch as cells, and each branch is a group of `lazybayes.counts.validation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.groups import by_group, ranges
from lazybayes.counts.scores import decide
from lazybayes.counts.tables import TABLES
from lazybayes.counts.training import TrainingRows
from lazybayes.counts.validation import Members, Validation, validated_scores
from lazybayes.learners.trees.growth import Level, Splits
from lazybayes.learners.trees.tree import NEAR

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Loss = Callable[[Floats, Ints], Floats]
"""(P,) losses of rows from their log scores, (P, C), and classes, (P,)."""

SAME = 1e-9
"""Losses this close are equal."""

LOWEST = -745.0
"""ln of the smallest double: what ln of a probability of 0 counts as."""


def errors(scores: Floats, y: Ints) -> Floats:
    """1 for each row that would be misclassified."""
    return np.asarray(decide(scores) != y, dtype=np.float64)


def surprise(scores: Floats, y: Ints) -> Floats:
    """-ln of the probability of each row's class: their sum is minus the conditional log likelihood."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_p = shifted[np.arange(len(y)), y] - np.log(np.exp(shifted).sum(axis=1))
    return np.asarray(-np.maximum(log_p, LOWEST))


@dataclass(frozen=True)
class Rules:
    """How a learner judges the splits of a node.

    loss, validation: of the classifiers of node and branches; branch_validation: of the branches' classifiers, if that
    is another; keep_path: whether these have the attributes of their
    path; divide: whether a row of missing value counts in every branch, with a part of its weight, or else by the
    node's own classifier. A node can be split if it has `min_rows` by weight, some loss and, if `mixed`, several
    classes. A split is possible if two branches have known rows of `branch_weight` (some, if that is 0) and, if
    `two_large`, two have `small_rows` rows. A row of a smaller branch loses `small_loss`, if that is given, and its
    classifier is not asked. The best split is taken if it saves a part `min_gain` of the node's loss, or more than
    that if `strict`.
    """

    loss: Loss
    validation: Validation
    keep_path: bool
    divide: bool
    min_rows: float
    min_gain: float
    strict: bool = True
    mixed: bool = False
    branch_weight: float = 0.0
    two_large: bool = False
    small_rows: int = 1
    small_loss: float | None = None
    branch_validation: Validation | None = None


class LeafScoreSplitter:
    """The splitter of trees of naive Bayesian classifiers.

    training: the rows in the order in which they are validated.
    """

    def __init__(self, training: TrainingRows, rules: Rules) -> None:
        self.training, self.rules = training, rules

    def __call__(self, level: Level) -> Splits:
        """The split of each node, or a leaf."""
        training, rules = self.training, self.rules
        attribute = np.full(len(level), -1)
        weight = level.classes.sum(axis=1)
        able = weight > rules.min_rows - NEAR
        if rules.mixed:
            able &= weight - level.classes.max(axis=1) > NEAR
        nodes, n_attributes = np.flatnonzero(able), len(training.value_index.arity)
        if len(nodes) and n_attributes:
            level, n_values = level.only(nodes), training.value_index.n_values
            branches = np.minimum(n_values, weight[nodes] * n_attributes)
            tables = branches * rules.validation.tables(weight[nodes] * n_attributes / branches, whole=True)
            for part, some in level.parts(tables * training.n_classes * n_values, TABLES):
                attribute[nodes[part]] = self._choose(some)
        return Splits(attribute, np.full(len(attribute), np.nan))

    def _choose(self, level: Level) -> Ints:
        """(G,) the attribute each node splits on, -1 for none."""
        rules, training = self.rules, self._present(level)
        own = Members(np.arange(len(level.row)), level.at, level.weight, ~level.used | rules.keep_path)
        losses = self._losses(training, own, rules.validation)
        node_loss = np.bincount(level.at, losses, len(level))
        most = (1.0 - rules.min_gain) * node_loss + (-SAME if rules.strict else SAME)
        most = np.minimum(most, node_loss - SAME)
        split_loss = self._split_losses(level, training, losses, most)
        best = split_loss.min(axis=1)
        return np.where(best <= most, np.argmax(split_loss <= best[:, None] + SAME, axis=1), -1)

    def _present(self, level: Level) -> TrainingRows:
        """The level's rows, with ids for the values they have alone."""
        whole = self.training
        ids = whole.ids[level.row]
        present = np.bincount(ids.ravel(), minlength=whole.value_index.n_values + 1)[:-1] > 0
        value_index, place = whole.value_index.restrict(present)
        return TrainingRows(value_index, place[ids], whole.y[level.row], whole.n_classes, whole.estimate)

    def _losses(self, training: TrainingRows, members: Members, validation: Validation) -> Floats:
        """(P,) what members lose by their groups' classifiers, trained without them."""
        losses = np.empty(len(members.row))
        for here, scores in validated_scores(validation, training, members):
            losses[here] = self.rules.loss(scores, training.y[members.row[here]]) * members.weight[here]
        return losses

    def _split_losses(self, level: Level, training: TrainingRows, losses: Floats, most: Floats) -> Floats:
        """(G, a) the loss of each split, infinite if it is impossible or certain to be above `most`, (G,).

        losses: (E,) what each row loses at its node.
        """
        rules, value_index = self.rules, training.value_index
        rows, weight, missing = self._value_weights(level, training)
        share = weight / np.maximum(
            value_index.spread(value_index.per_attribute(weight)), NEAR
        )  # of the node's known rows
        branch_rows = rows + value_index.spread(missing) if rules.divide else rows
        large = branch_rows >= rules.small_rows
        with_classifier = large if rules.small_loss is not None else np.ones_like(large)
        sunk = np.zeros(missing.shape)  # what is lost without asking the branches' classifiers
        if rules.small_loss is not None:
            sunk += rules.small_loss * level.classes.sum(axis=1)[:, None] * value_index.per_attribute(~large * share)
        if not rules.divide:
            entry, attribute = np.nonzero(training.ids == value_index.n_values)
            at = level.at[entry] * missing.shape[1] + attribute
            sunk += np.bincount(at, losses[entry], minlength=sunk.size).reshape(sunk.shape)
        possible = (level.used <= rules.keep_path) & (sunk <= most[:, None])
        for enough in (weight > max(rules.branch_weight - NEAR, NEAR), large | (not rules.two_large)):
            possible &= value_index.per_attribute(enough.astype(np.int64)) >= 2
        members, at = self._branches(level, training, share, with_classifier, possible)
        branch_losses = self._losses(training, members, rules.branch_validation or rules.validation)
        classifier_loss = np.bincount(at, branch_losses, minlength=sunk.size).reshape(sunk.shape)
        return np.where(possible, classifier_loss + sunk, np.inf)

    def _value_weights(self, level: Level, training: TrainingRows) -> tuple[Ints, Floats, Ints]:
        """(G, V) how many rows of each node have each value, and their weight; (G, a) how many know no value."""
        width, ids = training.value_index.n_values + 1, training.ids
        slot = (level.at[:, None] * width + ids).ravel()
        rows = np.bincount(slot, minlength=len(level) * width).reshape(-1, width)[:, :-1]
        missing = np.bincount(level.at, minlength=len(level))[:, None] - training.value_index.per_attribute(rows)
        if level.weight.dtype.kind == "i":
            return rows, rows.astype(np.float64), missing
        weight = np.bincount(slot, np.repeat(level.weight, ids.shape[1]), minlength=len(level) * width)
        return rows, weight.reshape(-1, width)[:, :-1].astype(np.float64, copy=False), missing

    def _branches(
        self, level: Level, training: TrainingRows, share: Floats, with_classifier: Bools, possible: Bools
    ) -> tuple[Members, Ints]:
        """The rows of all branches that get a classifier, of possible splits, and (P,) the node and attribute of each.

        share: (G, V) the part of rows of missing value that goes to each branch.
        """
        rules, value_index, ids = self.rules, training.value_index, training.ids
        n_values, n_attributes = value_index.n_values, len(value_index.arity)
        open_ = np.zeros((len(level), n_values + 1), dtype=bool)
        open_[:, :-1] = with_classifier & (share > NEAR) & value_index.spread(possible)
        selected = open_[level.at[:, None], ids]
        entry, value = np.nonzero(selected)[0], ids[selected].astype(np.int64)
        weight = level.weight[entry]
        if rules.divide:
            unsure, of = np.nonzero((ids == n_values) & possible[level.at])
            times = value_index.arity[of]
            unsure, place = np.repeat(unsure, times), ranges(value_index.offsets[of], times)
            chosen = open_[level.at[unsure], place]
            unsure, place = unsure[chosen], place[chosen]
            if len(unsure):
                part = level.weight[unsure] * share[level.at[unsure], place]
                entry, value = np.concatenate([entry, unsure]), np.concatenate([value, place])
                weight = np.concatenate([weight, part])
                order, _ = by_group(entry, len(level.row))
                entry, value, weight = entry[order], value[order], weight[order]
        branch = level.at[entry] * n_values + value
        present = np.bincount(branch, minlength=len(level) * n_values) > 0
        node, of_branch = np.divmod(np.flatnonzero(present), n_values)
        keep = ~level.used[node] | rules.keep_path
        if not rules.keep_path:
            keep[np.arange(len(node)), value_index.attribute_of[of_branch]] = False
        members = Members(entry, (np.cumsum(present) - 1)[branch], weight, keep)
        return members, level.at[entry] * n_attributes + value_index.attribute_of[value]
