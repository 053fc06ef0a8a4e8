"""A preflop solution node by node as plain values.

All 169 classes are in every view, in class order; one that the solution was not dealt has no
combos and never gets anywhere.
"""

from collections.abc import Sequence
from math import nan

from poker_solver.cards import HAND_NAMES
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.games.betting import NONE, POSITIONS
from poker_solver.preflop.solution import PreflopNode, PreflopSolution
from poker_solver.query.node import (
    ActionDistribution,
    HandView,
    Kind,
    NodeView,
    PlayerView,
    SolveFacts,
)


def preflop_view(solution: PreflopSolution, line: str | Sequence[str] = "") -> NodeView:
    """The node a line leads to."""
    node = solution.node(line)
    return NodeView(
        facts=_facts(solution),
        line=node.line,
        history=node.history,
        board="",
        kind=_kind(solution, node),
        actor=None if node.player == NONE else node.player,
        pot_chips=_chips(node.pot_bb),
        reached=node.reached,
        actions=node.actions,
        players=(_player(node, 0), _player(node, 1)),
    )


def _facts(solution: PreflopSolution) -> SolveFacts:
    first, second = solution.value_bb
    return SolveFacts(
        name=solution.config.name,
        stack_chips=solution.config.stack_chips,
        all_in_chips=solution.config.all_in_chips,
        chips_per_bb=CHIPS_PER_BB,
        iterations=solution.iterations,
        exploitability_pct=solution.exploitability_pct,
        value_chips=(first * CHIPS_PER_BB, second * CHIPS_PER_BB),
        is_model=solution.is_model,
    )


def _kind(solution: PreflopSolution, node: PreflopNode) -> Kind:
    betting = solution.tree.betting(node.node)
    if not betting.is_over:
        return "decision"
    if betting.folder != NONE:
        return "fold"
    return "all-in" if betting.bet >= solution.config.all_in_chips else "flop"


def _chips(amount_bb: float) -> int:
    return round(amount_bb * CHIPS_PER_BB)


def _player(node: PreflopNode, seat: int) -> PlayerView:
    dealt = {name: _hand(node, seat, index) for index, name in enumerate(node.hands)}
    actions = node.actions if seat == node.player else ()
    mix, evs = ActionDistribution.even(actions), tuple(nan for _ in actions)
    return PlayerView(
        name=POSITIONS[seat],
        behind_chips=_chips(node.behind_bb[seat]),
        hands=tuple(
            dealt.get(name) or HandView(name, 0, 0.0, 0.0, nan, nan, mix, evs)
            for name in HAND_NAMES
        ),
        ev_chips=node.mean_ev_bb[seat] * CHIPS_PER_BB,
        equity=node.equity[seat],
    )


def _hand(node: PreflopNode, seat: int, index: int) -> HandView:
    acts = seat == node.player
    return HandView(
        name=node.hands[index],
        num_dealt=int(node.combos[index]),
        reach=float(node.reach[seat, index]),
        share=float(node.share[seat, index]) if node.reached > 0 else 0.0,
        ev_chips=float(node.ev_bb[seat, index]) * CHIPS_PER_BB,
        equity=float(node.hand_equity[seat, index]),
        mix=ActionDistribution(
            node.actions if acts else (),
            tuple(node.strategy[:, index].tolist()) if acts else (),
        ),
        ev_actions_chips=tuple(
            (node.ev_actions_bb[:, index] * CHIPS_PER_BB).tolist() if acts else ()
        ),
    )
