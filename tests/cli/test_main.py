"""The commands as a user gives them: in-process where the text matters, as processes where the shell does."""

from __future__ import annotations

import csv
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main
from lazybayes.messages import plural
from tests.processes import hear_ctrl_c

CHECKOUT = Path(__file__).resolve().parent.parent
FULL = Path("/dev/full")
CONFIG = """
name: small
datasets: [{path: small.csv, target: play}]
algorithms: {NB: naive-bayes, LBR: lbr}
cv: {scheme: stratified-k-fold, folds: 5}
metrics: [error, cll]
tables: [{metric: error, baseline: LBR, tests: [sign, paired-t]}]
"""


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def process(*args: str, cwd: Path, **options: object) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-m", "lazybayes", *args]
    return subprocess.Popen(
        command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a config and its data: the class is `a xor b`, with noise, so that LBR grows rules."""
    rng = np.random.default_rng(5)
    rows = [(int(a), int(b), int(c), int((a != b) ^ (rng.random() < 0.05))) for a, b, c in rng.integers(0, 2, (200, 3))]
    with (tmp_path / "small.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [("a", "b", "c", "play"), *((f"v{a}", f"v{b}", f"v{c}", f"y{y}") for a, b, c, y in rows)]
        )
    (tmp_path / "small.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [path]
    for name, command in group.commands.items():
        found += commands(command, (*path, name)) if isinstance(command, click.Group) else [(*path, name)]
    return found


@pytest.mark.parametrize("path", commands(main), ids=" ".join)
def test_every_help_shows_an_example_that_parses(path: tuple[str, ...]) -> None:
    result = invoke(*path, "--help")
    assert result.exit_code == 0
    example = re.search(r"Example:\n +lazybayes (.*)", result.output)
    assert example, result.output
    command: click.Command = main
    words = example[1].split()
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
    command.make_context("example", words)  # raises for an option that is not there


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from lazybayes.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'sklearn', 'joblib', 'openml', 'tabulate', 'yaml'} & set(sys.modules)\n"
        "sys.exit(str(sorted(heavy)) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=CHECKOUT)
    assert done.returncode == 0, done.stderr


def test_version_and_module(tmp_path: Path) -> None:
    out, _ = process("--version", cwd=tmp_path).communicate()
    assert re.fullmatch(r"lazybayes, version \d+\.\d+\.\d+\n", out)


def test_run_prints_its_table_and_does_nothing_twice(folder: Path) -> None:
    first = invoke("run", "small.yaml", "--jobs", "1")
    assert first.exit_code == 0, first.output
    assert "LBR wins/ties/losses against" in first.stdout
    assert "10 trials: 10 computed" in first.stderr
    second = invoke("run", "small.yaml", "--jobs", "1")
    assert second.stdout == first.stdout
    assert "0 computed, 10 done before" in second.stderr
    again = invoke("run", "small.yaml", "--jobs", "1", "--redo", "algorithm=LBR")
    assert "5 computed, 5 done before" in again.stderr
    fresh = invoke("run", "small.yaml", "--jobs", "1", "--fresh", "--only", "algorithm=NB", "--quiet")
    assert (fresh.stdout, fresh.stderr) == ("", "")


def test_a_run_is_named_by_config_name_or_folder(folder: Path) -> None:
    assert invoke("tables", "small.yaml").exit_code == 2  # nothing is there yet
    invoke("run", "small.yaml", "--jobs", "1", "--output", "elsewhere")
    assert "run `lazybayes run small.yaml`" in invoke("tables", "small.yaml").stderr
    invoke("run", "small.yaml", "--jobs", "1")
    expected = invoke("tables", "elsewhere").stdout
    assert expected.startswith("small: Error")
    for run in ("small", "small.yaml", "results/small"):
        assert invoke("tables", run).stdout == expected


def test_a_folder_with_another_experiments_results_is_refused(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--output", "there")
    before = invoke("tables", "there").stdout
    (folder / "other.yaml").write_text(CONFIG.replace("name: small", "name: other").replace("folds: 5", "folds: 3"))
    told = "there contains the results of the experiment small ("
    for words in (("run",), ("run", "--fresh"), ("check",), ("run", "--only", "algorithm=NB")):
        result = invoke(words[0], "other.yaml", *words[1:], "--output", "there")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"lazybayes: {told}{folder / 'small.yaml'}), not of other: choose another")
    seed = invoke("run", "small.yaml", "--jobs", "1", "--output", "there", "--seed", "2")
    assert seed.exit_code == 2
    assert f"{told}{folder / 'small.yaml'}), not of small-seed-2" in seed.stderr
    assert seed.stderr.endswith("; without --output this run's results go to results/small-seed-2\n")
    assert invoke("tables", "there").stdout == before
    invoke("run", "small.yaml", "--jobs", "1", "--output", "results/other", "--quiet")
    assert "not of other" in invoke("tables", "other.yaml").stderr
    # a changed version of the same experiment goes on, from another file as well
    (folder / "other.yaml").write_text(CONFIG.replace("folds: 5", "folds: 5, repeats: 2"))
    again = invoke("run", "other.yaml", "--jobs", "1", "--output", "there")
    assert "10 computed, 10 done before" in again.stderr


def test_results_of_another_plan_are_not_shown_as_a_configs(folder: Path) -> None:
    (folder / "a.yaml").write_text(CONFIG)
    other = CONFIG.replace("NB: naive-bayes", "NB: {learner: naive-bayes, estimate: laplace}")
    (folder / "b.yaml").write_text(other.replace("folds: 5", "folds: 3"))
    assert "was last run" not in invoke("run", "a.yaml", "--jobs", "1").stderr
    told = "results/small was last run with another plan ("
    ran = invoke("run", "b.yaml", "--jobs", "1", "--quiet").stderr
    assert ran == f"{told}{folder / 'a.yaml'}), which differs in algorithms, cv; its trials are kept\n"
    row = ("--dataset", "small", "--algorithm", "NB")
    for command in (
        ("tables", "a.yaml", "--metric", "error"),
        ("export", "a.yaml", "--output", "x.csv"),
        ("explain", "a.yaml", *row, "--row", "0"),
        ("figures", "a.yaml"),
        ("compare", "a.yaml", "--published", "lbr2000"),
        ("analyse", "rules", "a.yaml"),
        ("analyse", "intervals", "a.yaml"),
        ("analyse", "confusion", "a.yaml"),
        ("analyse", "words", "a.yaml", *row),
    ):
        result = invoke(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"lazybayes: {told}{folder / 'b.yaml'}), which differs from that of a.yaml in algorithms, cv: "
            "run `lazybayes run a.yaml` to compute what is missing (the rest is kept), "
            "or give results/small instead of a.yaml to use the last run\n"
        )
    assert not (folder / "x.csv").exists()
    for run in ("b.yaml", "small", "results/small"):
        assert "1 x stratified 3-fold" in invoke("tables", run).stdout
    again = invoke("run", "a.yaml", "--jobs", "1").stderr
    assert f"{told}{folder / 'b.yaml'}), which differs in algorithms, cv; its trials are kept\n" in again
    assert "0 computed, 10 done before" in again
    assert "1 x stratified 5-fold" in invoke("tables", "a.yaml").stdout
    (folder / "a.yaml").write_text(CONFIG.replace("folds: 5}", "folds: 5}\nseed: 2"))
    edited = invoke("tables", "a.yaml")  # the same file, another plan: it needs no name
    assert edited.exit_code == 2
    assert "results/small was last run with another plan, which differs from that of a.yaml in seed: " in edited.stderr


def test_tables_edited_since_the_run_are_told_and_the_runs_shown(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    ran = invoke("tables", "small.yaml")
    assert (ran.exit_code, ran.stderr) == (0, "")
    text = CONFIG.replace("baseline: LBR", "baseline: NB").replace("datasets:", "# moved\n\ndatasets:")
    (folder / "small.yaml").write_text(text)
    edited = invoke("tables", "small.yaml")
    assert (edited.exit_code, edited.stdout) == (0, ran.stdout)
    assert edited.stderr == (
        "small.yaml differs from the last run in results/small in its tables; showing those of the last run: "
        "run `lazybayes run small.yaml` to use the new ones\n"
    )
    assert invoke("export", "small.yaml", "--output", "x.csv").stderr == ""
    done = invoke("run", "small.yaml", "--jobs", "1")
    assert "was last run" not in done.stderr
    assert invoke("tables", "small.yaml").stderr == ""
    assert "NB wins/ties/losses against" in invoke("tables", "small.yaml").stdout


def test_an_empty_results_file_is_told(folder: Path) -> None:
    path = folder / "results" / "small" / "results.sqlite"
    path.parent.mkdir(parents=True)
    path.touch()
    for run in ("results/small", "small"):
        result = invoke("tables", run)
        assert result.exit_code == 2
        assert result.stderr == (
            "lazybayes: results/small/results.sqlite contains no results yet: run the experiment (again)\n"
        )
    assert "no results in results/small yet: run `lazybayes run small.yaml`" in invoke("tables", "small.yaml").stderr
    path.unlink()
    assert "is not a results folder: it does not contain results.sqlite" in invoke("tables", "results/small").stderr


@pytest.mark.parametrize("fmt", ["text", "markdown", "latex", "csv", "html"])
def test_tables_of_another_metric_in_every_format(folder: Path, fmt: str) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    result = invoke("tables", "small", "--metric", "brier", "--baseline", "NB", "--format", fmt)
    assert result.exit_code == 0, result.output
    if fmt == "csv":  # a rectangle, without the title
        assert result.stdout.startswith("kind,data set,NB,NB se,LBR,LBR se,LBR mark\ndata,small,0.")
    else:
        assert "Brier" in result.stdout or "brier" in result.stdout


def test_check_prints_the_plan_and_runs_nothing(folder: Path) -> None:
    result = invoke("check", "small.yaml")
    assert result.exit_code == 0
    assert re.search(r"small +200 +10 +0 +0 +10", result.stdout)
    assert not (folder / "results").exists()
    invoke("run", "small.yaml", "--jobs", "1", "--only", "algorithm=NB")
    assert re.search(r"small +200 +10 +5 +0 +5", invoke("check", "small.yaml").stdout)


def test_one_of_a_thing_is_told_as_one(folder: Path) -> None:
    (folder / "small.csv").write_text("a,play\nx,n\nx,n\ny,n\n")
    text = CONFIG.replace("{scheme: stratified-k-fold, folds: 5}", "{scheme: resubstitution}").replace(", LBR: lbr", "")
    (folder / "small.yaml").write_text(text[: text.index("tables:")])
    assert invoke("check", "small.yaml").stdout.startswith(
        "small: 1 data set; resubstitution; algorithm NB (naive-bayes)\n"
    )
    assert "1 trial: 1 computed" in invoke("run", "small.yaml", "--jobs", "1").stderr
    assert "over 1 trial;" in invoke("analyse", "confusion", "small").stdout
    assert "3 rows, 2 columns" in invoke("datasets", "describe", "small.csv").stdout
    assert plural(1, "entry", "entries") == "1 entry"
    assert plural(0, "entry", "entries") == "0 entries"


def test_export_results_and_predictions(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    assert invoke("export", "small", "--output", "results.csv").exit_code == 0
    assert invoke("export", "small", "--what", "predictions", "--output", "predictions.csv").exit_code == 0
    with (folder / "results.csv").open() as file:
        results = list(csv.DictReader(file))
    with (folder / "predictions.csv").open() as file:
        predictions = list(csv.DictReader(file))
    assert len(results) == 10
    for algorithm in ("NB", "LBR"):
        mine = [row for row in predictions if row["algorithm"] == algorithm]
        assert sorted(int(row["index"]) for row in mine) == list(range(200))
        wrong = sum(row["actual"] != row["predicted"] for row in mine)
        errors = [float(row["error"]) * float(row["n_test"]) for row in results if row["algorithm"] == algorithm]
        assert round(sum(errors)) == wrong


@pytest.mark.parametrize("output", [".", "no/such/folder/x.csv"])
def test_an_output_that_cannot_be_written_is_refused_before_any_work(folder: Path, output: str) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    before = sorted(folder.rglob("*"))
    result = invoke("export", "small", "--output", output)
    assert result.exit_code == 2
    assert result.stderr.startswith("lazybayes: ")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full")
def test_a_full_disk_is_status_1(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    result = invoke("export", "small", "--output", str(FULL))
    assert (result.exit_code, result.stderr) == (1, f"lazybayes: {FULL} cannot be written: No space left on device\n")


def test_explain_adds_up_to_the_stored_posterior(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    invoke("export", "small", "--what", "predictions", "--output", "p.csv")
    with (folder / "p.csv").open() as file:
        stored = {int(r["index"]): r for r in csv.DictReader(file) if r["algorithm"] == "LBR"}
    with (folder / "small.csv").open() as file:
        data = list(csv.DictReader(file))
    for row in (0, 7):
        text = invoke("explain", "small", "--dataset", "small", "--algorithm", "LBR", "--row", str(row)).stdout
        conditions = dict(re.findall(r"(\w+) = (v\d)", re.search(r"^If (.*?):", text, re.M)[1]))
        assert conditions, text
        assert all(data[row][attribute] == value for attribute, value in conditions.items())
        held_out = {i for i, r in stored.items() if r["fold"] == stored[row]["fold"]}
        local = [i for i, r in enumerate(data) if i not in held_out and all(r[a] == v for a, v in conditions.items())]
        assert f"Local training rows: {len(local)} (" in text
        assert ", ".join(map(str, local[:20])) in text
        odds = [float(line.split()[-1]) for line in text.splitlines() if re.match(r"(\(class prior\)|[abc]) ", line)]
        total = float(re.search(r"^sum .* (\S+)$", text, re.M)[1])
        assert sum(odds) == pytest.approx(total, abs=5e-4)
        p = sorted((float(stored[row]["p0"]), float(stored[row]["p1"])))
        assert np.log(p[1] / p[0]) == pytest.approx(total, abs=1e-4)


def test_explain_says_what_is_not_there(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    ask = ("explain", "small", "--dataset", "small", "--algorithm", "LBR")
    for args, word in [((*ask, "--row", "200"), "199"), ((*ask, "--row", "0", "--repeat", "3"), "repeat 3")]:
        result = invoke(*args)
        assert result.exit_code == 2
        assert word in result.stderr
    wrong = invoke("explain", "small", "--dataset", "smal", "--algorithm", "LBR", "--row", "0")
    assert "did you mean small?" in wrong.stderr


def test_data_that_changed_since_the_run_is_not_explained(folder: Path) -> None:
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    ask = ("explain", "small", "--dataset", "small", "--algorithm", "LBR", "--row", "7")
    before = invoke(*ask).stdout
    data = (folder / "small.csv").read_text()
    changed = data.replace(",y0\n", ",y1\n", 1)
    assert changed != data
    (folder / "small.csv").write_text(changed)
    result = invoke(*ask)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "lazybayes: the data of small have changed since the run: run again\n"
    (folder / "small.csv").write_text(data)
    assert invoke(*ask).stdout == before
    (folder / "small.csv").write_text(changed)
    invoke("run", "small.yaml", "--jobs", "1", "--quiet")
    assert invoke(*ask).exit_code == 0


def test_learners_are_listed_and_described() -> None:
    listing = invoke("learners", "list").stdout
    for name in ("naive-bayes", "lbr"):
        assert name in listing
    shown = invoke("learners", "show", "lbr").stdout
    for word in ("alpha", "0.05", "m-estimate", "Zheng & Webb 2000", "Missing values", "must be discretized"):
        assert word in shown
    bagging = invoke("learners", "show", "bagging").stdout
    assert "Missing values: as handled by the base.\nNumeric attributes: as handled by the base.\n" in bagging
    assert "Numeric attributes: used as numbers." in invoke("learners", "show", "c45").stdout
    forest = invoke("learners", "show", "sklearn.ensemble.RandomForestClassifier").stdout
    assert "n_estimators" in forest
    assert "from sklearn.ensemble import RandomForestClassifier" in forest
    regressor = invoke("learners", "show", "sklearn.ensemble.RandomForestRegressor")
    assert regressor.exit_code == 2
    assert "is a regressor, not a classifier" in regressor.stderr
    wrong = invoke("learners", "show", "lrb")
    assert wrong.exit_code == 2
    assert "did you mean lbr?" in wrong.stderr


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("run",), "Missing argument"),
        (("run", "absent.yaml"), "absent.yaml"),
        (("run", "."), "folder"),
        (("run", "small.yaml", "other.yaml"), "unexpected extra argument"),
        (("run", "small.yaml", "--no-such-option"), "No such option"),
        (("run", "small.yaml", "--only", "small"), "--only dataset=NAME"),
        (("run", "small.yaml", "--only", "dataset=smal"), "did you mean small?"),
        (("run", "quikstart"), "did you mean quickstart?"),
        (("tables", "no-such-run"), "there are no results in no-such-run or results/no-such-run"),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(folder: Path, args: tuple[str, ...], word: str) -> None:
    result = invoke(*args)
    assert result.exit_code == 2, result.output
    assert word in result.stderr
    assert "Traceback" not in result.output


def test_debug_shows_the_traceback(folder: Path) -> None:
    _, err = process("--debug", "run", "absent.yaml", cwd=folder).communicate()
    assert "Traceback" in err
    assert "ConfigError" in err


def test_a_failing_cell_is_told_and_gives_status_1(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "broken_learner.py").write_text(
        "class Broken:\n"
        "    def fit(self, X, y): raise ArithmeticError('no luck')\n"
        "    def predict(self, X): return None\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    (folder / "small.yaml").write_text(CONFIG.replace("LBR: lbr", "LBR: broken_learner.Broken"))
    result = invoke("run", "small.yaml", "--jobs", "1")
    assert result.exit_code == 1
    assert "5 of 10 trials failed" in result.stderr
    assert "ArithmeticError: no luck" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("args", [("run", "small.yaml", "--jobs", "1"), ("learners", "list")])
def test_a_reader_that_leaves_makes_no_noise(folder: Path, args: tuple[str, ...]) -> None:
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": "1"}
    command = f"{shlex.quote(sys.executable)} -m lazybayes {' '.join(args)} | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True)
    assert done.stdout.count("\n") == 1
    for noise in ("Traceback", "Exception ignored", "BrokenPipe"):
        assert noise not in done.stderr


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (">&-", 0),
        pytest.param(f"> {FULL}", 1, marks=pytest.mark.skipif(not FULL.exists(), reason="no device is always full")),
    ],
)
@pytest.mark.parametrize("args", ["learners list", "--help"])
def test_no_place_for_the_output_gives_no_traceback(folder: Path, args: str, output: str, status: int) -> None:
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = f"{shlex.quote(sys.executable)} -m lazybayes {args} {output}"
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == status
    assert done.stderr == ("lazybayes: the output cannot be written: No space left on device\n" if status else "")


def test_ctrl_c_is_one_line_and_keeps_what_is_done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    (folder / "slow_learner.py").write_text(
        "import time\nfrom sklearn.dummy import DummyClassifier\n"
        "class Slow(DummyClassifier):\n"
        "    def fit(self, X, y):\n        time.sleep(0.3)\n        return super().fit(X, y)\n"
    )
    text = CONFIG.replace("LBR: lbr", "LBR: slow_learner.Slow").replace("folds: 5", "folds: 50")
    (folder / "small.yaml").write_text(text)
    env = {**os.environ, "PYTHONPATH": f"{CHECKOUT}{os.pathsep}{folder}"}
    running = subprocess.Popen(
        [sys.executable, "-m", "lazybayes", "run", "small.yaml", "--jobs", "1"],
        cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and "done" not in invoke("export", "small", "--output", "now.csv").output + (
        (folder / "now.csv").read_text() if (folder / "now.csv").exists() else ""
    ):
        time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert len(err.strip().splitlines()) == 1
    done = int(re.search(r"interrupted: (\d+) of 100 trials done", err)[1])
    assert 0 < done < 100
    assert re.search(rf"small +200 +100 +{done} +0 ", invoke("check", "small.yaml").stdout)


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "koi8-r"])
def test_an_encoding_without_a_letter_escapes_it(folder: Path, encoding: str) -> None:
    config = folder / "small.yaml"
    config.write_text(
        CONFIG.replace("{NB:", '{"Bayes \N{CJK UNIFIED IDEOGRAPH-8D1D}\N{LATIN SMALL LETTER E WITH ACUTE}":')
    )
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "lazybayes", "run", "small.yaml", "-j1"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "average" in (text := done.stdout.decode(encoding))
    assert (" \N{PLUS-MINUS SIGN} " in text) == (encoding != "koi8-r")
    assert (" \\xb1 " in text) == (encoding == "koi8-r")
    assert "\\u8d1d" in text or "\N{CJK UNIFIED IDEOGRAPH-8D1D}" in text


@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_lose_no_results(folder: Path, closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m lazybayes run small.yaml -j1 {closed}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert invoke("export", "small", "--output", "results.csv").exit_code == 0
    assert (folder / "results.csv").read_text().count("done") == 10


def test_no_name_acts_on_a_terminal_and_csv_keeps_it(folder: Path) -> None:
    (folder / "small.yaml").write_text(CONFIG.replace("NB:", r'"N\e[31mB":'))
    assert invoke("run", "small.yaml", "-j1").exit_code == 0
    for fmt in ("text", "markdown", "latex", "html"):
        shown = invoke("tables", "small", "--format", fmt)
        assert shown.exit_code == 0
        assert "\x1b" not in shown.output
        assert "x1b" in shown.output
    assert "N\x1b[31mB" in invoke("tables", "small", "--format", "csv").output
    wrong = invoke("tables", "small", "--metric", "\x1b[2J")
    assert wrong.exit_code == 2
    assert "\x1b" not in wrong.output


@pytest.mark.parametrize("name", ['"///"', '"\\e[1mt"', '" . "'])
def test_a_table_that_cannot_name_a_file_is_refused(folder: Path, name: str) -> None:
    (folder / "small.yaml").write_text(CONFIG.replace("{metric: error,", f"{{metric: error, name: {name},"))
    wrong = invoke("check", "small.yaml")
    assert wrong.exit_code == 2
    assert "cannot name a table" in wrong.output
    assert "line 7" in wrong.output


def test_what_is_written_is_named(folder: Path) -> None:
    invoke("run", "small.yaml", "-j1")
    assert invoke("export", "small", "--output", "results.csv").output == "results.csv\n"
    assert invoke("network", "convert", "campfire", "--output", "c.bif").output == "c.bif\n"
    assert invoke("network", "draw", "campfire", "--output", "c.dot").output == "c.dot\n"


def test_offline_what_is_at_hand_can_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAZYBAYES_CACHE", str(folder / "empty"))
    (folder / "two.yaml").write_text("datasets: [iris-fisher, zoo]\nalgorithms: {NB: naive-bayes}\ncv: {folds: 2}\n")
    refused = invoke("run", "two.yaml", "--offline", "--jobs", "1")
    assert refused.exit_code == 1
    assert "--offline --at-hand" in refused.stderr
    result = invoke("run", "two.yaml", "--offline", "--at-hand", "--jobs", "1")
    assert "Not at hand, left out: zoo" in result.stderr
    assert "iris-fisher" in result.stdout
    assert invoke("run", "two.yaml", "--at-hand").exit_code == 2
    (folder / "one.yaml").write_text("datasets: [zoo]\nalgorithms: {NB: naive-bayes}\ncv: {folds: 2}\n")
    none = invoke("run", "one.yaml", "--offline", "--at-hand")
    assert none.exit_code == 2
    assert "one: no data set is at hand without a download" in none.stderr


def test_a_misspelt_name_is_not_called_absent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAZYBAYES_CACHE", str(folder / "empty"))
    (folder / "two.yaml").write_text("datasets: [iris-fisher, zoo]\nalgorithms: {NB: naive-bayes}\ncv: {folds: 2}\n")
    result = invoke("run", "two.yaml", "--offline", "--at-hand", "--only", "dataset=iris-fishr")
    assert result.exit_code == 2
    assert "no data set iris-fishr (did you mean iris-fisher?)" in result.stderr
