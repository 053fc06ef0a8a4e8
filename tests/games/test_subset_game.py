"""The oracle of the whole game on a few flops, against what it must be by other roads."""

from itertools import combinations, product

import numpy as np
import pytest

from poker_solver.cards import cards_from_string, cards_to_string, combo_from_string
from poker_solver.cards.equity import range_equity
from poker_solver.cards.flops import FlopSet, all_flops
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards
from poker_solver.cfr.generic.best_response import compute_exploitability, game_value
from poker_solver.cfr.generic.solver import Solver
from poker_solver.config.preflop import Config
from poker_solver.games.betting import BB, SB, BettingRules
from poker_solver.games.hunl_postflop import HunlPostflop, PostflopState
from poker_solver.games.hunl_preflop import HUNLPreflop
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame, uniform_policy
from tests.support.subset_game import (
    FLOPS_OF_TWO_HANDS,
    SMALL_VALUE_BB,
    Key,
    SubsetGame,
    best_bb,
    exploitability_bb,
    read_key,
    small_subset_game,
    subset_rules,
    value_bb,
)

FLOPS = {"AsAhAd": 10_000, "QsTs2s": 12_100}


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    """Compiled once: a million nodes."""
    return compile_game(small_subset_game())


def always(game: CompiledGame, tokens: str) -> dict[str, dict[str, float]]:
    """The first of these letters that is legal, everywhere."""
    played = {}
    for key, actions in zip(game.keys, game.actions, strict=True):
        first = next(letter for letter in tokens if any(str(a)[0] == letter for a in actions))
        played[key] = {str(a): float(str(a)[0] == first) for a in actions}
    return played


def one_hot(hand: str) -> np.ndarray:
    weights = np.zeros(1326)
    weights[combo_from_string(hand)] = 1.0
    return weights


def test_hands_that_see_a_flop_are_paid_by_its_measure(game: CompiledGame) -> None:
    """SB opens with one class, BB calls, nobody bets: added up by hand from exact equities."""
    strategy = always(game, "rcx")
    strategy["SB:76:"] = {"f": 1.0}
    combos = {
        name: [a + s + b + s for s in "cdhs"] for name, a, b in (("AK", "A", "K"), ("76", "7", "6"))
    }
    every = [hand for hands in combos.values() for hand in hands]
    won, num_pairs = 0.0, 0
    for big, small in product(every, every):
        if big == small:
            continue
        num_pairs += 1
        if small in combos["76"]:
            won += 0.5
            continue
        for flop, weight in FLOPS.items():
            cards = {flop[i : i + 2] for i in (0, 2, 4)}
            if not cards & {big[:2], big[2:], small[:2], small[2:]}:
                met = range_equity(one_hot(big), one_hot(small), cards_from_string(flop))
                equity = met.players[BB].equity
                won += weight / FLOPS_OF_TWO_HANDS * 4 * (2 * equity - 1)
    assert num_pairs == 56
    assert value_bb(game, strategy)[BB] == pytest.approx(won / num_pairs, abs=1e-12)


def test_a_player_who_always_folds_loses_his_blind(game: CompiledGame) -> None:
    folds = always(game, "fx")
    assert value_bb(game, folds) == pytest.approx((0.5, -0.5), abs=1e-12)
    assert best_bb(game, folds) == pytest.approx((0.5, 1.0), abs=1e-12)
    assert exploitability_bb(game, folds) == pytest.approx(0.75, abs=1e-12)


def test_it_is_solved(game: CompiledGame) -> None:
    """Ranges on the flop are mixed ones, so that what is solved there decides what is opened."""
    result = Solver(game).solve(iterations=400)
    strategy = result.strategy
    assert result.exploitability < 1e-3
    assert exploitability_bb(game, strategy) == pytest.approx(result.exploitability, abs=1e-9)
    assert value_bb(game, strategy)[BB] == pytest.approx(SMALL_VALUE_BB, abs=1e-4)
    assert strategy["SB:76:"]["r4"] == pytest.approx(0.5, abs=0.02)
    assert strategy["BB:76:r4"]["c"] == pytest.approx(0.059, abs=0.02)
    big, small = best_bb(game, strategy)
    assert -small <= SMALL_VALUE_BB <= big


def test_keys_are_by_class_before_the_flop_and_by_combo_after_it(game: CompiledGame) -> None:
    before = {key for key in game.keys if not read_key(key).postflop}
    assert before == {"SB:AK:", "SB:76:", "BB:AK:r4", "BB:76:r4"}
    key = "SB:7h6h:r4-c-QsTs2s-x-x-2c-x"
    assert key in game.keys
    assert read_key(key) == Key(SB, "7h6h", ("r4", "c"), ("QsTs2s", "x", "x", "2c", "x"))


@pytest.mark.parametrize("stack", [4, 10])
def test_push_or_fold_is_the_preflop_game(stack: int) -> None:
    """No flop is seen: the exact equities of hands must add up to those of classes."""
    hands = ("AA", "T9s", "72o", "KQo")
    config = Config(stack_depth=stack, raise_sizes=[], limp=False)
    rules = BettingRules(config.betting, subset_rules(stack).postflop)
    ours = compile_game(SubsetGame(rules, hands, FlopSet("one", ("QsTs2s",), (22_100.0,))))
    theirs = compile_game(HUNLPreflop(config, hands))
    assert sorted(ours.keys) == sorted(theirs.keys)
    rng = np.random.default_rng(stack)
    for _ in range(5):
        strategy = {
            key: dict(zip(actions, rng.dirichlet(np.ones(len(actions))).tolist(), strict=True))
            for key, actions in zip(ours.keys, ours.actions, strict=True)
        }
        assert value_bb(ours, strategy)[BB] == pytest.approx(
            game_value(theirs, strategy), abs=1e-12
        )
        assert exploitability_bb(ours, strategy) == pytest.approx(
            compute_exploitability(theirs, strategy), abs=1e-12
        )


def test_one_flop_stands_for_its_variants() -> None:
    """Each renaming of suits as a flop of its own, or one with all the weight: the same game."""
    rules, found = subset_rules(4, bets=("a", "", "")), []
    cards = cards_from_string("KsQs2s")
    variants = sorted({permute_cards(cards, names) for names in SUIT_PERMUTATIONS})
    assert len(variants) == 4
    for flops in ([cards], variants):
        texts = tuple(cards_to_string(flop) for flop in flops)
        weights = (22_100 / len(flops),) * len(flops)
        game = compile_game(SubsetGame(rules, ["AKs"], FlopSet("some", texts, weights)))
        strategy = game.strategy_by_key(uniform_policy(game))
        solved = Solver(game).solve(iterations=30)
        found.append((exploitability_bb(game, strategy), solved.value, solved.exploitability))
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_all_flops_make_the_real_game() -> None:
    """Every flop once: the measures of any two hands sum to 1, and the payoffs are the game's."""
    flops = tuple(map(cards_to_string, combinations(range(51, -1, -1), 3)))
    rules = subset_rules(6)
    subset = SubsetGame(rules, ["AA"], FlopSet("every", flops, (1.0,) * 22_100))
    real = HunlPostflop(rules)
    state = PostflopState(
        (combo_from_string("AsAh"), combo_from_string("AdAc")), (), (), rules.first
    )
    for token in ("r2", "c", "KsQs2s", "x", "x", "3s", "x", "x", "5s", "x", "x"):
        assert [*subset.actions(state)] == [*real.actions(state)]
        state = subset.next_state(state, token)
    assert subset.utility(state, BB) == real.utility(state, BB) == 2.0
    assert sum(all_flops().weights) == len(flops)


def test_a_pair_that_no_flop_is_left_for_wins_nothing_there() -> None:
    game = SubsetGame(subset_rules(6), ("AKs", "76s"), FlopSet("one", ("KsKh7d",), (22_100.0,)))
    deals = {state.hands: state for state in game.initial_states()}
    hands = combo_from_string("AsKs"), combo_from_string("7c6c")
    state = game.next_state(game.next_state(deals[hands], "r2"), "c")
    assert game.is_terminal(state)
    assert (game.utility(state, BB), game.utility(state, SB)) == (0.0, 0.0)
