"""The commands in one place, and what happens when one fails."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from poker_solver.cli import equity, games, hunl, tree
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.version import VERSION

app = typer.Typer(
    name="poker-solver",
    help="Equilibria of poker games, each with its measured exploitability.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("kuhn", help="Solve Kuhn poker.")(games.command(KuhnPoker))
app.command("leduc", help="Solve Leduc poker.")(games.command(LeducPoker))
app.command("game")(games.game)
app.command("hunl")(hunl.hunl)
app.command("equity")(equity.equity)
app.command("tree")(tree.tree)

_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises for a wrong option or argument."""


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Equilibria of poker games, each with its measured exploitability."""
    if version:
        typer.echo(f"poker-solver {VERSION}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; whatever goes wrong on purpose becomes one line and an exit code."""
    try:
        code = app(args=arguments, standalone_mode=False)
    except InputError as error:
        fail(str(error), 2)
    except PokerSolverError as error:
        fail(str(error), 1)
    except MemoryError:
        fail("out of memory", 1)
    except (KeyboardInterrupt, typer.Abort):
        fail("stopped", 130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has left; nobody is there to tell
        sys.exit(1)
    except _USAGE_ERROR as error:
        fail(error.format_message(), 2)  # type: ignore[attr-defined]
    sys.exit(code if isinstance(code, int) else 0)


def fail(message: str, code: int) -> None:
    """Say it in one line on standard error, and leave."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    sys.exit(code)
