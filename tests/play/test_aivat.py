"""Luck is 0 on average over all that is drawn: by exact enumeration, whatever the guesses."""

import random

import pytest

import poker_solver as ps
from poker_solver.cards import NUM_CARDS, card_to_string
from poker_solver.cards.combos import COMBO_CARDS
from poker_solver.games.betting import BB
from poker_solver.play.equities import equities, pair_equity
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import sound_mix
from poker_solver.play.strength.aivat import luck_of
from poker_solver.play.strength.match import PlayedHand


def leduc_ends(game, state, guess, mixes, probability=1.0, luck=0.0):
    """(probability, utility, luck) of every end; all nodes are drawn and guessed at."""
    if game.is_terminal(state):
        yield probability, game.utility(state, 0), luck
        return
    actions = game.actions(state)
    if game.player(state) == ps.CHANCE:
        shares = game.chance_probabilities(state)
    else:
        key = game.info_set_key(state), len(actions)
        weights = mixes.setdefault(key, [random.Random(str(key)).random() for _ in actions])
        shares = [weight / sum(weights) for weight in weights]
    after = [game.next_state(state, action) for action in actions]
    values = [guess(one) for one in after]
    for which, (share, one) in enumerate(zip(shares, after, strict=True)):
        more = luck_of(shares, values, which)
        yield from leduc_ends(game, one, guess, mixes, probability * share, luck + more)


def expected(game, state, mixes):
    ends = leduc_ends(game, state, lambda _: 0.0, mixes)
    return sum(probability * utility for probability, utility, _ in ends)


def test_luck_is_nothing_on_average_and_all_of_it_with_perfect_guesses():
    game = ps.LeducPoker()
    mixes: dict[tuple[str, int], list[float]] = {}
    noise = random.Random(1)
    for deal in game.initial_states()[:6]:
        truth = expected(game, deal, mixes)
        wild = [*leduc_ends(game, deal, lambda _: noise.uniform(-9, 9), mixes)]
        assert sum(p * luck for p, _, luck in wild) == pytest.approx(0, abs=1e-9)
        assert sum(p * (won - luck) for p, won, luck in wild) == pytest.approx(truth, abs=1e-9)
        perfect = leduc_ends(game, deal, lambda one: expected(game, one, mixes), mixes)
        assert all(won - luck == pytest.approx(truth, abs=1e-9) for _, won, luck in perfect)


class Mixed:
    """Something with mixes and EVs at some decisions, and none at others."""

    name = "mixed"

    def decide(self, hand, combo):
        mix = {hand.legal.passive: 0.25, hand.legal.call: 0.75}
        if hand.legal.passive == hand.legal.call:
            mix = {"x": 1.0}
        if hand.legal.least and hand.betting.num_raises == 0:
            mix = {token: share / 2 for token, share in mix.items()} | {"a": 0.5}
        evs = {token: float(len(str(hand)) % 7) * n for n, token in enumerate(mix)}
        return ps.HandMix(mix, "rule", evs if combo % 2 else {})

    def whole_range(self, hand):
        raise NotImplementedError


def both(hand: PokerHand) -> tuple[int, int]:
    big, small = hand.holes
    assert big is not None
    assert small is not None
    return big, small


def hand_ends(hand, strategy, probability=1.0, decisions=()):
    """Every end of a hand from here on, as it is played, with its probability."""
    if hand.is_over:
        yield probability, PlayedHand(hand, decisions, hand.won_chips(BB))
    elif hand.cards_due:
        held = {c for combo in both(hand) for c in COMBO_CARDS[combo].tolist()}
        left = [c for c in range(NUM_CARDS) if c not in held | {*hand.board}]
        for card in left:
            fallen = hand.deal(card_to_string(card))
            yield from hand_ends(fallen, strategy, probability / len(left), decisions)
    else:
        decision = strategy.decide(hand, hand.holes[hand.actor])
        mix = sound_mix(hand, decision.mix)
        for token, share in mix.items():
            more = (*decisions, (hand, token, decision))
            yield from hand_ends(hand.act(token), strategy, probability * share, more)


@pytest.mark.parametrize("holes", [("AhKh", "QdQc"), ("7c2d", "Js9s")])
def test_luck_of_hands_is_nothing_on_average_over_all_cards_and_actions(holes):
    hand = PokerHand.start(6, *holes).played("SBr2 BBc | Qs4h2h x x 7d")
    luck = ps.Aivat()
    before = PokerHand.start(6, *holes).played("SBr2 BBc")
    already = sum(
        before.pot_chips * (pair_equity(*both(hand), b) - pair_equity(*both(hand), a))
        for a, b in (((), hand.board[:3]), (hand.board[:3], hand.board))
    )
    ends = [
        (p, played, luck.luck_chips(played) - already) for p, played in hand_ends(hand, Mixed())
    ]
    assert sum(p for p, _, _ in ends) == pytest.approx(1)
    assert max(abs(found) for _, _, found in ends) > 50
    assert sum(p * found for p, _, found in ends) == pytest.approx(0, abs=1e-9)


def test_the_equity_of_a_board_is_the_mean_of_its_next_cards():
    hand = PokerHand.start(20, "AhKh", "QdQc").played("SBc BBx | Qs4h2h")
    big, small = both(hand)
    held = {c for combo in both(hand) for c in COMBO_CARDS[combo].tolist()} | {*hand.board}
    turns = [(*hand.board, card) for card in range(NUM_CARDS) if card not in held]
    mean = sum(pair_equity(big, small, turn) for turn in turns) / len(turns)
    assert pair_equity(big, small, hand.board) == pytest.approx(mean, abs=1e-12)


def test_equities_are_those_of_the_range_calculator():
    hand = PokerHand.start(20, "AhKh", "QdQc").played("SBc BBx | Qs4h2h")
    big, small = both(hand)
    for board in ((), hand.board):
        found = ps.range_equity(ps.parse_range("AhKh"), ps.parse_range("QdQc"), board)
        assert equities(big, board)[small] == pytest.approx(found.players[0].equity, abs=1e-12)
