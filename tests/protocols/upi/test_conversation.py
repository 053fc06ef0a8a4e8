"""How the engine talks: framing, order, solves beside it, and clients that misbehave."""

import io
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cards import parse_range
from poker_solver.protocols.upi.running import Worker
from tests.support.upi import END, Talk

RIVER = [
    "set_board Ks7h2d9c4s",
    "set_pot 0 0 100",
    "set_eff_stack 200",
    "set_range OOP 22+,A2+,K2+,Q2+,J2+,T2+",
    "set_range IP 22+,A2+,K2+,Q2+,J2+,T2+",
    "add_line 0 50 200",
    "add_line 50 200",
    "build_tree",
]


class Engine:
    """`poker-solver upi` as clients drive it: a process, its answers read up to the end string."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "poker_solver", "upi", "--device", "cpu"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=1,
            encoding="utf8",
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.greeting = [self.stdout.readline() for _ in range(3)]

    def send(self, *commands: str) -> None:
        self.stdin.write("".join(f"{command}\n" for command in commands))

    def read_until(self, last: str) -> list[str]:
        lines: list[str] = []
        while True:
            line = self.stdout.readline()
            assert line, f"the engine ended before {last!r}: {lines}"
            if line == f"{last}\n":
                return lines
            lines.append(line.rstrip("\n"))

    def run(self, command: str) -> list[str]:
        self.send(command)
        return self.read_until(END)

    def leave(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


def numbers_of(line: str) -> list[float]:
    return [float(word) for word in line.split()]


@pytest.fixture
def engine():
    started = Engine()
    yield started
    started.process.kill()
    started.process.communicate()


def test_a_client_session_from_start_to_exit(engine, tmp_path):
    """The exchange of a ready-made client: its start, a script, a solve, reads, a save."""
    assert engine.greeting[2].startswith("registered to ")
    for command in (
        f"set_end_string {END}",
        "set_threads 0",
        "set_recalc_accuracy 0.0025 0.001 0.0005",
        "set_accuracy 20",
        "set_always_recalc 0 60000",
        "is_ready",
    ):
        assert engine.run(command) == [f"{command.split()[0]} ok!"]
    assert engine.run("show_version") == ["3.9.0"]
    script = tmp_path / "my river.txt"
    script.write_text("#Type#NoLimit\n\n" + "\n".join(RIVER))
    assert engine.run(f'load_script_silent "{script}"') == ["load_script_silent ok!"]
    assert engine.run("set_accuracy 0.3 chips") == ["set_accuracy ok!"]
    assert engine.run("go") == ["go ok!"]
    said = engine.read_until("SOLVER: stopped (required accuracy reached)")
    assert said[:2] == ["SOLVER: started", "SOLVER:"]
    block = dict(line.split(": ") for line in said[-6:])
    assert next(iter(block)) == "running time"
    assert float(block["Exploitable for"]) <= 0.3
    assert engine.run("wait_for_solver") == ["wait_for_solver ok!"]
    children = "\n".join(engine.run("show_children r:0")).strip().split("\n\n")
    assert [child.split("\n")[1] for child in children] == ["r:0:b50", "r:0:c"]
    assert [len(child.split("\n")) for child in children] == [7, 7]
    assert [len(line.split(" ")) for line in engine.run("show_strategy r:0")] == [1326, 1326]
    saved = tmp_path / "river.cfr"
    assert engine.run(f"dump_tree {saved} no_rivers") == ["dump_tree ok!"]
    before = numbers_of(engine.run("calc_ev OOP r:0")[0])
    assert engine.run("free_tree") == ["free_tree ok!"]
    assert engine.run(f'load_tree "{saved}"') == ["load_tree ok!"]
    after = numbers_of(engine.run("calc_ev OOP r:0")[0])
    assert after == pytest.approx(before, abs=0.02, nan_ok=True)
    engine.send("exit")
    code, errors = engine.leave()
    assert (code, errors) == (0, "")


def test_many_commands_sent_ahead_are_answered_in_order(engine):
    engine.send(f"set_end_string {END}", *RIVER, "set_accuracy 0.5", "go", "wait_for_solver")
    engine.send("# no answer", "", "   ", "show_effective_stack", "calc_results", "echo done")
    answers = [engine.read_until(END) for _ in range(3 + len(RIVER) + 4)]
    assert [answer[-1] for answer in answers[: 3 + len(RIVER)]] == [
        f"{command.split()[0]} ok!" for command in ("set_end_string", *RIVER, "set_accuracy", "go")
    ]
    assert answers[-4][-1] == "wait_for_solver ok!"
    assert answers[-3] == ["200"]
    assert len(answers[-2]) == 5
    assert answers[-1] == ["done"]


def test_a_solve_runs_beside_and_stops_when_asked(engine):
    engine.send(f"set_end_string {END}", *RIVER, "set_accuracy 0", "go", "is_ready")
    for _ in range(3 + len(RIVER)):
        engine.read_until(END)
    assert engine.read_until(END)[-1] == "is_ready ok!"
    refused = engine.run("calc_results")
    assert refused[-1] == (
        "ERROR: calc_results: the solver is running; stop it, or wait_for_solver"
    )
    assert engine.run("go")[-1].startswith("ERROR: go: the solver is running")
    time.sleep(0.05)
    stopped = engine.run("stop")
    assert stopped[-1] == "stop ok!"
    after = engine.run("calc_results")  # waits for the solve to end
    assert "SOLVER: stopped (requested)" in after
    assert after[-1].startswith("Exploitable for: ")


def test_who_hears_that_a_solve_has_stopped_may_read_at_once():
    """pyosolver does: it goes on with that line, not with an answer."""
    heard: list[tuple[str, bool]] = []
    worker = Worker(lambda lines: heard.append((lines[-1], worker.is_solving)))
    worker.start(lambda stop: "target")
    worker.wait()
    worker.close()
    stopped = "SOLVER: stopped (required accuracy reached)"
    assert heard == [("SOLVER: started", True), (stopped, False)]


def test_the_end_of_input_stops_a_solve(engine):
    engine.send(*RIVER, "set_accuracy 0", "go")
    engine.read_until("SOLVER: started")
    code, errors = engine.leave()
    assert (code, errors) == (0, "")


def test_a_client_that_goes_away_leaves_nothing_behind():
    read, write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "poker_solver", "upi", "--device", "cpu"],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert process.stdin is not None
    with os.fdopen(read) as answers:
        assert answers.readline().startswith("poker-solver ")
    process.stdin.write("\n".join([*RIVER, "set_accuracy 0", "go", "wait_for_solver"]) + "\n")
    process.stdin.flush()
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (1, "")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=60).filter(lambda line: b"exit" not in line), max_size=5))
def test_garbage_is_answered_by_one_line_each(lines):
    talk = Talk()
    before = len(talk.answers.getvalue())
    stream = b"".join(line.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n" for line in lines)
    talk.server.commands = io.BytesIO(stream + b"is_ready\n")
    talk.server.converse()
    *answers, rest = talk.answers.getvalue()[before:].split(f"{END}\n")
    assert rest == ""
    assert answers[-1] == "is_ready ok!\n"
    assert all(answer.count("\n") == 1 for answer in answers)
    assert all(answer.startswith("ERROR: ") for answer in answers[:-1])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("solve_everything", "there is no such command"),
        ("set_board KsKs2d", "board 'KsKs2d': want 3, 4 or 5 different cards"),
        ("set_board Kx7h2d", "'Kx' is not a card, as in Qh"),
        ("set_pot 1 2", "2 numbers, want 3: OOP IP START"),
        ("set_eff_stack -5", "chips '-5': want a whole number from 0 up"),
        ("set_range UTG AA", "player 'UTG': want OOP or IP"),
        ("set_range OOP " + "1 " * 1325, "range: 1,325 numbers, want 1,326"),
        ("set_range OOP " + "nan " * 1326, "range: numbers must be finite and not negative"),
        ("set_threads 100000000000", "100000000000 threads, want at most 256"),
        ("add_line", "want what was put in after each action, as in 0 0 12 12 54 230"),
        ("remove_line 0 12", "no line begins with 0 12"),
        ("set_accuracy x", "accuracy: 'x' is not a number"),
        ("go 10 minutes", "there is no tree; build_tree or load_tree first"),
        ("show_node r:0", "there is no tree; build_tree or load_tree first"),
        ("set_rake 0.05 3 0.04 2", "a second rate and cap that differ"),
        ('load_tree "no such file"', "no such file"),
        ("load_script nowhere.txt", "nowhere.txt is not a file"),
        ("add_info_line hello", "'hello': want #Key#value"),
        ("add_preflop_line 100 200", "preflop trees are not built here"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(command, why):
    (line,) = Talk().one(command)
    assert line.startswith(f"ERROR: {command.split()[0]}: ")
    assert why in line


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("show_node r:1", "node 'r:1': a name begins with r:0"),
        ("show_node r:0:b51", "no 'b51' after r:0; there are b50, c"),
        ("show_node r:0:b50:f:c", "no 'c' after r:0:b50:f; the hand is over"),
        ("show_strategy r:0:b50:c", "nobody acts at r:0:b50:c"),
        ("calc_ev r:0", "want a player and a node, as in OOP r:0"),
        ("set_strategy r:0 1 2 3", "strategy: 3 numbers, want 2,652"),
        ("unlock_node r:0", "r:0 is not locked"),
        ("solve_partial r:0:c r:0", "want one node"),
        ("go 10 minutes", "want a number, and seconds or steps"),
        ("go 1.5 steps", "1.5 steps: want a whole number from 1 up"),
        ("dump_tree", 'want "a file"'),
    ],
)
def test_what_is_wrong_with_a_tree_is_said_in_one_line(command, why, river):
    (line,) = river.one(command)
    assert line.startswith("ERROR: ")
    assert why in line


@pytest.fixture(scope="module")
def river() -> Talk:
    talk = Talk()
    talk.ok(*RIVER)
    return talk


def test_a_tree_that_cannot_be_built_is_refused_whole(river):
    river.ok("add_line 0 300", "add_line 50 40")
    (line,) = river.one("build_tree")
    assert "'0 300': action 2, 300, is more than the stack of 200" in line
    assert "'50 40': action 2, 40, is less than the 50 it must match" in line
    river.ok("remove_line 0 300", "remove_line 50 40", "build_tree")


def test_a_line_that_never_ends_is_refused_and_skipped():
    talk = Talk()
    answers = talk.ask("set_range OOP " + "1" * 9_000_000, "is_ready")
    assert answers == [["ERROR: a line of more than 8,000,000 bytes"], ["is_ready ok!"]]


def test_a_solve_tells_how_far_it_is_every_so_many_iterations(river):
    before = len(river.answers.getvalue())
    river.ok("set_accuracy 0", "set_info_freq 10", "build_tree", "go 30 steps", "wait_for_solver")
    said = river.answers.getvalue()[before:]
    assert said.count("SOLVER:\n") == 3  # after 10, 20 and 30, the last not twice
    river.ok("set_info_freq 0", "build_tree")


@pytest.mark.parametrize("text", ["22 33 44 55 66 77 88 99", "22+,A2s+", "AA, KK,AhKh:0.5"])
def test_ranges_are_text_too(text):
    talk = Talk()
    talk.ok(f"set_range OOP {text}")
    want = parse_range(",".join(text.replace(",", " ").split()))
    assert talk.rows("show_range OOP")[0].tolist() == want.tolist()


def test_limits_of_a_solve(river):
    river.ok("build_tree", "set_accuracy 0", "go 30 steps", "wait_for_solver")
    assert river.client.built().now().iterations == 30
    river.ok("go 20 steps", "wait_for_solver")
    assert river.client.built().now().iterations == 50
    river.ok("go 0.01 seconds", "wait_for_solver")
    assert "SOLVER: stopped (requested time is up)" in river.answers.getvalue()


NAMED = """
is_ready load_tree dump_tree go stop wait_for_solver set_threads set_info_freq set_accuracy
set_recalc_accuracy set_always_recalc set_isomorphism set_first_iteration_player add_preflop_line
remove_preflop_line clear_preflop_lines build_preflop_tree add_to_subset reset_subset recover_subset
add_schematic_tree add_all_flops set_algorithm small_strats add_info_line reset_tree_info
solve_partial lock_node unlock_node combo_lock_node set_equal_strats set_mes free_tree show_node
show_children show_strategy show_range calc_ev calc_eq_node calc_global_freq calc_line_freq
calc_results show_tree_info show_all_lines show_effective_stack show_hand_order show_version
load_script load_script_silent rebuild_forgotten_streets set_board set_pot set_eff_stack set_range
clear_lines add_line remove_line build_tree set_strategy set_rake calc_ev_pp calc_eq_pp
calc_matchups_line estimate_rebuild_forgotten_streets
"""


def test_every_command_that_clients_name_is_known():
    names = NAMED.split()
    answers = Talk().ask(*names)
    assert len(answers) == len(names)
    assert not [answer for answer in answers if "there is no such command" in answer[0]]
