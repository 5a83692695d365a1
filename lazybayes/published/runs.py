"""Runs as a comparison sees them, and the algorithms of a run that stand for those of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lazybayes.data.catalogue import find
from lazybayes.errors import UsageError
from lazybayes.messages import nearest
from lazybayes.metrics.registry import METRICS
from lazybayes.published.claims import Paper
from lazybayes.published.view import View, names_of
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store
from lazybayes.snapshot import to_dict


def view_of_run(label: str, folder: Path, paper: Paper) -> View:
    """The run of a results folder, its data sets under the names that the catalogue gives them in the paper.

    label: what the run is called. Raises UsageError if two data sets of the run are one of the paper's.
    """
    with Store(folder) as store:
        experiment = store.experiment
        frame = load_frame(store, [metric for metric in paper.metrics if metric in METRICS])
    listed = {
        entry.name: find(entry.source.location).papers
        for entry in experiment.datasets
        if entry.source.kind == "catalogue"
    }
    return View(
        label=label,
        frame=frame,
        settings=to_dict(experiment),
        names=names_of(dict.fromkeys(frame["dataset"]), paper.datasets, listed, paper.name),
        wanted=tuple(name for name in paper.datasets if name not in paper.unavailable),
        directions={name: metric.better for name, metric in METRICS.items()},
    )


def substitute(readings: Sequence[str], paper: Paper, views: Sequence[View]) -> list[View]:
    """Each run once per reading ``PUBLISHED=OWN``: its algorithm OWN in the place of the paper's PUBLISHED.

    A column is called by its own algorithm if that distinguishes the columns. Raises UsageError for a reading of
    another form, and for an algorithm that the paper or a run does not have.
    """
    pairs = [_reading(text, paper) for text in readings]
    plain = len(views) == 1 and len({own for _, own in pairs}) == len(pairs)
    return [
        view.reading(name, own, "" if plain else f"{view.label}, {name}={own}") for view in views for name, own in pairs
    ]


def _reading(text: str, paper: Paper) -> tuple[str, str]:
    name, _, own = text.partition("=")
    if not (name and own):
        raise UsageError("--as needs the paper's algorithm and the run's, like --as CLLTree=drop")
    if name not in paper.algorithms:
        known = ", ".join(paper.algorithms) or "none"
        hint = nearest(name, paper.algorithms)
        raise UsageError(f"--as {name}={own}: no figure is about {name}{hint}; those of {paper.name}: {known}")
    return name, own
