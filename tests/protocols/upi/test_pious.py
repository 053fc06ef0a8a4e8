"""Pious, a ready UPI client made for PioSOLVER, drives `poker-solver upi` as a process.

Its `Solver` is pyosolver's with more commands. It starts a program whose name ends in `.exe`: here
a script that runs ours. Left out is what does not work with any engine: `calc_eq` and `reset` fail
inside, locking by `nodelock_utils` sums a range that cannot be summed, and a command that answers
nothing but `ok!` waits for ever for one that is refused. The `.cfr` files that it brings are
PioSOLVER's.
"""

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from pious.conf import pious_conf
from pious.pio.aggregate import aggregate_lines_for_solver
from pious.pio.equity import EquityCalculator
from pious.pio.line import get_all_lines
from pious.pio.solver import Solver
from pious.pio.util import make_solver
from pious.range import Range

import poker_solver as ps
from poker_solver.cards import parse_range
from poker_solver.config.spot import Spot

RIVER = Spot.from_mapping(
    {
        "board": "Ks7h2d9c4s",
        "pot": 100,
        "stack": 200,
        "oop": {"range": "AA,QQ,JTs,98s,A5s:0.5", "river": {"bet": "50%", "raise": "a"}},
        "ip": {"range": "KK,TT,AK,87s,JJ", "river": {"bet": "50%", "raise": "a"}},
    }
)
LINES = ([50, 200], [0, 50, 200])
NODES = {"r:0": "", "r:0:c": "x", "r:0:b50": "b50", "r:0:c:b50:b200": "x b50 a"}


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory) -> Iterator[None]:
    """Our engine where Pious looks for PioSOLVER."""
    folder = tmp_path_factory.mktemp("PioSOLVER")
    program = folder / f"{pious_conf.get_pio_solver_name()}.exe"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m poker_solver upi --device cpu\n')
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pious_conf, "pio_install_directory", str(folder))
        yield


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    """The river, solved to 0.1 chips."""
    started = make_solver()
    assert started.set_board(RIVER.board) == "set_board ok!"
    assert started.set_pot(0, 0, RIVER.pot) == "set_pot ok!"
    assert started.set_eff_stack(RIVER.stack) == "set_eff_stack ok!"
    assert started.set_range("OOP", Range(RIVER.oop.range)) == "set_range ok!"  # 1,326 weights
    assert started.set_range("IP", RIVER.ip.range) == "set_range ok!"  # as text
    assert started.clear_lines() == "clear_lines ok!"
    for line in LINES:
        assert started.add_line(line) == "add_line ok!"
    assert started.build_tree() == "build_tree ok!"
    solve(started)
    yield started
    leave(started)


@pytest.fixture(scope="module")
def ours() -> ps.Solution:
    return ps.solve(RIVER, target_pct=0.1, device="cpu")


def solve(solver: Solver) -> None:
    solver.set_accuracy(0.1)
    said = solver.go(quiet=True)
    assert said.endswith("SOLVER: stopped (required accuracy reached)")


def leave(solver: Solver) -> None:
    """Pious kills its engine, but neither waits for it nor closes its pipes."""
    solver.process.kill()
    solver.process.communicate()


def digits(values: np.ndarray, least: float) -> object:
    """What the text carries: seven digits, the last of which may be rounded the other way."""
    return pytest.approx(values, rel=1e-6, abs=least, nan_ok=True)


def results(solver: Solver) -> list[float]:
    """EV of OOP and IP, both MES, exploitability."""
    return [float(line.split(": ")[1]) for line in solver.calc_results().splitlines()]


def test_pious_and_the_engine_number_hands_alike(solver):
    assert [Range(hand)[index] for index, hand in enumerate(solver.show_hand_order())] == [1] * 1326


def test_the_tree_is_the_one_that_was_said(solver):
    assert (solver.version, solver.is_ready()) == ([3, 9, 0], "is_ready ok!")
    assert solver.show_board() == "Ks 7h 2d 9c 4s"
    assert solver.show_effective_stack() == 200
    info = solver.show_tree_info()
    assert (info["Pot"], info["EffectiveStacks"]) == (100, 200)
    assert info["Board"] == ["Ks", "7h", "2d", "9c", "4s"]
    assert (
        parse_range(",".join(info["Range0"])).sum() == solver.show_range("OOP", "r:0").num_combos()
    )
    lines = ["r:0", "r:0:b50", "r:0:b50:b200", "r:0:c", "r:0:c:b50", "r:0:c:b50:b200"]
    assert solver.show_all_lines() == lines
    bet, check = solver.show_children("r:0")
    assert (bet.node_id, bet.get_position(), bet.pot) == ("r:0:b50", "IP", (50, 0, 100))
    assert (bet.num_children, check.num_children) == (3, 2)
    assert (check.node_id, check.flags, check.board) == ("r:0:c", ("PIO_CFR",), (*info["Board"],))
    assert solver.show_children_actions("r:0:b50") == ["b200", "c", "f"]
    assert solver.show_children("r:0:b50:f") == []
    with pytest.raises(ValueError, match="r:0:b75"):
        solver.show_node("r:0:b75")


def test_values_are_those_of_our_solve(solver, ours):
    *ev, _, _, exploitable = results(solver)
    assert ev == pytest.approx(ours.record.ev_chips, rel=1e-6)
    assert exploitable == pytest.approx(ours.summary()["exploitability"]["chips"], rel=1e-6)


@pytest.mark.parametrize(("node", "line"), NODES.items())
def test_every_number_is_that_of_our_solve(solver, ours, node, line):
    here = ours.node(line)
    strategy = np.array(solver.show_strategy(node))[::-1]  # ours: fold, call, amounts ascending
    assert strategy[:, here.acting.combos] == digits(here.strategy, 1e-9)
    paid = ours.tree.committed[ours.tree.node_at(line)]
    for player, name in enumerate(("OOP", "IP")):
        own = here.players[player]
        reach = solver.show_range(name, node).range_array
        assert reach[own.combos] == digits(own.reach, 1e-9)
        assert reach.sum() == pytest.approx(own.reach.sum(), rel=1e-6)
        ev, matchups = solver.calc_ev(name, node)
        assert ev[own.combos] == digits(own.ev_chips - paid[player], 1e-5)
        assert matchups[own.combos] == digits(own.reach * own.met, 1e-9)
        assert solver.calc_matchups_line(node) == pytest.approx(matchups.sum(), rel=1e-6)
        equity, _, mean = solver.calc_eq_node(name, node)
        assert equity[own.combos] == digits(own.equity, 1e-7)
        assert mean == pytest.approx(own.mean_equity, abs=1e-7)


def test_lists_for_people_say_the_same(solver):
    order = solver.show_hand_order()
    for name, listed, (values, matchups, *_) in (
        ("EV", solver.calc_ev_pp("OOP", "r:0:b50"), solver.calc_ev("OOP", "r:0:b50")),
        ("Equity", solver.calc_eq_pp("OOP", "r:0:b50"), solver.calc_eq_node("OOP", "r:0:b50")),
    ):
        *lines, mean = (line.split(": ") for line in listed)
        told = {hand: [float(number) for number in numbers.split()] for hand, numbers in lines}
        comes = np.flatnonzero(matchups)
        assert told == {order[hand]: [values[hand], matchups[hand]] for hand in comes}
        want = values[comes] @ matchups[comes] / matchups.sum()
        assert mean[0] == name
        assert float(mean[1]) == pytest.approx(want, rel=1e-6)


def test_reports_of_pious_add_up(solver, ours):
    """Its report adds what was put in to an EV, so that both share the pot at every node."""
    solver.load_all_nodes()
    reports = aggregate_lines_for_solver(solver, get_all_lines(solver))
    assert len(reports) == 6
    for line, report in reports.items():
        (row,) = report.to_dict("records")
        pot = sum(solver.show_node(str(line)).pot)
        assert row["OOP EV"] + row["IP EV"] == pytest.approx(pot, abs=1e-3)
        assert row["OOP Equity"] + row["IP Equity"] == pytest.approx(1, abs=1e-6)
    (root,) = reports[get_all_lines(solver)[0]].to_dict("records")
    here = ours.node("")
    shares = here.strategy @ here.acting.reach / here.acting.reach.sum()  # whatever IP blocks
    assert [root["Check Freq"], root["Bet 50 Freq"]] == pytest.approx(100 * shares, rel=1e-5)


def test_equities_without_bets():
    board, oop, ip = "Ks7h2d9c", "AA,QQ", "KK,TT,AKs"
    calculator = EquityCalculator(board, oop, ip)
    try:
        cards = ps.parse_board(board)
        shown = ps.range_equity(parse_range(oop), parse_range(ip), cards).players[0].equity
        assert calculator.compute_equities() == pytest.approx((shown, 1 - shown), abs=1e-6)
        before = ps.range_equity(parse_range(oop), parse_range(ip), ()).players[0].equity
        assert calculator.oop(preflop=True) == pytest.approx(before, abs=1e-6)
    finally:
        leave(calculator.solver)


def test_a_locked_node_is_dumped_and_loaded(solver, tmp_path):
    """Last in the file: it changes the tree."""
    free = results(solver)
    all_hands = np.ones(1326)
    rows = [0 * all_hands, 0.25 * all_hands, 0.75 * all_hands]  # raise, call, fold
    assert solver.set_strategy("r:0:b50", np.concatenate(rows).tolist()) == "set_strategy ok!"
    assert solver.lock_node("r:0:b50") == "lock_node ok!"
    assert solver.show_node("r:0:b50").flags == ("PIO_CFR", "LOCKED")
    solve(solver)
    locked = RIVER.with_locks([{"line": "b50", "strategy": {"f": 0.75, "c": 0.25}}])
    ours = ps.solve(locked, target_pct=0.1, device="cpu")
    assert results(solver)[:2] == pytest.approx(ours.record.ev_chips, rel=1e-6)
    held = solver.show_range("IP", "r:0:b50").range_array > 0
    for row, want in zip(solver.show_strategy("r:0:b50"), (0, 0.25, 0.75), strict=True):
        assert np.array(row)[held] == pytest.approx(want, abs=1e-6)

    saved = str(tmp_path / "river.cfr")
    assert solver.dump_tree(saved, "full") == "dump_tree ok!"
    evs, _ = solver.calc_ev("OOP", "r:0")
    solver.unlock_node("r:0:b50")
    solve(solver)
    assert results(solver) == free
    solver.load_tree(saved)
    assert solver.root_node_info.node_id == "r:0"
    assert solver.show_node("r:0:b50").flags == ("PIO_CFR", "LOCKED")
    assert "ERROR" not in solver.rebuild_forgotten_streets()
    assert "ERROR" not in solver.estimate_rebuild_forgotten_streets()
    after, _ = solver.calc_ev("OOP", "r:0")
    assert after == pytest.approx(evs, abs=0.02, nan_ok=True)  # strategies are saved in 16 bits
