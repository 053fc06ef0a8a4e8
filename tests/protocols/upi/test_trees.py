"""Trees that are locked, solved in part, saved, loaded, or written as scripts."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import parse_range
from poker_solver.config.spot import Spot
from poker_solver.protocols.upi.client import Settings
from poker_solver.protocols.upi.ids import read_cards
from poker_solver.protocols.upi.scripts import lines_of_sizes
from tests.support.upi import Talk, set_up, solve

RIVER = Spot.from_mapping(
    {
        "board": "Ks7h2d9c4s",
        "pot": 100,
        "stack": 200,
        "oop": {"range": "AA,QQ,JTs,98s,A5s", "river": {"bet": "50%", "raise": "a"}},
        "ip": {"range": "KK,TT,AK,87s,JJ", "river": {"bet": "50%", "raise": "a"}},
    }
)
TURN = Spot.from_mapping(
    {
        "board": "Ks7h2d9c",
        "pot": 100,
        "stack": 150,
        "oop": {"range": "QQ,JT,A5s", "turn": {"bet": "50%"}, "river": {"bet": "a"}},
        "ip": {"range": "KQ,TT,87s", "turn": {"bet": "50%"}, "river": {"bet": "a"}},
    }
)


def results(talk: Talk) -> list[float]:
    """EV of OOP and IP, both MES, exploitability."""
    return [float(line.split(": ")[1]) for line in talk.one("calc_results")]


def words(*rows: np.ndarray) -> str:
    return " ".join(f"{value:g}" for row in rows for value in row)


def test_a_locked_node_is_a_lock_of_the_spot():
    talk, all_hands = Talk(), np.ones(1326)
    talk.ok(*set_up(RIVER))
    raises, calls, folds = 0 * all_hands, 0.25 * all_hands, 0.75 * all_hands
    talk.ok(f"set_strategy r:0:b50 {words(raises, calls, folds)}", "lock_node r:0:b50")
    talk.ok(*solve("0.02 chips"))
    locked = RIVER.with_locks([{"line": "b50", "strategy": {"f": 0.75, "c": 0.25}}])
    ours = ps.solve(locked, target_pct=0.02)
    assert results(talk)[:2] == pytest.approx(ours.record.ev_chips, abs=0.05)
    held = parse_range(RIVER.ip.range) * 1.0
    held[np.isnan(talk.rows("calc_ev IP r:0:b50")[0])] = 0
    assert (
        pytest.approx(np.tile([0, 0.25, 0.75], (int((held > 0).sum()), 1)), abs=1e-6)
        == talk.rows("show_strategy r:0:b50")[:, held > 0].T
    )
    assert talk.one("show_node r:0:b50")[-1] == "flags: PIO_CFR LOCKED"
    talk.ok("unlock_node r:0:b50", *solve("0.02 chips"))
    free = ps.solve(RIVER, target_pct=0.02)
    assert results(talk)[:2] == pytest.approx(free.record.ev_chips, abs=0.05)


def test_some_hands_of_a_node_are_locked():
    talk = Talk()
    talk.ok(*set_up(RIVER))
    tens, all_hands = parse_range("TT"), np.ones(1326)
    always = f"set_strategy r:0:b50 {words(0 * all_hands, all_hands, 0 * all_hands)}"
    talk.ok(always, f"combo_lock_node r:0:b50 {words(tens)}", *solve("0.02 chips"))
    ours = ps.solve(RIVER.with_locks([{"line": "b50", "hands": {"TT": {"c": 1}}}]), target_pct=0.02)
    assert results(talk)[:2] == pytest.approx(ours.record.ev_chips, abs=0.05)
    call = talk.rows("show_strategy r:0:b50")[1]
    assert call[tens > 0].tolist() == [1] * 6


def test_a_lock_on_one_card_leaves_the_others_free():
    talk = Talk()
    talk.ok(*set_up(TURN), *solve("0.1 chips"))
    node, other = "r:0:c:c:3c", "r:0:c:c:3s"
    before = talk.rows(f"show_strategy {other}")
    talk.ok(f"set_equal_strats {node}", f"lock_node {node}")
    held = ~np.isnan(talk.rows(f"calc_ev OOP {node}")[0])
    assert (talk.rows(f"show_strategy {node}")[:, held] == 0.5).all()
    assert talk.rows(f"show_strategy {other}") == pytest.approx(before, abs=1e-6)
    talk.ok(*solve("0.1 chips"))
    assert (talk.rows(f"show_strategy {node}")[:, held] == 0.5).all()
    locked = TURN.with_locks([{"line": "x x 3c", "strategy": {"x": 0.5, "a": 0.5}}])
    ours = ps.solve(locked, target_pct=0.1)
    assert results(talk)[0] == pytest.approx(ours.record.ev_chips[0], abs=0.25)


def test_a_strategy_that_is_set_counts_until_the_next_solve():
    talk = Talk()
    talk.ok(*set_up(RIVER), *solve("0.02 chips"))
    free = results(talk)
    talk.ok("set_equal_strats r:0")
    held = ~np.isnan(talk.rows("calc_ev OOP r:0")[0])
    assert (talk.rows("show_strategy r:0")[:, held] == 0.5).all()
    worse = results(talk)
    assert worse[4] > free[4]  # he is easier to exploit,
    assert worse[3] > free[3] + 0.1  # and by IP
    talk.ok(*solve("0.02 chips"))
    assert results(talk)[:2] == pytest.approx(free[:2], abs=0.05)


def test_the_best_response_can_be_played():
    talk = Talk()
    talk.ok(*set_up(RIVER), "set_equal_strats r:0:b50")
    wanted = results(talk)[2]
    talk.ok("set_mes OOP")
    assert results(talk)[0] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("node", ["r:0:b50:c:3h", "r:0:c:c:3h:c", "r:0:c", "r:0"])
def test_a_part_of_the_tree_is_solved_for_the_ranges_that_get_there(node):
    talk = Talk()
    talk.ok(*set_up(TURN), "set_accuracy 0", "go 12 steps", "wait_for_solver")
    before, above = results(talk), talk.rows("show_strategy r:0")
    talk.ok("set_accuracy 0.02 fraction", f"solve_partial {node}", "wait_for_solver")
    assert results(talk)[4] <= before[4] + 1e-6
    if node != "r:0":
        assert talk.rows("show_strategy r:0") == pytest.approx(above, abs=1e-6)
    else:
        assert results(talk)[4] <= 2
    if node == "r:0:b50:c:3h":
        ranges = [talk.rows(f"show_range {name} {node}")[0] for name in ("OOP", "IP")]
        alone = Spot.from_mapping(
            {
                "board": "Ks7h2d9c3h",
                "pot": 200,
                "stack": 100,
                "oop": {"range": ranges[0] / ranges[0].max(), "river": {"bet": "a"}},
                "ip": {"range": ranges[1] / ranges[1].max(), "river": {"bet": "a"}},
            }
        )
        ours = ps.solve(alone, target_pct=0.5)
        ev, matchups = talk.rows(f"calc_ev OOP {node}")
        mean = np.nansum(ev * matchups) / matchups.sum() + 50  # put in on the turn
        assert mean == pytest.approx(ours.record.ev_chips[0], abs=200 * 0.025)


@pytest.mark.parametrize("kind", ["", "full", "no_rivers", "no_turns"])
def test_what_is_dumped_is_loaded(tmp_path, kind):
    talk, path = Talk(), tmp_path / "a tree.cfr"
    talk.ok(*set_up(TURN), "set_equal_strats r:0:c", "lock_node r:0:c", *solve("0.1 chips"))
    nodes = ("r:0", "r:0:c", "r:0:c:c:3h")  # a river that both come to: others are worth anything
    before = [talk.rows(f"calc_ev OOP {node}")[0] for node in nodes]
    told = talk.one("show_tree_info")
    talk.ok(f'dump_tree "{path}" {kind}', "free_tree")
    assert talk.one("is_tree_present") == ["false"]
    talk.ok(f'load_tree "{path}" full', "rebuild_forgotten_streets")
    for node, evs in zip(nodes, before, strict=True):
        after = talk.rows(f"calc_ev OOP {node}")[0]
        is_solved_again = "3h" in node and kind in ("no_rivers", "no_turns")
        assert after == pytest.approx(evs, abs=3 if is_solved_again else 0.05, nan_ok=True)
    assert talk.one("show_tree_info") == told
    assert talk.one("show_node r:0:c")[-1].endswith("LOCKED")
    talk.ok(*solve("0.2 chips"))
    assert results(talk)[4] <= 0.2


def test_a_damaged_tree_is_refused(tmp_path):
    talk, path = Talk(), tmp_path / "river.cfr"
    talk.ok(*set_up(RIVER), f"dump_tree {path}")
    path.write_bytes(path.read_bytes()[:-7])
    (line,) = talk.one(f"load_tree {path}")
    assert line.startswith("ERROR: load_tree: ")
    assert talk.one("show_node r:0") == [
        "ERROR: show_node: there is no tree; build_tree or load_tree first"
    ]


def test_lines_are_removed_with_all_that_follows():
    talk = Talk()
    talk.ok(*set_up(RIVER)[:-1], "remove_line 50 200", "remove_line 0 50", "build_tree")
    assert talk.one("show_all_lines") == ["r:0", "r:0:b50", "r:0:c"]


# 40 in the pot, 100 behind. By hand: 50 % of 40 is a bet of 20, raised by 60 % of the 80 that a
# call makes to 68, which is over 60 % of the stack and so the all-in; 90 % is a bet of 36, and 60 %
# of 112 on top of it is over the stack. On the river the all-in is added where at most twice the
# pot is left.
SCRIPT = """#Type#NoLimit
#Range0#QQ,JT,A5s
#Range1#KQ,TT,87s
#Board#Ks 7h 2d 9c
#Pot#40
#EffectiveStacks#100
#AllinThreshold#60
#AddAllinOnlyIfLessThanThisTimesThePot#200
#TurnConfig.BetSize#50 90
#TurnConfigIP.RaiseSize#60
#RiverConfig.BetSize#50
#RiverConfig.AddAllin#True
#RiverConfig.DonkBetSize#25
"""


def test_the_sizes_of_a_script_make_the_lines_of_its_tree(tmp_path):
    path, talk = tmp_path / "sizes.txt", Talk()
    path.write_text(SCRIPT)
    assert talk.one(f"load_script {path}") == ["load_script ok!"]
    talk.ok("build_tree")

    def actions(node: str) -> list[str]:
        names = [line for line in talk.one(f"show_children {node}") if line.startswith("r:")]
        return [name.rpartition(":")[2] for name in names]

    assert actions("r:0") == ["b36", "b20", "c"]
    assert actions("r:0:b20") == ["b100", "c", "f"]
    assert actions("r:0:b36") == ["b100", "c", "f"]
    assert actions("r:0:c") == ["c"]  # IP has no bets
    assert actions("r:0:c:c:3h") == ["b20", "c"]  # 100 is more than twice 40
    assert actions("r:0:b20:c:3h") == ["b100", "c"]  # 50 % of 80 is 60 in all: over the threshold
    assert actions("r:0:c:c:3h:b20") == ["c", "f"]
    info = dict(line[1:].split("#") for line in talk.one("show_tree_info"))
    assert (info["TurnConfig.BetSize"], info["Pot"]) == ("50 90", "40")


def test_a_donk_is_bet_by_who_called_before():
    info = dict(line[1:].split("#") for line in SCRIPT.splitlines())
    info |= {"TurnConfigIP.BetSize": "50", "AllinThreshold": "100"}
    lines = lines_of_sizes(info, Settings(board=read_cards(["Ks7h2d9c"]), pot=40, stack=100))
    assert (0, 20, 20, 40) in lines  # 25 % of 80, after calling 20
    assert (20, 20, 60) in lines  # 50 % of 80, after betting 20
    assert (0, 20, 20, 60) not in lines


def test_a_script_that_fails_names_its_line(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("set_board Ks7h2d\nset_pot 0 0\n")
    (line,) = Talk().one(f"load_script {path}")
    assert line == (f"ERROR: load_script: {path}, line 2: set_pot: 2 numbers, want 3: OOP IP START")
