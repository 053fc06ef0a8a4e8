"""A preflop solution node by node as plain values; what they look like is somebody else's business.

All 169 classes are in every view, in class order; one that the solution was not dealt has no
combos and never gets anywhere.
"""

from collections.abc import Sequence
from math import nan

from poker_solver.cards import HAND_NAMES
from poker_solver.config import CHIPS_PER_BB
from poker_solver.games.betting import BB, NONE, POSITIONS, SB
from poker_solver.preflop.solution import PreflopNode, PreflopSolution
from poker_solver.query.node import (
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


def solve_facts(solution: PreflopSolution) -> SolveFacts:
    """What was solved, and how far."""
    return SolveFacts(
        config=solution.config.name,
        stack_bb=solution.config.stack_depth,
        all_in_bb=solution.config.all_in_chips / CHIPS_PER_BB,
        iterations=solution.iterations,
        seconds=solution.seconds,
        exploitability_bb=solution.exploitability_bb,
        exploitability_pct=solution.exploitability_pct,
        value_bb=solution.value_bb,
        is_model=solution.is_model,
    )


def node_view(solution: PreflopSolution, history: Sequence[str] = ()) -> View:
    """The node a legal history leads to."""
    node = solution.node(tuple(history))
    if node.player == NONE:
        return _end_view(solution, node)
    place = {name: index for index, name in enumerate(node.hands)}
    return NodeView(
        facts=solve_facts(solution),
        line=node.line,
        history=node.history,
        player=node.position,
        pot_bb=node.pot_bb,
        behind_bb=node.behind_bb,
        reached=node.reached,
        actions=node.actions,
        hands=tuple(_hand_view(node, name, place.get(name)) for name in HAND_NAMES),
        opponent=_range_view(node, 1 - node.player),
    )


def _hand_view(node: PreflopNode, name: str, index: int | None) -> HandView:
    num_actions = len(node.actions)
    if index is None:
        even = ActionDistribution(node.actions, (1 / num_actions,) * num_actions)
        return HandView(name, 0, 0.0, even, (nan,) * num_actions)
    return HandView(
        name=name,
        combos=int(node.combos[index]),
        reach=float(node.reach[node.player, index]),
        mix=ActionDistribution(node.actions, tuple(node.strategy[:, index].tolist())),
        ev_bb=tuple(node.ev_actions_bb[:, index].tolist()),
    )


def _range_view(node: PreflopNode, player: int) -> RangeView:
    dealt = dict(zip(node.hands, node.combos.tolist(), strict=True))
    reach = dict(zip(node.hands, node.reach[player].tolist(), strict=True))
    hands = (RangeHand(name, int(dealt.get(name, 0)), reach.get(name, 0.0)) for name in HAND_NAMES)
    return RangeView(POSITIONS[player], tuple(hands))


def _end_view(solution: PreflopSolution, node: PreflopNode) -> EndView:
    betting = solution.tree.betting(node.node)
    is_all_in = betting.bet >= solution.config.all_in_chips
    return EndView(
        facts=solve_facts(solution),
        line=node.line,
        history=node.history,
        ending="fold" if betting.folded != NONE else "all-in" if is_all_in else "flop",
        folded="" if betting.folded == NONE else POSITIONS[betting.folded],
        pot_bb=node.pot_bb,
        behind_bb=node.behind_bb,
        reached=node.reached,
        equity=node.equity,
        ev_bb=node.mean_ev_bb,
        ranges=(_range_view(node, BB), _range_view(node, SB)),
        hands=(_end_hands(node, BB), _end_hands(node, SB)),
    )


def _end_hands(node: PreflopNode, player: int) -> tuple[EndHand, ...]:
    pairs = zip(node.hand_equity[player].tolist(), node.ev_bb[player].tolist(), strict=True)
    found = {name: EndHand(*pair) for name, pair in zip(node.hands, pairs, strict=True)}
    return tuple(found.get(name, EndHand(nan, nan)) for name in HAND_NAMES)
