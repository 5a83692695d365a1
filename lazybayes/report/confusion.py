"""Confusion between classes as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lazybayes.errors import UsageError
from lazybayes.messages import nearest, plural
from lazybayes.report.formats import Entry, Report, Row, slug
from lazybayes.statistics.confusion import Confusion, confusions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lazybayes.results.store import Store

MOST_NUMBERED = 30
"""Maximum number of classes for which the figure shows numbers."""
SHOWN = 3
"""Number of most frequent wrong predictions listed per class."""


def of_store(store: Store) -> list[Confusion]:
    """The confusions of a run, from its predictions."""
    return confusions(store.predictions(), {name: survey.classes for name, survey in store.surveys().items()})


def chosen(found: Iterable[Confusion], datasets: Sequence[str], algorithms: Sequence[str]) -> list[Confusion]:
    """Those of the given data sets and algorithms (if empty, all). Raises UsageError for an unknown name."""
    held = list(found)
    for kind, names, known in (
        ("data set", datasets, [c.dataset for c in held]),
        ("algorithm", algorithms, [c.algorithm for c in held]),
    ):
        for name in names:
            if name not in known:
                have = ", ".join(dict.fromkeys(known)) or "none"
                raise UsageError(f"the run has no results of the {kind} {name}{nearest(name, known)}; it has {have}")
    return [
        c for c in held if (not datasets or c.dataset in datasets) and (not algorithms or c.algorithm in algorithms)
    ]


def table(confusion: Confusion, name: str) -> Report:
    """One row per class: its test rows, the share classified correctly, and the most frequent wrong predictions."""
    counts = confusion.counts
    rows = []
    for c, label in enumerate(confusion.labels):
        total = int(counts[c].sum())
        others = sorted((k for k in range(len(counts)) if k != c and counts[c, k]), key=lambda k: (-counts[c, k], k))
        taken = ", ".join(f"{confusion.labels[k]} {_percent(counts[c, k], total)}" for k in others[:SHOWN])
        rows.append(Row(label, (Entry(str(total)), Entry(_percent(counts[c, c], total)), Entry(taken))))
    total, right = int(counts.sum()), int(np.trace(counts))
    whole = Row("all", (Entry(str(total)), Entry(_percent(right, total)), Entry("")))
    return Report(
        f"{name}: confusion of {confusion.algorithm} between the classes of {confusion.dataset}",
        ("class", "test rows", "correct", "most often misclassified as"),
        (tuple(rows), (whole,)),
        (f"test rows over {plural(confusion.trials, 'trial')}; a row that is tested in several trials counts in each",),
        name=slug(f"confusion {confusion.dataset} {confusion.algorithm}"),
        words=True,
    )


def draw(confusion: Confusion) -> Figure:
    """True classes as rows, predicted classes as columns; a darker square is a larger share of the true class.

    The diagonal (correct predictions) has its own scale, to keep errors distinguishable. Numbers are percentages.
    """
    from matplotlib.figure import Figure

    shares = 100 * confusion.shares
    n = len(shares)
    side = max(4.0, 2.2 + 0.34 * n)
    figure = Figure(figsize=(side, side), layout="constrained")
    axes: Any = figure.subplots()
    right = np.eye(n, dtype=bool)
    most = float(shares[~right].max(initial=0.0)) or 1.0
    axes.imshow(np.where(right, np.nan, shares), cmap="Reds", vmin=0, vmax=most)
    axes.imshow(np.where(right, shares, np.nan), cmap="Blues", vmin=0, vmax=130)
    if n <= MOST_NUMBERED:
        for c, k in zip(*np.nonzero(shares >= 0.05), strict=True):
            dark = shares[c, k] > (80 if c == k else 0.6 * most)
            text = f"{shares[c, k]:.0f}" if shares[c, k] >= 9.95 else f"{shares[c, k]:.1f}"
            axes.text(k, c, text, ha="center", va="center", fontsize=7, color="white" if dark else "0.2")
    names = [label if len(label) <= 28 else f"{label[:27]}\N{HORIZONTAL ELLIPSIS}" for label in confusion.labels]
    axes.set_xticks(range(n), names, rotation=90, fontsize=7)
    axes.set_yticks(range(n), names, fontsize=7)
    axes.set_xlabel("predicted class (% of the true class)")
    axes.set_ylabel("true class")
    axes.set_title(f"{confusion.dataset}, {confusion.algorithm}", fontsize=10)
    return figure


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"
