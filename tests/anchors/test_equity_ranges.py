"""Range equities of the benchmark spots, and against an evaluator that is not ours."""

from itertools import combinations

import numpy as np
import phevaluator
import pytest

from poker_solver.cards import (
    cards_from_string,
    combo_from_string,
    parse_board,
    parse_range,
    unblocked,
)
from poker_solver.cards.equity import range_equity
from poker_solver.cards.isomorphism import canonical_boards

NARROW_OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
NARROW_IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
FAST_OOP = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,"
    "T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,"
    "63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45"
)
FAST_IP = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,"
    "85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s"
)


# from an independent solver
@pytest.mark.parametrize(
    ("board", "oop", "ip", "equity", "digits"),
    [
        ("Ks7h2d9c4s", "random", "random", 0.5, 4),
        ("Td9d6hQc2s", NARROW_OOP, NARROW_IP, 0.5162, 4),
        ("Td9d6hQc", NARROW_OOP, NARROW_IP, 0.5306, 4),
        ("Td9d6h", NARROW_OOP, NARROW_IP, 0.5365, 4),
        ("QsJh2h", FAST_OOP, FAST_IP, 0.55347, 5),
    ],
)
def test_equity_of_the_benchmark_spots(
    board: str, oop: str, ip: str, equity: float, digits: int
) -> None:
    found = range_equity(parse_range(oop), parse_range(ip), parse_board(board))
    assert round(found.players[0].equity, digits) == equity


def test_a_flop_counted_by_another_evaluator() -> None:
    board = cards_from_string("Td9d6h")
    ranges = ["AdKd,8s7s,TcTs", "AdQh,QcQh,9c8c,6c6s"]
    hands = [[cards_from_string(hand) for hand in text.split(",")] for text in ranges]
    wins, ties, dealt = np.zeros((3, 3))
    for first, own in enumerate(hands[0]):
        for other in hands[1]:
            if set(own) & set(other):
                continue
            rest = set(range(52)) - set(board) - set(own) - set(other)
            for runout in combinations(sorted(rest), 2):
                ours = phevaluator.evaluate_cards(*board, *runout, *own)  # smaller is better
                theirs = phevaluator.evaluate_cards(*board, *runout, *other)
                wins[first] += ours < theirs
                ties[first] += ours == theirs
                dealt[first] += 1
    found = range_equity(parse_range(ranges[0]), parse_range(ranges[1]), board)
    combos = [combo_from_string(hand) for hand in ranges[0].split(",")]
    assert found.players[0].win_by_combo[combos].tolist() == (wins / dealt).tolist()
    assert found.players[0].tie_by_combo[combos].tolist() == (ties / dealt).tolist()
    assert found.players[0].win == pytest.approx(wins.sum() / dealt.sum(), abs=1e-15)
    assert found.num_pairs * found.num_runouts == dealt.sum()


def test_preflop_equity_is_the_mean_over_all_flops() -> None:
    first, second = parse_range("AKs"), parse_range("QQ")
    flops = canonical_boards(3)
    won = dealt = 0.0
    for board, weight in zip(flops.cards.tolist(), flops.weight.tolist(), strict=True):
        if not (first[unblocked(board)].any() and second[unblocked(board)].any()):
            continue  # three queens
        found = range_equity(first, second, board)
        won += weight * found.num_pairs * found.players[0].equity
        dealt += weight * found.num_pairs
    assert dealt == 24 * 17_296  # pairs of hands times C(48, 3) flops
    assert won / dealt == pytest.approx(range_equity(first, second).players[0].equity, abs=1e-13)
