"""A node as the page gets it: what `NodeView` says, in a head and arrays; nothing is worked out.

A filter picks combos of both players; classes and totals are then those of what was picked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from poker_solver.cards import NUM_CARDS, card_to_string, cards_from_string
from poker_solver.query.filters import filtered, parse_filter
from poker_solver.query.groups import by_class, by_kind, together
from poker_solver.query.made_hands import DRAWS, MADE, kinds_of
from poker_solver.query.node import HandView, NodeView, PlayerView, action_words
from poker_solver.query.palette import Palette

Arrays = dict[str, NDArray[np.floating]]


class ActionHead(BaseModel):
    """One action over the whole range, or over what was picked of it."""

    action: str  # b182
    label: str  # b182 (33 %)
    words: str  # bet 182 (33 %)
    color: str
    combos: float
    share: float | None  # None if nobody gets here
    ev: float | None  # of the hands that take it, in the unit
    ev_pct: float | None  # of the pot
    is_rough: bool  # its EVs rest on answers to what hardly anybody plays


class StepHead(BaseModel):
    """A step of the line: what was played or dealt, and what else could have been."""

    token: str
    words: str  # check, bet 182 (33 %), 7d
    player: str  # who acted; empty for a card
    share: float | None  # how often it is played; None for a card
    color: str
    line: str  # up to and with this step
    siblings: list[ActionHead]
    before: str  # the line before it


class PlayerHead(BaseModel):
    """One player at the node; the arrays have the hands."""

    name: str
    behind: float  # in the unit
    ev: float | None  # in the unit
    ev_pct: float | None  # of the pot
    equity: float | None
    eqr: float | None
    combos: float
    arrived: float
    shown: float  # of the deals that get here, those that a filter picks
    hands: list[str]  # names of the combos, after the flop
    made: list[str]  # of each combo
    draws: list[str]


class GroupHead(BaseModel):
    """Hands taken together by what they have or draw to."""

    name: str
    combos: float
    share: float
    ev: float | None
    equity: float | None
    eqr: float | None
    mix: list[float]


class NodeHead(BaseModel):
    """Everything about a node but the numbers of single hands.

    Arrays, for player p of 0 and 1: `p.classes` [169, 6] and `p.combos` [H, 6] with combos dealt,
    reach, share, EV, equity, EQR; `p.part` [169] the part of each class that is here. Of who acts:
    `mix` and `evs` [169, A], `combo_mix` and `combo_evs` [H, A], `locked` [H]. EVs are in `unit`.
    """

    solution: str
    title: str  # of the solve, in the library
    name: str  # of the game; a spot has none
    line: str
    history: list[str]
    board: str
    kind: str
    actor: int | None
    pot: float
    unit: str  # bb or chips
    reached: float
    iterations: int
    exploitability: str
    warning: str
    rare: str  # who hardly gets here; empty if nobody
    num_locked: int
    filter: str
    actions: list[ActionHead]
    steps: list[StepHead]
    cards: list[str]  # that can fall here
    flops: int | None  # that are stored, where a flop falls; None elsewhere
    solved: list[str]  # flops of this line that are in the library
    solve: str  # the id of the save in which this node of a game was solved
    is_looked_up: bool  # in the flops that a game stores; what follows them is solved
    can_build: bool  # whether a spot begins here
    kinds: dict[str, list[str]]  # made, draws: that somebody has here, filter or not
    players: list[PlayerHead]
    groups: dict[str, list[list[GroupHead]]]  # made, draws: of both players


@dataclass(frozen=True)
class Around:
    """What a node does not know of itself."""

    id: str
    title: str
    steps: list[StepHead]
    flops: int = 0  # that are stored
    solved: Sequence[str] = ()  # flops in the library
    solve: str = ""  # where the node was solved apart


def node_parts(
    whole: NodeView, filter: str, around: Around, palette: Palette
) -> tuple[NodeHead, Arrays]:
    """A node, or what a filter picks of it."""
    view, wanted = picked(whole, filter)
    return _head(view, whole, wanted, around, palette), node_arrays(view)


def _head(
    view: NodeView, whole: NodeView, wanted: str, around: Around, palette: Palette
) -> NodeHead:
    """All that is said in words and single numbers; `whole` is the node without a filter."""
    facts = view.facts
    return NodeHead(
        solution=around.id,
        title=around.title,
        name=facts.name,
        line=view.line,
        history=list(view.history),
        board=view.board,
        kind=view.kind,
        actor=view.actor,
        pot=facts.money(view.pot_chips),
        unit="bb" if facts.chips_per_bb else "chips",
        reached=view.reached,
        iterations=facts.iterations,
        exploitability=exploitability_text(view),
        warning=warning(view),
        rare=view.rare.name if view.rare else "",
        num_locked=view.num_locked,
        filter=wanted,
        actions=action_heads(view, palette, whole.rough_actions),
        steps=around.steps,
        cards=cards_left(view),
        flops=around.flops if view.kind == "flop" else None,
        solved=list(around.solved),
        solve=around.solve,
        is_looked_up=facts.full_game is not None and facts.full_game.is_looked_up,
        can_build=begins_spot(view),
        kinds=_kinds(whole),
        players=[_player(view, player) for player in view.players],
        groups=_groups(view),
    )


def node_arrays(view: NodeView) -> Arrays:
    """The numbers of every class and combo of both players."""
    found: Arrays = {}
    for seat, player in enumerate(view.players):
        found[f"{seat}.classes"] = _numbers(view, player.hands)
        found[f"{seat}.part"] = np.array([hand.part for hand in player.hands])
        found[f"{seat}.combos"] = _numbers(view, player.combos)
    if view.actor is not None:
        money = view.facts.money
        for name, hands in (("", view.hands), ("combo_", view.combos)):
            width = len(view.actions)
            mixes = [hand.mix.frequency for hand in hands]
            evs = [[money(ev) for ev in hand.ev_actions_chips] for hand in hands]
            found[f"{name}mix"] = np.array(mixes, float).reshape(-1, width)
            found[f"{name}evs"] = np.array(evs, float).reshape(-1, width)
        found["locked"] = np.array([hand.is_locked for hand in view.combos], float)
    return found


def picked(view: NodeView, text: str) -> tuple[NodeView, str]:
    """The node with only what a filter picks, and the filter in words."""
    if not text.strip() or not view.board:
        return view, ""
    wanted = parse_filter(text)
    players = []
    for seat, player in enumerate(view.players):
        hands = filtered(view, seat, wanted)
        actions = view.actions if seat == view.actor else ()
        all_of_them = together("", hands, actions)
        players.append(
            replace(
                player,
                combos=hands,
                hands=by_class(hands, actions, view.board),
                ev_chips=all_of_them.ev_chips,
                equity=all_of_them.equity,
            )
        )
    return replace(view, players=(players[0], players[1])), str(wanted)


def action_heads(view: NodeView, palette: Palette, rough: Sequence[str]) -> list[ActionHead]:
    """Each action of who acts, in order."""
    colors = palette.colors(view.actions)
    labels, evs = view.labels or view.actions, _action_evs(view)
    return [
        ActionHead(
            action=total.action,
            label=label,
            words=words_of(total.action, label, view),
            color=colors[total.action],
            combos=total.num_combos,
            share=known(total.share),
            ev=known(view.facts.money(ev)),
            ev_pct=known(100 * ev / view.pot_chips) if view.pot_chips else None,
            is_rough=total.action in rough,
        )
        for total, label, ev in zip(view.totals, labels, evs, strict=True)
    ]


_SIZED = re.compile(r"([bra])([\d,]*) \((?:([\d,]+), )?(\d+ %)\)")


def words_of(action: str, label: str, view: NodeView) -> str:
    """`bet 182 (33 %)`, `all-in 89 bb (218 %)`: in bb where the node's money is."""
    return size_words(action, label, view.facts.chips_per_bb)


def size_words(action: str, label: str, chips_per_bb: int | None) -> str:
    """The same of an action of a spot that is not solved yet."""
    sized = _SIZED.fullmatch(label)
    if sized is None:
        return action_words(action)
    kind, chips, all_in, share = sized.groups()
    amount = float((chips or all_in).replace(",", "")) / (chips_per_bb or 1)
    name = {"b": "bet", "r": "raise", "a": "all-in"}[kind]
    told = f"{amount:,.2f}".rstrip("0").rstrip(".")
    return f"{name} {told}{' bb' if chips_per_bb else ''} ({share})"


def _action_evs(view: NodeView) -> list[float]:
    """Chips that the hands that take each action win by it, over the deals that get here."""
    hands = [hand for hand in view.combos or view.hands if hand.share > 0]
    shares = np.array([hand.share for hand in hands])  # [H]
    mixes = np.array([hand.mix.frequency for hand in hands])  # [H, A]
    evs = np.array([hand.ev_actions_chips for hand in hands])  # [H, A]
    if not hands:
        return [nan for _ in view.actions]
    taken = shares[:, None] * mixes
    won = np.where(taken > 0, taken * evs, 0.0).sum(axis=0)
    total = taken.sum(axis=0)
    return [float(w / t) if t > 0 else nan for w, t in zip(won, total, strict=True)]


def begins_spot(view: NodeView) -> bool:
    """Whether what follows is a spot of its own: a street begins here, or a flop is to fall."""
    if view.kind == "flop":
        return True
    begins = not view.history or view.history[-1] in (view.board[-2:], view.board)
    return bool(view.board) and view.kind == "decision" and begins


def step_head(before: NodeView, after: NodeView, palette: Palette) -> StepHead:
    """The last step of a line, and what else could have been played there."""
    siblings = action_heads(before, palette, before.rough_actions)
    token = after.history[-1]
    own = next((one for one in siblings if one.action == token), None)
    return StepHead(
        token=token,
        words=own.words if own else token,
        player=before.player,
        share=own.share if own else None,
        color=own.color if own else "",
        line=after.line,
        siblings=siblings,
        before=before.line,
    )


def cards_left(view: NodeView) -> list[str]:
    """Cards that can fall where one does, from the ace down."""
    if view.kind != "deal":
        return []
    dead = cards_from_string(view.board)
    return [card_to_string(card) for card in reversed(range(NUM_CARDS)) if card not in dead]


def exploitability_text(view: NodeView) -> str:
    """How far from equilibrium, and over what that was measured."""
    whole = view.facts.full_game
    if whole is None:
        return f"{view.facts.exploitability_pct:.3g} % of the starting pot"
    if view.board and isfinite(view.facts.exploitability_pct):
        return f"{view.facts.exploitability_pct:.3g} % of the pot it was solved from"
    over = "all 1,755 flops" if whole.num_flops == 1755 else f"{whole.num_flops:,} flops"
    how = f"certified over {over}" if whole.is_certified else f"in training, on {over}"
    return f"{whole.exploitability_mbb:.2f} mbb, {how}"


def warning(view: NodeView) -> str:
    """What a reader must know before he believes the page."""
    facts, said = view.facts, []
    if facts.is_too_early:
        said.append("Stopped too early to use.")
    if facts.is_check_only:
        said.append("No bets were given: this game is check-only.")
    if facts.is_model:
        said.append("A model: after the flop nobody bets.")
    if view.rare:
        said.append(
            f"Hardly anybody gets here: {view.rare.name} with {100 * view.rare.arrived:.2g} % of "
            "its range. What is shown was hardly practised."
        )
    return " ".join(said)


def known(value: float) -> float | None:
    """A number, or None where there is none: JSON knows no NaN."""
    return value if isfinite(value) else None


def _player(view: NodeView, player: PlayerView) -> PlayerHead:
    kinds = [kinds_of(hand.name, view.board) for hand in player.combos]
    pot = view.pot_chips
    return PlayerHead(
        name=player.name,
        behind=view.facts.money(player.behind_chips),
        ev=known(view.facts.money(player.ev_chips)),
        ev_pct=known(100 * player.ev_chips / pot) if pot else None,
        equity=known(player.equity),
        eqr=known(view.realised(player)),
        combos=player.num_combos,
        arrived=player.arrived,
        shown=sum(hand.share for hand in player.hands),
        hands=[hand.name for hand in player.combos],
        made=[made for made, _ in kinds],
        draws=[draw for _, draw in kinds],
    )


def _kinds(view: NodeView) -> dict[str, list[str]]:
    held = {
        kind
        for player in view.players
        for hand in player.combos
        if hand.is_here
        for kind in kinds_of(hand.name, view.board)
    }
    return {
        "made": [name for name in MADE if name in held],
        "draws": [name for name in DRAWS if name in held],
    }


def _groups(view: NodeView) -> dict[str, list[list[GroupHead]]]:
    if not view.board:
        return {}
    titles = {"made": "made hand", "draws": "draw"}
    return {
        name: [[_group(view, one) for one in by_kind(view, title, seat)] for seat in (0, 1)]
        for name, title in titles.items()
    }


def _group(view: NodeView, hand: HandView) -> GroupHead:
    return GroupHead(
        name=hand.name,
        combos=hand.num_combos,
        share=hand.share,
        ev=known(view.facts.money(hand.ev_chips)),
        equity=known(hand.equity),
        eqr=known(view.realised(hand)),
        mix=list(hand.mix.frequency),
    )


def _numbers(view: NodeView, hands: Sequence[HandView]) -> NDArray[np.float64]:
    rows = [
        (
            hand.num_dealt, hand.reach, hand.share,
            view.facts.money(hand.ev_chips), hand.equity, view.realised(hand),
        )
        for hand in hands
    ]  # fmt: skip
    return np.array(rows, float).reshape(-1, 6)
