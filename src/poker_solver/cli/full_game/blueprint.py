"""`blueprint train`, `info`, `show`, `lookup`: the stored strategy of a full game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.full_game.buckets import percents
from poker_solver.cli.full_game.commands import GameName, PrintEvery
from poker_solver.cli.full_game.output import bounds_text, note, print_plan
from poker_solver.cli.options import (
    AsJson,
    Device,
    MaxIterations,
    MaxSeconds,
    Precision,
    Quiet,
    Threads,
)
from poker_solver.cli.output import leave_if_interrupted, mix_text, print_json

if TYPE_CHECKING:  # imported where they are used: they take time that --help has not
    from poker_solver.fullgame.blueprint.points import BlueprintPoint
    from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
    from poker_solver.jobs.blueprint import BlueprintProgress

app = typer.Typer(add_completion=False)

File = Annotated[Path, typer.Argument(help="The blueprint.")]
Line = Annotated[
    str,
    typer.Option(help='What was played: "SBr2.5", "SBr2.5 BBc | QsJh2h x b94 c 7d"; any amounts.'),
]


@app.callback(invoke_without_command=True)
def blueprint(context: typer.Context) -> None:
    """Train the stored strategy of a full game, and look into it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def train(
    config: GameName,
    save: Annotated[Path, typer.Option(help="The blueprint; a run that was stopped goes on.")],
    max_iterations: MaxIterations = None,
    max_seconds: MaxSeconds = None,
    device: Device = "auto",
    threads: Threads = None,
    precision: Precision = "float32",
    print_every: PrintEvery = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Train a full game over all its flops, a batch of them in each iteration, into a file.

    The config says which hands share rows, and how many flops an iteration walks. Without a rule
    to stop at, its epochs.
    """
    options = SolveOptions(
        max_iterations=max_iterations, max_seconds=max_seconds, device=device, threads=threads,
        precision=precision, progress=not quiet,
    )  # fmt: skip
    book = trained(config, save, options, print_every)
    if as_json:
        print_json(book.summary())
    else:
        print_info(book.summary())
    leave_if_interrupted("" if book.solution is None else book.solution.record.stopped)


def trained(name: str, save: Path, options: SolveOptions, every: int) -> "BlueprintStrategy":
    """Say what it takes, train, write the blueprint; or what is there if that is done."""
    from poker_solver.config.unified import UnifiedConfig
    from poker_solver.jobs.blueprint import BlueprintTraining
    from poker_solver.terminal import telling

    config, shown = UnifiedConfig.load(name), bool(options.progress)
    for text in config.notes:
        note(text)
    training = BlueprintTraining(config, save, options, note)
    training.find_before()
    if training.before is not None:
        return training.before
    if shown:
        print_plan(config, training.plan)
    training.plan.check()
    with telling(shown, every, "finding the rows; the first run compiles the kernels") as tell:
        training.open(percents(tell))
    with telling(shown, every, "training") as tell:
        solution = training.run(lambda progress: tell(progress_text(progress)))
    with telling(shown, 1, "writing") as tell:
        return training.save(solution, percents(tell, "flops written"))


def progress_text(progress: "BlueprintProgress") -> str:
    """Iteration, speed, the last estimate, time gone, time left."""
    from poker_solver.terminal import duration

    parts = [f"iteration {progress.iteration:,}", f"{progress.flops_per_second:.3g} flops/s"]
    if (found := progress.estimate) is not None:
        parts.append(
            f"exploitability {bounds_text(found.bounds_mbb, found.error_mbb, found.num_flops)}"
        )
    parts.append(duration(progress.seconds))
    if progress.seconds_left is not None:
        parts.append(f"{duration(progress.seconds_left)} left")
    return " · ".join(parts)


@app.command()
def info(file: File, as_json: AsJson = False) -> None:
    """Say what a blueprint is of, how it was trained and what it has."""
    found = read(file).summary()
    if as_json:
        print_json(found)
    else:
        print_info(found)


@app.command()
def show(file: File, line: Line = "", as_json: AsJson = False) -> None:
    """Show what the player to act does with every hand, as a matrix."""
    book = read(file)
    point = book.at(line)
    from poker_solver.cli.pages.node import render_page
    from poker_solver.cli.prompt import has_color
    from poker_solver.cli.prompt import show as print_page
    from poker_solver.query.export import json_object
    from poker_solver.query.view import blueprint_view

    view = blueprint_view(point)
    if as_json:
        print_json({**json_object(point.solution, view), **asked(line, point)})
        return
    tell_translated(point)
    console = Console(highlight=False, markup=False)
    print_page(console, render_page(view, width=console.width, color=has_color(console)))


@app.command()
def lookup(
    file: File,
    hand: Annotated[str, typer.Option(help="AhKh; AKs before the flop; or #17, a row.")],
    line: Line = "",
    as_json: AsJson = False,
) -> None:
    """Look up what one hand does after a line, on any board and with any amounts."""
    found = answer(read(file), line, hand)
    if as_json:
        print_json(found)
        return
    console = Console(highlight=False, markup=False, soft_wrap=True)
    row = "" if found["row"] is None else f", row {found['row']:,}"
    after = f" after {found['line']}" if found["line"] else ""
    console.print(f"{found['player']} with {found['hand']}{row}{after}")
    if not found["is_exact"]:
        likely = f"{100 * found['probability']:.3g} %"
        console.print(f"asked for {found['asked']}: so it is played in the tree, in {likely}")
    console.print(mix_text(found["actions"], found["strategy"]))


def read(file: Path) -> "BlueprintStrategy":
    """The blueprint in a file."""
    from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy

    return BlueprintStrategy.load(file)


def answer(book: "BlueprintStrategy", line: str, hand: str) -> dict[str, Any]:
    """What `lookup --json` prints."""
    from poker_solver.cards import cards_to_string
    from poker_solver.fullgame.blueprint.keys import BlueprintKey
    from poker_solver.games.betting import POSITIONS

    if book.solution is None:
        key = BlueprintKey.at(line, hand)
        mix, player, board, row = book.lookup(key), key.player, key.board, key.row
        more = {"asked": key.line, "line": key.line, "probability": 1.0, "is_exact": True}
    else:
        point = book.at(line)
        shares = "%" in line  # keys have chips only
        mix = point.mix_of(hand) if shares else book.lookup(BlueprintKey.at(line, hand))
        player, board, row = point.player, cards_to_string(point.cards), point.row_of(hand)
        more = asked(line, point)
    return {
        **more,
        "player": POSITIONS[player],
        "board": board,
        "hand": hand,
        "row": row,
        "actions": list(mix),
        "strategy": list(mix.values()),
    }


def asked(line: str, point: "BlueprintPoint") -> dict[str, Any]:
    """The line that was asked for and what became of it."""
    return {
        "asked": " ".join(line.split()),
        "line": str(point.line),
        "probability": point.probability,
        "is_exact": point.is_exact,
    }


def tell_translated(point: "BlueprintPoint") -> None:
    """Say on standard error that amounts were not those of the tree."""
    if not point.is_exact:
        likely = f"{100 * point.probability:.3g} %"
        note(f"shown is {point.line}: so those amounts are played in the tree, in {likely}")


def print_info(found: dict[str, Any]) -> None:
    """A line for each thing that is known."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if found["config"] is None:
        console.print("of no game that is named")
    else:
        console.print(f"{found['config']}: {found['stack_bb']:g} bb")
        console.print(f"fingerprint  {found['fingerprint']}")
    console.print(f"written by   version {found['version']}")
    console.print(f"iterations   {found['iterations']:,}")
    console.print(f"keys         {found['keys']:,}, {found['inserted']:,} of them inserted")
    if "lines" in found:
        console.print(f"lines        {', '.join(found['lines'])}")
        console.print(f"exploitable  {_exploitable(found)}")
    if "rows" in found:
        flops, rules = found["flops"], found["rows"].items()
        console.print(f"flops        {flops['there']:,} of {flops['of']:,}")
        console.print(f"rows         {', '.join(f'{name} {_rule(rule)}' for name, rule in rules)}")
        console.print(f"tables       {found['table_bytes'] / 1e6:,.1f} MB")


def _exploitable(found: dict[str, Any]) -> str:
    """By how much, and how that is known."""
    proof, sampled = found["certified"], found.get("sampled")
    if proof is None and sampled is not None:
        bounds = sampled["lower_mbb"], sampled["upper_mbb"]
        text = bounds_text(bounds, sampled["error_mbb"], sampled["flops"])
        return f"{text}, not certified"
    over = "not certified" if proof is None else f"certified over {proof['flops']:,} flops"
    return f"{found['exploitability_mbb']:.3g} mbb, {over}"


def _rule(rule: str | dict[str, int]) -> str:
    return rule if isinstance(rule, str) else " ".join(f"{k}:{n}" for k, n in rule.items())
