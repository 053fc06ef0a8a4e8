"""A UPI conversation: commands sent ahead, answers as lists of lines."""

import io

import numpy as np

from poker_solver.config.spot import Spot
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.server import Server
from poker_solver.protocols.upi.tree import Hardware
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.written import written_lines

END = "END"


class Talk:
    """One server; what it said to each batch of commands."""

    def __init__(self) -> None:
        self.answers = io.StringIO()
        self.server = Server(io.BytesIO(), self.answers, Hardware("cpu", 1))
        self.ask(f"set_end_string {END}")

    @property
    def client(self) -> Client:
        return self.server.client

    def ask(self, *commands: str) -> list[list[str]]:
        """The answer to each, without what was said unasked."""
        before = len(self.answers.getvalue())
        self.server.commands = io.BytesIO("".join(f"{c}\n" for c in commands).encode())
        self.server.converse()
        *answers, rest = self.answers.getvalue()[before:].split(f"{END}\n")
        assert not rest.strip() or rest.startswith("SOLVER"), rest
        return [asked_for(answer) for answer in answers]

    def one(self, command: str) -> list[str]:
        (answer,) = self.ask(command)
        return answer

    def rows(self, command: str) -> np.ndarray:
        """The numbers of an answer, a row for each line."""
        return np.array([[float(word) for word in line.split()] for line in self.one(command)])

    def ok(self, *commands: str) -> None:
        """Have commands that answer nothing but that they are done."""
        for command, answer in zip(commands, self.ask(*commands), strict=True):
            assert answer == [f"{command.split()[0]} ok!"], answer[:1]


def asked_for(answer: str) -> list[str]:
    """The lines of an answer that were not said unasked before it."""
    lines = answer.splitlines()
    while lines and lines[0].startswith("SOLVER"):
        lines = lines[7 if lines[0] == "SOLVER:" else 1 :]
    return lines


def set_up(spot: Spot) -> list[str]:
    """The commands that build a spot's tree."""
    lines = written_lines(build_betting_tree(spot.betting))
    return [
        f"set_board {spot.board}",
        f"set_pot 0 0 {spot.pot}",
        f"set_eff_stack {spot.stack}",
        f"set_range OOP {spot.oop.range}",
        f"set_range IP {spot.ip.range}",
        f"set_rake {spot.rake.rate} {spot.rake.cap}",
        "clear_lines",
        *(f"add_line {' '.join(map(str, line))}" for line in lines),
        "build_tree",
    ]


def solve(accuracy: str) -> list[str]:
    return [f"set_accuracy {accuracy}", "go", "wait_for_solver"]
