"""Full games as rules: the lines of the presets, and one tree of four streets."""

from pathlib import Path

import numpy as np
import pytest

from poker_solver.config.unified import UnifiedConfig
from poker_solver.games.betting import DEAL, PREFLOP, BettingRules
from poker_solver.games.full_game import full_game_rules
from poker_solver.trees.betting import build_betting_tree

SHORT = Path(__file__).parents[1] / "config" / "data" / "unified_cfr.yaml"


def legal(rules: BettingRules, line: str) -> str:
    return " ".join(rules.legal_actions(rules.play(line.split()).state))


@pytest.mark.parametrize(
    ("preset", "lines"),
    [
        ("hu_tiny", ["r2 c"]),
        ("hu_10", ["c x", "r2 c"]),
        ("hu_20", ["c x", "r2.5 c"]),
        ("hu_50", ["c x", "r2.5 c", "c r3.5 c", "r2.5 r8 c", "c r3.5 r11.2 c"]),
        (
            "hu_100",
            [
                "c x",
                "r2.5 c",
                "c r4 c",
                "r2.5 r10 c",
                "c r4 r10 c",
                "r2.5 r10 r24 c",
                "c r4 r10 r24 c",
            ],
        ),
    ],
)
def test_lines_of_the_presets_that_see_a_flop(preset: str, lines: list[str]) -> None:
    rules = full_game_rules(UnifiedConfig.load(preset))
    tree = build_betting_tree(rules)
    ends = np.flatnonzero((tree.street == PREFLOP) & (tree.kind == DEAL)).tolist()
    seen = [node for node in ends if tree.committed[node, 0] < rules.stack]
    assert [" ".join(tree.history(node)) for node in seen] == lines
    before = build_betting_tree(BettingRules(rules.preflop))
    for node in seen:
        state = tree.betting(node)
        flop = rules.flop_betting(state)
        assert flop.pot == tree.pot_chips(node)
        assert flop.stack + state.bet == rules.stack
        assert tree.actions(int(tree.first_child[node])) == build_betting_tree(flop).actions(0)
        # the tree that ends before the flop has the same lines
        assert before.history(before.node_at(tree.history(node))) == tree.history(node)


def test_twenty_big_blinds_as_announced() -> None:
    rules = full_game_rules(UnifiedConfig.load("hu_20"))
    assert legal(rules, "") == "f c r2.5 a"
    assert legal(rules, "c") == "x a"
    assert legal(rules, "r2.5") == "f c a"
    assert legal(rules, "r2.5 a") == "f c"


def test_the_short_form_is_played_as_its_notes_say() -> None:
    rules = full_game_rules(UnifiedConfig.load(SHORT))
    assert legal(rules, "") == "f c r2.5 a"
    assert legal(rules, "r2.5") == "f c r4 a"
    assert legal(rules, "r2.5 r4") == "f c a"
    assert legal(rules, "c") == "x r2.5 a"
    flop = build_betting_tree(rules.flop_betting(rules.play(["r2.5", "c"]).state))
    assert flop.actions(0) == ("x", "b250", "b500")
    assert flop.actions(flop.node_at("b250")) == ("f", "c", "r750", "r1250")
    assert flop.actions(flop.node_at("b250 r750")) == ("f", "c")
