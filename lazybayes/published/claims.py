"""Published numbers as data: a YAML file a paper, with each claim's place, its confidence and the gate it must pass.

::

    name: lbr2000
    title: Zheng & Webb (2000), ...
    source: where the numbers were read, and what is lost
    unavailable: {Pioneer: never published}        # data sets that cannot be had; no claim waits for them
    datasets: {Annealing processes: [Annealing]}   # the paper's names in its order, each with others it goes by
    figures:
      - figure: LBR against NB, significant w/t/l  # what it is
        kind: record                               # how it is measured of a run: `kinds.KINDS`
        algorithm: LBR                             # parameters of the kind
        rival: NB
        test: paired-t
        published: [7, 22, 0]                      # as the paper has it; left out where it has none
        where: Table 5
        confidence: high
        scheme: resubstitution                     # only where another kind of run is needed
        gate: {wins: [6, 10], losses: [null, 2]}   # the bounds that a run must keep, of what the kind measures
        because: where the bounds come from

A claim without a gate is reported, never failed. What each parameter and the published value may be is declared with
the kind: a record is ``[wins, ties, losses]``, a sign test ``below`` or ``not below``, ``cells`` a number by data set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lazybayes.errors import UsageError
from lazybayes.experiment import SCHEME_KEYS
from lazybayes.files import expand_home, is_file, obstacle
from lazybayes.messages import nearest
from lazybayes.published.kinds import KINDS, ClaimKind
from lazybayes.published.values import by_dataset
from lazybayes.yaml.reader import Fields, Item, Reader, list_of, load, mapping_of, number, one_of, text

FOLDER = Path(__file__).resolve().parent
EXPECTS = "a mapping with the keys name, title, source, datasets and figures"
COMMON = ("figure", "kind", "published", "where", "confidence", "scheme", "gate", "because", "note")
CONFIDENCE = ("high", "inferred", "derived", "replication")
NULLS = ("null", "~")
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
class Claim:
    """A published number or statement. given: its kind's parameters; published: as the paper has it, if it has one.

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
    """A paper's claims. datasets: its names in its order, each with others; unavailable: those that cannot be had."""

    name: str
    title: str
    source: str
    datasets: Mapping[str, tuple[str, ...]]
    claims: tuple[Claim, ...]
    unavailable: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs_no_run(self) -> bool:
        """Whether it has worked examples, which are computed without a run."""
        return any(claim.kind == "worked" for claim in self.claims)

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms that the claims are about."""
        parameters = (claim.given for claim in self.claims)
        names = ((g.get("algorithm"), g.get("rival"), *g.get("algorithms", ())) for g in parameters)
        return tuple(dict.fromkeys(name for some in names for name in some if name))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and diagnostics that the claims are about."""
        metrics = (claim.given.get("metric", "error") for claim in self.claims)
        return tuple(dict.fromkeys(metrics))


def papers() -> tuple[str, ...]:
    """The papers whose numbers are shipped."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def load_published(name_or_file: str) -> Paper:
    """The claims of a paper by name, or of a file of this form.

    Raises UsageError for a name that is none, ConfigError with every problem of a file.
    """
    path = expand_home(name_or_file)
    if not is_file(path):
        if path.name != name_or_file or path.suffix:
            raise UsageError(f"{name_or_file}: {obstacle(path)}")
        if name_or_file not in papers():
            hint = nearest(name_or_file, papers())
            raise UsageError(f"there are no published numbers {name_or_file}{hint}; there are {', '.join(papers())}")
        path = FOLDER / f"{name_or_file}.yaml"
    top = load(path, EXPECTS)
    fields = top.fields(("name", "title", "source", "unavailable", "datasets", "figures"))
    datasets = fields.need("datasets", _datasets, {})
    unavailable = fields.get("unavailable", mapping_of(text), {})
    for dataset in unavailable:
        if "datasets" in fields and dataset not in datasets:
            place = fields["unavailable"].entries()[dataset]
            place.wrong(f"{dataset} is no data set of the paper{nearest(dataset, datasets)}")
    paper = Paper(
        name=fields.need("name", text, ""),
        title=fields.need("title", text, ""),
        source=fields.need("source", text, ""),
        datasets=datasets,
        claims=fields.need("figures", list_of(_claim(tuple(datasets)), at_least=1), ()),
        unavailable=unavailable,
    )
    top.problems.finish()
    return paper


def _datasets(item: Item) -> dict[str, tuple[str, ...]]:
    """The paper's names, each with others; none of them stands for two data sets."""
    names = mapping_of(list_of(text))(item)
    owners: dict[str, str] = {}
    for name, others in names.items():
        for other in (name, *others):
            owner = owners.setdefault(other.casefold(), name)
            if owner != name:
                item.entries()[name].wrong(f"{other} would be both {owner} and {name}; a name is of one data set")
    return names


def _claim(datasets: tuple[str, ...]) -> Reader[Claim]:
    def read(item: Item) -> Claim:
        if "kind" not in item.entries():
            raise item.wrong(f"the key kind is missing; allowed: {', '.join(KINDS)}")
        name = one_of(KINDS)(item.entries()["kind"])
        kind = KINDS[name]
        fields = _without_null(item.fields((*COMMON, *kind.needs, *kind.takes), name))
        needed = {key: fields.need(key, reader, None) for key, reader in kind.needs.items()}
        optional = {key: fields.get(key, reader, None) for key, reader in kind.takes.items()}
        given = {key: value for key, value in (needed | optional).items() if value is not None}
        published = (fields.need if kind.must else fields.get)("published", kind.published, None)
        for dataset, place in _named(fields, kind, given, published):
            if dataset not in datasets:
                place.wrong(f"{dataset} is no data set of the paper{nearest(dataset, datasets)}")
        if kind.check:
            kind.check(fields, given, published)
        return Claim(
            title=fields.need("figure", text, ""),
            kind=name,
            given=given,
            published=published,
            where=fields.need("where", text, ""),
            confidence=fields.need("confidence", one_of(CONFIDENCE), ""),
            scheme=fields.get("scheme", one_of(SCHEME_KEYS), None),
            gate=_gate(fields, name),
            note=fields.get("note", text, ""),
        )

    return read


def _without_null(fields: Fields) -> Fields:
    """``published: null`` says that there is none, like leaving it out."""
    if "published" not in fields or fields["published"].plain not in NULLS:
        return fields
    return replace(fields, given={key: fields[key] for key in fields if key != "published"})


def _named(fields: Fields, kind: ClaimKind, given: Mapping[str, Any], published: Any) -> list[tuple[str, Item]]:
    """The data sets that a claim names, each with its place."""
    listed = fields["datasets"].items() if "datasets" in given else []
    keyed = fields["published"].entries() if published and kind.published is by_dataset else {}
    return [*((part.scalar, part) for part in listed if part.scalar is not None), *keyed.items()]


def _gate(fields: Fields, name: str) -> Gate | None:
    bounds = fields.get("gate", mapping_of(_bound), None)
    because = fields.get("because", text, "")
    if bounds is None:
        return None
    item, known = fields["gate"], KINDS[name].bounds
    for key, place in item.entries().items():
        if key not in known:
            place.wrong(f"a gate of {name} bounds {', '.join(known) or 'nothing'}, not {key}{nearest(key, known)}")
    if not item.entries():
        item.wrong(f"a gate of {name} bounds {', '.join(known) or 'nothing'}; none of it stands here")
    elif not because:
        item.wrong("a gate needs the key because: where its bounds come from")
    return Gate(bounds, because)


def _bound(item: Item) -> Bound:
    """``[lowest, highest]``, null for none."""
    ends = item.items()
    if len(ends) != 2:
        raise item.wrong("a bound is [lowest, highest], null for none")
    low, high = (None if end.plain in NULLS else number(kind="a number or null")(end) for end in ends)
    if low is None and high is None:
        raise item.wrong("[null, null] bounds nothing; a bound is [lowest, highest], null for none of both")
    if low is not None and high is not None and low > high:
        raise item.wrong(f"the lowest, {low:g}, is above the highest, {high:g}; a bound is [lowest, highest]")
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _range(bound: Bound) -> str:
    low, high = bound
    if low == high:
        return f"{low:g}"
    if math.isinf(low):
        return f"at most {high:g}"
    return f"at least {low:g}" if math.isinf(high) else f"{low:g} to {high:g}"
