"""River groups that have kernels of their own: those of one shape are one launch."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poker_solver.kernels.postflop.cuda.codegen import kernel_names, kernels
from poker_solver.kernels.postflop.cuda.shape import Block, GroupShape, block_of
from poker_solver.kernels.postflop.cuda.structs import Pass
from poker_solver.postflop.engines.cuda.hands import RiverHands
from poker_solver.postflop.engines.cuda.programs import WrittenGroup
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch

KEPT = 1024  # bytes of shared memory that a GPU keeps of each block for itself


@dataclass(frozen=True, eq=False)
class Written:
    """All groups of one shape, for one player."""

    shape: GroupShape
    num_groups: int
    arguments: DeviceArray  # [groups, ..]
    factors: DeviceArray  # [groups, factors]
    shared_bytes: int  # of a block
    block: Block

    def launch(self, mode: int, given: Pass, num_batches: int) -> Launch:
        """One launch for all; `given` is that of a pass over the river."""
        (name,) = kernel_names(self.shape, (mode,), self.block)
        own = replace(
            given, program=self.arguments.pointer, factors=self.factors.pointer,
            num_groups=self.num_groups,
        )  # fmt: skip
        blocks = num_batches * self.num_groups
        return Launch(name, blocks, self.block.threads, self.shared_bytes, own.as_c())


def written_groups(
    group: SpotGroup, hands: RiverHands, machine: Gpu, threads: int | None, is_packed: bool
) -> tuple[list[Written], list[Written]]:
    """Those of OOP and of IP by shape; `threads` of a block, or what is best."""
    found: tuple[list[Written], list[Written]] = ([], [])
    for player, groups in enumerate(group.streets[-1].written):
        own, opp = group.players[player], group.players[1 - player]
        by_shape: dict[GroupShape, list[WrittenGroup]] = defaultdict(list)
        for each in groups:
            by_shape[each.shape].append(each)
        for shape, alike in by_shape.items():
            chunks = hands.most_chunks[1 - player]
            size = 4 * shape.floats(opp.most_live, chunks, (opp.pad, own.pad), is_packed)
            room = (machine.shared_bytes + KEPT) // (size + KEPT)
            block = block_of(max(shape.num_rows), opp.most_live, room)
            block = block._replace(threads=threads or block.threads)
            arguments = machine.put(np.array([each.arguments for each in alike], np.int32))
            factors = machine.put(np.array([each.factors for each in alike], np.float32))
            found[player].append(Written(shape, len(alike), arguments, factors, size, block))
    return found


def written_sources(
    written: Sequence[Sequence[Written]], modes: tuple[int, ...]
) -> dict[str, list[str]]:
    """Texts to compile, each with its kernels, one for each shape."""
    shapes = {(w.shape, w.block) for of_player in written for w in of_player}
    return {
        kernels(shape, modes, block): kernel_names(shape, modes, block) for shape, block in shapes
    }
