"""What docs/spots.md shows is what happens."""

import re
from pathlib import Path

import yaml

from poker_solver.config.spot import Spot
from poker_solver.games.betting import TURN
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.runouts import find_runouts
from tests.support.spots import named_spot

PAGE = (Path(__file__).parents[2] / "docs" / "spots.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def block_with(key: str) -> str:
    (found,) = (text for text in blocks("yaml") if f"\n{key}" in f"\n{text}")
    return found


def test_the_yaml_of_the_page_is_a_spot() -> None:
    spot = Spot.from_yaml(blocks("yaml")[0])
    assert spot.oop.turn is not None
    assert spot.oop.turn.donk == "25%"
    assert spot.max_raises == 3


def test_the_overrides_of_the_page_are_of_a_spot() -> None:
    sizes = {"turn": {"bet": "33%,75%", "raise": "3x"}, "river": {"bet": "75%", "raise": "3x"}}
    spot = Spot.from_mapping(
        {
            **yaml.safe_load(block_with("overrides:")),
            "board": "QhQc2c7d",
            "pot": 100,
            "stack": 900,
            **{name: {"range": "22+", **sizes} for name in ("oop", "ip")},
        }
    )
    tree = build_betting_tree(spot.betting)
    assert tree.actions(tree.node_at("x b33% c x")) == ("x", "b66")  # the later one of two
    assert tree.actions(tree.node_at("b33%")) == ("f", "c", "r132")


def test_the_tree_that_is_written_out_is_what_the_page_says() -> None:
    tree = build_betting_tree(Spot.from_yaml(block_with("lines: ")).betting)
    assert tree.actions(tree.node_at("x b12 r38")) == ("f", "c")
    assert tree.amount[tree.node_at("b24 c 2h a")] == 206


def test_the_python_of_the_page_says_what_its_comments_say() -> None:
    spot = named_spot("3betpot_fast")
    tree = build_betting_tree(spot.betting)
    node, dealt = tree.walk("x b94 c 7d", spot.cards)
    assert tree.actions(node) == ("x", "b202")
    runouts = find_runouts(spot.cards, spot.weights)
    board, renaming = runouts.locate(dealt)
    assert len(runouts.turn_card) == 36
    assert runouts.boards(TURN)[board].tolist()[3] == dealt[0] - 1  # 7d, 7c
    assert renaming == (1, 0, 2, 3)
