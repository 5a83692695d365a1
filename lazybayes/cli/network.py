"""The commands of `lazybayes network`: parse, call, print. Heavy modules are imported inside the commands."""

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
    """Query, learn, draw and convert belief networks.

    FILE is a network in YAML or BIF format, or the name of a shipped network (campfire, play-tennis).
    """


@network.command()
@click.argument("file")
@click.option("--given", multiple=True, metavar="NAME=VALUE,...", help="Observed values; may be repeated.")
@click.option("--ask", multiple=True, metavar="NAME,...", required=True, help="Variables to query; may be repeated.")
@click.option(
    "--joint", is_flag=True, help="Print the joint distribution of the queried variables instead of each marginal."
)
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Use likelihood weighting with N samples.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the samples.")
@example("lazybayes network query campfire --given storm=true,bus=true --ask campfire,thunder")
def query(file: str, given: tuple[str, ...], ask: tuple[str, ...], joint: bool, sample: int | None, seed: int) -> None:
    """Print P(asked | given): exact, or estimated from samples with standard errors.

    A variable can be abbreviated to the beginning of its name; case is ignored. Put a name or value that contains a
    comma in double quotes.
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
    """Validate a network file and print a summary; all errors are reported at once, with their lines."""
    from lazybayes.networks.files import load_network
    from lazybayes.networks.report import summary

    echo(summary(_told(load_network(file))))


@network.command()
@click.argument("file")
@click.option(
    "--data", required=True, help="An ARFF or CSV file, or a catalogue name; columns are matched to variables by name."
)
@click.option(
    "--method", type=click.Choice(METHODS), default="auto", show_default=True, help="See the description above."
)
@click.option(
    "--estimate", type=click.Choice(ESTIMATES), help="Estimate of probabilities from counts.  [default: m-estimate]"
)
@click.option("--start", type=click.Choice(["file", "random"]), default="file", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of a random start.")
@click.option("--iterations", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option(
    "--tolerance", type=click.FloatRange(min=0), default=1e-6, show_default=True, help="Tolerance of ln P(D|h)."
)
@click.option(
    "--step", type=click.FloatRange(min=0, min_open=True), help="Step size of the printed rule.  [default: 0.01 / rows]"
)
@click.option(
    "--missing",
    multiple=True,
    metavar="TEXT",
    help="Text of a missing cell, in addition to ? and the empty cell; may be repeated.",
)
@click.option("--output", type=click.Path(path_type=Path), help="A .yaml or .bif file.  [default: print YAML]")
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
    """Learn the tables of a network from data and write the network; FILE defines the arcs, and may omit the tables.

    Methods: auto uses counts if every value is observed, otherwise gradient. A variable without a column is hidden in
    every row. gradient climbs ln P(D|h), which never decreases, from the tables in FILE or from random tables. Use
    random tables if those in FILE are equal for all values of a hidden variable: the gradient cannot separate them.
    printed is the rule as Mitchell prints it, which can decrease ln P(D|h). The values of ln P(D|h) are printed.
    """
    from lazybayes.networks.files import load_network, network_text
    from lazybayes.networks.learning import LearningSettings, learn
    from lazybayes.output import check_output, open_output

    form = Path("network.yaml") if output is None else check_output(output)
    net = _told(load_network(file, tables=False))
    network_text(net, form)  # reports an error of the output before the work
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
@click.option(
    "--output", type=click.Path(path_type=Path), help="A .png, .svg, .pdf, .dot or .txt file.  [default: print text]"
)
@example("lazybayes network draw campfire --output campfire.png")
def draw(file: str, output: Path | None) -> None:
    """Draw a network as a picture (needs matplotlib), a Graphviz graph or text."""
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
    """Convert a network to YAML or BIF, with full precision."""
    from lazybayes.networks.files import load_network, network_text
    from lazybayes.output import check_output, open_output

    text = network_text(_told(load_network(file)), check_output(output))
    with open_output(output) as stream:
        stream.write(text)
    echo_file(output)


def _told(found: Network) -> Network:
    """Prints the notices of a network and returns the network."""
    for notice in found.notices:
        echo(notice, err=True)
    return found
