"""Hands in which the opponent bets random amounts: always an answer, and always a legal one."""

import numpy as np
import pytest

from poker_solver.cards import card_to_string
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import DEAL, DECISION, POSITIONS, PREFLOP, Betting, BettingRules
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.solver import SubgameSolver
from tests.support.blueprints import book
from tests.support.full_games import small


def drawn_action(rules: BettingRules, here: Betting, rng: np.random.Generator) -> str:
    """A check or call, seldom a fold, or any bet that poker allows."""
    plain = rules.legal_actions(here)[:2]
    all_in = rules.stack - here.paid
    if here.bets[1 - here.actor] < all_in and rng.random() < 0.4:
        least = min(rules.least(here), all_in)
        return rules.amount_token(here, int(least + (all_in - least) * rng.random() ** 3))
    calls = [token for token in plain if token in ("x", "c")]
    return "f" if not calls or ("f" in plain and rng.random() < 0.1) else calls[0]


def play(solver: SubgameSolver, hero: int, rng: np.random.Generator) -> int:
    """One hand; how many decisions were answered."""
    rules, deck = solver.stored.rules, rng.permutation(52).tolist()
    here, line, dealt, answers = rules.first, "", 0, 0
    while here.kind in (DECISION, DEAL):
        if here.kind == DEAL:
            count = 3 if here.street == PREFLOP else 1
            cards = "".join(map(card_to_string, deck[dealt : dealt + count]))
            line, dealt = line + (f" | {cards}" if count == 3 else f" {cards}"), dealt + count
            here = rules.steps(here)[0].after
            continue
        token = drawn_action(rules, here, rng)
        if here.actor == hero:
            answer = solver.solve_range(None, line)
            assert answer.player == hero
            np.testing.assert_allclose(answer.strategy.sum(axis=0), 1, atol=1e-5)
            token, answers = str(rng.choice(answer.actions)), answers + 1
        step = rules.any_step(here, token)  # raises where it is not legal
        assert here.actor != hero or step.token == token
        line += " " + (POSITIONS[here.actor] if here.street == PREFLOP else "") + step.token
        here = step.after
    return answers


@pytest.mark.parametrize("strategy", [book, small], ids=["blueprint", "solution"])
@pytest.mark.parametrize("gadget", ["unsafe", "resolve", "combined"])
def test_every_decision_has_a_legal_answer(strategy: object, gadget: str) -> None:
    stored = strategy()  # type: ignore[operator]
    assert isinstance(stored, BlueprintStrategy | UnifiedSolution)
    config = SubgameConfig(
        time_budget_ms=60_000, max_iterations=2, threads=1, bet_gadget=gadget, street_gadget=gadget
    )
    solver, rng = SubgameSolver(stored, config=config), np.random.default_rng(3)
    answers = sum(play(solver, hand % 2, rng) for hand in range(10))
    assert answers > 15
