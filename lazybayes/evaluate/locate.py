"""Where an experiment's results are: a RUN is a config's name, a config file, or a results folder."""

from __future__ import annotations

from pathlib import Path

from lazybayes.config import load_config
from lazybayes.errors import ConfigError, StoreError
from lazybayes.evaluate.store import Store, has_results
from lazybayes.experiment import Experiment


def results_folder(experiment: Experiment) -> Path:
    """Where an experiment's results go unless the user says otherwise."""
    return Path("results") / experiment.name


def find_run(run: str) -> Path:
    """The results folder of a RUN; where a name could mean a folder or a shipped config, the folder wins.

    Raises ConfigError if it is a config with mistakes, StoreError if it is none, has not been run yet, or its folder
    holds the results of another experiment.
    """
    for folder in (Path(run), Path("results") / run):
        if has_results(folder):
            return folder
    if Path(run).is_dir():
        raise StoreError(f"{run} is no results folder: it has no results.sqlite")
    try:
        experiment = load_config(run)
    except ConfigError as problem:
        if Path(run).exists():
            raise
        raise StoreError(f"there are no results in {run} or {Path('results') / run}; as a config: {problem}") from None
    folder = results_folder(experiment)
    if not has_results(folder):
        raise StoreError(f"there are no results in {folder} yet: `lazybayes run {run}` makes them")
    with Store(folder) as store:
        store.check_name(experiment)
    return folder
