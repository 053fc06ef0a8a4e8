"""Search: every decision after the flop solved when it comes, from both players' ranges."""

from dataclasses import replace

import numpy as np

from poker_solver.cards import NUM_COMBOS
from poker_solver.errors import InputError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.games.betting import PREFLOP
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import HandMix, RangeMix
from poker_solver.play.stored import StoredPolicy, stack_bb
from poker_solver.subgame.config import CacheConfig, SubgameConfig
from poker_solver.subgame.solver import SubgameSolver


class SearchPolicy:
    """Plays a stored strategy before the flop and solves what is played after it.

    Stacks that none of the strategies has are left to the stored strategy of the nearest.

    Args:
        stored: the strategies, of one or several stacks.
        config: how long a search may take and what it guarantees.
        cache: what is kept of answers.
        name: what to call it.
    """

    def __init__(
        self,
        stored: StoredPolicy,
        config: SubgameConfig | None = None,
        cache: CacheConfig | None = None,
        name: str = "search",
    ) -> None:
        self.stored, self.name = stored, name
        self.solvers = {
            stack_bb(book): SubgameSolver(book, config=config, cache_config=cache)
            for book in stored.books
        }

    @property
    def books(self) -> list[BlueprintStrategy]:
        """The stored strategies."""
        return self.stored.books

    def warm_up(self) -> None:
        """Have compiled all that look-ups and searches call."""
        self.stored.warm_up()
        for solver in self.solvers.values():
            solver.warm_up()

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        if hand.betting.street == PREFLOP or hand.stack_bb not in self.solvers:
            return self._from_stored(hand, self.stored.decide(hand, combo))
        return self.whole_range(hand).of(combo)

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        if hand.betting.street == PREFLOP or hand.stack_bb not in self.solvers:
            return self.stored.whole_range(hand)
        try:
            answer = self.solvers[hand.stack_bb].solve_range(None, str(hand.line))
        except InputError as error:
            found = self.stored.whole_range(hand)
            return replace(found, notes=(f"not searched: {error}", *found.notes))
        strategy = np.zeros((len(answer.actions), NUM_COMBOS))
        strategy[:, answer.combos] = answer.strategy
        notes = [f"{answer.iterations} iterations, {answer.ms:.0f} ms"]
        if answer.exploitability_pct == answer.exploitability_pct:
            notes.append(f"exploitable by {answer.exploitability_pct:.2g} % of the pot")
        return RangeMix(answer.actions, strategy, answer.source, notes=tuple(notes))

    def _from_stored(self, hand: PokerHand, found: HandMix) -> HandMix:
        if hand.stack_bb in self.solvers:
            return found
        note = f"{hand.stack_bb:g} bb is not searched"
        return HandMix(found.mix, found.source, found.ev_chips, (note, *found.notes))
