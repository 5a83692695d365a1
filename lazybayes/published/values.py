"""What a claim may say: readers of its parameters and of its published value, and what must fit together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from lazybayes.errors import UsageError
from lazybayes.messages import nearest
from lazybayes.yaml.reader import Fields, Item, Wrong, anything, integer, list_of, mapping_of, number, one_of, text

WORDS = ("more wins than losses", "more losses than wins", "less time", "more time")
"""What a paper says of a record whose numbers are not known."""

_FRACTION = re.compile(r"[-+]?[0-9]{1,18}/0*+[1-9][0-9]{0,17}")
_RULES_OF = re.compile(r"rules_of_[0-9]+")

count = integer(at_least=0)
algorithms = list_of(text, at_least=2, unique=True)
datasets = list_of(text, at_least=1, unique=True)


def metric(item: Item) -> str:
    """A metric, or a learner's diagnostic."""
    from lazybayes.metrics.registry import METRICS

    return _measured(item, tuple(METRICS))


def diagnostic(item: Item) -> str:
    """What a learner tells beside its answers."""
    return _measured(item, ())


def record(item: Item) -> list[int] | str:
    """``[wins, ties, losses]``, or one of `WORDS`."""
    if item.is_list and len(item.items()) == 3:
        return list(list_of(count)(item))
    if item.scalar in WORDS:
        return item.scalar
    problem = f"{len(item.items())} of three numbers stand here" if item.is_list else item.content
    raise item.wrong(f"{problem}; [wins, ties, losses] is expected, like [7, 22, 0] or one of {', '.join(WORDS)}")


def by_dataset(item: Item) -> dict[str, float]:
    """A number for each of some data sets."""
    if not item.is_mapping or not item.entries():
        problem = "no data set stands here" if item.is_mapping else item.content
        raise item.wrong(f"{problem}; a number for each data set is expected, like {{Wine: 1.7}}")
    return mapping_of(number())(item)


def fraction(item: Item) -> float | str:
    """A number, or a fraction as it is written."""
    if item.scalar is not None and _FRACTION.fullmatch(item.scalar):
        return item.scalar
    return number(kind="a number, or a fraction like 4/7,")(item)


def number_or_class(item: Item) -> Any:
    """The value of a worked example: `fits_example` knows which of both it is."""
    return anything(item) if item.scalar is not None else text(item)


def example(item: Item) -> str:
    """A worked example."""
    from lazybayes.textbooks.examples import EXAMPLES

    return one_of(EXAMPLES)(item)


def one_way_to_count(fields: Fields, given: Mapping[str, Any], published: Any) -> None:
    """A record counts significant differences, or those of rounded means."""
    if "test" in fields and "decimals" in fields:
        fields["test"].wrong("a record is by a test or by means rounded to decimals; leave out one of both")


def fits_ranked(fields: Fields, given: Mapping[str, Any], published: Any) -> None:
    """The algorithm is among those ranked, and its place is one of theirs."""
    own, ranked = given.get("algorithm"), given.get("algorithms")
    if own is None or ranked is None:
        return
    if own not in ranked:
        fields["algorithm"].wrong(f"{own} is not among the algorithms {', '.join(ranked)}{nearest(own, ranked)}")
    if published is not None and published > len(ranked):
        fields["published"].wrong(f"{published} is out of range; a place of 1 to {len(ranked)} is expected")


def fits_example(fields: Fields, given: Mapping[str, Any], published: Any) -> None:
    """The example has the value, which is a number or a class, and so is what it is compared with."""
    from lazybayes.textbooks.examples import example_value

    if "example" not in given or "value" not in given:
        return
    try:
        value = example_value(given["example"], given["value"])
    except UsageError as problem:
        fields["value"].wrong(str(problem))
        return
    if "published" not in fields and "exact" not in fields:
        fields.item.wrong("the key published or exact is missing: what the value is compared with")
    if isinstance(value, str):
        for key in ("exact", "rounding"):
            if key in fields:
                fields[key].wrong(f"{given['value']} of {given['example']} is a class; only published is compared")
    elif published is not None:
        with suppress(Wrong):
            fraction(fields["published"])


def _measured(item: Item, names: tuple[str, ...]) -> str:
    if item.scalar in names:
        return item.scalar  # the learners are loaded only for their diagnostics
    from lazybayes.learners import registry

    if item.scalar is not None and _RULES_OF.fullmatch(item.scalar):  # LBR has one a length
        return item.scalar
    return one_of((*names, *registry.diagnostics()))(item)
