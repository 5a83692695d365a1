"""Runs an experiment: plans its cells, skips what is done, computes the rest, keeps every result as it comes."""

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

REMEDIES = (("contains NaN", "the algorithm's `preprocess: {impute: mode-mean}` fills in missing values"),)
"""Parts of messages of foreign learners, with what a user can do."""


@dataclass(frozen=True)
class Failure:
    """A cell that failed, with the one-line reason; the store keeps the traceback."""

    dataset: str
    algorithm: str
    repeat: int
    fold: int
    message: str


@dataclass(frozen=True)
class Summary:
    """What a run did. cells: selected; before: of these done by earlier runs; computed: by this one, failures too."""

    cells: int
    before: int
    computed: int
    failures: tuple[Failure, ...]

    @property
    def exit_status(self) -> int:
        """1 if a cell failed."""
        return 1 if self.failures else 0

    def lines(self, limit: int = 10) -> list[str]:
        """What failed, for the user: at most `limit` lines, one per data set, algorithm and reason; how many more."""
        if not self.failures:
            return []
        alike: dict[tuple[str, str, str], list[Failure]] = {}
        for failure in self.failures:
            alike.setdefault((failure.dataset, failure.algorithm, failure.message), []).append(failure)
        groups = list(alike.values())
        unseen = sum(map(len, groups[limit:]))
        head = f"{len(self.failures)} of {plural(self.cells, 'cell')} failed (the same command tries them again):"
        return [head, *map(_failure_line, groups[:limit]), *([f"  and {unseen} more"] if unseen else [])]


def _failure_line(failures: Sequence[Failure]) -> str:
    """Failures of one algorithm on one data set for one reason, with what helps where that is known."""
    first = failures[0]
    place = f"repeat {first.repeat}, fold {first.fold}"
    if len(failures) > 1:
        place = f"{plural(len(failures), 'cell')} (the first: {place})"
    remedy = next((f" ({remedy})" for part, remedy in REMEDIES if part in first.message), "")
    return f"  {first.dataset}, {first.algorithm}, {place}: {first.message}{remedy}"


@dataclass(frozen=True)
class Outlook:
    """What a run of one data set would find: its survey, its cells, and how many of them are done or failed."""

    survey: Survey
    cells: int
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
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Summary:
    """Computes the experiment's cells that are not done yet, and returns what was done.

    only_datasets, only_algorithms: names to keep to (none = all). fresh: forgets the selected cells first; redo: those
    of these algorithms. tell: gets every notice for the user, once (default: printed to stderr).

    Raises UsageError for a name that is not in the experiment, DataError or ConfigError for data that cannot be used,
    StoreError if the folder cannot be used, holds the results of another experiment (one of another name), or another
    run is going on there; RunError if the results are not in the folder at the end. KeyboardInterrupt (Ctrl-C) leaves
    it with a message for the user, when the workers have ended and what is done is kept.
    """
    datasets = _chosen("data set", only_datasets, [entry.name for entry in experiment.datasets])
    algorithms = _chosen("algorithm", only_algorithms, [algorithm.name for algorithm in experiment.algorithms])
    again = _chosen("algorithm", redo, [algorithm.name for algorithm in experiment.algorithms]) if redo else []
    for name in again:
        if name not in algorithms:
            raise UsageError(f"algorithm {name} is to be computed again, but not among those to keep to (--only)")
    progress = progress or Progress()
    notices = _Notices(tell or progress.tell)
    folder = Path(store_dir)
    with RunLock(folder) as lock:
        known, last = {}, None
        if has_results(folder):
            lock.acquire()
            notices.tell_all("", mend(folder))
            with Store(folder) as kept:
                kept.check_name(experiment)
                with suppress(StoreError):  # none yet, of another version, or damaged
                    known = kept.surveys()
                    last = kept.experiment
                    notices.tell_all("", plan.outdated(last, known, kept.trials()))
        surveys = plan.surveys(experiment, datasets, known, offline=offline)
        lock.acquire()
        changed = changes(last, experiment) if last else []
        if last and changed:
            told = f"{last_run(folder, last, experiment)}, which differs in {', '.join(changed)}; its cells are kept"
            notices.tell_all("", [told])
        for name in datasets:
            notices.tell_all(name, surveys[name].notices)
        with Store(folder, write=True) as store:
            cells = list(plan.cells(experiment, surveys))
            store.begin(experiment, surveys, cells)
            selected = [cell for cell in cells if cell.dataset.name in datasets and cell.algorithm.name in algorithms]
            store.forget(cell.key for cell in selected if fresh or cell.algorithm.name in again)
            job = Job(
                experiment.metrics,
                MetricSettings(experiment.cll_floor, experiment.auc),
                experiment.predictions,
                offline,
            )
            complete = {held.key for held in store.trials() if _is_complete(held, job)}
            to_do = {cell.key: cell for cell in selected if cell.key not in complete}  # equal algorithms share a cell
            computed = _run(store, to_do, complete & {cell.key for cell in selected}, job, jobs, progress, notices)
        summary = _summary(folder, selected, computed, job)
        progress.end()
        return summary


def outlook(experiment: Experiment, *, store_dir: Path | str, offline: bool = False) -> list[Outlook]:
    """The plan, data set by data set, against what is stored; writes nothing. Raises as `run`."""
    found: dict[str, str] = {}
    if has_results(Path(store_dir)):
        with Store(store_dir) as store:
            store.check_name(experiment)
            found = store.statuses()
    names = [entry.name for entry in experiment.datasets]
    surveys = plan.surveys(experiment, names, {}, offline=offline)
    statuses: dict[str, Counter[str]] = {name: Counter() for name in names}
    for cell in plan.cells(experiment, surveys) if found else ():  # without results their keys are not needed
        statuses[cell.dataset.name][found.get(cell.key, "")] += 1
    return [
        Outlook(
            survey=surveys[name],
            cells=len(surveys[name].folds) * len(experiment.algorithms),
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
    """Computes cells and stores them as they come; the status of each, by key."""
    computed: dict[str, str] = {}
    progress.begin(len(complete) + len(to_do), len(complete))

    def started(cell: Trial) -> None:
        progress.started(cell.key, cell.label)

    try:
        with closing(compute(list(to_do.values()), job, jobs, started)) as results:
            for result in results:
                store.put(result)
                computed[result.key] = result.status
                notices.of_cell(to_do[result.key], result)
                progress.finished(result.key, failed=result.status == FAILED)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(progress.interrupted()) from None
    return computed


def _summary(folder: Path, selected: Sequence[Trial], computed: Mapping[str, str], job: Job) -> Summary:
    """What the folder has of these cells, opened anew: it may have been removed, or replaced, while the run went on.

    Raises RunError if it has not all that the run computed or was done before.
    """
    keys = {cell.key for cell in selected}
    chosen = {(cell.dataset.name, cell.algorithm.name) for cell in selected}
    try:
        with Store(folder) as store:
            store.check_predictions()
            stored = [held for held in store.trials() if (held.dataset, held.algorithm) in chosen]
    except StoreError as problem:
        raise RunError(f"at its end the run does not find its results: {problem}") from problem
    there = {
        held.key
        for held in stored
        if held.status == computed.get(held.key, DONE) and (held.status == FAILED or _is_complete(held, job))
    }
    if there != keys:
        raise RunError(
            f"{folder} has the results of {len(there & keys)} of {plural(len(keys), 'cell')} only: a worker lost them, "
            "or the folder was replaced while the run went on; the same command computes what is missing"
        )
    failures = tuple(
        Failure(held.dataset, held.algorithm, held.repeat, held.fold, held.message)
        for held in stored
        if held.status == FAILED
    )
    return Summary(len(keys), len(keys) - len(computed), len(computed), failures)


def _is_complete(held: StoredTrial, job: Job) -> bool:
    """Whether a stored cell has all that the experiment asks of it."""
    if held.status != DONE or (job.predictions and not held.kept):
        return False
    wanted = (name for name in job.metrics if name in METRICS and METRICS[name].compute)
    return held.kept or all(canonical(name, job.settings) in held.measures for name in wanted)


def _chosen(kind: str, names: Iterable[str], known: Sequence[str]) -> Sequence[str]:
    """The names, checked; all that are known if none are given."""
    for name in names:
        if name not in known:
            raise UsageError(f"the experiment has no {kind} {name}{nearest(name, known)}; it has {', '.join(known)}")
    return list(names) or known


class _Notices:
    """Tells every notice once: of a data set, and of a learner's warnings the first of each kind a data set."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[tuple[str, ...]] = set()

    def tell_all(self, dataset: str, notices: Iterable[str]) -> None:
        for notice in notices:
            self._once(notice, dataset, notice)

    def of_cell(self, cell: Trial, result: Result) -> None:
        self.tell_all(cell.dataset.name, result.notices)
        for kind, text in result.warnings:
            self._once(f"{cell.label}: {kind}: {text}", cell.dataset.name, cell.algorithm.name, kind)

    def _once(self, text: str, *what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self._tell(text)
