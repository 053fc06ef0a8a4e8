"""River lines that have kernels of their own: those of one shape are one launch."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from poker_solver.kernels.postflop.cuda.sources import head, source
from poker_solver.kernels.postflop.cuda.structs import LEARN16, MODES, Pass
from poker_solver.postflop.engines.cuda.codegen import block_size
from poker_solver.postflop.engines.cuda.hands import RiverHands
from poker_solver.postflop.engines.cuda.programs import LineCode
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.runtime.cuda import Launch, Machine

KEPT = 1024  # bytes of shared memory that a card keeps of each block for itself


class RiverLines:
    """The lines of both players by shape, and what their kernels are given.

    Args:
        group: the spots.
        hands: their hands on the device.
        machine: the device.
        threads: of a block; without, what its shared memory and rows suggest.
        modes: whose kernels a solve needs; with LEARN16, regrets have 16 bits.
    """

    def __init__(
        self, group: SpotGroup, hands: RiverHands, machine: Machine, threads: int | None,
        modes: Sequence[int],
    ) -> None:  # fmt: skip
        self.group, self.hands, self.machine, self.threads = group, hands, machine, threads
        self.is_packed = LEARN16 in modes
        self.shapes = [self._by_shape(player, modes) for player in (0, 1)]
        self._arguments = {
            (player, key): self._put(lines)
            for player in (0, 1) for key, lines in self.shapes[player].items()
        }  # fmt: skip

    def _by_shape(self, player: int, modes: Sequence[int]) -> dict[str, list[LineCode]]:
        """A player's lines by a hash of what their kernels are made from."""
        shapes: dict[str, list[LineCode]] = defaultdict(list)
        for line in self.group.streets[-1].codes[player]:
            text = self._text(player, line, modes)
            shapes[hashlib.sha256(text.encode()).hexdigest()[:16]].append(line)
        return shapes

    def _put(self, lines: Sequence[LineCode]) -> dict[str, Any]:
        arguments = np.array([line.arguments for line in lines], np.int32)
        factors = np.array([line.code.factors for line in lines], np.float32)
        return {"program": self.machine.put(arguments), "factors": self.machine.put(factors)}

    def sources(self, modes: Sequence[int]) -> dict[str, list[str]]:
        """Texts to compile, each with its kernels."""
        texts = {}
        for player, shapes in enumerate(self.shapes):
            for key, lines in shapes.items():
                text = self._text(player, lines[0], modes).replace("KEY", key)
                names = [f"{MODES[mode]}_{key}" for mode in modes]
                texts[head() + source("lines.h") + text] = names
        return texts

    def launches(
        self, player: int, kernel: str, fields: dict[str, Any], num_runs: int
    ) -> list[Launch]:
        """One for each shape; `fields` are those of a pass over the river."""
        found: list[Launch] = []
        for key, lines in self.shapes[player].items():
            put = {name: array.pointer for name, array in self._arguments[player, key].items()}
            given = Pass(**{**fields, **put, "num_groups": len(lines)}).as_c()
            threads, shared = self._threads(player, lines[0])[0], self._bytes(player, lines[0])
            found.append((f"{kernel}_{key}", num_runs * len(lines), threads, shared, given))
        return found

    def _text(self, player: int, line: LineCode, modes: Sequence[int]) -> str:
        """The kernels of a line; KEY stands for the hash."""
        threads, blocks = self._threads(player, line)
        bounds = (
            f"#define THREADS {threads}\n#define BOUNDS __launch_bounds__({threads}, {blocks})\n"
        )
        named = [line.code.text[m].replace("NAME", f"{MODES[m]}_KEY") for m in modes]
        return bounds + "".join(named)

    def _threads(self, player: int, line: LineCode) -> tuple[int, int]:
        """Threads of a block, and how many blocks of them a processor should hold."""
        room = (self.machine.shared_bytes + KEPT) // (self._bytes(player, line) + KEPT)
        threads, blocks = block_size(max(line.code.num_rows), room)
        return self.threads or threads, blocks

    def _bytes(self, player: int, line: LineCode) -> int:
        """Shared memory of a block that does a line."""
        own, opp = self.group.players[player], self.group.players[1 - player]
        pads, chunks = (opp.pad, own.pad), self.hands.most_chunks[1 - player]
        return 4 * line.code.floats(opp.most_live, chunks, pads, self.is_packed)
