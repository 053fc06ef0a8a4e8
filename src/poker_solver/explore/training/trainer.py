"""Practice as a state machine: a hand is dealt, each decision is asked for and graded.

    trainer.deal() -> TrainingQuestion     the hero's hand, what happened, what he may do
    trainer.answer("b94") -> Grade
    trainer.go_on() -> TrainingQuestion    the next decision of the hand; None where it is over

The hero's hand is drawn from the range that gets there and the opponent's from his, without the
hero's cards; the opponent plays what the solution plays with it. Knows no terminal and no browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    NUM_CARDS,
    NUM_COMBOS,
    cards_from_string,
    cards_to_string,
    combo_from_string,
    combo_to_string,
    unblocked,
)
from poker_solver.errors import InputError
from poker_solver.explore.session import Explored
from poker_solver.explore.training.grades import Grade, StreetScore, grade, scores
from poker_solver.explore.training.memory import Memory, Mistake
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.query.node import HandView, NodeView, PlayerView

F64 = NDArray[np.float64]

MOST_DEALS = 200
"""Hands without a decision of the hero that are dealt before that is an error."""


@dataclass(frozen=True)
class Move:
    """What happened between two questions."""

    player: str  # OOP, IP, SB or BB; empty where cards fell
    token: str
    board: str  # after it


@dataclass(frozen=True)
class TrainingQuestion:
    """A decision of the hero."""

    view: NodeView
    seat: int
    combo: str
    moves: tuple[Move, ...]  # since the last question of the hand, or since its start
    is_repeat: bool = False  # of an earlier mistake


@dataclass(frozen=True)
class Ended:
    """How a hand came out."""

    view: NodeView  # where it ended
    moves: tuple[Move, ...]  # since the last question
    opponent: str  # what the other held
    is_cut: bool  # play would go on, but what follows is not solved, or one decision was asked for


class Trainer:
    """One person's practice on one solution.

    Args:
        game: a solved spot, preflop game or full game.
        history: the node to begin at; from the start if empty.
        seat: of the hero, 0 or 1; None changes with every hand.
        solution: its id, which mistakes are kept by.
        one_decision: every hand ends with the hero's first decision.
        seed: of all that is drawn.
        memory: mistakes kept so far; without one they last as long as the trainer.
    """

    def __init__(
        self,
        game: Explored,
        history: Sequence[str] = (),
        *,
        seat: int | None = None,
        solution: str = "",
        one_decision: bool = False,
        seed: int | None = None,
        memory: Memory | None = None,
    ) -> None:
        if seat not in (None, 0, 1):
            raise InputError(f"seat {seat!r}: want 0, 1 or None for both")
        self.game, self.solution, self.one_decision = game, solution, one_decision
        self.memory = Memory() if memory is None else memory
        self.grades: list[Grade] = []
        self.num_hands = 0
        self.ended: Ended | None = None
        self._rng = np.random.default_rng(seed)
        self._seat, self._start = seat, tuple(history)
        self._question: TrainingQuestion | None = None
        self._grade: Grade | None = None
        self._other = 0
        self._repeated: Mistake | None = None
        view = game.view(self._start)
        if view.kind != "decision" and view.kind != "deal":
            raise InputError(f"nobody acts after {view.line!r}: there is nothing to train")

    @property
    def question(self) -> TrainingQuestion:
        """The one to be answered, or answered last."""
        if self._question is None:
            raise InputError("no hand was dealt yet")
        return self._question

    @property
    def last_grade(self) -> Grade | None:
        """Of the last question; None while it is not answered."""
        return self._grade

    def scores(self) -> dict[str, StreetScore]:
        """What the practice came to so far: all decisions, and each street."""
        return scores(self.grades)

    def deal(self) -> TrainingQuestion:
        """A new hand: a mistake whose time has come, or one by the ranges that get there."""
        mistake = self.memory.next_due(self.solution)
        if mistake is not None:
            return self.repeat(mistake)
        for _ in range(MOST_DEALS):
            seat = self.num_hands % 2 if self._seat is None else self._seat
            question = self._begin(self._start, seat, None)
            if question is not None:
                self.num_hands += 1
                return question
        raise InputError("the hero never gets to act here; choose the other seat or another line")

    def repeat(self, mistake: Mistake) -> TrainingQuestion:
        """Ask for a decision again."""
        try:
            question = self._begin(mistake.history, mistake.seat, mistake)
        except InputError:
            question = None
        if question is None:
            self.memory.put_right(mistake)  # the solution has no such place any more
            return self.deal()
        self.num_hands += 1
        return question

    def answer(self, action: str) -> Grade:
        """Grade an answer; a mistake is kept, one that was put right is forgotten in time."""
        question = self.question
        if self._grade is not None:
            raise InputError("this decision was answered; go on")
        view = question.view
        hand = _hand_of(view.acting, question.combo)
        found = grade(view, hand, action, combo=question.combo, repeat=question.is_repeat)
        self._grade = found
        self.grades.append(found)
        self.memory.count(self.solution, found)
        self._remember(question, found)
        return found

    def go_on(self) -> TrainingQuestion | None:
        """The hero's next decision of this hand; None where it is over, see `ended`."""
        question = self.question
        if self._grade is None:
            raise InputError("this decision is not answered yet")
        if self.ended is not None:
            return None
        played = Move(question.view.player, self._grade.played, question.view.board)
        history = (*question.view.history, self._grade.played)
        if self.one_decision:
            self._end(question.view, (played,), is_cut=True)
            return None
        return self._advance(history, question.seat, question.combo, [played])

    def _remember(self, question: TrainingQuestion, found: Grade) -> None:
        repeated, self._repeated = self._repeated, None
        if found.verdict == "unknown":
            return
        if found.verdict == "right":
            if repeated is not None:
                self.memory.put_right(repeated)
            return
        self.memory.add(
            Mistake(
                solution=self.solution,
                history=question.view.history,
                line=question.view.line,
                seat=question.seat,
                combo=question.combo,
                played=found.played,
                best=found.best,
                lost_bb=found.lost_bb,
                lost_pct=found.lost_pct,
                chips_per_bb=question.view.facts.chips_per_bb if question.view.board else None,
            )
        )

    def _begin(
        self, history: tuple[str, ...], seat: int, mistake: Mistake | None
    ) -> TrainingQuestion | None:
        """Deal at a node and play to the hero's first decision; None if there is none."""
        view = self.game.view(history)
        if mistake is None:
            own = self._drawn(_weights(view.players[seat], "share"))
        else:
            own = combo_from_string(mistake.combo)
        if own is None:
            raise InputError(f"nobody gets to {view.line!r} in the solution")
        left = unblocked(COMBO_CARDS[own].tolist())
        other = self._drawn(_weights(view.players[1 - seat], "reach") * left)
        if other is None:
            raise InputError(f"the opponent never gets to {view.line!r} against this hand")
        self._other, self._repeated, self.ended = other, mistake, None
        return self._advance(history, seat, combo_to_string(own), [])

    def _advance(
        self, history: tuple[str, ...], seat: int, combo: str, moves: list[Move]
    ) -> TrainingQuestion | None:
        """Play the opponent and the cards until the hero is to act or the hand is over."""
        while True:
            view = self.game.view(history)
            if view.actor == seat and len(view.actions) > 1:
                repeated = self._repeated is not None and self._repeated.history == history
                self._question = TrainingQuestion(view, seat, combo, tuple(moves), repeated)
                self._grade = None
                return self._question
            if view.actor is not None:
                token = view.actions[0] if view.actor == seat else self._opponents_move(view)
                moves.append(Move(view.player, token, view.board))
            else:
                token = self._next_cards(view, seat, combo)
                if not token:
                    self._end(view, tuple(moves), is_cut=view.kind in ("deal", "flop"))
                    return None
                moves.append(Move("", token, view.board + token))
            history = (*history, token)

    def _opponents_move(self, view: NodeView) -> str:
        mix = _hand_of(view.acting, combo_to_string(self._other)).mix
        shares = np.array(mix.frequency)
        return mix.actions[int(self._rng.choice(len(shares), p=shares / shares.sum()))]

    def _next_cards(self, view: NodeView, seat: int, combo: str) -> str:
        """What falls next; nothing where the hand is over or what follows is not at hand."""
        count = {"deal": 1, "flop": 3}.get(view.kind, 0)
        if not count or not any(player.behind_chips for player in view.players):
            return ""
        whole = view.facts.full_game
        if view.kind == "deal" and whole is not None and whole.is_looked_up:
            return ""  # a turn would be solved first
        held = (*cards_from_string(combo), *COMBO_CARDS[self._other].tolist())
        gone = {*held, *cards_from_string(view.board)}
        left = [card for card in range(NUM_CARDS) if card not in gone]
        cards = tuple(self._rng.choice(left, count, replace=False).tolist())
        if view.kind == "flop" and not self._is_at_hand(view, cards, seat, combo):
            return ""
        return cards_to_string(cards)

    def _is_at_hand(self, view: NodeView, cards: tuple[int, ...], seat: int, combo: str) -> bool:
        """Whether a flop of a full game is known, with both hands: rare ones may be left out."""
        solution = self.game.solution
        if not isinstance(solution, UnifiedSolution):
            return False
        if not solution.after_flop.is_at_hand(solution.find_line(view.history), cards):
            return False
        players = self.game.view((*view.history, cards_to_string(cards))).players
        held = {seat: combo, 1 - seat: combo_to_string(self._other)}
        return all(any(h.name == held[s] for h in players[s].combos) for s in (0, 1))

    def _end(self, view: NodeView, moves: tuple[Move, ...], *, is_cut: bool) -> None:
        all_in = not any(player.behind_chips for player in view.players)
        other = combo_to_string(self._other)
        self.ended = Ended(view, moves, other, is_cut and not all_in)

    def _drawn(self, weights: F64) -> int | None:
        total = weights.sum()
        if not total > 0:
            return None
        return int(self._rng.choice(NUM_COMBOS, p=weights / total))


def _weights(player: PlayerView, name: str) -> F64:
    """[1326] the reach or the share of every combo."""
    found = np.zeros(NUM_COMBOS)
    if player.combos:
        for hand in player.combos:
            found[combo_from_string(hand.name)] = getattr(hand, name)
        return found
    for index, hand in enumerate(player.hands):
        of_each = hand.share / (hand.num_dealt or 1) if name == "share" else hand.reach
        found[index == COMBO_CLASS] = of_each if hand.num_dealt else 0.0
    return found


def _hand_of(player: PlayerView, combo: str) -> HandView:
    """A combo after the flop, its class before it."""
    if not player.combos:
        return player.hands[int(COMBO_CLASS[combo_from_string(combo)])]
    for hand in player.combos:
        if hand.name == combo:
            return hand
    raise InputError(f"{combo} is not in {player.name}'s range here")
