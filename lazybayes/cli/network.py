"""The commands of `lazybayes network`: parse, call, print. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lazybayes.cli.options import echo, echo_file, example
from lazybayes.vocabulary import ESTIMATES

if TYPE_CHECKING:
    from lazybayes.networks.network import Network

METHODS = ("auto", "counts", "gradient", "printed")


@click.group()
@example("lazybayes network query campfire --given storm=true,bus=true --ask campfire")
def network() -> None:
    """Belief networks: answers, learning, pictures.

    FILE is a network in YAML or BIF, or the name of a shipped one (campfire, play-tennis).
    """


@network.command()
@click.argument("file")
@click.option("--given", multiple=True, metavar="NAME=VALUE,...", help="What is known; may be repeated.")
@click.option("--ask", multiple=True, metavar="NAME,...", required=True, help="What is asked for; may be repeated.")
@click.option("--joint", is_flag=True, help="The variables asked for together, instead of each by itself.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Likelihood weighting with N samples.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the samples.")
@example("lazybayes network query campfire --given storm=true,bus=true --ask campfire,thunder")
def query(file: str, given: tuple[str, ...], ask: tuple[str, ...], joint: bool, sample: int | None, seed: int) -> None:
    """Print P(asked | given): exact, or sampled with standard errors.

    A variable may be named by how its name begins, whatever the case. A name or value with a comma goes into double
    quotes.
    """
    from lazybayes.networks import queries
    from lazybayes.networks.files import load_network
    from lazybayes.networks.report import answer_text

    net = _told(load_network(file))
    known, wanted = queries.parse_given(net, given), queries.parse_ask(net, ask)
    if sample is None:
        answer = queries.exact(net, known, wanted, joint=joint)
    else:
        answer = queries.sample(net, known, wanted, sample, seed, joint=joint)
    echo(answer_text(net, known, answer))


@network.command("check")
@click.argument("file")
@example("lazybayes network check campfire")
def check_file(file: str) -> None:
    """Validate a network file and print what it holds: every mistake at once, with its line."""
    from lazybayes.networks.files import load_network
    from lazybayes.networks.report import summary

    echo(summary(_told(load_network(file))))


@network.command()
@click.argument("file")
@click.option("--data", required=True, help="An ARFF or CSV file, or a name of the catalogue; columns go by name.")
@click.option("--method", type=click.Choice(METHODS), default="auto", show_default=True, help="See above.")
@click.option("--estimate", type=click.Choice(ESTIMATES), help="How counts become tables.  [default: m-estimate]")
@click.option("--start", type=click.Choice(["file", "random"]), default="file", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of a random start.")
@click.option("--iterations", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--tolerance", type=click.FloatRange(min=0), default=1e-6, show_default=True, help="In ln P(D|h).")
@click.option(
    "--step", type=click.FloatRange(min=0, min_open=True), help="Of the printed rule.  [default: 0.01 / rows]"
)
@click.option("--missing", multiple=True, metavar="TEXT", help="A text of a hidden cell, besides ? and nothing.")
@click.option("--output", type=click.Path(path_type=Path), help="A .yaml or .bif file.  [default: YAML to the screen]")
@example("lazybayes network fit play-tennis --data tennis.csv --estimate laplace --output fitted.bif")
def fit(
    file: str,
    data: str,
    method: str,
    estimate: str | None,
    start: str,
    seed: int,
    iterations: int,
    tolerance: float,
    step: float | None,
    missing: tuple[str, ...],
    output: Path | None,
) -> None:
    """Learn the tables of a network from data, and write it; FILE gives the arcs, and may leave out the tables.

    auto takes counts if every value is observed, else gradient; a variable without a column is hidden in every row.
    gradient climbs ln P(D|h) from the file's own tables (or random ones: from tables alike in all values of a hidden
    variable no gradient leads away) and never falls; printed is the rule as Mitchell prints it, which may fall. The
    path of ln P(D|h) is printed.
    """
    from lazybayes.networks.files import load_network, network_text
    from lazybayes.networks.learning import LearningSettings, learn
    from lazybayes.output import check_output, open_output

    form = Path("network.yaml") if output is None else check_output(output)
    net = _told(load_network(file, tables=False))
    network_text(net, form)  # what cannot be written is told before the work
    settings = LearningSettings(method, estimate, start, seed, iterations, tolerance, step, missing)
    learned = learn(net, data, settings, lambda line: echo(line, err=output is None))
    for notice in learned.notices:
        echo(notice, err=True)
    text = network_text(learned.network, form)
    if output is None:
        echo(text.rstrip("\n"))
        return
    with open_output(output) as stream:
        stream.write(text)
    echo_file(output)


@network.command()
@click.argument("file")
@click.option("--output", type=click.Path(path_type=Path), help="A .png, .svg, .pdf, .dot or .txt file.")
@example("lazybayes network draw campfire --output campfire.png")
def draw(file: str, output: Path | None) -> None:
    """Draw a network: a picture (with matplotlib), a graph for Graphviz, or text."""
    from lazybayes.networks import drawing
    from lazybayes.networks.files import load_network
    from lazybayes.output import check_output, open_output

    if output is not None:
        check_output(output)
    net = _told(load_network(file, tables=False))
    if output is None:
        echo(drawing.text(net))
        return
    if (text := drawing.draw(net, output)) is not None:
        with open_output(output) as stream:
            stream.write(text)
    echo_file(output)


@network.command()
@click.argument("file")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="A .yaml or .bif file.")
@example("lazybayes network convert campfire --output campfire.bif")
def convert(file: str, output: Path) -> None:
    """Write a network in another form, YAML or BIF, with all digits."""
    from lazybayes.networks.files import load_network, network_text
    from lazybayes.output import check_output, open_output

    text = network_text(_told(load_network(file)), check_output(output))
    with open_output(output) as stream:
        stream.write(text)
    echo_file(output)


def _told(found: Network) -> Network:
    """The network, after its notices were printed."""
    for notice in found.notices:
        echo(notice, err=True)
    return found
