"""A solved game node by node as plain values: combos and 169 classes, before and after the flop."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan, prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import HAND_NAMES, NUM_CARDS, cards_from_string
from poker_solver.config.base import CHIPS_PER_BB, to_chips
from poker_solver.fullgame.after_flop import Point
from poker_solver.fullgame.blueprint.points import BlueprintPoint
from poker_solver.fullgame.lines import FullLine
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import NONE, PLAYERS, POSITIONS
from poker_solver.postflop.solution.node import SolutionNode
from poker_solver.postflop.solution.solution import Solution
from poker_solver.preflop.solution import PreflopNode, PreflopSolution
from poker_solver.query.groups import by_class
from poker_solver.query.node import (
    ActionDistribution,
    FullGameFacts,
    HandView,
    Kind,
    NodeView,
    PlayerView,
    SolveFacts,
)

AnySolution = Solution | PreflopSolution | UnifiedSolution
"""What has nodes to view."""

FLOPS_LEFT, CARDS_LEFT = 17_296, (45, 44)
"""Flops, turns and rivers that two hands leave."""


def node_view(solution: AnySolution, line: str | Sequence[str] = "") -> NodeView:
    """The node a line leads to: `SBr2.5 BBr8`, `x b94 c 7d`, both with a bar, or its tokens.

    Of a full game, what follows a flop may be solved first.
    """
    if isinstance(solution, PreflopSolution):
        return _preflop_view(solution, solution.node(line))
    if isinstance(solution, UnifiedSolution):
        return _full_view(solution, solution.locate(line))
    return _spot_view(solution, solution.node(line))


def blueprint_view(point: BlueprintPoint) -> NodeView:
    """A decision of a blueprint; after the flop no EVs are known."""
    whole = replace(_worth(point.solution), is_stored=True)
    if point.number is None:
        return _view_before(point.solution, point.line, whole)
    return _view_after(point.solution, point.line, point.after_flop(), whole)


def _full_view(solution: UnifiedSolution, line: FullLine) -> NodeView:
    whole = _worth(solution)
    if not line.flop:
        return _view_before(solution, line, whole)
    number, cards = solution.find_line(line.before), cards_from_string(line.flop)
    return _view_after(solution, line, solution.after_flop.point(number, cards, line.after), whole)


def _worth(solution: UnifiedSolution) -> FullGameFacts:
    proof = solution.certificate
    return FullGameFacts(
        exploitability_mbb=solution.exploitability_mbb,
        num_flops=(proof or solution.record).num_flops,
        is_certified=proof is not None,
    )


def _view_before(solution: UnifiedSolution, line: FullLine, whole: FullGameFacts) -> NodeView:
    view = _preflop_view(solution.preflop, solution.preflop.node(line.before))
    return replace(view, facts=replace(view.facts, full_game=whole))


def _view_after(
    solution: UnifiedSolution, line: FullLine, point: Point, whole: FullGameFacts
) -> NodeView:
    node, solved = point.node, point.solved
    betting = solution.game.lines[solution.find_line(line.before)].betting
    facts = SolveFacts(
        name=solution.config.name,
        stack_chips=betting.stack,
        all_in_chips=betting.stack,
        chips_per_bb=CHIPS_PER_BB,
        iterations=0 if solved is None else solved.iterations,
        exploitability_pct=nan if solved is None else solved.exploitability_pct,
        full_game=replace(whole, is_looked_up=solved is None),
    )
    chance = FLOPS_LEFT * prod(CARDS_LEFT[: len(node.board) // 2 - 3])
    reached = num_deals(node) / solution.game.deal.num_deals / chance
    full = line._replace(after=tuple(node.line.split()))
    started = solution.spot_game(solution.find_line(line.before), cards_from_string(line.flop))
    view = _node_view(node, facts, reached, started.weights)
    return replace(view, line=str(full), history=full.tokens)


def _preflop_view(solution: PreflopSolution, node: PreflopNode) -> NodeView:
    first, second = solution.value_bb
    return NodeView(
        facts=SolveFacts(
            name=solution.config.name,
            stack_chips=solution.stack_chips,
            all_in_chips=solution.betting.all_in_chips,
            chips_per_bb=CHIPS_PER_BB,
            iterations=solution.iterations,
            exploitability_pct=solution.exploitability_pct,
            value_chips=(first * CHIPS_PER_BB, second * CHIPS_PER_BB),
            is_model=solution.is_model,
        ),
        line=node.line,
        history=node.history,
        board="",
        kind=_preflop_kind(solution, node),
        actor=None if node.player == NONE else node.player,
        pot_chips=to_chips(node.pot_bb),
        reached=node.reached,
        actions=node.actions,
        players=(_preflop_player(node, 0), _preflop_player(node, 1)),
    )


def _spot_view(solution: Solution, node: SolutionNode) -> NodeView:
    game = solution.game
    chance = 1.0 / prod(NUM_CARDS - 4 - n for n in range(len(game.cards), len(node.board) // 2))
    facts = SolveFacts(
        name="",
        stack_chips=game.stack,
        all_in_chips=game.stack,
        chips_per_bb=game.betting.big_blind,
        iterations=solution.iterations,
        exploitability_pct=solution.exploitability_pct,
        is_check_only=not solution.tree.amount.any(),
    )
    reached = num_deals(node) / solution.layout.num_pairs * chance
    return _node_view(node, facts, reached, game.weights)


def _node_view(
    node: SolutionNode, facts: SolveFacts, reached: float, started: NDArray[np.floating]
) -> NodeView:
    """`started` [2, 1326] are the ranges that the betting after the flop began with."""
    return NodeView(
        facts=facts,
        line=node.line,
        history=tuple(node.line.split()),
        board=node.board,
        kind=cast(Kind, node.kind),
        actor=None if node.player is None else PLAYERS.index(node.player),
        pot_chips=node.pot,
        reached=reached,
        actions=node.actions,
        players=(_spot_player(node, 0, started[0]), _spot_player(node, 1, started[1])),
        num_locked=int(node.locked.sum()),
        labels=node.labels,
    )


def num_deals(node: SolutionNode) -> float:
    """Pairs of hands that get here, each by its reach."""
    first = node.players[0]
    return float(first.reach.astype(np.float64) @ first.met)


def _preflop_kind(solution: PreflopSolution, node: PreflopNode) -> Kind:
    betting = solution.tree.betting(node.node)
    if not betting.is_over:
        return "decision"
    if betting.folder != NONE:
        return "fold"
    return "all-in" if betting.bet >= solution.betting.all_in_chips else "flop"


def _preflop_player(node: PreflopNode, seat: int) -> PlayerView:
    """All 169 classes; one that was not dealt has no combos and never gets anywhere."""
    actions = node.actions if seat == node.player else ()
    counts, shares = node.combos.astype(np.int64), np.nan_to_num(node.share[seat])
    evs, equity = node.ev_bb[seat] * CHIPS_PER_BB, node.hand_equity[seat]
    columns = (counts, node.reach[seat], shares, evs, equity)
    ev_actions = node.ev_actions_bb * CHIPS_PER_BB
    hands = _hands(node.hands, columns, actions, node.strategy, ev_actions)
    dealt = {hand.name: hand for hand in hands}
    even, unknown = ActionDistribution.even(actions), tuple(nan for _ in actions)
    return PlayerView(
        name=POSITIONS[seat],
        behind_chips=to_chips(node.behind_bb[seat]),
        hands=tuple(
            dealt.get(name) or HandView(name, 0, 0.0, 0.0, nan, nan, even, unknown)
            for name in HAND_NAMES
        ),
        ev_chips=node.mean_ev_bb[seat] * CHIPS_PER_BB,
        equity=node.equity[seat],
        arrived=float(counts @ node.reach[seat] / counts.sum()),
    )


def _spot_player(node: SolutionNode, seat: int, started: NDArray[np.floating]) -> PlayerView:
    player = node.players[seat]
    began = float(started[player.combos].sum(dtype=np.float64))
    actions = node.actions if player.name == node.player else ()
    ones, shares = np.ones(len(player.combos), np.int64), np.nan_to_num(player.share)
    strategy = node.strategy.astype(np.float64)
    strategy /= strategy.sum(axis=0)  # to 1 in float64 too
    columns = (ones, player.reach, shares, player.ev_chips, player.equity)
    combos = _hands(player.hands, columns, actions, strategy, node.ev_actions)
    if actions and node.locked.any():
        pairs = zip(combos, node.locked.tolist(), strict=True)
        combos = tuple(replace(hand, is_locked=locked) for hand, locked in pairs)
    return PlayerView(
        name=player.name.upper(),
        behind_chips=node.behind[seat],
        hands=by_class(combos, actions, node.board),
        ev_chips=player.mean_ev,
        equity=player.mean_equity,
        combos=combos,
        arrived=player.num_combos / began if began > 0 else 0.0,
    )


def _hands(
    names: Sequence[str],
    columns: Sequence[NDArray[Any]],
    actions: tuple[str, ...],
    strategy: NDArray[np.float64],
    ev_actions_chips: NDArray[np.floating],
) -> tuple[HandView, ...]:
    """`columns` are [H]: combos dealt, reach, share, EV, equity; the last two [A, H] if any."""
    rows = zip(names, *(column.tolist() for column in columns), strict=True)
    hands = tuple(HandView(*row) for row in rows)
    if not actions:
        return hands
    mixes, evs = strategy.T.tolist(), ev_actions_chips.T.tolist()
    return tuple(
        replace(hand, mix=ActionDistribution(actions, tuple(mix)), ev_actions_chips=tuple(ev))
        for hand, mix, ev in zip(hands, mixes, evs, strict=True)
    )
