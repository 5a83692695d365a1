"""What the benchmarks share: figures held against targets, seconds of CPU, the data beside the checkout.

Nothing here is a test: a target that is missed is shown, and the exit status stays 0.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tabulate import tabulate

from lazybayes.data.load import load_table
from lazybayes.data.table import Table
from lazybayes.experiment import DatasetEntry

SHARED = Path(__file__).resolve().parents[3] / "shared"
DROP = {"splice": ("Instance_name",)}  # identifiers


@dataclass(frozen=True)
class Figure:
    """One line of the table. ours, peer: what was measured, as text; value: the figure that the target is about.

    target: at least (`least`) or at most this; None where no target was set.
    """

    subject: str
    ours: str
    peer: str
    value: float
    unit: str
    target: float | None = None
    least: bool = False

    @property
    def verdict(self) -> str:
        """Met, not met, or nothing where there is no target."""
        if self.target is None:
            return ""
        return "met" if (self.value >= self.target if self.least else self.value <= self.target) else "NOT MET"

    def row(self) -> list[str]:
        """The cells of its line."""
        goal = "" if self.target is None else f"{'>=' if self.least else '<='} {self.target:g} {self.unit}"
        return [self.subject, self.ours, self.peer, f"{self.value:.3g} {self.unit}", goal, self.verdict]


def missing_data(name: str) -> str:
    """Why a data set of ../shared cannot be had, or nothing."""
    return "" if data_file(name).is_file() else f"{name}: skipped, ../shared/data/arff/{name}.arff is not there"


def data_file(name: str) -> Path:
    """A file of ../shared."""
    return SHARED / "data" / "arff" / f"{name}.arff"


def load(name: str) -> Table:
    """A data set of ../shared, identifiers dropped; the last column is its class."""
    return load_table(DatasetEntry.of(name, "path", str(data_file(name)), drop=DROP.get(name, ())))


def cpu_seconds(work: Callable[[], object], *, reps: int, budget: float = 10.0) -> float:
    """Median CPU seconds of at most `reps` runs, fewer once `budget` seconds are spent, after one untimed."""
    work()
    times: list[float] = []
    while len(times) < reps and sum(times) < budget:
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def machine() -> str:
    """The line above a table: where and with what it was measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn"))
    load_now = os.getloadavg()[0]
    return (
        f"Python {platform.python_version()}, {packages}; {os.cpu_count()} cores, one thread used; load {load_now:.1f}"
    )


def table(figures: Iterable[Figure]) -> str:
    """All figures, with their targets."""
    headers = ["", "lazybayes", "peer", "figure", "target", ""]
    return tabulate([figure.row() for figure in figures], headers, disable_numparse=True)
