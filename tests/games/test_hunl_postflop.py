"""The whole game as rules: hands beside a referee that knows nothing of ours; what keys tell."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem

from poker_solver.cards import cards_to_string, combo_from_string, combo_to_string
from poker_solver.cards.equity import range_equity
from poker_solver.cards.ranges import parse_range
from poker_solver.cfr.generic.best_response import game_value
from poker_solver.config.preflop import Config
from poker_solver.config.unified import UnifiedConfig, full_game_names
from poker_solver.errors import ConfigError, GameError
from poker_solver.games.base import CHANCE
from poker_solver.games.betting import BB, FLOP, RIVER, SB, BettingRules
from poker_solver.games.full_game import full_game_rules
from poker_solver.games.hunl_postflop import HunlPostflop, PostflopConfig, PostflopState
from poker_solver.trees.compile import compile_game
from tests.support.postflop_spots import small_spot

BY_HAND = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
UNKNOWN = "??"  # a card that is burnt
PRESETS = {name: full_game_rules(UnifiedConfig.load(name)) for name in full_game_names()}


def referee_of(game: HunlPostflop) -> Any:
    """Counts seats from the big blind too; cards are dealt as our game says."""
    preflop = game.preflop
    return NoLimitTexasHoldem.create_state(
        tuple({*Automation} - BY_HAND),
        True,
        preflop.ante_chips,
        preflop.blind_chips,
        preflop.blind_chips[1],
        preflop.all_in_chips + preflop.ante_chips,
        2,
    )


def agrees(game: HunlPostflop, state: PostflopState, referee: Any) -> None:
    """The same turn, street, cards, pot and stacks; everything offered is legal."""
    assert referee.actor_index == game.player(state)
    assert referee.street_index == state.street
    assert cards_to_string(state.board) == "".join(
        repr(card) for cards in referee.board_cards for card in cards
    )
    assert tuple(referee.bets) == state.betting.bets
    assert referee.total_pot_amount == game.pot_chips(state)
    assert tuple(referee.stacks) == game.stack_chips(state)
    for token in game.actions(state):
        if token == "f":
            assert referee.can_fold()
        elif token in ("x", "c"):
            assert referee.can_check_or_call()
            assert (token == "x") == (referee.checking_or_calling_amount == 0)
        else:
            assert referee.can_complete_bet_or_raise_to(raised_to(game, state, token)), token


def raised_to(game: HunlPostflop, state: PostflopState, token: str) -> int:
    return game.next_state(state, token).betting.bets[game.player(state)]


def play(game: HunlPostflop, state: PostflopState, token: str, referee: Any) -> None:
    """The referee's part of one of our moves."""
    if len(state.hands) < 2:
        referee.deal_hole(token)
    elif game.player(state) == CHANCE:
        referee.burn_card(UNKNOWN)
        referee.deal_board(token)
    elif token == "f":
        referee.fold()
    elif token in ("x", "c"):
        referee.check_or_call()
    else:
        referee.complete_bet_or_raise_to(raised_to(game, state, token))


@st.composite
def games(draw: st.DrawFn) -> HunlPostflop:
    """A preset of the full game, a config of any depth, or one with antes and other sizes."""
    stack, kind = draw(st.integers(101, 20_000)) / 100, draw(st.sampled_from("pccr"))
    if kind == "p":
        return HunlPostflop(PRESETS[draw(st.sampled_from(sorted(PRESETS)))])
    if kind == "c":
        sizes = draw(st.lists(st.integers(1, 300), max_size=4))
        return HunlPostflop(
            PostflopConfig(stack_depth=stack, bet_sizes=tuple(size / 100 for size in sizes))
        )
    config = Config(stack_depth=stack + 0.25, raise_sizes=[2, 2.5, 7], ante=0.25)
    spot = small_spot("KsQh7d", "AA", "KK", "10%,80%", "2.2x,a")
    return HunlPostflop(BettingRules(config.betting, (spot.betting,)))


@settings(max_examples=400, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_hands_agree_with_pokerkit(game: HunlPostflop, seed: int) -> None:
    rng, referee = random.Random(seed), referee_of(game)
    (state,) = game.initial_states()
    while not game.is_terminal(state):
        if game.player(state) != CHANCE:
            agrees(game, state, referee)
        likely = [a for a in game.actions(state) if a not in "fa" or rng.random() < 0.2]
        token = rng.choice(likely or game.actions(state))
        play(game, state, token, referee)
        state = game.next_state(state, token)
    assert not referee.status
    payoffs = [round(100 * game.utility(state, player)) for player in (BB, SB)]
    assert payoffs == referee.payoffs


def follow(game: HunlPostflop, text: str, hands: str = "AsAh KsKh") -> PostflopState:
    """The state after some actions and cards."""
    (state,) = game.initial_states()
    for token in [*hands.split(), *text.split()]:
        assert token in game.actions(state), token
        state = game.next_state(state, token)
    return state


@pytest.fixture(scope="module")
def game() -> HunlPostflop:
    return HunlPostflop(PostflopConfig(stack_depth=20, bet_sizes=(0.5, 1)))


def test_the_button_acts_first_before_the_flop_and_last_after_it(game: HunlPostflop) -> None:
    assert game.player(follow(game, "")) == SB
    limped = follow(game, "c")
    assert (game.player(limped), game.actions(limped)[0]) == (BB, "x")  # the option
    flop = follow(game, "c x QsJh2h")
    assert (game.player(flop), flop.street) == (BB, FLOP)
    assert game.player(follow(game, "c x QsJh2h x")) == SB
    assert game.player(follow(game, "c x QsJh2h x x 7d x x 2c x")) == SB


def test_sizes_are_fractions_of_the_pot_and_the_all_in(game: HunlPostflop) -> None:
    assert game.actions(follow(game, "")) == ["f", "c", "r2", "r3", "a"]
    assert game.actions(follow(game, "r3")) == ["f", "c", "r6", "r9", "a"]
    assert game.actions(follow(game, "r3 c QsJh2h")) == ["x", "b300", "b600", "a"]
    assert game.actions(follow(game, "r3 c QsJh2h b300")) == ["f", "c", "r900", "r1500", "a"]
    assert game.actions(follow(game, "r3 a")) == ["f", "c"]


def test_a_called_all_in_runs_the_board_out(game: HunlPostflop) -> None:
    state = follow(game, "a c")
    for cards in ("QsJh2h", "7d", "2c"):
        assert game.player(state) == CHANCE
        state = game.next_state(state, cards)
    assert game.is_terminal(state)
    assert (state.street, game.pot_chips(state)) == (RIVER, 4000)
    assert (game.utility(state, BB), game.utility(state, SB)) == (20.0, -20.0)


def test_what_is_not_called_goes_back(game: HunlPostflop) -> None:
    state = follow(game, "r3 c QsJh2h x a f")
    assert (game.utility(state, BB), game.utility(state, SB)) == (-3.0, 3.0)


def test_equal_hands_share(game: HunlPostflop) -> None:
    state = follow(game, "r3 c QsJh2h x x 7d x x 2c x x", "AsAh AdAc")
    assert game.utility(state, BB) == game.utility(state, SB) == 0.0


def test_cards_are_dealt_once(game: HunlPostflop) -> None:
    (state,) = game.initial_states()
    counts = []
    for token in ("AsAh", "KsKh", "c", "x", "QsJh2h", "x", "x", "7d", "x", "x"):
        if game.player(state) == CHANCE:
            counts.append(len(game.actions(state)))
        state = game.next_state(state, token)
    assert [*counts, len(game.actions(state))] == [1326, 1225, 17_296, 45, 44]


def test_rake_is_taken_of_pots_that_see_a_flop() -> None:
    config = Config(stack_depth=20, raise_sizes=[3], rake={"rate": 0.05, "cap": 0.2})
    spot = small_spot("KsQh7d", "AA", "KK", "50%", "a")
    game = HunlPostflop(BettingRules(config.betting, (spot.betting,)))
    shown = follow(game, "c x QsJh2h x x 7d x x 2c x x")
    assert [game.utility(shown, player) for player in (BB, SB)] == pytest.approx([0.9, -1.0])
    folded = follow(game, "r3 c QsJh2h b300 f")
    assert [game.utility(folded, player) for player in (BB, SB)] == pytest.approx([2.8, -3.0])
    unseen = follow(game, "r3 f")
    assert [game.utility(unseen, player) for player in (BB, SB)] == [-1.0, 1.0]


def test_keys_name_position_hand_and_line(game: HunlPostflop) -> None:
    assert game.info_set_key(follow(game, "")) == "SB:KsKh:"
    assert game.info_set_key(follow(game, "r3")) == "BB:AsAh:r3"
    state = follow(game, "r3 c QsJh2h x b300")
    assert game.info_set_key(state) == "BB:AsAh:r3-c-QsJh2h-x-b300"


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_keys_tell_what_the_player_knows_and_no_more(game: HunlPostflop, seed: int) -> None:
    """One line with two hands of the opponent looks the same; another card or action does not."""
    rng = random.Random(seed)
    deck = rng.sample(range(1326), 40)
    mine, his, other = apart(deck)
    player = rng.choice((BB, SB))
    seen: dict[str, tuple[str, ...]] = {}
    pair = [deal(game, mine, hand, player) for hand in (his, other)]
    while not game.is_terminal(pair[0]):
        if game.player(pair[0]) == player:
            keys = {game.info_set_key(state) for state in pair}
            assert len(keys) == 1
            key = keys.pop()
            assert key not in seen
            assert all(before == pair[0].history[: len(before)] for before in seen.values())
            seen[key] = pair[0].history
            elsewhere = deal(game, his, mine, player)
            with_other_hand = PostflopState(elsewhere.hands, *rest(pair[0]))
            assert game.info_set_key(with_other_hand) != key
        token = rng.choice(sorted({*game.actions(pair[0])} & {*game.actions(pair[1])} - {"f"}))
        pair = [game.next_state(state, token) for state in pair]


def rest(state: PostflopState) -> tuple[Any, ...]:
    return state.board, state.history, state.betting


def apart(combos: list[int]) -> list[int]:
    """Three hands without a card in common."""
    found: list[int] = []
    for combo in combos:
        cards = {combo_to_string(combo)[:2], combo_to_string(combo)[2:]}
        taken = {text[i : i + 2] for text in map(combo_to_string, found) for i in (0, 2)}
        if not cards & taken and len(found) < 3:
            found.append(combo)
    return found


def deal(game: HunlPostflop, mine: int, his: int, player: int) -> PostflopState:
    hands = (mine, his) if player == BB else (his, mine)
    return PostflopState(hands, (), (), game.rules.first)


SHORT = PostflopConfig(stack_depth=1.5, bet_sizes=())


def test_given_hands_and_boards_are_dealt_as_often_as_they_weigh() -> None:
    boards = ["7d7c2h3s5s", "AdKc2h3s5s", "7c7d2hTs5s"]
    game = HunlPostflop(SHORT, hands=("AsAh,KK:0.5", "AdAc,KsKh"), boards=boards)
    deals = {
        tuple(map(combo_to_string, s.hands)): game.deal_weight(s) for s in game.initial_states()
    }
    assert len(deals) == 2 + 6 + 1  # AsAh against both, six kings against aces, KdKc against kings
    assert deals["AsAh", "AdAc"] == 1.0
    assert deals["KdKc", "KsKh"] == 0.5
    state = PostflopState(
        (combo_from_string("AsAh"), combo_from_string("KsKh")), (), (), game.rules.first
    )
    for token in ("a", "c"):
        state = game.next_state(state, token)
    assert [*game.actions(state)] == ["7d7c2h", "AdKc2h"]
    assert game.chance_probabilities(state) == pytest.approx([2 / 3, 1 / 3])
    state = game.next_state(state, "7d7c2h")
    assert [*game.actions(state)] == ["3s", "Ts"]


def test_an_all_in_on_all_boards_is_worth_its_equity() -> None:
    """From a flop on, every turn and river: the same as exact range equity, and as a walk."""
    game = HunlPostflop(SHORT, hands=("AsAh,7c6c", "KsKh"), boards=["QsJh2h"])
    compiled = compile_game(game)
    always = {
        key: {a: float(a == actions[-1]) for a in actions}
        for key, actions in zip(compiled.keys, compiled.actions, strict=True)
    }
    flop = range_equity(parse_range("AsAh,7c6c"), parse_range("KsKh"), (43, 38, 2))
    want = 1.5 * (2 * flop.players[0].equity - 1)
    assert game_value(compiled, always) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"stack_depth": 1}, "stack_depth: 1 must be more than the big blind"),
        ({"stack_depth": 10.005}, "stack_depth: 10.005 must be a whole number"),
        ({"stack_depth": "deep"}, "stack_depth: 'deep' must be a number"),
        ({"bet_sizes": [0.5, -1]}, r"bet_sizes\[1\]: -1 must be positive"),
        ({"samples_per_iteration": 0}, "samples_per_iteration: 0 must be positive"),
        ({"stack": 3}, "stack"),
    ],
)
def test_a_config_is_checked(fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ConfigError, match=wrong):
        PostflopConfig(**fields)


def test_the_config_has_defaults_and_is_frozen() -> None:
    config = PostflopConfig()
    assert (config.stack_depth, config.bet_sizes) == (100, (0.33, 0.5, 0.75, 1.0))
    assert config.samples_per_iteration == 1000
    assert HunlPostflop().rules == config.rules


def test_what_makes_no_game_is_refused() -> None:
    with pytest.raises(GameError, match="both before and after the flop"):
        HunlPostflop(BettingRules(Config(stack_depth=20, raise_sizes=[3]).betting))
    with pytest.raises(GameError, match="3, 4 or 5 cards, all alike"):
        HunlPostflop(boards=["QsJh2h", "QsJh2h3c"])
    with pytest.raises(GameError, match="one is there twice"):
        HunlPostflop(boards=["QsJh2h", "JhQs2h"])


def test_an_action_that_is_not_offered_is_refused(game: HunlPostflop) -> None:
    with pytest.raises(GameError, match="'r4' is not legal; legal are f, c, r2, r3, a"):
        game.next_state(follow(game, ""), "r4")


def test_hands_that_block_every_board_are_named() -> None:
    game = HunlPostflop(SHORT, hands=("QsQh", "AsAh"), boards=["QsJh2h"])
    (state,) = game.initial_states()
    called = game.next_state(game.next_state(state, "a"), "c")
    with pytest.raises(GameError, match="QsQh and AsAh block every board that is given"):
        game.actions(called)
