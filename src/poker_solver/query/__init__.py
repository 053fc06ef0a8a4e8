"""Walk a line through a solution and see it as plain values; nothing is solved or drawn here."""

from poker_solver.query.node import (
    ActionDistribution,
    ActionKind,
    ActionTotal,
    HandView,
    NodeView,
    PlayerView,
    SolveFacts,
    action_kind,
    action_words,
)
from poker_solver.query.view import node_view

__all__ = [
    "ActionDistribution",
    "ActionKind",
    "ActionTotal",
    "HandView",
    "NodeView",
    "PlayerView",
    "SolveFacts",
    "action_kind",
    "action_words",
    "node_view",
]
