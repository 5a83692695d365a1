"""Each format: layout, alignment, and every name escaped as its reader needs it."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest

from lazybayes.errors import UsageError
from lazybayes.report.formats import FORMATS, Entry, Report, Row, document, formatter, text, transposed

NAMES = ["a|b", "x_1 & 100%", '<b>, "q"', "01", "1e5", "[z] *y* `t` $m$ ~ ^ {#} \\", "数据"]


def report(*names: str, notes: tuple[str, ...] = ("v, *: see x_1",)) -> Report:
    rows = tuple(Row(name, (Entry("-1.50", "0.25"), Entry("12.00", "0.10", "v"))) for name in names)
    return Report(
        "T: a_b (%)", ("data set", "NB", "C4.5"), (rows, (Row("average", (Entry("-"), Entry("3.00"))),)), notes
    )


def test_text_aligns_values_spreads_and_marks() -> None:
    assert FORMATS["text"](report("one", "数据")) == (
        "T: a_b (%)\n"
        "\n"
        "data set            NB            C4.5\n"
        "--------  ------------  --------------\n"
        "one       -1.50 ± 0.25  12.00 ± 0.10 v\n"
        "数据      -1.50 ± 0.25  12.00 ± 0.10 v\n"
        "--------  ------------  --------------\n"
        "average       -          3.00\n"
        "\n"
        "- v, *: see x_1\n"
    )


def test_text_breaks_long_notes_between_words() -> None:
    written = FORMATS["text"](report("one", notes=("tic-tac-toe, " * 20,)))
    lines = written.splitlines()[8:]
    assert len(lines) == 3
    assert lines[0].startswith("- tic-tac-toe, ")
    assert all(line.startswith("  tic-tac-toe,") for line in lines[1:])
    assert all(word == "tic-tac-toe," for line in lines for word in line.lstrip("- ").split())


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_leaves_blanks_behind_a_line(name: str) -> None:
    written = FORMATS[name](report(*NAMES))
    assert [line for line in written.split("\n") if line != line.rstrip()] == []
    assert written.endswith("\n")
    assert not written.endswith("\n\n")


def test_csv_reads_back_with_spreads_and_marks_of_their_own() -> None:
    written = FORMATS["csv"](report(*NAMES))
    header, *rows = csv.reader(io.StringIO(written))
    assert header == ["kind", "data set", "NB", "NB se", "C4.5", "C4.5 se", "C4.5 mark"]
    assert [row[:2] for row in rows] == [*(["data", name] for name in NAMES), ["summary", "average"]]
    assert rows[0][2:] == ["-1.50", "0.25", "12.00", "0.10", "v"]


def test_a_wide_table_is_folded_and_turned() -> None:
    whole = report(*NAMES)
    width = max(map(len, text(whole).split("\n\n")[1].splitlines()))
    assert text(whole, width) == text(whole)
    folded = text(whole, width - 1).split("\n\n")
    assert [part.split()[0:2] for part in folded[1:3]] == [["data", "set"]] * 2
    assert "NB" in folded[1].splitlines()[0]
    assert "C4.5" in folded[2].splitlines()[0]
    turned = transposed(whole)
    assert [row.label for row in turned.rows] == ["NB", "C4.5"]
    assert turned.header == ("", *NAMES, "average")
    assert turned.rows[1].entries[0] == whole.rows[0].entries[1]


def test_an_html_document_is_one_page() -> None:
    page = document([report(*NAMES), report(*NAMES)], "html")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("charset") == page.count("</html>") == 1
    assert page.count("<table") == 2


def test_html_reads_back() -> None:
    written = FORMATS["html"](report(*NAMES))
    assert written.isascii()
    cells: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: object) -> None:
            self.cell = tag in ("td", "th")
            assert tag not in ("script", "z")
            if self.cell:
                cells.append("")

        def handle_endtag(self, tag: str) -> None:
            self.cell = False

        def handle_data(self, data: str) -> None:
            if self.cell:
                cells[-1] += data

    Reader().feed(written)
    assert [cell.strip() for cell in cells[3:-3:3]] == NAMES
    assert cells[5].strip() == "12.00 ± 0.10 v"


def test_markdown_escapes_its_signs() -> None:
    lines = FORMATS["markdown"](report(*NAMES)).splitlines()
    assert lines[0] == r"**T: a\_b (%)**"
    labels = [line[2:].split("  ")[0].split(" | -")[0] for line in lines[4:11]]
    assert labels == [
        r"a\|b",
        r"x\_1 \& 100%",
        r"\<b\>, " + '"q"',
        "01",
        "1e5",
        r"\[z\] \*y\* \`t\` \$m\$ \~ ^ {#} " + "\\\\",
        "数据",
    ]
    assert lines[-1] == r"- v, \*: see x\_1"
    assert all(line.replace(r"\|", "").count("|") == 4 for line in lines[2:-2])


def test_latex_escapes_its_signs() -> None:
    lines = FORMATS["latex"](report(*NAMES, "*star")).splitlines()
    assert r"\caption{T: a\_b (\%)}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    body = [line.split(" & $-")[0] for line in lines if "0.25" in line]
    assert body == [
        r"a\textbar{}b",
        r"x\_1 \& 100\%",
        r"\textless{}b\textgreater{}, " + '"q"',
        "01",
        "1e5",
        r"{[}z] *y* `t` \$m\$ \textasciitilde{} \textasciicircum{} \{\#\} \textbackslash{}",
        "数据",
        r"{*}star",
    ]
    assert r"a\textbar{}b & $-1.50 \pm 0.25$ & $12.00 \pm 0.10$ v \\" in lines
    assert lines.count(r"\midrule") == 2


def test_latex_sets_a_minus_before_a_number_only() -> None:
    rows = (Row("r", (Entry("-3.1"), Entry("-"))),)
    assert r"r & $-$3.1 & - \\" in FORMATS["latex"](Report("T", ("d", "A", "B"), (rows,))).splitlines()


def test_a_name_over_two_lines_stays_one_row() -> None:
    for name in ("text", "markdown", "latex"):
        assert "two lines" in FORMATS[name](report("two\n lines"))


def test_an_unknown_format_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown format markdwn \(did you mean markdown\?\)"):
        formatter("markdwn")
