"""What each kind of figure measures, against values worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from lazybayes.published.kinds import KINDS, RunValue
from tests.runs import frame, view

# LBR against NB: p 2 to 8 errors of 40 (a significant win), q a tie, r 5 to 4 (a loss), s a tie without conditions.
ERRORS = {
    **{("p", "LBR"): [0, 1, 0, 1], ("p", "NB"): [2, 2, 2, 2]},
    **{("q", "LBR"): [1, 0, 2, 1], ("q", "NB"): [1, 1, 1, 1]},
    **{("r", "LBR"): [1, 1, 2, 1], ("r", "NB"): [1, 1, 1, 1]},
    **{("s", "LBR"): [3, 0, 0, 0], ("s", "NB"): [3, 0, 0, 0]},
}
CONDITIONS = {
    (d, "LBR"): values for d, values in {"p": [1, 2, 1, 1], "q": [0, 0, 0, 0.1], "r": [0.5] * 4, "s": [0] * 4}.items()
}
PAIR = {"algorithm": "LBR", "rival": "NB"}


def measure(kind: str, given: dict[str, Any], published: Any = None, **options: Any) -> RunValue:
    held = frame(ERRORS, columns={"conditions": CONDITIONS})
    held["accuracy"] = 1 - held["error"]
    held["accuracy_special"] = 0
    return KINDS[kind].measure(given, published, view(held, **options))


def test_records_raw_and_significant() -> None:
    raw = measure("record", PAIR)
    assert raw.text == "1/2/1"
    # the sign test of 1-1: P(B(2) >= 1) = 3/4
    assert raw.values == {"wins": 1, "ties": 2, "losses": 1, "lead": 0, "p": 0.75}
    # p: NB - LBR is 2, 1, 2, 1: t = 1.5 / (0.577 / 2) = 5.2; r: 0, 0, 1, 0: t = 1, not significant
    assert measure("record", {**PAIR, "test": "paired-t"}).text == "1/3/0"


def test_a_record_can_round_to_decimals() -> None:
    close = frame({("x", "A"): [10001], ("x", "B"): [10002]}, n_test=1_000_000)
    for decimals, record in ((2, "0/1/0"), (4, "1/0/0")):
        given = {"algorithm": "A", "rival": "B", "decimals": decimals}
        found = KINDS["record"].measure(given, None, view(close))
        assert found.text == record
        assert (
            found.detail
            == {"0/1/0": "sign test p 1.0000, two-tailed 1.0000", "1/0/0": "sign test p 0.5000, two-tailed 1.0000"}[
                record
            ]
        )


@pytest.mark.parametrize(("published", "agrees"), [("below", False), ("not below", True)])
def test_the_side_of_a_sign_test(published: str, agrees: bool) -> None:
    found = measure("sign-test", PAIR, published)
    assert (found.agrees, found.text) == (agrees, "p 0.7500 (1/2/1)")


def test_the_mean_relative_error_reduction() -> None:
    # ratios 2/8, 4/4, 5/4, 3/3: mean 0.875
    found = measure("reduction", {**PAIR, "rounding": 0.5}, 12)
    assert found.values["value"] == pytest.approx(12.5)
    assert found.agrees
    assert not measure("reduction", {**PAIR, "rounding": 0.5}, 9).agrees


def test_averages_and_their_rank() -> None:
    # LBR errs on 14 of 160 rows, NB on 19
    found = measure("average", {"metric": "error", "algorithm": "LBR"}, 8.75)
    assert (found.text, found.agrees) == ("8.75", True)
    assert measure("average", {"metric": "accuracy", "algorithm": "LBR"}).text == "91.25"
    given = {"algorithms": ["NB", "LBR"], "metric": "error"}
    first = measure("rank", {**given, "algorithm": "LBR"}, 1)
    assert (first.values["value"], first.agrees) == (1, True)
    assert (first.text, first.detail) == ("1", "LBR 8.75, NB 11.88")
    assert measure("rank", {**given, "algorithm": "NB"}, 1).agrees is False
    higher = measure("rank", {**given, "algorithm": "LBR", "metric": "accuracy"})
    assert higher.detail.startswith("LBR 91.25, NB 88.1")


def test_wins_on_chosen_data_sets() -> None:
    found = measure("wins-on", {**PAIR, "test": "paired-t", "datasets": ["p", "r"]})
    assert (found.text, found.values["value"], found.detail) == ("1 of 2", 1, "not on r")


def test_rules_without_conditions() -> None:
    found = measure("never", {"algorithm": "LBR", "diagnostic": "conditions"}, 1)
    assert (found.text, found.agrees, found.detail) == ("1", True, "s")
    tied = measure("ties-with", {**PAIR, "diagnostic": "conditions"}, 1)
    assert (tied.text, tied.agrees, tied.detail) == ("1", True, "q")


def test_cells_are_near_within_two_standard_errors_and_the_rounding() -> None:
    # p, LBR: 5 %, sd of 0, 10, 0, 10 is 5.774, standard error 2.887; so from -0.779 to 10.779
    given = {"algorithm": "LBR", "metric": "error"}
    found = measure("cells", given, {"p": 10.77, "s": 7.5})
    assert (found.text, found.agrees, found.values["within"]) == ("2 of 2 within", True, 2)
    assert found.parts[0].ours == "5.00 ± 2.89"
    far = measure("cells", given, {"p": 10.79, "s": 7.5})
    assert ([part.agrees for part in far.parts], far.values["within"]) == ([False, True], 1)
    assert measure("cells", {**given, "rounding": 0.5}, {"p": 10.79}).agrees


def test_a_bound_holds_from_one_side() -> None:
    given = {"algorithm": "NB", "metric": "error"}  # 20 on p, without spread
    assert measure("at-most", given, {"p": 20.0}).agrees
    assert measure("at-most", given, {"p": 19.99}).agrees is False
    assert measure("at-most", given, {"p": 99.0}).agrees


def test_spreads_and_their_mean() -> None:
    # p, LBR: sd 5.774, four trials: near within 2 x 5.774 / sqrt 3 = 6.667
    given = {"algorithm": "LBR", "metric": "error"}
    assert [measure("spreads", given, {"p": sd}).agrees for sd in (12.43, 12.46)] == [True, False]
    # sds: 5.774; 1, 0, 2, 1: 8.165; 1, 1, 2, 1: 5; 3, 0, 0, 0: 15
    assert measure("average-spread", given).text == "8.48"


def test_settings_by_their_path() -> None:
    algorithms = [{"name": "BT", "params": {"min_rows": 30, "estimate": {"m": 2}}}]
    for path, published, agrees in (
        ("cv.folds", 10, True),
        ("cv.repeats", 3, False),
        ("algorithms.BT.min_rows", 30, True),
        ("algorithms.BT.estimate.m", 2, True),
    ):
        assert measure("setting", {"path": path}, published, algorithms=algorithms).agrees is agrees
    for path in ("algorithms.BT.min_gain", "algorithms.NB.estimate.m", "cv.folds.x"):
        unset = measure("setting", {"path": path}, 1, algorithms=algorithms)
        assert (unset.text, unset.agrees) == ("not set", None)


def test_data_sets_are_counted() -> None:
    assert measure("data-sets", {}, 4).agrees
    short = measure("data-sets", {}, 6, wanted="pqrst")
    assert short.text == "4 (1 cannot be had)"
    assert short.gaps[0].what == "data sets without results in run: t"
    assert short.agrees is False


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "worked"])  # which needs no run
def test_every_kind_says_what_is_missing(kind: str) -> None:
    if kind in ("setting", "data-sets"):
        return
    given: dict[str, Any] = dict.fromkeys(KINDS[kind].needs, "A")
    given |= {"metric": "error", "algorithms": ["A"], "datasets": ["t"], "diagnostic": "conditions"}
    found = measure(kind, given, {"t": 1.0} if kind in ("cells", "at-most", "spreads") else 1, wanted="pqrst")
    assert found.text == "-"
    assert not found.values
    assert {gap.chosen for gap in found.gaps} == {True}


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("rank", {"algorithm": "LBR", "algorithms": ["NB", "LBR"], "metric": "error"}),
        ("never", {"algorithm": "LBR", "diagnostic": "conditions"}),
        ("setting", {"path": "cv.folds"}),
        ("average", {"algorithm": "LBR", "metric": "error"}),
    ],
)
def test_what_is_not_published_neither_agrees_nor_differs(kind: str, given: dict[str, Any]) -> None:
    found = measure(kind, given)
    assert found.text != "-"
    assert (found.agrees, found.tolerance) == (None, "")
