"""Hands by our rules and by pokerkit's: who acts, what may be bet, who wins how much."""

from random import Random

import pytest

import poker_solver as ps
from poker_solver.cards import cards_to_string
from poker_solver.games.betting import BB, SB
from poker_solver.play.deals import deal
from poker_solver.play.hand import PokerHand
from tests.support.pokerkit_hands import SEAT, KitHand


@pytest.mark.parametrize("number", range(150))
def test_a_hand_is_played_as_pokerkit_plays_it(number):
    draw = Random(number)
    stack = round(2 * 5 * 40 ** draw.random()) / 2  # 5 to 200 bb
    dealt = deal(3, number)
    hand = dealt.start(stack)
    kit = KitHand(dealt, hand)
    while True:
        while hand.cards_due:
            now = len(hand.board)
            cards = cards_to_string(dealt.board[now : now + hand.cards_due])
            kit.deal(cards)
            hand = hand.deal(cards)
        if hand.is_over:
            break
        legal = hand.legal
        assert kit.actor == SEAT[hand.actor]
        assert kit.limits == (legal.least, legal.most)
        tokens = [*legal.tokens]
        if legal.least:
            amount = round(legal.least * (legal.most / legal.least) ** draw.random())
            tokens += [hand.bet_token(min(max(amount, legal.least), legal.most))] * 2
        token = draw.choice(tokens)
        kit.act(hand, token)
        hand = hand.act(token)
        assert hand.pot_chips == kit.state.total_pot_amount or kit.is_over
    assert kit.is_over
    assert hand.won_chips(BB) == kit.won(BB)
    assert hand.won_chips(SB) == -hand.won_chips(BB)


def test_a_line_is_played_as_people_write_it():
    hand = PokerHand.start(20, "AhKh", "QdQc").played("SBr2.5 BBc | QsJh2h x b375 c 7d")
    assert (hand.pot_chips, hand.paid_chips) == (1250, (625, 625))
    assert (hand.actor, str(hand)) == (BB, "20bb SBr2.5 BBc | QsJh2h x b375 c 7d")
    assert [token for _, token in hand.steps()] == [*hand.line.tokens]


@pytest.mark.parametrize(
    ("stack", "line", "said"),
    [
        (20, "SBr1.5", "is below the minimum, which is 2 bb"),
        (20, "SBr2.5 BBc | QsJh2h x b99", "is below the minimum, which is 100 chips"),
        (20, "SBr2.5 BBc | QsJh2h b200 r300", "minimum, which is 400"),
        (20, "SBr2.5 BBc | QsJh2h f", "the actions here are x"),
        (20, "SBa BBa", "f folds, c calls"),
        (20, "SBr2.5 BBc | QsJh2h QsJh2h", "'QsJh2h' is no action"),
        (20, "SBr2.5 BBc | QsJh2h x x 2h", "2h: dealt twice"),
        (20, "SBr2.5 BBc | AhJh2h", "Ah: dealt twice"),
        (20, "SBr2.5 BBc | QsJh", "want three cards"),
        (20, "SBr2.5 BBf | QsJh2h", "no card falls here"),
        (20, "SBr2.5 BBc x", "token 3"),
        (1, "", "a stack of 1 bb"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(stack, line, said):
    with pytest.raises(ps.InputError) as error:
        PokerHand.start(stack, "AhKh", "").played(line)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_cards_twice_are_refused_at_the_start():
    with pytest.raises(ps.InputError, match="Kh: dealt twice"):
        PokerHand.start(100, "AhKh", "KhQd")
