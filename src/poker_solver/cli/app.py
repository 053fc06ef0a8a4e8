"""The commands in one place, and what happens when one fails."""

import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from poker_solver.cli import bench, equity, exploit, explore, games, hunl, solve, tree, web
from poker_solver.cli.full_game import blueprint, buckets, warm
from poker_solver.cli.full_game import commands as full_game
from poker_solver.cli.play import acpc, lbr, match, play, serve
from poker_solver.cli.protocols import upi
from poker_solver.cli.reports import batch, compare
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
app.command("range")(equity.show_range)
app.command("tree")(tree.tree)
app.command("solve")(solve.solve)
app.command("batch")(batch.batch)
app.command("unified")(full_game.unified)
app.command("solve-unified")(full_game.solve_unified)
app.command("certify")(full_game.certify)
app.command("buckets")(buckets.buckets)
app.add_typer(blueprint.app, name="blueprint")
app.command("warm")(warm.warm)
app.command("explore")(explore.explore)
app.command("palette")(explore.palette)
app.command("exploit")(exploit.exploit)
app.command("compare")(compare.compare)
app.command("play")(play.play)
app.command("match")(match.match)
app.command("lbr")(lbr.lbr)
app.command("serve")(serve.serve)
app.command("acpc")(acpc.acpc)
app.command("dealer")(acpc.dealer)
app.command("bench")(bench.bench)
app.command("upi")(upi.upi)
app.command("web")(web.web)

_USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
"""What the parser raises for a wrong option or argument."""

MOST_MESSAGE = 2_000
"""Characters of an error's line."""

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
    except Exception as error:  # a fault of ours: the details are for us, not for the terminal
        if isinstance(error, RuntimeError) and is_out_of_memory(error):
            return fail("the device ran out of memory; use --device cpu", 1)
        return fail(f"unexpected {type(error).__name__}: {error} ({_logged()})", 1)
    if code == _CTRL_C:
        return fail("stopped", 1)
    return code if isinstance(code, int) else 0


def fail(message: str, code: int) -> int:
    """Say it in one line on standard error: not too long, and nothing in it moves the cursor."""
    line = " ".join(message[: 2 * MOST_MESSAGE].split())
    if len(line) > MOST_MESSAGE:
        line = f"{line[:MOST_MESSAGE]}... ({len(message):,} characters)"
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
    typer.echo(f"error: {shown}", err=True)
    return code


def _logged() -> str:
    """Write down the error that is being handled; where that is."""
    try:
        handle, path = tempfile.mkstemp(prefix="poker-solver-", suffix=".log")
        with os.fdopen(handle, "w", errors="backslashreplace") as file:
            file.write(f"poker-solver {VERSION}\n{sys.argv!r}\n\n{traceback.format_exc()}")
    except OSError as error:
        return f"no log could be written: {error.strerror or error}"
    return f"please report it with {path}"


def _drop_output() -> None:
    """Let what is still to be written to standard output go nowhere, not fail once more at exit."""
    with suppress(OSError, ValueError):  # not every standard output is a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
