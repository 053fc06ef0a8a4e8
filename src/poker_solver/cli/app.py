"""The commands in one place, and what happens when one fails."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from poker_solver.cli import batch, bench, equity, exploit, explore, games, hunl, solve, tree
from poker_solver.cli.full_game import blueprint, buckets
from poker_solver.cli.full_game import commands as full_game
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.runtime.device import is_out_of_memory
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
app.command("solve")(solve.solve)
app.command("batch")(batch.batch)
app.command("unified")(full_game.unified)
app.command("solve-unified")(full_game.solve_unified)
app.command("certify")(full_game.certify)
app.command("buckets")(buckets.buckets)
app.add_typer(blueprint.app, name="blueprint")
app.command("explore")(explore.explore)
app.command("exploit")(exploit.exploit)
app.command("bench")(bench.bench)

_USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
"""What the parser raises for a wrong option or argument."""

_CTRL_C = 130
"""What the parser returns when it has caught a KeyboardInterrupt; older ones raise Abort."""


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


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; whatever goes wrong becomes one line and an exit code."""
    try:
        code = app(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return fail(str(error), 2)
    except PokerSolverError as error:
        return fail(str(error), 1)
    except MemoryError:
        return fail("out of memory", 1)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return fail("the device ran out of memory; use --device cpu", 1)
    except typer.Abort:
        return fail("stopped", 1)
    except BrokenPipeError:  # the reader has left; nobody is there to tell
        _drop_output()
        return 1
    except OSError as error:
        _drop_output()
        what = f"{error.filename}: " if error.filename else ""
        return fail(f"{what}{error.strerror or error}", 1)
    except _USAGE_ERROR as error:
        return fail(error.format_message(), 2)
    if code == _CTRL_C:
        return fail("stopped", 1)
    return code if isinstance(code, int) else 0


def fail(message: str, code: int) -> int:
    """Say it in one line on standard error."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    return code


def _drop_output() -> None:
    """Let what is still to be written to standard output go nowhere, not fail once more at exit."""
    with suppress(OSError, ValueError):  # not every standard output is a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
