"""A strict reader of Weka's ARFF, dense and sparse rows.

The grammar is that of Weka's own tokenizer (class `ArffLoader` of Weka 3.6): names, values and cells are parted by
commas or blanks and quoted by ' or ", a backslash escapes inside quotes, % starts a comment outside them, keywords are
of any case. Stricter than Weka: an empty cell, text right behind a closing quote, a nominal list that mixes commas and
blanks, a duplicate name or value, and a number that is not finite are errors, not guesses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lazybayes.data.cells import ColumnKind, Sheet, is_missing
from lazybayes.data.dates import ISO, date_reader
from lazybayes.data.numbers import number
from lazybayes.data.table import first_repeated, listed
from lazybayes.data.text import BLANKS, Text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.files import most_unpacked
from lazybayes.messages import nearest, plural

_TYPES = ("numeric", "real", "integer", "string", "date", "relational")
_KEYWORDS = ("@relation", "@attribute", "@data")

_B = r"[ \t\f\v]"
_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_WORD = r"""[^ \t\f\v,'"{}%]++"""
_CELL = rf"(?:{_QUOTED}|{_WORD})"
_CELLS = re.compile(_CELL)
_ROW = re.compile(rf"{_B}*{_CELL}(?:{_B}*,{_B}*{_CELL}|{_B}+{_CELL})*{_B}*")
_PAIR = re.compile(rf"({_WORD}){_B}+({_CELL})(?=[ \t\f\v,}}]){_B}*(?:,{_B}*(?!\}}))?")
_WEIGHT = re.compile(rf"{_B}*({_WORD}){_B}*")
_BEFORE_COMMENT = re.compile(rf"""(?:{_QUOTED}|[^'"%])*+""")
_NAME_AND_TYPE = re.compile(rf"({_CELL}){_B}*(.*)")
_RANGE = re.compile(r"(?:\[[^\]]*\])?")
_BANNER = re.compile(r"(?:\s++|%[^\r\n]*+)*+@relation\b", re.I)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)")
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


_SMALLEST_CELL = 4
"""Bytes that a cell of a sparse row counts as, given or left out, against what packed data may unpack to."""


@dataclass(frozen=True)
class _Declaration:
    """An attribute as declared.

    omitted: the cell, as it stands, that a sparse row leaves out; notice: what is to be said about it, or empty.
    """

    name: str
    kind: ColumnKind
    line: int
    omitted: str
    notice: str = ""


def arff_sheet(text: Text, entry: DatasetEntry) -> Sheet:
    """Splits an ARFF file into cells; of the entry it takes `missing` (beside an unquoted ?).

    A nominal cell's code is its place in the declared list; a cell that a sparse row leaves out is 0 for a numeric
    attribute, the first declared value for a nominal one, the empty text for a string. A date is a number: seconds
    since 1970-01-01 00:00 UTC. Instance weights are left out with a notice.

    Raises DataError naming file, line, column (the cell's number) and what was expected.
    """
    lines = text.body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    declared, start = _header(text, lines)
    markers = frozenset(("?", *(entry.selection.missing or ())))
    width = len(declared)
    rows: list[list[str]] = []
    places: list[int] = []
    omitted = [attribute.omitted for attribute in declared]
    weighted = sparse = 0
    room = most_unpacked(len(text.body))
    for line, content in enumerate(lines[start:], start + 1):
        if _ROW.fullmatch(content):
            cells = _CELLS.findall(content)
        else:
            row = _without_comment(text, line, content)
            if not row:
                continue
            row, weight = _without_weight(row)
            if weight:
                weighted += 1
                if number(weight) is None:
                    raise DataError(f"{text.at(line)}: instance weight {{{weight}}}; a number is expected")
            if row.startswith("{"):
                sparse += 1
                if sparse * width * _SMALLEST_CELL > room:
                    raise _too_many_cells(text, line, width)
                cells = _sparse_row(text, line, row, omitted)
            else:
                cells = _dense_row(text, line, row, "" in markers)
        if len(cells) != width:
            raise _wrong_width(text, line, cells, width)
        rows.append(cells)
        places.append(line)
    notices = (*text.notices, *(attribute.notice for attribute in declared if attribute.notice))
    if weighted:
        notices += (f"{text.file}: instance weights left out in {plural(weighted, 'row')}; every row counts once",)

    def decode(raw: str) -> str | None:
        says = unquote(raw)
        return None if is_missing(says, says != raw, markers) else says

    return Sheet(
        file=text.file,
        names=tuple(attribute.name for attribute in declared),
        kinds=tuple(attribute.kind for attribute in declared),
        rows=rows,
        places=[(text, line) for line in places],
        decode=decode,
        notices=notices,
    )


def is_arff(text: Text) -> bool:
    """Whether a file is ARFF, by its name or its first line that is neither empty nor a comment."""
    return text.file.lower().endswith(".arff") or bool(_BANNER.match(text.body))


def unquote(raw: str) -> str:
    """What a name, value or cell says: without its quotes, the escapes inside them worked out."""
    if raw[:1] not in ("'", '"'):
        return raw
    return _ESCAPE.sub(_escape, raw[1:-1]) if "\\" in raw else raw[1:-1]


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return chr(int(code, 8)) if code.isdigit() and code < "8" else _ESCAPED.get(code, code)


def _quote(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _without_comment(text: Text, line: int, content: str) -> str:
    """A line without its comment and the blanks around it."""
    match = _BEFORE_COMMENT.match(content)
    end = match.end() if match else 0
    if end < len(content) and content[end] != "%":
        raise DataError(
            f"{text.at(line)}: the quote {content[end]} is opened and not closed; \\{content[end]} "
            f"stands for a quote within quotes"
        )
    return content[:end].strip(BLANKS)


# --- the header


def _header(text: Text, lines: list[str]) -> tuple[list[_Declaration], int]:
    """The declared attributes, and the number of lines up to and with @data."""
    related = False
    declared: dict[str, _Declaration] = {}
    for line, raw in enumerate(lines, 1):
        if raw.lstrip(BLANKS)[:9].lower() == "@relation" and not related:
            related = True  # the relation's name is used nowhere, and often ill quoted
            continue
        content = _without_comment(text, line, raw)
        if not content:
            continue
        keyword, _, rest = re.sub(rf"{_B}", " ", content, count=1).partition(" ")
        if not related:
            raise DataError(f"{text.at(line)}: {_short(content)}; @relation is expected first in an ARFF file")
        if keyword.lower() == "@data":
            if rest.strip(BLANKS):
                raise DataError(f"{text.at(line)}: {_short(rest)} behind @data; rows start on the next line")
            if not declared:
                raise DataError(f"{text.at(line)}: @data without an attribute; @attribute NAME TYPE is expected before")
            return list(declared.values()), line
        if keyword.lower() != "@attribute":
            hint = nearest(keyword.lower(), _KEYWORDS) if keyword.startswith("@") else ""
            hint = " (KEEL's line; ARFF has none)" if re.match("@(in|out)put", keyword.lower()) else hint
            raise DataError(f"{text.at(line)}: {_short(content)}{hint}; @attribute NAME TYPE or @data is expected")
        attribute = _attribute(text, line, rest.strip(BLANKS))
        if attribute.name in declared:
            first = declared[attribute.name].line
            raise DataError(
                f"{text.at(line)}: a second attribute {attribute.name} (the first is in line {first}); "
                f"names differ in ARFF"
            )
        declared[attribute.name] = attribute
    expected = "@data and the rows are" if related else "@relation, @attribute lines, @data and the rows are"
    raise DataError(f"{text.at(len(lines))}: the file ends without @data; {expected} expected")


def _attribute(text: Text, line: int, rest: str) -> _Declaration:
    match = _NAME_AND_TYPE.fullmatch(rest)
    if not match:
        raise DataError(f"{text.at(line)}: @attribute {_short(rest)}; @attribute NAME TYPE is expected")
    name, declaration = unquote(match[1]), match[2]
    place = f"{text.at(line)}: attribute {name}"
    if declaration.startswith("{"):
        values = _values(place, declaration)
        return _Declaration(name, ColumnKind("nominal", values), line, _quote(values[0]))
    word = re.match(r"[A-Za-z]*", declaration)
    kind, behind = (word[0].lower(), declaration[word.end() :]) if word else ("", declaration)
    if kind in ("numeric", "real", "integer") and _RANGE.fullmatch(behind.strip(BLANKS)):
        return _Declaration(name, ColumnKind("numeric"), line, "0")
    if kind == "string" and not behind:
        return _Declaration(name, ColumnKind("string"), line, "''")
    if kind == "date" and re.fullmatch(rf"(?:{_B}+{_CELL})?", behind):
        pattern = unquote(behind.strip(BLANKS)) or ISO
        dates = date_reader(pattern, place)
        kind_of_dates = ColumnKind("numeric", None, dates.seconds, f"a date like {pattern}")
        return _Declaration(name, kind_of_dates, line, _quote(dates.epoch), dates.notice)
    if kind == "relational":
        raise DataError(
            f"{place} is relational (a table within a cell), which is not read; nominal {{A, B}}, numeric, "
            f"string or date is expected"
        )
    if not declaration:
        raise DataError(f"{place} has no type; {_expected_types()}")
    hint = f" (a list stands in braces: {{{declaration}}})" if "," in declaration else nearest(kind, _TYPES)
    raise DataError(f"{place} has the type {_short(declaration)}{hint}; {_expected_types()}")


def _expected_types() -> str:
    return "numeric, real, integer, a nominal list {A, B}, string or date is expected"


def _values(place: str, declaration: str) -> tuple[str, ...]:
    """The declared values of `{a, 'b c'}` in order."""
    inside = declaration[1:-1].strip(BLANKS)
    if not declaration.endswith("}") or len(declaration) < 2:
        raise DataError(f"{place}: {_short(declaration)}; a list of values ends in }} on the same line")
    if not inside:
        raise DataError(f"{place}: {declaration} declares no value; at least one is expected")
    cells = _CELLS.findall(inside)
    gaps = _CELLS.split(inside)
    if not _ROW.fullmatch(inside) or (any("," in gap for gap in gaps) and any("," not in gap for gap in gaps[1:-1])):
        raise DataError(
            f"{place}: {_short(declaration)}; values are expected parted by commas (or all by blanks), "
            f"those with a blank, comma, quote, brace or % within quotes"
        )
    values = tuple(unquote(cell) for cell in cells)
    if (twice := first_repeated(values)) is not None:
        raise DataError(f"{place} declares the value {twice} twice; values differ")
    return values


# --- the rows


def _dense_row(text: Text, line: int, row: str, empty_allowed: bool) -> list[str]:
    """The cells of a row that is out of the ordinary: it ends in a comment, holds an empty cell, or is wrong."""
    if _ROW.fullmatch(row):
        return _CELLS.findall(row)
    cells: list[str] = []
    at, comma = 0, True  # comma: a cell is due
    while at < len(row):
        place = text.at(line, len(cells) + 1)
        if row[at] in BLANKS:
            at += 1
        elif row[at] == ",":
            if comma:
                if not empty_allowed:
                    raise DataError(f"{place}: an empty cell; a value is expected, or ? for a missing one")
                cells.append("")
            at, comma = at + 1, True
        elif cell := _CELLS.match(row, at):
            if at and row[at - 1] not in BLANKS + ",":
                raise DataError(
                    f"{text.at(line, len(cells))}: {_short(row[at:])} right behind {cells[-1]}; a comma or a blank is "
                    f"expected (a value with a quote in it stands in quotes: 'don\\'t')"
                )
            cells.append(cell[0])
            at, comma = cell.end(), False
        else:
            raise DataError(
                f"{place}: {_short(row[at:])}; a cell is expected (a brace within a value stands in quotes, a "
                f"weight {{5}} behind the last cell)"
            )
    if comma:
        if not empty_allowed:
            raise DataError(f"{text.at(line, len(cells) + 1)}: the row ends in a comma; a value is expected, or ?")
        cells.append("")
    return cells


def _without_weight(row: str) -> tuple[str, str]:
    """A row without the instance weight behind its last cell, and that weight: `5` of `1, 2, {5}`; empty if none."""
    start = row.rfind("{", 1) if row.endswith("}") else -1
    weight = _WEIGHT.fullmatch(row, start + 1, len(row) - 1) if start > 0 and row[start - 1] in BLANKS + "," else None
    if not weight:
        return row, ""
    before = row[:start].rstrip(BLANKS)
    return before.removesuffix(",").rstrip(BLANKS), weight[1]


def _sparse_row(text: Text, line: int, row: str, omitted: list[str]) -> list[str]:
    """The cells of `{INDEX VALUE, INDEX VALUE}`; omitted: the cells that stand for those left out."""
    cells = omitted.copy()
    at = len(row) - len(row[1:].lstrip(BLANKS))
    last, pairs = -1, 0
    while at != len(row) - 1 or row[at] != "}":
        pairs += 1
        place = text.at(line, pairs)
        pair = _PAIR.match(row, at)
        if not pair:
            raise DataError(
                f"{place}: {_short(row[at:]) or 'the end of the line'}; a sparse row is "
                f"{{INDEX VALUE, INDEX VALUE}}, indices from 0"
            )
        if not re.fullmatch("[0-9]{1,18}", pair[1]) or int(pair[1]) >= len(omitted):
            raise DataError(f"{place}: the index {_short(pair[1])}; a number from 0 to {len(omitted) - 1} is expected")
        index = int(pair[1])
        if index <= last:
            problem = "twice" if index == last else f"behind {last}"
            raise DataError(f"{place}: the index {index} {problem}; the indices of a sparse row rise")
        cells[index] = pair[2]
        last, at = index, pair.end()
    return cells


def _too_many_cells(text: Text, line: int, width: int) -> DataError:
    return DataError(
        f"{text.at(line)}: the sparse rows so far stand for more cells, {width:,} in each, than such a file may hold; "
        f"leave out attributes that are always zero"
    )


def _wrong_width(text: Text, line: int, cells: list[str], width: int) -> DataError:
    hint = "; a value with a blank in it stands in quotes" if len(cells) > width else ""
    return DataError(
        f"{text.at(line)}: {plural(len(cells), 'cell')} found ({_short(listed(cells, 6))}); "
        f"{width} expected, one an attribute{hint}"
    )


def _short(words: str) -> str:
    words = words.strip(BLANKS)
    return words if len(words) <= 60 else f"{words[:57]}..."
