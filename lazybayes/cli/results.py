"""The commands that read the results of runs: tables, export, explain, compare, figures, analyse."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lazybayes.cli.options import echo, echo_file, example, format_option, line_width, output_option
from lazybayes.statistics.tests import TESTS

if TYPE_CHECKING:
    from lazybayes.report.formats import Report


def show(reports: Sequence[Report], formats: tuple[str, ...], output: Path | None) -> None:
    """Prints tables in one format, or writes them into a folder and prints the file names.

    formats: if empty, text; with a folder, all formats.
    """
    from lazybayes.errors import UsageError
    from lazybayes.report.files import write_reports
    from lazybayes.report.formats import document

    if output is None:
        if len(formats) > 1:
            raise UsageError(f"--format {', '.join(formats)}: give one format, or write files with --output FOLDER")
        fmt = formats[0] if formats else "text"
        text = document(reports, fmt, line_width()).rstrip("\n")
        if fmt == "csv" and not sys.stdout.isatty():
            print(text)  # data, unescaped
        else:
            echo(text)
        return
    for path in write_reports(reports, output, formats):
        echo(path)


@click.command()
@click.argument("run")
@click.option(
    "--metric", help="Show this metric or learner's diagnostic (such as conditions) instead of the experiment's tables."
)
@click.option("--baseline", help="The algorithm with which the others are compared.")
@click.option(
    "--test",
    "tests",
    multiple=True,
    help=f"{', '.join(TESTS)}; may be repeated. paired-t ignores that trials share rows.",
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
    formats: tuple[str, ...],
    output: Path | None,
) -> None:
    """Print the tables of a run from its stored results.

    Wide text tables are folded at the width of the terminal (or COLUMNS). CSV contains only the rows, with their kind
    (data or summary); the other formats add the title and the notes.
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
    show(list(map(transposed, found)) if transpose else found, formats, output)


@click.command()
@click.argument("run")
@click.option("--what", type=click.Choice(["results", "predictions", "classes"]), default="results", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    default="-",
    help="A CSV file; an existing file is replaced.  [default: standard output]",
)
@click.option(
    "--for-spreadsheets",
    is_flag=True,
    help="Put an apostrophe before names that a spreadsheet would interpret as formulas (= + - @).",
)
@example("lazybayes export quickstart --what predictions --output predictions.csv")
def export(run: str, what: str, output: Path, for_spreadsheets: bool) -> None:
    """Write a run's results (one row per trial), predictions (one row per test row) or classes as CSV.

    Predictions contain each class as a code and as a name; p0, p1, ... are the probabilities of codes 0, 1, ...
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


@click.command()
@click.argument("run")
@click.option("--dataset", help="May be left out where there is only one.")
@click.option("--algorithm", required=True)
@click.option("--row", type=click.IntRange(min=0), required=True, help="The row's number in the data file, from 0.")
@click.option(
    "--file",
    help="The data file in which --row is counted, if there are several.  [default: --row counts through all files]",
)
@click.option("--repeat", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--offline", is_flag=True, help="Download nothing.")
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


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--published", required=True, metavar="PAPER", help="A paper's name (lbr2000), or a file of published figures."
)
@click.option(
    "--as",
    "readings",
    metavar="PUBLISHED=OWN",
    multiple=True,
    help="Compare the run's algorithm OWN with the paper's PUBLISHED; if repeated, each gets its own column.",
)
@click.option("--strict", is_flag=True, help="Fail every gate that cannot be judged, whatever the reason.")
@format_option
@output_option
@example("lazybayes compare lbr2000 --published lbr2000")
def compare(
    runs: tuple[str, ...],
    published: str,
    readings: tuple[str, ...],
    strict: bool,
    formats: tuple[str, ...],
    output: Path | None,
) -> int:
    """Compare a paper's published figures with runs; exit status 1 if a gate fails.

    Each figure has a gate or a tolerance, or is only reported. Each figure is judged on the first run to which it
    applies; other runs (with other seeds, or the run on the training rows that some figures need) are shown beside
    it. A gate fails if any of its trials failed or is unfinished. A gate is not judged if the run does not include
    what it needs (a data set, an algorithm); the output says so. The worked examples of textbooks need no run:
    lazybayes compare --published textbooks
    """
    from lazybayes.errors import UsageError
    from lazybayes.locate import find_run
    from lazybayes.published.claims import load_published
    from lazybayes.published.judge import compare as judge
    from lazybayes.published.judge import exit_status
    from lazybayes.published.runs import substitute, view_of_run
    from lazybayes.published.view import View
    from lazybayes.report.comparison import comparison, summary

    paper = load_published(published)
    if not runs and not paper.needs_no_run:
        raise UsageError(
            f"compare needs a run to compare with {paper.name}: lazybayes compare RUN --published {published}"
        )
    if readings and not runs:
        raise UsageError("--as needs a run: lazybayes compare RUN --as PUBLISHED=OWN")
    views = [view_of_run(run, find_run(run), paper) for run in runs] or [View.nothing()]
    views = substitute(readings, paper, views) if readings else views
    lines = judge(paper, views, strict=strict)
    show(comparison(paper, lines, [view.label for view in views]), formats, output)
    if output is not None:
        echo(summary(lines), err=True)
    return exit_status(lines)


@click.command()
@click.argument("run")
@click.option(
    "--kind",
    type=click.Choice(["errors", "confusion"]),
    default="errors",
    show_default=True,
    help="Errors of two algorithms over the data sets, or the confusion between each data set's classes.",
)
@click.option("--dataset", "datasets", multiple=True, help="With --kind confusion; may be repeated.  [default: all]")
@click.option(
    "--algorithm", "algorithms", multiple=True, help="With --kind confusion; may be repeated.  [default: all]"
)
@click.option("--baseline", help="The algorithm to compare.  [default: the baseline of the experiment's tables]")
@click.option(
    "--rival",
    "rivals",
    multiple=True,
    help="An algorithm to compare with the baseline; may be repeated.  [default: all]",
)
@click.option(
    "--output", type=click.Path(path_type=Path), help="Output folder.  [default: figures in the results folder]"
)
@click.option("--format", "suffixes", default="png,svg,pdf", show_default=True, help="Formats, separated by commas.")
@example("lazybayes figures quickstart --baseline LBR --rival NB --format png")
def figures(
    run: str,
    kind: str,
    datasets: tuple[str, ...],
    algorithms: tuple[str, ...],
    baseline: str | None,
    rivals: tuple[str, ...],
    output: Path | None,
    suffixes: str,
) -> None:
    """Draw error curves with standard errors and scatter plots of errors as PNG, SVG and PDF files.

    The curves sort the data sets by the difference of the two error rates. A confusion figure has one row per true
    class and one column per predicted class. Needs matplotlib.
    """
    from lazybayes.errors import UsageError
    from lazybayes.locate import find_run
    from lazybayes.report.confusion import chosen, of_store
    from lazybayes.report.figures import SUFFIXES, stale_figures, write_confusions, write_figures
    from lazybayes.results.frame import load_frame
    from lazybayes.results.store import FILE, Store
    from lazybayes.statistics.matrix import from_frame

    wanted = tuple(dict.fromkeys(suffix.strip().lower() for suffix in suffixes.split(",")))
    for suffix in wanted:
        if suffix not in SUFFIXES:
            raise UsageError(f"--format {suffix or suffixes}: expected {', '.join(SUFFIXES)}, separated by commas")
    given = {"errors": (baseline, *rivals), "confusion": (*datasets, *algorithms)}
    if any(given["errors" if kind == "confusion" else "confusion"]):
        raise UsageError("--dataset and --algorithm need --kind confusion; --baseline and --rival need --kind errors")
    folder = find_run(run)
    target = output or folder / "figures"
    with Store(folder) as store:
        if kind == "confusion":
            paths = write_confusions(chosen(of_store(store), datasets, algorithms), target, wanted)
        else:
            matrix = from_frame(load_frame(store, ["error"]), "error", "lower")
            baseline = baseline or next((t.baseline for t in store.experiment.tables if t.baseline), None)
            if baseline is None:
                raise UsageError(
                    f"no table of {run} has a baseline: give --baseline NAME ({', '.join(matrix.algorithms)})"
                )
            paths = write_figures(matrix, baseline, rivals, target, wanted, store.experiment.name)
    for path in paths:
        echo(path)
    if kind == "errors" and not any(path.name.startswith("curves-") for path in paths):
        echo("curves need at least two data sets; only the scatter plot is drawn", err=True)
    if old := stale_figures(target, paths, (folder / FILE).stat().st_mtime):
        names = ", ".join(path.name for path in old)
        echo(f"{target} contains figures older than the results; draw them again or remove them: {names}", err=True)


@click.group()
@example("lazybayes analyse rules quickstart")
def analyse() -> None:
    """Analyse the stored results of a run."""


@analyse.command()
@click.argument("run")
@format_option
@output_option
@example("lazybayes analyse rules quickstart --format markdown")
def rules(run: str, formats: tuple[str, ...], output: Path | None) -> None:
    """Show the rules of a lazy learner (LBR) per data set: mean conditions, rows classified by plain naive Bayes."""
    from lazybayes.locate import find_run
    from lazybayes.report.analysis import rules as tables
    from lazybayes.results.frame import load_frame
    from lazybayes.results.store import Store

    with Store(find_run(run)) as store:
        reports = tables(load_frame(store, []), store.experiment.name)
    show(reports, formats, output)


@analyse.command("small-disjuncts")
@click.argument("run")
@click.option("--algorithm", "algorithms", multiple=True, help="A tree learner; may be repeated.  [default: all]")
@format_option
@output_option
@example("lazybayes analyse small-disjuncts lbr2000 --algorithm BT --algorithm C4.5")
def small_disjuncts(run: str, algorithms: tuple[str, ...], formats: tuple[str, ...], output: Path | None) -> None:
    """Show the errors of trees by leaf size, beside the errors of the other algorithms on the same test rows.

    Leaf size is the number of training rows at the leaf that a test row reaches. Small disjuncts are leaves with few
    training rows (Zheng & Webb 2000, section 5.5).
    """
    from lazybayes.locate import find_run
    from lazybayes.report.analysis import disjuncts
    from lazybayes.results.store import Store
    from lazybayes.statistics.disjuncts import small_disjuncts as groups

    with Store(find_run(run)) as store:
        name = store.experiment.name
        parts = groups(store.predictions(), algorithms)
    show([disjuncts(part, name) for part in parts], formats, output)
