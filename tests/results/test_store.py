"""The store: what goes in comes out, and what is no store is told."""

from __future__ import annotations

import math
import os
import re
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
import yaml

from lazybayes.errors import DiskError, StoreError
from lazybayes.evaluate.plan import surveys, trials
from lazybayes.experiment import Experiment
from lazybayes.metrics.registry import Measure
from lazybayes.results.database import LOCK, Damage, RunLock
from lazybayes.results.records import STORE_FORMAT, Predictions, Result
from lazybayes.results.store import FILE, Store, has_results, mend

MakeExperiment = Callable[..., Experiment]

PREDICTIONS = Predictions(
    index=np.array([4, 9]),
    actual=np.array([0, 1], dtype=np.int32),
    predicted=np.array([1, 1], dtype=np.int32),
    proba=np.array([[0.1, 0.9], [1 / 3, 2 / 3]]),
)


def begun(folder: Path, experiment: Experiment) -> list[str]:
    """A store with the experiment's plan and no results; the keys of the plan."""
    known = surveys(experiment, [entry.name for entry in experiment.datasets])
    planned = list(trials(experiment, known))
    with Store(folder, write=True) as store:
        store.begin(experiment, known, planned)
    return [trial.key for trial in planned]


def test_what_goes_in_comes_out(tmp_path: Path, experiment: MakeExperiment) -> None:
    keys = begun(tmp_path, experiment())
    measures = {"error": Measure(0.1 + 0.2), "auc@'present-pairs'": Measure(math.nan, 1)}
    done = Result(
        keys[1], "done", 20, 2, 1, 0.25, 0.5, measures, {"rules": 1 / 3}, predictions=PREDICTIONS, notices=("ho",)
    )
    failed = Result(keys[2], "failed", message="ValueError: x", traceback="Traceback: x")
    with Store(tmp_path, write=True) as store:
        store.put(done)
        store.put(failed)
    with Store(tmp_path) as store:
        held = store.trials()
        assert store.experiment == experiment()
        assert store.surveys() == surveys(experiment(), ["small"])
        kept = store.predictions_of(keys[1])
        assert store.predictions_of(keys[2]) is None
    assert [trial.key for trial in held] == keys
    assert [trial.status for trial in held] == ["to do", "done", "failed", "to do", "to do", "to do"]
    got = held[1]
    assert (got.dataset, got.algorithm, got.repeat, got.fold) == ("small", "TOY", 0, 0)
    assert (got.n_train, got.n_test, got.errors, got.train_seconds, got.test_seconds) == (20, 2, 1, 0.25, 0.5)
    assert got.measures["error"] == Measure(0.1 + 0.2)
    assert math.isnan(got.measures["auc@'present-pairs'"].value)
    assert got.measures["auc@'present-pairs'"].special == 1
    assert got.diagnostics == {"rules": 1 / 3}
    assert (got.kept, held[2].kept) == (True, False)
    assert (held[2].message, held[2].traceback) == ("ValueError: x", "Traceback: x")
    assert kept is not None
    for name in ("index", "actual", "predicted", "proba"):
        assert np.array_equal(getattr(kept, name), getattr(PREDICTIONS, name))


def test_another_experiment_does_not_begin_in_the_place_of_the_first(
    tmp_path: Path, experiment: MakeExperiment
) -> None:
    keys = begun(tmp_path, experiment())
    with pytest.raises(StoreError, match=f"contains the results of the experiment {experiment().name}, not of other"):
        begun(tmp_path, experiment(name="other"))
    with Store(tmp_path) as store:
        assert store.experiment == experiment()
        assert [trial.key for trial in store.trials()] == keys


def test_a_later_result_replaces_an_earlier_one(tmp_path: Path, experiment: MakeExperiment) -> None:
    (key, *_) = begun(tmp_path, experiment())
    with Store(tmp_path, write=True) as store:
        store.put(Result(key, "done", predictions=PREDICTIONS))
        store.put(Result(key, "failed"))
        assert store.predictions_of(key) is None
        assert store.statuses() == {key: "failed"}
        store.forget([key])
        assert store.statuses() == {}


def test_a_full_disk_is_no_fault_of_usage_and_keeps_what_is_done(tmp_path: Path, experiment: MakeExperiment) -> None:
    keys = begun(tmp_path, experiment())
    with Store(tmp_path, write=True) as store:
        store.put(Result(keys[0], "done"))
        store._db.execute("PRAGMA max_page_count = 1")  # what there is, and no more
        with pytest.raises(
            DiskError, match=r"results\.sqlite: database or disk is full; trials finished before"
        ) as caught:
            store.put(Result(keys[1], "failed", traceback="x" * 100_000))
    assert caught.value.exit_status == 1
    with Store(tmp_path) as store:
        assert [held.status for held in store.trials()][:2] == ["done", "to do"]


def test_closing_leaves_one_file(tmp_path: Path, experiment: MakeExperiment) -> None:
    begun(tmp_path, experiment())
    assert [file.name for file in tmp_path.iterdir() if file.name != "small.csv"] == [FILE]


def test_a_reader_sees_a_run_that_is_going_on(tmp_path: Path, experiment: MakeExperiment) -> None:
    (key, *_) = begun(tmp_path, experiment())
    with Store(tmp_path, write=True) as writer, Store(tmp_path) as reader:
        writer.put(Result(key, "done"))
        assert reader.trials()[0].status == "done"


def test_what_is_no_results_folder_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder, why in [
        (tmp_path / "no", "there are no results at"),
        (tmp_path, f"is not a results folder: it does not contain {FILE}"),
        (file, "is a file, not a results folder"),
    ]:
        with pytest.raises(StoreError, match=why):
            Store(folder)
    with pytest.raises(StoreError, match=r"the results folder .*file.sub cannot be created"):
        Store(file / "sub", write=True)
    with pytest.raises(StoreError, match="cannot be created"):
        Store(file, write=True)


@pytest.mark.parametrize("write", [False, True])
def test_a_damaged_or_strange_file_is_told(tmp_path: Path, write: bool) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(
        StoreError,
        match=rf"^damaged: .*{FILE}: not a results file of lazybayes \(file is not a database\): move it",
    ):
        Store(tmp_path, write=write)
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE other (x)")
    db.close()
    with pytest.raises(StoreError, match="is not a results file of lazybayes"):
        Store(tmp_path, write=write)


@pytest.mark.parametrize("write", [False, True])
def test_another_format_is_told(tmp_path: Path, experiment: MakeExperiment, write: bool) -> None:
    begun(tmp_path, experiment())
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE meta SET value = '0' WHERE name = 'format'")
    db.close()
    with pytest.raises(StoreError, match=f"has format 0, but this version of lazybayes reads format {STORE_FORMAT}"):
        Store(tmp_path, write=write)


def test_an_empty_file_holds_no_results_yet(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with pytest.raises(StoreError, match=rf"{FILE} contains no results yet: run the experiment"):
        Store(tmp_path)
    Store(tmp_path, write=True).close()
    with Store(tmp_path) as store, pytest.raises(StoreError, match="contains no experiment yet"):
        assert store.experiment


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with RunLock(tmp_path / "r") as first, RunLock(tmp_path / "r") as second:
        first.acquire()
        first.acquire()
        with pytest.raises(StoreError, match=r"a run of this experiment is going on in .*r: wait"):
            second.acquire()
    with RunLock(tmp_path / "r") as third:
        third.acquire()


@pytest.fixture
def guarded(experiment: MakeExperiment) -> Iterator[Path]:
    """A results folder, outside pytest's private one, that a user without rights can read but not write."""
    parent = Path(tempfile.mkdtemp())
    parent.chmod(0o755)
    folder = parent / "results"
    begun(folder, experiment())
    (folder / FILE).chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(parent)


@contextmanager
def without_rights() -> Iterator[None]:
    """As nobody where the tests run as root, whom no permission stops."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_cannot_be_written_can_be_read(guarded: Path) -> None:
    with without_rights():
        with Store(guarded) as store:
            assert len(store.trials()) == 6
        with (
            Store(guarded, write=True) as store,
            pytest.raises(StoreError, match=f"{FILE} cannot be written to: choose another folder"),
        ):
            store.put(Result("key", "failed"))
        with pytest.raises(StoreError, match=r"run\.lock cannot be written to"):
            RunLock(guarded).acquire()
        with pytest.raises(StoreError, match=r"the results folder .*sub cannot be created: Permission denied"):
            Store(guarded / "sub", write=True)


def test_a_file_that_a_run_left_empty_is_no_results_but_a_damaged_one_is(tmp_path: Path) -> None:
    assert not has_results(tmp_path)
    (tmp_path / FILE).touch()
    assert not has_results(tmp_path)
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    assert has_results(tmp_path)


def stored(folder: Path, experiment: Experiment) -> list[str]:
    """A store whose first two trials are done, with predictions; the keys of the plan."""
    keys = begun(folder, experiment)
    with Store(folder, write=True) as store:
        for key in keys[:2]:
            store.put(Result(key, "done", 20, 2, 1, 0.25, 0.5, {"error": Measure(0.5)}, predictions=PREDICTIONS))
    return keys


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(statement, values)


READINGS: dict[str, Callable[[Store], object]] = {
    "UPDATE predictions SET proba = zeroblob(length(proba))": lambda store: list(store.predictions()),
    "UPDATE cells SET errors = 0": Store.trials,
    "UPDATE cells SET status = 'failed'": Store.statuses,
    "UPDATE plan SET algorithm = 'TAN'": Store.trials,
    "DELETE FROM plan WHERE position = 3": Store.trials,
    "UPDATE datasets SET survey = '{'": Store.surveys,
    "DELETE FROM datasets": Store.surveys,
    "UPDATE meta SET value = '[]' WHERE name = 'experiment'": lambda store: store.experiment,
    "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE name = 'experiment'": lambda store: store.experiment,
    "ALTER TABLE cells RENAME TO cell": Store.trials,
}


@pytest.mark.parametrize("statement", READINGS)
def test_what_is_not_what_was_written_is_damage_to_a_reader(
    tmp_path: Path, experiment: MakeExperiment, statement: str
) -> None:
    stored(tmp_path, experiment())
    with Store(tmp_path) as store:
        READINGS[statement](store)
    change(tmp_path, statement)
    with Store(tmp_path) as store:
        with pytest.raises(Damage, match=rf"^damaged: .*{FILE}: .*: run `lazybayes run` to keep the intact trials"):
            READINGS[statement](store)
        with pytest.raises(Damage):
            store.check()


def test_mending_keeps_what_is_sound(tmp_path: Path, experiment: MakeExperiment) -> None:
    keys = stored(tmp_path, experiment())
    assert mend(tmp_path) == []
    change(tmp_path, "UPDATE predictions SET predicted = zeroblob(length(predicted)) WHERE key = ?", keys[0])
    (notice,) = mend(tmp_path)
    assert notice.startswith("damaged: ")
    with Store(tmp_path) as store:
        store.check()
        assert [held.kept for held in store.trials()] == [False, True, False, False, False, False]
        assert store.experiment == experiment()
    assert sorted(file.name for file in tmp_path.iterdir()) == [FILE, "small.csv"]


def test_mending_reads_on_both_sides_of_a_page_that_cannot_be_read(tmp_path: Path, experiment: MakeExperiment) -> None:
    begun(tmp_path, experiment())
    keys = [f"key {i}" for i in range(40)]
    with Store(tmp_path, write=True) as store:
        for key in keys:
            store.put(Result(key, "failed", traceback="x" * 1000))
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    page = content.index(b"key 20failed") // size
    content[page * size : (page + 1) * size] = bytes(size)
    path.write_bytes(content)
    with Store(tmp_path) as store, pytest.raises(Damage, match=r"^damaged: "):
        store.statuses()
    assert mend(tmp_path)
    with Store(tmp_path) as store:
        store.check()
        left = set(store.statuses())
    assert left < set(keys)
    assert {"key 0", "key 39"} <= left
    assert len(left) > 30


def test_a_reader_rolls_back_what_a_killed_writer_left(tmp_path: Path, experiment: MakeExperiment) -> None:
    keys = stored(tmp_path / "run", experiment())
    leave_hot(tmp_path / "run", tmp_path / "left")
    assert has_results(tmp_path / "left")
    with Store(tmp_path / "left") as store:
        store.check()
        assert store.statuses() == {keys[0]: "done", keys[1]: "done"}
    assert [file.name for file in (tmp_path / "left").iterdir()] == [FILE]


def leave_hot(folder: Path, copy: Path) -> None:
    """A copy of a results folder as it is in the middle of a transaction that has written to the file."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")  # so that pages go to the file before the end
        db.execute("PRAGMA cache_spill = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM predictions")
        db.execute("UPDATE cells SET status = 'failed', traceback = hex(zeroblob(50000))")
        shutil.copytree(folder, copy)
        db.execute("ROLLBACK")
    assert (copy / f"{FILE}-journal").stat().st_size > 512


def test_a_reader_without_the_permission_names_who_can_mend(guarded: Path) -> None:
    guarded.chmod(0o755)
    (guarded / FILE).chmod(0o644)
    left, copy = guarded.parent / "left", guarded.parent / "copy"
    leave_hot(guarded, left)
    guarded.parent.chmod(0o777)
    with without_rights():
        with pytest.raises(StoreError, match=r"a run was killed while writing, .* or copy the folder and read the"):
            Store(left)
        shutil.copytree(left, copy)
        with Store(copy) as store:
            assert len(store.trials()) == 6
    with Store(left) as store:
        assert len(store.trials()) == 6


def test_a_reader_waits_for_a_writer(tmp_path: Path, experiment: MakeExperiment) -> None:
    keys = stored(tmp_path, experiment())
    held = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            db.execute("DELETE FROM cells WHERE key = ?", (keys[0],))
            held.set()
            time.sleep(0.3)
            db.execute("COMMIT")

    writer = threading.Thread(target=write)
    writer.start()
    held.wait()
    with Store(tmp_path) as store:
        assert set(store.statuses()) == {keys[1]}
    writer.join()


def test_a_lock_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_bytes(b"{}" * 100)
    with pytest.raises(StoreError, match=r"run\.lock is not a lock file of lazybayes: delete it and run again"):
        RunLock(tmp_path).acquire()


def test_what_is_not_a_regular_file_is_not_opened(tmp_path: Path) -> None:
    for name in (FILE, LOCK):
        os.mkfifo(tmp_path / name)
    with pytest.raises(StoreError, match=rf"{FILE}: this is a FIFO; only regular files"):
        Store(tmp_path)
    with pytest.raises(StoreError, match=rf"{FILE}: this is a FIFO; only regular files"):
        Store(tmp_path, write=True)
    with pytest.raises(StoreError, match=rf"{LOCK}: this is a FIFO; only regular files"):
        RunLock(tmp_path).acquire()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM meta WHERE name = 'format'",
        "UPDATE meta SET value = 'x' WHERE name = 'format'",
        "ALTER TABLE meta RENAME COLUMN value TO values_",
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_a_file_that_cannot_be_opened_is_to_be_moved_away(
    tmp_path: Path, experiment: MakeExperiment, statement: str, write: bool
) -> None:
    begun(tmp_path, experiment())
    change(tmp_path, statement)
    with pytest.raises(Damage, match=r"^damaged: .*: move it away and run again$"):
        Store(tmp_path, write=write)
    with pytest.raises(Damage, match=r"^damaged: .*: move it away and run again$"):
        mend(tmp_path)


@pytest.mark.parametrize("name", ["x # y", "12", "yes", "plain"])
def test_the_name_that_a_message_advises_can_be_pasted(
    tmp_path: Path, experiment: Callable[..., Experiment], name: str
) -> None:
    with Store(tmp_path, write=True) as store:
        store.begin(experiment(name=name), {}, [])
        with pytest.raises(StoreError) as caught:
            store.check_name(experiment())
    (advice,) = re.findall(r"set `(name: .*?)` in the config", str(caught.value))
    assert yaml.safe_load(advice) == {"name": name}
