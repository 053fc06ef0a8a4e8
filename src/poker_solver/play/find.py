"""Strategies by the names that commands take: `call`, `stored:hu_20`, `search:my20.book`."""

import gc
from collections.abc import Callable, Iterable, Sequence

from poker_solver.errors import InputError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.shipped import shipped_games, solution_path
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.play.mix import Policy
from poker_solver.play.simple import AlwaysCall, AlwaysFold, RandomAmounts
from poker_solver.play.stored import StoredPolicy
from poker_solver.subgame.stored import load_stored

SIMPLE: dict[str, Callable[[], Policy]] = {
    "call": AlwaysCall,
    "fold": AlwaysFold,
    "random": RandomAmounts,
}
KINDS = (*SIMPLE, "stored", "search", "model")


def find_strategy(text: str, budget_ms: float = 200, device: str = "cpu") -> Policy:
    """A strategy by its name; `stored` or `search` alone has all games that come solved.

    `budget_ms` is how long a search may take, `device` where it runs: cpu, cuda or auto.
    """
    kind, _, names = text.partition(":")
    if kind not in KINDS:
        kind, names = "stored", text
    if kind in SIMPLE:
        if names:
            raise InputError(f"strategy {text!r}: {kind} takes no file")
        return SIMPLE[kind]()
    books = load_books(names.split(",") if names else [*shipped_games()])
    if kind == "stored":
        return StoredPolicy(books, text)
    from poker_solver.play.search import SearchPolicy  # loads a compiler
    from poker_solver.subgame.config import SubgameConfig

    if kind == "model":
        from poker_solver.play.model import checked_down

        books = [BlueprintStrategy(solution=checked_down(_solution(one))) for one in books]
    config = SubgameConfig(time_budget_ms=budget_ms, device=device)
    return SearchPolicy(StoredPolicy(books, text), config, name=text)


def _solution(book: BlueprintStrategy) -> UnifiedSolution:
    """What a blueprint plays before the flop."""
    if book.solution is None:
        raise InputError("a blueprint of single keys has no game to play")
    return book.solution


def warm_up(*policies: Policy) -> None:
    """Have compiled what look-ups and searches call, so that no answer waits for it.

    Nor for the garbage collector: what is there by now is not walked again until the next call.
    """
    for one in policies:
        if hasattr(one, "warm_up"):
            one.warm_up()
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def stored_of(policies: Iterable[Policy]) -> StoredPolicy | None:
    """The first stored strategy among some, or that a search stands on."""
    for one in policies:
        found = getattr(one, "stored", one)
        if isinstance(found, StoredPolicy):
            return found
    return None


def load_books(names: Sequence[str]) -> list[BlueprintStrategy]:
    """Blueprints and solved full games, by file or name."""
    return [_load(name.strip()) for name in names]


def _load(name: str) -> BlueprintStrategy:
    if not solution_path(name).is_file():
        known = ", ".join((*KINDS, *shipped_games()))
        raise InputError(f"strategy {name!r}: no such file; want one, or {known}")
    found = load_stored(name)
    return BlueprintStrategy(solution=found) if isinstance(found, UnifiedSolution) else found
