"""Lazy Bayesian Rules (Zheng & Webb 2000, table 1).

For each row to be classified LBR grows a rule: an antecedent of conditions attribute = the row's value, and a naive
Bayesian classifier of the other attributes, trained on the rows that satisfy the antecedent. A condition is added when
the leave-one-out errors of the classifier it leads to are significantly fewer (sign test over the rows of the new
subset) than the current classifier's on the same rows; of several, the one with the fewest errors in all.

What a rule does depends on its antecedent alone, so all rows to be classified are handled together: an antecedent that
several rows reach, in whatever order of conditions, is evaluated once, and one pair table of an antecedent's training
rows gives the tables of all its possible extensions. Antecedents are taken level by level, by number of conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import Estimate, parse_estimate
from lazybayes.counts.scores import (
    LogTables,
    decide,
    leave_one_out_products,
    leave_one_out_scores,
    leave_one_out_tables,
    log_scores,
    log_tables,
    rescue,
)
from lazybayes.counts.tables import TABLES, Counts, Layout, count, one_hot, pair_counts
from lazybayes.learners.base import Explanation, Learner
from lazybayes.learners.parameters import EstimateOf, Number, Parameters

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Antecedent = tuple[int, ...]
"""Conditions as values of the offset space, ascending."""

CHEAPER = 5
"""How many multiplications of a matrix product cost as much as one of a sparse product (measured)."""


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


class LazyBayesianRules(Learner):
    """Lazy Bayesian Rules: a rule for each row to be classified, a naive Bayesian classifier in its consequent.

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c) in every local classifier: see `lazybayes.counts.estimates`.
    alpha : float, default 0.05
        Level of the one-tailed sign test a condition must pass; with 0 no condition ever does: naive Bayes.

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
    paper = "Zheng & Webb 2000, table 1"

    def __init__(self, estimate: Any = "m-estimate", alpha: float = 0.05) -> None:
        self.estimate = estimate
        self.alpha = alpha

    def _fit(self, rows: Rows, y: Ints) -> None:
        self.layout_ = Layout(rows.arity)
        self.estimate_: Estimate = parse_estimate(self.estimate).bind(tuple(str(label) for label in self.classes_))
        order = np.argsort(y, kind="stable")  # class order: the rows of a class are one slice of any subset
        self.order_ = order
        self.y_ = y[order]
        self.cells_ = self.layout_.cells(rows.nominal)[order]

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        cells = self.layout_.cells(rows.nominal)
        rules, rule_of = self._rules(cells)
        scores, rescued = self._classify(cells, rules, rule_of)
        lengths = np.array([len(rule.antecedent) for rule in rules], dtype=np.int64)[rule_of]
        n = max(1, len(cells))
        diagnostics = {
            "conditions": float(lengths.mean()) if len(cells) else 0.0,
            "plain_nb_share": float((lengths == 0).sum() / n),
            "distinct_rules": float(len(rules)),
            "prior_answered": float(rescued),
        }
        for length, rows_of_length in enumerate(np.bincount(lengths, minlength=1)):
            diagnostics[f"rules_of_{length}"] = float(rows_of_length)
        return scores, diagnostics

    def explain(self, rows: Rows, row: int) -> Explanation:
        """The rule grown for one of the rows: its antecedent, its local training rows, each attribute's factor."""
        rows = self._rows(rows).take(np.array([row]))
        cells = self.layout_.cells(rows.nominal)
        (rule,), _ = self._rules(cells)
        counts, keep = self._local_counts([rule])
        tables = log_tables(counts, self.estimate_).restrict(keep)
        labels, offsets = rows.nominal_labels, self.layout_.offsets

        def condition(value: int) -> tuple[str, str]:
            attribute = self.layout_.attribute_of[value]
            return rows.nominal_names[attribute], str(labels[attribute][value - offsets[attribute]])

        factors = tuple(
            (*condition(value), tables.values[0, value])
            for value in cells[0].tolist()
            if value < self.layout_.n_values and keep[0, value]
        )
        posterior = np.exp(self.predict_log_proba(rows)[0])
        antecedent = tuple(condition(value) for value in rule.order)
        local = np.sort(self.order_[rule.rows])
        return Explanation(antecedent, local, counts.classes[0], tables.prior[0], factors, posterior)

    def _rules(self, cells: Ints) -> tuple[list[Rule], Ints]:
        """The rules of rows to be classified: (distinct rules, (m,) the rule of each row). cells: (m, a)."""
        rules: list[Rule] = []
        rule_of = np.zeros(len(cells), dtype=np.int64)
        everything = np.arange(len(self.y_))
        level: dict[Antecedent, tuple[Rule, Ints]] = {}
        if len(cells):
            level[()] = (Rule((), (), everything, self._wrong(everything)), np.arange(len(cells)))
        while level:
            grown: dict[Antecedent, Bools] = {}
            reached: dict[Antecedent, tuple[Rule, list[Ints]]] = {}
            for rule, tests in level.values():
                choice = self._extend(rule, cells[tests], grown)
                stay = choice < 0
                if stay.any():
                    rule_of[tests[stay]] = len(rules)
                    rules.append(rule)
                for value in np.unique(choice[~stay]).tolist():
                    key = tuple(sorted((*rule.antecedent, value)))
                    if key not in reached:
                        subset = (self.cells_[rule.rows] == value).any(axis=1)
                        child = Rule(key, (*rule.order, value), rule.rows[subset], grown[key])
                        reached[key] = (child, [])
                    reached[key][1].append(tests[choice == value])
            level = {key: (rule, np.sort(np.concatenate(tests))) for key, (rule, tests) in reached.items()}
        return rules, rule_of

    def _wrong(self, rows: Ints) -> Bools:
        """(n,) leave-one-out errors of the naive Bayesian classifier of these training rows and all attributes."""
        cells, y = self.cells_[rows], self.y_[rows]
        tables = leave_one_out_tables(count(self.layout_, cells, y, len(self.classes_)), self.estimate_)
        return np.asarray(decide(leave_one_out_scores(cells, y, tables)) != y)

    def _extend(self, rule: Rule, tests: Ints, grown: dict[Antecedent, Bools]) -> Ints:
        """(m,) the condition (a value) to add for each row to be classified, or -1: the rule stands.

        Puts the leave-one-out errors of each antecedent it evaluates into `grown`. tests: (m, a).
        """
        layout = self.layout_
        attributes = np.setdiff1d(np.arange(len(layout.arity)), layout.attribute_of[list(rule.antecedent)])
        cells = self.cells_[rule.rows][:, attributes]
        tests = tests[:, attributes]
        candidates = self._candidates(rule, cells, tests)
        if not len(candidates):
            return np.full(len(tests), -1)
        place = np.full(layout.n_values + 1, -1)  # value -> candidate
        place[candidates] = np.arange(len(candidates))
        found = place[cells]
        row, column = np.nonzero(found >= 0)
        candidate = found[row, column]
        by_candidate = np.argsort(candidate.astype(np.uint32), kind="stable")
        starts = np.searchsorted(candidate[by_candidate], np.arange(len(candidates) + 1))
        keys = [tuple(sorted((*rule.antecedent, value))) for value in candidates.tolist()]
        fresh = np.array([key not in grown for key in keys])
        if fresh.any():
            wrong = self._evaluate(rule, attributes, candidates, row, candidate, fresh)[by_candidate]
            for k in np.nonzero(fresh)[0].tolist():
                grown[keys[k]] = wrong[starts[k] : starts[k + 1]]
        wrong = np.concatenate([grown[key] for key in keys])
        row, candidate = row[by_candidate], candidate[by_candidate]
        before = rule.wrong[row]
        right = np.bincount(candidate[before & ~wrong], minlength=len(keys))
        lost = np.bincount(candidate[~before & wrong], minlength=len(keys))
        total = rule.wrong.sum() - right + lost
        # A level that is hit exactly (alpha = 1/32, five rows) is not below it, whatever the last bit says.
        better = bdtrc(right - 1, right + lost, 0.5) < self.alpha * (1 - 1e-12)
        total_of = np.full(layout.n_values + 1, np.inf)
        total_of[candidates[better]] = total[better]
        totals = total_of[tests]
        best = np.argmin(totals, axis=1)
        each = np.arange(len(tests))
        return np.where(np.isfinite(totals[each, best]), tests[each, best], -1)

    def _candidates(self, rule: Rule, cells: Ints, tests: Ints) -> Ints:
        """The values worth evaluating.

        Some row to be classified has them, they shrink the subset, and enough wrong rows carry them for the sign test
        to be passed at all.
        """
        if self.alpha == 0:
            return np.empty(0, dtype=np.int64)
        enough = int(np.floor(-np.log2(self.alpha))) + 1  # 2^-w < alpha
        n_values = self.layout_.n_values
        if rule.wrong.sum() < enough:
            return np.empty(0, dtype=np.int64)
        asked = np.bincount(tests.ravel(), minlength=n_values + 1)[:n_values] > 0
        carried = np.bincount(cells[rule.wrong].ravel(), minlength=n_values + 1)[:n_values] >= enough
        size = np.bincount(cells.ravel(), minlength=n_values + 1)[:n_values]
        return np.nonzero(asked & carried & (size < len(cells)))[0]

    def _evaluate(
        self, rule: Rule, attributes: Ints, candidates: Ints, row: Ints, candidate: Ints, fresh: Bools
    ) -> Bools:
        """(P,) leave-one-out errors of each pair of a row of the rule and a candidate it satisfies.

        For the fresh candidates; False for the others. row, candidate: (P,), rows ascending.
        """
        cells, y, n_classes = self.cells_[rule.rows], self.y_[rule.rows], len(self.classes_)
        class_starts = np.searchsorted(y, np.arange(n_classes + 1))
        # Only values that occur, of attributes outside the antecedent, can add to a score.
        present = np.isin(self.layout_.attribute_of, attributes)
        present &= np.bincount(cells.ravel(), minlength=self.layout_.n_values + 1)[:-1] > 0
        hot = one_hot(self.layout_, cells)
        wrong = np.zeros(len(row), dtype=bool)
        todo = np.nonzero(fresh)[0]
        step = max(1, TABLES // (n_classes * (self.layout_.n_values + 1)))
        for start in range(0, len(todo), step):
            part = todo[start : start + step]
            values = candidates[part]
            pairs = pair_counts(hot, class_starts, values)
            counts = Counts(self.layout_, pairs[np.arange(len(part)), :, values], pairs)
            keep = present & (self.layout_.attribute_of != self.layout_.attribute_of[values][:, None])
            own, other = (tables.restrict(keep) for tables in leave_one_out_tables(counts, self.estimate_))
            stack_of = np.full(len(candidates), -1)
            stack_of[part] = np.arange(len(part))
            here = np.nonzero(stack_of[candidate] >= 0)[0]
            mine, stack = row[here], stack_of[candidate[here]]
            dense = len(rule.rows) * int(present.sum()) * len(part) * n_classes
            sparse = len(here) * len(attributes) * (n_classes + 1)
            if dense < CHEAPER * sparse and np.isfinite(own.values).all() and np.isfinite(other.values).all():
                product_tables = own.take_values(present), other.take_values(present)
                scores = leave_one_out_products(hot[:, present], class_starts, product_tables, mine, stack)
            else:
                by_table = np.argsort(stack.astype(np.uint32), kind="stable")  # one table at a time stays in the cache
                here, mine, stack = here[by_table], mine[by_table], stack[by_table]
                scores = leave_one_out_scores(cells[:, attributes], y, (own, other), mine, stack)
            wrong[here] = decide(scores) != y[mine]
        return wrong

    def _classify(self, cells: Ints, rules: list[Rule], rule_of: Ints) -> tuple[Floats, int]:
        """(m, C) log scores of rows by their rules' local classifiers, and the rows that the class prior answered."""
        scores = np.empty((len(cells), len(self.classes_)))
        rescued = 0
        step = max(1, TABLES // (len(self.classes_) * (self.layout_.n_values + 1)))
        for start in range(0, len(rules), step):
            counts, keep = self._local_counts(rules[start : start + step])
            tables: LogTables = log_tables(counts, self.estimate_).restrict(keep)
            here = np.nonzero((rule_of >= start) & (rule_of < start + step))[0]
            stack = rule_of[here] - start
            part = log_scores(cells, tables, here, stack)
            rescued += rescue(part, tables.prior[stack])
            scores[here] = part
        return scores, rescued

    def _local_counts(self, rules: list[Rule]) -> tuple[Counts, Bools]:
        """Stacked tables of the rules' training rows, and (S, V) the values of attributes outside each antecedent."""
        layout = self.layout_
        rows = np.concatenate([rule.rows for rule in rules])
        group = np.repeat(np.arange(len(rules)), [len(rule.rows) for rule in rules])
        counts = count(layout, self.cells_[rows], self.y_[rows], len(self.classes_), group, len(rules))
        keep = np.ones((len(rules), layout.n_values), dtype=bool)
        for s, rule in enumerate(rules):
            keep[s] = ~np.isin(layout.attribute_of, layout.attribute_of[list(rule.antecedent)])
        return counts, keep
