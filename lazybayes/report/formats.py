"""A report in text, Markdown, LaTeX, CSV or HTML: one function per format, all from the same grid."""

from __future__ import annotations

import csv
import io
import re
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

from tabulate import tabulate

from lazybayes.errors import UsageError
from lazybayes.messages import nearest, printable


@dataclass(frozen=True)
class Entry:
    """value: a number or a word as printed; spread: its standard error; mark: significance mark."""

    value: str = ""
    spread: str = ""
    mark: str = ""

    def __str__(self) -> str:
        """`value ± spread mark`, without empty parts."""
        spread = f" ± {self.spread}" if self.spread else ""
        return f"{self.value}{spread} {self.mark}".rstrip()


@dataclass(frozen=True)
class Row:
    """A label and one entry per column."""

    label: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Report:
    """One table. header: names of the label column and the other columns; groups: blocks of rows, separated by rules.

    name: file name of the table; words: whether its columns contain words and are left-aligned;
    spread: abbreviation of what the entries' spreads are.
    """

    title: str
    header: tuple[str, ...]
    groups: tuple[tuple[Row, ...], ...]
    notes: tuple[str, ...] = ()
    name: str = ""
    words: bool = False
    spread: str = "se"

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in order."""
        return tuple(row for group in self.groups for row in group)


def text(report: Report, width: int | None = None) -> str:
    """Plain text with aligned values, spreads and marks.

    A table wider than the width is folded: columns that do not fit follow below, with the labels repeated.
    """
    labels = _even([_line(report.header[0]), *(_line(row.label) for row in report.rows)], left=True)
    columns = [
        _text_column(_line(name), [row.entries[j] for row in report.rows], report.words)
        for j, name in enumerate(report.header[1:])
    ]
    out = [_line(report.title)]
    for part in _folded(labels, columns, width):
        lines = ["  ".join(parts).rstrip() for parts in zip(*part, strict=True)]
        rule = "  ".join("-" * _width(column[0]) for column in part)
        out += ["", lines.pop(0)]
        for group in report.groups:
            out += [rule, *lines[: len(group)]]
            del lines[: len(group)]
    notes = [line for note in report.notes for line in _wrapped(_line(note))]
    return "\n".join([*out, *([""] if notes else []), *notes]) + "\n"


def markdown(report: Report) -> str:
    """A GitHub pipe table, with the title in bold above it and the notes as a list below."""
    body = [[_md(row.label), *(_md(str(entry)) for entry in row.entries)] for row in report.rows]
    table = tabulate(
        body,
        headers=[_md(name) for name in report.header],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=_alignment(report),
    )
    notes = [f"- {_md(note)}" for note in report.notes]
    return "\n".join([f"**{_md(report.title)}**", "", table, *([""] if notes else []), *notes]) + "\n"


def html(report: Report) -> str:
    """An HTML fragment: a paragraph, a table, a list. Pure ASCII, so that it is correct in any encoding."""
    body = [[_line(row.label), *(_line(str(entry)) for entry in row.entries)] for row in report.rows]
    header = [_line(name) for name in report.header]
    table = tabulate(body, headers=header, tablefmt="html", disable_numparse=True, colalign=_alignment(report))
    notes = [f"<li>{escape(_line(note))}</li>" for note in report.notes]
    parts = [f"<p><b>{escape(_line(report.title))}</b></p>", str(table), *(["<ul>", *notes, "</ul>"] if notes else [])]
    return ("\n".join(parts) + "\n").encode("ascii", "xmlcharrefreplace").decode("ascii")


def latex(report: Report) -> str:
    r"""A LaTeX table environment; needs \usepackage{booktabs}."""
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_tex(report.title)}}}",
        rf"\begin{{tabular}}{{l{('l' if report.words else 'r') * (len(report.header) - 1)}}}",
        r"\toprule",
        " & ".join(map(_tex, report.header)) + r" \\",
    ]
    for group in report.groups:
        lines += [
            r"\midrule",
            *(" & ".join([_tex(row.label), *map(_tex_entry, row.entries)]) + r" \\" for row in group),
        ]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if report.notes:
        lines += [r"\begin{itemize}", *(rf"\item {_tex(note)}" for note in report.notes), r"\end{itemize}"]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def comma_separated(report: Report) -> str:
    """CSV with separate columns for spreads and marks; the title and the notes are only in the other formats.

    kind: `data` for the rows of the table itself, `summary` for the averages, records and tests below it.
    """
    names, parts = ["kind", report.header[0]], []
    for j, name in enumerate(report.header[1:]):
        entries = [row.entries[j] for row in report.rows]
        kept = ["value", *(part for part in ("spread", "mark") if any(getattr(entry, part) for entry in entries))]
        names += [name, *(f"{name} {report.spread if part == 'spread' else part}" for part in kept[1:])]
        parts += [(j, part) for part in kept]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for place, group in enumerate(report.groups):
        kind = "summary" if place else "data"
        writer.writerows([kind, row.label, *(getattr(row.entries[j], part) for j, part in parts)] for row in group)
    return out.getvalue()


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "csv": comma_separated,
    "html": html,
}


STYLE = (
    "body { font-family: sans-serif; margin: 2em } table { border-collapse: collapse; margin: 1em 0 } "
    "th, td { padding: 0.25em 0.8em; border-bottom: 1px solid #ddd } th { border-bottom: 1px solid #333 }"
)


def document(reports: Sequence[Report], fmt: str, width: int | None = None) -> str:
    """Tables in one format, one below the other; in HTML a complete page. width: of the lines of text.

    Raises UsageError for an unknown format.
    """
    write = formatter(fmt)
    body = "\n".join(text(report, width) if fmt == "text" else write(report) for report in reports)
    if fmt != "html":
        return body
    title = escape(_line(reports[0].title) if reports else "").encode("ascii", "xmlcharrefreplace").decode("ascii")
    head = f'<meta charset="utf-8">\n<title>{title}</title>\n<style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n'


def transposed(report: Report) -> Report:
    """The table with its rows as columns."""
    rows = tuple(Row(name, tuple(row.entries[j] for row in report.rows)) for j, name in enumerate(report.header[1:]))
    return replace(report, header=("", *(row.label for row in report.rows)), groups=(rows,))


def formatter(name: str) -> Callable[[Report], str]:
    """The function of a format; raises UsageError for an unknown one."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name}{nearest(name, FORMATS)}; the formats are {', '.join(FORMATS)}")
    return FORMATS[name]


def slug(name: str) -> str:
    """A table's name as a file name: `Table 3` is table-3."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _alignment(report: Report) -> list[str]:
    return ["left", *(["left" if report.words else "right"] * (len(report.header) - 1))]


def _text_column(name: str, entries: list[Entry], words: bool) -> list[str]:
    """A header and its entries, padded to the same width."""
    values = _even([entry.value for entry in entries])
    spreads = _even([f" ± {entry.spread}" if entry.spread else "" for entry in entries])
    marks = _even([f" {entry.mark}" if entry.mark else "" for entry in entries], left=True)
    if words:
        values = [value.lstrip() for value in values]
    return _even([name, *("".join(parts) for parts in zip(values, spreads, marks, strict=True))], left=words)


def _folded(labels: list[str], columns: list[list[str]], width: int | None) -> list[list[list[str]]]:
    """The columns in parts that fit the width, each after the labels; at least one column per part."""
    parts, used = [[labels]], _width(labels[0])
    for column in columns:
        wide = 2 + _width(column[0])
        if width is not None and used + wide > width and len(parts[-1]) > 1:
            parts.append([labels])
            used = _width(labels[0])
        parts[-1].append(column)
        used += wide
    return parts


def _even(texts: list[str], left: bool = False) -> list[str]:
    """The texts padded with spaces to the same width."""
    width = max(map(_width, texts), default=0)
    fills = [" " * (width - _width(part)) for part in texts]
    return [part + fill if left else fill + part for part, fill in zip(texts, fills, strict=True)]


def _line(part: str) -> str:
    """Text on one line with single spaces and escaped terminal control characters."""
    return printable(" ".join(part.split()))


def _wrapped(note: str) -> list[str]:
    """A list item in lines of about 100 columns; words are never broken."""
    return textwrap.wrap(
        note,
        100,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _width(part: str) -> int:
    """Width on a terminal: wide characters have two columns, combining and invisible characters none."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in part)
    none = sum(unicodedata.category(c) in ("Mn", "Me", "Cf") for c in part)
    return len(part) + wide - none


def _md(part: str) -> str:
    """Text with Markdown's special characters escaped."""
    return re.sub(r"([\\`*_\[\]<>|&~$])", r"\\\1", _line(part))


TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}


def _tex(part: str) -> str:
    r"""Text with LaTeX's special characters escaped, and a leading * or [, which LaTeX would read as an argument."""
    return re.sub(r"^([*\[])", r"{\1}", "".join(TEX.get(c, c) for c in _line(part)))


def _tex_entry(entry: Entry) -> str:
    """An entry; numbers with a sign or a spread are in math mode."""
    mark = f" {entry.mark}" if entry.mark else ""
    if entry.spread:
        return rf"${entry.value} \pm {entry.spread}${mark}"
    return re.sub(r"^-(?=\d)", "$-$", _tex(entry.value)) + mark
