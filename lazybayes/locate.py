"""Where an experiment's results are: a RUN is a config's name, a config file, or a results folder."""

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
    """Where an experiment's results go unless the user says otherwise."""
    return Path("results") / experiment.name


def find_run(run: str, tell: Callable[[str], None] | None = None) -> Path:
    """The results folder of a RUN; where a name could mean a folder or a shipped config, the folder wins.

    tell: gets a notice if the config's tables or metrics are no longer those of the last run.

    Raises ConfigError if it is a config with mistakes, StoreError if it is none, has not been run yet, or its folder
    was last run for another experiment, or with another plan.
    """
    for folder in (Path(run), Path("results") / run):
        if has_results(folder):
            return folder
    for folder in (Path(run), Path("results") / run):
        if is_folder(folder) and (folder == Path(run) or is_file(folder / FILE)):
            Store(folder).close()  # raises what is wrong with it
    try:
        experiment = load_config(run)
    except ConfigError as problem:
        if exists(run):
            raise
        config = f"{run}.yaml"
        hint = f"; {config} has not been run: `lazybayes run {config}`" if is_file(config) else ""
        text = f"there are no results in {run} or {Path('results') / run}{hint or f'; as a config: {problem}'}"
        raise StoreError(text) from None
    folder = results_folder(experiment)
    if not has_results(folder):
        raise StoreError(f"there are no results in {folder} yet: `lazybayes run {run}` makes them")
    with Store(folder) as store:
        store.check_name(experiment)
        last = store.experiment
    changed = changes(last, experiment)
    if changed:
        raise StoreError(
            f"{last_run(folder, last, experiment)}, which differs from that of {run} in {', '.join(changed)}: "
            f"`lazybayes run {run}` computes what is missing and keeps the rest; "
            f"{folder} in the place of {run} shows the last run"
        )
    shown = changes(last, experiment, SHOWN)
    if shown and tell:
        tell(
            f"{run} has other {' and '.join(shown)} than the last run in {folder}, whose are shown: "
            f"`lazybayes run {run}` takes the new ones"
        )
    return folder
