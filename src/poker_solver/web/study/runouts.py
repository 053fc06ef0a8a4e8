"""Every card that can fall, as the page draws it: a `CardReport` with units and colours."""

from collections.abc import Iterable

from pydantic import BaseModel

from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError
from poker_solver.query.node import NodeView
from poker_solver.query.palette import Palette
from poker_solver.query.runouts import ANY_CARD, CardReport, Runout
from poker_solver.web.opened import Open
from poker_solver.web.study.node import known, words_of


class RunoutAction(BaseModel):
    """An action that can be taken after the card."""

    action: str
    words: str
    color: str
    is_bet: bool  # or a raise


class RunoutRow(BaseModel):
    """What a card brings, or several together; pairs are of OOP and IP."""

    card: str
    share: float | None
    ev: list[float | None]  # in the unit
    equity: list[float | None]
    mix: list[float | None]


class RunoutsRecord(BaseModel):
    """Every card at one place of a line."""

    line: str  # with a star where the card falls
    before: list[str]  # the tokens up to the star
    after: list[str]  # and those behind it
    board: str
    pot: float
    unit: str
    player: str  # who acts then; empty if nobody does
    players: list[str]
    actions: list[RunoutAction]
    cards: list[RunoutRow]
    ranks: list[RunoutRow]
    suits: list[RunoutRow]
    kinds: list[RunoutRow]


def starred(opened: Open, history: tuple[str, ...]) -> tuple[str, ...]:
    """The line whose cards are meant where none has a star: the last one, else the next."""
    view = opened.view(history)
    while view.kind == "decision" and not any(map(is_card, view.history)):
        passive = "x" if "x" in view.actions else "c"
        view = opened.view((*view.history, passive))
    if view.kind == "deal":
        return (*view.history, ANY_CARD)
    dealt = [place for place, token in enumerate(view.history) if is_card(token)]
    if not dealt:
        raise InputError("no card falls here: runouts follow the end of a street")
    return (*view.history[: dealt[-1]], ANY_CARD, *view.history[dealt[-1] + 1 :])


def runouts_record(
    found: CardReport, start: NodeView, first: NodeView, palette: Palette
) -> RunoutsRecord:
    """`start` is the node at which the card falls, `first` the one after one of the cards."""
    colors, money = palette.colors(found.actions), start.facts.money
    after = found.line.partition(ANY_CARD)[2]

    def rows(of: Iterable[Runout]) -> list[RunoutRow]:
        return [
            RunoutRow(
                card=row.card,
                share=known(row.share),
                ev=[known(money(ev)) for ev in row.ev_chips],
                equity=[known(equity) for equity in row.equity],
                mix=[known(part) for part in row.frequency],
            )
            for row in of
        ]

    return RunoutsRecord(
        line=" ".join((*start.history, ANY_CARD, *after.split())),
        before=list(start.history),
        after=after.split(),
        board=found.board,
        pot=money(found.pot_chips),
        unit="bb" if start.facts.chips_per_bb else "chips",
        player=found.player,
        players=[player.name for player in start.players],
        actions=[
            RunoutAction(
                action=action, words=words_of(action, label, first), color=colors[action],
                is_bet=action[0] in "bra",
            )
            for action, label in zip(found.actions, first.labels or found.actions, strict=True)
        ],
        cards=rows(found.rows),
        ranks=rows(found.by_rank()),
        suits=rows(found.by_suit()),
        kinds=rows(found.by_kind()),
    )  # fmt: skip
