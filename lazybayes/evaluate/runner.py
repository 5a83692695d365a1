"""Runs an experiment: plans its trials, skips those that are done, computes the others and stores each result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from lazybayes.errors import RunError, StoreError, UsageError
from lazybayes.evaluate import plan
from lazybayes.evaluate.pool import compute
from lazybayes.evaluate.progress import Progress
from lazybayes.evaluate.trial import Job
from lazybayes.experiment import Experiment
from lazybayes.messages import nearest, plural
from lazybayes.metrics.registry import METRICS, MetricSettings, canonical
from lazybayes.results.database import RunLock
from lazybayes.results.records import DONE, FAILED, Result, StoredTrial, Survey, Trial
from lazybayes.results.store import Store, has_results, last_run, mend
from lazybayes.snapshot import changes

REMEDIES = (("contains NaN", "set the algorithm's `preprocess: {impute: mode-mean}` to fill in missing values"),)
"""Parts of foreign learners' messages, each with a remedy."""


@dataclass(frozen=True)
class Failure:
    """A failed trial with a one-line reason; the store contains the traceback."""

    dataset: str
    algorithm: str
    repeat: int
    fold: int
    message: str


@dataclass(frozen=True)
class Summary:
    """What a run did: selected trials; those done by earlier runs; those computed by this run, including failures."""

    trials: int
    before: int
    computed: int
    failures: tuple[Failure, ...]

    @property
    def exit_status(self) -> int:
        """1 if a trial failed."""
        return 1 if self.failures else 0

    def lines(self, limit: int = 10) -> list[str]:
        """The failures for the user: up to `limit` lines, one per data set, algorithm and reason, and how many more."""
        if not self.failures:
            return []
        alike: dict[tuple[str, str, str], list[Failure]] = {}
        for failure in self.failures:
            alike.setdefault((failure.dataset, failure.algorithm, failure.message), []).append(failure)
        groups = list(alike.values())
        unseen = sum(map(len, groups[limit:]))
        head = (
            f"{len(self.failures)} of {plural(self.trials, 'trial')} failed (run the same command to try them again):"
        )
        return [head, *map(_failure_line, groups[:limit]), *([f"  and {unseen} more"] if unseen else [])]


def _failure_line(failures: Sequence[Failure]) -> str:
    """Failures of one algorithm on one data set for one reason, with a remedy if one is known."""
    first = failures[0]
    place = f"repeat {first.repeat}, fold {first.fold}"
    if len(failures) > 1:
        place = f"{plural(len(failures), 'trial')} (the first: {place})"
    remedy = next((f" ({remedy})" for part, remedy in REMEDIES if part in first.message), "")
    return f"  {first.dataset}, {first.algorithm}, {place}: {first.message}{remedy}"


@dataclass(frozen=True)
class Outlook:
    """The plan of one data set: its survey, its number of trials, and how many are done or failed."""

    survey: Survey
    trials: int
    done: int
    failed: int


def run(
    experiment: Experiment,
    *,
    store_dir: Path | str,
    jobs: int = 1,
    only_datasets: Sequence[str] = (),
    only_algorithms: Sequence[str] = (),
    fresh: bool = False,
    redo: Sequence[str] = (),
    offline: bool = False,
    at_hand: bool = False,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Summary:
    """Computes the experiment's trials that are not done yet, and returns a summary.

    only_datasets, only_algorithms: names to select (if empty, all). fresh: deletes the selected trials first; redo:
    deletes those of these algorithms. offline: downloads nothing; at_hand: leaves out data sets that cannot be
    downloaded, with a notice. tell: called once with every notice for the user (default: print to stderr).

    Raises UsageError for a name that is not in the experiment, DataError or ConfigError for data that cannot be used,
    StoreError if the folder cannot be used, contains the results of an experiment with another name, or is in use by
    another run; RunError if results are missing from the folder at the end. After Ctrl-C it ends the workers, keeps
    what is done, and raises KeyboardInterrupt with a message for the user.
    """
    datasets = _choice("data set", only_datasets, [entry.name for entry in experiment.datasets])
    algorithms = _choice("algorithm", only_algorithms, [algorithm.name for algorithm in experiment.algorithms])
    again = _choice("algorithm", redo, [algorithm.name for algorithm in experiment.algorithms]) if redo else []
    for name in again:
        if name not in algorithms:
            raise UsageError(
                f"--redo algorithm={name}: {name} is not selected; add --only algorithm={name} or drop --redo"
            )
    progress = progress or Progress()
    notices = _Notices(tell or progress.tell)
    folder = Path(store_dir)
    with RunLock(folder) as lock:
        known, last = _earlier_run(folder, lock, experiment, notices) if has_results(folder) else ({}, None)
        loaded = plan.surveys(experiment, datasets, offline=offline, at_hand=at_hand)
        datasets = _loaded(datasets, loaded, experiment, notices)
        surveys = plan.with_known(experiment, loaded, known)
        lock.acquire()
        changed = changes(last, experiment) if last else []
        if last and changed:
            notice = f"{last_run(folder, last, experiment)}, which differs in {', '.join(changed)}; its trials are kept"
            notices.tell_all("", [notice])
        for name in datasets:
            notices.tell_all(name, surveys[name].notices)
        with Store(folder, write=True) as store:
            trials = list(plan.trials(experiment, surveys))
            store.begin(experiment, surveys, trials)
            selected = [
                trial for trial in trials if trial.dataset.name in datasets and trial.algorithm.name in algorithms
            ]
            store.forget(trial.key for trial in selected if fresh or trial.algorithm.name in again)
            job = Job(
                experiment.metrics,
                MetricSettings(experiment.cll_floor, experiment.auc),
                experiment.predictions,
                offline,
            )
            complete = {trial.key for trial in store.trials() if _is_complete(trial, job)}
            # Equal algorithms share a trial.
            to_do = {trial.key: trial for trial in selected if trial.key not in complete}
            computed = _run(store, to_do, complete & {trial.key for trial in selected}, job, jobs, progress, notices)
        summary = _summary(folder, selected, computed, job)
        progress.end()
        return summary


def _earlier_run(
    folder: Path, lock: RunLock, experiment: Experiment, notices: _Notices
) -> tuple[dict[str, Survey], Experiment | None]:
    """The surveys and the experiment of the last run, after repairing a damaged file."""
    known, last = {}, None
    lock.acquire()
    notices.tell_all("", mend(folder))
    with Store(folder) as store:
        store.check_name(experiment)
        with suppress(StoreError):  # no results yet, another version, or damaged
            known = store.surveys()
            last = store.experiment
            notices.tell_all("", plan.outdated(last, known, store.trials()))
    return known, last


def _loaded(
    selected: Sequence[str], loaded: Mapping[str, Survey], experiment: Experiment, notices: _Notices
) -> Sequence[str]:
    """The selected data sets that were loaded. Raises UsageError if there are none."""
    if not loaded:
        raise UsageError(f"{experiment.name}: no data set is at hand without a download")
    absent = [name for name in selected if name not in loaded]
    if absent:
        notices.tell_all("", [f"Not at hand, left out: {', '.join(absent)}"])
    return [name for name in selected if name in loaded]


def outlook(experiment: Experiment, *, store_dir: Path | str, offline: bool = False) -> list[Outlook]:
    """The plan per data set, compared with what is stored; writes nothing. Raises like `run`."""
    stored: dict[str, str] = {}
    if has_results(Path(store_dir)):
        with Store(store_dir) as store:
            store.check_name(experiment)
            stored = store.statuses()
    names = [entry.name for entry in experiment.datasets]
    surveys = plan.surveys(experiment, names, offline=offline)
    statuses: dict[str, Counter[str]] = {name: Counter() for name in names}
    for trial in plan.trials(experiment, surveys) if stored else ():  # without results, the keys are not needed
        statuses[trial.dataset.name][stored.get(trial.key, "")] += 1
    return [
        Outlook(
            survey=surveys[name],
            trials=len(surveys[name].folds) * len(experiment.algorithms),
            done=statuses[name][DONE],
            failed=statuses[name][FAILED],
        )
        for name in names
    ]


def outdated(folder: Path) -> list[str]:
    """Notices on foreign learners whose code has changed since the last run into a results folder."""
    with suppress(StoreError), Store(folder) as store:
        return plan.outdated(store.experiment, store.surveys(), store.trials())
    return []


def _run(
    store: Store,
    to_do: Mapping[str, Trial],
    complete: Collection[str],
    job: Job,
    jobs: int,
    progress: Progress,
    notices: _Notices,
) -> dict[str, str]:
    """Computes trials and stores each result; returns their statuses by key."""
    computed: dict[str, str] = {}
    progress.begin(len(complete) + len(to_do), len(complete))

    def started(trial: Trial) -> None:
        progress.started(trial.key, trial.label)

    try:
        with closing(compute(list(to_do.values()), job, jobs, started)) as results:
            for result in results:
                store.put(result)
                computed[result.key] = result.status
                notices.of_trial(to_do[result.key], result)
                progress.finished(result.key, failed=result.status == FAILED)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(progress.interrupted()) from None
    return computed


def _summary(folder: Path, selected: Sequence[Trial], computed: Mapping[str, str], job: Job) -> Summary:
    """Summarizes the stored trials. It reopens the folder, which may have been removed or replaced during the run.

    Raises RunError if the folder lacks any trial that the run computed or that was done before.
    """
    keys = {trial.key for trial in selected}
    columns = {(trial.dataset.name, trial.algorithm.name) for trial in selected}
    try:
        with Store(folder) as store:
            store.check_predictions()
            stored = [trial for trial in store.trials() if (trial.dataset, trial.algorithm) in columns]
    except StoreError as problem:
        raise RunError(f"the results are missing at the end of the run: {problem}") from problem
    present = {
        trial.key
        for trial in stored
        if trial.status == computed.get(trial.key, DONE) and (trial.status == FAILED or _is_complete(trial, job))
    }
    if present != keys:
        raise RunError(
            f"{folder} has the results of only {len(present & keys)} of {plural(len(keys), 'trial')}: a worker lost "
            "them, or the folder was replaced during the run; run the same command to compute what is missing"
        )
    failures = tuple(
        Failure(trial.dataset, trial.algorithm, trial.repeat, trial.fold, trial.message)
        for trial in stored
        if trial.status == FAILED
    )
    return Summary(len(keys), len(keys) - len(computed), len(computed), failures)


def _is_complete(trial: StoredTrial, job: Job) -> bool:
    """Whether a stored trial has everything that the experiment requests."""
    if trial.status != DONE or (job.predictions and not trial.kept):
        return False
    wanted = (name for name in job.metrics if name in METRICS and METRICS[name].compute)
    return trial.kept or all(canonical(name, job.settings) in trial.measures for name in wanted)


def _choice(kind: str, names: Iterable[str], known: Sequence[str]) -> Sequence[str]:
    """The checked names; all known names if none are given."""
    for name in names:
        if name not in known:
            raise UsageError(f"the experiment has no {kind} {name}{nearest(name, known)}; it has {', '.join(known)}")
    return list(names) or known


class _Notices:
    """Passes on every notice once per data set; of a learner's warnings, the first of each kind per data set."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[tuple[str, ...]] = set()

    def tell_all(self, dataset: str, notices: Iterable[str]) -> None:
        for notice in notices:
            self._once(notice, dataset, notice)

    def of_trial(self, trial: Trial, result: Result) -> None:
        self.tell_all(trial.dataset.name, result.notices)
        for kind, text in result.warnings:
            self._once(f"{trial.label}: {kind}: {text}", trial.dataset.name, trial.algorithm.name, kind)

    def _once(self, text: str, *what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self._tell(text)
