"""Reviews of hands, kept in a folder each, the worst hands first.

FOLDER/.reviews/ID/histories.txt   the hands as they were given
FOLDER/.reviews/ID/review.json     totals, and a row for every hand
FOLDER/.reviews/ID/hands.jsonl     the decisions of those hands, a line each
"""

from itertools import islice
from pathlib import Path

from pydantic import BaseModel

from poker_solver.cards import cards_to_string
from poker_solver.config.base import CHIPS_PER_BB, to_bb
from poker_solver.errors import InputError, NotFoundError
from poker_solver.games.betting import POSITIONS, PREFLOP
from poker_solver.play.hand import PokerHand, hole_text
from poker_solver.play.review import (
    STREET_NAMES,
    HandReview,
    Review,
    ReviewedDecision,
    StreetTotal,
)
from poker_solver.query.node import action_words
from poker_solver.query.palette import chosen_palette
from poker_solver.store.files import write_bytes
from poker_solver.web.library import GAME

HISTORIES, TOTALS, HANDS = "histories.txt", "review.json", "hands.jsonl"


class SaidAction(BaseModel):
    """An action, how often it is to be played, and what it is worth."""

    action: str
    words: str
    color: str
    share: float
    ev_bb: float | None


class DecisionRecord(BaseModel):
    """A decision that was reviewed; money in big blinds."""

    street: str
    line: str
    board: str
    pot_bb: float
    played: str
    words: str  # of what was played
    nearest: str
    best: str
    frequency: float
    lost_bb: float | None
    why: str
    source: str
    notes: list[str]
    actions: list[SaidAction]
    solution: str  # that has the line, for the study page; empty if none has
    solution_line: str


class HandRow(BaseModel):
    """A hand in the list."""

    number: int  # the worst is 0
    hand_id: str
    name: str
    seat: str
    cards: str
    opponent: str  # his cards where they are known
    board: str
    stack_bb: float
    line: str
    won_bb: float | None  # before rake; None where hands were not shown
    lost_bb: float
    num_decisions: int
    num_known: int
    worst: str  # in words
    problem: str


class HandRecord(HandRow):
    """A hand with its decisions."""

    notes: list[str]
    decisions: list[DecisionRecord]


class StreetRecord(BaseModel):
    """All decisions of a street."""

    num_decisions: int
    num_known: int
    lost_bb: float


class ReviewTotals(BaseModel):
    """What a player's hands lost."""

    num_asked: int
    num_done: int
    lost_bb: float
    lost_bb_per_100: float | None
    streets: dict[str, StreetRecord]
    skipped: dict[str, int]  # why hands of the text were left out
    hands: list[HandRow]


def keep_review(folder: Path, review: Review, skipped: dict[str, int]) -> None:
    """Write what there is."""
    records = [hand_record(number, hand) for number, hand in enumerate(review.hands)]
    fields = set(HandRow.model_fields)
    totals = ReviewTotals(
        num_asked=review.num_asked,
        num_done=len(review.hands),
        lost_bb=review.lost_bb,
        lost_bb_per_100=review.lost_bb_per_100,
        streets=dict(zip(STREET_NAMES, map(_street, review.streets), strict=True)),
        skipped=skipped,
        hands=[HandRow(**one.model_dump(include=fields)) for one in records],
    )
    write_bytes(folder / HANDS, b"".join(one.model_dump_json().encode() + b"\n" for one in records))
    write_bytes(folder / TOTALS, totals.model_dump_json().encode())


def read_totals(folder: Path) -> ReviewTotals | None:
    """What a review came to so far; None if there is nothing yet."""
    try:
        return ReviewTotals.model_validate_json((folder / TOTALS).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"review {folder.name} is damaged, delete it") from error


def read_hand_record(folder: Path, number: int) -> HandRecord:
    """One hand of a review."""
    try:
        with (folder / HANDS).open(encoding="utf-8") as file:
            for line in islice(file, number, number + 1):
                return HandRecord.model_validate_json(line)
    except (OSError, ValueError) as error:
        raise InputError(f"review {folder.name} is damaged, delete it") from error
    raise NotFoundError(f"there is no hand {number} in review {folder.name}")


def hand_record(number: int, review: HandReview) -> HandRecord:
    """A hand as the page gets it."""
    asked, hand = review.asked, review.asked.hand
    worst = review.worst
    said = ""
    if worst is not None and worst.lost_bb:
        said = f"{STREET_NAMES[worst.street]}: {_words(worst.played, worst.street)}"
    return HandRecord(
        number=number,
        hand_id=asked.hand_id,
        name=asked.name,
        seat=POSITIONS[asked.seat],
        cards=hole_text(hand.holes[asked.seat]),
        opponent=hole_text(hand.holes[1 - asked.seat]),
        board=cards_to_string(hand.board),
        stack_bb=hand.stack_bb,
        line=str(hand.line),
        won_bb=_won_bb(hand, asked.seat),
        lost_bb=review.lost_bb,
        num_decisions=len(review.decisions),
        num_known=sum(one.lost_bb is not None for one in review.decisions),
        worst=said,
        problem=review.problem,
        notes=list(asked.notes),
        decisions=[_decision(one, review.game) for one in review.decisions],
    )


def _decision(one: ReviewedDecision, game: str) -> DecisionRecord:
    colors = chosen_palette().colors(tuple(one.mix))
    is_stored = one.stored_line is not None
    return DecisionRecord(
        street=STREET_NAMES[one.street],
        line=one.line,
        board=one.board,
        pot_bb=one.pot_bb,
        played=one.played,
        words=_words(one.played, one.street),
        nearest=one.nearest,
        best=one.best,
        frequency=one.frequency,
        lost_bb=one.lost_bb,
        why=one.why,
        source=one.source,
        notes=list(one.notes),
        actions=[
            SaidAction(
                action=token,
                words=_words(token, one.street),
                color=colors[token],
                share=share,
                ev_bb=one.ev_bb.get(token),
            )
            for token, share in one.mix.items()
        ],
        solution=f"{GAME}{game}" if is_stored else "",
        solution_line=one.stored_line or "",
    )


def _words(token: str, street: int) -> str:
    """`b375` -> `bet 3.75 bb`; before the flop amounts are big blinds already."""
    if token[0] not in "br":
        return action_words(token)
    amount = float(token[1:]) if street == PREFLOP else int(token[1:]) / CHIPS_PER_BB
    return f"{'bet' if token[0] == 'b' else 'raise to'} {amount:g} bb"


def _won_bb(hand: PokerHand, seat: int) -> float | None:
    known = hand.is_folded or (hand.is_shown and None not in hand.holes)
    return to_bb(hand.won_chips(seat)) if hand.is_over and known else None


def _street(total: StreetTotal) -> StreetRecord:
    return StreetRecord(
        num_decisions=total.num_decisions, num_known=total.num_known, lost_bb=total.lost_bb
    )
