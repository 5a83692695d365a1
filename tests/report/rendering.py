"""Tables as text, as the command prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazybayes.experiment import Experiment
from lazybayes.report.formats import document
from lazybayes.report.tables import choose, reports


def render(
    store: Any,
    experiment: Experiment,
    *,
    metric: str | None = None,
    baseline: str | None = None,
    tests: Sequence[str] | None = None,
    fmt: str = "text",
) -> str:
    """The experiment's tables, or the table of a metric, in a format of `formats.FORMATS`."""
    return document(reports(store, experiment, choose(experiment, metric, baseline, tests)), fmt)
