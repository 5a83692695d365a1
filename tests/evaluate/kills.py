"""Kills writers of a results store at random moments: python kills.py FOLDER KILLS SEED.

Writers open the store, write, and close it, again and again; half of them begin in an empty folder. After each kill the
store must be readable, sound, and open to the next writer. Prints how many kills left a journal for the next one to
roll back, and exits with 1 at the first store that is none of this.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np

from lazybayes.results.database import RunLock
from lazybayes.results.records import Predictions, Result
from lazybayes.results.store import FILE, Store, has_results, mend

ROWS = 500


def write(folder: Path, begin: int, end: int | None) -> None:
    """Stores results under the keys `begin`, `begin + 1`, ..., each under the run lock in a store of its own."""
    rows = np.arange(ROWS)
    kept = Predictions(index=rows, actual=rows % 2, predicted=rows % 3 % 2, proba=np.full((ROWS, 2), 0.5))
    key = begin
    while key != end:
        with RunLock(folder) as lock:
            lock.acquire()
            with Store(folder, write=True) as store:
                store.put(Result(f"{key}", "done", n_test=ROWS, predictions=kept))
                store.forget([f"{key - 3}"])
        key += 1


def killed(folder: Path, begin: int, seconds: float) -> bool:
    """Kills a writer after a time; whether it left a journal."""
    child = os.fork()
    if not child:
        write(folder, begin, None)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return (folder / f"{FILE}-journal").exists()


def check(folder: Path) -> None:
    """Reads what the writer left, as tables do and as a run does, and writes on."""
    if has_results(folder):
        with Store(folder) as store:
            store.check()
            kept = store.statuses()
            assert all(store.predictions_of(key) is not None for key in kept)
        assert mend(folder) == []
    write(folder, 1_000_000, 1_000_001)
    with Store(folder) as store:
        assert "1000000" in store.statuses()


def main() -> None:
    folder, kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    journals = 0
    for number in range(kills):
        if number % 2:
            shutil.rmtree(folder, ignore_errors=True)
        journals += killed(folder, 10_000 * number, chance.uniform(0.0005, 0.03))
        check(folder)
    print(f"{kills} kills, {journals} left a journal")


if __name__ == "__main__":
    main()
