"""Bet sizes in chips: every rule on numbers worked out on paper."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.config.bet_sizes import (
    NO_LIMITS,
    Limits,
    Situation,
    amount,
    amounts,
    geometric_chips,
    round_half_away,
)
from poker_solver.config.sizes import format_sizes, parse_preflop_sizes, parse_sizes
from poker_solver.errors import InputError
from tests.support.spots import BET_SIZES, RAISE_SIZES


def opening(pot: int = 100, all_in: int = 1000, streets_left: int = 1) -> Situation:
    return Situation(pot=pot, bet=0, own=0, all_in=all_in, streets_left=streets_left)


def bets(text: str, at: Situation, limits: Limits = NO_LIMITS) -> list[int]:
    return list(amounts(parse_sizes(text, raising=False), at, limits))


def raises(text: str, at: Situation, limits: Limits = NO_LIMITS) -> list[int]:
    return list(amounts(parse_sizes(text, raising=True), at, limits))


@pytest.mark.parametrize(
    ("text", "pot", "chips"),
    [
        ("33%", 100, 33),
        ("52%", 180, 94),  # 93.6
        ("50%", 7, 4),  # 3.5 goes up
        ("50%", 5, 3),  # 2.5 goes up too, not to the even 2
        ("14.5%", 100, 15),  # 14.5; the nearest float of 0.145 x 100 is below it
        ("49.4%", 10, 5),  # 4.94
        ("120c", 100, 120),
        ("0.1%", 100, 1),  # 0.1 chips: at least one
        ("2000%", 100, 1000),  # at most the all-in
        ("a", 100, 1000),
    ],
)
def test_an_opening_bet(text: str, pot: int, chips: int) -> None:
    assert bets(text, opening(pot)) == [chips]


def test_an_opening_bet_is_at_least_the_smallest_unless_it_is_all_in() -> None:
    at = Situation(pot=200, bet=0, own=0, all_in=1000, streets_left=3, min_bet=100)
    assert bets("33%,40%,75%", at) == [100, 150]
    assert bets("33%", Situation(200, 0, 0, all_in=80, streets_left=3, min_bet=100)) == [80]


def test_a_raise_is_sized_by_the_pot_after_the_call() -> None:
    at = Situation(pot=180 + 2 * 94, bet=94, own=0, all_in=910, streets_left=3)
    assert raises("45%", at) == [260]  # 94 + 165.6
    assert raises("120c", at) == [214]
    assert raises("2.5x", at) == [235]
    assert raises("a", at) == [910]


def test_a_raise_is_at_least_the_call_again() -> None:
    first = Situation(pot=300, bet=100, own=0, all_in=1000, streets_left=1)
    assert raises("1.1x,10%,5c", first) == [200]
    again = Situation(pot=500, bet=200, own=100, all_in=1000, streets_left=1)
    assert raises("1.1x", again) == [300]
    short = Situation(pot=300, bet=100, own=0, all_in=150, streets_left=1)
    assert raises("3x", short) == [150]
    assert raises("1.1x", short) == [150]  # all-in for less than the call again


def test_nothing_can_be_raised_above_an_all_in() -> None:
    assert raises("2x,a", Situation(pot=500, bet=200, own=0, all_in=200, streets_left=1)) == []


def test_no_sizes_means_no_bets_whatever_the_thresholds() -> None:
    assert bets("", opening(), Limits(add_allin=Fraction(99))) == []


def test_amounts_are_sorted_and_once() -> None:
    assert bets("a,75%,33%,75c,2000%", opening()) == [33, 75, 1000]


@pytest.mark.parametrize(
    ("text", "at", "chips"),
    [
        ("e", opening(200, 900, streets_left=2), 216),  # s = 4.5, (sqrt(10) - 1) / 2 = 1.0811
        ("e", opening(200, 900, streets_left=1), 900),  # one street left: all-in
        ("e", opening(7, 91, streets_left=3), 7),  # s = 13, 27^(1/3) = 3, r = 1
        ("e", opening(2, 124, streets_left=3), 4),  # 125^(1/3) = 5, r = 2
        ("2e", opening(200, 900, streets_left=3), 216),
        ("3e", opening(200, 900, streets_left=1), 115),  # 10^(1/3) = 2.15443, r = 0.57722
        ("3e50%", opening(200, 900, streets_left=1), 100),  # r = 0.57722 is capped
        ("3e58%", opening(200, 900, streets_left=1), 115),  # the cap is not reached
        ("e100%", opening(200, 900, streets_left=1), 200),
    ],
)
def test_geometric_bets(text: str, at: Situation, chips: int) -> None:
    assert bets(text, at) == [chips]


def test_geometric_raises_count_the_raises_before_them() -> None:
    """Facing 100 with 200 called and 1,600 behind, s = 4 and P = 400."""
    first = Situation(pot=400, bet=100, own=0, all_in=1700, streets_left=2)
    assert raises("e", first) == [500]  # n = 2: sqrt(9) = 3, r = 1
    second = Situation(pot=400, bet=100, own=0, all_in=1700, streets_left=2, num_raises=1)
    assert raises("e", second) == [1700]  # n = 1
    third = Situation(pot=400, bet=100, own=0, all_in=1700, streets_left=2, num_raises=5)
    assert raises("e", third) == [1700]  # never fewer than 1
    written = Situation(pot=400, bet=100, own=0, all_in=1700, streets_left=1, num_raises=1)
    assert raises("3e", written) == [500]  # 3 - 1 = 2


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 8))
def test_geometric_chips_are_the_rounded_root(pot: int, stack: int, streets: int) -> None:
    chips = geometric_chips(pot, stack, streets)
    goal = Fraction(pot + 2 * stack, pot)
    assert (1 + Fraction(2 * chips - 1, pot)) ** streets <= goal  # r P >= chips - 1/2
    assert (1 + Fraction(2 * chips + 1, pot)) ** streets > goal  # r P < chips + 1/2


@given(st.fractions(min_value=0, max_value=10**6))
def test_halves_round_up(value: Fraction) -> None:
    assert round_half_away(value) == floor(value + Fraction(1, 2))


def test_add_allin_adds_it_up_to_its_share_of_the_pot() -> None:
    limits = Limits(add_allin=Fraction("1.5"))
    assert bets("50%", opening(100, 150), limits) == [50, 150]
    assert bets("50%", opening(100, 151), limits) == [50]
    facing = Situation(pot=300, bet=100, own=0, all_in=550, streets_left=1)
    assert raises("2x", facing, limits) == [200, 550]  # 100 + 1.5 x 300
    further = Situation(pot=300, bet=100, own=0, all_in=551, streets_left=1)
    assert raises("2x", further, limits) == [200]


def test_force_allin_measures_the_pot_after_the_amount_is_called() -> None:
    limits = Limits(force_allin=Fraction("0.15"))
    assert bets("50%", opening(100, 80), limits) == [80]  # 50 + 0.15 x 200
    assert bets("50%", opening(100, 81), limits) == [50]
    facing = Situation(pot=800, bet=300, own=120, all_in=900, streets_left=1)
    assert raises("2.5x", facing, limits) == [900]  # 750 + 0.15 x (800 + 2 x 450) = 1005
    assert raises("480c", facing, limits) == [900]  # 780: forced as well


def test_what_is_forced_or_added_appears_once() -> None:
    limits = Limits(add_allin=Fraction(2), force_allin=Fraction("0.5"))
    assert bets("50%,75%,a", opening(100, 120), limits) == [120]


def test_merge_compares_with_the_last_amount_kept() -> None:
    at = opening(100, 1000)
    assert bets("60%,100%", at, Limits(merge=Fraction("0.25"))) == [100]  # 200 / 160 = 1.25
    assert bets("60%,100%", at, Limits(merge=Fraction("0.2499"))) == [60, 100]
    # 250 / 175 = 1.43 goes; 33 is measured against 150, not 75: 250 / 133 = 1.88 stays
    assert bets("33%,75%,150%", at, Limits(merge=Fraction("0.5"))) == [33, 150]
    assert bets("33%,75%,150%", at, Limits(merge=Fraction("0.9"))) == [150]


def test_merge_measures_raises_beyond_the_bet() -> None:
    at = Situation(pot=300, bet=100, own=0, all_in=1000, streets_left=1)
    # to 250 and 300 are 50 % and 66.7 % of 300: 166.7 / 150 = 1.111
    assert raises("2.5x,3x", at, Limits(merge=Fraction(1, 9))) == [300]
    assert raises("2.5x,3x", at, Limits(merge=Fraction("0.11"))) == [250, 300]


def test_thresholds_in_their_order() -> None:
    """Add 300, force 170 into it, drop duplicates, then merge."""
    limits = Limits(Fraction(3), Fraction("0.3"), Fraction("0.6"))
    at = opening(100, 300)
    # 170 + 0.3 x 440 = 302 >= 300; 75 and 50 stay; 400/175 = 2.29 keeps 75; 175/150 drops 50
    assert bets("50%,75%,170%", at, limits) == [75, 300]
    assert bets("50%,75%,170%", at, Limits(Fraction(3))) == [50, 75, 170, 300]
    assert bets("50%,75%,170%", at, Limits(Fraction(3), Fraction("0.3"))) == [50, 75, 300]


@given(
    st.lists(st.sampled_from(RAISE_SIZES), min_size=1, max_size=4),
    st.integers(1, 500),
    st.integers(0, 500),
    st.integers(0, 500),
    st.integers(1, 2000),
    st.lists(st.sampled_from(["0", "0.1", "0.5", "1.5"]), min_size=3, max_size=3),
)
def test_amounts_are_legal(
    sizes: list[str], dead: int, own: int, more: int, behind: int, thresholds: list[str]
) -> None:
    bet = own + more if more else 0
    at = Situation(
        pot=dead + 2 * bet,
        bet=bet,
        own=own if more else 0,
        all_in=bet + behind,
        streets_left=2,
    )
    if not more:
        sizes = [size for size in sizes if size in BET_SIZES] or ["a"]
    found = amounts(
        parse_sizes(",".join(sizes), raising=bool(more)), at, Limits(*map(Fraction, thresholds))
    )
    assert found
    assert list(found) == sorted(set(found))
    assert min(2 * at.bet - at.own, at.all_in) <= found[0]
    assert max(at.bet, 0) < found[0] <= found[-1] <= at.all_in


def test_sizes_before_the_flop() -> None:
    """Over an open to 2.5 with an ante of 0.25 each: the pot after a call is 5.5."""
    at = Situation(pot=550, bet=250, own=100, all_in=2000, streets_left=4)
    sizes = parse_preflop_sizes("7.5bb, 3x,60%,A,7.5BB,4.25 bb")
    assert format_sizes(sizes) == "7.5bb,3x,60%,a,4.25bb"
    assert parse_preflop_sizes(format_sizes(sizes)) == sizes
    assert [amount(size, at) for size in sizes] == [750, 750, 580, 2000, 425]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2.5", "size '2.5' is not a size; sizes before the flop are written 2.5bb, 3x, 60% or a"),
        ("1bb", "size '1bb' must be more than the big blind"),
        ("2.555bb", "size '2.555bb' must be a whole number of hundredths of a bb"),
        ("120c", "size '120c' is for bets after the flop"),
        ("2e", "size '2e' is for bets after the flop"),
        ("1x", "size '1x' must be more than once the bet"),
        ("x,-2bb", "size 'x' is not a size; size '-2bb' is not a size"),
    ],
)
def test_what_is_no_size_before_the_flop(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_preflop_sizes(text)
    assert message in str(caught.value)
