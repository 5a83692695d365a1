"""Damaged results files: what is read is what was written, or one message; a run mends what it can."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lazybayes.errors import LazyBayesError
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Experiment
from lazybayes.results.frame import load_frame
from lazybayes.results.store import FILE, Store, has_results, mend

MUTATIONS = 200
MENDED_BY_A_RUN = 10


def mutated(content: bytes, chance: random.Random) -> bytes:
    """A file with some of its bits, bytes, pages or its end changed."""
    changed = bytearray(content)
    size = len(changed)
    page = 4096
    kind = chance.randrange(7)
    if kind == 0:
        for _ in range(chance.choice([1, 1, 3, 30])):
            changed[chance.randrange(size)] ^= 1 << chance.randrange(8)
    elif kind == 1:
        start = chance.randrange(size)
        changed[start : start + chance.randrange(1, 200)] = chance.randbytes(chance.randrange(1, 200))
    elif kind == 2:
        del changed[chance.randrange(size) :]
    elif kind == 3:
        start, other = (page * chance.randrange(size // page) for _ in range(2))
        changed[start : start + page] = changed[other : other + page]
    elif kind == 4:
        start = page * chance.randrange(size // page)
        changed[start : start + page] = bytes(page)
    elif kind == 5:  # the head of the file, or of a page
        start = page * chance.choice([0, chance.randrange(size // page)])
        changed[start + chance.randrange(120)] = chance.randrange(256)
    else:  # the schema
        start = content.index(b"CREATE TABLE", 0, page) - 100 if b"CREATE TABLE" in content[:page] else 0
        changed[start + chance.randrange(page - start)] = chance.randrange(256)
    return bytes(changed)


def read(folder: Path) -> Iterator[str]:
    """What there is to read, as texts: each trial that is done, and its predictions."""
    with Store(folder) as store:
        yield repr(store.experiment)
        yield from map(repr, store.surveys().items())
        store.statuses()
        load_frame(store, ["error", "auc"])
        for held in store.trials():
            if held.status == "done":
                yield repr(held)
                kept = store.predictions_of(held.key)
                if kept:
                    yield held.key + repr([array.tobytes() for array in (kept.index, kept.predicted, kept.proba)])


@pytest.fixture
def finished(tmp_path: Path, experiment: Callable[..., Experiment]) -> Path:
    run(experiment(), store_dir=tmp_path / "whole", tell=lambda text: None)
    return tmp_path / "whole"


def test_mutated_files_are_read_as_they_were_written_or_told(
    tmp_path: Path, finished: Path, experiment: Callable[..., Experiment]
) -> None:
    content = (finished / FILE).read_bytes()
    written = set(read(finished))
    chance = random.Random(4)
    folder = tmp_path / "mutated"
    folder.mkdir()
    refused = mended = 0
    for number in range(MUTATIONS):
        (folder / FILE).write_bytes(mutated(content, chance))
        try:
            assert set(read(folder)) <= written
        except LazyBayesError:
            refused += 1
        assert has_results(folder) or not (folder / FILE).stat().st_size
        try:
            mended += bool(mend(folder))
            with Store(folder) as store:
                assert set(store.statuses().values()) <= {"done"}
            if number < MENDED_BY_A_RUN:
                run(experiment(), store_dir=folder, tell=lambda text: None)
                assert {held[-40:] for held in read(folder)} == {held[-40:] for held in written}
        except LazyBayesError:
            refused += 1
        for file in folder.iterdir():
            file.unlink()
    assert refused
    assert mended
