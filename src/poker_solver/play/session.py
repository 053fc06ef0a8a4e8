"""Hand after hand against a player, seats changing: what a person or another program plays."""

from dataclasses import dataclass, replace

import numpy as np

from poker_solver.errors import InputError
from poker_solver.games.betting import BB, POSITIONS
from poker_solver.play.deals import DealtCards, deal
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import Policy
from poker_solver.play.player import Advice, Player, Reviewed, Safe, judge


@dataclass(frozen=True)
class Moved:
    """What the player did, by itself."""

    hand: PokerHand  # before it
    answer: Advice


class GuestSession:
    """One guest against a player; the guest begins on the button.

    Args:
        policy: what the player plays.
        stack_bb: of both, at the start of every hand.
        seed: of the deals and of what is drawn; any if None.
    """

    def __init__(self, policy: Policy, stack_bb: float = 100, seed: int | None = None) -> None:
        self.policy, self.stack_bb = policy, stack_bb
        self._seed = int(np.random.default_rng(seed).integers(2**62))
        self.player = Player(policy, seed=self._seed)
        self._advisor = Safe(policy)
        self.num_hands, self.total_chips = 0, 0
        self.guest = BB  # changes before the first hand
        self._cards: DealtCards | None = None
        self._hand: PokerHand | None = None

    @property
    def hand(self) -> PokerHand:
        """As the guest sees it; at a showdown both hands are shown."""
        if self._hand is None:
            raise InputError("no hand has begun")
        return self._hand if self._hand.is_shown else self._hand.seen_by(self.guest)

    @property
    def is_under_way(self) -> bool:
        """Whether the guest is to act."""
        return self._hand is not None and not self._hand.is_over

    @property
    def bot_holding(self) -> int:
        """What the player holds."""
        assert self._cards is not None
        return self._cards.holes[1 - self.guest]

    def new_hand(self) -> list[Moved]:
        """Deal; what the player does before the guest is to act."""
        if self.is_under_way:
            raise InputError("the hand is not over yet")
        self.guest = 1 - self.guest
        self._cards = deal(self._seed, self.num_hands)
        self._hand = self._cards.start(self.stack_bb)
        return self._let_play()

    def act(self, token: str) -> list[Moved]:
        """The guest acts; what the player does then."""
        if self._hand is None or self._hand.is_over:
            raise InputError("no hand is under way")
        self._hand = self._hand.act(token)
        return self._let_play()

    def leave(self) -> None:
        """Give up the hand that is under way: it does not count."""
        self._hand = None

    @property
    def won_chips(self) -> int:
        """By the guest, of the hand that is over."""
        assert self._hand is not None
        return self._hand.won_chips(self.guest)

    def advise(self, token: str) -> Reviewed:
        """What the player would have done in the guest's place, beside what the guest does."""
        assert self._hand is not None
        assert self._cards is not None
        hand = self._hand.seen_by(self.guest)
        token = hand.rules.any_step(hand.betting, token).token
        return judge(hand, token, self._advisor.decide(hand, self._cards.holes[self.guest]))

    def _let_play(self) -> list[Moved]:
        assert self._hand is not None
        assert self._cards is not None
        moved = []
        self._hand = self._cards.fall(self._hand)
        while not self._hand.is_over and self._hand.actor != self.guest:
            self.player.see(POSITIONS[1 - self.guest], self._hand)
            answer = self.player.act()
            moved.append(Moved(replace(self._hand), answer))
            self._hand = self._cards.fall(self._hand.act(answer.action))
        if self._hand.is_over:
            self.num_hands += 1
            self.total_chips += self.won_chips
        return moved
