"""A run as the comparison with a paper sees it: its data sets under the paper's names, and what it lacks of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lazybayes.errors import UsageError
from lazybayes.messages import nearest, plural
from lazybayes.statistics.matrix import Matrix, from_frame

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Gap:
    """What a run lacks of what a claim needs.

    chosen: the run was never asked for it (a data set or an algorithm that it does not have); otherwise it fell short:
    trials that failed or are still to do.
    """

    what: str
    chosen: bool


@dataclass(frozen=True)
class View:
    """A run's frame and settings. label: how its column is called; settings: the experiment as plain data.

    names: the paper's name of each of the run's data sets that the paper has, in the paper's order; wanted: the data
    sets of the paper that can be had; directions: ``lower``, ``higher`` or None by metric; run: how the run itself is
    called, if not like its column.
    """

    label: str
    frame: pd.DataFrame
    settings: Mapping[str, Any]
    names: Mapping[str, str]
    wanted: tuple[str, ...]
    directions: Mapping[str, str]
    run: str = ""
    _matrices: dict[str, Matrix] = field(default_factory=dict, compare=False)

    @classmethod
    def nothing(cls) -> View:
        """No run: for claims that need none."""
        import pandas as pd

        names = ("dataset", "algorithm", "repeat", "fold", "n_train", "n_test", "status", "errors", "error")
        return cls("no run", pd.DataFrame(columns=list(names)), {"cv": {"scheme": ""}}, {}, (), {})

    def reading(self, published: str, own: str, label: str = "") -> View:
        """The same run with another of its algorithms in the place of the paper's, called by that algorithm's name.

        The other stays what it is as well: it may be a rival in the same claim. label: another name of the column.
        Raises UsageError if the run has no such algorithm.
        """
        import pandas as pd

        if own not in self.algorithms:
            hint = nearest(own, self.algorithms)
            raise UsageError(f"{self.source} has no algorithm {own}{hint}; there are {', '.join(self.algorithms)}")
        frame = self.frame
        if own != published:
            stand_in = frame[frame["algorithm"] == own].assign(algorithm=published)
            frame = pd.concat([frame[frame["algorithm"] != published], stand_in], ignore_index=True)
        return View(label or own, frame, self.settings, self.names, self.wanted, self.directions, self.source)

    @property
    def source(self) -> str:
        """How the run is called."""
        return self.run or self.label

    @property
    def scheme(self) -> str:
        """The run's cross-validation scheme."""
        return str(self.settings["cv"]["scheme"])

    @cached_property
    def algorithms(self) -> tuple[str, ...]:
        """The run's algorithms."""
        return tuple(dict.fromkeys(self.frame["algorithm"]))

    def matrix(self, metric: str) -> Matrix:
        """The whole matrix of a metric or diagnostic, its data sets under the paper's names and in its order.

        A metric that the frame has not is NaN everywhere.
        """
        if metric not in self._matrices:
            kept = self.frame[self.frame["dataset"].isin(list(self.names))]
            if metric not in kept:
                kept = kept.assign(**{metric: math.nan})
            matrix = from_frame(kept, metric, self.directions.get(metric))
            order = [own for own in self.names if own in matrix.datasets]
            self._matrices[metric] = replace(
                matrix,
                datasets=tuple(self.names[own] for own in order),
                entries={(self.names[d], a): trials for (d, a), trials in matrix.entries.items()},
            )
        return self._matrices[metric]

    def part(
        self, metric: str, algorithms: Sequence[str], datasets: Iterable[str] = ()
    ) -> tuple[Matrix | None, tuple[Gap, ...]]:
        """The matrix of these algorithms on those data sets (default: all of the paper) where each is usable.

        None if nothing is left of it; the gaps say what is missing.
        """
        whole = self.matrix(metric)
        wanted = tuple(datasets) or self.wanted
        gaps = [
            Gap(f"algorithm {name} is not in {self.source}", True)
            for name in algorithms
            if name not in whole.algorithms
        ]
        absent = [d for d in wanted if d not in whole.datasets]
        if absent:
            gaps.append(Gap(f"data sets without results in {self.source}: {', '.join(absent)}", True))
        present = [a for a in dict.fromkeys(algorithms) if a in whole.algorithms]
        usable = []
        for dataset in (d for d in whole.datasets if d in wanted):
            short = [gap for a in present if (gap := self._short(whole, dataset, a))]
            gaps += short
            if not short:
                usable.append(dataset)
        if not usable or len(present) < len(set(algorithms)):
            return None, tuple(gaps)
        entries = {(d, a): whole.at(d, a) for d in usable for a in present}
        return replace(whole, datasets=tuple(usable), algorithms=tuple(present), entries=entries), tuple(gaps)

    def _short(self, matrix: Matrix, dataset: str, algorithm: str) -> Gap | None:
        trials = matrix.at(dataset, algorithm)
        if trials.usable:
            return None
        for count, word in ((trials.failed, "failed"), (trials.to_do, "to do")):
            if count:
                return Gap(f"{algorithm} on {dataset}: {count} of {plural(len(trials.values), 'trial')} {word}", False)
        return Gap(f"{algorithm} on {dataset}: {matrix.metric} has no value", False)


def names_of(
    own: Iterable[str],
    datasets: Mapping[str, tuple[str, ...]],
    listed: Mapping[str, Mapping[str, str | tuple[str, ...]]],
    paper: str,
) -> dict[str, str]:
    """The paper's name of each of a run's data sets that the paper has, in the paper's order.

    own: the run's names; datasets: the paper's names, each with others it goes by; listed: of each of the run's data
    sets, the names that papers give it (by the paper), as the catalogue has them. Raises UsageError if two data sets of
    the run go by one name.
    """
    by_any = {other.casefold(): name for name, others in datasets.items() for other in (name, *others)}
    owners: dict[str, str] = {}
    for name in own:
        names = listed.get(name, {}).get(paper, ())
        tried = (*((names,) if isinstance(names, str) else names), name)
        known = next((by_any[other.casefold()] for other in tried if other.casefold() in by_any), None)
        if known is None:
            continue
        if known in owners:
            raise UsageError(f"the data sets {owners[known]} and {name} of the run are both the paper's {known}")
        owners[known] = name
    return {owners[name]: name for name in datasets if name in owners}
