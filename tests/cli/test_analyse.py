"""Documents from a folder to tables, pictures and words, by the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main
from lazybayes.data.catalogue import find

CONFIG = """
datasets:
  - {path: news, name: whole}
  - {path: news, name: bare, headers: remove}
algorithms:
  T: {learner: text-naive-bayes, drop_frequent: 0, min_count: 1}
cv: {scheme: holdout, repeats: 3}
metrics: [accuracy]
"""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAZYBAYES_CACHE", str(tmp_path / "cache"))
    for group, word in (("tea", "leaf"), ("oil", "barrel")):
        for i in range(6):
            path = tmp_path / "news" / group / str(i)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"Newsgroups: {group}\n\n" + (f"{word} {word} and" if i else "and"))
    (tmp_path / "texts.yaml").write_text(CONFIG)

    def run(*arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == status, result.output + result.stderr
        return result

    return run


def test_from_a_folder_to_tables(call: Callable[..., Result], tmp_path: Path) -> None:
    assert "100.00" in call("run", "texts.yaml", "--jobs", "1").stdout  # the header tells the group
    shown = call("analyse", "intervals", "texts", "--level", "0.9", "--format", "csv").stdout
    assert "whole,T,3,100.00,0.00,100.00 to 100.00" in shown
    assert "vocabulary over the trials" in call("analyse", "intervals", "texts", "--metric", "vocabulary").stdout
    confusion = call("analyse", "confusion", "texts", "--dataset", "whole").stdout
    assert "confusion of T between the classes of whole" in confusion
    assert "of bare" not in confusion
    words = call("analyse", "words", "texts", "--dataset", "bare", "--algorithm", "T", "--most", "1").stdout
    assert [line.split()[:2] for line in words.splitlines()[4:6]] == [["oil", "barrel"], ["tea", "leaf"]]
    call("export", "texts", "--what", "predictions", "--output", "p.csv")
    tested = [line.split(",") for line in Path("p.csv").read_text().splitlines() if line.startswith("bare,T,0")]
    row = next(cells[4] for cells in tested if cells[4] not in ("0", "6"))
    explained = call("explain", "texts", "--dataset", "bare", "--algorithm", "T", "--row", row).stdout
    assert ("leaf" if int(row) > 6 else "barrel") in explained
    assert "2 times" in explained


def test_texts_that_changed_since_the_run_have_no_words_of_it(call: Callable[..., Result], tmp_path: Path) -> None:
    call("run", "texts.yaml", "--jobs", "1", "--quiet")
    (tmp_path / "news" / "tea" / "3").write_text("Newsgroups: tea\n\nbarrel")
    told = call("analyse", "words", "texts", "--dataset", "bare", "--algorithm", "T", status=2).stderr
    assert told == "lazybayes: the data of bare have changed since the run: run again\n"
    call("run", "texts.yaml", "--jobs", "1", "--quiet")
    assert "barrel" in call("analyse", "words", "texts", "--dataset", "bare", "--algorithm", "T").stdout


def test_pictures(call: Callable[..., Result], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    call("run", "texts.yaml", "--jobs", "1", "--quiet")
    call("figures", "texts", "--kind", "confusion", "--dataset", "bare", "--format", "svg")
    assert [path.name for path in Path("results/texts/figures").iterdir()] == ["confusion-bare-T.svg"]
    told = call("figures", "texts", "--kind", "confusion", "--baseline", "T", status=2).stderr
    assert "--dataset and --algorithm need --kind confusion" in told


def test_what_is_not_there(call: Callable[..., Result]) -> None:
    call("run", "texts.yaml", "--jobs", "1", "--quiet")
    for arguments, words in (
        (("words", "texts", "--dataset", "bar", "--algorithm", "T"), "no data set bar (did you mean bare?)"),
        (
            ("words", "texts", "--dataset", "bare", "--algorithm", "T", "--fold", "1"),
            "repeat 0 has no fold 1; it has 0",
        ),
        (("confusion", "texts", "--algorithm", "U"), "no results of the algorithm U"),
        (("intervals", "texts", "--metric", "acuracy"), "did you mean accuracy?"),
    ):
        assert words in call("analyse", *arguments, status=2).stderr


def test_a_copy_of_ones_own_in_the_place_of_a_download(call: Callable[..., Result], tmp_path: Path) -> None:
    """A file that is not the catalogue's is refused and not kept; one file is asked for where there is one."""
    import tarfile

    with tarfile.open("mine.tar.gz", "w:gz") as archive:
        archive.add("news")
    told = call("datasets", "fetch", "20-newsgroups", "--from", "mine.tar.gz", status=2).stderr
    assert "12 instances (expected 19997)" in told
    assert not (tmp_path / "cache").exists()
    told = call("datasets", "fetch", "20-newsgroups", "--from", "a", "--from", "b", status=2).stderr
    assert "consists of 20_newsgroups.tar.gz: give each file once" in told
    assert "give exactly one NAME" in call("datasets", "fetch", "iris", "zoo", "--from", "a", status=2).stderr
    told = call("run", "newsgroups", "--offline", "--jobs", "1", status=1).stderr
    assert "A copy of your own will do: lazybayes datasets fetch 20-newsgroups --from FILE" in told


def test_the_newsgroups_config_reads_its_data_set_in_two_ways() -> None:
    from lazybayes.config import load_config

    experiment = load_config("newsgroups")
    assert [(entry.source.location, entry.selection.headers) for entry in experiment.datasets] == [
        ("20-newsgroups", None),
        ("20-newsgroups", "remove"),
    ]
    assert find("20-newsgroups").sources[0].reading.encoding == "latin-1"
