"""A spot planned, once for each solve: what is played on which boards, how large, where, in what.

Every formula for memory after the flop is here, as slabs by backend; nothing is allocated. An
element is a number kept per decision, action and hand, on every board that is solved. Hands are the
combos with weight that the spot's board leaves; in memory their rows are filled up to 16.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.isomorphism import Permutation
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, InputError, MemoryPlanError, PokerSolverError
from poker_solver.games.betting import IP, OOP, RIVER, TURN, Street
from poker_solver.kernels.postflop import LANES
from poker_solver.postflop.game import PostflopGame
from poker_solver.runtime.cuda import open_gpu
from poker_solver.runtime.device import POSTFLOP, choose
from poker_solver.runtime.memory import Slab, available_bytes, gib, parts_text, plan_bytes
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import lock_symmetries
from poker_solver.trees.runouts import Runouts, find_runouts

Slabs = tuple[Slab, ...]
PRECISIONS = ("float32", "int16")
"""Of regrets; strategy sums are float32 in both."""


@dataclass(frozen=True)
class TreeCounts:
    """Sizes by `Street`; 0 for a street before the spot."""

    hands: tuple[int, int]  # OOP's and IP's combos
    boards: tuple[int, ...]  # up to suits
    nodes: tuple[int, ...]  # of the betting tree, once whatever the board
    blocks: tuple[int, ...]  # decisions on all boards
    elements: tuple[int, ...]  # decision x action x hand, on all boards
    num_stored: int  # numbers kept for the elements of all streets, rows filled up

    @property
    def num_decisions(self) -> int:
        """Decisions on all boards of all streets."""
        return sum(self.blocks)

    @property
    def num_elements(self) -> int:
        """Regrets to be kept; as many strategy sums."""
        return sum(self.elements)


def count(tree: BettingTree, runouts: Runouts, hands: tuple[int, int]) -> TreeCounts:
    """The sizes of a spot: its betting tree on every board to solve."""
    boards = runouts.num_boards

    def per_street(weights: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, ...]:
        return tuple(int(weights[tree.street == street].sum()) for street in Street)

    def on_boards(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(size * num for size, num in zip(sizes, boards, strict=True))

    acting = tree.is_decision.astype(np.int64)
    actions = acting * tree.num_children
    elements = actions * np.where(tree.actor == IP, hands[IP], hands[OOP])
    oop, ip = (-(-num // LANES) * LANES for num in hands)
    stored = actions * np.where(tree.actor == IP, ip, oop)
    return TreeCounts(
        hands=hands,
        boards=boards,
        nodes=per_street(np.ones(tree.num_nodes, np.int64)),
        blocks=on_boards(per_street(acting)),
        elements=on_boards(per_street(elements)),
        num_stored=sum(on_boards(per_street(stored))),
    )


def check_precision(precision: str) -> None:
    """Refuse a precision that no solve can run in."""
    if precision not in PRECISIONS:
        known = ", ".join(PRECISIONS)
        raise InputError(f"precision {precision!r}: known precisions are {known}")


@dataclass(frozen=True, eq=False)
class Plan:
    """A spot before it is laid out: everything that sizes, device and memory follow from."""

    game: PostflopGame
    written: Spot | None  # its text, where somebody wrote it
    runouts: Runouts
    combos: tuple[NDArray[np.int32], NDArray[np.int32]]  # [H] OOP's and IP's hands, ascending
    device: str  # a plain name
    precision: str  # of regrets

    @cached_property
    def counts(self) -> TreeCounts:
        """How large it is; a spot of many that are laid out is not asked."""
        oop, ip = self.combos
        return count(self.game.tree, self.runouts, (len(oop), len(ip)))

    @property
    def slabs(self) -> Slabs:
        """What a solve of it keeps in the host's memory, if that is where it is solved."""
        return cpu_slabs(self.counts, self.precision)


def plan(
    spot: Spot | PostflopGame,
    *,
    device: str = "cpu",
    precision: str = "float32",
    symmetries: Sequence[Permutation] | None = None,
) -> Plan:
    """Find a spot's tree, locks, boards and hands, and the device that solves it.

    Device `auto` is a GPU for spots that repay its start and whose ranges it sums well.
    `symmetries` are the renamings of suits to use, see `find_runouts`; all that are exact if left
    out.
    """
    check_precision(precision)
    game = PostflopGame.of(spot)
    if symmetries is None and len(game.cards) < 5:
        symmetries = lock_symmetries(game.cards, game.weights, game.locks)
    runouts = find_runouts(game.cards, symmetries=symmetries)
    oop, ip = (np.flatnonzero(weights > 0).astype(np.int32) for weights in game.weights)
    hands = len(oop), len(ip)
    if device == "auto" and game.would_cancel:
        device = "cpu"
    size = count(game.tree, runouts, hands).num_elements if device == "auto" else 0
    written = spot if isinstance(spot, Spot) else None
    check_sums(game, device)
    found = choose(device, size, POSTFLOP)
    return Plan(game, written, runouts, (oop, ip), found, precision)


def check_sums(game: PostflopGame, device: str) -> None:
    """Refuse ranges that a CUDA GPU would sum too roughly; see `MOST_BLOCKED`."""
    if device.startswith("cuda") and game.would_cancel:
        raise DeviceError(
            f"device {device}: nearly all the weight of these ranges is in hands that share a card "
            "and never meet, and only cpu sums the others exactly; use device cpu"
        )


def open_early(planned: Plan) -> Thread | None:
    """Begin to open the CUDA GPU that the spot will be solved on, if it will be.

    The driver needs some tenths of a second and no Python. What goes wrong is met again, and said,
    by the solve.
    """
    if not planned.device.startswith("cuda"):
        return None

    def work() -> None:
        with suppress(PokerSolverError):
            open_gpu(planned.device)

    thread = Thread(target=work)
    thread.start()
    return thread


def state_slabs(counts: TreeCounts, precision: str) -> Slabs:
    """Regrets and sums; regrets of 16 bits have one scale per decision and board."""
    check_precision(precision)
    stored = (counts.num_stored,)
    state = Slab("regret", stored, precision), Slab("strategy sum", stored, "float32")
    if precision == "float32":
        return state
    return (*state, Slab("scale", (counts.num_decisions,), "float32"))


def cpu_slabs(counts: TreeCounts, precision: str) -> Slabs:
    """What a solve on the CPU keeps: the state, tables of hands on every river board, values."""
    # Per hand and river board its rank by strength, whether it is live, its steps, and its sums.
    boards = Slab("boards", (counts.boards[RIVER], sum(counts.hands), 10), "int32")
    # Per turn, node and hand: reach, policy and value, and what the rivers after it come to.
    turns = counts.boards[TURN] * counts.nodes[TURN], max(counts.hands), 9
    return (*state_slabs(counts, precision), boards, Slab("values", turns, "float32"))


def torch_slabs(
    num_elements: int, width: int, streets: Sequence[tuple[int, int]], chunk_bytes: int
) -> Slabs:
    """What a solve with PyTorch keeps on the device.

    `streets` has what one board takes on the way, and how many boards there are.
    """
    values = sum(min(max(size, chunk_bytes), size * count) for size, count in streets)
    per_hand = 4 + 2 * (1 + 2 + 6)  # live, ranks by strength, slots by card, counts
    return (
        Slab("regret", (num_elements,), "float32"),
        Slab("policy_sum", (num_elements,), "float32"),
        Slab("values", (values,), "uint8"),
        Slab("boards", (streets[-1][1], width, per_hand), "uint8"),
    )


def cuda_slabs(
    regret: int, num_floats: int, values: int, tables: int, copied: int, has_locks: bool
) -> Slabs:
    """What a batch keeps on a CUDA GPU: bytes of regrets and of tables, floats of all others."""
    slabs = (
        Slab("regret", (regret,), "uint8"),
        Slab("policy_sum", (num_floats,), "float32"),
        Slab("values", (values,), "float32"),
        Slab("boards", (tables,), "uint8"),
        Slab("copies", (copied,), "float32"),
    )
    return (*slabs, Slab("locks", (num_floats,), "uint8")) if has_locks else slabs


def cuda_guess(counts: TreeCounts, precision: str) -> Slabs:
    """About what one spot of a batch takes up on a CUDA GPU, before its tables are made."""
    elements, rivers = (counts.num_elements,), counts.boards[RIVER]
    # Lines have two rows or more.
    between = 12 * sum(counts.elements[:RIVER]) + 2 * counts.elements[RIVER]
    return (
        Slab("regret", elements, precision),
        Slab("policy_sum", elements, "float32"),
        Slab("values", (between,), "uint8"),
        Slab("boards", (rivers, 32 * sum(counts.hands) + 4000), "uint8"),
    )


def result_slabs(counts: TreeCounts, rivers: bool) -> Slabs:
    """What the host keeps of a spot that a GPU has solved until it is handed over."""
    kept = counts.num_elements if rivers else sum(counts.elements[:RIVER])
    return (
        Slab("strategy sum", (2, kept), "float32"),
        Slab("boards", (counts.boards[RIVER], sum(counts.hands), 64), "uint8"),
    )


def check_cpu(planned: Plan) -> int:
    """The bytes a solve on the CPU allocates; refuses, with the numbers, what does not fit."""
    need, counts, free = plan_bytes(planned.slabs), planned.counts, available_bytes("cpu")
    if free is not None and need > free:
        later = "" if len(planned.game.cards) == 5 else ", or a board of one more card"
        smaller = plan_bytes(cpu_slabs(counts, "int16"))
        packed = f"precision int16 ({gib(smaller)}), " if smaller <= free else ""
        raise MemoryPlanError(
            f"this spot has {counts.num_elements:,} elements and needs {gib(need)} "
            f"({parts_text(planned.slabs)}), {gib(free)} is free; give {packed}fewer sizes, or "
            f"max_raises, or narrower ranges{later}"
        )
    return need


def check_gpu(
    slabs: Slabs, device: str, have: int | None, num_spots: int = 1, smaller: int | None = None
) -> int:
    """The bytes of slabs on a GPU; refuses, with the numbers, what does not fit.

    `smaller` is what regrets of 16 bits would take in all.
    """
    need = plan_bytes(slabs)
    if have is not None and need > have:
        what = "this spot needs" if num_spots == 1 else f"these {num_spots} spots need"
        fewer = "" if num_spots == 1 else "solve fewer at a time, "
        if smaller is not None and smaller <= have:
            fewer += f"give precision int16 ({gib(smaller)}), "
        raise MemoryPlanError(
            f"{what} {gib(need)} on the GPU ({parts_text(slabs)}), {device} has {gib(have)} free; "
            f"{fewer}use device cpu, or give fewer sizes, or max_raises, or narrower ranges"
        )
    return need
