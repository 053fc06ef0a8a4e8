"""`ps.solve`: one verb for every kind of game; which solver it takes is decided here."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from poker_solver.cfr.generic.solver import SolveResult, solve_game
from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import Schedule
from poker_solver.config.named_spots import find_spot
from poker_solver.config.preflop import Config, load_config, preset_names
from poker_solver.config.spot import Spot
from poker_solver.config.yaml_text import parse_mapping, read_text
from poker_solver.errors import InputError
from poker_solver.games.base import Game
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.preflop.solver import solve_preflop
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.trees.compiled import CompiledGame


class Words(TypedDict, total=False):
    """What `solve` takes beside anything."""

    max_iterations: int | None
    max_seconds: float | None
    device: str
    schedule: Schedule | str | None
    progress: bool | Report
    stop: Interrupt | None
    checkpoint: str | Path | None


class GameWords(Words, total=False):
    """What `solve` takes beside a game."""

    target: float | None


class PreflopWords(Words, total=False):
    """What `solve` takes beside a preflop config."""

    target_pct: float | None
    threads: int | None


class SpotWords(PreflopWords, total=False):
    """What `solve` takes beside a spot."""

    precision: str


@overload
def solve(spec: str | Path, **words: Unpack[SpotWords]) -> Solution | PreflopSolution: ...
@overload
def solve(spec: Spot | PostflopGame, **words: Unpack[SpotWords]) -> Solution: ...
@overload
def solve(spec: Config, **words: Unpack[PreflopWords]) -> PreflopSolution: ...
@overload
def solve(spec: Game[Any] | CompiledGame, **words: Unpack[GameWords]) -> SolveResult: ...
def solve(spec: object, **words: Any) -> Any:
    """Solve a spot, a preflop config or a game until a rule stops it, or Ctrl-C.

    The first rule that holds stops. Without one a spot is solved to 0.3 % of its pot, a config to
    0.1 % of the starting pot, and a game for 10,000 iterations; a spot has its target beside other
    rules too, unless `target_pct` is None.

    Args:
        spec: a `Spot` (or a `PostflopGame`), a preflop `Config`, a `Game` or a `CompiledGame`; the
            path of a spot or config in YAML, or the name of one that comes with the program.
        **words: as in `SolveOptions`, but that spots and configs have `target_pct` for `target`,
            only they have `threads`, and only spots have `precision`.
    """
    if isinstance(spec, str | Path):
        spec = read_spec(spec)
    if isinstance(spec, Spot | PostflopGame):
        options = _options({"target_pct": POSTFLOP_TARGET_PCT, **words}, SpotWords)
        return solve_spot(spec, options)
    if isinstance(spec, Config):
        return solve_preflop(spec, _options(words, PreflopWords))
    if isinstance(spec, Game | CompiledGame):
        return solve_game(spec, _options(words, GameWords))
    raise InputError(
        f"cannot solve a {type(spec).__name__}; give a Spot, a preflop Config, a Game or the path "
        "of a YAML file"
    )


def read_spec(name_or_path: str | Path) -> Spot | Config:
    """The spot or preflop config in a file, by what it holds, or of this name."""
    path = Path(name_or_path)
    if not path.is_file():
        is_preset = path.suffix == "" and str(name_or_path) in preset_names()
        return load_config(name_or_path) if is_preset else find_spot(name_or_path)
    fields, _ = parse_mapping(read_text(path), Spot.model_fields)
    keys = {key.lower() for key in fields}
    return load_config(path) if {"raise_sizes", "stack_depth"} & keys else Spot.load(path)


def _options(words: Mapping[str, Any], known: type[Any]) -> SolveOptions:
    """The options that these words stand for; one that this kind of game has no use for is said."""
    for word in words:
        if word not in known.__optional_keys__:
            raise TypeError(
                f"solve() has no {word} here; it takes {', '.join(sorted(known.__optional_keys__))}"
            )
    return SolveOptions(**{word.removesuffix("_pct"): value for word, value in words.items()})
