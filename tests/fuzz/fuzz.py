"""Feeds mutated inputs to every reader: each must be read, or refused by one of the project's own errors.

    python -m tests.fuzz.fuzz [--count 20000] [--seed 1] [--target NAME ...] [--failures FOLDER]
    python -m tests.fuzz.fuzz --repeat FOLDER/TARGET-NUMBER

A reader works in a child process with a bound on its memory; the parent ends it where an answer takes too long. The
input of each failure is kept in FOLDER under its target and number, with what went wrong beside it. Exit status 1 if
there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from lazybayes.errors import LazyBayesError
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS

MEMORY = 1 << 30
"""Bytes that reading one input may take, resident beyond what the process had."""
SECONDS = 10.0
"""How long one answer may take."""


@dataclass
class Outcome:
    """counts: how many inputs were read or refused; failures: what went wrong, by target and number."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)


def fuzz(
    count: int,
    seed: int,
    names: list[str],
    failures: Path,
    seconds: float = SECONDS,
) -> Outcome:
    """Tries this many inputs, the targets in turn. An input depends on the seed, its target and its number alone."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as scratch, Reader(Path(scratch), seconds) as reader:
        samples = {}
        for name in names:
            folder = Path(scratch, "samples", name)
            folder.mkdir(parents=True)
            samples[name] = TARGETS[name].samples(folder)
        for number in range(count):
            name = names[number % len(names)]
            chance = random.Random(f"{seed} {name} {number}")
            content = mutated(chance.choice(samples[name]), chance.choice(samples[name]), chance)
            answer = reader.ask(name, content)
            kind = answer if answer in ("read", "refused") else "failed"
            outcome.counts[f"{name} {kind}"] += 1
            if kind == "failed":
                outcome.failures[f"{name}-{number}"] = answer
                failures.mkdir(parents=True, exist_ok=True)
                (failures / f"{name}-{number}").write_bytes(content)
                (failures / f"{name}-{number}.txt").write_text(answer, encoding="utf-8", errors="replace")
    return outcome


class Reader:
    """A child process that reads inputs; it is replaced where it dies or takes too long."""

    def __init__(self, scratch: Path, seconds: float) -> None:
        self._scratch = scratch
        self._seconds = seconds
        self._start()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *exception: object) -> None:
        self._child.kill()
        self._child.join()

    def _start(self) -> None:
        context = get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(theirs, self._scratch / "work"), daemon=True)
        self._child.start()
        theirs.close()

    def ask(self, name: str, content: bytes) -> str:
        """``read``, ``refused``, or what went wrong."""
        self._pipe.send((name, content))
        try:
            if self._pipe.poll(self._seconds):
                answer: str = self._pipe.recv()
                return answer
            problem = f"no answer after {self._seconds:g} s"
        except EOFError:
            problem = "the process died"
        self._child.kill()
        self._child.join()
        self._start()
        return problem


def _serve(pipe: Connection, work: Path) -> None:
    limit = _bytes("VmSize") + 4 * MEMORY  # reserved, not resident: a backstop before the machine's memory ends
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    warnings.simplefilter("ignore")
    os.environ.pop("LAZYBAYES_CACHE", None)
    while True:
        name, content = pipe.recv()
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before = _bytes("VmRSS")
        answer = attempt(name, content, work)
        taken = _bytes("VmHWM") - before
        pipe.send(answer if taken <= MEMORY else f"{taken:,} bytes of memory")


def _bytes(field: str) -> int:
    """A size of this process, as Linux tells it."""
    text = Path("/proc/self/status").read_text()
    return 1024 * int(text.partition(f"{field}:")[2].split()[0])


def attempt(name: str, content: bytes, folder: Path) -> str:
    """Reads an input in a folder: ``read``, ``refused``, or a traceback."""
    path = folder / TARGETS[name].file
    path.write_bytes(content)
    try:
        TARGETS[name].read(path)
    except LazyBayesError as problem:
        text = str(problem)
        return "refused" if text.strip() and len(text) < 250_000 else f"a message of {len(text)} characters"
    except BaseException:
        return traceback.format_exc()
    return "read"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", choices=list(TARGETS))
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"))
    parser.add_argument("--repeat", type=Path)
    given = parser.parse_args()
    if given.repeat:
        with tempfile.TemporaryDirectory() as folder:
            print(attempt(given.repeat.name.rpartition("-")[0], given.repeat.read_bytes(), Path(folder)))
        return 0
    outcome = fuzz(given.count, given.seed, given.target or list(TARGETS), given.failures)
    for name, count in sorted(outcome.counts.items()):
        print(f"{count:7}  {name}")
    kinds = Counter(problem.strip().rpartition("\n")[2][:150] for problem in outcome.failures.values())
    for problem, count in kinds.most_common():
        first = next(name for name, text in outcome.failures.items() if problem in text)
        print(f"{count:7}  {problem}  (first: {given.failures / first})")
    print(f"{given.count} inputs, {len(outcome.failures)} failures")
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main())
