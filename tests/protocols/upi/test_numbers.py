"""What UPI tells of a tree: known answers, and what our own solution says."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import parse_range
from tests.support.spots import named_spot
from tests.support.upi import Talk, set_up, solve

# Pot 100, a bet of 100. OOP has the nuts or nothing, one combo each; IP beats nothing only. By
# hand: OOP bets all nuts and half of nothing, IP calls half of the time.
POLAR = [
    "set_board 2c2d7h7s9c",
    "set_pot 0 0 100",
    "set_eff_stack 100",
    "set_range OOP 7d7c,4h3h",
    "set_range IP KK",
    "add_line 100",
    "build_tree",
]
NUTS, AIR = 230, 51


@pytest.fixture(scope="module")
def polar() -> Talk:
    talk = Talk()
    order = talk.one("show_hand_order")[0].split()
    assert [order[NUTS], order[AIR]] == ["7d7c", "4h3h"]
    talk.ok(*POLAR, *solve("0.0005"))
    return talk


@pytest.fixture(scope="module")
def turn() -> Talk:
    talk = Talk()
    talk.ok(*set_up(named_spot("turn_example")), *solve("0.001 fraction"))
    return talk


def values(talk: Talk, command: str) -> np.ndarray:
    """[1326] the first line of an answer."""
    return np.asarray(talk.rows(command)[0])


def test_the_order_of_hands():
    order = Talk().one("show_hand_order")[0].split()
    assert order[:6] == ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h"]
    assert len(order) == 1326
    assert order[-1] == "AsAh"


def test_a_river_that_is_solved_by_hand(polar):
    results = dict(line.split(": ") for line in polar.one("calc_results"))
    assert list(results) == ["EV OOP", "EV IP", "OOP's MES", "IP's MES", "Exploitable for"]
    numbers = {name: float(value) for name, value in results.items()}
    assert numbers["EV OOP"] == pytest.approx(75, abs=0.01)
    assert numbers["EV IP"] == pytest.approx(25, abs=0.01)
    gain = (numbers["OOP's MES"] + numbers["IP's MES"] - 100) / 2
    assert numbers["Exploitable for"] == pytest.approx(gain, abs=1e-4)
    assert numbers["Exploitable for"] <= 0.0005
    bet, check = polar.rows("show_strategy r:0")
    assert (bet[NUTS], bet[AIR]) == pytest.approx((1, 0.5), abs=0.01)
    assert (bet + check)[[NUTS, AIR]] == pytest.approx([1, 1])
    call = polar.rows("show_strategy r:0:b100")[0]
    kings = parse_range("KK")
    assert call[kings > 0] == pytest.approx(0.5, abs=0.02)
    assert not call[kings == 0].any()
    assert float(polar.one("calc_line_freq r:0:b100")[0]) == pytest.approx(0.75, abs=0.01)


def test_evs_subtract_all_that_was_put_in_since_the_root(polar):
    def of(node: str, hand: int) -> float:
        return float(values(polar, f"calc_ev OOP {node}")[hand])

    assert of("r:0:b100:f", NUTS) == 100
    assert of("r:0:b100:f", AIR) == 100
    assert of("r:0:b100:c", NUTS) == 200
    assert of("r:0:b100:c", AIR) == -100
    assert of("r:0:b100", NUTS) == pytest.approx(150, abs=2)
    assert of("r:0", NUTS) == pytest.approx(150, abs=2)
    kings = parse_range("KK") > 0
    assert values(polar, "calc_ev IP r:0:b100:f")[kings].tolist() == [0] * 6
    assert values(polar, "calc_ev IP r:0:b100:c")[kings] == pytest.approx(0, abs=2)
    assert np.isnan(values(polar, "calc_ev IP r:0")[~kings]).all()


def test_a_bet_is_named_by_all_that_was_put_in_before(polar):
    talk = Talk()
    talk.ok(*POLAR[:1], "set_pot 30 30 40", "set_eff_stack 130", *POLAR[3:5])
    talk.ok("add_line 30 130", "add_line 130", "build_tree", *solve("0.0005"))
    assert talk.one("show_node r:0:c:b130")[3] == "30 130 40"
    assert talk.one("show_effective_stack") == ["130"]
    for node, same in (("r:0:b130:c", "r:0:b100:c"), ("r:0:b130:f", "r:0:b100:f")):
        evs = values(talk, f"calc_ev OOP {node}")[[NUTS, AIR]]
        assert evs.tolist() == values(polar, f"calc_ev OOP {same}")[[NUTS, AIR]].tolist()


@pytest.mark.parametrize(
    ("name", "bracket"), [("river_full", (46.673, 46.803)), ("turn_example", (91.948, 91.973))]
)
def test_spots_of_known_value(name, bracket, turn):
    talk = turn
    if name == "river_full":
        talk = Talk()
        talk.ok(*set_up(named_spot(name)), *solve("0.001 fraction"))
    results = [float(line.split(": ")[1]) for line in talk.one("calc_results")]
    oop, ip, best_oop, best_ip, exploitable = results
    pot = named_spot(name).pot
    assert oop + ip == pytest.approx(pot, abs=1e-3)
    assert exploitable <= 0.001 * pot
    assert pot - best_ip - 1e-3 <= bracket[1]  # the value lies between both best responses
    assert best_oop + 1e-3 >= bracket[0]


@pytest.mark.parametrize(
    ("node", "line"),
    [
        ("r:0", ""),
        ("r:0:c", "x"),
        ("r:0:c:c:3h", "x x 3h"),
        ("r:0:c:c:3h:c", "x x 3h x"),
        ("r:0:b120", "b120"),
        ("r:0:b120:c:As", "b120 c As"),
    ],
)
def test_every_number_is_that_of_our_solution(turn, node, line):
    solution = turn.client.built().now()
    here = solution.node(line)
    paid = solution.tree.committed[solution.tree.node_at(line)]
    for player, name in enumerate(("OOP", "IP")):
        own = here.players[player]
        reach = values(turn, f"show_range {name} {node}")
        assert reach[own.combos] == pytest.approx(own.reach, rel=1e-5, abs=1e-6)
        ev, matchups = turn.rows(f"calc_ev {name} {node}")
        assert ev[own.combos] == pytest.approx(own.ev_chips - paid[player], abs=1e-3, nan_ok=True)
        want = own.reach.astype(float) * own.met
        assert matchups[own.combos] == pytest.approx(want, rel=1e-4, abs=1e-4)
        others = np.delete(np.arange(1326), own.combos)
        assert np.isnan(ev[others]).all()
        assert not reach[others].any()
        shown = turn.one(f"calc_eq_node {name} {node}")
        equity = np.array(shown[0].split(), float)
        assert equity[own.combos] == pytest.approx(own.equity, abs=1e-5, nan_ok=True)
        assert float(shown[2]) == pytest.approx(own.mean_equity, abs=1e-5)
    strategy = turn.rows(f"show_strategy {node}")[::-1]  # ours: fold, call, amounts ascending
    assert strategy[:, here.acting.combos] == pytest.approx(here.strategy, abs=1e-5)


def test_actions_split_a_node_into_its_children(turn):
    children = turn.one("show_children r:0")
    names = [line for line in children if line.startswith("r:")]
    assert names == ["r:0:b900", "r:0:b216", "r:0:b120", "r:0:c"]
    strategy, (ev, matchups) = turn.rows("show_strategy r:0"), turn.rows("calc_ev OOP r:0")
    below = [turn.rows(f"calc_ev OOP {name}") for name in names]
    held = matchups > 0
    mixed = sum(mix * evs[0] for mix, evs in zip(strategy, below, strict=True))
    assert mixed[held] == pytest.approx(ev[held], abs=2e-3)
    assert sum(evs[1] for evs in below) == pytest.approx(matchups, rel=1e-4, abs=1e-4)
    often = [float(turn.one(f"calc_line_freq {name}")[0]) for name in names]
    assert sum(often) == pytest.approx(1, abs=1e-5)
    assert float(turn.one("calc_global_freq r:0:c")[0]) == pytest.approx(often[-1], abs=1e-5)


def test_cards_share_the_deals_of_the_node_they_fall_at(turn):
    names = [line for line in turn.one("show_children r:0:c:c") if line.startswith("r:")]
    assert len(names) == 48
    often = sum(float(turn.one(f"calc_global_freq {name}")[0]) for name in names)
    assert often == pytest.approx(float(turn.one("calc_global_freq r:0:c:c")[0]), rel=1e-4)


def test_nodes_are_described_in_six_lines(turn):
    assert turn.one("show_node r:0:b120") == [
        "r:0:b120",
        "IP_DEC",
        " ".join(named_spot("turn_example").board[i : i + 2] for i in range(0, 8, 2)),
        "120 0 200",
        f"{len(turn.rows('show_strategy r:0:b120'))} children",
        "flags: PIO_CFR",
    ]
    assert turn.one("show_node r:0:c:c")[1] == "SPLIT_NODE"
    assert turn.one("show_node r:0:b120:f")[1::3] == ["END_NODE", "0 children"]
    assert turn.one("show_node r")[1::3] == ["ROOT", "1 children"]
    assert turn.one("show_children r")[1] == "r:0"
    assert len(turn.one("show_children r:0:b120:f")) == 0


def test_equities_of_ranges_without_a_tree():
    talk = Talk()
    talk.ok("set_range OOP AA", "set_range IP KK", "set_board Ks7h2d")
    shown = ps.range_equity(parse_range("AA"), parse_range("KK"), ()).players[0]
    assert float(talk.one("calc_eq_preflop OOP")[2]) == pytest.approx(shown.equity, abs=1e-6)
    ahead = float(talk.one("calc_eq IP")[2])
    assert ahead == pytest.approx(1 - float(talk.one("calc_eq OOP")[2]), abs=1e-6)
