"""The arguments of the CUDA kernels in `cuda/`, and how large a block's memory is."""

from ctypes import Structure, c_float, c_int32, c_int64, c_void_p
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


KERNELS = (
    "river_learn", "river_learn_far", "river_best", "river_best_far",
    "river_mean", "river_mean_far", "down_learn", "down_look", "up_learn", "up_best", "up_mean",
    "gather", "advance", "exchange", "restore", "weigh",
)  # fmt: skip

RECORD_KERNELS = ("river_record", "river_record_far", "up_record")
"""Of `record.cu`, compiled when somebody asks what a best response plays."""

PACKED_KERNELS = ("river_learn16", "river_learn16_far", "up_learn16")
"""Of `packed.cu`, for regrets of 16 bits."""


def source(*names: str) -> str:
    """The text of files of the folder, one after the other."""
    return "".join((FOLDER / name).read_text() for name in names)


_PASS_POINTERS = (
    "boards", "program", "program_start", "factors", "board_above", "is_done", "opp_above",
    "own_above", "opp_stored", "own_regret", "own_sum", "own_scale", "own_locked", "weights", "out",
    "opp_live", "own_live", "opp_base", "own_base", "opp_order", "own_order", "look", "list",
    "list_start", "opp_alive", "own_alive", "twin", "cards", "deal_cfv", "opp_flow", "own_flow",
    "card_start", "card_board", "card_move", "moved", "below", "gathered", "scratch",
)  # fmt: skip
_PASS_NUMBERS = (
    "num_items", "num_groups", "per_run", "opp_pad", "own_pad", "list_pad", "opp_hands",
    "own_hands", "rows_above_opp", "rows_above_own", "num_entries", "num_deals", "opp_rows",
    "own_rows", "own_nodes",
)  # fmt: skip


class Pass(Structure):
    """See `struct Pass` in the source; what a kernel does not use stays 0."""

    _fields_ = (
        *((name, c_void_p) for name in _PASS_POINTERS),
        *((name, c_int64) for name in ("scratch_floats", "opp_state", "own_state")),
        *((name, c_int32) for name in _PASS_NUMBERS),
        ("share", c_float),
    )


class Advance(Structure):
    """See `struct Advance`."""

    _fields_ = tuple((name, c_void_p) for name in ("weights", "table", "counter"))


class Restore(Structure):
    """See `struct Restore`."""

    _fields_ = (
        *((name, c_void_p) for name in ("regret", "packed", "sum", "at", "held")),
        *((name, c_int64) for name in ("count", "rivers")),
    )


class Exchange(Structure):
    """See `struct Exchange`."""

    _fields_ = (
        *(
            (name, c_void_p)
            for name in (
                "state", "plain", "base", "live", "order", "row_place", "hand_place", "scale",
                "row_node",
            )
        ),
        *((name, c_int64) for name in ("state_start", "stride")),
        *(
            (name, c_int32)
            for name in (
                "first", "num_rows", "hands", "pad", "to_plain", "num_nodes", "is_short",
            )
        ),
    )  # fmt: skip


class Hands(Structure):
    """See `struct Hands`; what comes twice is of OOP and IP."""

    _fields_ = (
        *((name, c_void_p) for name in ("boards", "spot")),
        *(
            (name, c_void_p * 2)
            for name in (
                "cards", "weight", "live", "order", "list", "list_start", "look", "chunks",
            )
        ),
        ("shown", c_void_p),
        *((name, c_int32 * 2) for name in ("hands", "pad", "list_pad")),
    )  # fmt: skip


class Weigh(Structure):
    """See `struct Weigh`."""

    _fields_ = (
        *((name, c_void_p) for name in ("cfv", "reach", "totals")),
        *((name, c_int32) for name in ("hands", "pad")),
    )


def filled(kind: type[Structure], **values: Any) -> Structure:
    """A structure with these fields; the rest is 0."""
    known = {field[0] for field in kind._fields_}
    if unknown := values.keys() - known:
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**values)


ENTRIES, OPP_NODES, SHOWS, FOLDS, OWN_DOWNS, OWN_NODES, OPP_ROWS, OWN_ROWS = range(8)
OPP_FIRST, OWN_FIRST, NUM_SLOTS, SPARE, AT_DOWNS, AT_NODES, PROGRAM_SIZE = range(8, 15)
FIRST_NODE, HEADER = 15, 16
"""The header of a river group's program."""

U_ENTRY, U_OPP_ABOVE, U_OWN_ABOVE, U_OPP_NODES, U_OWN_NODES, U_FOLDS, U_DEALS = range(7)
U_AT_NODES, U_SPARE, U_NUM_SLOTS, U_OPP_FIRST, U_OPP_ROWS, U_OWN_FIRST, U_OWN_ROWS = range(7, 14)
U_FIRST_NODE, U_HEADER = 14, 15
"""The header of an upper line's program."""

UNROLLED = (2, 3, 4)
"""Numbers of actions that have code of their own; others need spare slots."""

PITCH = 8
"""Rows of a river's state begin at multiples of so many numbers."""

MOST_RUN = 8
"""River boards that a block does one after the other, at most."""

GATHER_PARTS = 4
"""Parts that the cards which can fall are added up in."""

LIST_HEAD, CHUNK = 40, 4
"""Numbers before the chunks of a board's lists, and places of a chunk; see `hands.cu`."""

NOBODY = 0xFFFF
"""In place of a hand."""

PADDING = -2
"""In place of a slot: a row that only fills up a quad."""


def rounded(number: int, step: int = 4) -> int:
    """Up to the next multiple."""
    return -(-number // step) * step


def most_chunks(num_hands: int) -> int:
    """Chunks of the lists of so many hands, at most: a card has one, and none is full."""
    return (2 * num_hands + CHUNK * 52) // CHUNK


def list_room(num_hands: int) -> int:
    """Numbers that the lists of a board take at most, a multiple of eight."""
    return rounded(LIST_HEAD + CHUNK * most_chunks(num_hands) + num_hands, 8)


def river_floats(program: Any, opp_live: int, num_chunks: int, threads: int, own_live: int) -> int:
    """Memory of a block on a board with so many hands, as `carve` cuts it.

    `own_live` are those of the player where his regrets are unpacked, else 0.
    """
    opp_ld = rounded(opp_live, PITCH) + 4
    size = rounded(int(program[PROGRAM_SIZE]))
    size += (program[OPP_ROWS] + program[ENTRIES]) * opp_ld + 4
    size += (4 * num_chunks + 52) * program[SHOWS] + 52 * program[FOLDS] + rounded(program[FOLDS])
    fresh = int(program[OWN_ROWS]) * rounded(own_live, PITCH)
    return int(size + rounded(int(program[NUM_SLOTS]) * threads) + fresh)


def upper_floats(program: Any, threads: int) -> int:
    """Memory of a block on a line above the river."""
    return int(rounded(int(program[U_FOLDS]) * 53) + program[U_NUM_SLOTS] * threads)


def down_floats(program: Any, threads: int) -> int:
    """Memory of a block that takes reach down such a line."""
    return int(1 + max(program[U_OPP_ROWS], program[U_OWN_ROWS])) * threads
