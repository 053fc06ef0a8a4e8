"""The postflop engine on any PyTorch device: plain tensor operations, state that stays there."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import MemoryPlanError
from poker_solver.kernels.postflop import LEARN, MEAN, River, Street
from poker_solver.kernels.postflop.torch.walk import CHUNK_BYTES, Pass, Walk, board_bytes
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.plan import Slabs, check_gpu, torch_slabs
from poker_solver.runtime.device import is_out_of_memory
from poker_solver.runtime.memory import available_bytes, used_bytes

Float = NDArray[np.float32]

MOST_HELD = 51
"""Hands with one card, at most."""


class TorchEngine(SpotEngine):
    """Regrets and sums of one spot on a device.

    Args:
        layout: the spot.
        schedule: how regrets and sums fade.
        device: a PyTorch device, such as `mps`.
        chunk_bytes: what the boards of a street may take up at once, beside the state.
    """

    def __init__(
        self,
        layout: Layout,
        schedule: Schedule = POSTFLOP,
        *,
        device: str = "mps",
        chunk_bytes: int = CHUNK_BYTES,
    ) -> None:
        """Allocate the state, and move over what passes look up."""
        self.layout, self.schedule, self.device = layout, schedule, torch.device(device)
        self.iteration, self.precision = 0, "float32"
        self.planned_bytes = check_gpu(_slabs(layout, chunk_bytes), device, available_bytes(device))
        with _memory_of(device):
            self._state = {
                name: torch.zeros(layout.num_elements, device=self.device)
                for name in ("regret", "policy_sum")
            }
            self._walk = Walk(
                layout.streets, layout.river, layout.hands, layout.boards, self.device, chunk_bytes
            )
        self._reach = [torch.zeros(width, device=self.device) for width in layout.width]
        for player in (0, 1):
            self._put_reach(player)
        self.set_locks(layout)

    def set_locks(self, layout: Layout) -> None:
        """Go on with other locks."""
        self._locks = [_locked(layout, player) for player in (0, 1)]
        super().set_locks(layout)

    def prepare(self) -> None:
        """Run a pass that changes nothing: what is not compiled yet will be."""
        self.run_pass(0, MEAN, np.zeros(3, np.float32))

    def _put_reach(self, player: int) -> None:
        reach = self.layout.reach[player]
        self._reach[player][: len(reach)] = torch.from_numpy(reach).to(self.device)

    @property
    def used_bytes(self) -> int:
        """What PyTorch has allocated on the device; what was planned where it does not say."""
        return used_bytes(str(self.device)) or self.planned_bytes

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        for row in self.schedule.table(self.iteration + 1, iterations).astype(np.float32):
            for player in (0, 1):
                self._root_cfv(player, LEARN, row)
            self.iteration += 1

    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""
        cfv = self._root_cfv(player, mode, weights)[: len(self.layout.combos[player])]
        found: Float = cfv.cpu().numpy()
        return found

    def _root_cfv(self, player: int, mode: int, weights: Float) -> torch.Tensor:
        given = Pass(
            player, mode, Weights(*np.asarray(weights, np.float32).tolist()), **self._state
        )
        with _memory_of(str(self.device)), torch.inference_mode():
            cfv = self._walk.root_cfv(given, self._reach)
            if mode == LEARN:
                self._restore(player)
        return cfv

    def _restore(self, player: int) -> None:
        """Set the state of locked hands to their probabilities."""
        at, held = self._locks[player]
        if len(at):
            places = torch.from_numpy(at).to(self.device)
            for state in self._state.values():
                state[places] = torch.from_numpy(held).to(self.device)

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore(player)

    def best_response(self, player: int) -> tuple[Float, Float]:
        """Worked out on the CPU; see `SpotEngine`."""
        engine = PostflopEngine(self.layout, self.schedule)
        engine.restore(self.stored(), self.iteration)
        return engine.best_response(player)

    @property
    def regret(self) -> Float:
        """[elements] a copy on the host."""
        return self._read("regret")

    @property
    def policy_sum(self) -> Float:
        """[elements] a copy on the host."""
        return self._read("policy_sum")

    def _read(self, name: str) -> Float:
        array: Float = self._state[name].to("cpu", copy=True).numpy()
        return array

    def _write(self, name: str, values: Float) -> None:
        self._state[name].copy_(torch.from_numpy(values))


@contextmanager
def _memory_of(device: str) -> Iterator[None]:
    """Within, memory that runs out is said in one line."""
    try:
        yield
    except RuntimeError as error:
        if is_out_of_memory(error):
            raise MemoryPlanError(f"device {device} ran out of memory; use device cpu") from error
        raise


def _parts(layout: Layout) -> list[Street | River]:
    return [*layout.streets, layout.river]


def _slabs(layout: Layout, chunk_bytes: int) -> Slabs:
    """What is kept on the device."""
    most = [board_bytes(part, max(layout.width), MOST_HELD) for part in _parts(layout)]
    streets = list(zip(most, layout.runouts.num_boards[-len(most) :], strict=True))
    return torch_slabs(layout.num_elements, sum(layout.width), streets, chunk_bytes)


def _locked(layout: Layout, player: int) -> tuple[NDArray[np.int64], Float]:
    """Places in the state that a player's locks hold, and what they hold there."""
    places, held = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    width = layout.width[player]
    for part in _parts(layout):
        locks = part.locks
        for node in np.flatnonzero((locks.node >= 0) & (part.kind == player)).tolist():
            tables = locks.table[locks.node[node]]
            for board in np.flatnonzero(tables >= 0).tolist():
                hands = np.flatnonzero(locks.is_fixed[tables[board], :width])
                begin = int(part.offset[node] + board * part.stride[node])
                for a in range(int(part.num_children[node])):
                    places.append(begin + a * width + hands)
                    held.append(locks.policy[tables[board], a, hands])
    return np.concatenate(places), np.concatenate(held)
