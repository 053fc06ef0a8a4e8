"""Hand-made nodes for views and sessions: legal betting, invented strategies, no solver."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from poker_solver.cards import CLASS_SIZE, HAND_NAMES
from poker_solver.config import Config, load_config
from poker_solver.games import betting
from poker_solver.games.betting import POSITIONS
from poker_solver.games.notation import ParsedSequence, format_history, resolve_line
from poker_solver.query import (
    ActionDistribution,
    EndHand,
    EndView,
    HandView,
    NodeView,
    RangeHand,
    RangeView,
    SolveFacts,
    View,
)

SIZES = CLASS_SIZE.tolist()
NAN = float("nan")


def facts(config: Config) -> SolveFacts:
    return SolveFacts(
        config=config.name,
        stack_bb=config.stack_depth,
        all_in_bb=config.all_in_chips / 100,
        iterations=800,
        seconds=1.3,
        exploitability_bb=0.0012,
        exploitability_pct=0.08,
        value_bb=(0.0585, -0.0585),
        is_model=config.limp,
    )


def invented_mix(index: int, actions: tuple[str, ...]) -> ActionDistribution:
    """The better half of each row raises, the rest folds; every sixth class mixes."""
    weights = [0.0] * len(actions)
    main = -2 if index % 13 < 4 and len(actions) > 2 else min(index % 3, len(actions) - 1)
    share = (0.97, 0.7, 1.0, 0.55, 0.9, 0.6)[index % 6]
    weights[main] += share
    weights[0 if main % len(actions) else 1] += 1 - share
    return ActionDistribution(actions, tuple(weights))


def invented_range(player: str, depth: int) -> RangeView:
    """Everything at first; later every third class is gone and every fourth comes half the time."""
    reach = [
        1.0 if depth < 2 else 0.0 if i % 3 == 2 else 0.5 if i % 4 == 0 else 1.0 for i in range(169)
    ]
    hands = (RangeHand(n, s, r) for n, s, r in zip(HAND_NAMES, SIZES, reach, strict=True))
    return RangeView(player, tuple(hands))


def _end_hands(shift: float) -> tuple[EndHand, ...]:
    """The better the class, the more equity."""
    equities = [0.9 - shift - i / 400 for i in range(169)]
    return tuple(EndHand(equity, 5 * equity - 2.5) for equity in equities)


@dataclass
class InventedSource:
    """A `Source` without a solver; remembers at which stacks it was asked to solve."""

    config: Config = field(default_factory=lambda: load_config("short_20"))
    asked: list[float] = field(default_factory=list)

    def view(self, history: Sequence[str]) -> View:
        history = tuple(history)
        state = betting.replay(self.config, history)
        bets = [bet / 100 for bet in state.bets]
        everywhere: dict[str, Any] = {
            "facts": facts(self.config),
            "line": format_history(history),
            "history": history,
            "pot_bb": sum(bets),
            "behind_bb": tuple(self.config.stack_depth - bet for bet in bets),
            "reached": 0.5 ** len(history),
        }
        ranges = [invented_range("BB", len(history) + 1), invented_range("SB", len(history))]
        if state.is_over:
            return self._end(state, everywhere, (ranges[0], ranges[1]))
        actions = betting.legal_actions(self.config, state)
        own = ranges[state.to_act]
        hands = tuple(
            HandView(h.name, h.combos, h.reach, invented_mix(i, actions), self._evs(h, actions))
            for i, h in enumerate(own.hands)
        )
        return NodeView(
            **everywhere,
            player=own.player,
            actions=actions,
            hands=hands,
            opponent=ranges[1 - state.to_act],
        )

    @staticmethod
    def _evs(hand: RangeHand, actions: tuple[str, ...]) -> tuple[float, ...]:
        return tuple(NAN if hand.reach == 0 else -0.5 + 0.25 * a for a in range(len(actions)))

    def _end(
        self,
        state: betting.Betting,
        everywhere: dict[str, Any],
        ranges: tuple[RangeView, RangeView],
    ) -> EndView:
        folded = "" if state.folded < 0 else POSITIONS[state.folded]
        ending = "fold" if folded else "all-in" if state.bet >= self.config.all_in_chips else "flop"
        lost = state.bets[state.folded] / 100 if folded else 0.25
        ev = (-lost, lost) if folded == "BB" else (lost, -lost)
        return EndView(
            **everywhere,
            ending=ending,  # type: ignore[arg-type]
            folded=folded,
            equity=(0.5875, 0.4125),
            ev_bb=ev,
            ranges=ranges,
            hands=(_end_hands(0.004), _end_hands(0.0)),
        )

    def resolve(self, line: ParsedSequence) -> tuple[str, ...]:
        stack = self.config.stack_depth if line.stack is None else line.stack
        return resolve_line(line, self.config.with_stack(stack))

    def at_stack(self, stack_bb: float) -> "InventedSource":
        self.asked.append(stack_bb)
        return InventedSource(self.config.with_stack(stack_bb), self.asked)
