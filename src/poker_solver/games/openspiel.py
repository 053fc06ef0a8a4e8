"""Any OpenSpiel game that fits, as a `Game`; needs the extra `openspiel`.

What fits: two players, zero-sum, sequential moves, explicit chance, information states of perfect
recall (the last is found out when the game is compiled). Actions are OpenSpiel's own integers, and
a key is the player, `|`, and OpenSpiel's information state string, which alone does not always say
whose it is.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from poker_solver.errors import GameError, MissingPackageError
from poker_solver.games.base import CHANCE, Action, Game, check_over

_MAX_DEALS = 100_000


@dataclass(frozen=True, slots=True)
class OpenSpielState:
    """A line of play; `spiel` is OpenSpiel's state there and is never changed in place."""

    history: tuple[int, ...]
    spiel: Any = field(compare=False, repr=False)
    deal_p: float = field(default=1.0, compare=False, repr=False)


class OpenSpielGame(Game[OpenSpielState]):
    """A game that `pyspiel` loads, like `leduc_poker` or `liars_dice(numdice=1,dice_sides=3)`."""

    def __init__(self, text: str) -> None:
        """Load the game; refuses, by name and with the reason, one that does not fit."""
        spiel = _load(text)
        if problems := _problems(spiel):
            raise GameError(f"OpenSpiel game {text} does not fit: {'; '.join(problems)}")
        self._spiel = spiel
        self._text = text

    @property
    def name(self) -> str:
        """The text it was loaded by."""
        return self._text

    def initial_states(self) -> Sequence[OpenSpielState]:
        """Every outcome of the chance moves that open the game."""
        states = [OpenSpielState((), self._spiel.new_initial_state())]
        while all(state.spiel.is_chance_node() for state in states):
            dealt = [
                OpenSpielState(
                    (*state.history, action), state.spiel.child(action), state.deal_p * p
                )
                for state in states
                for action, p in state.spiel.chance_outcomes()
            ]
            if len(dealt) > _MAX_DEALS:
                break
            states = dealt
        return states

    def deal_weight(self, state: OpenSpielState) -> float:
        """The probability of the opening chance moves."""
        return state.deal_p

    def is_terminal(self, state: OpenSpielState) -> bool:
        """As OpenSpiel says."""
        return bool(state.spiel.is_terminal())

    def player(self, state: OpenSpielState) -> int:
        """As OpenSpiel says."""
        return CHANCE if state.spiel.is_chance_node() else int(state.spiel.current_player())

    def actions(self, state: OpenSpielState) -> Sequence[int]:
        """OpenSpiel's action numbers."""
        if state.spiel.is_chance_node():
            return [action for action, _ in state.spiel.chance_outcomes()]
        actions: list[int] = state.spiel.legal_actions()
        return actions

    def chance_probabilities(self, state: OpenSpielState) -> Sequence[float]:
        """As OpenSpiel says."""
        return [p for _, p in state.spiel.chance_outcomes()]

    def next_state(self, state: OpenSpielState, action: Action) -> OpenSpielState:
        """A new state; the old one stays as it is."""
        assert isinstance(action, int)
        return OpenSpielState((*state.history, action), state.spiel.child(action))

    def utility(self, state: OpenSpielState, player: int) -> float:
        """As OpenSpiel says."""
        check_over(self, state)
        return float(state.spiel.player_return(player))

    def info_set_key(self, state: OpenSpielState) -> str:
        """The player to act and OpenSpiel's information state string."""
        spiel = state.spiel
        return f"{spiel.current_player()}|{spiel.information_state_string()}"

    def action_name(self, state: OpenSpielState, action: Action) -> str:
        """OpenSpiel's text for the action."""
        return str(state.spiel.action_to_string(action))


def _load(text: str) -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise MissingPackageError(
            "OpenSpiel is not installed: pip install 'poker-solver[openspiel]'"
        ) from error
    short_name = text.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if short_name not in known:
        near = get_close_matches(short_name, known, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise GameError(f"OpenSpiel has no game {short_name!r}{hint}")
    try:
        with _quiet_stderr():
            return pyspiel.load_game(text)
    except Exception as error:  # whatever its C++ throws: SpielError, IndexError (nfg_game), ...
        raise GameError(f"OpenSpiel cannot load {text!r}: {error}") from error


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """OpenSpiel writes its own line to file descriptor 2 before it raises."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _problems(spiel: Any) -> list[str]:
    import pyspiel

    kind = spiel.get_type()
    found = []
    if spiel.num_players() != 2:
        found.append(f"it has {spiel.num_players()} players, must be 2")
    if kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
        found.append(f"its utility is {_plain(kind.utility)}, must be zero-sum")
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        found.append(
            f"its moves are {_plain(kind.dynamics)}, must be sequential "
            f"(turn_based_simultaneous_game(game={spiel}) may be)"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        found.append("its chance is sampled, must be explicit")
    if not kind.provides_information_state_string:
        found.append("it gives no information state strings")
    return found


def _plain(value: Any) -> str:
    return str(value).rpartition(".")[2].lower().replace("_", "-")
