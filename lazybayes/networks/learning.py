"""`lazybayes network fit`: data, method and settings to a network with learned tables, told line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lazybayes.counts.estimates import parse_estimate
from lazybayes.data.table import listed
from lazybayes.errors import DataError, UsageError
from lazybayes.messages import plural
from lazybayes.networks.fitting import (
    Ascent,
    Ints,
    Likelihood,
    ascend,
    ascend_as_printed,
    count_tables,
    starting_tables,
)
from lazybayes.networks.network import Network
from lazybayes.networks.observed import observe


@dataclass(frozen=True)
class LearningSettings:
    """How to learn. step None: 0.01 divided by the rows (the printed rule alone has one).

    missing: texts that mean a hidden cell, besides an empty cell and `?`.
    """

    method: str = "auto"
    estimate: str | None = None
    start: str = "file"
    seed: int = 1
    iterations: int = 1000
    tolerance: float = 1e-6
    step: float | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Learned:
    """A network with learned tables; notices: what the user should be told."""

    network: Network
    notices: tuple[str, ...]


def learn(network: Network, data: str, settings: LearningSettings, say: Callable[[str], None]) -> Learned:
    """Learns the tables from a data file or a data set of the catalogue; `say` is told the path of ln P(D|h).

    Raises DataError for data that do not fit the network, UsageError for settings that do not fit each other.
    """
    observed = observe(network, data, settings.missing)
    codes = observed.codes
    if not len(codes):
        raise DataError(f"{data}: there are no rows; at least one is needed")
    hidden = (codes < 0).sum(axis=0)
    names = [variable.name for variable, cells in zip(network.variables, hidden, strict=True) if cells]
    method = settings.method
    if method == "auto":
        method = "gradient" if names else "counts"
    say(
        f"{plural(len(codes), 'row')}, {plural(int(hidden.sum()), 'hidden cell')}"
        + (f" ({listed(names)})" if names else "")
        + f": {method}"
    )
    if method == "counts":
        return Learned(_count(network, codes, data, settings, say), tuple(observed.notices))
    ascent = _ascend(network, codes, method, settings, say)
    return Learned(ascent.network, (*observed.notices, *_ascent_notices(ascent, settings)))


def _count(network: Network, codes: Ints, data: str, settings: LearningSettings, say: Callable[[str], None]) -> Network:
    hidden = np.all(codes < 0, axis=0).tolist()
    unseen = [variable.name for variable, all_hidden in zip(network.variables, hidden, strict=True) if all_hidden]
    if unseen:
        raise UsageError(f"{data}: {listed(unseen)} hidden in every row; counts need values (--method gradient)")
    fitted = network.with_tables(count_tables(network, codes, parse_estimate(settings.estimate or "m-estimate")))
    value, _ = Likelihood(network, codes).of([variable.table for variable in fitted.variables])
    say(f"ln P(D|h) = {value:.6f}")
    return fitted


def _ascend(
    network: Network, codes: Ints, method: str, settings: LearningSettings, say: Callable[[str], None]
) -> Ascent:
    if settings.estimate is not None:
        raise UsageError(
            f"--estimate is for counts; {method} maximizes ln P(D|h) (--method counts leaves hidden cells out)"
        )
    rng = np.random.default_rng(settings.seed) if settings.start == "random" else None
    start = starting_tables(network, rng)
    path = _Path(say)
    iterations, tolerance = settings.iterations, settings.tolerance
    if method == "printed":
        step = settings.step or 0.01 / len(codes)
        ascent = ascend_as_printed(
            network, codes, start, step=step, iterations=iterations, tolerance=tolerance, report=path
        )
    else:
        if settings.step is not None:
            raise UsageError("--step is for the printed rule; gradient finds its own")
        ascent = ascend(network, codes, start, iterations=iterations, tolerance=tolerance, report=path)
    path.finish()
    return ascent


def _ascent_notices(ascent: Ascent, settings: LearningSettings) -> Iterator[str]:
    values = [value for value, _ in ascent.path]
    falls = sum(after < before for before, after in pairwise(values))
    if falls:
        iterations = plural(len(values) - 1, "iteration")
        yield f"ln P(D|h) fell in {falls} of {iterations}; --method gradient never does"
    if len(values) > settings.iterations:
        yield f"ended by --iterations {settings.iterations} before --tolerance {settings.tolerance:g} was met"


class _Path:
    """Tells iterations 0 to 10, then every 10th, from 100 on every 100th, and the last."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._waiting = ""

    def __call__(self, iteration: int, log_likelihood: float, step: float) -> None:
        if not iteration:
            self._say(f"{'iteration':>9}  {'ln P(D|h)':>20}  step")
        self._waiting = f"{iteration:>9}  {log_likelihood:>20.6f}  " + (f"{step:g}" if iteration else "")
        every = 1 if iteration <= 10 else 10 if iteration <= 100 else 100
        if iteration % every == 0:
            self.finish()

    def finish(self) -> None:
        """Tells what was held back."""
        if self._waiting:
            self._say(self._waiting.rstrip())
        self._waiting = ""
