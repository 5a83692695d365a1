"""The commands: parse, call, print. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from lazybayes import __version__
from lazybayes.cli.analyse import analyse
from lazybayes.cli.datasets import datasets
from lazybayes.cli.network import network
from lazybayes.cli.options import (
    drop_output,
    echo,
    echo_file,
    example,
    format_option,
    line_width,
    open_streams,
    output_option,
)
from lazybayes.cli.results import compare, figures, show
from lazybayes.errors import LazyBayesError, UsageError
from lazybayes.memory import keep_freed_memory
from lazybayes.messages import plural

INTERRUPTED = 130


class Group(click.Group):
    """Turns what a user can get wrong into one message and an exit status; `--debug` shows tracebacks instead."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Runs a command and exits."""
        kwargs["standalone_mode"] = False
        open_streams()
        try:
            status = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            status = error.exit_code
        except click.Abort as interrupt:
            echo(str(interrupt.__cause__ or interrupt.__context__ or "") or "interrupted", err=True)
            status = INTERRUPTED
        except KeyboardInterrupt as interrupt:
            echo(str(interrupt) or "interrupted", err=True)
            status = INTERRUPTED
        except LazyBayesError as error:
            if "--debug" in sys.argv[1:]:
                raise
            echo(f"lazybayes: {error}", err=True)
            status = error.exit_status
        except BrokenPipeError:
            # The reader (head, less) has gone: nothing can be said to it.
            drop_output()
            status = 1
        except OSError as problem:
            if problem.errno != errno.ENOSPC or problem.filename:
                raise
            drop_output()
            echo(f"lazybayes: the output cannot be written: {problem.strerror}", err=True)
            status = 1
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lazybayes")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@example("lazybayes run quickstart")
def main(debug: bool) -> None:
    """Benchmarks of lazy and semi-naive Bayesian classifiers, from a YAML file to the tables of a paper.

    CONFIG is a config file or the name of a shipped config; RUN is that, or a results folder.
    """
    keep_freed_memory()


@main.command()
@click.argument("config")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Worker processes.  [default: all cores]",
)
@click.option(
    "--only", multiple=True, metavar="KIND=NAME", help="Keep to dataset=NAME or algorithm=NAME; may be repeated."
)
@click.option("--seed", type=click.IntRange(min=0), help="Another seed than the config's; the run is NAME-seed-SEED.")
@click.option("--fresh", is_flag=True, help="Compute the selected cells again, all of them.")
@click.option("--redo", multiple=True, metavar="algorithm=NAME", help="Compute an algorithm's cells again.")
@click.option("--output", type=click.Path(path_type=Path), help="The results folder.  [default: results/NAME]")
@click.option("--offline", is_flag=True, help="Fetch nothing.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no tables; warnings remain.")
@example("lazybayes run quickstart --jobs 2 --only dataset=wine --only algorithm=LBR")
def run(
    config: str,
    jobs: int,
    only: tuple[str, ...],
    seed: int | None,
    fresh: bool,
    redo: tuple[str, ...],
    output: Path | None,
    offline: bool,
    quiet: bool,
) -> int:
    """Run an experiment, or what is left of it, and print its tables.

    Finished cells are kept in the results folder and not computed again, unless what they depend on has changed.
    """
    from lazybayes.config import load_config
    from lazybayes.evaluate import runner
    from lazybayes.evaluate.progress import Progress
    from lazybayes.locate import results_folder
    from lazybayes.report.tables import choose, reports
    from lazybayes.results.store import Store

    experiment = load_config(config)
    if seed is not None:
        experiment = replace(experiment, seed=seed, name=f"{experiment.name}-seed-{seed}")
    folder = output or results_folder(experiment)
    chosen = _pairs("--only", only, ("dataset", "algorithm"))
    summary = runner.run(
        experiment,
        store_dir=folder,
        jobs=jobs,
        only_datasets=chosen["dataset"],
        only_algorithms=chosen["algorithm"],
        fresh=fresh,
        redo=_pairs("--redo", redo, ("algorithm",))["algorithm"],
        offline=offline,
        progress=Progress(quiet=quiet),
    )
    if not quiet:
        echo(f"Results: {folder}\n", err=True)
        with Store(folder) as store:
            tables = reports(store, experiment, choose(experiment, None, None, None))
        show(tables, "text", None)
    for line in summary.lines():
        echo(line, err=True)
    return summary.exit_status


@main.command()
@click.argument("config")
@click.option("--output", type=click.Path(path_type=Path), help="The results folder.  [default: results/NAME]")
@click.option("--offline", is_flag=True, help="Fetch nothing.")
@example("lazybayes check my-experiment.yaml")
def check(config: str, output: Path | None, offline: bool) -> None:
    """Validate a config and print its plan: data sets, cells, what is done already.

    A config is code: the modules of its dotted paths are imported, and the constructors of their classes called.
    """
    from tabulate import tabulate

    from lazybayes.config import load_config
    from lazybayes.evaluate.runner import outdated, outlook
    from lazybayes.locate import results_folder
    from lazybayes.report.preparation import preparation

    experiment = load_config(config)
    folder = output or results_folder(experiment)
    plans = outlook(experiment, store_dir=folder, offline=offline)
    for notice in [*outdated(folder), *(notice for plan in plans for notice in plan.survey.notices)]:
        echo(notice, err=True)
    counts = {p.survey.name: (p.survey.n_rows, p.cells, p.done, p.failed, p.cells - p.done) for p in plans}
    if len(counts) > 1:
        counts["all"] = tuple(map(sum, zip(*counts.values(), strict=True)))  # type: ignore[assignment]
    rows = [[name, *numbers] for name, numbers in counts.items()]
    algorithms = ", ".join(f"{a.name} ({a.learner})" for a in experiment.algorithms)
    word = "algorithm" if len(experiment.algorithms) == 1 else "algorithms"
    echo(f"{experiment.name}: {plural(len(plans), 'data set')}; {experiment.cv.scheme}; {word} {algorithms}")
    for line in preparation(experiment.algorithms, [plan.survey for plan in plans]):
        echo(line)
    echo(f"Results: {folder}\n")
    echo(
        tabulate(
            rows,
            ["data set", "rows", "cells", "done", "failed", "to do"],
            disable_numparse=True,
            colalign=("left", *["right"] * 5),
        )
    )


@main.command()
@click.argument("run")
@click.option(
    "--metric", help="One metric, or a learner's diagnostic (conditions), instead of the experiment's tables."
)
@click.option("--baseline", help="The algorithm that the others are compared with.")
@click.option(
    "--test",
    "tests",
    multiple=True,
    help="sign, corrected-t, paired-t (ignores that trials share rows), wilcoxon, friedman; may be repeated.",
)
@click.option("--transpose", is_flag=True, help="One row per algorithm and one column per data set.")
@format_option
@output_option
@example("lazybayes tables quickstart --metric auc --baseline LBR --format markdown")
def tables(
    run: str,
    metric: str | None,
    baseline: str | None,
    tests: tuple[str, ...],
    transpose: bool,
    fmt: str,
    output: Path | None,
) -> None:
    """Print the tables of a run, from its results alone.

    Text is folded at the width of the terminal (or at COLUMNS). CSV holds the rows alone, with their kind (data or
    summary); the other formats add the title and the notes.
    """
    from lazybayes.evaluate.runner import outdated
    from lazybayes.locate import find_run
    from lazybayes.report.formats import transposed
    from lazybayes.report.tables import choose, reports
    from lazybayes.results.store import Store

    folder = find_run(run, tell=lambda text: echo(text, err=True))
    for notice in outdated(folder):
        echo(notice, err=True)
    with Store(folder) as store:
        experiment = store.experiment
        found = reports(store, experiment, choose(experiment, metric, baseline, tests or None))
    show(list(map(transposed, found)) if transpose else found, fmt, output)


@main.command()
@click.argument("run")
@click.option("--what", type=click.Choice(["results", "predictions", "classes"]), default="results", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    default="-",
    help="A CSV file; an existing one is replaced.  [default: standard output]",
)
@click.option(
    "--for-spreadsheets",
    is_flag=True,
    help="Put an apostrophe before names that a spreadsheet would run as formulas (= + - @).",
)
@example("lazybayes export quickstart --what predictions --output predictions.csv")
def export(run: str, what: str, output: Path, for_spreadsheets: bool) -> None:
    """Write a run's results (one row per trial), predictions (one row per test row) or classes as CSV.

    Predictions give each class by its code and its name; p0, p1, ... are the probabilities of codes 0, 1, ...
    """
    from lazybayes.locate import find_run
    from lazybayes.output import check_output
    from lazybayes.results.export import export_classes, export_predictions, export_results
    from lazybayes.results.store import Store

    write = {"results": export_results, "predictions": export_predictions, "classes": export_classes}[what]
    check_output(output)
    with Store(find_run(run)) as store:
        write(store, output, for_spreadsheets=for_spreadsheets)
    echo_file(output)


@main.command()
@click.argument("run")
@click.option("--dataset", help="May be left out where there is only one.")
@click.option("--algorithm", required=True)
@click.option("--row", type=click.IntRange(min=0), required=True, help="The row's number in the data file, from 0.")
@click.option("--file", help="Which of several data files --row counts in.  [default: through all of them]")
@click.option("--repeat", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--offline", is_flag=True, help="Fetch nothing.")
@example("lazybayes explain quickstart --dataset tic-tac-toe --algorithm LBR --row 17")
def explain(
    run: str, dataset: str | None, algorithm: str, row: int, file: str | None, repeat: int, offline: bool
) -> None:
    """Show how one row was classified in the fold that tests it: the rule, its rows, each attribute's log-odds."""
    from lazybayes.data.table import number_of
    from lazybayes.evaluate.trial import fitted, only_dataset
    from lazybayes.locate import find_run
    from lazybayes.report.explanation import explain as text
    from lazybayes.results.store import Store

    with Store(find_run(run)) as store:
        experiment, surveys = store.experiment, store.surveys()
    dataset = only_dataset(experiment, dataset)
    if file and dataset in surveys:
        row = number_of(file, row, surveys[dataset].files)
    found = fitted(experiment, dataset, algorithm, row, repeat, known=surveys.get(dataset), offline=offline)
    echo(text(found, algorithm, row))


for command in (compare, figures, analyse, network, datasets):
    main.add_command(command)


@main.group()
@example("lazybayes learners show lbr")
def learners() -> None:
    """The built-in learners."""


@learners.command("list")
@example("lazybayes learners list")
def learners_list() -> None:
    """List the learners."""
    from lazybayes.report.learners import listing

    echo(listing(line_width() or 100))


@learners.command("show")
@click.argument("name")
@example("lazybayes learners show lbr")
def learners_show(name: str) -> None:
    """Show a learner's parameters with defaults, what it does with missing values and numeric attributes, its paper."""
    from lazybayes.report.learners import description

    echo(description(name))


def _pairs(option: str, values: tuple[str, ...], kinds: tuple[str, ...]) -> dict[str, list[str]]:
    """Values like dataset=wine by their kind."""
    found: dict[str, list[str]] = {kind: [] for kind in kinds}
    for value in values:
        kind, equals, name = value.partition("=")
        if not equals or kind not in kinds or not name:
            allowed = " or ".join(f"{option} {kind}=NAME" for kind in kinds)
            raise UsageError(f"{option} {value} is not understood; {allowed} is expected")
        found[kind].append(name)
    return found
