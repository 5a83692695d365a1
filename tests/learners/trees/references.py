"""Trees of naive Bayesian classifiers in plain Python, as ALGORITHMS.md defines them: everything is counted anew.

A row of missing split value is divided in exact fractions. Only the estimates' formulas come from elsewhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.references import Spec, Value, of_class, of_value

TIE = 1e-9
Weight = Fraction | int


@dataclass(frozen=True)
class Row:
    """A training row with its weight at a node. place: its place in training order."""

    cells: tuple[Value, ...]
    y: int
    weight: Weight
    place: int


@dataclass(frozen=True)
class Problem:
    arity: tuple[int, ...]
    n_classes: int
    spec: Spec


@dataclass
class Node:
    """attributes: of its classifier; branches: by value, None where no row came."""

    rows: list[Row]
    attributes: tuple[int, ...]
    split: int | None = None
    branches: dict[int, Node | None] | None = None

    def leaves(self) -> int:
        if self.branches is None:
            return 1
        return sum(1 if branch is None else branch.leaves() for branch in self.branches.values())

    def shape(self) -> object:
        """The splits, to compare trees by."""
        if self.branches is None:
            return None
        return self.split, [branch and branch.shape() for branch in self.branches.values()]


# --- naive Bayes of weighted rows


def scores(problem: Problem, rows: Sequence[Row], attributes: Sequence[int], test: Sequence[Value]) -> list[float]:
    """ln P(c) + sum of ln P(v given c), one a class; ln 0 is -inf."""
    classes = range(problem.n_classes)
    n_class = [sum(row.weight for row in rows if row.y == c) for c in classes]
    n = sum(n_class)
    found = [of_class(problem.spec, n_class[c], n, problem.n_classes) for c in classes]
    logs = [log(p) for p in found]
    for j in attributes:
        v = test[j]
        if v is None:
            continue
        with_value: Counter[int] = Counter()
        knows: Counter[int] = Counter()
        for row in rows:
            if row.cells[j] is not None:
                knows[row.y] += row.weight
                with_value[row.y] += row.weight if row.cells[j] == v else 0
        n_v, n_known = sum(with_value.values()), sum(knows.values())
        for c in classes:
            p = of_value(problem.spec, with_value[c], knows[c], n_v, n_known, problem.arity[j], c)
            logs[c] += log(p)
    return logs if max(logs) > -math.inf else [log(p) for p in found]


def log(p: Fraction) -> float:
    return math.log(p) if p else -math.inf


def decide(logs: Sequence[float]) -> int:
    best = max(logs)
    return next(c for c, s in enumerate(logs) if s >= best - TIE)


def normalized(logs: Sequence[float]) -> list[float]:
    best = max(logs)
    parts = [math.exp(s - best) for s in logs]
    return [part / sum(parts) for part in parts]


def error(logs: Sequence[float], y: int) -> int:
    return int(decide(logs) != y)


def surprise(logs: Sequence[float], y: int) -> float:
    return -math.log(max(normalized(logs)[y], math.ulp(0.0)))


# --- validation

Losses = list[tuple[Row, float]]
Validate = Callable[[Problem, Sequence[Row], Sequence[int], Callable[[Sequence[float], int], float]], Losses]


def leave_one_out(problem, rows, attributes, loss) -> Losses:  # type: ignore[no-untyped-def]
    found = []
    for i, row in enumerate(rows):
        others = [other for k, other in enumerate(rows) if k != i]
        found.append((row, loss(scores(problem, others, attributes, row.cells), row.y)))
    return found


def deal(n_folds: int) -> Validate:
    """Rows in class order, stable in training order; row number mod folds."""

    def validate(problem, rows, attributes, loss) -> Losses:  # type: ignore[no-untyped-def]
        order = sorted(rows, key=lambda row: (row.y, row.place))
        return by_folds(problem, [order[k::n_folds] for k in range(n_folds)], attributes, loss)

    return validate


def contiguous(n_folds: int) -> Validate:
    """Rows in training order, cut into runs, the first ones longer by one."""

    def validate(problem, rows, attributes, loss) -> Losses:  # type: ignore[no-untyped-def]
        order = sorted(rows, key=lambda row: row.place)
        length, longer = divmod(len(order), n_folds)
        folds, start = [], 0
        for k in range(n_folds):
            stop = start + length + (k < longer)
            folds.append(order[start:stop])
            start = stop
        return by_folds(problem, folds, attributes, loss)

    return validate


def by_folds(problem, folds, attributes, loss) -> Losses:  # type: ignore[no-untyped-def]
    found = []
    for k, fold in enumerate(folds):
        others = [row for m, other in enumerate(folds) if m != k for row in other]
        found += [(row, loss(scores(problem, others, attributes, row.cells), row.y)) for row in fold]
    return found


# --- growth


def divided(problem: Problem, rows: Sequence[Row], j: int) -> dict[int, list[Row]]:
    """The rows of each branch of a split on attribute j, with C4.5's fractions for missing values."""
    known = [row for row in rows if row.cells[j] is not None]
    total = sum(row.weight for row in known)
    branches: dict[int, list[Row]] = {}
    for v in range(problem.arity[j]):
        share = Fraction(sum(row.weight for row in known if row.cells[j] == v)) / total if total else Fraction(0)
        branches[v] = [
            row if row.cells[j] == v else Row(row.cells, row.y, row.weight * share, row.place)
            for row in rows
            if row.cells[j] == v or (row.cells[j] is None and share)
        ]
    return branches


def grow_bt(problem: Problem, rows: list[Row], attributes: tuple[int, ...], min_rows: int, min_gain: Fraction) -> Node:
    """BT: leave-one-out errors, no attribute twice on a path, strictly more than `min_gain` saved."""
    node = Node(rows, attributes)

    def wrong(some: Sequence[Row], its: Sequence[int]) -> Weight:
        return sum(row.weight * int(lost) for row, lost in leave_one_out(problem, some, its, error))

    errors = wrong(rows, attributes)
    if sum(row.weight for row in rows) < min_rows or not errors:
        return node
    best, least = None, None
    for j in attributes:
        branches = divided(problem, rows, j)
        if sum(1 for some in branches.values() if some) < 2:
            continue
        rest = tuple(k for k in attributes if k != j)
        total = sum(wrong(some, rest) for some in branches.values())
        if least is None or total < least:
            best, least = j, total
    if best is not None and least < (1 - min_gain) * errors:
        rest = tuple(k for k in attributes if k != best)
        node.split = best
        node.branches = {
            v: grow_bt(problem, some, rest, min_rows, min_gain) if some else None
            for v, some in divided(problem, rows, best).items()
        }
    return node


def grow_nb_tree(
    problem: Problem,
    rows: list[Row],
    validate: Validate,
    min_rows: int,
    min_branch: int,
    min_gain: Fraction,
    of_split: Callable[[], Validate] | None = None,
) -> Node:
    """NBTree as Weka has it; all attributes everywhere. of_split: how a split's branches are validated, if not so."""
    attributes = tuple(range(len(problem.arity)))
    node = Node(rows, attributes)

    def wrong(some: Sequence[Row], by: Validate) -> Weight:
        return sum(row.weight * int(lost) for row, lost in by(problem, some, attributes, error))

    if sum(row.weight for row in rows) < min_rows or len({row.y for row in rows}) < 2:
        return node
    errors = wrong(rows, validate)
    best, least = None, errors
    for j in attributes:
        branches = divided(problem, rows, j)
        held = [sum(row.weight for row in rows if row.cells[j] == v) for v in branches]
        missing = sum(1 for row in rows if row.cells[j] is None)
        sizes = [sum(1 for row in rows if row.cells[j] == v) + missing for v in branches]
        if sum(1 for weight in held if weight >= 2) < 2 or sum(1 for n in sizes if n >= min_branch) < 2:
            continue
        total, by = Fraction(0), of_split() if of_split else validate
        for some, n in zip(branches.values(), sizes, strict=True):
            total += wrong(some, by) if n >= min_branch else sum(row.weight for row in some)
        if total < least:
            best, least = j, total
    if best is not None and (errors - least) / Fraction(errors) >= min_gain:
        node.split = best
        node.branches = {
            v: grow_nb_tree(problem, some, validate, min_rows, min_branch, min_gain, of_split) if some else None
            for v, some in divided(problem, rows, best).items()
        }
    return node


def grow_cll(
    problem: Problem,
    rows: list[Row],
    attributes: tuple[int, ...],
    validate: Validate,
    min_rows: int,
    min_gain: float,
    weka_frame: bool,
    zero: bool,
    of_split: Validate | None = None,
) -> Node:
    """CLLTree; a row of missing split value stays at the node, and counts there by the node's classifier.

    of_split: how a split's branches are validated, if not so.
    """
    node = Node(rows, attributes)
    if len(rows) < min_rows:
        return node
    lost = {row.place: loss for row, loss in validate(problem, rows, attributes, surprise)}
    own = sum(lost.values())
    candidates = []
    for j in range(len(problem.arity)) if weka_frame else attributes:
        branches = {v: [row for row in rows if row.cells[j] == v] for v in range(problem.arity[j])}
        if sum(1 for some in branches.values() if len(some) >= (5 if weka_frame else 1)) < 2:
            continue
        its = attributes if weka_frame else tuple(k for k in attributes if k != j)
        total = sum(lost[row.place] for row in rows if row.cells[j] is None)
        for some in branches.values():
            if not (zero and len(some) < 5):
                total += sum(loss for _, loss in (of_split or validate)(problem, some, its, surprise))
        candidates.append((total, j, branches, its))
    if not candidates:
        return node
    least = min(total for total, *_ in candidates)
    total, j, branches, its = next(found for found in candidates if found[0] <= least + TIE)
    if own and (own - total) / own > min_gain:
        node.split = j
        node.branches = {
            v: grow_cll(problem, some, its, validate, min_rows, min_gain, weka_frame, zero, of_split) if some else None
            for v, some in branches.items()
        }
    return node


# --- answers


def answers(problem: Problem, node: Node, test: Sequence[Value], divide: bool) -> list[float]:
    """Class probabilities. divide: a missing split value goes down every branch, or else is answered at the node."""
    mixed = [0.0] * problem.n_classes
    for weight, at in reached(node, test, divide):
        own = normalized(scores(problem, at.rows, at.attributes, test))
        mixed = [total + float(weight) * p for total, p in zip(mixed, own, strict=True)]
    return mixed


def reached(node: Node, test: Sequence[Value], divide: bool) -> list[tuple[Fraction, Node]]:
    """The nodes that answer and their shares; a branch without rows is answered by its node."""
    if node.branches is None or node.split is None:
        return [(Fraction(1), node)]
    v = test[node.split]
    if v is not None:
        branch = node.branches[v]
        return [(Fraction(1), node)] if branch is None else reached(branch, test, divide)
    if not divide:
        return [(Fraction(1), node)]
    known = {w: sum(row.weight for row in node.rows if row.cells[node.split] == w) for w in node.branches}
    total = Fraction(sum(known.values()))
    found = []
    for w, branch in node.branches.items():
        if branch is not None:
            found += [(known[w] / total * share, at) for share, at in reached(branch, test, divide)]
    return found
