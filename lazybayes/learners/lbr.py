"""Lazy Bayesian Rules (Zheng & Webb 2000, table 1).

For each row to be classified LBR grows a rule: an antecedent of conditions attribute = the row's value, and a naive
Bayesian classifier of the other attributes, trained on the rows that satisfy the antecedent. A condition is added when
the leave-one-out errors of the classifier it leads to are significantly fewer (sign test over the rows of the new
subset) than the current classifier's on the same rows; of several, the one with the fewest errors in all.

What a rule does depends on its antecedent alone, so all rows to be classified are handled together: an antecedent that
several rows reach, in whatever order of conditions, is evaluated once, and one pair table of an antecedent's training
rows gives the tables of all its possible extensions. Antecedents are processed by number of conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from lazybayes.counts.codes import Rows
from lazybayes.counts.groups import by_group
from lazybayes.counts.scores import (
    LogTables,
    decide,
    fall_back_to_prior,
    leave_one_out_products,
    leave_one_out_scores,
    leave_one_out_tables,
    log_scores,
    log_tables,
)
from lazybayes.counts.tables import TABLES, Counts, count, one_hot, pair_counts
from lazybayes.counts.training import TrainingRows, class_order, class_starts
from lazybayes.learners.base import Explanation, Learner
from lazybayes.learners.parameters import EstimateOf, Number, Parameters

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Antecedent = tuple[int, ...]
"""Conditions as value ids, ascending."""

CHEAPER = 30
"""How many multiplications of a matrix product cost as much as one of a sparse product (measured)."""

OVERHEAD = 1 << 20
"""How many multiplications cost as much as the calls of a rule's matrix products (measured)."""


@dataclass(frozen=True)
class Rule:
    """An antecedent with its local training rows.

    rows: (n,) positions, ascending; wrong: (n,) leave-one-out errors of the local classifier; order: the conditions as
    they were added (by the first row that reached the antecedent).
    """

    antecedent: Antecedent
    order: Antecedent
    rows: Ints
    wrong: Bools


@dataclass(frozen=True)
class RowRulePairs:
    """Rows of a batch of rules and the candidates (conditions that would extend a rule) they satisfy.

    place: (P,) of the row in the batch, ascending; candidate: (P,); by_candidate: (P,) order by candidate, then place;
    starts: (K + 1,) where each candidate begins in it.
    """

    place: Ints
    candidate: Ints
    by_candidate: Ints
    starts: Ints


@dataclass(frozen=True)
class Extension:
    """How a batch of rules grows.

    choices: for each rule, (m,) the candidate of each of its rows to be classified, -1 where the rule is final; values:
    (K,) the candidates' values; rows: (P,) training rows by candidate, starts: (K + 1,) where each candidate begins.
    """

    choices: list[Ints]
    values: list[int]
    rows: Ints
    starts: Ints

    def rows_of(self, candidate: int) -> Ints:
        """The training rows that satisfy a candidate."""
        return self.rows[self.starts[candidate] : self.starts[candidate + 1]]


class LazyBayesianRules(Learner):
    """Lazy Bayesian Rules: a rule for each row to be classified, a naive Bayesian classifier in its consequent.

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c) in every local classifier: see `lazybayes.counts.estimates`.
    alpha : float, default 0.05
        Level of the one-tailed sign test a condition must pass; with 0 no condition passes, which gives naive Bayes.

    References
    ----------
    Zheng, Z. and Webb, G. I. (2000). Lazy learning of Bayesian rules. Machine Learning 41, 53-84.
    """

    parameters: ClassVar[Parameters] = {"estimate": EstimateOf(), "alpha": Number(0.0, 1.0)}
    diagnostics: ClassVar[Mapping[str, str]] = {
        "conditions": "mean conditions of a test row's rule (rules_of_0, rules_of_1, ...: test rows by their number)",
        "plain_nb_share": "share of test rows whose rule has no condition: plain naive Bayes",
        "distinct_rules": "different rules that the test rows have",
        "prior_answered": "rows for which every class had probability 0, answered by the class prior",
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; a row that misses an attribute "
        "satisfies no condition on it"
    )
    explains = True
    paper = "Zheng & Webb 2000, table 1"

    def __init__(self, estimate: Any = "m-estimate", alpha: float = 0.05) -> None:
        self.estimate = estimate
        self.alpha = alpha

    def _fit(self, rows: Rows, y: Ints) -> None:
        self.order_ = class_order(y)  # class order: the rows of a class are one slice of any subset
        self.training_ = TrainingRows.of(rows, y, self._class_names(), self.estimate, self.order_)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        ids = self.training_.value_index.ids(rows.nominal)
        rules, rule_of = self._rules(ids)
        scores, prior_answered = self._classify(ids, rules, rule_of)
        lengths = np.array([len(rule.antecedent) for rule in rules], dtype=np.int64)[rule_of]
        n = max(1, len(ids))
        diagnostics = {
            "conditions": float(lengths.mean()) if len(ids) else 0.0,
            "plain_nb_share": float((lengths == 0).sum() / n),
            "distinct_rules": float(len(rules)),
            "prior_answered": float(prior_answered),
        }
        for length, rows_of_length in enumerate(np.bincount(lengths, minlength=1)):
            diagnostics[f"rules_of_{length}"] = float(rows_of_length)
        return scores, diagnostics

    def explain(self, X: Any, row: int) -> Explanation:
        """The rule grown for row number `row` of X, (n, a), from 0: its antecedent, local training rows and factors."""
        rows = self._row(X, row)
        ids = self.training_.value_index.ids(rows.nominal)
        (rule,), _ = self._rules(ids)
        counts, keep = self._local_counts([rule])
        tables = log_tables(counts, self.training_.estimate).restrict(keep)
        labels, offsets = rows.nominal_labels, self.training_.value_index.offsets

        def condition(value: int) -> tuple[str, str]:
            attribute = self.training_.value_index.attribute_of[value]
            return rows.nominal_names[attribute], str(labels[attribute][value - offsets[attribute]])

        factors = tuple(
            (*condition(value), tables.values[0, value])
            for value in ids[0].tolist()
            if value < self.training_.value_index.n_values and keep[0, value]
        )
        posterior = np.exp(self.predict_log_proba(rows)[0])
        antecedent = tuple(condition(value) for value in rule.order)
        local = np.sort(self.order_[rule.rows])
        names = self._class_names()
        return Explanation(names, antecedent, local, counts.classes[0], tables.prior[0], factors, posterior)

    def _rules(self, ids: Ints) -> tuple[list[Rule], Ints]:
        """The rules of rows to be classified: (distinct rules, (m,) the rule of each row). ids: (m, a)."""
        rules: list[Rule] = []
        rule_of = np.zeros(len(ids), dtype=np.int64)
        hot = one_hot(self.training_.value_index, self.training_.ids)
        everything = np.arange(len(self.training_))
        level: dict[Antecedent, tuple[Rule, Ints]] = {}
        if len(ids):
            level[()] = (Rule((), (), everything, self._wrong(everything)), np.arange(len(ids)))
        while level:
            errors_of: dict[Antecedent, Bools] = {}
            reached: dict[Antecedent, tuple[Rule, list[Ints]]] = {}
            for batch, tests in _batches(level, ids.shape[1]):
                extension = self._extend(batch, [ids[part] for part in tests], hot, errors_of)
                for rule, part, choice in zip(batch, tests, extension.choices, strict=True):
                    stay = choice < 0
                    if stay.any():
                        rule_of[part[stay]] = len(rules)
                        rules.append(rule)
                    for candidate in np.unique(choice[~stay]).tolist():
                        value, rows = extension.values[candidate], extension.rows_of(candidate)
                        key = tuple(sorted((*rule.antecedent, value)))
                        reached.setdefault(key, (Rule(key, (*rule.order, value), rows, errors_of[key]), []))
                        reached[key][1].append(part[choice == candidate])
            level = {key: (rule, np.sort(np.concatenate(parts))) for key, (rule, parts) in reached.items()}
        return rules, rule_of

    def _wrong(self, rows: Ints) -> Bools:
        """(n,) leave-one-out errors of the naive Bayesian classifier of these training rows and all attributes."""
        ids, y = self.training_.ids[rows], self.training_.y[rows]
        tables = leave_one_out_tables(
            count(self.training_.value_index, ids, y, len(self.classes_)), self.training_.estimate
        )
        return np.asarray(decide(leave_one_out_scores(ids, y, tables)) != y)

    def _extend(
        self, batch: list[Rule], tests: list[Ints], hot: NDArray[np.float32], errors_of: dict[Antecedent, Bools]
    ) -> Extension:
        """The condition to add for each row to be classified, if any.

        tests: (m, a) value ids of the rows to be classified by each rule of the batch. Puts the leave-one-out errors of
        each antecedent it evaluates into `errors_of`.
        """
        width = self.training_.value_index.n_values + 1
        sizes = np.array([len(rule.rows) for rule in batch])
        rows, wrong = (
            np.concatenate(parts) for parts in zip(*((rule.rows, rule.wrong) for rule in batch), strict=True)
        )
        rule_of = np.repeat(np.arange(len(batch)), sizes)
        slots = rule_of[:, None] * width + self.training_.ids[rows]  # a value of a rule
        query_slots = np.concatenate([(r * width + ids).ravel() for r, ids in enumerate(tests)])
        rows_with = np.bincount(slots.ravel(), minlength=len(batch) * width)
        candidates = self._candidates(slots[wrong], query_slots, rows_with, sizes)
        if not len(candidates):
            return Extension([np.full(len(ids), -1) for ids in tests], [], rows[:0], np.zeros(1, dtype=np.int64))
        of_slot = np.full(len(batch) * width, -1)
        of_slot[candidates] = np.arange(len(candidates))
        candidate_of = of_slot[slots.ravel()]
        pair = np.flatnonzero(candidate_of >= 0)
        place, candidate = pair // slots.shape[1], candidate_of[pair]
        by_candidate, starts = by_group(candidate, len(candidates))
        owner, values = np.divmod(candidates, width)
        pairs = RowRulePairs(place, candidate, by_candidate, starts)
        keys = [
            tuple(sorted((*batch[r].antecedent, value)))
            for r, value in zip(owner.tolist(), values.tolist(), strict=True)
        ]
        fresh = {key: k for k, key in reversed(list(enumerate(keys))) if key not in errors_of}
        if fresh:
            todo = np.sort(np.fromiter(fresh.values(), dtype=np.int64))
            usable = self._outside(batch) & (rows_with.reshape(len(batch), width)[:, :-1] > 0)
            errors = self._evaluate(rows, sizes, usable, owner, values, pairs, todo, hot)[by_candidate]
            errors_of |= {key: errors[starts[k] : starts[k + 1]] for key, k in fresh.items()}
        now = np.concatenate([errors_of[key] for key in keys])
        before, candidate = wrong[place[by_candidate]], candidate[by_candidate]
        wins = np.bincount(candidate[before & ~now], minlength=len(keys))
        losses = np.bincount(candidate[~before & now], minlength=len(keys))
        total = np.bincount(rule_of[wrong], minlength=len(batch))[owner] - wins + losses
        # A level that is hit exactly (alpha = 1/32, five rows) is not below it, whatever the last bit says.
        better = bdtrc(wins - 1, wins + losses, 0.5) < self.alpha * (1 - 1e-12)
        total_of = np.full(len(batch) * width, np.inf)
        total_of[candidates[better]] = total[better]
        return Extension(_choices(tests, total_of, of_slot, width), values.tolist(), rows[place[by_candidate]], starts)

    def _candidates(self, wrong: Ints, query_slots: Ints, rows_with: Ints, sizes: Ints) -> Ints:
        """The slots (values of rules) worth evaluating, ascending.

        Some row to be classified has the value, it shrinks the rule's rows, and enough wrong rows carry it for the sign
        test to be passed at all. wrong, query_slots: of wrong training rows and of rows to be classified; rows_with:
        (S,) how many training rows carry each; sizes: (R,) of each rule.
        """
        if self.alpha == 0:
            return np.empty(0, dtype=np.int64)
        enough = int(np.floor(-np.log2(self.alpha))) + 1  # 2^-w < alpha
        width = self.training_.value_index.n_values + 1
        worth = np.bincount(wrong.ravel(), minlength=len(rows_with)) >= enough
        worth &= np.bincount(query_slots, minlength=len(rows_with)) > 0
        worth &= rows_with < np.repeat(sizes, width)
        worth[width - 1 :: width] = False  # a missing cell is not a value
        return np.nonzero(worth)[0]

    def _evaluate(
        self,
        rows: Ints,
        sizes: Ints,
        usable: Bools,
        owner: Ints,
        values: Ints,
        pairs: RowRulePairs,
        todo: Ints,
        hot: NDArray[np.float32],
    ) -> Bools:
        """(P,) leave-one-out errors of each pair of a row and a candidate it satisfies, for the candidates `todo`.

        rows: the batch's rows, `sizes` of each rule; usable: (R, V) the values that occur in each rule's rows, of
        attributes outside its antecedent; owner, values: (K,) rule and value of each candidate.
        """
        value_index, n_classes = self.training_.value_index, len(self.classes_)
        ids, y = self.training_.ids[rows], self.training_.y[rows]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        n_pairs = np.diff(pairs.starts)
        wrong = np.zeros(len(pairs.place), dtype=bool)
        for block in self.training_.table_blocks(len(todo)):
            part = todo[block]
            counts = self._pair_tables(rows, bounds, owner[part], values[part], hot)
            keep = usable[owner[part]] & (value_index.attribute_of != value_index.attribute_of[values[part]][:, None])
            own, other = (tables.restrict(keep) for tables in leave_one_out_tables(counts, self.training_.estimate))
            table_of = np.full(len(values), -1)
            table_of[part] = np.arange(len(part))
            products = sizes * usable.sum(axis=1) * np.bincount(owner[part], minlength=len(sizes)) * n_classes
            sparse = np.bincount(owner[part], n_pairs[part], len(sizes)) * ids.shape[1] * (n_classes + 1)
            dense = products + OVERHEAD < CHEAPER * sparse
            if not (np.isfinite(own.values).all() and np.isfinite(other.values).all()):
                dense[:] = False
            for r in np.nonzero(dense)[0].tolist():
                mine = np.nonzero(owner[part] == r)[0]
                first, last = np.searchsorted(pairs.place, bounds[r : r + 2])
                here = first + np.nonzero(table_of[pairs.candidate[first:last]] >= 0)[0]
                local = slice(*bounds[r : r + 2])
                scores = leave_one_out_products(
                    hot[rows[local]][:, usable[r]],
                    class_starts(y[local], n_classes),
                    (own.take(mine, usable[r]), other.take(mine, usable[r])),
                    pairs.place[here] - bounds[r],
                    table_of[pairs.candidate[here]] - mine[0],
                )
                wrong[here] = decide(scores) != y[pairs.place[here]]
            table = np.where(dense[owner], -1, table_of)[pairs.candidate]
            here = pairs.by_candidate[table[pairs.by_candidate] >= 0]  # one table after the other
            scores = leave_one_out_scores(ids, y, (own, other), pairs.place[here], table[here])
            wrong[here] = decide(scores) != y[pairs.place[here]]
        return wrong

    def _pair_tables(self, rows: Ints, bounds: Ints, owner: Ints, values: Ints, hot: NDArray[np.float32]) -> Counts:
        """Stacked tables of the rows of candidates. owner: (K,) the rule of each, ascending; bounds: (R + 1,)."""
        pairs = np.empty((len(values), len(self.classes_), self.training_.value_index.n_values))
        for r in np.unique(owner).tolist():
            local = rows[bounds[r] : bounds[r + 1]]
            mine = slice(*np.searchsorted(owner, (r, r + 1)))
            starts = class_starts(self.training_.y[local], len(self.classes_))
            pairs[mine] = pair_counts(hot[local], starts, values[mine])
        return Counts(self.training_.value_index, pairs[np.arange(len(values)), :, values], pairs)

    def _outside(self, rules: list[Rule]) -> Bools:
        """(S, V) the values of attributes outside each rule's antecedent."""
        inside = np.zeros((len(rules), len(self.training_.value_index.arity)), dtype=bool)
        for s, rule in enumerate(rules):
            inside[s, self.training_.value_index.attribute_of[list(rule.antecedent)]] = True
        return np.asarray(~inside[:, self.training_.value_index.attribute_of])

    def _classify(self, ids: Ints, rules: list[Rule], rule_of: Ints) -> tuple[Floats, int]:
        """(m, C) log scores of rows by their rules' local classifiers, and the rows that the class prior answered."""
        scores = np.empty((len(ids), len(self.classes_)))
        prior_answered = 0
        for block in self.training_.table_blocks(len(rules)):
            counts, keep = self._local_counts(rules[block])
            tables: LogTables = log_tables(counts, self.training_.estimate).restrict(keep)
            here = np.nonzero((rule_of >= block.start) & (rule_of < block.stop))[0]
            stack = rule_of[here] - block.start
            part = log_scores(ids, tables, here, stack)
            prior_answered += fall_back_to_prior(part, tables.prior[stack])
            scores[here] = part
        return scores, prior_answered

    def _local_counts(self, rules: list[Rule]) -> tuple[Counts, Bools]:
        """Stacked tables of the rules' training rows, and (S, V) the values of attributes outside each antecedent."""
        value_index = self.training_.value_index
        rows = np.concatenate([rule.rows for rule in rules])
        group = np.repeat(np.arange(len(rules)), [len(rule.rows) for rule in rules])
        counts = count(
            value_index, self.training_.ids[rows], self.training_.y[rows], len(self.classes_), group, len(rules)
        )
        return counts, self._outside(rules)


def _choices(tests: list[Ints], total_of: Floats, of_slot: Ints, width: int) -> list[Ints]:
    """For each rule, (m,) the candidate with the fewest errors of each of its rows to be classified, or -1.

    tests: see `_extend`; total_of, of_slot: (R width,) the errors of the candidate at each slot, infinite if it fails
    the test, and its number.
    """
    choices = []
    for r, ids in enumerate(tests):
        slots = r * width + ids
        totals = total_of[slots]
        best = np.arange(len(ids)), np.argmin(totals, axis=1)
        choices.append(np.where(np.isfinite(totals[best]), of_slot[slots[best]], -1))
    return choices


def _batches(
    level: Mapping[Antecedent, tuple[Rule, Ints]], n_attributes: int
) -> Iterator[tuple[list[Rule], list[Ints]]]:
    """The rules of a level with their rows to be classified, in batches of bounded memory."""
    batch: list[Rule] = []
    tests: list[Ints] = []
    size = 0
    for rule, part in level.values():
        if batch and size + len(rule.rows) * n_attributes > TABLES:
            yield batch, tests
            batch, tests, size = [], [], 0
        batch.append(rule)
        tests.append(part)
        size += len(rule.rows) * n_attributes
    if batch:
        yield batch, tests
