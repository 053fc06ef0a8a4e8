"""The rules of heads-up betting on all four streets, one state at a time; no cards.

The small blind is the button: first to act before the flop, last after it. An action is a token:
`f` fold, `c` call, `x` check, `b94` bet 94 chips, `r250` raise to 250 chips on this street, `a`
all-in; before the flop `r2.5` raises to 2.5 big blinds. Which amounts may be bet is
`config`'s business: before the flop a raise is at least the last raise again, after it sizes are
clamped. What nobody can call goes back to who bet it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from poker_solver.config.base import bb_text, to_chips
from poker_solver.config.bet_sizes import Situation, amounts
from poker_solver.config.sizes import parse_sizes
from poker_solver.errors import LineError
from poker_solver.games.branches import branches_of
from poker_solver.games.overrides import Branch, followed, holding, kept, own_sizes

if TYPE_CHECKING:  # a game before the flop needs nothing of one after it, nor the other way
    from poker_solver.config.preflop import PreflopBetting
    from poker_solver.config.spot import PostflopBetting

OOP, IP = 0, 1
"""The players: out of position acts first on flop, turn and river."""
PLAYERS = ("oop", "ip")

BB, SB = OOP, IP
"""Their names before the flop, when the small blind, on the button, acts first."""
POSITIONS = ("BB", "SB")

NONE = -1
"""Nobody, no node, no card."""

DECISION, DEAL, FOLD, SHOWDOWN = 1, 2, 3, 4
"""Somebody acts; the next card falls; somebody folded; hands are shown."""

ALL_IN = "a"

_AMOUNT = re.compile(r"([br])(\d+(?:\.\d*)?|\.\d+)")
_SIZED = re.compile(r"[br](\d+(?:\.\d*)?)(%|x|bb)")

HALF_A_PERCENT = 0.005
"""How far a share of the pot that is typed may be from that of a bet, so that labels read back."""


class Street(IntEnum):
    """When a bet is made; one more card falls after each street from the flop on."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


PREFLOP, FLOP, TURN, RIVER = Street


def board_street(num_cards: int) -> Street:
    """The street that 3, 4 or 5 cards are the board of."""
    return Street(num_cards - 2)


class Betting(NamedTuple):
    """All that decides what can be played from here on; pairs are of OOP and IP."""

    street: Street
    kind: int  # DECISION, DEAL, FOLD or SHOWDOWN
    actor: int  # who acts at a DECISION; NONE elsewhere
    bets: tuple[int, int]  # chips on this street, blinds included
    paid: int = 0  # chips of each on earlier streets
    increment: int = 0  # before the flop: by how much the larger bet was last raised
    num_raises: int = 0  # on this street, the opening bet not counted; preflop where it matters
    caller: int = NONE  # whose call ended the street before; at a DEAL, this one
    folder: int = NONE  # who folded at a FOLD
    pot_type: int = 0  # which of the rules after the flop hold, by raises before it
    branch: Branch = 0  # where on the lines that a spot writes out; None off all of them

    @property
    def bet(self) -> int:
        """The larger bet."""
        return max(self.bets)

    @property
    def is_over(self) -> bool:
        """Nobody will act any more."""
        return self.kind in (FOLD, SHOWDOWN)


class Step(NamedTuple):
    """An action, or a card that falls, and what it leads to."""

    token: str  # empty for a card
    amount: int  # what is bet or raised to, in chips on this street; 0 if nothing
    after: Betting


class Played(NamedTuple):
    """A line that was followed."""

    history: tuple[str, ...]  # as the rules write it
    state: Betting  # where it leads


@dataclass(frozen=True)
class BettingRules:
    """Who may do what. Without `postflop`, hands are shown where a flop would be seen.

    With both, play goes on after the flop with the sizes of `postflop`, while pots, stacks and the
    rake follow from `preflop`. Of several the first is for limped pots, the next for raised ones,
    then 3-bet and 4-bet pots; the last is for all that were raised more often.
    """

    preflop: "PreflopBetting | None" = None
    postflop: "tuple[PostflopBetting, ...]" = ()

    @cached_property
    def pot(self) -> int:
        """Chips in the middle at the start that are nobody's bet."""
        if self.preflop is not None:
            return 2 * self.preflop.ante_chips
        return self.postflop[0].pot

    @cached_property
    def stack(self) -> int:
        """Chips that each player can put in, on all streets together."""
        return self.postflop[0].stack if self.preflop is None else self.preflop.all_in_chips

    @cached_property
    def min_bet(self) -> int:
        """The least chips that may be opened for after the flop: the big blind, if it is known."""
        if self.preflop is not None:
            return self.preflop.blind_chips[1]
        return self.postflop[0].min_bet

    @cached_property
    def big_blind(self) -> int | None:
        """In chips; None in a spot that does not say."""
        if self.preflop is not None:
            return self.preflop.blind_chips[1]
        return self.postflop[0].big_blind

    @cached_property
    def first(self) -> Betting:
        """The blinds are posted and the small blind is to act, or OOP is after the flop."""
        if self.preflop is not None:
            small, big = self.preflop.blind_chips
            return Betting(PREFLOP, DECISION, SB, (big, small), increment=big)
        return Betting(board_street(self.postflop[0].num_cards), DECISION, OOP, (0, 0))

    def steps(self, here: Betting) -> list[Step]:
        """Fold, check or call, then amounts from small to large; at a DEAL the card."""
        if here.is_over:
            return []
        if here.kind == DEAL:
            return [Step("", 0, self._after_the_card(here))]
        token = self._played.get(here) if here.street == self.first.street else None
        steps = self.all_steps(here) if token is None else self._with_played(here, token)
        if here.street == PREFLOP:
            return steps
        after = self.postflop[here.pot_type]
        if after.lines and token is None:
            return [self._on_lines(here, step, after.lines) for step in steps]
        if after.overrides:
            steps = kept(self, here, steps, holding(after.overrides, here.branch))
            return followed(self, here, steps, after.overrides)
        return steps

    def all_steps(self, here: Betting) -> list[Step]:
        """What the sizes of a decision allow, before overrides take any away."""
        return self._steps(here, self.amounts(here))

    def _with_played(self, here: Betting, token: str) -> list[Step]:
        """Where `played` leads through: its action too, or it alone."""
        more = _chips_of(token, self.stack - here.paid)
        found = self._steps(here, sorted({*self.amounts(here), *more}))
        if self.postflop[0].only_played:
            found = [one for one in found if one.amount in more or one.token == token]
        return found

    def _steps(self, here: Betting, raised: Sequence[int]) -> list[Step]:
        """Those of a decision where one can raise to so much."""
        raises = [self._bet(here, amount) for amount in raised]
        if here.bets[1 - here.actor] == here.bets[here.actor]:
            return [Step("x", 0, self._check(here)), *raises]
        folded = here._replace(kind=FOLD, actor=NONE, folder=here.actor, increment=0, num_raises=0)
        may_call = self.preflop is None or self.preflop.limp or not self._is_first(here)
        call = [Step("c", 0, self._call(here))] if may_call else []
        return [Step("f", 0, folded), *call, *raises]

    def _on_lines(self, here: Betting, step: Step, lines: tuple[tuple[int, ...], ...]) -> Step:
        """The step with the branch that it leads to."""
        if step.after.kind == FOLD:
            return step
        put_in = here.paid + (step.amount or here.bet)
        assert not isinstance(here.branch, tuple)
        branch = branches_of(lines).after(here.branch, put_in)
        return step._replace(after=step.after._replace(branch=branch))

    def any_step(self, here: Betting, token: str) -> Step:
        """An action with any amount that poker allows, whatever sizes the rules have.

        More chips than there are mean the all-in. What is too little, or not possible, is refused.
        """
        before = here.street == PREFLOP
        plain = self._steps(here, ()) if here.kind == DECISION else []
        legal = [step.token for step in plain]
        if token in legal:
            return plain[legal.index(token)]
        facing = here.bets[1 - here.actor] if here.kind == DECISION else 0
        is_raise, all_in = facing > 0, self.stack - here.paid
        found = _AMOUNT.fullmatch(self.in_chips(here, token))
        if here.kind != DECISION or (token != ALL_IN and found is None):
            more = "" if here.kind != DECISION else f", {'r' if is_raise else 'b'} and an amount, a"
            raise LineError(f"{token!r}: {describe_legal(here, legal)}{more}")
        if facing >= all_in:
            raise LineError(f"{token!r}: the other player is all-in; f folds, c calls")
        if found is None:
            return self._bet(here, all_in)
        if found[1] != ("r" if is_raise else "b"):
            raise LineError(f"{token!r}: this would be a {'raise' if is_raise else 'bet'}")
        if not before and not found[2].isdecimal():
            raise LineError(f"{token!r}: want whole chips")
        amount = min(to_chips(float(found[2])) if before else int(found[2]), all_in)
        least = self.least(here)
        if amount < min(least, all_in):
            chips = f"{bb_text(least)} bb" if before else f"{least} chips"
            raise LineError(f"{token!r}: is below the minimum, which is {chips}")
        return self._bet(here, amount)

    def amount_token(self, here: Betting, amount: int) -> str:
        """What a bet or raise to so many chips is called."""
        return self._bet(here, amount).token

    def limits(self, here: Betting) -> tuple[int, int] | None:
        """The least and the most that poker lets bet or raise to, whatever sizes are configured.

        In chips on this street; None where nothing can be raised.
        """
        all_in = self.stack - here.paid
        if here.bets[1 - here.actor] >= all_in:
            return None
        return min(self.least(here), all_in), all_in

    def least(self, here: Betting) -> int:
        """What may be bet or raised to at least: the last raise again, or a big blind."""
        if here.street > PREFLOP:
            return max(2 * here.bets[1 - here.actor] - here.bets[here.actor], self.min_bet)
        assert self.preflop is not None
        return here.bet + (1 if self.preflop.min_raise == "any" else here.increment)

    @cached_property
    def _played(self) -> dict[Betting, str]:
        """The states that `played` leads through, and what is played there."""
        found: dict[Betting, str] = {}
        if self.preflop is not None or not self.postflop[0].played:
            return found
        here = self.first
        for token in self.postflop[0].played:
            more = _chips_of(token, self.stack - here.paid)
            steps = self._steps(here, more) if here.kind == DECISION else []
            step = steps[-1:] if more else [one for one in steps if one.token == token]
            if not step:
                legal = [one.token for one in steps]
                raise LineError(f"token {token!r}: {describe_legal(here, legal)}")
            found[here], here = token, step[0].after
        return found

    def legal_actions(self, here: Betting) -> tuple[str, ...]:
        """The tokens of a decision; none elsewhere."""
        return tuple(step.token for step in self.steps(here)) if here.kind == DECISION else ()

    def play(self, tokens: Sequence[str], written: Sequence[str] = ()) -> Played:
        """Follow some actions; an illegal one is named, with what is legal there.

        Args:
            tokens: actions; a raise to the whole stack is the all-in.
            written: the line they stand at the end of, for messages.
        """
        here, history, shown = self.first, list[str](), written or tokens
        for number, token in enumerate(tokens, 1 + len(shown) - len(tokens)):
            steps = self.steps(here)
            index = find_step(here, steps, token)
            if index is None:
                wrong = describe_legal(here, self.legal_actions(here))
                raise LineError(f"token {number} {shown[number - 1]!r}: {wrong}")
            history.append(steps[index].token)
            here = steps[index].after
        return Played(tuple(history), here)

    def find(self, here: Betting, steps: Sequence[Step], token: str) -> int | None:
        """Which step a token means: `b182`, and after the flop `b33%`, `r2.5x`, `b5bb`.

        A share that comes to no amount here means the only one within half a percent.
        """
        index = find_step(here, steps, self.in_chips(here, token))
        sized = _SIZED.fullmatch(token)
        if index is not None or sized is None or sized[2] != "%" or here.kind != DECISION:
            return index
        if here.street == PREFLOP:
            return None
        wanted = float(sized[1]) / 100
        near = [
            number
            for number, step in enumerate(steps)
            if step.amount and abs(self.share(here, step.amount) - wanted) < HALF_A_PERCENT
        ]
        sizes = [number for number in near if steps[number].token[0] == token[0]] or near
        return sizes[0] if len(sizes) == 1 else None

    def in_chips(self, here: Betting, token: str) -> str:
        """`b33%`, `r2.5x` and `b5bb`, after the flop, as the chips they come to here.

        Any other token is left as it is, and so is one whose unit means nothing here.
        """
        sized = _SIZED.fullmatch(token)
        if sized is None or here.kind != DECISION or here.street == PREFLOP:
            return token
        number, unit = sized.groups()
        if unit == "bb":
            big = self.big_blind
            return token if big is None else f"{token[0]}{round(float(number) * big)}"
        at = self.situation(here)
        if unit == "x" and (not at.bet or float(number) <= 1):
            return token
        found = amounts(parse_sizes(number + unit, raising=True), at)
        return f"{token[0]}{found[0]}" if found else token

    def share(self, here: Betting, amount: int) -> float:
        """A bet or raise after the flop as a share of the pot, the call counted in."""
        at = self.situation(here)
        return (amount - at.bet) / at.pot

    def situation(self, here: Betting) -> Situation:
        """What a bet is sized by at a decision."""
        facing = here.bets[1 - here.actor]
        return Situation(
            pot=self.pot + 2 * (here.paid + facing),
            bet=facing,
            own=here.bets[here.actor],
            all_in=self.stack - here.paid,
            streets_left=RIVER + 1 - here.street,
            num_raises=here.num_raises,
            min_bet=self.min_bet,
        )

    def amounts(self, here: Betting) -> tuple[int, ...]:
        """What may be bet or raised to at a decision, in chips on this street, ascending."""
        facing, at = here.bets[1 - here.actor], self.situation(here)
        if here.street == PREFLOP:
            assert self.preflop is not None
            return self.preflop.raises(at, here.increment)
        after = self.postflop[here.pot_type]
        if after.lines:
            assert not isinstance(here.branch, tuple)
            written = branches_of(after.lines).amounts(here.branch)
            return tuple(total - here.paid for total in written if total > here.paid + here.bet)
        allowed, most = after.sizes[here.actor][here.street], after.max_raises
        if facing == 0:
            is_donk = here.actor == OOP == here.caller
            sizes = allowed.donks if is_donk else allowed.bets
        else:
            sizes = allowed.raises if most is None or here.num_raises < most else ()
        sizes = own_sizes(holding(after.overrides, here.branch), sizes, is_raise=facing > 0)
        return amounts(sizes, at, after.thresholds.exact)

    def flop_betting(self, state: Betting) -> "PostflopBetting":
        """The game after a flop that follows an end of preflop betting with chips behind."""
        assert self.preflop is not None
        paid = state.paid + state.bet
        return replace(
            self.postflop[state.pot_type],
            num_cards=3,
            pot=self.pot + 2 * paid,
            stack=self.stack - paid,
            rake=self.preflop.rake_chips,
            min_bet=self.min_bet,
        )

    @cached_property
    def _counts_preflop_raises(self) -> bool:
        """Whether they matter, now or after the flop; states that differ in nothing are one."""
        return self.preflop is not None and (self.preflop.counts_raises or len(self.postflop) > 1)

    def _bet(self, here: Betting, amount: int) -> Step:
        me, other = here.actor, 1 - here.actor
        is_raise = here.bets[other] > 0
        bets = (amount, here.bets[IP]) if me == OOP else (here.bets[OOP], amount)
        after = here._replace(actor=other, bets=bets)
        if here.street == PREFLOP:
            num_raises = here.num_raises + self._counts_preflop_raises
            after = after._replace(increment=amount - here.bet, num_raises=num_raises)
            token = "r" + bb_text(amount)
        else:
            after = after._replace(num_raises=here.num_raises + is_raise)
            token = f"{'r' if is_raise else 'b'}{amount}"
        return Step(ALL_IN if amount == self.stack - here.paid else token, amount, after)

    def _check(self, here: Betting) -> Betting:
        """The big blind's option ends the betting; after the flop the last to act is IP."""
        if here.actor == OOP and here.street > PREFLOP:
            return here._replace(actor=IP)
        return self._street_over(here, NONE)

    def _call(self, here: Betting) -> Betting:
        called = here._replace(bets=(here.bet, here.bet))
        if self._is_first(here):  # a limp leaves the big blind his option
            return called._replace(actor=BB)
        return self._street_over(called, here.actor)

    def _is_first(self, here: Betting) -> bool:
        return here.street == PREFLOP and here.actor == SB and here.bets == self.first.bets

    def _street_over(self, here: Betting, caller: int) -> Betting:
        is_last = here.street == RIVER or not self.postflop
        over = here._replace(kind=SHOWDOWN if is_last else DEAL, actor=NONE, caller=caller)
        if here.street == PREFLOP and self.postflop:
            over = over._replace(pot_type=min(here.num_raises, len(self.postflop) - 1))
        return over._replace(increment=0, num_raises=0)

    def _after_the_card(self, here: Betting) -> Betting:
        """OOP is to act, or the board is run out for an all-in that was called."""
        street, paid = Street(here.street + 1), here.paid + here.bet
        after = here._replace(street=street, paid=paid, bets=(0, 0))
        if paid < self.stack:
            return after._replace(kind=DECISION, actor=OOP)
        return after._replace(kind=SHOWDOWN if street == RIVER else DEAL)


def _chips_of(token: str, all_in: int) -> tuple[int, ...]:
    """What a token of `played` bets or raises to; nothing for the others."""
    if token == ALL_IN:
        return (all_in,)
    return (min(int(token[1:]), all_in),) if token[1:].isdecimal() else ()


def find_step(here: Betting, steps: Sequence[Step], token: str) -> int | None:
    """Which step a token of a decision means; None if it is not legal.

    An all-in may be written as what it bets or raises to; before the flop, or more.
    """
    tokens = [step.token for step in steps] if here.kind == DECISION else []
    if token in tokens:
        return tokens.index(token)
    number = token[1:]
    if not tokens or tokens[-1] != ALL_IN or token[:1] not in ("b", "r"):
        return None
    if here.street > PREFLOP:
        means_all_in = number == str(steps[-1].amount)
    else:
        is_number = number.replace(".", "", 1).isdecimal()
        means_all_in = is_number and to_chips(float(number)) >= steps[-1].amount
    return len(tokens) - 1 if means_all_in else None


def action_label(token: str, amount: int, share: float) -> str:
    """A bet or raise after the flop as people read it: `b182 (33 %)`, `a (910, 165 %)`."""
    chips = f"{amount:,}, " if token == ALL_IN else ""
    return f"{token} ({chips}{100 * share:.0f} %)"


def describe_legal(here: Betting, legal: Sequence[str]) -> str:
    """What could have been played instead, for an error message."""
    if here.street > PREFLOP:
        return f"the actions here are {', '.join(legal)}" if legal else "the hand is over"
    if not legal:
        return "the betting is over, nothing may follow"
    return f"not legal here; {POSITIONS[here.actor]} may play {', '.join(legal)}"
