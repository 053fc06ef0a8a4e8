"""`serve`: play against other programs over HTTP."""

from typing import Annotated

import typer

from poker_solver.cli.play.options import WHO, Budget, SearchDevice
from poker_solver.errors import InputError, MissingPackageError


def serve(
    slumbot_api: Annotated[
        bool, typer.Option("--slumbot-api", help="The routes that clients of Slumbot know.")
    ] = False,
    strategy: Annotated[str, typer.Option(help=WHO)] = "search",
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="To listen at.", min=1, max=65535)] = 8000,
    seed: Annotated[int | None, typer.Option(help="Of deals and draws; any if not given.")] = None,
    budget_ms: Budget = 200,
    device: SearchDevice = "cpu",
) -> None:
    """Serve hands over HTTP on this machine: 50/100, 20,000 chips, as Slumbot does."""
    if not slumbot_api:
        raise InputError("say what to serve: --slumbot-api")
    try:
        import uvicorn
    except ImportError as error:
        raise MissingPackageError(
            "serve needs fastapi and uvicorn: pip install 'poker-solver[web]'"
        ) from error
    from poker_solver.play.find import find_strategy, warm_up
    from poker_solver.protocols.slumbot.app import slumbot_app

    policy = find_strategy(strategy, budget_ms, device)
    warm_up(policy)
    typer.echo(f"http://{host}:{port}/api/new_hand; Ctrl-C stops", err=True)
    uvicorn.run(slumbot_app(policy, seed), host=host, port=port, log_level="warning")
