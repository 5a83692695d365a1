"""Cells computed in this process or in workers, one by one, in any order.

Workers are processes of joblib's loky backend. They get cells by reference and load the data themselves. Threads of
BLAS are pinned to one, here as there. A worker that dies (out of memory, say) fails the cell that killed it, and no
other.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager

from lazybayes.evaluate.cell import Job, run_cell
from lazybayes.evaluate.records import FAILED, Cell, Result

Results = Generator[Result, None, None]

WATCH = 0.5
"""Seconds between two looks of a worker at whether its parent lives."""
DIED = "the worker process died while it computed this cell (out of memory, or killed)"


def compute(cells: Sequence[Cell], job: Job, jobs: int, started: Callable[[Cell], None]) -> Results:
    """The results of cells as they come. started: told of each cell that is handed out, perhaps from another thread.

    Closing the iterator, or an exception in it, ends the workers.
    """
    workers = min(jobs, len(cells))
    return _here(cells, job, started) if workers <= 1 else _in_workers(cells, job, workers, started)


def _here(cells: Sequence[Cell], job: Job, started: Callable[[Cell], None]) -> Results:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        for cell in cells:
            started(cell)
            yield run_cell(cell, job)


def _in_workers(cells: Sequence[Cell], job: Job, workers: int, started: Callable[[Cell], None]) -> Results:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    returned: set[str] = set()
    waiting = list(cells)
    try:
        while waiting:
            handed: dict[str, Cell] = {}
            try:
                for result in _parallel(_handed_out(waiting, handed, started), job, workers):
                    returned.add(result.key)
                    yield result
            except BrokenProcessPool:
                for cell in [cell for cell in list(handed.values()) if cell.key not in returned]:
                    result = _by_itself(cell, job, workers)
                    returned.add(result.key)
                    yield result
            waiting = [cell for cell in waiting if cell.key not in returned]
    finally:
        _end_workers()


def _handed_out(cells: list[Cell], handed: dict[str, Cell], started: Callable[[Cell], None]) -> Iterator[Cell]:
    for cell in cells:
        handed[cell.key] = cell
        started(cell)
        yield cell


def _by_itself(cell: Cell, job: Job, workers: int) -> Result:
    """The result of a cell that was in hand when a worker died: computed alone, it shows whether it was the cause."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        (result,) = _parallel(iter([cell]), job, workers)
        return result
    except BrokenProcessPool:
        return Result(key=cell.key, status=FAILED, message=DIED, traceback=DIED)


def _parallel(cells: Iterator[Cell], job: Job, workers: int) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config

    own = {"initializer": _end_with_parent, "initargs": (os.getpid(),)}
    with parallel_config(backend="loky", inner_max_num_threads=1, max_nbytes=None, **own):
        parallel = Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
        with _interrupts_for_the_parent_alone():
            results = parallel(delayed(run_cell)(cell, job) for cell in cells)
    try:
        for result in results:  # noqa: UP028 (`yield from` would close them before their warning is caught)
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's word on the cells it had to cancel
            results.close()


def _end_with_parent(parent: int) -> None:
    """In a worker: a thread that ends the process soon after the parent has died, even by `kill -9`."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_for_the_parent_alone() -> Iterator[None]:
    """What is started in here never sees Ctrl-C, which a terminal sends to every process of a command."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker as tracker

    from joblib.externals.loky.backend import resource_tracker as own_tracker

    for each in (tracker, own_tracker):  # starting one lets Ctrl-C through again, so they start before
        each.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_workers() -> None:
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
