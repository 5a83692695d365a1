"""The table of learners that a config may name, their parameters, defaults and what they accept: DESIGN.md's words.

Kept here as well, so that the registry is held against it where ../shared is absent; a test compares the two copies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lazybayes.learners.registry import accepts, names

TABLE = """
| name | parameters (defaults) | accepts |
| --- | --- | --- |
| naive-bayes | estimate; class_prior: laplace, frequency; numeric: none, gaussian (none) | nominal; numeric with gaussian |
| lbr | estimate, alpha 0.05 | nominal |
| lazy-tree | – | nominal |
| bse | estimate | nominal |
| bsej | estimate; ties: first, last (first) | nominal |
| bt | estimate, min_rows 30, min_gain 0.05 | nominal |
| c45 | min_rows 2, confidence 0.25, prune true, collapse true, subtree_raising true, laplace false | nominal, numeric |
| tan | edge_score: cmi, bayes (cmi); estimate friedman N0 5 (with bayes: dirichlet 0.5); direction: paper, root; weight: joint, printed | nominal |
| hocp-tan | as tan | nominal |
| semi-lazy-tan | as tan; value_weight: printed, joint; chain: directed, undirected | nominal |
| lazy-tan | form: all-classes, given-class; value_weight: printed, joint | nominal |
| superparent-tan | estimate friedman N0 5 | nominal |
| nb-tree | estimate laplace; folds 5; inner: deal, contiguous, shuffled, weka (deal); min_rows 30; min_branch 5; min_gain 0.05 | nominal |
| cll-tree | estimate laplace; reading: paper, weka-frame; small: as-is, zero; folds 5; inner: deal, contiguous, shuffled, weka (deal); min_rows 30; min_gain 0.05 | nominal |
| bagging | base (a name or an entry), bags 10 | as base |
| text-naive-bayes | drop_frequent 100, min_count 3 | documents |
| belief-network | file, estimate | nominal |
| majority | – | nominal, numeric, documents |
"""  # noqa: E501

LATER = ("aode", "a2de", "waode", "hnb", "kdb", "fss")

CHANGES = {
    "| score: cmi": "| edge_score: cmi",  # `score` is a method of every classifier
    "contiguous, shuffled (deal)": "contiguous, shuffled, weka (deal)",
    "| belief-network | file, estimate | nominal |": (
        "| belief-network | file, estimate | nominal |\n| majority | – | nominal, numeric, documents |"
    ),
    "| bse, bsej | estimate |": "| bse | estimate | nominal |\n| bsej | estimate; ties: first, last (first) |",
}
"""What was added to the design's table, and renamed, by text."""

DEFAULT_ESTIMATE = {"kind": "m-estimate", "m": 2, "prior": "marginal"}

REQUIRED = object()
"""The default of a parameter that must be given."""


@dataclass(frozen=True)
class Entry:
    """One learner. parameters: name -> default; options: name -> the values allowed, of those that have a list."""

    parameters: dict[str, Any]
    options: dict[str, tuple[str, ...]]
    accepts: str


def parse(table: str) -> dict[str, Entry]:
    """The table's rows by name."""
    entries: dict[str, Entry] = {}
    for line in table.strip().splitlines()[2:]:
        names, parameters, accepts = (cell.strip() for cell in line.strip().strip("|").split("|"))
        for name in names.split(", "):
            entries[name] = _entry(parameters, accepts, entries)
    return entries


def _entry(text: str, accepts: str, entries: dict[str, Entry]) -> Entry:
    parameters: dict[str, Any] = {}
    options: dict[str, tuple[str, ...]] = {}
    for clause in () if text == "–" else text.split("; "):
        words = re.sub(r" \(.*\)", "", clause)
        (note,) = re.findall(r"\((.*)\)", clause) or [""]
        if words.startswith("as "):
            other = entries[words.removeprefix("as ")]
            parameters |= other.parameters
            options |= other.options
        elif ": " in words:
            name, _, listed = words.partition(": ")
            options[name] = tuple(listed.split(", "))
            parameters[name] = note or options[name][0]
        else:
            parameters |= dict(_parameter(item) for item in words.split(", "))
    return Entry(parameters, options, accepts)


def _parameter(item: str) -> tuple[str, Any]:
    """`alpha 0.05`, `estimate friedman N0 5`, `estimate`, `file`."""
    name, *words = item.split()
    if name == "estimate":
        kind, *own = words or [""]
        return name, {
            "kind": kind,
            **dict(zip(own[::2], map(float, own[1::2]), strict=True)),
        } if kind else DEFAULT_ESTIMATE
    return name, yaml.safe_load(words[0]) if words else REQUIRED


ENTRIES = parse(TABLE)


def given(name: str) -> dict[str, Any]:
    """The parameters without which a learner cannot be made."""
    network = Path(__file__).with_name("contract_network.yaml")
    return {"bagging": {"base": "naive-bayes"}, "belief-network": {"file": str(network)}}.get(name, {})


BOUND = tuple(name for name, entry in ENTRIES.items() if "file" in entry.parameters)
"""Learners whose file names the attributes and classes they take: they cannot be fitted on just any data."""

NOMINAL = tuple(name for name in names() if name not in BOUND and "nominal" in accepts(name, given(name)))
"""The registered learners that take any nominal attributes as they stand by default."""
