"""Walk a line through a solution and see it as plain values; nothing is solved or drawn here."""

from poker_solver.query.node import (
    ActionDistribution,
    ActionKind,
    ActionTotal,
    EndHand,
    EndView,
    HandView,
    NodeView,
    RangeHand,
    RangeView,
    SolveFacts,
    View,
    action_kind,
    action_words,
)

__all__ = [
    "ActionDistribution",
    "ActionKind",
    "ActionTotal",
    "EndHand",
    "EndView",
    "HandView",
    "NodeView",
    "RangeHand",
    "RangeView",
    "SolveFacts",
    "View",
    "action_kind",
    "action_words",
]
