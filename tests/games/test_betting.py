"""The betting rules of four streets: whole hands beside a referee that knows nothing of ours."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem

from poker_solver.config.preflop import Config
from poker_solver.config.spot import Spot
from poker_solver.errors import LineError
from poker_solver.games.betting import (
    BB,
    DEAL,
    DECISION,
    FLOP,
    FOLD,
    IP,
    NONE,
    OOP,
    PREFLOP,
    RIVER,
    SB,
    SHOWDOWN,
    TURN,
    Betting,
    BettingRules,
    board_street,
)
from tests.support.postflop_spots import small_spot


def whole_hand(config: Config, bets: str = "50%,100%", raises: str = "60%,a") -> BettingRules:
    """From the blinds to the river."""
    return BettingRules(config, small_spot("KsQh7d", "AA", "KK", bets, raises).betting)


def table(config: Config) -> Any:
    """The referee, who counts seats from the big blind too, and deals by himself."""
    return NoLimitTexasHoldem.create_state(
        tuple(Automation),
        True,
        config.ante_chips,
        config.blind_chips,
        config.blind_chips[1],
        config.stack_chips,
        2,
    )


def agrees(rules: BettingRules, here: Betting, referee: Any, ante: int) -> None:
    """The same turn, street, bets, pot and stacks; everything offered is legal."""
    assert referee.actor_index == here.actor
    assert referee.street_index == here.street
    assert tuple(referee.bets) == here.bets
    assert referee.total_pot_amount == rules.pot + 2 * here.paid + sum(here.bets)
    assert rules.pot == 2 * ante
    assert tuple(referee.stacks) == tuple(rules.stack - here.paid - bet for bet in here.bets)
    for step in rules.steps(here):
        if step.amount:
            assert referee.can_complete_bet_or_raise_to(step.amount), (here, step)
        elif step.token == "f":
            assert referee.can_fold()
        else:
            assert referee.can_check_or_call()
            assert (step.token == "x") == (referee.checking_or_calling_amount == 0)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    sizes = draw(st.lists(st.integers(200, 3000), max_size=4))
    return Config(
        stack_depth=draw(st.integers(200, 5000)) / 100,
        raise_sizes=[size / 100 for size in sizes],
        ante=draw(st.sampled_from([0.0, 0.0, 0.25])),
    )


@settings(max_examples=150, deadline=None)
@given(
    config=configs(),
    bets=st.sampled_from(["50%", "10%,33%", "50%,100%,a", "75%,150%", "7c", "a"]),
    raises=st.sampled_from(["", "60%", "2.2x,3x", "50%,a", "200c"]),
    seed=st.integers(0, 2**32),
)
def test_whole_hands_agree_with_pokerkit(config: Config, bets: str, raises: str, seed: int) -> None:
    rng, ante = random.Random(seed), config.ante_chips
    rules, referee = whole_hand(config, bets, raises), table(config)
    here = rules.first
    while not here.is_over:
        if here.kind == DEAL:
            (fallen,) = rules.steps(here)
            assert (fallen.token, fallen.amount) == ("", 0)
            here = fallen.after
            continue
        agrees(rules, here, referee, ante)
        steps = [step for step in rules.steps(here) if step.token != "f" or rng.random() < 0.2]
        step = rng.choice(steps)
        if step.token == "f":
            referee.fold()
        elif step.amount:
            referee.complete_bet_or_raise_to(step.amount)
        else:
            referee.check_or_call()
        here = step.after
    assert not referee.status
    paid = [here.paid + bet for bet in here.bets]
    if here.kind == FOLD:  # what was not called went back
        assert referee.payoffs[here.folder] == -(paid[here.folder] + ante)
        assert sum(referee.payoffs) == 0
    else:
        assert here.street == RIVER
        assert paid[0] == paid[1]
        assert sum(referee.stacks) == 2 * config.stack_chips
        assert max(referee.payoffs) in (0, paid[0] + ante)


def line(rules: BettingRules, text: str) -> Betting:
    """The state after some actions, cards falling where they must."""
    here = rules.first
    for token in text.split():
        here = rules.act(here, token)
        while here.kind == DEAL:
            (card,) = rules.steps(here)
            here = card.after
    return here


HU = Config(stack_depth=20, raise_sizes=[2.5, 8, 20])


def test_the_button_acts_first_before_the_flop_and_last_after_it() -> None:
    rules = whole_hand(HU)
    assert (rules.first.actor, rules.first.bets) == (SB, (100, 50))
    assert line(rules, "c").actor == BB  # the option
    assert rules.legal_actions(line(rules, "c"))[0] == "x"
    for text, street in (("c x", FLOP), ("c x x x", TURN), ("r2.5 c x x x x", RIVER)):
        assert (line(rules, text).street, line(rules, text).actor) == (street, OOP)
        assert line(rules, f"{text} x").actor == IP


def test_without_a_flop_to_play_hands_are_shown() -> None:
    over = BettingRules(HU).play(["r2.5", "c"])
    assert (over.state.kind, over.state.street, over.state.actor) == (SHOWDOWN, PREFLOP, NONE)
    assert over.history == ("r2.5", "c")


def test_an_all_in_that_is_called_runs_the_board_out() -> None:
    over = line(whole_hand(HU), "r2.5 a c")
    assert (over.kind, over.street, over.paid) == (SHOWDOWN, RIVER, 2000)


def test_who_called_is_known_on_the_next_street_only() -> None:
    rules = whole_hand(HU)
    assert line(rules, "r2.5 c").caller == OOP
    assert line(rules, "c x").caller == NONE
    assert line(rules, "r2.5 c x b250 c").caller == OOP
    assert line(rules, "r2.5 c b250 c").caller == IP
    assert line(rules, "r2.5 c x x").caller == NONE


def test_donk_sizes_are_for_who_called() -> None:
    sizes = {"bet": "50%", "raise": "a"}
    played = dict.fromkeys(("flop", "turn", "river"), sizes)
    oop = {"range": "AA", **played, "turn": {**sizes, "donk": "25%"}}
    fields = {"board": "KsQh7d", "pot": 100, "stack": 1000, "ip": {"range": "KK", **played}}
    rules = BettingRules(postflop=Spot.from_mapping({**fields, "oop": oop}).betting)
    assert rules.legal_actions(line(rules, "x b50 c")) == ("x", "b50")
    assert rules.legal_actions(line(rules, "b50 c")) == ("x", "b100")


def test_limping_can_be_turned_off() -> None:
    rules = BettingRules(Config(stack_depth=20, raise_sizes=[3], limp=False))
    assert rules.legal_actions(rules.first) == ("f", "r3")
    assert "c" in rules.legal_actions(rules.act(rules.first, "r3"))


@pytest.mark.parametrize(
    ("tokens", "history"),
    [(["r20"], ("a",)), (["r25"], ("a",)), (["r2.5", "r20", "c"], ("r2.5", "a", "c"))],
)
def test_a_raise_to_the_whole_stack_is_the_all_in(
    tokens: list[str], history: tuple[str, ...]
) -> None:
    rules = BettingRules(Config(stack_depth=20, raise_sizes=[2.5, 20]))
    assert rules.play(tokens).history == history


@pytest.mark.parametrize("token", ["r", "rx", "r2.5.5", "b", "", "7d", "r-3", "r1e9", "r3"])
def test_what_is_no_action_is_refused(token: str) -> None:
    with pytest.raises(LineError, match=r"token 2 .*: not legal here; BB may play f, c"):
        BettingRules(HU).play(["r2.5", token])


def test_a_board_says_which_street_is_played() -> None:
    assert [board_street(count) for count in (3, 4, 5)] == [FLOP, TURN, RIVER]
    assert rules_begin("KsQh7d2c") == (TURN, DECISION, OOP)


def rules_begin(board: str) -> tuple[int, int, int]:
    here = BettingRules(postflop=small_spot(board, "AA", "KK", "50%", "a").betting).first
    return here.street, here.kind, here.actor
