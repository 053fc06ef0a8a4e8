"""What docs/spots.md shows is what happens."""

import re
from pathlib import Path

from poker_solver.config.spot import Spot
from poker_solver.games.betting import TURN
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.runouts import find_runouts
from tests.support.spots import named_spot

PAGE = (Path(__file__).parents[2] / "docs" / "spots.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_yaml_of_the_page_is_a_spot() -> None:
    (text,) = blocks("yaml")
    spot = Spot.from_yaml(text)
    assert spot.oop.turn is not None
    assert spot.oop.turn.donk == "25%"
    assert spot.max_raises == 3


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
