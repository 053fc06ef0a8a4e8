"""What the CUDA kernels and Python share: arguments, headers of programs, constants.

Each stands here once. `header` writes the C text that is compiled in front of the kernels, and
`Struct.as_c` makes what a launch is given.
"""

# ruff: noqa: RUF009 - a field's default says what it is in C

from ctypes import Structure, c_float, c_int32, c_int64, c_uint16, c_void_p
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.regret import TINY  # noqa: F401 - one of CONSTANTS

Pointer: TypeAlias = int  # an address on the device; 0 where there is nothing
Pair: TypeAlias = tuple[int, int]  # of OOP and IP

LEARN16 = 4  # LEARN with regrets of 16 bits on the river, and as coarse above it
NUM_CARDS = 52
LIST_HEAD = 40  # numbers before the chunks of a board's lists, see hands.cu
CHUNK = 4  # hands of a chunk of a card's list
RANK_MASK = 2047  # of a rank in a list; the other bits of a chunk say what follows
FIRST_CHUNK = 2048  # beside the first rank of a card's first chunk
LAST_CHUNK = 4096  # beside the first rank of its last chunk
MOST_BATCH = 8  # boards that a block does one after the other, at most
PITCH = 8  # rows of a river's state begin at multiples of so many numbers
PARTS = 4  # parts that the cards which can fall are added up in
MOST_WARPS = 9  # of a block of a generated kernel
WIDE = 640  # hands of the opponent on a board above which all warps of a block sum them together
RANK_PARTS = 8  # that all hands are then summed in
EARLY_ROWS = 4  # own rows up to which a thread reads its next hand before it works on one
NOBODY = 0xFFFF  # in place of a hand
PADDING = -2  # in place of a slot: a row that only fills up a quad
MOST_16 = 32767.0  # the largest regret of a decision in 16 bits
LOCK_UNIT = 16384.0  # a probability of 1 as a regret of 16 bits

CONSTANTS: dict[str, int | float] = {n: value for n, value in vars().items() if n.isupper()}
"""Every `#define`: all numbers above, imported ones too."""

MODES = {LEARN: "learn", BEST: "best", MEAN: "mean", RECORD: "record", LEARN16: "learn16"}
LEARNING = (LEARN, LEARN16)

RiverHead = IntEnum(
    "RiverHead",
    "ENTRIES OPP_NODES SHOWS FOLDS OWN_DOWNS OWN_NODES OPP_ROWS OWN_ROWS OPP_FIRST OWN_FIRST "
    "NUM_SLOTS SPARE AT_DOWNS AT_NODES PROGRAM_SIZE FIRST_NODE HEADER",
    start=0,
)
"""The header of a river group's program."""

UpperHead = IntEnum(
    "UpperHead",
    "U_ENTRY U_OPP_ABOVE U_OWN_ABOVE U_OPP_NODES U_OWN_NODES U_FOLDS U_DEALS U_AT_NODES U_SPARE "
    "U_NUM_SLOTS U_OPP_FIRST U_OPP_ROWS U_OWN_FIRST U_OWN_ROWS U_FIRST_NODE U_HEADER",
    start=0,
)
"""The header of an upper line's program."""

_C_TYPES = {"int": c_int32, "i64": c_int64, "float": c_float, "u16": c_uint16}


def one(kind: str, meaning: str = "") -> int:
    """A field of this type in C; 0 where nothing is given."""
    return field(default=0, metadata={"kind": kind, "count": 1, "meaning": meaning})


def both(kind: str, meaning: str = "") -> Pair:
    """Likewise, one of OOP and one of IP."""
    return field(default=(0, 0), metadata={"kind": kind, "count": 2, "meaning": meaning})


@dataclass(frozen=True)
class Struct:
    """Arguments of a kernel, or what it finds in memory."""

    @classmethod
    def c_text(cls) -> str:
        """Its definition in C."""
        rows = [f"struct {cls.__name__} {{\n"]
        for part in fields(cls):
            kind, count, meaning = (part.metadata[k] for k in ("kind", "count", "meaning"))
            size = "" if count == 1 else f"[{count}]"
            rows.append(f"    {kind} {part.name}{size};{meaning and f'  // {meaning}'}\n")
        return "".join([*rows, "};\n"])

    def as_c(self) -> Structure:
        """As a kernel takes it."""
        structure = c_struct(type(self))  # type: ignore[arg-type]  # a class is hashable
        return structure(*(getattr(self, part.name) for part in fields(self)))


@cache
def c_struct(kind: type[Struct]) -> type[Structure]:
    """The structure of ctypes that has these fields."""
    found = []
    for part in fields(kind):
        name, count = part.metadata["kind"], part.metadata["count"]
        c_type = c_void_p if name.endswith("*") else _C_TYPES[name]
        found.append((part.name, c_type if count == 1 else c_type * count))
    return type(kind.__name__, (Structure,), {"_fields_": found})


@dataclass(frozen=True)
class Board(Struct):
    """A river board of a batch, which a block does one after the other, adding up values."""

    board: int = one("int", "-1 behind the last one")
    above: int = one("int", "board of the street above, the same for the whole batch")
    opp_live: int = one("u16")
    own_live: int = one("u16")
    chunks: int = one("u16")
    unused: int = one("u16")
    opp_base: int = one("i64", "where its state begins")
    own_base: int = one("i64")


@dataclass(frozen=True)
class Pass(Struct):
    """A pass over a street for one player; what a kernel does not use stays 0."""

    # what to walk
    boards: Pointer = one("const Board*", "[batches][per_batch] of a river")
    program: Pointer = one("const int*")
    program_start: Pointer = one("const int*", "[groups or lines + 1]")
    factors: Pointer = one("const float*", "of a generated kernel, [groups][..]")
    # what comes from the street above
    board_above: Pointer = one("const int*", "[boards]")
    is_done: Pointer = one("const unsigned char*", "[boards] of finished spots; null without any")
    opp_above: Pointer = one("const float*", "[board above][row][opp_pad]")
    own_above: Pointer = one("const float*", "[board above][row][own_pad]")
    # state of both players
    opp_stored: Pointer = one("const float*", "regrets, or sums where averages are played")
    own_regret: Pointer = one("float*")
    own_sum: Pointer = one("float*")
    own_scale: Pointer = one("float*", "[boards][own_nodes] of a street, unit of its 16 bits")
    own_locked: Pointer = one("const unsigned char*", "which numbers are fixed; null without locks")
    weights: Pointer = one("const float*", "positive, negative, policy: factors of the schedule")
    # result; above the river, entries of blocked hands are never written
    out: Pointer = one("float*", "[board or batch][entry][own_pad]")
    # hands of a river board
    opp_live: Pointer = one("const int*", "[boards]")
    own_live: Pointer = one("const int*", "[boards]")
    opp_base: Pointer = one("const i64*", "[boards] where its state begins")
    own_base: Pointer = one("const i64*", "[boards]")
    opp_order: Pointer = one("const u16*", "[boards][opp_pad] hand at each rank")
    own_order: Pointer = one("const u16*", "[boards][own_pad]")
    look: Pointer = one("const uint4*", "[boards][own_pad] an own hand among the opponent's")
    list: Pointer = one("const u16*", "[boards][list_pad] opponent's ranks by card, see hands.cu")
    list_start: Pointer = one("const u16*", "[boards][52] where a card's chunks are")
    # hands of an upper street
    opp_alive: Pointer = one("const float*", "[boards][opp_pad]")
    own_alive: Pointer = one("const float*", "[boards][own_pad]")
    twin: Pointer = one("const u16*", "[own_pad] the opponent's same hand, or NOBODY")
    cards: Pointer = one("const unsigned char*", "[own_pad][2]")
    deal_cfv: Pointer = one("const float*", "[board][deal][own_pad]")
    opp_flow: Pointer = one("float*", "[board][row][opp_pad] reach at entries, after each action")
    own_flow: Pointer = one("float*", "[board][row][own_pad]")
    # what river cards are added up, for `gather`
    card_start: Pointer = one("const int*", "[boards + 1]")
    card_board: Pointer = one("const int*", "board or batch below")
    card_move: Pointer = one("const int*", "renaming of suits")
    moved: Pointer = one("const u16*", "[renamings][own_pad]")
    below: Pointer = one("const float*", "[board or batch below][deal][own_pad]")
    gathered: Pointer = one("float*", "[board][deal][own_pad]")
    # where a block keeps its sums when they do not fit into shared memory
    scratch: Pointer = one("float*")
    scratch_floats: int = one("i64", "of one block")
    opp_state: int = one("i64", "where an upper street's state begins")
    own_state: int = one("i64")
    num_items: int = one("int", "blocks of work")
    num_groups: int = one("int", "groups of a river board, or lines of an upper street")
    parts: int = one("int", "blocks that share the hands of a line above the river")
    per_batch: int = one("int", "boards, at most")
    opp_pad: int = one("int")
    own_pad: int = one("int")
    list_pad: int = one("int")
    opp_hands: int = one("int")
    own_hands: int = one("int")
    rows_above_opp: int = one("int")
    rows_above_own: int = one("int")
    num_entries: int = one("int", "lines that begin on the street")
    num_deals: int = one("int")
    opp_rows: int = one("int", "of an upper street")
    own_rows: int = one("int")
    own_nodes: int = one("int", "decisions of the player on the street")
    share: float = one("float", "1 / cards that can fall")


@dataclass(frozen=True)
class Advance(Struct):
    """weights = table[*counter], then the next row: an iteration that can be replayed."""

    weights: Pointer = one("float*", "[3] positive, negative, policy")
    table: Pointer = one("const float*", "[rows][3]")
    counter: Pointer = one("int*")


@dataclass(frozen=True)
class Exchange(Struct):
    """State of some boards between the device's order and the plain one of a file.

    In the plain order regrets of 16 bits are whole numbers: with `scale` and without `is_short`
    they are floats on the device.
    """

    state: Pointer = one("void*")
    plain: Pointer = one("float*", "[board - first][stride]")
    base: Pointer = one("const i64*", "[boards]; 0 for an upper street")
    live: Pointer = one("const int*", "[boards]; 0 for an upper street")
    order: Pointer = one("const u16*", "[boards][pad]")
    row_offset: Pointer = one("const int*", "[rows] where each begins in a board, plain order")
    hand_index: Pointer = one("const u16*", "[hands] in a row of the plain order, or NOBODY")
    scale: Pointer = one("const float*", "[boards][nodes]; 0 where regrets have 32 bits")
    row_node: Pointer = one("const int*", "[rows] the decision of each row, counted on a board")
    state_start: int = one("i64")
    stride: int = one("i64")
    first: int = one("int")
    num_rows: int = one("int")
    hands: int = one("int")
    pad: int = one("int")
    to_plain: int = one("int")
    num_nodes: int = one("int")
    is_short: int = one("int")


@dataclass(frozen=True)
class Restore(Struct):
    """Put the probabilities of locked hands back into regrets and sums."""

    regret: Pointer = one("float*")
    packed: Pointer = one("short*", "from `rivers` on; 0 where all regrets have 32 bits")
    sum: Pointer = one("float*")
    offset: Pointer = one("const i64*", "[count] in the player's state")
    policy: Pointer = one("const float*", "[count]")
    count: int = one("i64")
    rivers: int = one("i64")


@dataclass(frozen=True)
class Hands(Struct):
    """Tables of hands on every river board; what comes twice is of OOP and IP."""

    boards: Pointer = one("const unsigned char*", "[boards][5]")
    spot: Pointer = one("const int*", "[boards]")
    cards: Pair = both("const unsigned char*", "[hands][2]")
    weight: Pair = both("const double*", "[spots][hands]; 0 where a spot has not the hand")
    live: Pair = both("const int*", "[boards]")
    order: Pair = both("u16*", "[boards][pad] hand at each rank, weak first, blocked ones last")
    list: Pair = both("u16*", "[boards][list_pad] ranks by card; all 0 before, see list_card")
    list_start: Pair = both("u16*", "[boards][52]")
    look: Pair = both("u16*", "[boards][pad][8], see look_up")
    chunks: Pair = both("int*", "[boards] of the lists")
    shown: Pointer = one("double*", "[boards] what OOP wins when all hands are shown")
    hands: Pair = both("int")
    pad: Pair = both("int")
    list_pad: Pair = both("int")


@dataclass(frozen=True)
class Weigh(Struct):
    """totals[spot] = sum over hands of cfv times reach at the root."""

    cfv: Pointer = one("const float*", "[spots][pad]")
    reach: Pointer = one("const float*", "[spots][pad]")
    totals: Pointer = one("double*", "[spots]")
    hands: int = one("int")
    pad: int = one("int")


@dataclass(frozen=True)
class Classes(Struct):
    """Ranges and values by class of hand, at the roots of spots; C classes."""

    by_class: Pointer = one("const float*", "[C] a player's range")
    class_of: Pointer = one("const int*", "[spots][pad]; -1 for nobody")
    reach: Pointer = one("float*", "[spots][pad]")
    cfv: Pointer = one("const float*", "[spots][pad]")
    member: Pointer = one("const int*", "[spots][pad] hands, class after class")
    member_start: Pointer = one("const int*", "[spots][C + 1]")
    sums: Pointer = one("double*", "[spots][C]")
    num_classes: int = one("int")
    pad: int = one("int")


@dataclass(frozen=True)
class Root(Struct):
    """A root at which one player may take something else than to play; see `kernels.gadget`."""

    cfv: Pointer = one("const float*", "[hands] what playing is worth")
    forced: Pointer = one("const float*", "[hands]")
    choice: Pointer = one("const float*", "[hands]")
    take: Pointer = one("const float*", "[hands] cfv")
    regret: Pointer = one("float*", "[2][hands] of playing, then of taking")
    sum: Pointer = one("float*", "[2][hands] likewise")
    stored: Pointer = one("const float*", "[2][hands] regrets or sums, by which hands enter")
    weights: Pointer = one("const float*", "[3] positive, negative, policy")
    reach: Pointer = one("float*", "[hands] what plays next")
    hands: int = one("int")


STRUCTS: tuple[type[Struct], ...] = (
    Board, Pass, Advance, Exchange, Restore, Hands, Weigh, Classes, Root,
)  # fmt: skip
BOARD: np.dtype[Any] = np.dtype(c_struct(Board))


@cache
def header() -> str:
    """The C text of everything here."""
    rows = ["typedef unsigned short u16;\n"]
    for name, value in CONSTANTS.items():
        rows.append(f"#define {name} {value}{'f' if isinstance(value, float) else ''}\n")
    for head in (RiverHead, UpperHead):
        rows.append(f"enum {{ {', '.join(head.__members__)} }};\n")
    return "".join(rows + [kind.c_text() for kind in STRUCTS])
