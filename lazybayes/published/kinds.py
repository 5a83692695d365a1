"""What is measured of a run to stand beside a paper's claim: one small function per kind of claim.

Each takes the claim's parameters and published value and a `View` of the run. What it measures has names, so that a
gate can bound it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from lazybayes.messages import p_value
from lazybayes.metrics.registry import METRICS
from lazybayes.published import values
from lazybayes.published.view import Gap, View
from lazybayes.statistics.comparison import significant
from lazybayes.statistics.formulas import ALPHA, TIE
from lazybayes.statistics.matrix import Matrix
from lazybayes.statistics.tests import OVER_TRIALS
from lazybayes.statistics.win_tie_loss import Record, error_ratios, tally, verdict
from lazybayes.yaml.reader import Fields, Reader, anything, integer, number, one_of, text

SIDES = ("below", "not below")
"""Where a p is, of 0.05."""


@dataclass(frozen=True)
class Part:
    """One value of a claim that has many: what a paper and a run have of it, how near they should be, and are."""

    label: str
    published: str
    ours: str
    tolerance: str
    agrees: bool


@dataclass(frozen=True)
class RunValue:
    """What a run has of a claim.

    text: as it is shown; detail: what else is worth a note; values: what a gate can bound, by name; gaps: what is
    missing for it; agrees, tolerance: whether it is as published, within what (None and "" where no tolerance is
    stated).
    """

    text: str = "-"
    values: Mapping[str, float] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    agrees: bool | None = None
    tolerance: str = ""
    parts: tuple[Part, ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim.

    published: what the published value may be, which without ``must`` may be left out; needs, takes: the parameters,
    necessary and optional, with what each may be; bounds: the names a gate can bound; check: notes what of the fields,
    the parameters and the published value does not fit together.
    """

    measure: Callable[[Mapping[str, Any], Any, View], RunValue]
    published: Reader[Any]
    needs: Mapping[str, Reader[Any]] = field(default_factory=dict)
    takes: Mapping[str, Reader[Any]] = field(default_factory=dict)
    bounds: tuple[str, ...] = ()
    must: bool = False
    check: Callable[[Fields, Mapping[str, Any], Any], None] | None = None


def record(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """Wins/ties/losses of an algorithm against a rival; with a test only significant differences count.

    ``decimals``: on percents rounded to so many decimals, as Wang, Webb & Zheng (2003) have it; with the sign test's p
    in the detail.
    """
    counts, gaps = _record(given, view)
    if counts is None:
        return RunValue(gaps=gaps)
    sign = counts.sign
    detail = f"sign test p {p_value(sign.p)}, two-tailed {p_value(sign.p_two_tailed)}" if "decimals" in given else ""
    return RunValue(str(counts), _bounds(counts), gaps, detail=detail)


def sign_test(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The side of 0.05 on which the one-tailed sign test of a record is. published: ``below`` or ``not below``."""
    counts, gaps = _record(given, view)
    if counts is None:
        return RunValue(gaps=gaps)
    p = counts.sign.p
    agrees = (p < ALPHA) == (published == "below")
    return RunValue(f"p {p_value(p)} ({counts})", _bounds(counts), gaps, agrees, f"the same side of {ALPHA}")


def reduction(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The mean relative error reduction over a rival, in percent: 1 minus the mean error ratio."""
    matrix, gaps = view.part("error", _pair(given))
    if matrix is None:
        return RunValue(gaps=gaps)
    ratios = error_ratios(matrix, *_pair(given))
    if not ratios:
        return RunValue(gaps=(*gaps, Gap(f"{given['rival']} makes no error", False)))
    value = 100 * (1 - math.fsum(ratios.values()) / len(ratios))
    return RunValue(f"{value:.1f} %", {"value": value}, gaps, *_near(value, published, given))


def average(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The mean over the data sets of an algorithm's means."""
    matrix, gaps = view.part(given["metric"], [given["algorithm"]])
    if matrix is None:
        return RunValue(gaps=gaps)
    value = _scale(given) * matrix.average(given["algorithm"])
    return RunValue(f"{value:.2f}", {"value": value}, gaps, *_near(value, published, given))


def average_spread(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The mean over the data sets of the standard deviation over the trials."""
    matrix, gaps = view.part(given["metric"], [given["algorithm"]])
    if matrix is None:
        return RunValue(gaps=gaps)
    spreads = [_spread(matrix, d, given) for d in matrix.datasets]
    value = math.fsum(spreads) / len(spreads)
    return RunValue(f"{value:.2f}", {"value": value}, gaps, *_near(value, published, given))


def rank(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The place of an algorithm's average among several, 1 = best."""
    matrix, gaps = view.part(given["metric"], given["algorithms"])
    if matrix is None:
        return RunValue(gaps=gaps)
    sign = -1 if matrix.better == "higher" else 1
    averages = {a: sign * matrix.average(a) for a in matrix.algorithms}
    place = 1 + sum(value < averages[given["algorithm"]] - TIE for value in averages.values())
    listed = sorted(averages, key=lambda a: averages[a])
    shown = ", ".join(f"{a} {_scale(given) * sign * averages[a]:.2f}" for a in listed)
    return RunValue(str(place), {"value": place}, gaps, *_equal(place, published, "the same place"), detail=shown)


def wins_on(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """On how many of some data sets an algorithm is significantly better than a rival."""
    matrix, gaps = view.part(given.get("metric", "error"), _pair(given), given["datasets"])
    if matrix is None:
        return RunValue(gaps=gaps)
    won = [d for d in matrix.datasets if _verdict(matrix, d, given) == 1]
    lost = [d for d in matrix.datasets if d not in won]
    but = f"not on {', '.join(lost)}" if lost else ""
    return RunValue(f"{len(won)} of {len(given['datasets'])}", {"value": len(won)}, gaps, detail=but)


def never(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The number of data sets on which a learner's diagnostic is 0 in every trial."""
    matrix, gaps = view.part(given["diagnostic"], [given["algorithm"]])
    if matrix is None:
        return RunValue(gaps=gaps)
    return _counted([d for d in matrix.datasets if not matrix.at(d, given["algorithm"]).defined.any()], published, gaps)


def ties_with(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """The number of data sets that an algorithm ties although its diagnostic is above 0 in some trial."""
    matrix, gaps = view.part("error", _pair(given))
    diagnostic, more = view.part(given["diagnostic"], [given["algorithm"]])
    gaps = tuple(dict.fromkeys((*gaps, *more)))
    if matrix is None or diagnostic is None:
        return RunValue(gaps=gaps)
    tied = [d for d in matrix.datasets if d in diagnostic.datasets and not verdict(matrix, d, *_pair(given))]
    return _counted([d for d in tied if diagnostic.at(d, given["algorithm"]).defined.any()], published, gaps)


def cells(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """Means of an algorithm, a data set each: near if within two of our standard errors plus the paper's rounding."""
    matrix, gaps = view.part(given["metric"], [given["algorithm"]], published)
    if matrix is None:
        return RunValue(gaps=gaps)
    parts = []
    for d, mean, error in _means(matrix, given):
        allowed = 2 * error + _rounding(given)
        near = abs(mean - published[d]) <= allowed + 1e-9
        parts.append(Part(d, f"{published[d]:.2f}", f"{mean:.2f} ± {error:.2f}", f"± {allowed:.3f}", near))
    return _within(parts, len(published), gaps, f"two standard errors + {_rounding(given)}")


def at_most(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """Means of an algorithm of which only an upper bound is known, a data set each."""
    matrix, gaps = view.part(given["metric"], [given["algorithm"]], published)
    if matrix is None:
        return RunValue(gaps=gaps)
    parts = []
    for d, mean, error in _means(matrix, given):
        allowed = 2 * error + _rounding(given)
        near = mean <= published[d] + allowed + 1e-9
        parts.append(Part(d, f"{published[d]:.2f} or less", f"{mean:.2f}", f"+ {allowed:.3f}", near))
    return _within(parts, len(published), gaps, f"two standard errors + {_rounding(given)}")


def spreads(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """Standard deviations over the trials, a data set each.

    Near if within two standard errors of the difference of two such deviations, 2 SD / sqrt(J - 1) for J trials as if
    they were independent and normal, plus the rounding.
    """
    matrix, gaps = view.part(given["metric"], [given["algorithm"]], published)
    if matrix is None:
        return RunValue(gaps=gaps)
    parts = []
    for d in matrix.datasets:
        spread, trials = _spread(matrix, d, given), len(matrix.at(d, given["algorithm"]).defined)
        allowed = 2 * spread / math.sqrt(max(trials - 1, 1)) + _rounding(given)
        near = abs(spread - published[d]) <= allowed + 1e-9
        parts.append(Part(d, f"{published[d]:.2f}", f"{spread:.2f}", f"± {allowed:.3f}", near))
    return _within(parts, len(published), gaps, "2 SD / sqrt(trials - 1) + rounding")


def setting(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """A setting of the experiment by its path, like ``cv.folds`` or ``algorithms.BT.min_rows``."""
    value: Any = view.settings
    for key in str(given["path"]).split("."):
        if isinstance(value, list):
            value = next((entry for entry in value if entry.get("name") == key), None)
        else:
            value = value.get(key, (value.get("params") or {}).get(key)) if isinstance(value, Mapping) else None
    if value is None:
        return RunValue("not set")
    return RunValue(str(value), {}, (), *_equal(value, published))


def count_datasets(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """How many of the paper's data sets the run has."""
    _, gaps = view.part("error", view.algorithms[:1])
    count = len(view.names)
    missing = published - len(view.wanted)
    note = f" ({missing} cannot be had)" if missing else ""
    return RunValue(f"{count}{note}", {"value": count}, gaps, count == published, "equal")


def worked(given: Mapping[str, Any], published: Any, view: View) -> RunValue:
    """A value of a worked example, which needs no run.

    ``rounding``: of the printed value (default 0); ``exact``: what the arithmetic gives, to be met to 1e-9. Numbers may
    be fractions like ``4/7``.
    """
    from lazybayes.textbooks.examples import example_value

    value = example_value(given["example"], given["value"])
    if isinstance(value, str):
        return RunValue(value, {}, (), *_equal(value, published if published is None else str(published)))
    rounding = float(given.get("rounding", 0))
    tolerances = []
    agrees = True
    if published is not None:
        agrees = abs(value - _fraction(published)) <= rounding + 1e-9 * abs(_fraction(published))
        tolerances += [f"± {rounding:g}" if rounding else "equal"]
    if "exact" in given:
        exact = _fraction(given["exact"])
        agrees = agrees and math.isclose(value, exact, rel_tol=1e-9, abs_tol=1e-15 if exact == 0 else 0.0)
        tolerances += [f"{exact:.6g} exactly"] if tolerances != ["equal"] else []
    return RunValue(f"{value:.6g}", {"value": value}, (), agrees, ", ".join(tolerances))


_RECORD = ("wins", "ties", "losses", "lead", "p")
_TEST = one_of(tuple(OVER_TRIALS))
_NOT_NEGATIVE = number(at_least=0)
_ONE: Mapping[str, Reader[Any]] = {"algorithm": text}
_TWO: Mapping[str, Reader[Any]] = {"algorithm": text, "rival": text}
_MEASURED: Mapping[str, Reader[Any]] = {**_ONE, "metric": values.metric}
_OF_RECORD: Mapping[str, Reader[Any]] = {
    "metric": values.metric,
    "test": _TEST,
    "decimals": integer(at_least=0, at_most=15),  # a double has no more
}
_ROUNDED: Mapping[str, Reader[Any]] = {"rounding": _NOT_NEGATIVE}
_SCALE: Mapping[str, Reader[Any]] = {"scale": number(above=0)}
_SCALED: Mapping[str, Reader[Any]] = {**_SCALE, **_ROUNDED}
_RANKED: Mapping[str, Reader[Any]] = {**_MEASURED, "algorithms": values.algorithms}
_EXAMPLE: Mapping[str, Reader[Any]] = {"example": values.example, "value": text}
_EXACT: Mapping[str, Reader[Any]] = {**_ROUNDED, "exact": values.fraction}
_WON: Mapping[str, Reader[Any]] = {**_TWO, "datasets": values.datasets, "test": _TEST}
_COUNTED: Mapping[str, Reader[Any]] = {"diagnostic": values.diagnostic}

KINDS: dict[str, ClaimKind] = {
    "record": ClaimKind(record, values.record, _TWO, _OF_RECORD, _RECORD, check=values.one_way_to_count),
    "sign-test": ClaimKind(sign_test, one_of(SIDES), _TWO, _OF_RECORD, _RECORD, True, values.one_way_to_count),
    "reduction": ClaimKind(reduction, number(), _TWO, _ROUNDED, ("value",)),
    "average": ClaimKind(average, number(), _MEASURED, _SCALED, ("value",)),
    "average-spread": ClaimKind(average_spread, _NOT_NEGATIVE, _MEASURED, _SCALED, ("value",)),
    "rank": ClaimKind(rank, integer(at_least=1), _RANKED, _SCALE, ("value",), check=values.fits_ranked),
    "wins-on": ClaimKind(wins_on, values.count, _WON, {"metric": values.metric}, ("value",)),
    "never": ClaimKind(never, values.count, {**_ONE, **_COUNTED}, {}, ("value",)),
    "ties-with": ClaimKind(ties_with, values.count, {**_TWO, **_COUNTED}, {}, ("value",)),
    "cells": ClaimKind(cells, values.by_dataset, _MEASURED, _SCALED, ("within",), must=True),
    "at-most": ClaimKind(at_most, values.by_dataset, _MEASURED, _SCALED, ("within",), must=True),
    "spreads": ClaimKind(spreads, values.by_dataset, _MEASURED, _SCALED, ("within",), must=True),
    "setting": ClaimKind(setting, anything, {"path": text}),
    "data-sets": ClaimKind(count_datasets, values.count, {}, {}, ("value",), must=True),
    "worked": ClaimKind(worked, values.number_or_class, _EXAMPLE, _EXACT, ("value",), check=values.fits_example),
}


def _record(given: Mapping[str, Any], view: View) -> tuple[Record | None, tuple[Gap, ...]]:
    matrix, gaps = view.part(given.get("metric", "error"), _pair(given))
    return (None if matrix is None else tally(_verdict(matrix, d, given) for d in matrix.datasets)), gaps


def _verdict(matrix: Matrix, dataset: str, given: Mapping[str, Any]) -> int:
    algorithm, rival = _pair(given)
    if "decimals" in given:
        own, other = (round(100 * matrix.loss(dataset, a), given["decimals"]) for a in (algorithm, rival))
        return 0 if own == other else 1 if own < other else -1
    if "test" in given:
        return significant(matrix, dataset, algorithm, rival, given["test"])
    return verdict(matrix, dataset, algorithm, rival)


def _bounds(counts: Record) -> dict[str, float]:
    """What a gate can bound of a record; lead: wins minus losses; p: of the one-tailed sign test."""
    lead = counts.wins - counts.losses
    return {"wins": counts.wins, "ties": counts.ties, "losses": counts.losses, "lead": lead, "p": counts.sign.p}


def _pair(given: Mapping[str, Any]) -> tuple[str, str]:
    return given["algorithm"], given["rival"]


def _scale(given: Mapping[str, Any]) -> float:
    metric = METRICS.get(given.get("metric", ""))
    return float(given.get("scale", metric.scale if metric else 1))


def _rounding(given: Mapping[str, Any]) -> float:
    """Half a unit of the paper's last decimal."""
    return float(given.get("rounding", 0.005))


def _means(matrix: Matrix, given: Mapping[str, Any]) -> Iterator[tuple[str, float, float]]:
    """Each data set with the algorithm's mean and its standard error, as the paper gives them."""
    for d in matrix.datasets:
        trials = matrix.at(d, given["algorithm"])
        yield d, _scale(given) * trials.mean, _scale(given) * (trials.standard_error or 0.0)


def _spread(matrix: Matrix, dataset: str, given: Mapping[str, Any]) -> float:
    """The standard deviation over the trials."""
    trials = matrix.at(dataset, given["algorithm"])
    return _scale(given) * (trials.deviation or 0.0)


def _near(value: float, published: Any, given: Mapping[str, Any]) -> tuple[bool | None, str]:
    if published is None:
        return None, ""
    return abs(value - published) <= _rounding(given) + 1e-9, f"± {_rounding(given)}"


def _equal(value: Any, published: Any, tolerance: str = "equal") -> tuple[bool | None, str]:
    return (None, "") if published is None else (value == published, tolerance)


def _fraction(value: Any) -> float:
    return float(Fraction(value)) if isinstance(value, str) else float(value)


def _within(parts: list[Part], wanted: int, gaps: tuple[Gap, ...], tolerance: str) -> RunValue:
    within = sum(part.agrees for part in parts)
    text = f"{within} of {wanted} within"
    return RunValue(text, {"within": within}, gaps, within == wanted, tolerance, tuple(parts))


def _counted(datasets: list[str], published: Any, gaps: tuple[Gap, ...]) -> RunValue:
    """The number of some data sets, which are named in the detail."""
    count = len(datasets)
    return RunValue(str(count), {"value": count}, gaps, *_equal(count, published), detail=", ".join(datasets))
