"""The betting rules of four streets: whole hands beside a referee that knows nothing of ours."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem

from poker_solver.config.base import Rake
from poker_solver.config.preflop import Config, PreflopBetting
from poker_solver.config.sizes import parse_preflop_sizes
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
    return BettingRules(config.betting, (small_spot("KsQh7d", "AA", "KK", bets, raises).betting,))


def full(*lists: str, iso: str | None = None, stack: int = 10_000, **more: Any) -> PreflopBetting:
    """A full game before the flop; sizes of open, 3-bet, 4-bet and so on."""
    given = {"ante_chips": 0, "all_in": True, **more}
    return PreflopBetting(
        blind_chips=(50, 100),
        all_in_chips=stack - given["ante_chips"],
        raise_sizes=tuple(map(parse_preflop_sizes, lists)),
        iso_sizes=None if iso is None else parse_preflop_sizes(iso),
        lifts=True,
        **given,
    )


def table(betting: PreflopBetting) -> Any:
    """The referee, who counts seats from the big blind too, and deals by himself."""
    return NoLimitTexasHoldem.create_state(
        tuple(Automation),
        True,
        betting.ante_chips,
        betting.blind_chips,
        betting.blind_chips[1],
        betting.all_in_chips + betting.ante_chips,
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
    a_hand_agrees(whole_hand(config, bets, raises), seed)


PREFLOP_SIZES = st.lists(st.sampled_from(["2.2bb", "3bb", "9bb", "2.5x", "60%", "a"]), max_size=2)


@st.composite
def full_games(draw: st.DrawFn) -> BettingRules:
    lists = draw(st.lists(PREFLOP_SIZES, max_size=3))
    betting = full(
        *(",".join(sizes) for sizes in lists),
        iso=draw(st.one_of(st.none(), PREFLOP_SIZES.map(",".join))),
        stack=draw(st.integers(200, 5000)),
        ante_chips=draw(st.sampled_from([0, 0, 25])),
        all_in=draw(st.booleans()),
        raise_cap=draw(st.sampled_from([None, None, 0, 1, 3])),
    )
    pots = [small_spot("KsQh7d", "AA", "KK", size, "60%,a").betting for size in ("50%", "a", "75%")]
    return BettingRules(betting, tuple(pots[: draw(st.integers(1, 3))]))


@settings(max_examples=150, deadline=None)
@given(rules=full_games(), seed=st.integers(0, 2**32))
def test_whole_hands_of_the_full_game_agree_with_pokerkit(rules: BettingRules, seed: int) -> None:
    a_hand_agrees(rules, seed)


def a_hand_agrees(rules: BettingRules, seed: int) -> None:
    """Random actions, the referee asked at every step."""
    betting = rules.preflop
    assert betting is not None
    rng, ante = random.Random(seed), betting.ante_chips
    referee, here = table(betting), rules.first
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
        assert sum(referee.stacks) == 2 * (betting.all_in_chips + ante)
        assert max(referee.payoffs) in (0, paid[0] + ante)


def line(rules: BettingRules, text: str) -> Betting:
    """The state after some actions, cards falling where they must."""
    here = rules.first
    for token in text.split():
        (here,) = (step.after for step in rules.steps(here) if step.token == token)
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
    over = BettingRules(HU.betting).play(["r2.5", "c"])
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
    rules = BettingRules(postflop=(Spot.from_mapping({**fields, "oop": oop}).betting,))
    assert rules.legal_actions(line(rules, "x b50 c")) == ("x", "b50")
    assert rules.legal_actions(line(rules, "b50 c")) == ("x", "b100")


def test_limping_can_be_turned_off() -> None:
    rules = BettingRules(Config(stack_depth=20, raise_sizes=[3], limp=False).betting)
    assert rules.legal_actions(rules.first) == ("f", "r3", "a")
    assert "c" in rules.legal_actions(line(rules, "r3"))


@pytest.mark.parametrize(
    ("tokens", "history"),
    [(["r20"], ("a",)), (["r25"], ("a",)), (["r2.5", "r20", "c"], ("r2.5", "a", "c"))],
)
def test_a_raise_to_the_whole_stack_is_the_all_in(
    tokens: list[str], history: tuple[str, ...]
) -> None:
    rules = BettingRules(Config(stack_depth=20, raise_sizes=[2.5, 20]).betting)
    assert rules.play(tokens).history == history


@pytest.mark.parametrize("token", ["r", "rx", "r2.5.5", "b", "", "7d", "r-3", "r1e9", "r3"])
def test_what_is_no_action_is_refused(token: str) -> None:
    with pytest.raises(LineError, match=r"token 2 .*: not legal here; BB may play f, c"):
        BettingRules(HU.betting).play(["r2.5", token])


def test_a_board_says_which_street_is_played() -> None:
    assert [board_street(count) for count in (3, 4, 5)] == [FLOP, TURN, RIVER]
    assert rules_begin("KsQh7d2c") == (TURN, DECISION, OOP)


def rules_begin(board: str) -> tuple[int, int, int]:
    here = BettingRules(postflop=(small_spot(board, "AA", "KK", "50%", "a").betting,)).first
    return here.street, here.kind, here.actor


def legal(betting: PreflopBetting, text: str) -> str:
    rules = BettingRules(betting)
    return " ".join(rules.legal_actions(line(rules, text)))


def test_every_raise_has_its_own_sizes() -> None:
    betting = full("2.5bb,3x", "3x", "60%", iso="4bb")
    assert legal(betting, "") == "f c r2.5 r3 a"
    assert legal(betting, "r2.5") == "f c r7.5 a"
    assert legal(betting, "r3") == "f c r9 a"
    assert legal(betting, "r2.5 r7.5") == "f c r16.5 a"  # 7.5 and 60 % of 15
    assert legal(betting, "r2.5 r7.5 r16.5") == "f c a"
    assert legal(betting, "c") == "x r4 a"
    assert legal(betting, "c r4") == "f c r12 a"
    assert legal(betting, "c r4 r12") == "f c r26.4 a"
    assert legal(full("2.5bb"), "c") == "x r2.5 a"
    assert legal(full("2.5bb", iso=""), "c") == "x a"


def test_past_the_last_list_it_goes_on_where_the_all_in_is_not_offered() -> None:
    betting = full("2.5bb", "3x", all_in=False)
    assert legal(betting, "r2.5") == "f c r7.5"
    assert legal(betting, "r2.5 r7.5") == "f c r22.5"
    assert legal(betting, "r2.5 r7.5 r22.5 r67.5") == "f c a"
    assert legal(full("2.5bb", "", all_in=False), "r2.5") == "f c"


def test_too_small_a_raise_is_the_minimum_and_too_large_a_one_the_all_in_once() -> None:
    assert legal(full("2.5bb", "3bb,3.5bb,12bb"), "r2.5") == "f c r4 r12 a"
    assert legal(full("1.5bb"), "") == "f c r2 a"
    assert legal(full("2.5bb", "9bb", stack=900), "r2.5") == "f c a"
    assert legal(full("2.5bb", "3bb", stack=350), "r2.5") == "f c a"


def test_all_raises_count_towards_the_cap() -> None:
    betting = full("2.5bb", "3x", raise_cap=2)
    assert legal(betting, "r2.5") == "f c r7.5 a"
    assert legal(betting, "r2.5 r7.5") == "f c"
    assert legal(betting, "c r2.5 r7.5") == "f c"
    assert legal(full("2.5bb", raise_cap=1), "r2.5") == "f c"
    assert legal(full("2.5bb", raise_cap=0), "") == "f c"
    assert legal(full("2.5bb", raise_cap=0), "c") == "x"


BY_POT = tuple(
    small_spot("KsQh7d", "AA", "KK", size, "a").betting for size in ("60%", "70%", "80%", "50%")
)


@pytest.mark.parametrize(
    ("text", "bet"),
    [
        ("c x", "b120"),
        ("r2.5 c", "b350"),
        ("c r4 c", "b560"),
        ("r2.5 r7.5 c", "b1200"),
        ("r2.5 r7.5 r22.5 c", "b2250"),
        ("r2.5 r7.5 r22.5 r45 c", "b4500"),
    ],
)
def test_sizes_after_the_flop_follow_the_raises_before_it(text: str, bet: str) -> None:
    rules = BettingRules(full("2.5bb", "3x", "3x", "2x", iso="4bb"), BY_POT)
    flop = line(rules, text)
    assert rules.legal_actions(flop) == ("x", bet)
    alone = BettingRules(postflop=(rules.flop_betting(rules.play(text.split()).state),))
    assert alone.first.street == flop.street == FLOP
    assert alone.legal_actions(alone.first) == ("x", bet)
    turn = line(rules, f"{text} x x")
    assert rules.legal_actions(turn) == ("x", bet)


def test_the_game_on_the_flop_has_the_pot_the_stack_and_the_rake_of_the_line() -> None:
    rake = Rake(rate=0.05, cap=0.07)
    rules = BettingRules(full("2.5bb,3.5bb", stack=2000, ante_chips=25, rake=rake), BY_POT[:1])
    limped, raised = (rules.play(text.split()).state for text in ("c x", "r2.5 c"))
    flop = rules.flop_betting(raised)
    assert (flop.num_cards, flop.pot, flop.stack) == (3, 550, 1725)
    assert (flop.rake.rate, flop.rake.cap) == (0.05, 7)
    assert rules.flop_betting(limped) != flop
    iso = rules.flop_betting(rules.play(["c", "r2.5", "c"]).state)
    assert iso == flop
    assert hash(iso) == hash(flop)
    by_pot = BettingRules(rules.preflop, BY_POT)
    assert by_pot.flop_betting(by_pot.play(["c", "r2.5", "c"]).state).sizes == BY_POT[1].sizes


def test_raises_are_counted_before_the_flop_only_where_they_matter() -> None:
    assert not HU.betting.counts_raises
    assert not full("3x", all_in=False).counts_raises
    assert not full("").counts_raises
    assert full("3x").counts_raises
    assert full("", raise_cap=2).counts_raises
    assert line(BettingRules(HU.betting), "r2.5 r8").num_raises == 0
    assert line(BettingRules(HU.betting, BY_POT), "r2.5 r8").num_raises == 2
    assert line(BettingRules(HU.betting, BY_POT[:1]), "r2.5 r8").num_raises == 0


def test_games_in_which_the_same_can_be_played_are_equal_whatever_they_are_called() -> None:
    other = Config(name="Other", stack_depth=20, raise_sizes=[2.5, 8, 20])
    assert other.betting == HU.betting
    assert hash(other.betting) == hash(HU.betting)
    assert other.with_stack(21).betting != HU.betting
