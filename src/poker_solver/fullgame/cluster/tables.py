"""The tables of all flops, on hosts: ranges are sent, values come back in the order of flops.

What was asked since the tables were opened, or since they were last kept in files, is noted. When
a host is lost, its flops are given to the others, who read those files and repeat the notes: the
tables are then what they were, bit for bit, and nobody else has noticed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import uuid4

import numpy as np

from poker_solver.cfr.engine import check_arrays
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.cluster.fleet import Fleet, Host
from poker_solver.fullgame.cluster.host import F64, Bool, read_flop_state, write_flop_state
from poker_solver.fullgame.rows import RowArrays, RowMaker
from poker_solver.fullgame.training.line_tables import LineTables
from poker_solver.kernels.postflop import LEARN
from poker_solver.pool import WorkerLostError
from poker_solver.pool.contract import Reply
from poker_solver.postflop.engines.engine import Float
from poker_solver.store.files import Arrays

NAME_BYTES = 16


@dataclass(frozen=True, eq=False)
class Lot:
    """Flops that a host has: their numbers among all."""

    host: Host
    number: int
    flops: tuple[int, ...]

    def ask(self, method: str, *given: object) -> Reply:
        """Begin a call of it."""
        return self.host.actor.call("ask", self.number, method, *given)


Step = Callable[[Lot], Reply]
"""Something that all lots have done."""


def step(method: str, *given: object) -> Step:
    """A call as a step."""
    return lambda lot: lot.ask(method, *given)


class HostedTables(LineTables):
    """The tables of some flops on the hosts of a fleet, which has no others.

    `folder` is where `stored` keeps what is learnt, by flop; a new one inside it each time.
    """

    def __init__(self, fleet: Fleet, flops: Sequence[str]) -> None:
        self.fleet, self.flops, self.folder = fleet, tuple(flops), Path()
        self._numbers = count()
        self._notes: list[Step] = []
        self._held: dict[int, Bool] = {}  # of lines that not all classes come to
        self._reach: dict[int, dict[int, F64]] = {0: {}, 1: {}}  # as the tables have it
        self._new: dict[int, dict[int, F64]] = {0: {}, 1: {}}  # not sent yet
        self._stored = Path()  # the folder inside it that was written last
        fleet.start()
        self.lots: list[Lot] = []
        self._place(range(len(flops)))

    def close(self) -> None:
        """Give the tables up; the hosts stay."""
        for lot in self.lots:
            self._give_up(lot)
            lot.host.actor.call("close", lot.number)
        self.lots = []

    def _give_up(self, lot: Lot) -> None:
        for size in self.fleet.sizes([self.flops[number] for number in lot.flops]):
            lot.host.take(size, -1)

    def _place(self, flops: Sequence[int]) -> list[Lot]:
        """Give flops to hosts, and let them come to where the others are; retried till it holds."""
        left, placed = list(flops), list[Lot]()
        while left:
            shares = self.fleet.share_out([self.flops[number] for number in left])
            lots = [
                Lot(host, next(self._numbers), tuple(left[n] for n in numbers))
                for host, numbers in shares.items()
            ]
            begun = {lot: self._begin(lot) for lot in lots}
            left = []
            for lot, answers in begun.items():
                try:
                    for answer in answers:
                        answer.result()
                except WorkerLostError:
                    left += lot.flops
                    self._lose(lot.host)
                else:
                    placed.append(lot)
        self.lots += placed
        return placed

    def _begin(self, lot: Lot) -> list[Reply]:
        flops = [self.flops[number] for number in lot.flops]
        opened = lot.host.actor.call("open", lot.number, flops)
        return [opened, *(step(lot) for step in self._notes)]

    def _lose(self, host: Host) -> None:
        """Count on a host no more, and on one that has come in its place."""
        self.fleet.drop(host)
        self.fleet.start()

    def _ask(self, wanted: Step) -> Iterator[tuple[Lot, Any]]:
        """Have every lot do something; those of hosts that are lost, wherever they are then."""
        waiting = [(lot, wanted(lot)) for lot in self.lots]
        while waiting:
            lost = []
            for lot, answer in waiting:
                try:
                    found = answer.result()
                except WorkerLostError:
                    lost.append(lot)
                else:
                    yield lot, found
            self.lots = [lot for lot in self.lots if lot not in lost]
            for lot in lost:
                self._lose(lot.host)
            flops = sorted(number for lot in lost for number in lot.flops)
            waiting = [(lot, wanted(lot)) for lot in self._place(flops)]

    def _do(self, wanted: Step, note: Step | None = None) -> list[tuple[Lot, Any]]:
        """Have every lot do something that changes it, and note that, or what comes to the same."""
        found = list(self._ask(wanted))
        self._notes.append(note or wanted)
        return found

    @property
    def used_bytes(self) -> int:
        """Of all hosts together."""
        by_host = {lot.host: found for lot, found in self._ask(step("used_bytes"))}
        return sum(by_host.values())

    def set_reach(self, player: int, reach: Mapping[int, F64]) -> None:
        """See `LineTables`; it is sent along with what is asked next."""
        self._new[player] |= {line: own.copy() for line, own in reach.items()}

    def _taken(self) -> dict[int, dict[int, F64]]:
        """The ranges that are to be sent."""
        new, self._new = self._new, {0: {}, 1: {}}
        for player in (0, 1):
            self._reach[player] |= new[player]
        return new

    def run_pass(self, player: int, mode: int, weights: Mapping[int, Float]) -> dict[int, F64]:
        """See `LineTables`."""
        reach = self._taken()
        wanted = step("run_pass", reach, player, mode, dict(weights))
        found = self._do(wanted, None if mode == LEARN else step("set_reach", reach))
        return {line: self._joined([(lot, by[line]) for lot, by in found]) for line in weights}

    def _joined(self, found: Sequence[tuple[Lot, F64]]) -> F64:
        """[F, C] of all flops, in their order."""
        rows = np.empty((len(self.flops), found[0][1].shape[1]))
        for lot, own in found:
            rows[list(lot.flops)] = own
        return rows

    def train(self, iterations: int) -> None:
        """See `LineTables`."""
        self._do(step("train", self._taken(), iterations))

    def reopen(self, line: int, held: Bool, iteration: int | None) -> None:
        """See `LineTables`."""
        self._held[line] = held.copy()
        self._do(step("reopen", line, held.copy(), iteration))

    def ask_all(self, line: int, held: Bool, reach: F64, iteration: int) -> list[F64]:
        """See `LineTables`; nothing is left of it."""
        found = list(self._ask(step("ask_all", line, held, reach, iteration)))
        return [self._joined([(lot, both[player]) for lot, both in found]) for player in (0, 1)]

    def rows(self, maker: RowMaker) -> Iterator[tuple[int, list[RowArrays]]]:
        """See `LineTables`."""
        reach = {0: dict(enumerate(maker.reach[0])), 1: dict(enumerate(maker.reach[1]))}
        found = self._do(step("rows", maker.sums), step("set_reach", reach))
        self._new = {player: self._reach[player] | self._new[player] for player in (0, 1)}
        for line in found[0][1]:
            rows = {n: row for lot, of in found for n, row in zip(lot.flops, of[line], strict=True)}
            yield line, [rows[number] for number in range(len(self.flops))]

    def stored(self) -> Arrays:
        """Keep what is learnt in files, and give the name of their folder."""
        name = uuid4()
        folder = self.folder / name.hex
        try:
            folder.mkdir(parents=True)
            (folder / "here").write_text(name.hex)
        except OSError as error:
            raise FormatError(f"cannot write into {folder}: {error.strerror or error}") from error
        try:
            self._write_states(folder, name.hex)
        except BaseException:
            rmtree(folder, ignore_errors=True)
            raise
        self._stored = folder
        return {"states": np.frombuffer(name.bytes, np.uint8)}

    def _write_states(self, folder: Path, name: str) -> None:
        """Hosts that share the folder write it themselves; what others have comes here first."""
        if self._is_shared(folder, name):
            list(self._ask(step("write_states", folder)))
            return
        for line in range(len(self.fleet.game.lines)):
            for _, states in self._ask(step("states", line)):
                for flop, arrays in states.items():
                    write_flop_state(folder, flop, line, arrays)

    def _is_shared(self, folder: Path, name: str) -> bool:
        found = self._ask(lambda lot: lot.host.actor.call("sees", folder / "here", name))
        return all([sees for _, sees in found])  # noqa: C419 - every answer is waited for

    def kept(self, iteration: int) -> None:
        """A checkpoint has what `stored` kept last: older files go, and notes begin there."""
        folder = self._stored
        self._begin_notes(folder, iteration)
        for other in self.folder.iterdir():
            if other != folder:
                rmtree(other, ignore_errors=True)

    def _begin_notes(self, folder: Path, iteration: int) -> None:
        held = [step("reopen", line, held, None) for line, held in self._held.items()]
        reach = {player: dict(self._reach[player]) for player in (0, 1)}
        is_shared = self._is_shared(folder, folder.name)
        read = self._reading(folder, iteration, is_shared)
        self._notes = [*held, *read, step("set_reach", reach)]

    def _reading(self, folder: Path, iteration: int, is_shared: bool) -> list[Step]:
        """Steps that bring lots to what is in a folder."""
        if is_shared:
            return [step("read_states", folder, iteration)]

        def take(line: int) -> Step:
            def send(lot: Lot) -> Reply:
                flops = [self.flops[number] for number in lot.flops]
                states = [read_flop_state(folder, flop, line) for flop in flops]
                return lot.ask("take_states", line, states, iteration)

            return send

        return [take(line) for line in range(len(self.fleet.game.lines))]

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from the files of a folder that `stored` named."""
        if "states" not in arrays:
            raise InputError("was kept on one machine: go on without --cluster, or begin anew")
        check_arrays({"states": arrays["states"]}, {"states": (NAME_BYTES,)})
        folder = self.folder / arrays["states"].tobytes().hex()
        if not folder.is_dir():
            raise InputError(f"the tables of its flops should be in {folder}, which is not there")
        for wanted in self._reading(folder, iteration, self._is_shared(folder, folder.name)):
            self._do(wanted)
