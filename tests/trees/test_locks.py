"""What docs/locks.md shows is what happens; and which boards a lock holds on."""

import re
from pathlib import Path

import pytest
import yaml

from poker_solver.errors import ConfigError
from poker_solver.games.betting import NONE
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.locks import find_locks, lock_symmetries
from tests.support.spots import named_spot

PAGE = (Path(__file__).parents[2] / "docs" / "locks.md").read_text()
SPOT = named_spot("turn_example")
TREE = build_betting_tree(SPOT.betting)


def test_the_yaml_of_the_page_locks_the_turn_example() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    locks = find_locks(SPOT.with_locks(yaml.safe_load(text)["locks"]), TREE)
    assert [lock.is_open for lock in locks] == [True, False, False, False, False]
    every, one = locks[3], locks[4]
    assert every.dealt == (NONE,)
    assert all(every.holds_on([card]) for card in range(52))
    assert [card for card in range(52) if one.holds_on([card])] == [23]  # 7s: 4 * 5 + 3
    assert len(lock_symmetries(SPOT.cards, SPOT.weights, locks)) == 1


def test_the_error_of_the_page() -> None:
    spot = SPOT.with_locks(
        [
            {"line": "x x 2c b150", "strategy": {"f": 1}},
            {"line": "", "hands": {"22": {"x": 1}}},
        ]
    )
    with pytest.raises(ConfigError) as caught:
        find_locks(spot, TREE)
    (said,) = re.findall(r"^error: (.*)$", PAGE, re.MULTILINE)
    assert str(caught.value) == said
