"""The commands for the learners: `lazybayes learners`."""

from __future__ import annotations

import click

from lazybayes.cli.options import echo, example, line_width


@click.group()
@example("lazybayes learners show lbr")
def learners() -> None:
    """List and describe the learners."""


@learners.command("list")
@example("lazybayes learners list")
def learners_list() -> None:
    """List the built-in learners."""
    from lazybayes.report.learners import listing

    echo(listing(line_width() or 100))


@learners.command("show")
@click.argument("name")
@example("lazybayes learners show lbr")
def learners_show(name: str) -> None:
    """Show a learner's parameters and defaults, its handling of missing values and numeric attributes, its paper."""
    from lazybayes.report.learners import description

    echo(description(name))
