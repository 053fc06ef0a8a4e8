"""`warm`: fill the cache of a subgame solver."""

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poker_solver.cli.options import AsJson, Quiet, Threads
from poker_solver.cli.output import print_json
from poker_solver.cli.play.options import SearchDevice
from poker_solver.errors import InputError

if TYPE_CHECKING:
    from poker_solver.games.betting import BettingRules
    from poker_solver.subgame.solver import SubgameSolver


def warm(
    game: Annotated[str, typer.Argument(help="A game that comes solved, or a file of one.")],
    cache: Annotated[Path, typer.Option(help="The folder; what is there already is kept.")],
    line: Annotated[
        list[str],
        typer.Option(help='What was played, without cards: "SBr2.5 BBc | x b375 c"; repeatable.'),
    ],
    board: Annotated[
        list[str],
        typer.Option(help="QsJh2h7d, or QsJh2h* for every turn; a file of such; repeatable."),
    ],
    budget_ms: Annotated[float, typer.Option(help="Time for each; the player's own.")] = 200.0,
    threads: Threads = None,
    device: SearchDevice = "cpu",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Search lines on boards ahead of time and keep the answers in a folder.

    Run again, it goes on where it was stopped. Answers are those of the same budget.
    """
    from poker_solver.subgame.config import CacheConfig, SubgameConfig
    from poker_solver.subgame.solver import SubgameSolver
    from poker_solver.subgame.stored import load_stored
    from poker_solver.terminal import getting_ready

    config = SubgameConfig(time_budget_ms=budget_ms, threads=threads, device=device)
    disk = CacheConfig(disk_path=cache, max_memory_entries=1000)
    solver = SubgameSolver(load_stored(game), config=config, cache_config=disk)
    lines = _all_lines(solver.stored.rules, line, board)
    with getting_ready(not quiet):
        solver.warm_up()
    found = _searched(solver, lines, shown=not quiet)
    if as_json:
        print_json(found)
        return
    typer.echo(
        f"{found['searched']:,} lines searched, {found['cached']:,} were there, "
        f"{found['stored']:,} are answered from what is stored; {found['entries']:,} entries"
    )


def _searched(solver: "SubgameSolver", lines: list[str], *, shown: bool) -> dict[str, Any]:
    """Ask for every line; where the answers came from."""
    from poker_solver.terminal import duration, telling

    began, sources = time.perf_counter(), Counter[str]()
    with telling(shown, every=20) as tell:
        for done, one in enumerate(lines, 1):
            sources[solver.solve_range(None, one).source] += 1
            seconds = time.perf_counter() - began
            left = duration(seconds / done * (len(lines) - done))
            tell(f"{done:,} of {len(lines):,} lines · {duration(seconds)} · {left} left")
    return {
        "lines": len(lines),
        "searched": sources["search"],
        "cached": sources["cache"],
        "stored": sources["stored"],
        "entries": solver.cache.disk_len,
        "seconds": round(time.perf_counter() - began, 3),
    }


def _all_lines(rules: "BettingRules", lines: list[str], boards: list[str]) -> list[str]:
    """Every line on every board; all of them are checked before anything is searched."""
    from poker_solver.subgame.warming import boards_of, lines_on

    texts: list[str] = []
    for text in boards:
        is_file = Path(text).is_file()
        texts += Path(text).read_text().split() if is_file else [text]
    cards = [found for text in texts for found in boards_of(text)]
    if not cards:
        raise InputError("no board is given")
    return [one for line in lines for one in lines_on(rules, line, cards)]
