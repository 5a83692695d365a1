"""The discretization, imputation and encoding of each algorithm's input, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lazybayes.experiment import Algorithm, Preprocess

if TYPE_CHECKING:
    from lazybayes.results.records import Survey

ENCODINGS = {"one-hot": "nominal attributes one-hot", "ordinal": "nominal attributes as codes"}


def preparation(algorithms: Sequence[Algorithm], surveys: Sequence[Survey]) -> list[str]:
    """At most one line: the preprocessing of each algorithm, as far as it applies to these data sets."""
    by_words: dict[str, list[str]] = {}
    for algorithm in algorithms:
        words = ", ".join(_words(algorithm, surveys))
        if words:
            by_words.setdefault(words, []).append(algorithm.name)
    if not by_words:
        return []
    if list(by_words.values()) == [[algorithm.name for algorithm in algorithms]]:
        return [f"preprocessing: {next(iter(by_words))}"]
    groups = [f"{', '.join(names)}: {words}" for words, names in by_words.items()]
    return [f"preprocessing: {'; '.join(groups)}"]


def _words(algorithm: Algorithm, surveys: Sequence[Survey]) -> list[str]:
    spec, found = algorithm.preprocess, []
    numeric = any(survey.n_numeric for survey in surveys)
    missing = any(survey.missing_cells for survey in surveys)
    if numeric:
        found.append("numbers as they are" if spec.discretize == "none" else f"numbers in {_bins(spec)}")
    if algorithm.input in ENCODINGS and (any(s.n_nominal for s in surveys) or (numeric and spec.discretize != "none")):
        found.append(ENCODINGS[algorithm.input])
    if missing:
        found.append("missing cells kept" if spec.impute == "none" else "missing cells replaced by mode or mean")
    fitted = (numeric and spec.discretize != "none") or (missing and spec.impute != "none")
    if fitted and spec.fit == "all-rows":
        found.append("fitted on all rows")
    return found


def _bins(spec: Preprocess) -> str:
    return "MDL bins" if spec.discretize == "mdl" else f"{spec.bins} {spec.discretize} bins"
