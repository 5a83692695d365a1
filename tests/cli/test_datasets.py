"""The commands of the catalogue as a user gives them."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main
from lazybayes.data import catalogue
from tests.data import standins

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with an empty cache, and services that are not there."""
    monkeypatch.setenv("LAZYBAYES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("LAZYBAYES_UCI", "http://127.0.0.1:9/uci")
    monkeypatch.setenv("LAZYBAYES_OPENML", "http://127.0.0.1:9/api/v1/xml")
    monkeypatch.setattr("lazybayes.data.download.PAUSE", 0.01)
    return lambda *words: CliRunner().invoke(main, ["datasets", *words])


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with one entry, which our own stand-in serves."""
    folder = tmp_path / "entries"
    folder.mkdir()
    (folder / "mine.yaml").write_text(
        "name: mine\ntitle: Mine\nsources:\n  - {uci: 7, archive: small.zip, files: [own.data], unverified: a guess}\n"
        "header: false\ncolumns: [id, b, class]\ntarget: class\ndrop: [id]\n"
        "expected: {instances: 200, attributes: 1, classes: 2, missing_cells: 0}\n"
        "differences: [None that matters]\nlicence: none\ncitation: nobody\n"
    )
    monkeypatch.setenv("LAZYBAYES_DATASETS", str(folder))
    return folder


def test_list_has_every_entry_and_of_a_paper_every_name(run: Run) -> None:
    lines = run("list").output.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(catalogue.names())
    assert next(line for line in lines if line.startswith("tic-tac-toe")).split()[-1] == "made"
    assert next(line for line in lines if line.startswith("zoo")).split()[-1] == "no"
    for paper, count in {"lbr2000": 29, "semilazy_tan2003": 30, "clltree2006": 33}.items():
        assert len(run("list", "--paper", paper).output.splitlines()) == count + 2
    assert "Hypothyroid diagnosis           hypothyroid-3163    3163" in run("list", "--paper", "lbr2000").output
    wrong = run("list", "--paper", "lbr200")
    assert wrong.exit_code == 2
    assert "unknown paper lbr200 (did you mean lbr2000?)" in wrong.output


def test_show_says_all_that_is_known(run: Run, entries: Path) -> None:
    shown = run("show", "lbr2000/Splice junction").output
    assert shown.startswith("splice-junction: Splice junctions, ambiguous letters missing\n")
    assert "expected             3190 rows, 60 attributes, 3 classes, 60 missing" in shown
    assert "not available" in run("show", "Pioneer").output
    mine = run("show", "mine").output
    assert "uci 7/small.zip (own.data); unverified: a guess" in mine
    assert "- None that matters" in mine
    assert "dropped        id\n" in mine
    assert run("show", "nosuch").exit_code == 2


def test_fetch_then_verify_then_damage(
    run: Run, entries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = run("fetch", "mine", "tic-tac-toe")
    assert failed.exit_code == 1
    assert (
        "mine could not be had from any of its sources:\n  http://127.0.0.1:9/uci/static/public/7/small.zip: not"
        in (failed.stderr)
    )
    assert failed.stdout == "tic-tac-toe: 958 rows, 9 attributes, 2 classes, 0 missing cells\n"
    config = tmp_path / "c.yaml"
    config.write_text("datasets: [mine]\nalgorithms: {NB: naive-bayes}\n")
    with standins.own() as site:
        monkeypatch.setenv("LAZYBAYES_UCI", f"{site.base}/uci")
        fetched = run("fetch", "--config", str(config))
    line = "mine: 200 rows, 1 attribute, 2 classes, 0 missing cells\n"
    unsure = "  data set mine: its source uci 7/small.zip is unverified: a guess\n"
    assert (fetched.exit_code, fetched.stdout) == (0, line + unsure)
    assert next(row for row in run("list").output.splitlines() if row.startswith("mine")).split()[-1] == "yes"
    good = run("verify")
    assert (good.exit_code, good.stdout) == (0, line + unsure)
    file = tmp_path / "cache" / "uci" / "7-small" / "own.data"
    file.write_text("1,2,y\n")
    bad = run("verify")
    assert (bad.exit_code, bad.stdout) == (1, "")
    assert bad.stderr == f"{file}: missing or modified; it will be downloaded again when needed\n"
    assert run("verify", "mine").exit_code == 1


def test_what_cannot_be_fetched_is_status_1_with_its_place_in_the_config(run: Run, tmp_path: Path) -> None:
    """A fault of a service is none of the config's: 1 from every command, unless something is to be mended as well."""
    config, data = tmp_path / "c.yaml", tmp_path / "d.csv"
    data.write_text("a,b,class\n" + "x,1.5,n\ny,2.5,p\n" * 9)
    fetched = ["{openml: 61}", "{uci: 7, archive: small.zip, files: [own.data], header: false}", "zoo"]
    rest = "algorithms: {NB: naive-bayes}\ncv: {folds: 3}\n"
    config.write_text("datasets:\n" + "".join(f"  - {entry}\n" for entry in fetched) + rest)
    whole = [("run", str(config), "--output", str(tmp_path / "r")), ("check", str(config))]
    for words in (*whole, ("datasets", "fetch", "--config", str(config))):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 1, result.output
        for number in range(3):
            assert f"{config}, line {number + 2}: datasets[{number}]: " in result.stderr
        assert "http://127.0.0.1:9/api/v1/xml: not reached" in result.stderr
    config.write_text(f"datasets:\n  - {fetched[0]}\n  - {{path: d.csv, target: klass}}\n{rest}")
    for words in (*whole, ("datasets", "fetch", "--config", str(config))):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 2, result.output
        assert f"{config}, line 3: datasets[1]: data set d: target names klass, which is no column" in result.stderr
    config.write_text(f"datasets:\n  - {{path: d.csv, target: class}}\n{rest.replace('3', '19')}")
    result = CliRunner().invoke(main, whole[1])
    assert f"{config}, line 2: datasets[0]: d: 19 folds of 18 rows" in result.stderr


def test_an_empty_cache_is_told(run: Run, tmp_path: Path) -> None:
    done = run("verify")
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'cache'} contains no data sets yet\n")


@pytest.mark.parametrize("words", [(), ("zoo", "--all"), ("--all", "--config", "quickstart")])
def test_fetch_takes_one_of_three(run: Run, words: tuple[str, ...]) -> None:
    done = run("fetch", *words)
    assert done.exit_code == 2
    assert "datasets fetch: give exactly one of NAMES, --config CONFIG and --all" in done.output


def test_a_wrong_entry_of_the_user_is_told_like_a_config_error(run: Run, entries: Path) -> None:
    (entries / "other.yaml").write_text("name: other\ntitel: x\n")
    (entries / "zoo.yaml").write_text((entries / "mine.yaml").read_text().replace("name: mine", "name: zoo"))
    done = run("list")
    assert done.exit_code == 2
    assert f"{entries}/other.yaml, line 2: titel: unknown key; " in done.output
    assert f"{entries}/zoo.yaml: zoo is the name of an entry in " in done.output


def test_describe_shows_what_our_reader_sees(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my.csv"
    rows = "".join(f"r{i},{i / 2},k,{'?' if i < 3 else 'ab'[i % 2]},{'yn'[i % 2]}\n" for i in range(60))
    file.write_text("id,size,const,kind,class\n" + rows)
    shown = run("describe", str(file)).output
    lines = {line.split()[1]: line for line in shown.splitlines() if line[:2].strip().isdigit()}
    assert shown.startswith(f"{file}: 60 rows, 5 columns\n")
    assert lines["id"].endswith("like an identifier")
    assert lines["size"].split()[2:] == ["numeric", "0", "0", "to", "29.5"]
    assert lines["const"].endswith("constant")
    assert lines["kind"].split()[2:] == ["nominal", "3", "2:", "a,", "b"]
    assert "Class class: n 30, y 30" in shown
    assert "column id looks like an identifier" in shown
    unfit = run("describe", str(file), "--target", "size").output
    assert "It cannot be used as a data set: " in unfit
    assert "the target size is numeric" in unfit
    plain = tmp_path / "plain.data"
    plain.write_text("1;x\n2;y\n")
    assert run("describe", str(plain)).exit_code == 2
    assert "2 rows, 2 columns" in run("describe", str(plain), "--no-header", "--separator", ";").output
    assert run("describe", str(tmp_path / "gone.csv")).exit_code == 2


def test_describe_takes_a_tab_as_it_is_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my.data"
    file.write_text("a\tclass\n1,5\tx\n2\ty\n")
    for separator in ("\t", r"\t"):
        assert "2 rows, 2 columns" in run("describe", str(file), "--separator", separator).output
    refused = run("describe", str(file), "--separator", r"\n")
    assert refused.exit_code == 2
    assert "one character but" in refused.stderr


def test_describe_takes_an_encoding(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("größe,class\nklein,a\ngroß,b\n", encoding="utf-16")
    assert "encoding: utf-16" in run("describe", str(file)).stderr
    assert "klein" in run("describe", str(file), "--encoding", "utf-16").output
    refused = run("describe", str(file), "--encoding", "utf-99")
    assert refused.exit_code == 2
    assert "unknown encoding utf-99" in refused.stderr


def test_describe_shows_documents(run: Run, tmp_path: Path) -> None:
    """A folder of them, or an archive of it; a folder without any is told like a file that cannot be read."""
    folder = tmp_path / "docs"
    for number in range(4):
        file = folder / "hp"[number % 2] / f"{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("the same words" if number < 3 else "other words")
    (folder / "stray.txt").write_text("in no class")
    archive = tmp_path / "docs.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder, "docs")
    for path in (folder, archive):
        shown = run("describe", str(path)).output
        assert shown.startswith(f"{path}: 4 rows, 2 columns\n")
        lines = [line.split() for line in shown.splitlines()]
        assert ["1", "text", "string", "0", "2", "distinct"] in lines
        assert ["2", "class", "nominal", "0", "2:", "h,", "p"] in lines
        assert f"{path}: 1 file left out, hidden or in no folder of a class" in shown
        assert shown.splitlines()[-1] == "Class class: h 2, p 2"
    (tmp_path / "empty").mkdir()
    refused = run("describe", str(tmp_path / "empty"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "no documents; a folder a class is expected" in refused.stderr


def test_describe_tries_what_a_config_would_say(tmp_path: Path) -> None:
    """The keys drop, missing and types as options; what cannot be used as it is has the exit status 2."""
    path = tmp_path / "d.csv"
    path.write_text("id,size,code,class\n1,3.5,1,p\n2,NA,2,q\n3,4.5,1,p\n4,1.5,2,q\n")
    plain = CliRunner().invoke(main, ["datasets", "describe", str(path)])
    assert plain.exit_code == 0, plain.output
    assert re.search(r"size +nominal", plain.stdout)
    words = ["--drop", "id", "--missing", "NA", "--types", "code=nominal", "--target", "class"]
    tried = CliRunner().invoke(main, ["datasets", "describe", str(path), *words])
    assert tried.exit_code == 0, tried.output
    assert re.search(r"size +numeric +1 ", tried.stdout)
    assert re.search(r"code +nominal", tried.stdout)
    wrong = CliRunner().invoke(main, ["datasets", "describe", str(path), "--target", "clas"])
    assert wrong.exit_code == 2
    assert "did you mean class?" in wrong.stdout
    for option, word in (("--types", "code"), ("--types", "code=number"), ("--drop", "nosuch")):
        result = CliRunner().invoke(main, ["datasets", "describe", str(path), option, word])
        assert result.exit_code == 2, (option, word, result.output)
