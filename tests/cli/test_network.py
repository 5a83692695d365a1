"""The network commands as a user gives them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main
from lazybayes.networks.files import load_network
from tests.networks.reference import likely_evidence, same

CHECKOUT = Path(__file__).resolve().parent.parent
MIXTURE = """\
name: mixture
variables:
  cause: {values: [a, b], table: [0.4, 0.6]}
  e0: {values: [y, n], parents: [cause], table: [[a, 0.9, 0.1], [b, 0.2, 0.8]]}
  e1: {values: [y, n], parents: [cause], table: [[a, 0.8, 0.2], [b, 0.3, 0.7]]}
  e2: {values: [y, n], parents: [cause], table: [[a, 0.7, 0.3], [b, 0.1, 0.9]]}
"""


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, ["network", *args])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network, 60 complete rows drawn from it, and the same with hidden cells."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mixture.yaml").write_text(MIXTURE)
    network = load_network("mixture.yaml")
    rng = np.random.default_rng(0)
    rows = [likely_evidence(network, rng, range(4)) for _ in range(60)]
    lines = [[network.variables[i].values[v] for i, v in row.items()] for row in rows]
    header = ",".join(network.index)
    (tmp_path / "full.csv").write_text("\n".join([header, *map(",".join, lines)]) + "\n")
    for line in lines[::3]:
        line[1] = "?"
    (tmp_path / "hidden.csv").write_text("\n".join([header, *map(",".join, lines)]) + "\n")
    (tmp_path / "unseen.csv").write_text("\n".join(["e0,e1,e2", *(",".join(line[1:]) for line in lines)]) + "\n")
    return tmp_path


def path_of(text: str) -> list[float]:
    """The values of ln P(D|h) that a fit prints."""
    return [float(line.split()[1]) for line in text.splitlines() if re.match(r" +\d+ +-\d", line)]


def test_the_issue_s_query() -> None:
    result = invoke("query", "campfire", "--given", "storm=true,bus=true", "--ask", "campfire")
    assert result.exit_code == 0, result.output
    assert "P(Campfire | Storm = true, BusTourGroup = true)" in result.stdout
    assert re.search(r"^true +0\.4$", result.stdout, re.M)
    assert "P(Storm = true, BusTourGroup = true) = 0.06" in result.stdout


def test_several_questions_and_the_joint_one() -> None:
    single = invoke("query", "campfire", "--ask", "campfire,thunder").stdout
    assert "P(Campfire)" in single
    assert "P(Thunder)" in single
    joint = invoke("query", "campfire", "--ask", "campfire,thunder", "--joint").stdout
    numbers = [float(line.split()[-1]) for line in joint.splitlines() if re.match(r"(true|false) ", line)]
    assert len(numbers) == 4
    assert sum(numbers) == pytest.approx(1, abs=1e-6)


def test_a_sampled_answer_has_errors_and_a_seed() -> None:
    args = ("query", "campfire", "--given", "thunder=true", "--ask", "campfire", "--sample", "2000")
    first = invoke(*args)
    assert "standard error" in first.stdout
    assert "(estimated)" in first.stdout
    assert invoke(*args).stdout == first.stdout
    assert invoke(*args, "--seed", "2").stdout != first.stdout


def test_check_counts_and_tells_every_mistake(folder: Path) -> None:
    result = invoke("check", "mixture.yaml")
    assert "mixture: 4 variables, 3 arcs, 7 free parameters" in result.stdout
    (folder / "bad.yaml").write_text(MIXTURE.replace("[0.4, 0.6]", "[0.4, 0.5]").replace("[a, 0.9, 0.1], ", ""))
    bad = invoke("check", "bad.yaml")
    assert bad.exit_code == 2
    assert "bad.yaml, line 3: P(cause) sums to 0.9; 1 is expected" in bad.stderr
    assert "bad.yaml, line 4: the table of e0 is not complete: the row is missing: P(e0 | cause = a)" in bad.stderr
    (folder / "round.yaml").write_text(MIXTURE.replace("[0.4, 0.6]", "[0.333, 0.666]"))
    rounded = invoke("check", "round.yaml")
    assert rounded.exit_code == 0
    assert "P(cause) sums to 0.999" in rounded.stderr


def test_fit_counts_what_is_complete(folder: Path) -> None:
    result = invoke("fit", "mixture.yaml", "--data", "full.csv", "--estimate", "laplace", "--output", "fitted.bif")
    assert result.exit_code == 0, result.output
    assert "60 rows, 0 hidden cells: counts" in result.stdout
    rows = [line.split(",")[0] for line in (folder / "full.csv").read_text().splitlines()[1:]]
    n = rows.count("a")
    np.testing.assert_allclose(load_network("fitted.bif")["cause"].table, [(n + 1) / 62, (61 - n) / 62])
    screen = invoke("fit", "mixture.yaml", "--data", "full.csv", "--estimate", "laplace")
    (folder / "again.yaml").write_text(screen.stdout)
    assert "counts" in screen.stderr
    assert same(load_network("again.yaml"), load_network("fitted.bif"))


@pytest.mark.parametrize("data", ["hidden.csv", "unseen.csv"])
def test_fit_climbs_where_cells_are_hidden_and_prints_its_path(folder: Path, data: str) -> None:
    result = invoke("fit", "mixture.yaml", "--data", data, "--start", "random", "--output", "fitted.yaml")
    assert result.exit_code == 0, result.output
    values = path_of(result.stdout)
    assert len(values) > 3
    assert values == sorted(values)
    assert len(load_network("fitted.yaml")) == 4
    assert ("no column cause; it is hidden in every row" in result.stderr) == (data == "unseen.csv")
    printed = invoke(
        *("fit", "mixture.yaml", "--data", data, "--method", "printed", "--step", "0.5"),
        *("--iterations", "20", "--output", "printed.yaml"),
    )
    assert printed.exit_code == 0
    assert "--method gradient never does" in printed.stderr
    counts = invoke("fit", "mixture.yaml", "--data", data, "--method", "counts", "--output", "counts.yaml")
    assert counts.exit_code == (0 if data == "hidden.csv" else 2)


def test_a_fit_that_is_cut_short_says_so(folder: Path) -> None:
    result = invoke("fit", "mixture.yaml", "--data", "hidden.csv", "--iterations", "2", "--output", "f.yaml")
    assert "ended by --iterations 2" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("query", "campfir", "--ask", "storm"), ["did you mean campfire?"]),
        (("query", "campfire", "--ask", "strom"), ["did you mean Storm?"]),
        (("query", "campfire", "--given", "storm=ture", "--ask", "thunder"), ["ture", "true, false"]),
        (("query", "campfire"), ["--ask"]),
        (("fit", "mixture.yaml", "--data", "ful.csv"), ["ful.csv", "did you mean full.csv?"]),
        (("fit", "mixture.yaml", "--data", "tic-tac-toe"), ["no column is a variable of mixture"]),
        (("fit", "mixture.yaml", "--data", "tic-tac"), ["did you mean tic-tac-toe?"]),
        (("fit", "mixture.yaml", "--data", "hidden.csv", "--estimate", "laplace"), ["--estimate is for counts"]),
        (("fit", "mixture.yaml", "--data", "hidden.csv", "--step", "1"), ["--step is for the printed rule"]),
        (("fit", "mixture.yaml", "--data", "full.csv", "--output", "f.txt"), [".yaml, .yml, .bif"]),
        (("draw", "mixture.yaml", "--output", "no/such/f.png"), ["does not exist"]),
        (("convert", "mixture.yaml", "--output", "."), ["folder"]),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(folder: Path, args: tuple[str, ...], words: list[str]) -> None:
    before = sorted(folder.iterdir())
    result = invoke(*args)
    assert result.exit_code == 2, result.output
    assert all(word in result.stderr for word in words), result.stderr
    assert "Traceback" not in result.output
    assert sorted(folder.iterdir()) == before


def test_values_that_the_network_does_not_know_are_named(folder: Path) -> None:
    text = (folder / "full.csv").read_text().replace("a,", "A,").replace(",y", ",yes", 1)
    (folder / "full.csv").write_text(text)
    result = invoke("fit", "mixture.yaml", "--data", "full.csv")
    assert result.exit_code == 2
    assert "the column cause has the value A; the network knows a, b (did you mean a?)" in result.stderr
    assert "has the value yes; the network knows y, n" in result.stderr


def test_numbers_are_values_too(folder: Path) -> None:
    (folder / "n.yaml").write_text(
        "variables: {x: {values: [0, 1], table: [0.5, 0.5]}, y: {values: [u, v], parents: [x]}}"
    )
    (folder / "n.csv").write_text("x,y,z\n0,u,5\n1,v,6\n1,v,7\n")
    result = invoke("fit", "n.yaml", "--data", "n.csv", "--estimate", "frequency", "--output", "f.yaml")
    assert result.exit_code == 0, result.output
    assert load_network("f.yaml")["x"].table.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert "not used, for n has no such variables: z" in result.stderr


def test_draw_and_convert(folder: Path) -> None:
    assert "e0 {y, n}  <- cause" in invoke("draw", "mixture.yaml").stdout
    assert invoke("draw", "mixture.yaml", "--output", "m.dot").exit_code == 0
    assert "digraph" in (folder / "m.dot").read_text()
    assert invoke("convert", "mixture.yaml", "--output", "m.bif").exit_code == 0
    assert invoke("convert", "m.bif", "--output", "back.yaml").exit_code == 0
    assert same(load_network("back.yaml"), load_network("mixture.yaml"))


def test_a_query_imports_no_more_than_it_needs() -> None:
    code = (
        "import sys; from lazybayes.cli.main import main\n"
        "try: main(['network', 'query', 'campfire', '--ask', 'storm'])\nexcept SystemExit: pass\n"
        "heavy = {'pandas', 'scipy', 'sklearn', 'joblib', 'openml', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(str(sorted(heavy)) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=CHECKOUT)
    assert done.returncode == 0, done.stderr


def test_missing_cells_are_hidden_and_no_column_is_a_class(folder: Path) -> None:
    """NA is a value until --missing says otherwise; a last column of whole numbers is not called the class."""
    (folder / "n.yaml").write_text(
        "name: n\nvariables:\n  a: {values: [x, y], table: [0.5, 0.5]}\n"
        "  b: {values: ['1', '2'], parents: [a], table: [[x, 0.6, 0.4], [y, 0.5, 0.5]]}\n"
    )
    (folder / "d.csv").write_text("a,b\nx,1\ny,2\nx,NA\n")
    result = CliRunner().invoke(main, ["network", "fit", "n.yaml", "--data", "d.csv"])
    assert result.exit_code == 2
    assert "d.csv: the column b has the value NA; the network knows 1, 2" in result.stderr
    assert "`--missing NA` reads it as a missing cell" in result.stderr
    result = CliRunner().invoke(main, ["network", "fit", "n.yaml", "--data", "d.csv", "--missing", "NA"])
    assert result.exit_code == 0, result.output
    assert "3 rows, 1 hidden cell (b): gradient" in result.stderr
    for extra in ("", ",id"):
        rows = [line + (f",{i}" if extra else "") for i, line in enumerate(("x,1", "y,2", "x,1"))]
        (folder / "d.csv").write_text("\n".join([f"a,b{extra}", *rows]) + "\n")
        result = CliRunner().invoke(main, ["network", "fit", "n.yaml", "--data", "d.csv"])
        assert result.exit_code == 0, result.output
        assert "class" not in result.stderr
