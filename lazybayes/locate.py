"""Finds the results of a RUN: the name of a config, a config file or a results folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lazybayes.config import load_config
from lazybayes.errors import ConfigError, StoreError
from lazybayes.experiment import Experiment
from lazybayes.files import exists, is_file, is_folder
from lazybayes.results.store import FILE, Store, has_results, last_run
from lazybayes.snapshot import SHOWN, changes


def results_folder(experiment: Experiment) -> Path:
    """The default results folder of an experiment."""
    return Path("results") / experiment.name


def find_run(run: str, tell: Callable[[str], None] | None = None) -> Path:
    """The results folder of a RUN; if a name matches both a folder and a shipped config, the folder wins.

    tell: called with a notice if the config's tables or metrics differ from those of the last run.

    Raises ConfigError if RUN is an invalid config, StoreError if it is not a config, has not been run yet, or its
    folder was last run for another experiment or with another plan.
    """
    for folder in (Path(run), Path("results") / run):
        if has_results(folder):
            return folder
    for folder in (Path(run), Path("results") / run):
        if is_folder(folder) and (folder == Path(run) or is_file(folder / FILE)):
            Store(folder).close()  # raises an error that says what is wrong with it
    try:
        experiment = load_config(run)
    except ConfigError as problem:
        if exists(run):
            raise
        config = f"{run}.yaml"
        hint = f"; {config} has not been run yet: run `lazybayes run {config}`" if is_file(config) else ""
        text = f"there are no results in {run} or {Path('results') / run}{hint or f'; as a config: {problem}'}"
        raise StoreError(text) from None
    folder = results_folder(experiment)
    if not has_results(folder):
        raise StoreError(f"there are no results in {folder} yet: run `lazybayes run {run}`")
    with Store(folder) as store:
        store.check_name(experiment)
        last = store.experiment
    changed = changes(last, experiment)
    if changed:
        raise StoreError(
            f"{last_run(folder, last, experiment)}, which differs from that of {run} in {', '.join(changed)}: "
            f"run `lazybayes run {run}` to compute what is missing (the rest is kept), "
            f"or give {folder} instead of {run} to use the last run"
        )
    shown = changes(last, experiment, SHOWN)
    if shown and tell:
        tell(
            f"{run} differs from the last run in {folder} in its {' and '.join(shown)}; showing those of the last run: "
            f"run `lazybayes run {run}` to use the new ones"
        )
    return folder
