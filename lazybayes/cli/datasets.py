"""The commands of the catalogue: `lazybayes datasets`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from lazybayes.cli.options import echo, example
from lazybayes.errors import UsageError


@click.group()
@example("lazybayes datasets list --paper lbr2000")
def datasets() -> None:
    """List, download and check data sets; describe your own files."""


@datasets.command("list")
@click.option("--paper", help="List the data sets of a paper by the names that the paper uses.")
@example("lazybayes datasets list --paper lbr2000")
def datasets_list(paper: str | None) -> None:
    """List the data sets with their counts, the papers that use them, and whether they are available locally."""
    from lazybayes.report.datasets import listing

    echo(listing(paper))


@datasets.command("show")
@click.argument("name")
@example("lazybayes datasets show splice")
def datasets_show(name: str) -> None:
    """Show what the catalogue says about a data set: sources, counts, differences between copies, licence, citation."""
    from lazybayes.report.datasets import description

    echo(description(name))


@datasets.command("fetch")
@click.argument("names", nargs=-1)
@click.option("--config", help="Download the data sets of an experiment.")
@click.option("--all", "everything", is_flag=True, help="Download every available data set.")
@click.option(
    "--from",
    "copies",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Use your own file instead of a download; may be repeated.",
)
@example("lazybayes datasets fetch iris zoo")
def datasets_fetch(names: tuple[str, ...], config: str | None, everything: bool, copies: tuple[Path, ...]) -> int:
    """Download data sets into the cache and check them against the expected counts.

    Data sets that are already in the cache are not downloaded again.
    """
    from lazybayes.config import load_config
    from lazybayes.report.datasets import entry_of, fetch, obtainable, take

    if (bool(names), bool(config), everything).count(True) != 1:
        raise UsageError("datasets fetch: give exactly one of NAMES, --config CONFIG and --all")
    if copies:
        if len(names) != 1:
            raise UsageError("datasets fetch --from FILE: give exactly one NAME")
        echo(take(names[0], copies))
        return 0
    entries = obtainable() if everything else load_config(config).datasets if config else map(entry_of, names)
    return _print(fetch(entries))


@datasets.command("verify")
@click.argument("names", nargs=-1)
@example("lazybayes datasets verify")
def datasets_verify(names: tuple[str, ...]) -> int:
    """Check downloaded data sets against their checksums and expected counts; download nothing."""
    from lazybayes.report.datasets import verify

    return _print(verify(names))


@datasets.command("describe")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--target", help="Name of the class column.  [default: the last column]")
@click.option("--no-header", is_flag=True, help="The first line is a data row, not the column names.")
@click.option("--separator", help=r"Column separator of CSV-like files; \t is a tab.  [default: a comma]")
@click.option("--encoding", help="Encoding of the text.  [default: UTF-8, or Latin-1 if the text is not valid UTF-8]")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Column to leave out; may be repeated.")
@click.option(
    "--missing",
    multiple=True,
    metavar="TEXT",
    help="Text of a missing cell (default: none, or ?); may be repeated.",
)
@click.option("--types", multiple=True, metavar="COLUMN=TYPE", help="nominal, numeric or string; may be repeated.")
@example("lazybayes datasets describe my.csv --target class")
def datasets_describe(
    path: Path,
    target: str | None,
    no_header: bool,
    separator: str | None,
    encoding: str | None,
    drop: tuple[str, ...],
    missing: tuple[str, ...],
    types: tuple[str, ...],
) -> int:
    """Show how your data is read: types, values, missing cells, likely identifiers, constant columns, classes.

    PATH is a table file, or a folder or tar archive of documents with one subfolder per class. --drop, --missing and
    --types mean what the keys of a config mean. The exit status is 2 if the data cannot be used as they are.
    """
    from lazybayes.experiment import Selection
    from lazybayes.report.datasets import describe

    kinds = dict(_column_type(word) for word in types)
    selection = Selection(target=target, drop=drop, types=kinds, missing=missing or None)
    status, text = describe(path, selection, header=not no_header, separator=separator, encoding=encoding)
    echo(text)
    return status


def _column_type(word: str) -> tuple[str, str]:
    column, equals, kind = word.rpartition("=")
    if not (column and equals and kind):
        raise UsageError(f"--types {word}: expected COLUMN=TYPE, like --types age=nominal")
    return column, kind


def _print(lines: Iterable[tuple[int, str]]) -> int:
    """Prints each line as it comes, errors to stderr. Returns the highest exit status."""
    highest = 0
    for status, line in lines:
        echo(line, err=status > 0)
        highest = max(highest, status)
    return highest
