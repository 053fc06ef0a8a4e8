"""The preflop game against rules worked out by hand and against pokerkit's state machine."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem

from poker_solver.cards import parse_hand
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import GameError, InputError, LineError
from poker_solver.games.betting import BB, IP, OOP, SB
from poker_solver.games.hunl_preflop import HUNLPreflop, HUNLState

AA, KK, AK = (parse_hand(text)[0] for text in ("AA", "KK", "AK"))


def play(game: HUNLPreflop, hands: tuple[int, int], line: str) -> HUNLState:
    """Small blind's hand, big blind's hand, in the order of the line."""
    state = next(s for s in game.initial_states() if s.hands == hands[::-1])
    for action in line.split():
        assert action in game.actions(state)
        state = game.next_state(state, action)
    return state


@pytest.fixture(scope="module")
def game() -> HUNLPreflop:
    return HUNLPreflop(load_config("standard"), hands=["AA", "KK", "AK"])


def test_deals_are_weighted_by_disjoint_pairs_of_combos(game: HUNLPreflop) -> None:
    weights = {state.hands: game.deal_weight(state) for state in game.initial_states()}
    assert len(weights) == 9
    assert weights[AA, AA] == 6
    assert weights[AA, KK] == weights[KK, AA] == 36
    assert weights[AA, AK] == 12  # three aces are left for a pair, four suits
    assert weights[AK, AK] == 12


def test_all_deals_together_are_every_pair_of_hands() -> None:
    full = HUNLPreflop(load_config("push_fold_10"))
    deals = full.initial_states()
    assert len(deals) == 169 * 169
    assert sum(full.deal_weight(state) for state in deals) == 1_624_350


@pytest.mark.parametrize(
    ("hand", "line", "key"),
    [("AA", "", "SB:AA:"), ("T9", "r2.5", "BB:T9:r2.5"), ("72o", "r2.5 r8", "SB:72o:r2.5-r8")],
)
def test_keys_name_position_hand_and_line(hand: str, line: str, key: str) -> None:
    game = HUNLPreflop(load_config("standard"), hands=[hand])
    index = parse_hand(hand)[0]
    assert game.info_set_key(play(game, (index, index), line)) == key


def test_the_small_blind_acts_first_and_the_big_blind_has_the_option(game: HUNLPreflop) -> None:
    start = play(game, (AA, KK), "")
    assert game.player(start) == SB == IP == 1
    assert start.pot == 150
    assert start.stack == (9900, 9950)
    assert list(game.actions(start))[:3] == ["f", "c", "r2.5"]
    assert list(game.actions(start))[-1] == "a"
    limped = play(game, (AA, KK), "c")
    assert game.player(limped) == BB == OOP == 0
    assert list(game.actions(limped))[:2] == ["x", "r2.5"]
    assert game.is_terminal(play(game, (AA, KK), "c x"))
    assert list(game.actions(play(game, (AA, KK), "a"))) == ["f", "c"]


def test_utilities_by_hand(game: HUNLPreflop) -> None:
    equity = load_equity_table().equity()[AA, KK]
    folded = play(game, (AA, KK), "f")
    assert [game.utility(folded, player) for player in (SB, BB)] == [-0.5, 0.5]
    raised = play(game, (AA, KK), "r2.5 r8 f")
    assert [game.utility(raised, player) for player in (SB, BB)] == [-2.5, 2.5]
    flop = play(game, (AA, KK), "r2.5 r8 c")
    assert game.utility(flop, SB) == pytest.approx(16 * equity - 8, abs=1e-12)
    assert game.utility(flop, BB) == pytest.approx(8 - 16 * equity, abs=1e-12)
    shoved = play(game, (AA, KK), "a f")
    assert [game.utility(shoved, player) for player in (SB, BB)] == [1, -1]
    called = play(game, (KK, AA), "a c")
    assert game.utility(called, SB) == pytest.approx(100 - 200 * equity, abs=1e-12)


def test_antes_and_rake_by_hand() -> None:
    config = Config(stack_depth=20, raise_sizes=[3], ante=0.5, rake={"rate": 0.05, "cap": 0.3})
    game = HUNLPreflop(config, hands=["AA", "KK"])
    equity = load_equity_table().equity()[AA, KK]
    folded = play(game, (AA, KK), "r3 f")  # no flop, no drop
    assert [game.utility(folded, player) for player in (SB, BB)] == [1.5, -1.5]
    limped = play(game, (AA, KK), "c x")
    assert limped.pot == 300
    assert game.utility(limped, SB) == pytest.approx(equity * (3 - 0.15) - 1.5, abs=1e-12)
    flop = play(game, (AA, KK), "r3 c")  # 5 % of 7 bb is over the cap
    assert game.utility(flop, BB) == pytest.approx((1 - equity) * (7 - 0.3) - 3.5, abs=1e-12)
    assert game.utility(flop, SB) + game.utility(flop, BB) == pytest.approx(-0.3, abs=1e-12)


def test_push_or_fold_takes_the_limp_away() -> None:
    game = HUNLPreflop(load_config("push_fold_10"), hands=["AA"])
    start = game.initial_states()[0]
    assert list(game.actions(start)) == ["f", "a"]
    assert list(game.actions(game.next_state(start, "a"))) == ["f", "c"]


def test_bad_hands_and_bad_lines_are_refused() -> None:
    config = load_config("standard")
    with pytest.raises(InputError, match="'AX'"):
        HUNLPreflop(config, hands=["AX"])
    with pytest.raises(InputError, match="169"):
        HUNLPreflop(config, hands=[169])
    with pytest.raises(GameError, match="without hands"):
        HUNLPreflop(config, hands=[])
    bad = HUNLState((0, 0), ("r2.5", "r3"), (0, 0), 0, 0)
    with pytest.raises(LineError, match=r"token 2 'r3': not legal here; BB may play f, c, r6,"):
        HUNLPreflop(config, hands=["AA"]).actions(bad)


def at_the_table(config: Config) -> Any:
    """The same hand dealt by pokerkit; heads-up it seats the big blind first."""
    return NoLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_DEALING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        config.ante_chips,
        config.blind_chips,
        config.blind_chips[1],
        config.stack_chips,
        2,
    )


def same_options(game: HUNLPreflop, state: HUNLState, table: Any) -> None:
    """Everything we offer is legal there, and what we leave out of the ladder is not."""
    config = game.config
    tokens = list(game.actions(state))
    here = game.rules.play(state.history).state
    offered = {step.amount for step in game.rules.steps(here)} - {0}
    assert len(offered) == sum(token[0] in "ra" for token in tokens)
    for chips in offered:
        assert table.can_complete_bet_or_raise_to(chips), (state, chips)
    bet = max(table.bets)
    for size in config.raise_sizes:
        chips = min(round(size * 100), config.all_in_chips)
        if chips > bet and chips not in offered:
            assert not table.can_complete_bet_or_raise_to(chips), (state, chips)
    assert table.can_check_or_call() or not config.limp
    if "f" in tokens:
        assert table.can_fold()
    assert ("x" in tokens) == (table.checking_or_calling_amount == 0)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    sizes = draw(st.lists(st.integers(101, 4000), min_size=0, max_size=8))
    return Config(
        stack_depth=draw(st.integers(160, 3000)) / 100,
        raise_sizes=[size / 100 for size in sizes],
        ante=draw(st.sampled_from([0.0, 0.0, 0.13, 0.5])),
        blinds={"small": draw(st.sampled_from([0.5, 0.4]))},
    )


@settings(max_examples=150, deadline=None)
@given(config=configs(), seed=st.integers(0, 2**32))
def test_random_lines_agree_with_pokerkit(config: Config, seed: int) -> None:
    rng = random.Random(seed)
    game, table = HUNLPreflop(config, hands=["AA"]), at_the_table(config)
    state = game.initial_states()[0]
    while not game.is_terminal(state):
        assert state.stack == tuple(table.stacks)  # the referee counts seats from the big blind too
        assert state.pot == table.total_pot_amount
        assert state.to_act == table.actor_index
        same_options(game, state, table)
        action = rng.choice([a for a in game.actions(state) if a != "f" or rng.random() < 0.3])
        state = game.next_state(state, action)
        if action == "f":
            table.fold()
        elif action in "cx":
            table.check_or_call()
        else:
            table.complete_bet_or_raise_to(game.rules.play(state.history).state.bet)
    if state.history[-1] == "f":
        won = [game.utility(state, player) * 100 for player in (0, 1)]
        assert won == pytest.approx(table.payoffs, abs=1e-9)
    else:
        assert table.actor_index is None  # a flop comes next
        assert state.pot == table.total_pot_amount
        assert state.stack == tuple(table.stacks)  # the referee counts seats from the big blind too
