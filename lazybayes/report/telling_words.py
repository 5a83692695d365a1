"""The most telling words of each class according to a document learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lazybayes.errors import UsageError
from lazybayes.messages import plural
from lazybayes.report.formats import Entry, Report, Row, slug

if TYPE_CHECKING:
    from lazybayes.evaluate.trial import Fitted


def words(fitted: Fitted, algorithm: str, most: int) -> Report:
    """One row per class. Raises UsageError if the learner does not learn from documents."""
    if not fitted.learner.has_telling_words:
        raise UsageError(f"{algorithm} is not a document learner; use text-naive-bayes")
    table, split = fitted.table, fitted.split
    by_class = fitted.learner.telling_words(most)
    rows = tuple(
        Row(label, (Entry(", ".join(f"{word} {odds:.1f}" for word, odds in own) or "-"),))
        for label, own in zip(table.target.values, by_class, strict=True)
    )
    return Report(
        f"{table.name}: the most telling words of each {table.target.name} ({algorithm})",
        (table.target.name, "words"),
        (rows,),
        (
            "after each word: ln P(word given the class) - ln P(word given another class)",
            f"from the {plural(len(split.train), 'training document')} of repeat {split.repeat}, fold {split.fold}; "
            f"a vocabulary of {plural(len(fitted.learner.vocabulary_), 'word')}",
        ),
        name=slug(f"words {table.name} {algorithm}"),
        words=True,
    )
