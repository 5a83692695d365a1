"""How one row was classified, as text: the rule, its local training rows, the log-odds of each attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tabulate import tabulate

from lazybayes.counts.scores import decide
from lazybayes.data.table import place_of
from lazybayes.errors import UsageError
from lazybayes.messages import plural

if TYPE_CHECKING:
    from lazybayes.data.table import Table
    from lazybayes.evaluate.trial import Fitted
    from lazybayes.learners.base import Explanation

SHOWN = 20
"""Maximum number of row numbers listed; the others are counted."""


def explain(fitted: Fitted, algorithm: str, row: int) -> str:
    """The text of `lazybayes explain`. row: the row's number in the data file.

    Raises UsageError if the learner cannot explain itself.
    """
    table, split = fitted.table, fitted.split
    if not fitted.learner.explains:
        raise UsageError(f"{algorithm} cannot explain its predictions; use naive-bayes or lbr")
    place = int(np.flatnonzero(table.index[split.test] == row)[0])
    explanation: Explanation = fitted.learner.explain(fitted.rows, place)
    classes = table.target.values
    actual = classes[table.y[split.test[place]]]
    with np.errstate(divide="ignore"):
        predicted = int(decide(np.log(explanation.posterior)[None, :])[0])
    rival = _rival(explanation.posterior, predicted)
    local = table.index[split.train[explanation.local_rows]].tolist()
    lines = [
        f"{table.name}, row {row}{_file(row, table)}: "
        f"{algorithm} predicts {table.target.name} = {classes[predicted]}; the true class is {actual}.",
        f"Tested in repeat {split.repeat}, fold {split.fold}: {plural(len(split.train), 'training row')}.",
        "",
        _rule(explanation),
        f"Local training rows: {len(local)} ("
        + ", ".join(f"{label} {int(n)}" for label, n in zip(classes, explanation.class_rows, strict=True))
        + f"): {_some(local)}",
        "",
        _contributions(explanation, classes, predicted, rival),
        "",
        "Posterior: " + ", ".join(f"{label} {p:.6g}" for label, p in zip(classes, explanation.posterior, strict=True)),
    ]
    return "\n".join(lines)


def _file(row: int, table: Table) -> str:
    """The file and row number of a row, if the data set has several files."""
    if not table.files:
        return ""
    file, number = place_of(row, table.files)
    return f" ({file}, row {number})"


def _rival(posterior: np.ndarray[tuple[int], np.dtype[np.float64]], predicted: int) -> int | None:
    """The most probable class other than the predicted one; None if there is only one class."""
    others = [c for c in range(len(posterior)) if c != predicted]
    return max(others, key=lambda c: (posterior[c], -c)) if others else None


def _rule(explanation: Explanation) -> str:
    if not explanation.antecedent:
        return "No condition: naive Bayes of all training rows."
    conditions = " and ".join(f"{attribute} = {value}" for attribute, value in explanation.antecedent)
    return f"If {conditions}: naive Bayes of the training rows that satisfy this, without these attributes."


def _some(rows: list[int]) -> str:
    rest = len(rows) - SHOWN
    return ", ".join(map(str, rows[:SHOWN])) + (f" and {rest} more" if rest > 0 else "")


def _contributions(explanation: Explanation, classes: tuple[str, ...], predicted: int, rival: int | None) -> str:
    """One row for the prior and per attribute: ln of the factor for the two classes, and the difference."""
    if rival is None:
        return f"{classes[predicted]} is the only class."
    factors = [("(class prior)", "", explanation.prior), *explanation.factors]
    body = [[name, value, log[predicted], log[rival], log[predicted] - log[rival]] for name, value, log in factors]
    body.append(["sum", "", *(sum(row[column] for row in body) for column in (2, 3, 4))])
    header = ["attribute", "value", f"ln P({classes[predicted]})", f"ln P({classes[rival]})", "log-odds"]
    text = [[name, value, *(f"{number:.4f}" for number in numbers)] for name, value, *numbers in body]
    return tabulate(text, header, tablefmt="simple", disable_numparse=True, colalign=("left", "left", *["right"] * 3))
