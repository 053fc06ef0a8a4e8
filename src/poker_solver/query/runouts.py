"""What each card that can fall brings, one by one and taken together, as plain values."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any

from poker_solver.cards import (
    NUM_CARDS,
    RANKS,
    SUITS,
    card_from_string,
    card_to_string,
    cards_from_string,
    cards_to_string,
    rank_of,
    suit_of,
)
from poker_solver.cards.isomorphism import Permutation, permute_cards
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError
from poker_solver.games.betting import PLAYERS
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.export import rounded
from poker_solver.query.made_hands import STRAIGHTS
from poker_solver.query.view import num_deals

ANY_CARD = "*"

KINDS = (
    "overcard", "pairs the board", "third of a suit", "fourth of a suit", "straight card", "blank",
)  # fmt: skip
"""What a card is to a board; it can be several, and a blank is none of the others. With a straight
card two cards make a straight that they did not make before."""

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


@dataclass(frozen=True, slots=True)
class Runout:
    """What follows one card, or the mean over several."""

    card: str  # 7d; of several A, hearts or overcard
    share: float  # of the deals in which a card falls here
    player: str  # who acts then, or empty
    equity: tuple[float, float]  # OOP, IP
    ev_chips: tuple[float, float]  # likewise
    actions: tuple[str, ...]
    frequency: tuple[float, ...]  # over the deals that get there; NaN if none does


@dataclass(frozen=True, slots=True)
class CardReport:
    """Every card that can fall at one place of a line, and what is played after it."""

    line: str  # with a star where the card falls
    board: str  # before it
    pot_chips: int  # at the end of the line
    player: str  # who acts there, or empty
    actions: tuple[str, ...]
    rows: tuple[Runout, ...]  # from the ace down

    def by_rank(self) -> tuple[Runout, ...]:
        """Means over the cards of each rank, from the ace down."""
        return self._means(reversed(RANKS), lambda card: (card[0],))

    def by_suit(self) -> tuple[Runout, ...]:
        """Means over the cards of each suit."""
        names = [SUIT_NAMES[suit] for suit in reversed(SUITS)]
        return self._means(names, lambda card: (SUIT_NAMES[card[1]],))

    def by_kind(self) -> tuple[Runout, ...]:
        """Means over the cards of each of `KINDS`."""
        return self._means(KINDS, lambda card: kinds_of_card(card, self.board))

    def numbers(self, what: str, player: str = "") -> dict[str, float]:
        """One number per card: how often `x`, `b94` or `bet` (any size), or `ev` or `equity`.

        Frequencies and equities are parts of 1, EVs chips; `player` is whose, if not who acts.
        """
        if what in ("ev", "equity"):
            seat = PLAYERS.index((player or self.player or "oop").lower())
            return {r.card: (r.ev_chips if what == "ev" else r.equity)[seat] for r in self.rows}
        wanted = [a for a, action in enumerate(self.actions) if _is_called(action, what)]
        if not wanted:
            known = ", ".join((*self.actions, *(["bet"] if self.actions else []), "ev", "equity"))
            raise InputError(f"{what!r} cannot be shown for each card here; {known} can")
        return {row.card: sum(row.frequency[a] for a in wanted) for row in self.rows}

    def in_suits(self, suits: Permutation) -> "CardReport":
        """The same with suit s called suits[s]."""

        def renamed(cards: str) -> str:
            return cards_to_string(permute_cards(cards_from_string(cards), suits))

        words = [renamed(word) if is_card(word) else word for word in self.line.split()]
        rows = [replace(row, card=renamed(row.card)) for row in self.rows]
        rows.sort(key=lambda row: -card_from_string(row.card))
        return replace(self, line=" ".join(words), board=renamed(self.board), rows=tuple(rows))

    def _means(
        self, names: Iterable[str], labels: Callable[[str], Sequence[str]]
    ) -> tuple[Runout, ...]:
        members: dict[str, list[Runout]] = {name: [] for name in names}
        for row in self.rows:
            for label in labels(row.card):
                members[label].append(row)
        return tuple(_mean(name, rows) for name, rows in members.items() if rows)


def runouts(solution: Solution, line: str | Sequence[str]) -> CardReport:
    """What every card brings at the star of a line, as in `x b182 c * x`; at its end if none."""
    tokens = line.split() if isinstance(line, str) else list(line)
    if tokens.count(ANY_CARD) > 1:
        raise InputError("one star at a time: name the other card, as in 'x x 7d x x *'")
    place = tokens.index(ANY_CARD) if ANY_CARD in tokens else len(tokens)
    start, then = solution.node(tokens[:place]), tokens[place + 1 :]
    if start.kind != "deal":
        raise InputError(f"no card falls after {start.line!r}; runouts follow the end of a street")
    before, dead = start.line.split(), cards_from_string(start.board)
    cards = [card for card in reversed(range(NUM_CARDS)) if card not in dead]
    after = [solution.node([*before, card_to_string(card), *then]) for card in cards]
    deals = [num_deals(node) for node in after]
    total, player = sum(deals), (after[0].player or "").upper()
    rows = tuple(
        Runout(
            card=card_to_string(card),
            share=here / total if total > 0 else nan,
            player=player,
            equity=(node.players[0].mean_equity, node.players[1].mean_equity),
            ev_chips=(node.players[0].mean_ev, node.players[1].mean_ev),
            actions=node.actions,
            frequency=tuple(node.frequency.tolist()) if node.player else (),
        )
        for card, node, here in zip(cards, after, deals, strict=True)
    )
    played = after[0].line.split()[len(before) + 1 :]
    shown = " ".join([*before, ANY_CARD, *played])
    return CardReport(shown, start.board, after[0].pot, player, after[0].actions, rows)


def kinds_of_card(card: str, board: str) -> tuple[str, ...]:
    """What a card is to the board it falls on: some of `KINDS`."""
    new, shown = card_from_string(card), cards_from_string(board)
    rank, ranks = rank_of(new), {rank_of(other) for other in shown}
    suited = 1 + sum(suit_of(other) == suit_of(new) for other in shown)
    makes_straight = rank not in ranks and any(
        rank in run and len(run & ranks) == 2 for run in STRAIGHTS
    )
    found = [
        name
        for name, holds in (
            ("overcard", rank > max(ranks)),
            ("pairs the board", rank in ranks),
            ("third of a suit", suited == 3),
            ("fourth of a suit", suited == 4),
            ("straight card", makes_straight),
        )
        if holds
    ]
    return tuple(found) or ("blank",)


def runouts_report(found: CardReport) -> dict[str, Any]:
    """What `explore --runouts --json` prints."""
    return {
        "line": found.line,
        "board": found.board,
        "pot": found.pot_chips,
        "player": found.player.lower() or None,
        "actions": list(found.actions),
        "cards": {row.card: _told(row) for row in found.rows},
        "ranks": {row.card: _told(row) for row in found.by_rank()},
        "suits": {row.card: _told(row) for row in found.by_suit()},
        "kinds": {row.card: _told(row) for row in found.by_kind()},
    }


def runouts_csv(found: CardReport) -> str:
    """A row per card: share of the deals, equity and EV of both, how often each action."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    heads = [f"{what}_{player}" for what in ("equity", "ev") for player in PLAYERS]
    rows.writerow(["card", "share", *heads, *(f"freq_{action}" for action in found.actions)])
    for row in found.rows:
        numbers = (row.share, *row.equity, *row.ev_chips, *row.frequency)
        rows.writerow([row.card, *("" if isnan(n) else f"{n:.6f}" for n in numbers)])
    return out.getvalue()


def _told(row: Runout) -> dict[str, Any]:
    return {
        "share": rounded(row.share),
        "equity": dict(zip(PLAYERS, map(rounded, row.equity), strict=True)),
        "ev": dict(zip(PLAYERS, map(rounded, row.ev_chips), strict=True)),
        "frequency": [rounded(p) for p in row.frequency],
    }


def _is_called(action: str, what: str) -> bool:
    return action[0] in "bra" if what in ("bet", "raise") else action == what


def _mean(name: str, rows: Sequence[Runout]) -> Runout:
    """Over the deals that get there; a card that nobody gets to counts for nothing."""
    held = [row for row in rows if row.share > 0]
    share = sum(row.share for row in held)

    def mean(of: Callable[[Runout], tuple[float, ...]]) -> tuple[float, ...]:
        if not held:
            return tuple(nan for _ in of(rows[0]))
        columns = zip(*(of(row) for row in held), strict=True)
        return tuple(
            sum(row.share * v for row, v in zip(held, values, strict=True) if not isnan(v)) / share
            for values in columns
        )

    equity, ev = mean(lambda row: row.equity), mean(lambda row: row.ev_chips)
    return Runout(
        card=name,
        share=share,
        player=rows[0].player,
        equity=(equity[0], equity[1]),
        ev_chips=(ev[0], ev[1]),
        actions=rows[0].actions,
        frequency=mean(lambda row: row.frequency),
    )
