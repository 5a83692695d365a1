"""Selective naive Bayes: BSE deletes attributes, BSEJ also joins them (Pazzani 1996; Zheng & Webb 2000, section 5.1).

Both search greedily from all attributes, by the errors of leave-one-out (N-fold cross-validation) on the training rows.
A candidate is a sum of leave-one-out terms (`lazybayes.counts.terms`), never a refit: the classifier's sum without the
deleted attribute's term, or with a joined attribute's term in place of its halves'. What a join changes depends on its
two halves alone, so a pair is remembered from step to step until one of them is touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.scores import fall_back_to_prior, leave_one_out_tables, log_scores, log_tables
from lazybayes.counts.tables import ValueIndex, blocks, count
from lazybayes.counts.terms import Terms, add, leave_one_out_terms, leave_one_out_wrong, prior_terms, stack
from lazybayes.counts.training import TrainingRows
from lazybayes.learners.base import Learner
from lazybayes.learners.parameters import EstimateOf, OneOf, Parameters
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

REMEMBERED = 1 << 24
"""Entries of remembered terms: bounds their memory (128 MB); further pairs are recounted at every step."""


@dataclass(frozen=True)
class Factor:
    """An attribute of the classifier: one of the data's, or two factors joined (their Cartesian product).

    columns: the data's attributes in it; declared: how many values it has, k_i times k_j for a join; places: how many
    codes stand for them; halves: what was joined; distinct: ascending, the products of the halves' codes that training
    rows have: each has a code, and the values that no training row has share one more.
    """

    columns: tuple[int, ...]
    declared: float
    places: int
    halves: tuple[Factor, Factor] | None = None
    distinct: Ints | None = None

    def codes(self, nominal: Ints) -> Ints:
        """(n,) codes of rows, -1 where a part is missing. nominal: (n, p) codes of the data's attributes."""
        if self.halves is None or self.distinct is None:
            return nominal[:, self.columns[0]]
        left, right = self.halves
        product = _product(left.codes(nominal), right.codes(nominal), right.places)
        place = np.searchsorted(self.distinct, product)
        known = self.distinct[np.minimum(place, len(self.distinct) - 1)] == product if len(self.distinct) else place < 0
        return np.where(product < 0, -1, np.where(known, place, len(self.distinct)))


def _product(left: Ints, right: Ints, places: int) -> Ints:
    """Codes of a Cartesian product, -1 where a part is missing. places: codes of the right part."""
    product = left.astype(np.int64) * places + right
    product[(left < 0) | (right < 0)] = -1
    return product


@dataclass(frozen=True)
class SearchStep:
    """A step of the search.

    factors: the columns of the factor deleted, or of the two joined; errors: leave-one-out errors afterwards.
    """

    factors: tuple[tuple[int, ...], ...]
    errors: int


class BackwardSearch:
    """The state of the search. A join is at the place of its lower part, so places stay in order.

    training: in class order.
    """

    def __init__(self, training: TrainingRows) -> None:
        self.estimate, self.y, self.starts = training.estimate, training.y, training.starts
        self.factors = {j: Factor((j,), float(k), k) for j, k in enumerate(training.value_index.arity.tolist())}
        self.codes: dict[int, Ints] = {j: training.value_index.codes(training.ids, j) for j in self.factors}
        self.prior = prior_terms(self.starts, leave_one_out_tables(training.counts, self.estimate))
        self.terms = {j: self._terms([factor], self.codes[j][None])[:, 0] for j, factor in self.factors.items()}
        self.joins: dict[tuple[int, int], Terms] = {}
        self.errors = int(leave_one_out_wrong(self._sums(), self.prior, self.starts).sum())

    def run(self, joining: bool, last: bool = False) -> Iterator[SearchStep]:
        """Takes the best step as long as it saves an error; deletions come before joins, the first of the best wins.

        last: the last of the best wins.
        """
        while self.factors:
            sums = self._sums()
            candidates = list(self._deletions(sums))
            if joining:
                candidates += self._joinings(sums)
            errors, places = min(reversed(candidates) if last else candidates, key=lambda candidate: candidate[0])
            if errors >= self.errors:
                return
            self.errors = errors
            step = SearchStep(tuple(self.factors[place].columns for place in places), errors)
            if len(places) == 1:
                self._delete(places[0])
            else:
                self._join(*places)
            yield step

    def _sums(self) -> Terms:
        return add(self.terms.values(), self.prior)

    def _deletions(self, sums: Terms) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The leave-one-out errors without each factor."""
        places = list(self.factors)
        for block in blocks(len(places), self.prior.logs.size):
            candidates = sums[:, None] - stack([self.terms[j] for j in places[block]])
            for j, errors in zip(places[block], self._count(candidates), strict=True):
                yield errors, (j,)

    def _joinings(self, sums: Terms) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The leave-one-out errors with each pair of factors joined."""
        places = list(self.factors)
        for at, i in enumerate(places):
            partners = places[at + 1 :]
            for block in blocks(len(partners), self.prior.logs.size):
                candidates = sums[:, None] + self._changes(i, partners[block])
                for j, errors in zip(partners[block], self._count(candidates), strict=True):
                    yield errors, (i, j)

    def _count(self, candidates: Terms) -> list[int]:
        wrong: list[int] = leave_one_out_wrong(candidates, self.prior, self.starts).sum(axis=-1).tolist()
        return wrong

    def _changes(self, i: int, partners: list[int]) -> Terms:
        """(C, P, n) what joining factor i with each of its partners adds to the classifier's sum."""
        unknown = [j for j in partners if (i, j) not in self.joins]
        fresh = dict(zip(unknown, self._join_terms(i, unknown), strict=True)) if unknown else {}
        if (len(self.joins) + len(unknown)) * self.prior.logs.size <= REMEMBERED:
            self.joins |= {(i, j): change for j, change in fresh.items()}
        return stack([fresh[j] if j in fresh else self.joins[i, j] for j in partners])

    def _join_terms(self, i: int, partners: list[int]) -> Iterator[Terms]:
        left, codes, factors = self.factors[i], [], []
        for j in partners:
            right = self.factors[j]
            product = _product(self.codes[i], self.codes[j], right.places)
            places = left.places * right.places
            if places > len(product):
                distinct, product = _compact(product)
                places = len(distinct)
            codes.append(product)
            factors.append(Factor((), left.declared * right.declared, places))
        terms = self._terms(factors, np.array(codes)) - stack([self.terms[i] + self.terms[j] for j in partners])
        return (terms[:, k] for k in range(len(partners)))

    def _terms(self, factors: list[Factor], codes: Ints) -> Terms:
        """(C, a, n) leave-one-out terms of factors. codes: (a, n)."""
        value_index = _value_index(factors)
        ids = value_index.ids(codes.T)
        tables = leave_one_out_tables(count(value_index, ids, self.y, len(self.starts) - 1), self.estimate)
        return leave_one_out_terms(np.ascontiguousarray(ids.T), self.starts, tables)

    def _join(self, i: int, j: int) -> None:
        left, right = self.factors[i], self.factors[j]
        distinct, codes = _compact(_product(self.codes[i], self.codes[j], right.places))
        columns, declared = left.columns + right.columns, left.declared * right.declared
        joined = Factor(columns, declared, len(distinct) + 1, (left, right), distinct)
        self._forget_joins(i)
        self._delete(j)
        self.factors[i], self.codes[i] = joined, codes
        self.terms[i] = self._terms([joined], codes[None])[:, 0]

    def _delete(self, place: int) -> None:
        self._forget_joins(place)
        del self.factors[place], self.codes[place], self.terms[place]

    def _forget_joins(self, place: int) -> None:
        self.joins = {pair: change for pair, change in self.joins.items() if place not in pair}


def _compact(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, ascending, and each row's place among them (-1 stays -1)."""
    distinct, place = np.unique(codes, return_inverse=True)
    missing = int(len(distinct) > 0 and distinct[0] < 0)
    return distinct[missing:], place - missing


def _value_index(factors: list[Factor]) -> ValueIndex:
    places = np.array([factor.places for factor in factors], dtype=np.int64)
    return ValueIndex(places, np.array([factor.declared for factor in factors]))


class BackwardElimination(Learner):
    """BSE: naive Bayes of the attributes that backward sequential elimination leaves.

    From all attributes on, the attribute whose deletion leaves the fewest leave-one-out errors on the training rows is
    deleted, for as long as that pays; down to none: then the class prior decides. Readings taken where the paper is
    silent: a step must save at least one error; of equally good steps the first wins.

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c): see `lazybayes.counts.estimates`.

    References
    ----------
    Pazzani, M. J. (1996). Constructive induction of Cartesian product attributes. ISIS '96, 66-77.
    Zheng, Z. and Webb, G. I. (2000). Lazy learning of Bayesian rules. Machine Learning 41, 53-84.
    """

    parameters: ClassVar[Parameters] = {"estimate": EstimateOf()}
    diagnostics: ClassVar[Mapping[str, str]] = {
        "attributes": "attributes of the classifier, a join being one",
        "deletions": "attributes deleted",
        "prior_answered": "rows for which every class had probability 0, answered by the class prior",
    }
    paper = "Pazzani 1996, as described in Zheng & Webb 2000, section 5.1"

    def __init__(self, estimate: Any = "m-estimate") -> None:
        self.estimate = estimate

    def _fit(self, rows: Rows, y: Ints) -> None:
        training = TrainingRows.of(rows, y, self._class_names(), self.estimate)
        search = BackwardSearch(training)
        self.start_errors_, self.n_rows_ = search.errors, len(y)
        self.steps_ = tuple(self._steps(search))
        self.factors_ = tuple(search.factors.values())
        self.value_index_ = _value_index(list(self.factors_))
        counts = count(self.value_index_, self._ids(rows), y, len(self.classes_))
        self.log_tables_ = log_tables(counts, training.estimate)

    def _steps(self, search: BackwardSearch) -> Iterator[SearchStep]:
        return search.run(joining=False)

    def _ids(self, rows: Rows) -> Ints:
        codes = np.empty((len(rows), len(self.factors_)), dtype=np.int64)
        for column, factor in enumerate(self.factors_):
            codes[:, column] = factor.codes(rows.nominal)
        return self.value_index_.ids(codes)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        scores = log_scores(self._ids(rows), self.log_tables_)
        joins = sum(len(step.factors) - 1 for step in self.steps_)
        diagnostics = {
            "attributes": float(len(self.factors_)),
            "deletions": float(len(self.steps_) - joins),
            "joins": float(joins),
            "prior_answered": float(fall_back_to_prior(scores, self.log_tables_.prior)),
        }
        return scores, {name: diagnostics[name] for name in self.diagnostics}

    def describe(self) -> str:
        """What was learnt: the steps of the search, with the leave-one-out errors after each, and what they left."""

        def name(columns: tuple[int, ...]) -> str:
            return " x ".join(str(self.names_[column]) for column in columns)

        lines = [
            f"Leave-one-out errors on {plural(self.n_rows_, 'training row')} with all attributes: {self.start_errors_}"
        ]
        for step in self.steps_:
            verb = "delete" if len(step.factors) == 1 else "join"
            lines.append(f"  {verb} {' and '.join(map(name, step.factors))}: {step.errors}")
        left = ", ".join(name(factor.columns) for factor in self.factors_) or "none, so the class prior decides"
        return "\n".join([*lines, f"Attributes: {left}"])


class BackwardEliminationAndJoining(BackwardElimination):
    """BSEJ: as BSE, and a step may also join two attributes into their Cartesian product.

    Readings taken where the paper is silent: a joined attribute has k_i k_j declared values, is missing where a part is
    missing, and is at the place of its lower part; steps are tried in the order of deletions by index, then joins
    by (i, j).

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    ties : str, default "first"
        Which of equally good steps is taken, the ``first`` or the ``last``. Pazzani and Zheng & Webb do not say.

    References
    ----------
    Pazzani, M. J. (1996). Constructive induction of Cartesian product attributes. ISIS '96, 66-77.
    Zheng, Z. and Webb, G. I. (2000). Lazy learning of Bayesian rules. Machine Learning 41, 53-84.
    """

    parameters: ClassVar[Parameters] = {**BackwardElimination.parameters, "ties": OneOf(("first", "last"))}
    diagnostics: ClassVar[Mapping[str, str]] = {
        **BackwardElimination.diagnostics,
        "joins": "joins made; each puts two attributes, joined ones among them, into one",
    }
    missing = "a missing cell is not counted in training and skipped in classifying; a join is missing where a part is"

    def __init__(self, estimate: Any = "m-estimate", ties: str = "first") -> None:
        super().__init__(estimate)
        self.ties = ties

    def _steps(self, search: BackwardSearch) -> Iterator[SearchStep]:
        return search.run(joining=True, last=self.ties == "last")
