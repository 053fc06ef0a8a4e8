"""The all-in is offered before the flop wherever there are chips, whatever the sizes are."""

import json

import pytest

from poker_solver.config.preflop import Config, load_config
from poker_solver.games.betting import ALL_IN, DECISION, BettingRules
from poker_solver.games.notation import at_stack_of, parse_action_sequence, play_line
from poker_solver.trees.betting import build_betting_tree
from tests.support.commands import run


@pytest.mark.parametrize("name", ["standard", "short_20", "deep_200", "aggressive", "push_fold_10"])
@pytest.mark.parametrize("stack", [7, 20, 33])
def test_at_every_decision_of_every_preset_and_depth(name: str, stack: int) -> None:
    betting = load_config(name).with_stack(stack).betting
    tree = build_betting_tree(BettingRules(betting))
    for state, steps in zip(tree.states, tree.steps, strict=True):
        if state.kind == DECISION and state.bet < betting.all_in_chips:
            assert [step.token for step in steps].count(ALL_IN) == 1
            assert steps[-1].amount == betting.all_in_chips


def test_standard_at_150_bb_has_one() -> None:
    line = parse_action_sequence("150bb SBr2.5 BBa SBc")
    config = at_stack_of(line, load_config("standard"))
    assert play_line(line, config.betting).history == ("r2.5", "a", "c")
    assert BettingRules(config.betting).legal_actions(BettingRules(config.betting).first)[-1] == "a"


def test_allin_false_turns_it_off() -> None:
    config = Config(stack_depth=30, raise_sizes=[2.5, 8], allin=False)
    rules = BettingRules(config.betting)
    assert rules.legal_actions(rules.first) == ("f", "c", "r2.5", "r8")


def test_hunl_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--model", "checkdown", "--iterations", "1", "--quiet", "--json")
    code, out, _ = run(capsys, "hunl", "--config", "short_20", "--action", "25bb SBr2.5", *options)
    assert code == 0
    found = json.loads(out)
    assert (found["player"], found["actions"][-1]) == ("BB", "a")
