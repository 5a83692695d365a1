"""Published numbers as data: a YAML file a paper, with each figure's place, its confidence and the gate it must pass.

::

    name: lbr2000
    title: Zheng & Webb (2000), ...
    source: where the numbers were read, and what is lost
    unavailable: {Pioneer: never published}        # data sets that cannot be had; no figure waits for them
    datasets: {Annealing processes: [Annealing]}   # the paper's names in its order, each with others it goes by
    figures:
      - figure: LBR against NB, significant w/t/l  # what it is
        kind: record                               # how it is measured of a run: `measures.KINDS`
        algorithm: LBR                             # parameters of the kind
        rival: NB
        test: paired-t
        published: [7, 22, 0]                      # as the paper has it; left out where it has none
        where: Table 5
        confidence: high
        scheme: resubstitution                     # only where another kind of run is needed
        gate: {wins: [6, 10], losses: [null, 2]}   # the bounds that a run must keep, of what the kind measures
        because: where the bounds come from

A figure without a gate is reported, never failed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lazybayes.compare.measures import KINDS
from lazybayes.errors import UsageError, nearest
from lazybayes.yaml_reader import Item, Reader, anything, list_of, load, mapping_of, number, one_of, text

FOLDER = Path(__file__).resolve().parent / "published"
EXPECTS = "a mapping with the keys name, title, source, datasets and figures"
COMMON = ("figure", "kind", "published", "where", "confidence", "scheme", "gate", "because", "note")
CONFIDENCE = ("high", "inferred", "derived", "replication")
Bound = tuple[float, float]


@dataclass(frozen=True)
class Gate:
    """Bounds (lowest, highest) of what is measured, by name, and where they come from."""

    bounds: Mapping[str, Bound]
    because: str

    def __str__(self) -> str:
        """`wins 6 to 10, losses at most 2`."""
        return ", ".join(f"{name} {_range(bound)}".removeprefix("value ") for name, bound in self.bounds.items())

    def broken(self, values: Mapping[str, float]) -> list[str]:
        """The names whose values are out of bounds."""
        return [name for name, (low, high) in self.bounds.items() if not low <= values[name] <= high]


@dataclass(frozen=True)
class Figure:
    """A published figure. given: the parameters of its kind; published: as the paper has it, None if it has none.

    scheme: the cross-validation scheme of the run it needs, None for any but resubstitution.
    """

    title: str
    kind: str
    given: Mapping[str, Any]
    published: Any
    where: str
    confidence: str
    scheme: str | None = None
    gate: Gate | None = None
    note: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper's figures. datasets: its names in its order, each with others; unavailable: those that cannot be had."""

    name: str
    title: str
    source: str
    datasets: Mapping[str, tuple[str, ...]]
    figures: tuple[Figure, ...]
    unavailable: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs_no_run(self) -> bool:
        """Whether it has worked examples, which are computed without a run."""
        return any(figure.kind == "worked" for figure in self.figures)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and diagnostics that the figures are about."""
        asked = (figure.given.get("metric", "error") for figure in self.figures)
        return tuple(dict.fromkeys(asked))


def papers() -> tuple[str, ...]:
    """The papers whose numbers are shipped."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def load_published(name_or_file: str) -> Paper:
    """The figures of a paper by name, or of a file of this form.

    Raises UsageError for a name that is none, ConfigError with every problem of a file.
    """
    path = Path(name_or_file)
    if not path.is_file():
        if name_or_file not in papers():
            hint = nearest(name_or_file, papers())
            raise UsageError(f"there are no published numbers {name_or_file}{hint}; there are {', '.join(papers())}")
        path = FOLDER / f"{name_or_file}.yaml"
    top = load(path, EXPECTS)
    fields = top.fields(("name", "title", "source", "unavailable", "datasets", "figures"))
    datasets = fields.need("datasets", mapping_of(list_of(text)), {})
    paper = Paper(
        name=fields.need("name", text, ""),
        title=fields.need("title", text, ""),
        source=fields.need("source", text, ""),
        datasets=datasets,
        figures=fields.need("figures", list_of(_figure(tuple(datasets)), at_least=1), ()),
        unavailable=fields.get("unavailable", mapping_of(text), {}),
    )
    top.problems.finish()
    return paper


def _figure(datasets: tuple[str, ...]) -> Reader[Figure]:
    def read(item: Item) -> Figure:
        name = one_of(KINDS)(item.entries()["kind"]) if "kind" in item.entries() else "setting"
        kind = KINDS[name]
        fields = item.fields((*COMMON, *kind.needs, *kind.takes), name)
        given = {key: anything(fields[key]) for key in fields if key not in COMMON}
        for key in ("kind", *(key for key in kind.needs if key not in given)):
            if key not in fields:
                item.wrong(f"the key {key} is missing")
        published = fields.get("published", anything, None)
        for dataset in (*given.get("datasets", ()), *(published if isinstance(published, dict) else ())):
            if dataset not in datasets:
                item.wrong(f"{dataset} is no data set of the paper{nearest(dataset, datasets)}")
        bounds = fields.get("gate", mapping_of(_bound), None)
        for key in bounds or ():
            if key not in kind.bounds:
                fields["gate"].wrong(f"a gate of {name} bounds {', '.join(kind.bounds) or 'nothing'}, not {key}")
        because = fields.get("because", text, "")
        if bounds and not because:
            fields["gate"].wrong("a gate needs the key because: where its bounds come from")
        return Figure(
            title=fields.need("figure", text, ""),
            kind=name,
            given=given,
            published=published,
            where=fields.need("where", text, ""),
            confidence=fields.need("confidence", one_of(CONFIDENCE), ""),
            scheme=fields.get("scheme", text, None),
            gate=Gate(bounds, because) if bounds else None,
            note=fields.get("note", text, ""),
        )

    return read


def _bound(item: Item) -> Bound:
    """``[lowest, highest]``, null for none."""
    ends = item.items()
    if len(ends) != 2:
        raise item.wrong("a bound is [lowest, highest], null for none")
    low, high = (None if end.plain in ("null", "~") else number()(end) for end in ends)
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _range(bound: Bound) -> str:
    low, high = bound
    if low == high:
        return f"{low:g}"
    if math.isinf(low):
        return f"at most {high:g}"
    return f"at least {low:g}" if math.isinf(high) else f"{low:g} to {high:g}"
