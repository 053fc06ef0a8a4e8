"""Spots of one shape on a GPU: state that stays there, and passes as a few launches for all."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.cuda.structs import MODES
from poker_solver.postflop.engines.cuda.board_batches import board_batches
from poker_solver.postflop.engines.cuda.buffers import (
    Buffers,
    DeviceGadget,
    DeviceTables,
    device_slabs,
)
from poker_solver.postflop.engines.cuda.exchange import COPIED, StateOrder, States
from poker_solver.postflop.engines.cuda.int16 import plain_scales
from poker_solver.postflop.engines.cuda.passes import UPPER_THREADS, Iterations, Passes
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.postflop.engines.engine import (
    POSTFLOP,
    Totals,
    filled_rows,
    mean_gain,
    next_check,
    rows_of,
    sound_gain,
    state_sizes,
    with_reach,
)
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.plan import Slabs, check_gpu
from poker_solver.runtime.cuda import DeviceArray, Gpu
from poker_solver.runtime.memory import plan_bytes
from poker_solver.store.files import Arrays

Float = NDArray[np.float32]


class CudaGroup:
    """Regrets and sums of spots of one shape on a GPU.

    Args:
        group: the spots.
        schedule: how regrets and sums fade.
        machine: where to run.
        threads: of a block on the river; without, what its shared memory and rows suggest.
        upper_threads: of a block above it, at most.
        precision: of regrets, `float32` or `int16`; the group must be made for it.
        gadget: who may take something else than to play, at the root of a group of one spot.
    """

    first_step = 32  # more than lie between two checks: nothing is waited for in between

    def __init__(
        self, group: SpotGroup, schedule: Schedule = POSTFLOP, *, machine: Gpu,
        threads: int | None = None, upper_threads: int = UPPER_THREADS,
        precision: str = "float32", gadget: Gadget | None = None,
    ) -> None:  # fmt: skip
        """Copy the tables to the device and allocate the state."""
        self.spots, self.schedule, self.machine = group, schedule, machine
        self.layouts = list(group.layouts)
        self.is_packed = precision == "int16"
        self.batches = board_batches(group)
        self.planned_bytes = check_gpu(
            self.slabs(self.is_packed), machine.name, machine.free_bytes, len(group.layouts),
            None if self.is_packed else plan_bytes(self.slabs(True)),
        )  # fmt: skip
        self.tables = DeviceTables.make(group, self.batches, machine)
        self.buffers = Buffers.make(self.tables, machine, is_packed=self.is_packed)
        self.gadget = None if gadget is None else self._at_the_root(gadget)
        self.passes = Passes.make(
            self.tables, self.buffers, machine, threads, upper_threads, self.gadget
        )
        self.iterations = Iterations(machine, schedule, self.buffers.weights)
        self.order = StateOrder(
            machine, group, self.tables.hands.tables, self.tables.bases, min(128, upper_threads)
        )
        self._replays: dict[str, Callable[[], None]] = {}
        for player in (0, 1):
            self.set_ranges(player, self.layouts)
        if self.gadget is not None:
            self.enter(self.gadget.regret)
        self.restore_locks()

    def _at_the_root(self, gadget: Gadget) -> DeviceGadget:
        if len(self.layouts) > 1:
            raise InputError("spots with a gadget are solved one at a time")
        return DeviceGadget.make(gadget, self.spots, self.buffers, self.machine)

    def enter(self, stored: DeviceArray) -> None:
        """Set how much plays of the gadget's player, by its regrets or sums."""
        assert self.gadget is not None
        self.machine.launch([self.gadget.enter(stored)])

    def slabs(self, is_packed: bool) -> Slabs:
        """What is kept on the device, with regrets of 16 bits or not."""
        return device_slabs(self.spots, self.batches, COPIED, is_packed=is_packed)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.iterations.done

    def start_at(self, iteration: int) -> None:
        """Go on as if so many iterations were done."""
        self.iterations.start_at(iteration)

    def set_ranges(self, player: int, layouts: Sequence[Layout]) -> None:
        """Give a player the ranges that these layouts have; nothing else of them may differ."""
        self.layouts = list(layouts)
        self.put_reach(player, [layout.reach[player] for layout in layouts])

    def put_reach(self, player: int, reach: Sequence[NDArray[np.floating[Any]]]) -> None:
        """Let passes see [H] of each spot as a player's range."""
        tables = self.spots.players[player]
        rows = np.zeros((len(reach), tables.pad), np.float32)
        for row, held, own in zip(rows, tables.hand_index, reach, strict=True):
            row[held] = own
        self.machine.fill(self.buffers.reach[player], rows)

    def root_reach(self, player: int) -> list[Float]:
        """[H] of each spot: a player's range as passes see it."""
        return self._by_spot(player, self.buffers.reach[player])

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """See `BatchEngine`."""
        rows = filled_rows(self.layouts, player, weights)
        self.set_ranges(
            player,
            [with_reach(x, player, row) for x, row in zip(self.layouts, rows, strict=True)],
        )

    def restore_locks(self) -> None:
        """Set the state of all locked hands to their probabilities."""
        for player in (0, 1):
            self.passes.restore_locks(player)

    def _replay(self, name: str, work: Callable[[], None]) -> None:
        """Launch what `work` launches, recorded the first time."""
        if name not in self._replays:
            self._replays[name] = self.machine.recorded(work)
        self._replays[name]()

    def _iterate(self, count: int) -> None:
        for _ in range(count):
            self.machine.launch([self.iterations.advance])
            for player in (0, 1):
                self.passes.run(player, LEARN)

    @property
    def used_bytes(self) -> int:
        """The most that was allocated on the device since it began to count."""
        return self.machine.used_bytes

    next_check = staticmethod(next_check)

    def step(self) -> tuple[Float, Float]:
        """One iteration; see `BatchEngine`."""
        row = self.schedule.table(self.iteration + 1, 1)[0].astype(np.float32)
        oop, ip = (rows_of(self.run_pass(player, LEARN, row)) for player in (0, 1))
        self.start_at(self.iteration + 1)
        return oop, ip

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        self.iterations.run(
            iterations, lambda n: self._replay(f"{n} iterations", lambda: self._iterate(n))
        )

    def run_pass(self, player: int, mode: int, weights: Float) -> list[Float]:
        """[H] cfv of the player's hands at the root of every spot."""
        self.start_pass(player, mode, weights)
        return self.root_values(player)

    def start_pass(self, player: int, mode: int, weights: Float) -> None:
        """Launch a pass and wait for nothing."""
        self.machine.fill(self.buffers.weights, np.asarray(weights, np.float32))
        self._replay(f"pass {player} {mode}", lambda: self.passes.run(player, mode))

    def root_values(self, player: int) -> list[Float]:
        """[H] of each spot: the player's cfv that the last pass left at its root."""
        return self._by_spot(player, self.buffers.out[self.spots.first_street, player])

    def _by_spot(self, player: int, rows_at: DeviceArray) -> list[Float]:
        """[H] of each spot from [spots, pad], which an array begins with."""
        tables = self.spots.players[player]
        count = len(tables.hand_index) * tables.pad
        rows = self.machine.get(rows_at, 0, count).reshape(-1, tables.pad)
        return [row[held] for row, held in zip(rows, tables.hand_index, strict=True)]

    def best_response(self, player: int) -> tuple[list[Float], DeviceArray]:
        """[H] cfv at the root of every spot, and what is played, laid out as the player's state."""
        played = self.machine.zeros(self.spots.offsets[player].num_floats)
        self.passes.load(RECORD)
        self.passes.start(self.passes.walk(player, RECORD, played))
        self.passes.lock(player, played, played)
        return self.root_values(player), played

    def _weigh(self, modes: Sequence[int]) -> None:
        """What each player earns at every spot in some modes."""
        for mode, player in product(modes, (0, 1)):
            self.passes.run(player, mode)
            self.passes.weigh(player, mode)

    def _earned(self) -> NDArray[np.float64]:
        """[mode, player, spot] chips per deal, of the modes that were weighed."""
        found = self.machine.get(self.buffers.totals).reshape(len(MODES), 2, -1)
        earned: NDArray[np.float64] = found / [layout.num_pairs for layout in self.layouts]
        return earned

    def measure(self) -> Totals:
        """Of every spot, the mean gain of the two best responses over the average strategies."""
        has_rake = self.spots.layouts[0].has_rake
        modes = (BEST, MEAN) if has_rake else (BEST,)
        self._replay("measure", lambda: self._weigh(modes))
        earned = self._earned()
        gain = mean_gain(lambda player, mode: earned[mode, player], has_rake)
        return sound_gain(gain, self.layouts)

    def values(self) -> Totals:
        """[player, spot] expected share of the pot with both average strategies."""
        self._weigh((MEAN,))
        earned: NDArray[np.float64] = self._earned()[MEAN]
        return earned + self.spots.layouts[0].game.pot / 2

    def stored(self) -> Arrays:
        """Regrets and sums, spot after spot, in the order of their layouts."""
        every = range(len(self.layouts))
        regret, policy_sum = (np.concatenate(self.read(every, n)) for n in ("regret", "policy_sum"))
        if not self.is_packed:
            return {"regret": regret, "policy_sum": policy_sum}
        scale = np.concatenate([self.read_scale(spot) for spot in every])
        return {"regret": regret.astype(np.int16), "policy_sum": policy_sum, "scale": scale}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""
        sizes = state_sizes(self.layouts, "int16" if self.is_packed else "float32")
        check_arrays(arrays, {name: (sum(counts),) for name, counts in sizes.items()})
        for name, counts in sizes.items():
            for spot, part in enumerate(np.split(arrays[name], np.cumsum(counts)[:-1])):
                if name == "scale":
                    self.write_scale(spot, part)
                else:
                    self.write(spot, name, part.astype(np.float32))
        self.start_at(iteration)
        self.restore_locks()

    def read(self, spots: Sequence[int], name: str, *, last: int = RIVER) -> list[Float]:
        """[elements] `regret` or `policy_sum` of some spots in the order of `PostflopEngine`.

        As far as the last street that is asked for.
        """
        return self.order.read(spots, self._states(name), last=last)

    def _states(self, name: str) -> States:
        if name == "regret":
            return dict(enumerate(self.buffers.packed or self.buffers.regret))
        return dict(enumerate(self.buffers.policy_sum))

    def read_dealt(self, spot: int, street: int) -> tuple[Float, Float]:
        """[boards, deals, H] of OOP and IP: the values at every deal of an upper street.

        Of the last MEAN pass of each player.
        """
        first, last = self.spots.first_board[street][spot : spot + 2].tolist()
        found = []
        for player, tables in enumerate(self.spots.players):
            size, dealt = self.spots.num_deals(street) * tables.pad, self.buffers.dealt
            rows = self.machine.get(dealt[street, player], first * size, (last - first) * size)
            by_deal = rows.reshape(last - first, -1, tables.pad)
            found.append(by_deal[:, :, tables.hand_index[spot]])
        return found[0], found[1]

    def write(self, spot: int, name: str, values: Float) -> None:
        """The way back."""
        self.order.write(spot, self._states(name), values)

    def read_scale(self, spot: int) -> Float:
        """[scales] of a spot's regrets of 16 bits in the order of `PostflopEngine`."""
        found = np.zeros(self.spots.layouts[spot].shape.offsets.num_scales, np.float32)
        for player, packed in enumerate(self.buffers.packed or ()):
            plain, device = plain_scales(self.spots, spot, player, packed)
            found[plain] = self.machine.get(packed.scale)[device]
        return found

    def write_scale(self, spot: int, values: Float) -> None:
        """The way back."""
        for player, packed in enumerate(self.buffers.packed or ()):
            plain, device = plain_scales(self.spots, spot, player, packed)
            scale = self.machine.get(packed.scale).copy()
            scale[device] = values[plain]
            self.machine.fill(packed.scale, scale)

    def leave(self, spots: NDArray[np.bool_]) -> None:
        """Work no more on these spots: their state stays, what is measured of them is stale."""
        for street, is_done in self.buffers.is_done.items():
            counts = np.diff(self.spots.first_board[street])
            self.machine.fill(is_done, np.repeat(spots, counts))
