"""The commands for a config: `lazybayes run` and `lazybayes check`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from lazybayes.cli.options import echo, example
from lazybayes.cli.results import show
from lazybayes.errors import UsageError
from lazybayes.messages import plural


@click.command()
@click.argument("config")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Number of worker processes.  [default: all cores]",
)
@click.option(
    "--only", multiple=True, metavar="KIND=NAME", help="Run only dataset=NAME or algorithm=NAME; may be repeated."
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Override the config's seed; the run is called NAME-seed-SEED."
)
@click.option("--fresh", is_flag=True, help="Recompute all selected trials.")
@click.option(
    "--redo", multiple=True, metavar="algorithm=NAME", help="Recompute an algorithm's trials; may be repeated."
)
@click.option("--output", type=click.Path(path_type=Path), help="The results folder.  [default: results/NAME]")
@click.option("--offline", is_flag=True, help="Download nothing.")
@click.option("--at-hand", is_flag=True, help="With --offline: run the data sets that need no download.")
@click.option("--quiet", "-q", is_flag=True, help="Print only warnings and errors, no progress or tables.")
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
    at_hand: bool,
    quiet: bool,
) -> int:
    """Run an experiment, or resume it, and print its tables.

    Finished trials are kept in the results folder. A trial is recomputed only if something it depends on has changed.
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
    if at_hand and not offline:
        raise UsageError("--at-hand needs --offline")
    summary = runner.run(
        experiment,
        store_dir=folder,
        jobs=jobs,
        only_datasets=chosen["dataset"],
        only_algorithms=chosen["algorithm"],
        fresh=fresh,
        redo=_pairs("--redo", redo, ("algorithm",))["algorithm"],
        offline=offline,
        at_hand=at_hand,
        progress=Progress(quiet=quiet),
    )
    if not quiet:
        echo(f"Results: {folder}\n", err=True)
        with Store(folder) as store:
            tables = reports(store, experiment, choose(experiment, None, None, None))
        show(tables, (), None)
    for line in summary.lines():
        echo(line, err=True)
    return summary.exit_status


@click.command()
@click.argument("config")
@click.option("--output", type=click.Path(path_type=Path), help="The results folder.  [default: results/NAME]")
@click.option("--offline", is_flag=True, help="Download nothing.")
@example("lazybayes check my-experiment.yaml")
def check(config: str, output: Path | None, offline: bool) -> None:
    """Validate a config and print its plan: data sets, trials, and how many trials are done.

    A config is code: the modules of its dotted paths are imported, and the constructors of their classes are called.
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
    counts = {p.survey.name: (p.survey.n_rows, p.trials, p.done, p.failed, p.trials - p.done) for p in plans}
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
            ["data set", "rows", "trials", "done", "failed", "to do"],
            disable_numparse=True,
            colalign=("left", *["right"] * 5),
        )
    )


def _pairs(option: str, values: tuple[str, ...], kinds: tuple[str, ...]) -> dict[str, list[str]]:
    """Groups values such as dataset=wine by their kind."""
    names: dict[str, list[str]] = {kind: [] for kind in kinds}
    for value in values:
        kind, equals, name = value.partition("=")
        if not equals or kind not in kinds or not name:
            allowed = " or ".join(f"{option} {kind}=NAME" for kind in kinds)
            raise UsageError(f"{option} {value}: expected {allowed}")
        names[kind].append(name)
    return names
