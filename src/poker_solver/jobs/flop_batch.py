"""One spot on many flops, kept in a folder: a table with a row per flop, and a save of each.

The table is written anew after every flop, so that it is whole whenever the run ends, and the next
run goes on from it. It says what it is about; a folder of another batch is refused.
"""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from poker_solver.cards.flops import SUBSETS, FlopSet
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, suit_symmetries
from poker_solver.cards.ranges import parse_range
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyReport
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, FormatError, SpotError
from poker_solver.postflop.many.scheduler import checked, solve_each
from poker_solver.postflop.solution.solution import Solution
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import write_bytes
from poker_solver.store.folders import own_folder
from poker_solver.store.tables import read_table, table_bytes
from poker_solver.trees.betting import build_betting_tree

KIND = "batch of flops"
TABLE = "flops.parquet"
TYPES = {
    "flop": "string",
    "weight": "double",
    "pairs": "double",
    "oop_ev": "double",
    "ip_ev": "double",
    "oop_equity": "double",
    "ip_equity": "double",
    "exploitability_pct": "double",
    "iterations": "int64",
    "seconds": "double",
    "device": "string",
    "stopped": "string",
    "problem": "string",
}
"""The columns; after the equities come the frequencies, `freq_x` and so on."""

Row = dict[str, Any]


@dataclass(frozen=True)
class FlopBatch:
    """What is to be solved, and where it is kept."""

    flops: FlopSet
    spots: Mapping[str, Spot]  # by flop; those that the ranges can see
    problems: Mapping[str, str]  # by flop: why it cannot be dealt to these ranges
    folder: Path
    options: SolveOptions  # of every flop; threads are those of all together
    saves: bool = True

    @classmethod
    def of(
        cls,
        fields: Mapping[str, Any],
        flops: FlopSet,
        folder: Path,
        options: SolveOptions,
        *,
        saves: bool = True,
    ) -> "FlopBatch":
        """A spot's fields, its board left out or ignored, on each flop."""
        spots, problems = dict[str, Spot](), dict[str, str]()
        for flop in flops.flops:
            try:
                spots[flop] = Spot.from_mapping({**fields, "board": flop})
            except ConfigError as error:
                problems[flop] = str(error)
        if not spots:
            raise ConfigError(next(iter(problems.values())))
        return cls(flops, spots, problems, folder, checked(options), saves)

    @property
    def example(self) -> Spot:
        """The spot on one of the flops, the same one in every run; betting is the same on all."""
        return self.spots[min(self.spots)]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """What OOP can begin with."""
        return build_betting_tree(self.example.betting).actions(0)

    @property
    def tells_suits_apart(self) -> bool:
        """Whether flops stand for others that these ranges would play differently."""
        if self.flops.name not in ("all", *map(str, SUBSETS)):
            return False
        weights = [parse_range(player.range) for player in (self.example.oop, self.example.ip)]
        return len(suit_symmetries((), weights)) < len(SUIT_PERMUTATIONS)

    @cached_property
    def weights(self) -> dict[str, float]:
        """How often each flop comes, by flop."""
        return dict(zip(self.flops.flops, self.flops.weights, strict=True))

    def save_path(self, flop: str) -> Path:
        """Where the solution of a flop is kept."""
        return self.folder / f"{flop}.pks"

    @cached_property
    def about(self) -> dict[str, Any]:
        """What must be the same for a run to go on where another ended."""
        spot = self.example.to_mapping()
        set_of_flops = repr(sorted(self.weights.items()))
        return {
            "spot": {**spot, "board": ""},
            "fingerprint": self.example.fingerprint(),
            "flops": self.flops.name,
            "flops_sha256": hashlib.sha256(set_of_flops.encode()).hexdigest(),
            "target_pct": self.options.target,
            "max_iterations": self.options.max_iterations,
        }

    def run(self, report: ManyReport | None = None) -> "BatchResult":
        """Solve every flop that is not done, and write each down; Ctrl-C keeps what is done."""
        began = time.perf_counter()
        with own_folder(self.folder), ctrl_c_requests() as stop:
            rows = self.rows_done()
            before = len(rows)
            self._write(rows)  # a folder that cannot be written is known before any work
            failed = self._solve(rows, report, stop)
        seconds = time.perf_counter() - began
        return BatchResult(self, rows, failed, stop.requested, seconds, len(rows) - before)

    def rows_done(self) -> dict[str, Row]:
        """What the folder holds of this batch, by flop.

        Another batch there is refused, unless nothing of it is solved yet.
        """
        path = self.folder / TABLE
        if not path.exists():
            return {}
        about, columns = read_table(path, KIND)
        cells = zip(*columns.values(), strict=True)
        rows = [dict(zip(columns, row, strict=True)) for row in cells]
        solved = [row for row in rows if row["problem"] is None]
        if not solved:
            return {}
        held = {
            "flops_sha256": f"set of flops ({about.get('flops')})",
            "fingerprint": "spot",
            "target_pct": f"target ({about.get('target_pct')})",
            "max_iterations": f"number of iterations ({about.get('max_iterations')})",
        }
        for key, what in held.items():
            if about.get(key) != self.about[key]:
                raise FormatError(
                    f"{self.folder} holds a batch with another {what}; give another folder"
                )
        by_flop = {row["flop"]: row for row in solved}
        kept = [flop for flop in by_flop if not self.saves or self.save_path(flop).exists()]
        return {flop: by_flop[flop] for flop in kept}

    def _solve(
        self, rows: dict[str, Row], report: ManyReport | None, stop: Interrupt
    ) -> dict[str, str]:
        """Add a row for every flop that is left; returns what went wrong, by flop."""
        left = [flop for flop in self.spots if flop not in rows]
        failed = dict[str, str]()

        def finish(index: int, solution: Solution) -> Row | None:
            if solution.record.stopped == "interrupted":
                return None
            if self.saves:
                solution.save(self.save_path(left[index]), rivers=False)
            return flop_row(solution)

        spots = [self.spots[flop] for flop in left]
        options = replace(self.options, stop=stop)
        each = solve_each(spots, finish, options, report=report, rivers=False)
        for index, row in each:
            if isinstance(row, SpotError):
                failed[left[index]] = str(row.__cause__) or "out of memory"
            elif row is not None:
                rows[left[index]] = row
                self._write(rows)
        return {flop: failed[flop] for flop in left if flop in failed}

    def _write(self, rows: Mapping[str, Row]) -> None:
        every = {**{f: {"problem": text} for f, text in self.problems.items()}, **rows}
        weights = self.weights.items()
        done = [{"flop": f, "weight": weight, **every[f]} for f, weight in weights if f in every]
        names = list(TYPES)
        middle = names.index("exploitability_pct")
        names[middle:middle] = (f"freq_{action}" for action in self.actions)
        columns = {name: [row.get(name) for row in done] for name in names}
        types = {name: TYPES.get(name, "double") for name in names}
        write_bytes(self.folder / TABLE, table_bytes(KIND, self.about, columns, types))


def flop_row(solution: Solution) -> Row:
    """What the table keeps of a solution."""
    record = solution.record
    mix = zip(solution.tree.actions(0), solution.root_frequency.tolist(), strict=True)
    return {
        "pairs": float(solution.layout.num_pairs),
        "oop_ev": record.ev_chips[0],
        "ip_ev": record.ev_chips[1],
        "oop_equity": record.equity[0],
        "ip_equity": record.equity[1],
        **{f"freq_{action}": share for action, share in mix},
        "exploitability_pct": solution.exploitability_pct,
        "iterations": record.iterations,
        "seconds": record.build_seconds + record.solve_seconds,
        "device": record.device,
        "stopped": record.stopped,
        "problem": None,
    }


@dataclass(frozen=True)
class BatchResult:
    """A batch as far as it got."""

    batch: FlopBatch
    solved: Mapping[str, Row]  # by flop
    failed: Mapping[str, str]  # by flop: why it was not solved
    interrupted: bool
    seconds: float  # of this run
    num_done_now: int  # flops that this run solved

    def mean(self, name: str) -> float | None:
        """A column over all deals: each flop by its weight and the pairs of hands it leaves."""
        weights = self.batch.weights
        shares = np.array([weights[flop] * row["pairs"] for flop, row in self.solved.items()])
        values = np.array([row[name] for row in self.solved.values()])
        return float(shares @ values / shares.sum()) if len(values) else None

    def summary(self) -> dict[str, Any]:
        """What `batch --json` prints."""
        exploitability = [row["exploitability_pct"] for row in self.solved.values()]
        return {
            "flops": len(self.batch.flops),
            "solved": len(self.solved),
            "impossible": len(self.batch.problems),
            "failed": dict(self.failed),
            "interrupted": self.interrupted,
            "players": {
                name: {"equity": self.mean(f"{name}_equity"), "ev_chips": self.mean(f"{name}_ev")}
                for name in ("oop", "ip")
            },
            "root": {
                "player": "oop",
                "actions": list(self.batch.actions),
                "frequency": [self.mean(f"freq_{action}") for action in self.batch.actions],
            },
            "exploitability": {
                "mean_pct_pot": self.mean("exploitability_pct"),
                "max_pct_pot": max(exploitability, default=None),
            },
            "seconds": round(self.seconds, 3),
            "solved_now": self.num_done_now,
            "flops_per_minute": round(60 * self.num_done_now / self.seconds, 3),
            "table": str(self.batch.folder / TABLE),
        }
