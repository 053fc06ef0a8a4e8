"""The tables of hands that a GPU makes for itself, against an evaluator that is not its own."""

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, cards_to_string
from poker_solver.cards.equity import range_equity
from poker_solver.cards.strength import board_strengths
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.structs import CHUNK, LIST_HEAD
from poker_solver.postflop.engines.cuda.hands import RiverHands, rank_hands
from poker_solver.postflop.engines.cuda.tables import SpotGroup, group_spots
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.runtime.cuda import Gpu
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_spots import small_spot

MACHINES = [
    pytest.param(
        HostMachine, id="host", marks=pytest.mark.skipif(COMPILER is None, reason="no compiler")
    ),
    pytest.param(Gpu, id="gpu", marks=pytest.mark.gpu),
]
Ranked = tuple[SpotGroup, RiverHands, Gpu]

ANY = "22+,A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s,A2o+,K2o+,Q2o+,J2o+,T2o+"
SOME = "22+:0.35,A2s+,K9s+:0.75,QTs+,76s,98o,65o:0.1,32o"


def boards(count: int) -> list[str]:
    rng = np.random.default_rng(5)
    return [cards_to_string(rng.permutation(52)[:5].tolist()) for _ in range(count)]


@pytest.fixture(scope="module", params=MACHINES)
def ranked(request: pytest.FixtureRequest) -> Ranked:
    """Many hands on several rivers side by side; four of a suit, and straights, on some."""
    chosen = [*boards(12), "AsKsQsJs2d", "5h4d3c2sAs", "9c9d9h9sTc", "KsKd7h7cKh"]
    spots = [small_spot(board, ANY, SOME, "50%") for board in chosen]
    machine: Gpu = request.param()
    group = group_spots([lay_out(spot) for spot in spots])
    return group, rank_hands(group, machine, threads=64), machine


def read(ranked: Ranked, player: int, name: str, board: int) -> NDArray[np.int64]:
    group, hands, machine = ranked
    whole = machine.get(getattr(hands.tables[player], name)).astype(np.int64)
    found: NDArray[np.int64] = whole.reshape(group.num_boards(RIVER), -1)[board]
    return found


@pytest.mark.parametrize("player", [0, 1])
def test_hands_stand_in_order_of_strength_and_know_how_many_are_weaker(ranked, player):
    group = ranked[0]
    for board, layout in enumerate(group.layouts):
        (strength,) = board_strengths([layout.game.cards])
        own, other = (group.players[p].combos for p in (player, 1 - player))
        alive = [np.isin(group.players[p].combos, layout.combos[p]) for p in (player, 1 - player)]
        mine = np.where(alive[0] & (strength[own] > 0), strength[own], 30_000)
        theirs = np.sort(np.where(alive[1], strength[other], 0))
        order = read(ranked, player, "order", board)[: len(own)]
        np.testing.assert_array_equal(order, np.argsort(mine, kind="stable"))
        live = int(group.players[player].live[board])
        assert live == (mine < 30_000).sum()
        look = read(ranked, player, "look", board).reshape(-1, 8)[:live]
        level, shown = mine[order[:live]], theirs[theirs > 0]
        np.testing.assert_array_equal(look[:, 0], np.searchsorted(shown, level, "left"))
        np.testing.assert_array_equal(look[:, 1], np.searchsorted(shown, level, "right"))


@pytest.mark.parametrize("player", [0, 1])
def test_lists_have_every_place_of_a_card_and_looks_lead_into_them(ranked, player):
    group, hands, _ = ranked
    opp = group.players[1 - player]
    for board in range(len(group.layouts)):
        live = int(opp.live[board])
        places = COMBO_CARDS[opp.combos[read(ranked, 1 - player, "order", board)[:live]]]
        lists = read(ranked, 1 - player, "list", board)
        chunks = int(lists[0])
        assert chunks <= hands.most_chunks[1 - player]
        tagged = lists[LIST_HEAD : LIST_HEAD + CHUNK * chunks].reshape(chunks, CHUNK)
        cells, card_of = tagged & 0x7FF, tagged[:, 0] >> 13 << 3 | tagged[:, 2] >> 11 & 7
        by_card = [np.flatnonzero((places == card).any(axis=1)) for card in range(52)]
        listed = np.sort(cells[cells < live])
        np.testing.assert_array_equal(listed, np.sort(np.concatenate(by_card)))
        for card, want in enumerate(by_card):
            mine = cells[card_of == card]
            np.testing.assert_array_equal(mine[mine < live], want)
            ends = tagged[card_of == card, 0] >> 11 & 3
            assert (ends[0] & 1, ends[-1] & 2, len(ends[1:-1].nonzero()[0])) == (1, 2, 0)

        own = group.players[player]
        count = int(own.live[board])
        order = read(ranked, player, "order", board)[:count]
        look = read(ranked, player, "look", board).reshape(-1, 8)[:count]
        for hand, row in zip(order.tolist(), look.tolist(), strict=True):
            cards = COMBO_CARDS[own.combos[hand]].tolist()
            for side, part in ((0, 0), (0, 1), (1, 0), (1, 1)):
                of_card, at = by_card[cards[side]], row[2 + 2 * side + part]
                before = int(np.searchsorted(of_card, row[part]))
                if before == len(of_card):
                    assert at == CHUNK * chunks + cards[side]
                else:  # the place that comes next
                    assert cells[at % chunks, at // chunks] == of_card[before]
            same = np.flatnonzero((places == cards).all(axis=1))
            assert row[6] == cards[0] + 256 * cards[1]
            assert row[7] == (same[0] if len(same) else live)


ON_EVERY_STREET = {
    "river": small_spot("Ks7h2d9c4s", SOME, "QQ+,AKs,76s:0.5,54s", "50%"),
    "turn, suits alike": small_spot("Ks7s2sTs", "AA,KQ:0.25,77", "QQ,AK,76s", "a"),
    "flop": small_spot("Ks7s2d", "AcAd,QhQc:0.3,8h7h", "QhQd,AsKh,9h8h", "", stack=90),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ON_EVERY_STREET)
def test_the_equity_is_that_of_the_ranges(name: str, machine: type[Gpu]) -> None:
    spot: Spot = ON_EVERY_STREET[name]
    hands = rank_hands(group_spots([lay_out(spot)]), machine(), threads=32)
    players = range_equity(*spot.weights, spot.cards).players
    assert hands.equity[0] == pytest.approx([player.equity for player in players], rel=1e-12)
