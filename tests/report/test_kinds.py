"""The kinds of tables: means, standard errors, ratios with their records, descriptions; and tables as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

from lazybayes.errors import UsageError
from lazybayes.experiment import Experiment, Scheme, TableSpec
from lazybayes.report.files import write_reports
from lazybayes.report.formats import FORMATS, Report
from lazybayes.report.tables import choose, every_pair, matrix_of, reports
from lazybayes.results.records import Survey
from lazybayes.statistics.comparison import compare
from tests.report.rendering import render

# By hand, in percent: x NB 35 (2.89), LBR 15 (2.89), ratio 0.429; y NB 10, LBR 10.
ERRORS = {"x": {"NB": [3, 4, 3, 4], "LBR": [1, 2, 1, 2]}, "y": {"NB": [1, 1, 1, 1], "LBR": [1, 1, 1, 1]}}
SPECS = (
    TableSpec(show="description", name="Table 2"),
    TableSpec("error", show="mean", name="Table 3"),
    TableSpec("error", show="se"),
    TableSpec("error", "LBR", ("sign", "paired-t"), "ratio"),
    TableSpec("train-seconds"),
)
EXPERIMENT = Experiment("small", (), (), cv=Scheme(folds=4), tables=SPECS)


class Stored:
    """A store of the errors above."""

    def frame(self, metrics: Sequence[str]) -> pd.DataFrame:
        rows = [
            {
                **{"dataset": dataset, "algorithm": algorithm, "repeat": 0, "fold": fold, "status": "done"},
                **{"n_train": 30, "n_test": 10, "errors": count, "error": count / 10, "error_special": 0},
                **{"cll": -count / 2, "brier": count / 10, "train-seconds": 0.25, "conditions": 1.0},
            }
            for dataset, algorithms in ERRORS.items()
            for algorithm, counts in algorithms.items()
            for fold, count in enumerate(counts)
        ]
        return pd.DataFrame(rows)

    def surveys(self) -> Mapping[str, Survey]:
        return {
            "x": Survey("x", "", "", 40, 3, 2, 1, 4, 10, ()),
            "y": Survey("y", "", "", 1000, 2, 2, 0, 5, 0, ()),
        }


def grid(report: Report) -> list[list[str]]:
    return [[row.label, *map(str, row.entries)] for row in report.rows]


def made() -> dict[str, Report]:
    return {report.name: report for report in reports(Stored(), EXPERIMENT, SPECS)}


def test_each_kind_is_one_table_with_a_name() -> None:
    assert list(made()) == ["table-2", "table-3", "error-se", "error-ratio", "train-seconds"]
    assert made()["table-3"].title.startswith("Table 3. small: Error (%), mean over 4 trials; ")


def test_a_description_of_the_data() -> None:
    report = made()["table-2"]
    assert report.title == "Table 2. small: the data sets as loaded"
    assert report.header[1:4] == ("rows", "classes", "numeric attributes")
    assert grid(report) == [
        ["x", "40", "3", "1", "4", "10", "5.0 %"],
        ["y", "1000", "2", "0", "5", "0", "0.0 %"],
    ]
    assert report.notes[0].endswith("of which fewer have rows in: x 2")


def test_documents_are_described_by_their_text_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {**Stored().surveys(), "y": Survey("y", "", "", 1000, 2, 2, 0, 0, 30, ())}
    monkeypatch.setattr(Stored, "surveys", lambda self: held)
    report = made()["table-2"]
    assert report.header[3:6] == ("numeric attributes", "nominal attributes", "text attributes")
    assert grid(report) == [
        ["x", "40", "3", "1", "4", "0", "10", "5.0 %"],
        ["y", "1000", "2", "0", "0", "1", "30", "3.0 %"],
    ]


def test_means_and_standard_errors_apart() -> None:
    assert grid(made()["table-3"]) == [["x", "35.00", "15.00"], ["y", "10.00", "10.00"], ["average", "22.50", "12.50"]]
    assert grid(made()["error-se"]) == [["x", "2.89", "2.89"], ["y", "0.00", "0.00"]]


def test_means_with_standard_deviations_and_columns_of_ones_own() -> None:
    spec = TableSpec("error", "LBR", ("corrected-t",), "sd", algorithms=("LBR", "NB"))
    (report,) = reports(Stored(), EXPERIMENT, [spec])
    assert report.title.startswith("small: Error (%), mean ± standard deviation over 4 trials; ")
    assert report.header == ("data set", "LBR", "NB")
    # SD of 3, 4, 3, 4 tenths: sqrt(4 x 0.25 / 3) tenths
    assert grid(report)[:3] == [
        ["x", "15.00 ± 5.77", "35.00 ± 5.77 *"],
        ["y", "10.00 ± 0.00", "10.00 ± 0.00"],
        ["average", "12.50 ± 2.89", "22.50 ± 2.89"],
    ]
    assert FORMATS["csv"](report).startswith("kind,data set,LBR,LBR sd,NB,NB sd,NB mark\n")


def test_records_of_every_pair() -> None:
    frame = Stored().frame(())
    third = frame[frame["algorithm"] == "NB"].assign(algorithm="SP")  # as NB, but much worse in one trial of y
    once = (third["dataset"] == "y") & (third["fold"] == 0)
    third.loc[once, ["errors", "error"]] = [5, 0.5]
    held = pd.concat([frame, third], ignore_index=True)
    spec = TableSpec("error", show="records")
    raw = every_pair(compare(matrix_of(held, spec), spec), spec, EXPERIMENT)
    assert raw.header == ("", "SP", "LBR")
    assert grid(raw) == [["LBR", "2/0/0", ""], ["NB", "1/1/0", "0/1/1"]]
    spec = TableSpec("error", None, ("corrected-t",), "records", algorithms=("SP", "NB", "LBR"))
    tested = every_pair(compare(matrix_of(held, spec), spec), spec, EXPERIMENT)
    assert grid(tested) == [["NB", "0/1/1", ""], ["SP", "0/1/1", "0/2/0"]]
    assert "p = 0 in their direction" in tested.notes[-1]  # on x LBR errs 0.2 less in every trial
    assert tested.header == ("", "LBR", "NB")


def test_ratios_with_their_records() -> None:
    assert grid(made()["error-ratio"]) == [
        ["x", "0.429 *"],
        ["y", "1.000"],
        ["average", "0.714"],
        ["error reduction by LBR, mean", "28.6 %"],
        ["LBR wins/ties/losses against", "1/1/0"],
        ["sign test p", "0.5000"],
        ["LBR significant w/t/l, paired-t", "1/1/0"],
        ["sign test p, paired-t", "0.5000"],
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_all_kinds_in_every_format(name: str) -> None:
    written = render(Stored(), EXPERIMENT, fmt=name)
    assert "28.6" in written
    assert ("Table 2" in written) == (name != "csv")  # a rectangle has no title


def test_the_default_kind_is_what_it_was() -> None:
    names = [report.name for report in reports(Stored(), EXPERIMENT, [TableSpec("error", "LBR", ("sign",))])]
    assert names == ["error", "error-ratio"]


def test_another_metric_gets_a_whole_table_like_the_first_that_has_one() -> None:
    assert choose(EXPERIMENT, "brier", None, None) == [TableSpec("brier")]
    assert choose(EXPERIMENT, "error", None, None) == list(SPECS[1:4])
    assert choose(EXPERIMENT, "conditions", None, None) == [TableSpec("conditions")]


def test_another_baseline_leaves_a_description_alone() -> None:
    specs = choose(EXPERIMENT, None, "NB", ["sign"])
    assert specs[0] == SPECS[0]
    assert {spec.baseline for spec in specs[1:]} == {"NB"}


def test_another_baseline_leaves_records_of_every_pair_alone_and_needs_a_column() -> None:
    pairs = TableSpec("error", None, ("corrected-t",), "records", algorithms=("LBR", "SP"))
    means = TableSpec("error", "LBR", (), "sd", algorithms=("LBR", "SP"))
    specs = choose(Experiment("small", (), (), tables=(pairs, means)), None, "NB", None)
    assert specs == [pairs, TableSpec("error", "NB", (), "sd")]


def test_tables_as_files(tmp_path: Path) -> None:
    found = reports(Stored(), EXPERIMENT, [*SPECS[:2], SPECS[1]])
    paths = write_reports(found, tmp_path / "new" / "folder")
    assert len(paths) == 15
    assert (tmp_path / "new" / "folder" / "table-3.md").read_text() == FORMATS["markdown"](found[1])
    assert (tmp_path / "new" / "folder" / "table-3-2.csv").exists()
    some = write_reports(found[:1], tmp_path / "some", ("csv", "markdown"))
    assert [path.suffix for path in some] == [".md", ".csv"]
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be created"):
        write_reports(found, tmp_path / "file" / "folder")
