"""The group of all commands, and the handling of their errors.

The commands parse, call and print; heavy modules are imported only inside the commands that need them.
"""

from __future__ import annotations

import errno
import sys
from typing import Any, NoReturn

import click

from lazybayes import __version__
from lazybayes.cli.analyse import analyse
from lazybayes.cli.datasets import datasets
from lazybayes.cli.learners import learners
from lazybayes.cli.network import network
from lazybayes.cli.options import (
    drop_output,
    echo,
    example,
    open_streams,
)
from lazybayes.cli.results import compare, explain, export, figures, tables
from lazybayes.cli.run import check, run
from lazybayes.errors import LazyBayesError
from lazybayes.memory import keep_freed_memory

INTERRUPTED = 130


class Group(click.Group):
    """Turns user errors into one message and an exit status; `--debug` shows tracebacks instead."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Runs a command and exits."""
        kwargs["standalone_mode"] = False
        open_streams()
        try:
            status = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            status = error.exit_code
        except click.Abort as interrupt:
            echo(str(interrupt.__cause__ or interrupt.__context__ or "") or "interrupted", err=True)
            status = INTERRUPTED
        except KeyboardInterrupt as interrupt:
            echo(str(interrupt) or "interrupted", err=True)
            status = INTERRUPTED
        except LazyBayesError as error:
            if "--debug" in sys.argv[1:]:
                raise
            echo(f"lazybayes: {error}", err=True)
            status = error.exit_status
        except BrokenPipeError:
            # The reader (head, less) has closed the pipe: no message can reach it.
            drop_output()
            status = 1
        except OSError as problem:
            if problem.errno != errno.ENOSPC or problem.filename:
                raise
            drop_output()
            echo(f"lazybayes: the output cannot be written: {problem.strerror}", err=True)
            status = 1
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lazybayes")
@click.option("--debug", is_flag=True, help="Show tracebacks of errors.")
@example("lazybayes run quickstart")
def main(debug: bool) -> None:
    """Benchmark lazy and semi-naive Bayesian classifiers, from a YAML file to the tables of a paper.

    CONFIG is a config file or the name of a shipped config. RUN is a CONFIG that has been run, or a results folder.
    """
    keep_freed_memory()


for command in (run, check, tables, export, explain, compare, figures, analyse, network, datasets, learners):
    main.add_command(command)
