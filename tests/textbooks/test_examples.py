"""The worked examples as published figures: each agrees, and they are the books' and nobody else's."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from lazybayes.cli.main import main
from lazybayes.data.load import load_table
from lazybayes.errors import UsageError
from lazybayes.experiment import DatasetEntry
from lazybayes.published.claims import Claim, load_published
from lazybayes.published.judge import compare
from lazybayes.published.kinds import worked
from lazybayes.published.view import View
from lazybayes.textbooks.examples import EXAMPLES, example_value
from tests import textbook as book

PAPER = load_published("textbooks")
WORKED = [figure for figure in PAPER.claims if figure.kind == "worked"]


def test_every_worked_example_agrees_without_a_run() -> None:
    lines = compare(PAPER, [View.nothing()])
    assert {line.verdict for line in lines if line.claim.kind == "worked"} == {"agrees"}
    assert {line.verdict for line in lines if line.claim.kind != "worked"} == {"reported"}
    assert {figure.given["example"] for figure in WORKED} == set(EXAMPLES)


@pytest.mark.parametrize("figure", [f for f in WORKED if "exact" in f.given or f.published], ids=lambda f: f.title)
def test_another_value_would_differ(figure: Claim) -> None:
    given = dict(figure.given)
    if "exact" in given:
        given["exact"] = float(Fraction(str(given["exact"]))) * (1 + 1e-6) + 1e-12
        assert worked(given, figure.published, View.nothing()).agrees is False
    if isinstance(figure.published, str) and "/" not in figure.published:
        assert worked(given, "other", View.nothing()).agrees is False


def test_the_printed_values_are_those_of_the_books(shared: Path) -> None:
    """By hand from textbook.yaml to the figures: title of the figure -> its place there."""
    published: Any = yaml.safe_load((shared / "published" / "textbook.yaml").read_text(encoding="utf-8"))
    tan, mitchell = published["tan_steinbach_kumar_ch5"], published["mitchell_ch6"]
    plain, m, text = tan["loan"]["relative_frequency"], tan["loan"]["m_estimate"], mitchell["text"]
    tennis = mitchell["play_tennis"]
    of = {figure.title: figure for figure in PAPER.claims}
    for title, node in {
        "Loan: p(income = 120 | No)": plain["p_income120_given_no"],
        "Loan: p(income = 120 | Yes)": plain["p_income120_given_yes"],
        "Loan: P(X | No)": plain["p_x_given_no"],
        "Loan: P(X | Yes)": plain["p_x_given_yes"],
        "Loan: P(X | No) P(No)": plain["joint_no"],
        "Loan: P(X | Yes) P(Yes)": plain["joint_yes"],
        "Loan, m = 3: P(X | No)": m["p_x_given_no"],
        "Loan, m = 3: P(X | Yes)": m["p_x_given_yes"],
        "Loan, m = 3: P(X | No) P(No)": m["joint_no"],
        "Loan, m = 3: P(X | Yes) P(Yes)": m["joint_yes"],
        "PlayTennis: P(strong | yes)": tennis["p_strong_given_yes"],
        "PlayTennis: P(strong | no)": tennis["p_strong_given_no"],
        "PlayTennis: P(X | yes) P(yes)": tennis["joint_yes"],
        "PlayTennis: P(X | no) P(no)": tennis["joint_no"],
        "PlayTennis: P(no | X)": tennis["posterior_no"],
    }.items():
        assert float(of[title].published) == float(node["printed"]), title
        assert Fraction(str(of[title].given["exact"])) == Fraction(str(node["exact"])), title
    for title, value in {
        "Loan, m = 3: P(married | Yes)": m["p_married_given_yes"]["printed"],
        "Loan, m = 3: P(home owner = no | Yes)": m["p_homeowner_no_given_yes"]["printed"],
        "A = B = 0: naive P(A, B | Y = 0)": tan["correlated_attributes"]["naive_numerators"]["y0"],
        "A = B = 0: true P(A, B | Y = 0)": tan["correlated_attributes"]["true_numerators"]["y0"],
        "Crocodile or alligator: the boundary (feet)": tan["crocodile_alligator"]["decision_boundary_feet"],
        "Text: terms without positions": text["likes_example"]["position_independent_terms"],
        "P(campfire | storm, bus)": mitchell["campfire_network"]["p_campfire_true"]["T,T"]["value"],
        "P(campfire | storm, no bus)": mitchell["campfire_network"]["p_campfire_true"]["T,F"]["value"],
        "P(campfire | no storm, bus)": mitchell["campfire_network"]["p_campfire_true"]["F,T"]["value"],
    }.items():
        assert of[title].published == value, title
    groups = text["newsgroups"]
    assert set(of["Newsgroups: accuracy (%)"].published.values()) == {groups["accuracy_pct_printed"]}
    assert set(of["Newsgroups: words of the vocabulary"].published.values()) == {groups["vocabulary_size_printed"]}


@pytest.mark.parametrize(
    ("name", "columns", "rows"),
    [("loan", book.LOAN_COLUMNS, book.LOAN_ROWS), ("play-tennis", book.TENNIS_COLUMNS, book.TENNIS_ROWS)],
)
def test_the_tables_of_the_catalogue_are_the_books(name: str, columns: list[str], rows: list[list[Any]]) -> None:
    table = load_table(DatasetEntry.of(name, "catalogue", name))
    assert [*(attribute.name for attribute in table.attributes), table.target.name] == columns
    cells = [
        [attribute.values[cell] if attribute.kind == "nominal" else cell for cell in column]
        for attribute, column in zip((*table.attributes, table.target), (*table.columns, table.y), strict=True)
    ]
    assert [list(row) for row in zip(*cells, strict=True)] == rows


def test_the_correlated_rows_are_the_books() -> None:
    X, y = book.correlated()
    table = load_table(DatasetEntry.of("c", "catalogue", "correlated-attributes"))
    assert sorted(zip(*table.columns, table.y, strict=True)) == sorted(zip(X["A"], X["B"], y, strict=True))


def test_an_unknown_example() -> None:
    with pytest.raises(UsageError, match=r"no worked example lone \(did you mean loan\?\)"):
        example_value("lone", "joint_no")
    with pytest.raises(UsageError, match=r"loan has no value joint_now \(did you mean joint_no\?\)"):
        example_value("loan", "joint_now")


def test_the_command() -> None:
    result = CliRunner().invoke(main, ["compare", "--published", "textbooks", "--format", "csv"])
    assert result.exit_code == 0, result.output
    assert "PlayTennis: P(no | X),section 6.9.1,0.795,0.795417" in result.stdout
    assert result.stdout.count(",agrees\n") == len(WORKED)
    text = CliRunner().invoke(main, ["compare", "--published", "textbooks"], env={"COLUMNS": "400"})
    assert f"{len(WORKED)} agree, 2 only reported" in text.stdout
    result = CliRunner().invoke(main, ["compare", "--published", "lbr2000"])
    assert result.exit_code == 2
    assert "compare needs a run to compare with lbr2000" in result.stderr


def test_a_run_of_newsgroups_beside_the_book() -> None:
    from tests.runs import frame

    held = frame(
        {("with-headers", "NB"): [1, 1], ("without-headers", "NB"): [2, 2]},
        columns={
            "accuracy": {("with-headers", "NB"): [0.89, 0.89], ("without-headers", "NB"): [0.82, 0.82]},
            "vocabulary": {("with-headers", "NB"): [38600, 38700], ("without-headers", "NB"): [30000, 30000]},
        },
    )
    names = {name: name for name in ("with-headers", "without-headers")}
    view = dataclasses.replace(View.nothing(), frame=held, names=names, wanted=tuple(names))
    found = {line.claim.title: line.judged for line in compare(PAPER, [view])}
    for title in ("Newsgroups: accuracy (%)", "Newsgroups: words of the vocabulary"):
        assert [part.agrees for part in found[title].parts] == [True, False]  # type: ignore[union-attr]
