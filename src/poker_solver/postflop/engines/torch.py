"""The postflop engine on any PyTorch device: plain tensor operations, state that stays there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import MemoryPlanError
from poker_solver.kernels.postflop import LEARN, RECORD, River, Street
from poker_solver.kernels.postflop.torch.levels import board_bytes
from poker_solver.kernels.postflop.torch.walk import CHUNK_BYTES, Pass, Walk
from poker_solver.kernels.regret import Weights
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

    Beside the state the boards of a street may take up `chunk_bytes` at once.
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
            hands, boards = layout.ranked.hands, layout.boards
            self._walk = Walk(
                layout.streets, layout.river, hands, boards, self.device, chunk_bytes,
                layout.game.would_cancel,
            )  # fmt: skip
        self._reach = [torch.zeros(width, device=self.device) for width in layout.width]
        for player in (0, 1):
            self._put_reach(player, layout.reach[player])
        self.set_locks(layout)

    def set_locks(self, layout: Layout) -> None:
        """Go on with other locks."""
        self._locks = [
            tuple(torch.from_numpy(part).to(self.device) for part in _locked(layout, player))
            for player in (0, 1)
        ]
        self._walk.set_locks([part.locks for part in _parts(layout)])
        super().set_locks(layout)

    def _put_reach(self, player: int, reach: NDArray[np.floating[Any]]) -> None:
        row = torch.from_numpy(np.asarray(reach, np.float32))
        self._reach[player][: len(reach)] = row.to(self.device)

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
        cfv = self._walked(
            Pass(player, mode, Weights(*np.asarray(weights, np.float32).tolist()), **self._state)
        )
        if mode == LEARN:
            self._restore(player, *self._state.values())
        return cfv

    def _walked(self, given: Pass) -> torch.Tensor:
        with _memory_of(str(self.device)), torch.inference_mode():
            return self._walk.root_cfv(given, self._reach)

    def _restore(self, player: int, *states: torch.Tensor) -> None:
        """Set what the player's locked hands have in [elements] to their probabilities."""
        at, held = self._locks[player]
        for state in states:
            state[at] = held

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore(player, *self._state.values())

    def best_response(self, player: int) -> tuple[Float, Float]:
        """See `SpotEngine`."""
        played, sums = torch.zeros_like(self._state["regret"]), self._state["policy_sum"]
        cfv = self._walked(Pass(player, RECORD, Weights(0, 0, 0), played, sums))
        self._restore(player, played)
        found: Float = cfv[: len(self.layout.combos[player])].cpu().numpy()
        return found, played.cpu().numpy()

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
    """Offsets in the state that a player's locks hold, and what they hold there."""
    offsets, policies = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for held in layout.lock_tables.held(player):
        begin = int(layout.offset[held.node] + held.board * layout.stride[held.node])
        rows = np.arange(len(held.policy))[:, None] * layout.width[player]
        offsets.append((begin + rows + held.hands).ravel())
        policies.append(held.policy.ravel())
    return np.concatenate(offsets), np.concatenate(policies)
