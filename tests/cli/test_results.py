"""The commands that read finished runs: compare, figures, analyse, tables as files."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main

CONFIG = """
name: small
datasets: [{path: small.csv, target: play}]
algorithms: {NB: naive-bayes, LBR: lbr}
cv: {scheme: stratified-k-fold, folds: 5}
metrics: [error]
tables: [{metric: error, baseline: LBR, tests: [sign, paired-t]}, {show: description, name: Table 1}]
"""
PAPER = """
name: mine
title: My paper
source: my desk
datasets: {small: []}
figures:
  - {figure: LBR against NB, kind: record, algorithm: LBR, rival: NB, test: paired-t, published: [1, 0, 0],
     where: Table 1, confidence: high, gate: {wins: [1, 1]}, because: the class is a xor b}
  - {figure: rules, kind: never, algorithm: LBR, diagnostic: conditions, published: 0, where: text, confidence: high}
"""


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, args)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run: the class is `a xor b`, with noise, so that LBR beats NB."""
    folder = tmp_path_factory.mktemp("run")
    rng = np.random.default_rng(5)
    rows = [(a, b, c, (a != b) ^ (rng.random() < 0.05)) for a, b, c in rng.integers(0, 2, (200, 3))]
    with (folder / "small.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [("a", "b", "c", "play"), *((f"v{a}", f"v{b}", f"v{c}", f"y{y:d}") for a, b, c, y in rows)]
        )
    (folder / "small.yaml").write_text(CONFIG)
    (folder / "mine.yaml").write_text(PAPER)
    done = invoke(
        "run", str(folder / "small.yaml"), "--jobs", "1", "--quiet", "--output", str(folder / "results/small")
    )
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def folder(run: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(run)
    return run


def test_a_gate_that_is_passed_gives_status_0(folder: Path) -> None:
    result = invoke("compare", "small", "--published", "mine.yaml")
    assert result.exit_code == 0, result.output
    assert "1/0/0" in result.stdout
    assert "gates: 1 passed; figures without a gate: 1 agree" in " ".join(result.stdout.split())


def test_a_gate_that_is_not_passed_gives_status_1(folder: Path) -> None:
    (folder / "other.yaml").write_text(PAPER.replace("wins: [1, 1]", "losses: [1, 1]"))
    result = invoke("compare", "small", "--published", "other.yaml", "--format", "markdown")
    assert result.exit_code == 1
    assert "FAILED" in result.stdout


def test_a_file_that_is_wrong_gives_status_2(folder: Path) -> None:
    (folder / "wrong.yaml").write_text(PAPER.replace("test: paired-t", "test: paired"))
    result = invoke("compare", "small", "--published", "wrong.yaml")
    assert result.exit_code == 2
    assert "wrong.yaml, line 7: figures[0].test: 'paired' is unknown; allowed: paired-t, corrected-t" in result.stderr


def test_an_algorithm_stands_for_another_and_for_itself(folder: Path) -> None:
    result = invoke("compare", "small", "--published", "mine.yaml", "--as", "LBR=NB", "--format", "csv")
    assert result.exit_code == 1  # NB against NB wins nothing
    row = next(line for line in result.stdout.splitlines() if "LBR against NB" in line)
    assert ",0/1/0," in row
    assert "is not in NB" not in result.stdout
    both = invoke("compare", "small", "--published", "mine.yaml", "--as", "LBR=NB", "--as", "NB=NB", "--format", "csv")
    assert "small, LBR=NB" in both.stdout


def test_a_reading_of_what_no_figure_is_about_is_told(folder: Path) -> None:
    for args, message in (
        (("small", "--published", "mine.yaml", "--as", "LRB=NB"), "no figure is about LRB (did you mean LBR?)"),
        (("small", "--published", "mine.yaml", "--as", "LBR=NBB"), "small has no algorithm NBB (did you mean NB?)"),
        (("small", "--published", "mine.yaml", "--as", "LBR"), "--as needs the paper's algorithm and the run's"),
        (("--published", "textbooks", "--as", "NB=NB"), "--as needs a run"),
    ):
        result = invoke("compare", *args)
        assert result.exit_code == 2
        assert message in result.stderr


def test_a_shipped_paper_that_the_run_has_nothing_of(folder: Path) -> None:
    result = invoke("compare", "small", "--published", "lbr2000")
    assert result.exit_code == 0
    assert "not judged" in result.stdout
    assert invoke("compare", "small", "--published", "lbr2000", "--strict").exit_code == 1
    wrong = invoke("compare", "small", "--published", "lbr")
    assert wrong.exit_code == 2
    assert "there are clltree2006, lbr2000" in wrong.stderr


def test_comparisons_and_tables_as_files(folder: Path) -> None:
    result = invoke("compare", "small", "--published", "mine.yaml", "--output", "out")
    assert result.exit_code == 0
    assert "1 passed" in result.stderr
    assert invoke("tables", "small", "--output", "out").exit_code == 0
    names = {path.name for path in (folder / "out").iterdir()}
    assert names >= {"comparison.md", "error.txt", "error-ratio.csv", "table-1.tex"}
    assert "200" in (folder / "out" / "table-1.txt").read_text()


def test_a_folder_of_tables_in_some_formats(folder: Path) -> None:
    result = invoke("tables", "small", "--format", "csv", "--format", "markdown", "--output", "some")
    assert result.exit_code == 0, result.output
    assert {path.suffix for path in (folder / "some").iterdir()} == {".csv", ".md"}


def test_the_rules_of_lbr(folder: Path) -> None:
    result = invoke("analyse", "rules", "small")
    assert result.exit_code == 0
    assert result.stdout.startswith("small: the rules of LBR\n")
    assert "no rule has a condition (plain naive Bayes throughout) on 0 of 1 data set\n" in result.stdout


def test_small_disjuncts_need_a_tree(folder: Path) -> None:
    result = invoke("analyse", "small-disjuncts", "small")
    assert result.exit_code == 2
    assert "include a tree" in result.stderr


def test_figures_are_written(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    result = invoke("figures", "small", "--format", "png,svg")
    assert result.exit_code == 0, result.output
    paths = result.stdout.split()
    assert paths == [f"results/small/figures/scatter-LBR-NB.{suffix}" for suffix in ("png", "svg")]
    assert all(Path(path).stat().st_size > 1000 for path in paths)
    assert "curves need at least two data sets" in result.stderr


def test_figures_name_the_pictures_of_an_earlier_plan(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    Path("earlier").mkdir()
    old = Path("earlier/curves-LBR-GONE.png")
    old.touch()
    os.utime(old, (0, 0))
    result = invoke("figures", "small", "--format", "svg", "--output", "earlier")
    assert result.exit_code == 0, result.output
    assert "earlier contains figures older than the results" in result.stderr
    assert result.stderr.rstrip().endswith(": curves-LBR-GONE.png")


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("figures", "small", "--format", "gif"), "--format gif: expected png, svg, pdf"),
        (("figures", "small", "--baseline", "LRB"), "did you mean LBR?"),
        (
            ("tables", "small", "--format", "csv", "--format", "html"),
            "--format csv, html: give one format, or write files with --output",
        ),
        (("compare", "small"), "Missing option '--published'"),
        (("compare", "--published", "lbr2000"), "compare needs a run to compare with lbr2000"),
        (("analyse", "rules", "absent"), "absent"),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(folder: Path, args: tuple[str, ...], word: str) -> None:
    if args[0] == "figures":
        pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    result = invoke(*args)
    assert result.exit_code == 2
    assert word in result.stderr


def test_another_seed_is_a_run_of_its_own(folder: Path) -> None:
    result = invoke("run", "small.yaml", "--seed", "7", "--jobs", "1", "--only", "algorithm=NB", "--quiet")
    assert result.exit_code == 0, result.output
    assert "seed 7" in invoke("tables", "small-seed-7").stdout
    assert "seed 1" in invoke("tables", "small").stdout
