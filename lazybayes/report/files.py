"""Tables as files: one file per table and format, named after the table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from lazybayes.errors import UsageError
from lazybayes.output import open_output
from lazybayes.report.formats import FORMATS, Report, document

SUFFIXES = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "html": "html"}


def write_reports(reports: Sequence[Report], folder: Path, formats: Collection[str] = ()) -> list[Path]:
    """Writes each table in these formats to the folder, which is created if missing; replaces existing files.

    formats: if empty, all. A number distinguishes tables with the same name. Raises UsageError if a file cannot be
    written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"{folder} cannot be created: {problem.strerror}") from problem
    names: list[str] = []
    paths = []
    for report in reports:
        same = names.count(report.name)
        names.append(report.name)
        for fmt in (fmt for fmt in FORMATS if not formats or fmt in formats):
            path = folder / f"{report.name}{f'-{same + 1}' if same else ''}.{SUFFIXES[fmt]}"
            with open_output(path) as file:
                file.write(document([report], fmt))
            paths.append(path)
    return paths
