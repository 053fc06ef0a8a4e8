"""Full games that come with the package, solved before the flop: names, stacks, files."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import LineError

_FOLDER = Path(__file__).parent / "data"


def shipped_games() -> Mapping[str, float]:
    """Their names, which are those of presets, and stacks in bb, shallow ones first."""
    return MappingProxyType(_stacks())


@cache
def _stacks() -> dict[str, float]:
    names = [path.stem for path in _FOLDER.glob("*.pks")]
    stacks = {name: UnifiedConfig.load(name).stack_bb for name in names}
    return dict(sorted(stacks.items(), key=lambda game: game[1]))


def shipped_at(stack_bb: float) -> str:
    """The name of the one of a stack."""
    games = shipped_games()
    for name, stack in games.items():
        if stack == stack_bb:
            return name
    raise LineError(f"no full game of {stack_bb:g} bb comes solved, there are {', '.join(games)}")


def is_shipped(config: UnifiedConfig) -> bool:
    """Whether a game is one of them, however it was trained."""
    own = config.fingerprint()
    return any(own == UnifiedConfig.load(name).fingerprint() for name in shipped_games())


def solution_path(name_or_path: str | Path) -> Path:
    """The file of a name, or the path itself where it names a file."""
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.is_file() or name_or_path not in shipped_games():
        return path
    return _FOLDER / f"{name_or_path}.pks"
