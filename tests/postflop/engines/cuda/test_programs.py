"""Programs of a spot: every decision has its rows and its scale once, and headers say where."""

import numpy as np
import pytest

from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.structs import RiverHead, UpperHead
from poker_solver.postflop.engines.cuda.programs import Room, StreetPrograms, street_programs
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_spots import small_spot

FLOP = lay_out(small_spot("Ks7s2d", "AA", "QQ", "75%", stack=300))
NO_KERNELS = Room(most_rows=0, most_live=(1, 1), shared_bytes=0, packed=False)
ALL_KERNELS = Room(most_rows=32, most_live=(10, 10), shared_bytes=227 << 10, packed=False)


def acting(layout: Layout, street: int, player: int) -> list[int]:
    tree = layout.tree
    return np.flatnonzero((tree.actor == player) & (tree.street == street)).tolist()


@pytest.fixture(scope="module")
def streets() -> list[StreetPrograms]:
    return street_programs(FLOP, NO_KERNELS)


def test_every_decision_has_rows_and_a_number_of_its_own(streets: list[StreetPrograms]) -> None:
    for street in streets:
        for player in (0, 1):
            nodes = acting(FLOP, street.street, player)
            rows = [
                street.first_row[n] + a
                for n in nodes
                for a in range(int(FLOP.tree.num_children[n]))
            ]
            assert sorted(rows) == list(range(street.num_rows[player]))
            assert sorted(street.number[n] for n in nodes) == list(range(len(nodes)))
            assert street.num_nodes[player] == len(nodes)
            by_row = sorted(nodes, key=street.first_row.__getitem__)
            assert [street.number[n] for n in by_row] == list(range(len(nodes)))


def test_programs_count_the_decisions_before_them(streets: list[StreetPrograms]) -> None:
    """The scales of a decision's 16 bits are found by its number, counted over the programs."""
    for street in streets:
        is_river = street.street == RIVER
        first = RiverHead.FIRST_NODE if is_river else UpperHead.U_FIRST_NODE
        count = RiverHead.OWN_NODES if is_river else UpperHead.U_OWN_NODES
        for player, programs in enumerate(street.programs):
            counts = [int(program[count]) for program in programs]
            assert sum(counts) == len(acting(FLOP, street.street, player))
            assert [int(program[first]) for program in programs] == (
                np.cumsum([0, *counts[:-1]]).tolist()
            )


def test_headers_point_at_what_comes_last(streets: list[StreetPrograms]) -> None:
    """From where decisions begin, lists of terms lead exactly to the end of a program."""
    for street in streets:
        is_river = street.street == RIVER
        at_nodes = RiverHead.AT_NODES if is_river else UpperHead.U_AT_NODES
        count = RiverHead.OWN_NODES if is_river else UpperHead.U_OWN_NODES
        for program in (p.tolist() for programs in street.programs for p in programs):
            at = program[at_nodes]
            for _ in range(program[count]):
                num_actions, at = program[at], at + 4
                for _ in range(num_actions):
                    at += 1 + 2 * program[at]
            for _ in range(program[RiverHead.ENTRIES] if is_river else 1):
                at += 1 + 2 * program[at]
            assert at == len(program)
            if is_river:
                assert program[RiverHead.PROGRAM_SIZE] == len(program)


def test_groups_with_kernels_stand_where_programs_would(streets: list[StreetPrograms]) -> None:
    written = street_programs(FLOP, ALL_KERNELS)[-1]
    assert written.programs == ([], [])
    for player, groups in enumerate(written.written):
        for group, program in zip(groups, streets[-1].programs[player], strict=True):
            assert group.arguments[0] == program[RiverHead.OPP_FIRST]
            assert group.arguments[1] == program[RiverHead.OWN_FIRST]
            assert group.arguments[-1] == program[RiverHead.FIRST_NODE]
            assert group.shape.num_rows == (
                program[RiverHead.OPP_ROWS],
                program[RiverHead.OWN_ROWS],
            )
