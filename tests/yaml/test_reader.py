"""YAML is read by place and by field: values, messages, and files that must not get through."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.errors import ConfigError
from lazybayes.yaml import nodes as yaml_source
from lazybayes.yaml.reader import (
    Item,
    Wrong,
    anything,
    flag,
    integer,
    list_of,
    load,
    mapping_of,
    number,
    one_of,
    text,
)

EXPECTS = "a mapping with the key x"
Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a YAML file and returns its path."""

    def to_file(source: str | bytes) -> Path:
        path = tmp_path / "file.yaml"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return path

    return to_file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder shared by the examples of a property."""
    return tmp_path_factory.mktemp("yaml")


def value_of(path: Path, reader: Callable[[Item], Any]) -> Any:
    """What a reader makes of the key x; raises ConfigError with the problems it noted."""
    top = load(path, EXPECTS)
    fields = top.fields(("x",))
    value = fields.need("x", reader, None)
    top.problems.finish()
    return value


def problems_of(path: Path, reader: Callable[[Item], Any] = anything) -> list[str]:
    """The problems of the key x, without the file's name."""
    with pytest.raises(ConfigError) as caught:
        value_of(path, reader)
    return [problem.removeprefix(f"{path}, ").removeprefix(f"{path}: ") for problem in caught.value.problems]


# --- scalars by the field that asks for them


@pytest.mark.parametrize(
    "word", ["01", "NO", "yes", "null", "~", "1e3", "0x1F", "1234567890123456789", "2020-01-01", "1:30", "=", "1_000"]
)
def test_text_is_what_stands_there(write: Write, word: str) -> None:
    assert value_of(write(f"x: {word}"), text) == word


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1))
def test_quoted_text_is_any_text(folder: Path, words: str) -> None:
    (folder / "text.yaml").write_text("x: " + json.dumps(words, ensure_ascii=False), encoding="utf-8")
    assert value_of(folder / "text.yaml", text) == words


@given(st.integers())
def test_every_integer_is_exact(folder: Path, whole: int) -> None:
    (folder / "int.yaml").write_text(f"x: {whole}")
    if abs(whole) < 10**308:
        assert value_of(folder / "int.yaml", integer()) == whole


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_is_exact(folder: Path, value: float) -> None:
    (folder / "float.yaml").write_text(f"x: {value!r}")
    assert value_of(folder / "float.yaml", number()) == value


@pytest.mark.parametrize(
    ("word", "value"),
    [("1e3", 1000), ("2e0", 2), ("2.0", 2), ("010", 10), ("0o17", 15), ("0x1F", 31), ("+7", 7), ("1E+2", 100)],
)
def test_whole_numbers_follow_yaml_1_2(write: Write, word: str, value: int) -> None:
    read = value_of(write(f"x: {word}"), integer())
    assert read == value
    assert isinstance(read, int)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("1_000", "'1_000' is not allowed; a number is expected"),
        ("1:30", "'1:30' is not allowed; a number is expected"),
        (".inf", "'.inf' is not allowed; a number is expected"),
        ("ten", "'ten' is not allowed; a number is expected"),
        ("true", "'true' is not allowed; a number is expected"),
        ("", "no value is given; a number is expected"),
        ("'10'", "'10' is text (it is quoted); a number is expected (write 10 without quotes)"),
        ("[10]", "a list stands here; a number is expected"),
        ("{a: 1}", "a mapping stands here; a number is expected"),
        ("1e999", "1e999 is too large; a number is expected"),
        ("9" * 5000, "9" * 40 + " is too large; a number is expected"),
    ],
)
def test_what_is_no_number(write: Write, word: str, message: str) -> None:
    assert problems_of(write(f"x: {word}"), number()) == [f"line 1: x: {message}"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("1", "1 is out of range; a whole number at least 2 and at most 9 is expected"),
        ("10", "10 is out of range; a whole number at least 2 and at most 9 is expected"),
        ("2.5", "2.5 has a fraction; a whole number is expected"),
    ],
)
def test_bounds_of_whole_numbers(write: Write, word: str, message: str) -> None:
    assert problems_of(write(f"x: {word}"), integer(at_least=2, at_most=9)) == [f"line 1: x: {message}"]


@pytest.mark.parametrize("word", ["0", "1", "-0.5", "7"])
def test_open_bounds_leave_out_their_ends(write: Write, word: str) -> None:
    assert problems_of(write(f"x: {word}"), number(above=0, below=1)) == [
        f"line 1: x: {word} is out of range; a number above 0 and below 1 is expected"
    ]


@pytest.mark.parametrize(("word", "value"), [("true", True), ("True", True), ("FALSE", False), ("false", False)])
def test_flags(write: Write, word: str, value: bool) -> None:
    assert value_of(write(f"x: {word}"), flag) is value


@pytest.mark.parametrize(
    ("word", "hint"),
    [("yes", "true"), ("On", "true"), ("NO", "false"), ("off", "false"), ("ture", "true"), ("'true'", "true")],
)
def test_what_is_no_flag(write: Write, word: str, hint: str) -> None:
    (problem,) = problems_of(write(f"x: {word}"), flag)
    assert problem.endswith(f"; true or false is expected (did you mean {hint}?)")


def test_one_of_hints_at_the_nearest(write: Write) -> None:
    assert value_of(write("x: mdl"), one_of(("mdl", "none"))) == "mdl"
    assert problems_of(write("x: ndl"), one_of(("mdl", "none"))) == [
        "line 1: x: 'ndl' is unknown; allowed: mdl, none (did you mean mdl?)"
    ]


def test_anything_follows_the_core_schema(write: Write) -> None:
    source = "x: [1, 1.5, 1e3, 2.0, yes, true, null, ~, '1', 01, .inf, -.INF, {a: [b]}, 0x10, 1_0]"
    infinity = float("inf")
    expected = [1, 1.5, 1000, 2.0, "yes", True, None, None, "1", 1, infinity, -infinity, {"a": ["b"]}, 16, "1_0"]
    read = value_of(write(source), anything)
    assert read == expected
    assert [type(value) for value in read] == [type(value) for value in expected]


# --- containers


def test_a_list_says_what_it_should_look_like(write: Write) -> None:
    assert problems_of(write("x: id"), list_of(text)) == [
        "line 1: x: 'id' is not allowed; a list, like [id], is expected"
    ]
    assert problems_of(write("x: []"), list_of(text, at_least=1)) == [
        "line 1: x: the list has 0 entries; at least 1 expected"
    ]


def test_every_part_of_a_list_is_read(write: Write) -> None:
    source = "x:\n  - 1\n  - a\n  - 3\n  - b\n"
    assert problems_of(write(source), list_of(integer())) == [
        "line 3: x[1]: 'a' is not allowed; a whole number is expected",
        "line 5: x[3]: 'b' is not allowed; a whole number is expected",
    ]


def test_a_list_may_forbid_repetition(write: Write) -> None:
    assert value_of(write("x: [a, a]"), list_of(text)) == ("a", "a")
    assert problems_of(write("x: [a, b, a]"), list_of(text, unique=True)) == [
        "line 1: x[2]: 'a' stands twice in the list; give it once"
    ]


def test_a_mapping_reads_every_value(write: Write) -> None:
    assert value_of(write("x: {a: 1, 01: 2}"), mapping_of(integer())) == {"a": 1, "01": 2}
    assert problems_of(write("x: [1]"), mapping_of(integer())) == [
        "line 1: x: a list stands here; a mapping (key: value) is expected"
    ]
    assert problems_of(write("x: {a: 1, b: c}"), mapping_of(integer())) == [
        "line 1: x.b: 'c' is not allowed; a whole number is expected"
    ]


def test_unknown_keys_and_missing_keys(write: Write) -> None:
    def read(item: Item) -> None:
        fields = item.fields(("folds", "repeats"), "the scheme")
        fields.need("folds", integer(), 0)

    assert problems_of(write("x:\n  fold: 3\n  zzz: 1\n"), read) == [
        "line 2: x.fold: unknown key of the scheme; allowed: folds, repeats (did you mean folds?)",
        "line 3: x.zzz: unknown key of the scheme; allowed: folds, repeats",
    ]
    assert problems_of(write("x:\n  repeats: 3\n"), read) == ["line 1: x: the key folds is missing"]


def test_keys_that_stand_twice(write: Write) -> None:
    assert problems_of(write("x:\n  a: 1\n  b: 2\n  a: 3\nx: 4\n")) == [
        "line 4: x.a: this key stands already in line 2; give it once",
        "line 5: x: this key stands already in line 1; give it once",
    ]


def test_keys_that_are_no_text(write: Write) -> None:
    assert problems_of(write("x: 1\n? [a, b]\n: 2\n")) == ["line 2: a key is a list or a mapping; a key must be text"]


def test_merge_keys(write: Write) -> None:
    source = "x:\n  a: &base {m: 1, n: 2}\n  b: {<<: *base, n: 3}\n  c: {<<: [{m: 9}, *base], k: 0}\n  d: {'<<': 1}\n"
    assert value_of(write(source), anything) == {
        "a": {"m": 1, "n": 2},
        "b": {"n": 3, "m": 1},
        "c": {"k": 0, "m": 9, "n": 2},
        "d": {"<<": 1},
    }


def test_a_merged_problem_stands_at_the_key_that_merges(write: Write) -> None:
    source = "x:\n  a: &base\n    m: b\n  c: {<<: *base}\n"
    assert problems_of(write(source), mapping_of(mapping_of(integer()))) == [
        "line 3: x.a.m: 'b' is not allowed; a whole number is expected",
        "line 3: x.c.m: 'b' is not allowed; a whole number is expected",
    ]
    assert problems_of(write("x: {<<: 5}")) == ["line 1: x: '5' is not allowed; a mapping (key: value) is expected"]


def test_a_problem_spares_the_rest(write: Write) -> None:
    top = load(write("a: one\nb: 2\n"), EXPECTS)
    fields = top.fields(("a", "b"))
    assert (fields.get("a", integer(), 7), fields.get("b", integer(), 7), fields.get("c", integer(), 7)) == (7, 2, 7)
    with pytest.raises(Wrong):
        integer()(fields["a"])
    with pytest.raises(ConfigError) as caught:
        top.problems.finish()
    assert len(caught.value.problems) == 1


# --- files that must not get through, each with one clear message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x:\n\t- a\n", "line 2: a tab indents this line; YAML allows only spaces there"),
        ("x:\n\ta: 1\n", "line 2: a tab indents this line; YAML allows only spaces there"),
        ("x:\n  a: 1\n\tb: 1\n", "line 3: a tab indents this line; YAML allows only spaces there"),
        ("x:\n  - a\n  \t- b\n", "line 3: a tab indents this line; YAML allows only spaces there"),
        ("x: |\n  a\n\tb\n", "line 3: a tab indents this line; YAML allows only spaces there"),
        ("", "the file is empty; a mapping with the key x is expected"),
        ("# nothing\n", "the file is empty; a mapping with the key x is expected"),
        ("---\n...\n", "the file is empty; a mapping with the key x is expected"),
        ("- a\n- b\n", "line 1: a list stands here; a mapping with the key x is expected"),
        ("# a\nx\n", "line 2: a single text stands here; a mapping with the key x is expected"),
        ("x: 1\n---\nx: 2\n", "line 2: a second document starts here (---); one file holds one document"),
        ("x: &a [1, *a]\n", "line 1: an alias stands inside what it repeats, without end"),
        ("x: &a\n  <<: *a\n", "line 1: an alias stands inside what it repeats, without end"),
        ("x: *a\n", "line 1: no valid YAML: found undefined alias"),
        ("x: 1\ny: !!python/name:os.system\n", "line 2: the tag !!python/name:os.system is not allowed"),
        ("x: !!python/object/apply:os.system [ls]\n", "line 1: the tag !!python/object/apply:os.system is not allowed"),
        ("x: !secret 5\n", "line 1: the tag !secret is not allowed; write the value without a tag"),
        ("x: !!str 5\n", "line 1: the tag !!str is not allowed; write the value without a tag"),
        ("x: \x01\n", "line 1: a control character (U+0001); YAML allows none"),
        ("x: 1\ny: \0\n", "line 2: a control character (U+0000); YAML allows none"),
        (b"x: 1\ny: caf\xe9\n", "line 2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("x: " + "[" * 5000 + "]" * 5000, "nest"),  # libyaml and PyYAML stop at different depths, in different words
        ("x: a: b\n", "line 1: a colon stands where no value can start"),
        ("x: 1\n  y: 2\n", "line 2: a colon stands where no value can start"),
        ("x: {a: 1\ny: 2\n", "line 2: no valid YAML: did not find expected ',' or '}'"),
        ("x: 'a\n", "that starts in line 1"),
    ],
)
def test_files_that_do_not_get_through(write: Write, source: str | bytes, message: str) -> None:
    problems = problems_of(write(source))
    assert len(problems) == 1
    assert message in problems[0]


def test_every_tag_is_named_at_once(write: Write) -> None:
    assert [problem[:7] for problem in problems_of(write("x: !a 1\ny: [!b 2, 3]\n"))] == ["line 1:", "line 2:"]


def test_aliases_cannot_expand_without_bound(write: Write) -> None:
    bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in pairwise("abcdefgh")
    )
    (problem,) = problems_of(write(bomb))
    assert "aliases repeat each other" in problem


@pytest.mark.parametrize(
    "source",
    ["x: a\t# a tab before a comment\n", "x: {a: b}\t\n", "x:\ta\n", "x: [a,\n\tb]\n", "x: a\n\t\n", " \t\r\nx: a\n"],
)
def test_legal_tabs(write: Write, source: str) -> None:
    if not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml, whose scanner knows the legal tabs")
    assert value_of(write(source), anything) in ("a", {"a": "b"}, ["a", "b"])


def test_without_libyaml_a_legal_tab_is_at_least_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    pure = type("Pure", (yaml.SafeLoader,), {"resolve": yaml_source._Loader.resolve})
    monkeypatch.setattr(yaml_source, "_Loader", pure)
    assert problems_of(write("x: 1\ny: {a: b}\t\n")) == ["line 2: a tab stands where YAML allows only spaces"]
    assert problems_of(write("x:\n\t- b\n")) == ["line 2: a tab indents this line; YAML allows only spaces there"]


def test_byte_order_mark_and_carriage_returns(write: Write) -> None:
    assert value_of(write(b"\xef\xbb\xbfx: a\r\n"), text) == "a"


def test_what_is_no_file(tmp_path: Path) -> None:
    assert problems_of(tmp_path / "none.yaml") == ["there is no such file"]
    assert problems_of(tmp_path) == ["this is a folder; a file is expected"]


@pytest.mark.parametrize("merged", ["", "1", "[1]", "[{b: 2}, x]"])
def test_a_merge_key_without_a_mapping_is_a_problem(tmp_path: Path, merged: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"a: 1\n<<: {merged}\n")
    top = load(path, "a mapping")
    fields = top.fields(("a", "b"))
    assert set(fields.given) >= {"a"}
    with pytest.raises(ConfigError, match=r"line 2.*a mapping \(key: value\) is expected"):
        top.problems.finish()
