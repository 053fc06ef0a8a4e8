"""Runouts up to suits, and the sizes of the named spots that depend on them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cards import card_from_string, parse_board, parse_range
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    canonical_boards,
    combo_permutation,
    permute_cards,
    suit_symmetries,
)
from poker_solver.errors import InputError
from poker_solver.games.betting import FLOP, RIVER, TURN, board_street
from poker_solver.postflop.plan import count
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.runouts import IDENTITY, Runouts, find_runouts
from tests.support.isomorphism import canonical_streets
from tests.support.spots import named_spot

# name, hands, boards per street, decisions, elements
SIZES = [
    ("river_full", (1081, 1081), (0, 0, 0, 1), 24, 73_508),
    ("river_example", (167, 246), (0, 0, 0, 1), 10, 5_369),
    ("turn_example", (167, 250), (0, 0, 1, 48), 2_754, 1_359_513),
    ("flop_example", (180, 265), (0, 1, 36, 1429), 213_520, 110_504_180),
    ("3betpot_fast", (273, 416), (0, 1, 36, 1429), 198_868, 155_952_394),
    ("k72r_srp", (257, 319), (0, 1, 49, 2352), 653_284, 433_702_656),
]


@pytest.mark.parametrize(("name", "hands", "boards", "decisions", "elements"), SIZES)
def test_sizes_of_the_named_spots(
    name: str, hands: tuple[int, ...], boards: tuple[int, ...], decisions: int, elements: int
) -> None:
    spot = named_spot(name)
    runouts = find_runouts(spot.cards, spot.weights)
    oop, ip = (int(np.count_nonzero(weights)) for weights in spot.weights)
    counts = count(build_betting_tree(spot.betting), runouts, (oop, ip))
    assert counts.hands == hands
    assert counts.boards == runouts.num_boards == boards
    assert counts.num_decisions == decisions
    assert counts.num_elements == elements


def test_counts_of_a_river_by_hand() -> None:
    """`river_full`: 5 actions at the root and after a check; the rest counted from the outline."""
    spot = named_spot("river_full")
    tree = build_betting_tree(spot.betting)
    counts = count(tree, find_runouts(spot.cards, spot.weights), (10, 100))
    actions = [len(tree.actions(node)) for node in range(tree.num_nodes)]
    by_player = [sum(a for a, k in zip(actions, tree.actor, strict=True) if k == p) for p in (0, 1)]
    assert counts.elements == (0, 0, 0, 10 * by_player[0] + 100 * by_player[1])
    assert counts.nodes == (0, 0, 0, tree.num_nodes)
    assert counts.blocks == (0, 0, 0, sum(a > 0 for a in actions))


def test_all_flops_have_the_published_number_of_runouts() -> None:
    """Flop then turn 63,193; flop, turn, river in order 2,554,656."""
    found = [find_runouts(flop).num_boards for flop in canonical_boards(3).cards.tolist()]
    assert np.sum(found, axis=0).tolist() == [0, 1755, 63_193, 2_554_656]


def test_two_tone_by_hand() -> None:
    """QsJh2h, ranges that do not tell clubs from diamonds: clubs stand for both."""
    runouts = find_runouts(parse_board("QsJh2h"))
    club, diamond = card_from_string("7c"), card_from_string("7d")
    swap = (1, 0, 2, 3)
    assert runouts.turn_index[diamond] == runouts.turn_index[club]
    assert runouts.turn_card[runouts.turn_index[diamond]] == club
    assert runouts.turn_weight[runouts.turn_index[club]] == 2
    assert tuple(runouts.turn_permutation[diamond]) == swap
    assert tuple(runouts.turn_permutation[club]) == IDENTITY
    # After the seven of clubs nothing can be swapped; after a spade clubs and diamonds still can.
    after_club = runouts.turn_index[club]
    assert np.diff(runouts.river_start)[after_club] == 48
    after_spade = runouts.turn_index[card_from_string("7s")]
    assert np.diff(runouts.river_start)[after_spade] == 48 - 13
    # 7d As is played as 7c As, 7d 7c as 7c 7d.
    for dealt, played in (("7dAs", "QsJh2h7cAs"), ("7d7c", "QsJh2h7c7d")):
        board, permutation = runouts.locate(parse_cards(dealt))
        assert tuple(runouts.boards(RIVER)[board]) == parse_board(played)
        assert permutation == swap


def test_representatives_stay_as_they_are_whatever_the_order_of_the_renamings() -> None:
    board = parse_board("Ks8s3s")
    runouts = find_runouts(board, symmetries=suit_symmetries(board)[::-1])
    for card in runouts.turn_card.tolist():
        assert runouts.locate([card])[1] == IDENTITY
    assert runouts.num_boards == find_runouts(board).num_boards
    check_everything(runouts, [], SUIT_PERMUTATIONS)


def parse_cards(text: str) -> list[int]:
    return [card_from_string(text[i : i + 2]) for i in range(0, len(text), 2)]


def test_a_weight_that_tells_suits_apart_ends_the_symmetry() -> None:
    board = parse_board("QsJh2h")
    both = parse_range("AA,KQs")
    clubs_less = parse_range("AA,KQs,KcQc:0.5")
    assert find_runouts(board, [both, both]).num_boards == (0, 1, 36, 1429)
    assert find_runouts(board, [both, clubs_less]).num_boards == (0, 1, 49, 49 * 48)
    assert find_runouts(board, [clubs_less, both]).num_boards == (0, 1, 49, 49 * 48)
    assert find_runouts(board, symmetries=[IDENTITY]).num_boards == (0, 1, 49, 49 * 48)


def test_a_dealt_turn_does_not_move_although_the_four_cards_would_allow_it() -> None:
    """7s7h2d then 2c: clubs for diamonds keeps the four cards, but not the flop."""
    runouts = find_runouts(parse_board("7s7h2d"))
    turn = runouts.turn_index[card_from_string("2c")]
    # Only hearts and spades can be swapped: 13 - 1 fewer.
    assert np.diff(runouts.river_start)[turn] == 48 - 12
    # A spot that begins on the turn has no flop to keep: clubs and diamonds can be swapped too.
    runouts = find_runouts(parse_board("7s7h2d2c"))
    assert runouts.num_boards == (0, 0, 1, 24)
    check_everything(runouts, [], SUIT_PERMUTATIONS)


def test_three_suits_on_a_monotone_flop_use_permutations_of_three() -> None:
    """Where a permutation and its inverse differ: spades flop, three suits to rename."""
    runouts = find_runouts(parse_board("Ks8s3s"))
    assert runouts.num_boards[TURN] == 10 + 13
    check_everything(runouts, [], SUIT_PERMUTATIONS)
    board, permutation = runouts.locate(parse_cards("7h6d"))
    assert tuple(runouts.boards(RIVER)[board]) == parse_board("Ks8s3s7c6d")
    assert permute_cards(parse_cards("7h6d"), permutation) == tuple(parse_cards("7c6d"))


def check_everything(
    runouts: Runouts, weights: list[np.ndarray], allowed: tuple[tuple[int, ...], ...]
) -> None:
    """Every real runout leads to a representative by a renaming that changes nothing else."""
    board = runouts.board
    live = [card for card in range(52) if card not in board]
    turns = [board[3]] if len(board) > 3 else live
    stood_for = np.zeros(len(runouts.river_card), int)
    for turn in turns:
        for river in [board[4]] if len(board) > 4 else live:
            if river == turn:
                continue
            dealt = [turn, river][len(board) - 3 :]
            place, permutation = runouts.locate(dealt)
            assert permutation in allowed
            want = runouts.boards(RIVER)[place].tolist()
            assert list(permute_cards(dealt, permutation)) == want[len(board) :]
            assert set(permute_cards(board, permutation)) == set(board)
            for values in weights:
                assert (values[combo_permutation(permutation)] == values).all()
            stood_for[place] += 1
    real = runouts.turn_weight[runouts.river_turn] * runouts.river_weight
    assert (stood_for == real).all()


RANGES = ["random", "AA,KQs", "AA,AhKh:0.5", "AsKs,AhKh,QQ", "99+,8c7c,8d7d", "KcKd,KhKs"]


@given(
    st.permutations(range(52)),
    st.sampled_from([3, 4, 5]),
    st.sampled_from(RANGES),
    st.sampled_from(RANGES),
)
@settings(max_examples=12, deadline=None)
def test_every_runout_maps_to_a_representative(
    deck: list[int], num_cards: int, first: str, second: str
) -> None:
    weights = [parse_range(first), parse_range(second)]
    runouts = find_runouts(deck[:num_cards], weights)
    check_everything(runouts, weights, SUIT_PERMUTATIONS)


@given(st.permutations(range(52)))
@settings(max_examples=10, deadline=None)
def test_no_two_representatives_are_the_same_up_to_suits(deck: list[int]) -> None:
    runouts = find_runouts(deck[:3])
    rows = runouts.boards(RIVER).tolist()
    classes = {canonical_streets([row[:3], row[3:4], row[4:]]) for row in rows}
    assert len(classes) == len(rows)


@pytest.mark.parametrize("board", ["Td9d6hQc", "Td9d6hQc2s"])
def test_cards_of_the_spot_are_their_own_representative(board: str) -> None:
    cards = parse_board(board)
    runouts = find_runouts(cards)
    assert runouts.boards(board_street(len(cards))).tolist() == [list(cards)]
    assert runouts.locate([]) == (0, IDENTITY)
    with pytest.raises(InputError, match=r"street 1: the spot has \d cards"):
        runouts.boards(FLOP)


@pytest.mark.parametrize("dealt", ["Qs", "7d7d", "7d6d5d"])
def test_cards_that_cannot_fall_are_refused(dealt: str) -> None:
    runouts = find_runouts(parse_board("QsJh2h"))
    with pytest.raises(InputError, match="cannot be dealt on a board of 3 cards"):
        runouts.locate(parse_cards(dealt))


def test_a_board_of_two_cards_is_refused() -> None:
    with pytest.raises(InputError, match="board of 2 cards: want 3, 4 or 5"):
        find_runouts([0, 1])


def test_a_turn_that_is_out_may_be_renamed_within_the_board() -> None:
    """Kings and deuces in hearts and diamonds: swapping them moves the turn, not the board.

    Of eleven ranks clubs and spades are alike, and hearts and diamonds; of kings and deuces the
    two that are left.
    """
    runouts = find_runouts(parse_board("KhKd2h2d"))
    assert len(runouts.river_card) == 2 * 11 + 2
    assert runouts.river_weight.sum() == 48
