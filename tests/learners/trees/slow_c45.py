"""C4.5 release 8 for one node at a time in plain Python, as Quinlan describes it and ../shared/reference words J48."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

NEAR = 1e-6
Cell = int | float | None


@dataclass(frozen=True)
class Row:
    cells: tuple[Cell, ...]
    y: int
    weight: float = 1.0


@dataclass(frozen=True)
class Problem:
    """arity: declared values, None = numeric; values: training values of numeric attributes, ascending."""

    arity: tuple[int | None, ...]
    n_classes: int
    n_rows: int
    values: tuple[tuple[float, ...], ...]
    min_rows: int = 2
    confidence: float = 0.25


@dataclass
class Node:
    classes: list[float]
    attribute: int | None = None
    cut: float = math.nan
    shares: list[float] = field(default_factory=list)
    branches: list[Node] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return sum(self.classes)

    @property
    def wrong(self) -> float:
        return self.weight - max(self.classes)

    def shape(self) -> object:
        if self.attribute is None:
            return None
        return self.attribute, None if math.isnan(self.cut) else self.cut, [b.shape() for b in self.branches]


def problem_of(arity: Sequence[int | None], n_classes: int, rows: Sequence[Row], **given: object) -> Problem:
    values = tuple(
        tuple(sorted({row.cells[j] for row in rows if row.cells[j] is not None})) if k is None else ()  # type: ignore[type-var]
        for j, k in enumerate(arity)
    )
    return Problem(tuple(arity), n_classes, len(rows), values, **given)  # type: ignore[arg-type]


def classes_of(problem: Problem, rows: Sequence[Row]) -> list[float]:
    counts = [0.0] * problem.n_classes
    for row in rows:
        counts[row.y] += row.weight
    return counts


# --- splits


def bits(weights: Sequence[float]) -> float:
    """Entropy in bits, times the total weight."""
    total = sum(weights)
    return sum(-w * math.log2(w / total) for w in weights if w > NEAR)


def branch_of(problem: Problem, attribute: int, cut: float, cell: Cell) -> int | None:
    if cell is None:
        return None
    return int(cell) if problem.arity[attribute] is not None else int(cell > cut + NEAR)


def gain_and_ratio(problem: Problem, parts: list[list[Row]], total: float, price: float) -> tuple[float, float]:
    known = [row for part in parts for row in part]
    gain = bits(classes_of(problem, known)) - sum(bits(classes_of(problem, part)) for part in parts)
    gain = gain / total - price
    weights = [sum(row.weight for row in part) for part in parts]
    information = bits([*weights, total - sum(weights)]) / total
    return gain, gain / information if information > 0 else 0.0


def nominal_split(problem: Problem, rows: list[Row], j: int) -> tuple[float, float, float] | None:
    parts = [[row for row in rows if row.cells[j] == v] for v in range(problem.arity[j] or 0)]
    if sum(1 for part in parts if sum(row.weight for row in part) > problem.min_rows - NEAR) < 2:
        return None
    return (*gain_and_ratio(problem, parts, sum(row.weight for row in rows), 0.0), math.nan)


def numeric_split(problem: Problem, rows: list[Row], j: int) -> tuple[float, float, float] | None:
    known = sorted((row for row in rows if row.cells[j] is not None), key=lambda row: row.cells[j])  # type: ignore[arg-type,return-value]
    total = sum(row.weight for row in rows)
    least = 0.1 * sum(row.weight for row in known) / problem.n_classes
    least = problem.min_rows if least < problem.min_rows else min(least, max(25.0, problem.min_rows))
    tried, best, most = 0, None, 0.0
    for i in range(1, len(known)):
        low, high = known[i - 1].cells[j], known[i].cells[j]
        if not low + 1e-5 < high:  # type: ignore[operator]
            continue
        parts = [known[:i], known[i:]]
        if min(sum(row.weight for row in part) for part in parts) < least - NEAR:
            continue
        tried += 1
        gain, _ = gain_and_ratio(problem, parts, total, 0.0)
        if gain > most + NEAR:
            best, most = i, gain
    if best is None:
        return None
    gain, ratio = gain_and_ratio(problem, [known[:best], known[best:]], total, math.log2(tried) / total)
    if gain <= NEAR:
        return None
    middle = (known[best - 1].cells[j] + known[best].cells[j]) / 2  # type: ignore[operator]
    return gain, ratio, max(x for x in problem.values[j] if x < middle + NEAR)


def choose(problem: Problem, rows: list[Row]) -> tuple[int, float] | None:
    counts = classes_of(problem, rows)
    if sum(counts) < 2 * problem.min_rows - NEAR or sum(counts) - max(counts) < NEAR:
        return None
    found = {}
    for j, k in enumerate(problem.arity):
        split = numeric_split(problem, rows, j) if k is None else nominal_split(problem, rows, j)
        if split is not None:
            found[j] = split
    few = [j for j, k in enumerate(problem.arity) if k is None or k < 0.3 * problem.n_rows]
    averaged = [found[j][0] for j in found if j in few or not few]
    if not averaged:
        return None
    average = sum(averaged) / len(averaged)
    best, most = None, 0.0
    for j, (gain, ratio, cut) in found.items():
        if gain >= average - 1e-3 and ratio > most + NEAR:
            best, most = (j, cut), ratio
    return best


# --- growth


def divide(problem: Problem, rows: Sequence[Row], attribute: int, cut: float) -> tuple[list[float], list[list[Row]]]:
    """Each branch's share of the known weight, and its rows."""
    parts: list[list[Row]] = [[] for _ in range(problem.arity[attribute] or 2)]
    held: dict[int, float] = defaultdict(float)
    for row in rows:
        branch = branch_of(problem, attribute, cut, row.cells[attribute])
        if branch is not None:
            held[branch] += row.weight
    shares = [held[b] / sum(held.values()) for b in range(len(parts))]
    for row in rows:
        branch = branch_of(problem, attribute, cut, row.cells[attribute])
        for b, share in enumerate(shares):
            if b == branch:
                parts[b].append(row)
            elif branch is None and share > NEAR:
                parts[b].append(Row(row.cells, row.y, row.weight * share))
    return shares, parts


def grow(problem: Problem, rows: list[Row]) -> Node:
    node = Node(classes_of(problem, rows))
    split = choose(problem, rows)
    if split is not None:
        node.attribute, node.cut = split
        node.shares, parts = divide(problem, rows, *split)
        node.branches = [grow(problem, part) for part in parts]
    return node


# --- pruning


def leaf_errors(node: Node) -> float:
    return node.wrong if node.attribute is None else sum(leaf_errors(branch) for branch in node.branches)


def collapse(node: Node) -> None:
    if node.attribute is None:
        return
    if leaf_errors(node) >= node.wrong - 1e-3:
        node.attribute, node.branches = None, []
    for branch in node.branches:
        collapse(branch)


def added_errors(n: float, e: float, confidence: float) -> float:
    """Quinlan's AddErrs: what the upper limit adds to e errors among n."""
    if e < 1:
        base = n * (1 - confidence ** (1 / n))
        return base + e * (added_errors(n, 1.0, confidence) - base) if e > 0 else base
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (e + 0.5) / n
    limit = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return limit * n - e


def estimated(problem: Problem, classes: list[float]) -> float:
    n, e = sum(classes), sum(classes) - max(classes)
    return e + added_errors(n, e, problem.confidence) if n > NEAR else 0.0


def subtree_errors(problem: Problem, node: Node) -> float:
    if node.attribute is None:
        return estimated(problem, node.classes)
    return sum(subtree_errors(problem, branch) for branch in node.branches)


def errors_with(problem: Problem, node: Node, rows: list[Row]) -> float:
    """Pessimistic errors of the subtree if these rows came to its top."""
    if node.attribute is None:
        return estimated(problem, classes_of(problem, rows))
    _, parts = divide(problem, rows, node.attribute, node.cut)
    return sum(errors_with(problem, branch, part) for branch, part in zip(node.branches, parts, strict=True))


def refit(problem: Problem, node: Node, rows: list[Row]) -> None:
    node.classes = classes_of(problem, rows)
    if node.attribute is not None:
        node.shares, parts = divide(problem, rows, node.attribute, node.cut)
        for branch, part in zip(node.branches, parts, strict=True):
            refit(problem, branch, part)


def prune(problem: Problem, node: Node, rows: list[Row], raising: bool) -> None:
    if node.attribute is None:
        return
    _, parts = divide(problem, rows, node.attribute, node.cut)
    for branch, part in zip(node.branches, parts, strict=True):
        prune(problem, branch, part, raising)
    most = max(branch.weight for branch in node.branches)
    largest = [branch for branch in node.branches if branch.weight > most - NEAR][-1]
    raised = errors_with(problem, largest, rows) if raising else math.inf
    leaf, subtree = estimated(problem, node.classes), subtree_errors(problem, node)
    if leaf < subtree + 0.1 + NEAR and leaf < raised + 0.1 + NEAR:
        node.attribute, node.branches = None, []
    elif raised < subtree + 0.1 + NEAR:
        node.attribute, node.cut, node.branches = largest.attribute, largest.cut, largest.branches
        refit(problem, node, rows)
        prune(problem, node, rows, raising)


# --- answers


def probabilities(problem: Problem, node: Node, cells: Sequence[Cell], laplace: bool) -> list[float]:
    if node.attribute is None:
        k = problem.n_classes if laplace else 0
        return [(n + laplace) / (node.weight + k) for n in node.classes]
    branch = branch_of(problem, node.attribute, node.cut, cells[node.attribute])
    if branch is not None:
        below = node.branches[branch]
        if below.weight < NEAR:
            return probabilities(problem, Node(node.classes), cells, laplace)
        return probabilities(problem, below, cells, laplace)
    mixed = [0.0] * problem.n_classes
    for share, below in zip(node.shares, node.branches, strict=True):
        if below.weight > NEAR:
            part = probabilities(problem, below, cells, laplace)
            mixed = [total + share * p for total, p in zip(mixed, part, strict=True)]
    return mixed
