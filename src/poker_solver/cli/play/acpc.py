"""`acpc` and `dealer`: matches between programs that speak the ACPC protocol."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from poker_solver.cli.options import check_writable
from poker_solver.cli.play.options import WHO, Budget, SearchDevice, Seed
from poker_solver.errors import InputError

Chips = Annotated[int, typer.Option(help="Of both; blinds are 50 and 100.", min=200, max=100_000)]


def tell(text: str) -> None:
    """One line on standard error."""
    typer.echo(" ".join(text.split()), err=True)


def acpc(
    host: Annotated[str, typer.Argument(help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(help="Of our seat.", min=1, max=65535)],
    strategy: Annotated[str, typer.Option(help=WHO)] = "search",
    stack: Chips = 20_000,
    seed: Seed = 0,
    budget_ms: Budget = 200,
    device: SearchDevice = "cpu",
) -> None:
    """Play at an ACPC dealer's table until it leaves."""
    from poker_solver.play.find import find_strategy, warm_up
    from poker_solver.play.player import Player
    from poker_solver.protocols.acpc.client import play_at

    policy = find_strategy(strategy, budget_ms, device)
    warm_up(policy)
    played = play_at(host, port, Player(policy, seed=seed), stack_chips=stack, tell=tell)
    typer.echo(f"{played.hands:,} hands, {played.won_chips:+,} chips that were seen")


def dealer(
    hands: Annotated[int, typer.Option(help="How many.", min=1)] = 1000,
    stack: Chips = 20_000,
    seed: Seed = 0,
    names: Annotated[str, typer.Option(help="Of seats 0 and 1.")] = "Alice,Bob",
    ports: Annotated[str, typer.Option(help="Of seats 0 and 1; 0 takes a free one.")] = "0,0",
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    response_s: Annotated[float, typer.Option(help="To wait for an answer.", min=0.1)] = 600,
    log: Annotated[Path | None, typer.Option(help="Write STATE lines to a file.")] = None,
) -> None:
    """Deal a match of two programs that speak ACPC: prints its ports, then the score."""
    called, found = names.split(","), ports.split(",")
    if len(called) != 2 or not all(called):
        raise InputError(f"names {names!r}: want two, as in Alice,Bob")
    if len(found) != 2 or not all(p.isdecimal() and int(p) < 65536 for p in found):
        raise InputError(f"ports {ports!r}: want two, as in 48777,48778")
    check_writable(log)
    from poker_solver.protocols.acpc.dealer import Dealer, DealerConfig

    config = DealerConfig(
        num_hands=hands,
        stack_chips=stack,
        seed=seed,
        names=(called[0], called[1]),
        host=host,
        ports=(int(found[0]), int(found[1])),
        response_s=response_s,
    )
    last = ""
    with nullcontext() if log is None else log.open("w") as file:

        def keep(line: str) -> None:
            nonlocal last
            last = line
            if file is not None:  # every hand at once: a match may be stopped
                print(line, file=file, flush=True)

        table = Dealer(config, tell=tell, log=keep)
        typer.echo(" ".join(map(str, table.ports)))
        table.play()
    typer.echo(last)
