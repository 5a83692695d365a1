"""Catalogue entries: the shipped ones, wrong ones, names, and what a config may say beside a name."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from lazybayes.data import catalogue
from lazybayes.data.catalogue import check, check_expected, expected, find, resolve
from lazybayes.data.catalogue_file import PAPERS, Expected, read_catalogue_file
from lazybayes.data.generators import GENERATORS, generate
from lazybayes.data.table import Attribute, Table, choose_class
from lazybayes.errors import ConfigError, DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.resources import shipped

GOOD = """\
name: good
title: A good one
sources:
  - {generate: led24, rows: 50}
target: class
expected: {instances: 50, attributes: 24, classes: 10, missing_cells: 0}
licence: none
citation: nobody
"""
LED = Expected(1000, 24, 10, 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of the shipped catalogue."""
    monkeypatch.setattr(catalogue, "shipped", lambda name: tmp_path)
    return tmp_path


def put(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text.replace("name: good", f"name: {name}", 1))
    return path


def config_entry(name: str, **said: object) -> DatasetEntry:
    return DatasetEntry.of("mine", "catalogue", name, where="config.yaml, line 3", **said)  # type: ignore[arg-type]


def table_of(entry: DatasetEntry) -> Table:
    raw, target = generate(entry.source.location, entry.source.options)
    assert entry.selection.target == target
    return choose_class(raw, entry.name, entry.selection.target, entry.selection.drop)


# --- the shipped entries


@pytest.mark.parametrize("name", GENERATORS)
def test_every_generated_source_has_the_counts_expected(name: str) -> None:
    source, *_ = resolve(DatasetEntry.of(name, "catalogue", name))
    check_expected(table_of(source), find(name).expected)


def test_every_generator_is_in_the_catalogue_under_its_name() -> None:
    assert set(GENERATORS) <= set(catalogue.names())
    for name in GENERATORS:
        assert find(name).sources[0].source.location == name
        assert [entry.name for entry in catalogue.entries() if entry.name == name] == [name]


def test_the_samples_options_are_written_out_and_are_the_defaults() -> None:
    for entry in catalogue.entries():
        for source in (copy.source for copy in entry.sources if copy.source.kind == "generate"):
            assert dict(source.options) == {key: o.default for key, o in GENERATORS[source.location].options.items()}


def test_counts_are_those_of_the_real_files(shared: Path) -> None:
    keys = ("instances", "attributes", "classes", "missing_cells")
    with (shared / "data" / "MANIFEST.csv").open(newline="") as file:
        counts = {
            Path(row["path"]).stem: tuple(int(row[key]) for key in keys)
            for row in csv.DictReader(file)
            if row["path"].startswith("arff/")
        }
    pairs = {
        "tic-tac-toe": "tic-tac-toe",
        "balance-scale": "balance-scale",
        "wine": "wine",
        "iris-fisher": "iris",
        "waveform-generated": "waveform-5000",
    }
    for name, file_name in pairs.items():
        e = find(name).expected
        assert (e.instances, e.attributes, e.classes, e.missing_cells) == counts[file_name], name


def test_every_name_of_the_papers_is_one_entry(shared: Path) -> None:
    keys = {"LBR2000": "lbr2000", "SLTAN": "semilazy_tan2003", "CLLTree2006": "clltree2006"}
    assert tuple(keys.values()) == PAPERS
    with (shared / "published" / "domains.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        paper, name = keys[row["paper"]], row["name_as_published"]
        entry = find(f"{paper}/{name}")
        theirs = [name, *([row["name_in_tables"]] if row["name_in_tables"] not in ("", name) else [])]
        assert list(entry.papers[paper]) == theirs
        assert find(name) == entry, "no published name is ambiguous"
        for other in theirs:
            assert find(f"{paper}/{other}") == entry
    listed = [(paper, name) for e in catalogue.entries() for paper, theirs in e.papers.items() for name in theirs[:1]]
    assert sorted(listed) == sorted((keys[row["paper"]], row["name_as_published"]) for row in rows)


def test_a_name_that_papers_give_to_two_files_is_ambiguous() -> None:
    with pytest.raises(DataError) as caught:
        find("Hypothyroid")
    assert str(caught.value) == (
        "'Hypothyroid' may mean hypothyroid or hypothyroid-3163: say which "
        "(clltree2006/hypothyroid is hypothyroid, lbr2000/Hypothyroid is hypothyroid-3163)"
    )
    assert find("hypothyroid").name == "hypothyroid"
    assert find("lbr2000/Hypothyroid").name == "hypothyroid-3163"


# --- finding


def test_names_and_aliases_find_the_same_entry() -> None:
    assert find("LED") == find("led24")
    assert find("Tic-Tac-Toe end game").name == "tic-tac-toe"
    assert catalogue.names() == tuple(sorted(path.stem for path in shipped("datasets").glob("*.yaml")))


def test_what_an_entry_drops_is_dropped_beside_what_the_catalogue_drops() -> None:
    """So leaving out one more column never brings an identifier back."""
    [source] = resolve(config_entry("zoo", drop=("eggs",)))
    assert source.selection.drop == ("animal", "eggs")
    [target] = resolve(config_entry("zoo", target="animal", drop=("type",)))
    assert (target.selection.target, target.selection.drop) == ("animal", ("type",))
    [wrong] = resolve(config_entry("zoo", target="eggs", drop=("eggs",)))
    assert wrong.selection.drop == ("animal", "eggs")  # told as a mistake when the table is made


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tic-tak-toe", ["no data set 'tic-tak-toe'", "(did you mean tic-tac-toe?)"]),
        ("LED-24", ["(did you mean led24?)"]),
        ("BALANCE-SCALE", ["(did you mean balance-scale"]),
        ("xyzzy", ["; `lazybayes datasets list` shows all"]),
        ("../datasets/wine", ["no data set '../datasets/wine'"]),
    ],
)
def test_an_unknown_name_is_told_the_nearest(name: str, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        find(name)
    assert all(word in str(caught.value) for word in words)
    assert check(name, {}) == [("", str(caught.value))]


def test_a_broken_entry_does_not_hide_the_others(folder: Path) -> None:
    put(folder, "good")
    put(folder, "bad", "name: bad\n")
    assert find("good").name == "good"
    with pytest.raises(ConfigError, match=r"bad\.yaml, line 1: .*title"):
        find("bad")
    with pytest.raises(ConfigError, match=r"bad\.yaml"):
        catalogue.entries()


def test_an_alias_belongs_to_one_entry(folder: Path) -> None:
    put(folder, "a", GOOD + "aliases: [c, shared]\n")
    put(folder, "b", GOOD + "aliases:\n  - shared\n  - b\n")
    put(folder, "c")
    with pytest.raises(ConfigError) as caught:
        catalogue.entries()
    told = "\n".join(caught.value.problems)
    assert "a.yaml, line 9: aliases[0]: 'c' is already a name of the entry c" in told
    assert "b.yaml, line 11: aliases[1]: 'b' is already a name of the entry b" in told
    assert len(caught.value.problems) == 2  # a is wrong itself, so its names are not taken


def test_the_second_of_two_entries_with_an_alias_is_told(folder: Path) -> None:
    put(folder, "a", GOOD + "aliases: [shared]\n")
    put(folder, "b", GOOD + "aliases: [shared]\n")
    with pytest.raises(ConfigError, match=r"b\.yaml, line 9: aliases\[0\]: 'shared' is already a name of the entry a"):
        catalogue.entries()


# --- wrong files


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: good", "name: other", ["line 1: name:", "'other' is not the name of the file", "good is expected"]),
        ("title: A good one\n", "", ["line 1", "title", "missing"]),
        ("citation:", "citatoin:", ["line 8: citatoin", "unknown key", "did you mean citation?"]),
        ("expected: {instances: 50,", "expected: {", ["line 6: expected", "instances", "missing"]),
        ("instances: 50", "instances: many", ["line 6: expected.instances", "whole number"]),
        ("classes: 10", "clases: 10", ["line 6: expected.clases", "did you mean classes?"]),
        ("{generate: led24, rows: 50}", "{generate: led42}", ["line 4: sources[0].generate", "did you mean led24?"]),
        ("rows: 50}", "row: 50}", ["line 4: sources[0].row", "did you mean rows?"]),
        ("rows: 50}", "rows: -1}", ["line 4: sources[0].rows", "whole number from 1", "-1"]),
        ("{generate: led24, rows: 50}", "{rows: 50}", ["line 4: sources[0]", "no source", "catalogue, path, openml"]),
        (
            "{generate: led24, rows: 50}",
            "{generate: led24, path: a}",
            ["sources[0]", "path and generate stand together"],
        ),
        ("{generate: led24, rows: 50}", "{uci: 2, files: [a]}", ["line 4: sources[0]", "the key archive is missing"]),
        ("{generate: led24, rows: 50}", "{uci: 2, archive: a.tgz, files: [a]}", ["sources[0].archive", "zip archive"]),
        ("{generate: led24, rows: 50}", "{openml: iris}", ["line 4: sources[0].openml", "a whole number"]),
        ("{generate: led24, rows: 50}", "{openml: 61, checksum: {md5: 12}}", ["checksum.md5", "32 hexadecimal digits"]),
        ("{generate: led24, rows: 50}", "{openml: 61, recode: {a: x}}", ["sources[0].recode.a", "mapping"]),
        ("{generate: led24, rows: 50}", "led24", ["line 4: sources[0]", "mapping"]),
        ("{generate: led24, rows: 50}", "{path: a.csv, head: no}", ["line 4: sources[0].head", "did you mean header?"]),
        ("  - {generate: led24, rows: 50}", "  []", ["sources", "at least 1"]),
        ("citation: nobody", "citation: nobody\npapers: {lbr2001: LED}", ["line 9: papers.lbr2001", "lbr2000?"]),
        ("citation: nobody", "citation: nobody\ndrop: [a, a]", ["line 9: drop"]),
        ("citation: nobody", "citation: nobody\ntypes: {a: number}", ["line 9: types.a", "nominal, numeric, string"]),
    ],
)
def test_a_wrong_file_is_told_by_line_and_key(tmp_path: Path, old: str, new: str, words: list[str]) -> None:
    assert old in GOOD
    path = put(tmp_path, "good", GOOD.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        read_catalogue_file(path)
    [problem] = caught.value.problems
    assert str(path) in problem
    assert all(word in problem for word in words)


def test_all_problems_of_a_file_at_once(tmp_path: Path) -> None:
    path = put(tmp_path, "good", GOOD.replace("rows: 50", "rows: 0, seed: x").replace("title: A", "titel: A"))
    with pytest.raises(ConfigError) as caught:
        read_catalogue_file(path)
    assert len(caught.value.problems) == 3


def test_a_files_keys_hold_for_all_sources_unless_one_has_its_own(tmp_path: Path) -> None:
    sources = "  - {path: raw/a.csv}\n  - {path: b.csv, header: true, missing: ['', '9'], target: c}"
    text = GOOD.replace("  - {generate: led24, rows: 50}", sources) + (
        "header: false\ncolumns: [id, b, class]\ndrop: [id]\ntypes: {b: nominal}\nmissing: ['-']\nencoding: latin-1\n"
    )
    entry = read_catalogue_file(put(tmp_path, "good", text))
    first, second = entry.sources
    assert first == DatasetEntry.of(
        "good",
        "path",
        str(tmp_path / "raw" / "a.csv"),
        target="class",
        drop=("id",),
        types={"b": "nominal"},
        missing=("-",),
        header=False,
        columns=("id", "b", "class"),
        encoding="latin-1",
    )
    assert second.reading.header is True
    selection = second.selection
    assert (selection.missing, selection.target, selection.drop) == (("", "9"), "c", ("id",))


# --- beside a name


def test_resolve_keeps_the_configs_name_and_place() -> None:
    [source] = resolve(config_entry("LED"))
    assert source == DatasetEntry.of(
        "mine",
        "generate",
        "led24",
        target="class",
        options={"rows": 1000, "noise": 0.1, "seed": 1},
        where="config.yaml, line 3",
    )


def test_what_the_config_says_comes_first(folder: Path) -> None:
    file = GOOD.replace("{generate: led24, rows: 50}", "{path: led.csv}")
    put(folder, "file", file + "drop: [a]\ntypes: {b: nominal, c: nominal}\nmissing: ['9']\n")
    kept = resolve(config_entry("file"))[0].selection
    assert (kept.target, kept.drop, kept.missing) == ("class", ("a",), ("9",))
    assert kept.types == {"b": "nominal", "c": "nominal"}
    said = resolve(config_entry("file", target="d", drop=("e",), types={"c": "numeric"}, missing=()))[0].selection
    assert (said.target, said.drop, said.missing) == ("d", ("a", "e"), ())
    assert said.types == {"b": "nominal", "c": "numeric"}
    put(folder, "good")
    [generated] = resolve(config_entry("good", target="att9", drop=("att5",), options={"noise": 0.3}))
    assert (generated.selection.target, generated.selection.drop) == ("att9", ("att5",))
    assert generated.source.options == {"rows": 50, "noise": 0.3}


@pytest.mark.parametrize("said", [{"types": {"att1": "numeric"}}, {"missing": ("0",)}, {"missing": ()}])
def test_what_only_a_file_can_follow_is_not_ignored(said: dict[str, object]) -> None:
    with pytest.raises(DataError, match=r"^led24 is generated, so types and missing"):
        resolve(config_entry("led24", **said))


def test_sources_come_in_order_and_options_leave_the_generated_ones(folder: Path) -> None:
    put(folder, "good", GOOD.replace("sources:\n", "sources:\n  - {path: led.csv}\n"))
    assert [copy.source.kind for copy in resolve(config_entry("good"))] == ["path", "generate"]
    assert [copy.source.kind for copy in resolve(config_entry("good", options={"rows": 9}))] == ["generate"]
    assert [copy.source.kind for copy in resolve(config_entry("good", types={"a": "nominal"}))] == ["path"]
    assert expected(config_entry("good", options={"rows": 9})) == Expected(None, None, 10, 0)
    put(folder, "file", GOOD.replace("{generate: led24, rows: 50}", "{path: led.csv}"))
    with pytest.raises(DataError, match=r"^file is not generated, so it has no option 'rows'"):
        resolve(config_entry("file", options={"rows": 9}))


def test_impossible_options_are_told() -> None:
    with pytest.raises(DataError) as caught:
        resolve(config_entry("led24", options={"rows": 0, "noize": 1}))
    first, second = str(caught.value).splitlines()
    assert first.startswith("led24: rows must be a whole number from 1")
    assert "did you mean noise?" in second
    assert [key for key, _ in check("led24", {"rows": 0, "noize": 1})] == ["rows", "noize"]
    assert check("led24", {"rows": 10}) == []
    with pytest.raises(DataError, match="no data set 'led 42'"):
        resolve(config_entry("led 42"))


# --- expected counts


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({}, LED),
        ({"options": {"rows": 1000, "seed": 1}}, LED),
        ({"target": "class"}, LED),
        ({"options": {"rows": 70}}, Expected(None, None, 10, 0)),
        ({"options": {"seed": 2}}, Expected(None, None, 10, 0)),
        ({"drop": ("att1",)}, Expected(1000, None, 10, None)),
        ({"target": "att1"}, Expected(None, None, None, None)),
    ],
)
def test_counts_that_a_config_can_change_are_not_expected(said: dict[str, object], left: Expected) -> None:
    assert expected(config_entry("led24", **said)) == left


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({"types": {"att1": "numeric"}}, Expected(50, 24, None, None)),
        ({"missing": ("0",)}, Expected(None, 24, None, None)),
        ({"missing": ("?",), "types": {"a": "nominal"}, "drop": ("b",)}, Expected(50, 24, 10, 0)),
    ],
)
def test_counts_that_reading_a_file_can_change(folder: Path, said: dict[str, object], left: Expected) -> None:
    file = GOOD.replace("{generate: led24, rows: 50}", "{path: led.csv}")
    put(folder, "file", file + "types: {a: nominal}\nmissing: ['?']\ndrop: [b]\n")
    assert expected(config_entry("file", **said)) == left


@pytest.mark.parametrize(
    ("name", "options"),
    [("led24", {"rows": 30}), ("waveform-generated", {"noise_attributes": 0, "rows": 20}), ("wine", {})],
)
def test_other_options_pass_the_check(name: str, options: dict[str, int]) -> None:
    entry = config_entry(name, options=options)
    source, *_ = resolve(entry)
    check_expected(table_of(source), expected(entry))


def test_wrong_counts_are_told_both() -> None:
    table = Table(
        "t",
        (Attribute("a", "nominal", ("x", "y")), Attribute("b", "numeric"), Attribute("c", "string")),
        (np.array([0, -1, 1], np.int32), np.array([np.nan, np.nan, 1.0]), np.array(["", None, "q"], object)),
        Attribute("class", "nominal", ("yes", "no")),
        np.array([0, 0, 1], np.int32),
        np.arange(3),
    )
    check_expected(table, Expected(3, 3, 2, 4))
    check_expected(table, Expected(None, None, None, None))
    with pytest.raises(DataError) as caught:
        check_expected(table, Expected(4, 3, 5, 0))
    told = str(caught.value)
    assert told.startswith("t is not the data set of the catalogue: ")
    assert "3 instances (expected 4), 2 classes (expected 5), 4 missing cells (expected 0)" in told
    assert "attributes" not in told
    one = dataclasses.replace(table, attributes=table.attributes[1:2], columns=table.columns[:1])
    with pytest.raises(DataError, match=r"1 attribute \(expected 3\), 1 missing cell \(expected 4\)"):
        check_expected(one, Expected(3, 3, 2, 4))
