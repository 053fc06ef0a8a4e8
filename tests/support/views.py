"""Hand-made nodes for views and sessions: legal betting, invented strategies, no solver."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poker_solver.cards import (
    CLASS_SIZE,
    COMBO_CLASS,
    HAND_NAMES,
    cards_from_string,
    combo_to_string,
    unblocked,
)
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.preflop import Config, load_config
from poker_solver.explore.preflop import Solved
from poker_solver.games.betting import POSITIONS, Betting, BettingRules
from poker_solver.games.notation import format_history
from poker_solver.query.groups import by_class
from poker_solver.query.node import (
    ActionDistribution,
    HandView,
    Kind,
    NodeView,
    PlayerView,
    SolveFacts,
)

NAN = float("nan")


def facts(config: Config) -> SolveFacts:
    first = 1 if POSITIONS[0] == "BB" else -1
    return SolveFacts(
        name=config.name,
        stack_chips=config.stack_chips,
        all_in_chips=config.all_in_chips,
        chips_per_bb=CHIPS_PER_BB,
        iterations=800,
        exploitability_pct=0.08,
        value_chips=(5.86 * first, -5.86 * first),
        is_model=config.limp,
    )


def invented_mix(index: int, actions: tuple[str, ...]) -> ActionDistribution:
    """The better half of each row raises, the rest folds; every sixth class mixes."""
    if not actions:
        return ActionDistribution((), ())
    weights = [0.0] * len(actions)
    main = -2 if index % 13 < 4 and len(actions) > 2 else min(index % 3, len(actions) - 1)
    share = (0.97, 0.7, 1.0, 0.55, 0.9, 0.6)[index % 6]
    weights[main] += share
    weights[0 if main % len(actions) else 1] += 1 - share
    return ActionDistribution(actions, tuple(weights))


def invented_reach(index: int, depth: int) -> float:
    """Everything at first; later every third class is gone and every fourth comes half the time."""
    if depth < 2:
        return 1.0
    return 0.0 if index % 3 == 2 else 0.5 if index % 4 == 0 else 1.0


class InventedSource(Solved):
    """A game without a solver; remembers at which stacks it was asked to solve."""

    def __init__(self, config: Config | None = None, asked: list[float] | None = None) -> None:
        self.config = load_config("short_20") if config is None else config
        self.asked = [] if asked is None else asked

    def view(self, history: Sequence[str]) -> NodeView:
        history = tuple(history)
        rules = BettingRules(self.config.betting)
        state = rules.play(history).state
        actions = rules.legal_actions(state)
        first, second = (self._player(seat, state, len(history)) for seat in (0, 1))
        return NodeView(
            facts=facts(self.config),
            line=format_history(history),
            history=history,
            board="",
            kind=self._kind(state),
            actor=None if state.is_over else state.actor,
            pot_chips=sum(state.bets),
            reached=0.5 ** len(history),
            actions=actions,
            players=(first, second),
        )

    def _kind(self, state: Betting) -> Kind:
        if not state.is_over:
            return "decision"
        if state.folder >= 0:
            return "fold"
        return "all-in" if state.bet >= self.config.all_in_chips else "flop"

    def _player(self, seat: int, state: Betting, depth: int) -> PlayerView:
        name = POSITIONS[seat]
        later = 1 if name == "BB" else 0
        acts = seat == state.actor
        actions = BettingRules(self.config.betting).legal_actions(state) if acts else ()
        hands = [self._hand(index, depth + later, actions, later) for index in range(169)]
        combos = sum(hand.num_combos for hand in hands)
        equity = (0.4125, 0.5875)[later]
        return PlayerView(
            name=name,
            behind_chips=self.config.stack_chips - state.bets[seat],
            hands=tuple(replace(hand, share=hand.num_combos / combos) for hand in hands),
            ev_chips=equity * sum(state.bets),
            equity=equity,
        )

    def _hand(self, index: int, depth: int, actions: tuple[str, ...], later: int) -> HandView:
        """The better the class, the more equity; each action is worth more than the one before."""
        reach = invented_reach(index, depth)
        mix = invented_mix(index, actions)
        evs = tuple(NAN if reach == 0 else 25.0 * a for a in range(len(actions)))
        equity = 0.9 - 0.004 * later - index / 400
        played = sum(p * ev for p, ev in zip(mix.frequency, evs, strict=True) if p > 0)
        ev = played if actions else 500 * equity
        return HandView(HAND_NAMES[index], int(CLASS_SIZE[index]), reach, 0.0, ev, equity, mix, evs)

    def at_stack(self, stack_bb: float) -> "InventedSource":
        self.asked.append(stack_bb)
        return InventedSource(self.config.with_stack(stack_bb), self.asked)


BOARD = "Td9d6hQc"


def invented_spot(kind: Kind = "decision", line: str = "x b120") -> NodeView:
    """A turn without a solver: OOP faces a bet, or whatever ends the street."""
    acts = kind == "decision"
    actions = ("f", "c", "r300", "a") if acts else ()
    return NodeView(
        facts=SolveFacts(
            name="",
            stack_chips=900,
            all_in_chips=900,
            chips_per_bb=None,
            iterations=240,
            exploitability_pct=0.28,
        ),
        line=line,
        history=tuple(line.split()),
        board=BOARD,
        kind=kind,
        actor=0 if acts else None,
        pot_chips=320,
        reached=0.25,
        actions=actions,
        players=(_spot_player(0, actions), _spot_player(1, ())),
        num_locked=2 if acts else 0,
    )


def _spot_player(seat: int, actions: tuple[str, ...]) -> PlayerView:
    """Every combo that the board leaves, save each fifth class; suits count for nothing."""
    free = np.flatnonzero(unblocked(cards_from_string(BOARD))).tolist()
    held = [combo for combo in free if COMBO_CLASS[combo] % 5 != seat]
    combos = tuple(
        _spot_combo(combo_to_string(combo), int(COMBO_CLASS[combo]), actions, 1 / len(held))
        for combo in held
    )
    equity = (0.4125, 0.5875)[seat]
    return PlayerView(
        name=("OOP", "IP")[seat],
        behind_chips=(900, 780)[seat],
        hands=by_class(combos, actions, BOARD),
        ev_chips=320 * equity,
        equity=equity,
        combos=combos,
    )


def _spot_combo(name: str, index: int, actions: tuple[str, ...], share: float) -> HandView:
    equity = 0.9 - index / 400
    evs = tuple(12.5 * a for a in range(len(actions)))
    mix = invented_mix(index, actions)
    reach = 0.5 if index % 4 == 0 else 1.0
    return HandView(name, 1, reach, share, 320 * equity, equity, mix, evs)
