"""The copies of the books' numbers in `textbook.py` are those of ../shared, where that folder is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import textbook as book


@pytest.fixture(scope="module")
def published(shared: Path) -> Any:
    return yaml.safe_load((shared / "published" / "textbook.yaml").read_text(encoding="utf-8"))


def shares(node: dict[str, str]) -> dict[str, Fraction]:
    return {key: Fraction(*map(int, value.split("/"))) for key, value in node.items()}


def test_loan(published: Any) -> None:
    loan = published["tan_steinbach_kumar_ch5"]["loan"]
    assert loan["columns"][1:] == book.LOAN_COLUMNS
    assert [row[1:] for row in loan["rows"]] == book.LOAN_ROWS
    assert loan["test_record"] == book.LOAN_RECORD
    assert {name: shares(node) for name, node in loan["conditional_counts"].items()} == book.LOAN_CONDITIONALS
    assert loan["priors_printed"] == book.LOAN_PRIORS
    assert {c: (node["mean"], node["variance"]) for c, node in loan["income_gaussian"].items()} == book.LOAN_INCOME
    plain, m = loan["relative_frequency"], loan["m_estimate"]
    assert {c: plain[f"p_income120_given_{c.lower()}"]["exact"] for c in ("No", "Yes")} == book.LOAN_DENSITY
    for numbers, node in ((book.LOAN_FREQUENCY, plain), (book.LOAN_M_ESTIMATE, m)):
        assert node["predicted_class"] == "No"
        for c in ("No", "Yes"):
            assert node[f"p_x_given_{c.lower()}"]["exact"] == numbers["p_x"][c]
            assert node[f"joint_{c.lower()}"]["exact"] == numbers["joint"][c]
    assert m["m"] == book.LOAN_M
    assert {c: float(p) for c, p in shares(m["p"]).items()} == book.LOAN_M_PRIOR
    printed = {
        "Married|Yes": m["p_married_given_yes"],
        "No|Yes": m["p_homeowner_no_given_yes"],
        "No|No": m["p_homeowner_no_given_no"],
        "Married|No": m["p_married_given_no"],
    }
    assert shares({key: node["printed"] for key, node in printed.items()}) == book.LOAN_M_CONDITIONALS


def test_correlated_attributes_and_crocodiles(published: Any) -> None:
    chapter = published["tan_steinbach_kumar_ch5"]
    correlated = chapter["correlated_attributes"]
    assert correlated["p_a"] == book.CORRELATED
    assert tuple(correlated["naive_numerators"].values()) == book.CORRELATED_NAIVE
    assert tuple(correlated["true_numerators"].values()) == book.CORRELATED_TRUE
    posteriors = correlated["exact_posteriors_equal_priors"]
    assert (posteriors["naive_y0"], posteriors["true_y0"]) == (book.CORRELATED_NAIVE_Y0, book.CORRELATED_TRUE_Y0)
    animals = chapter["crocodile_alligator"]
    assert {a: (animals[a]["mean_feet"], animals[a]["sd_feet"]) for a in book.CROCODILES} == book.CROCODILES
    assert animals["decision_boundary_feet"] == book.CROCODILE_BOUNDARY


def test_play_tennis(published: Any) -> None:
    tennis = published["mitchell_ch6"]["play_tennis"]
    assert tennis["columns"] == book.TENNIS_COLUMNS
    assert tennis["rows"] == book.TENNIS_ROWS
    assert tennis["test_record"] == book.TENNIS_RECORD
    assert shares({c: tennis[f"p_strong_given_{c}"]["exact"] for c in ("yes", "no")}) == book.TENNIS_STRONG
    assert {c: tennis[f"joint_{c}"]["exact"] for c in ("yes", "no")} == book.TENNIS_JOINT
    assert tennis["posterior_no"]["exact"] == book.TENNIS_POSTERIOR_NO
    assert tennis["predicted_class"] == "no"
