"""Computes trials in this process or in workers, yielding the results in any order.

Workers are loky processes (part of joblib). Foreign learners always run in a worker, even with one job. Workers receive
trials without their data and load the data themselves. BLAS uses one thread in this process and in workers. If a worker
dies (out of memory, or because a learner calls `os._exit`), only the trial that killed it fails.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress

from lazybayes.evaluate.trial import Job, failure, run_trial
from lazybayes.learners import registry
from lazybayes.memory import keep_freed_memory
from lazybayes.results.records import FAILED, Result, Trial

Results = Generator[Result, None, None]
InHand = dict[Future[Result], Trial]

WATCH = 0.5
"""Seconds between a worker's checks that its parent is alive."""
DIED = "the worker process died while computing this trial (out of memory, killed, or ended by the learner)"
QUEUED = 60.0
"""Maximum seconds to wait until loky has queued the submitted trials: far more than a busy machine needs."""
AHEAD = 2
"""Submitted trials per worker, so that no worker waits for this process."""
ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


def compute(trials: Sequence[Trial], job: Job, jobs: int, started: Callable[[Trial], None]) -> Results:
    """Yields the results of trials as they are computed. started: called with each submitted trial.

    Closing the iterator, or an exception in it, ends the workers.
    """
    workers = min(jobs, len(trials))
    foreign = any(registry.is_foreign(trial.algorithm.learner, trial.algorithm.params) for trial in trials)
    return _in_workers(trials, job, workers, started) if workers > 1 or foreign else _here(trials, job, started)


def _here(trials: Sequence[Trial], job: Job, started: Callable[[Trial], None]) -> Results:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        for trial in trials:
            started(trial)
            yield run_trial(trial, job)


def _in_workers(trials: Sequence[Trial], job: Job, workers: int, started: Callable[[Trial], None]) -> Results:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    waiting = deque(trials)
    in_hand: InHand = {}
    try:
        while waiting or in_hand:
            try:
                while waiting and len(in_hand) < AHEAD * workers:
                    _submit(waiting[0], job, workers, in_hand)
                    started(waiting.popleft())
                for future in wait(in_hand, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del in_hand[future]
                    yield result
            except BrokenProcessPool:
                suspects, in_hand = in_hand, {}
                for future, trial in suspects.items():
                    yield _after_a_death(future, trial, job, workers, in_hand)
    finally:
        _end_workers(in_hand)


def _after_a_death(future: Future[Result], trial: Trial, job: Job, workers: int, in_hand: InHand) -> Result:
    """The result of a trial that was submitted when a worker died: it is computed alone to see if it was the cause."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    with suppress(BrokenProcessPool):
        return future.result()
    alone = _submit(trial, job, workers, in_hand)
    try:
        return alone.result()
    except BrokenProcessPool:
        return Result(key=trial.key, status=FAILED, message=DIED, traceback=DIED)
    finally:
        del in_hand[alone]


def _submit(trial: Trial, job: Job, workers: int, in_hand: InHand) -> Future[Result]:
    """Submits a trial to the workers; Ctrl-C is deferred until the trial is registered in `in_hand`."""
    from joblib.externals.loky import get_reusable_executor

    with _interrupts_for_the_parent_alone():
        executor = get_reusable_executor(
            max_workers=workers,
            timeout=None,
            initializer=_prepare_worker,
            initargs=(os.getpid(),),
            env=dict.fromkeys(ONE_THREAD, "1"),
        )
        future: Future[Result] = executor.submit(_run_in_worker, trial, job)
        in_hand[future] = trial
    return future


def _run_in_worker(trial: Trial, job: Job) -> Result:
    """Computes a trial in a worker. Workers ignore Ctrl-C, so a KeyboardInterrupt was raised by the learner."""
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(getattr(sys, name), "closed", True):  # closed by an earlier learner
            setattr(sys, name, open(number, "w", errors="backslashreplace", closefd=False))  # noqa: SIM115
    try:
        return run_trial(trial, job)
    except KeyboardInterrupt as problem:
        return Result(key=trial.key, **failure(problem))


def _prepare_worker(parent: int) -> None:
    keep_freed_memory()
    _end_with_parent(parent)


def _end_with_parent(parent: int) -> None:
    """Starts a thread in a worker that ends the process soon after its parent has died, even by `kill -9`."""
    sys.dont_write_bytecode = True  # see `learners.code`

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_for_the_parent_alone() -> Iterator[None]:
    """Processes started in this context ignore Ctrl-C, which a terminal sends to every process of a command."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker as tracker

    from joblib.externals.loky.backend import resource_tracker as own_tracker

    for each in (tracker, own_tracker):  # starting one unblocks Ctrl-C, so start them first
        each.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_workers(in_hand: Iterable[Future[Result]]) -> None:
    from joblib.externals.loky import get_reusable_executor

    end = time.monotonic() + QUEUED
    while time.monotonic() < end:  # loky fails if it is shut down before a submission is queued
        if all(future.running() or future.done() for future in in_hand):
            break
        time.sleep(0.01)
    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
