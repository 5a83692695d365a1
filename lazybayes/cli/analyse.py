"""More analyses of a run: `lazybayes analyse intervals`, `confusion`, `words`."""

from __future__ import annotations

from pathlib import Path

import click

from lazybayes.cli.options import example, format_option, output_option
from lazybayes.cli.results import analyse, show

__all__ = ["analyse"]


@analyse.command()
@click.argument("run")
@click.option("--metric", help="A metric or a learner's diagnostic.  [default: the experiment's first metric]")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True)
@format_option
@output_option
@example("lazybayes analyse intervals newsgroups --metric accuracy")
def intervals(run: str, metric: str | None, level: float, formats: tuple[str, ...], output: Path | None) -> None:
    """Show the mean of a metric over the trials, with plain and resampling-corrected confidence intervals."""
    from lazybayes.locate import find_run
    from lazybayes.metrics.registry import METRICS
    from lazybayes.report.intervals import intervals as table
    from lazybayes.results.frame import load_frame
    from lazybayes.results.store import Store
    from lazybayes.statistics.matrix import from_frame

    with Store(find_run(run)) as store:
        experiment = store.experiment
        metric = metric or experiment.metrics[0]
        frame = load_frame(store, [metric])
    better = METRICS[metric].better if metric in METRICS else None
    show([table(from_frame(frame, metric, better), experiment.name, level)], formats, output)


@analyse.command()
@click.argument("run")
@click.option("--dataset", "datasets", multiple=True, help="May be repeated.  [default: all]")
@click.option("--algorithm", "algorithms", multiple=True, help="May be repeated.  [default: all]")
@format_option
@output_option
@example("lazybayes analyse confusion newsgroups --dataset without-headers")
def confusion(
    run: str, datasets: tuple[str, ...], algorithms: tuple[str, ...], formats: tuple[str, ...], output: Path | None
) -> None:
    """Show the confusion between classes, from the stored predictions.

    `lazybayes figures --kind confusion` draws it.
    """
    from lazybayes.locate import find_run
    from lazybayes.report.confusion import chosen, of_store, table
    from lazybayes.results.store import Store

    with Store(find_run(run)) as store:
        name = store.experiment.name
        parts = chosen(of_store(store), datasets, algorithms)
    show([table(part, name) for part in parts], formats, output)


@analyse.command()
@click.argument("run")
@click.option("--dataset", help="May be omitted if the run has only one.")
@click.option("--algorithm", required=True)
@click.option("--repeat", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--fold", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--most", type=click.IntRange(min=1), default=10, show_default=True, help="Number of words per class.")
@click.option("--offline", is_flag=True, help="Download nothing.")
@format_option
@output_option
@example("lazybayes analyse words newsgroups --dataset without-headers --algorithm NB")
def words(
    run: str,
    dataset: str | None,
    algorithm: str,
    repeat: int,
    fold: int,
    most: int,
    offline: bool,
    formats: tuple[str, ...],
    output: Path | None,
) -> None:
    """Show the words that favour each class most, according to a document learner retrained as in one fold."""
    from lazybayes.evaluate.trial import fitted_fold, only_dataset
    from lazybayes.locate import find_run
    from lazybayes.report.telling_words import words as table
    from lazybayes.results.store import Store

    with Store(find_run(run)) as store:
        experiment, surveys = store.experiment, store.surveys()
    dataset = only_dataset(experiment, dataset)
    found = fitted_fold(experiment, dataset, algorithm, repeat, fold, known=surveys.get(dataset), offline=offline)
    show([table(found, algorithm, most)], formats, output)
