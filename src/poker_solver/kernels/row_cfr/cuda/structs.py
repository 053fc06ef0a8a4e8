"""What the CUDA kernels by row and Python share; see `kernels.postflop.cuda.structs`."""

# ruff: noqa: RUF009 - a field's default says what it is in C

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from poker_solver.kernels.postflop.cuda.structs import Pointer, Struct, c_struct, header, one
from poker_solver.kernels.row_cfr import FLOOR

SAY_PITCH = 33
"""Numbers from one value of 32 hands to the next: no two lanes meet in a bank."""


@dataclass(frozen=True)
class RowBoard(Struct):
    """A board of a street; a block does the river boards of a batch one after the other."""

    board: int = one("int", "among those of the chunk; -1 behind the last one of a batch")
    above: int = one("int", "board of the street above, the same for the whole batch")
    spot: int = one("int", "among those of the chunk")
    number: int = one("int", "among the boards of the spot")
    rows_before: int = one("int", "of the spot's boards before this one")
    num_rows: int = one("int")
    opp_live: int = one("u16", "hands")
    own_live: int = one("u16")
    chunks: int = one("u16", "of the opponent's lists; of a river")
    unused: int = one("u16")


@dataclass(frozen=True)
class RowPass(Struct):
    """A pass by row over a street of a chunk of spots for one player.

    What a kernel does not use stays 0. A number of state stands at base[spot] + rows_before *
    num_actions + action * num_rows + row, a scale at base[spot] + number * num_decisions +
    decision.
    """

    # what to walk
    boards: Pointer = one("const RowBoard*", "[batches][per_batch] of a river, else [boards]")
    program: Pointer = one("const int*", "of groups of a river, [groups][..]; else programs")
    program_start: Pointer = one("const int*", "[lines + 1] above the river")
    factors: Pointer = one("const float*", "[groups][..]")
    # what comes from the street above
    opp_above: Pointer = one("const float*", "[board above][row][opp_pad]")
    own_above: Pointer = one("const float*", "[board above][row][own_pad]")
    # state of both players
    stored: Pointer = one("const void*", "what policies are made of: regrets, or sums")
    stored_base: Pointer = one("const i64*", "[spots]")
    regret: Pointer = one("void*", "what a pass learns")
    sum: Pointer = one("float*", "likewise; null where none are kept")
    sum_base: Pointer = one("const i64*", "[spots]")
    scale: Pointer = one("float*", "of regrets of 16 bits")
    scale_base: Pointer = one("const i64*", "[spots]")
    weights: Pointer = one("const float*", "[spots][3] positive, negative, policy")
    # result
    out: Pointer = one("float*", "[board or batch][entry][own_pad]")
    # hands and rows
    opp_row: Pointer = one("const u16*", "[boards][opp_pad] by rank on a river, else by hand")
    own_row: Pointer = one("const u16*", "[boards][own_pad]; above the river NOBODY if blocked")
    own_floor: Pointer = one("const float*", "[boards] the least weight of a hand in its row")
    own_order: Pointer = one("const u16*", "[boards][own_pad] hands by rank, or by row")
    look: Pointer = one("const uint4*", "[boards][own_pad] an own hand among the opponent's")
    list: Pointer = one("const u16*", "[boards][list_pad] of a river; else hands by card")
    list_start: Pointer = one("const u16*", "[4 * 52 + 1] see sum_folds, above the river")
    twin: Pointer = one("const u16*", "[own_pad] the opponent's same hand, or NOBODY")
    cards: Pointer = one("const unsigned char*", "[own_pad][2]")
    # above the river
    opp_action: Pointer = one("const int*", "[opp_rows] the action of each row of a player")
    own_action: Pointer = one("const int*", "[own_rows]")
    own_decision: Pointer = one("const int*", "[own_nodes] the scale of each decision")
    deal_cfv: Pointer = one("const float*", "[board][deal][own_pad]")
    opp_flow: Pointer = one("float*", "[board][row][opp_pad] reach at entries, after each action")
    own_flow: Pointer = one("float*", "[board][row][own_pad]")
    told: Pointer = one("float*", "[board][own_rows + own_nodes][told_pitch]")
    num_groups: int = one("int", "groups of a river board, or lines of an upper street")
    per_batch: int = one("int", "boards, at most")
    opp_pad: int = one("int")
    own_pad: int = one("int")
    list_pad: int = one("int")
    rows_above_opp: int = one("int")
    rows_above_own: int = one("int")
    num_entries: int = one("int", "lines that begin on the street")
    num_deals: int = one("int")
    opp_rows: int = one("int", "of a player's reach after actions")
    own_rows: int = one("int")
    own_nodes: int = one("int")
    num_actions: int = one("int", "of all decisions on a board")
    num_decisions: int = one("int", "on a board")
    told_pitch: int = one("int", "the most rows of a board")
    share: float = one("float", "1 / cards that can fall")


@dataclass(frozen=True)
class RowRanks(Struct):
    """The row of every hand of a player on river boards, by rank; see `abstraction.river_rows`."""

    boards: Pointer = one("const unsigned char*", "[boards][5]")
    all_cards: Pointer = one("const unsigned char*", "[1326][2]")
    combo: Pointer = one("const u16*", "[hands] which of all each hand is")
    live: Pointer = one("const int*", "[boards]")
    order: Pointer = one("const u16*", "[boards][pad] hands by rank")
    row: Pointer = one("u16*", "[boards][pad] row at each rank")
    floor: Pointer = one("float*", "[boards] the least weight of a hand in its row")
    num_rows: Pointer = one("int*", "[boards]")
    pad: int = one("int")
    count: int = one("int", "of quantiles; 0 where every hand has a row of its own")
    keeps_empty: int = one("int", "rows that no hand has")


ROW_BOARD: np.dtype[Any] = np.dtype(c_struct(RowBoard))


@cache
def row_header() -> str:
    """The C text of everything here, and of what it stands on."""
    structs = "".join(kind.c_text() for kind in (RowBoard, RowPass, RowRanks))
    return f"{header()}#define SAY_PITCH {SAY_PITCH}\n#define FLOOR {FLOOR}f\n{structs}"
