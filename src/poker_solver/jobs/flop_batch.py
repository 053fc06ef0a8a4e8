"""One spot on many flops, kept in a folder: a table with a row per flop, and a save of each.

The table is written anew after every flop, so that it is whole whenever the run ends, and the next
run goes on from it. It says what it is about; a folder of another batch is refused. What is played
after some lines is a table of its own; of flops that are solved it is read from their saves.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from poker_solver.cards.cards import card_to_string
from poker_solver.cards.flops import SUBSETS, FlopSet
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, suit_symmetries
from poker_solver.cards.ranges import parse_range
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress, ManyReport
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, FormatError, InputError, LineError, SpotError
from poker_solver.games.betting import NONE, PLAYERS
from poker_solver.jobs.flop_tables import (
    FLOPS,
    LINES,
    Lines,
    Row,
    WriteTable,
    flop_columns,
    read_flops_table,
    read_line_table,
    root_line,
    write_csv,
    write_parquet,
)
from poker_solver.pool import Pool
from poker_solver.postflop.many.on_pool import solve_each_on
from poker_solver.postflop.many.scheduler import checked, solve_each
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.flops.lines import (
    Choice,
    LineReport,
    LineTotals,
    line_object,
    line_totals,
    table_columns,
)
from poker_solver.query.runouts import ANY_CARD
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import write_bytes
from poker_solver.store.folders import own_folder
from poker_solver.trees.betting import BettingTree, build_betting_tree


@dataclass(frozen=True)
class FlopBatch:
    """What is to be solved, and where it is kept."""

    flops: FlopSet
    spots: Mapping[str, Spot]  # by flop; those that the ranges can see
    problems: Mapping[str, str]  # by flop: why it cannot be dealt to these ranges
    folder: Path
    options: SolveOptions  # of every flop; threads are those of all together
    saves: bool = True
    lines: tuple[str, ...] = ()  # to report, as the tree writes them
    cores: int | None = None  # of each flop on a cluster; those that would be idle if not given

    @classmethod
    def of(
        cls,
        fields: Mapping[str, Any],
        flops: FlopSet,
        folder: Path,
        options: SolveOptions,
        *,
        saves: bool = True,
        lines: Sequence[str] = (),
    ) -> "FlopBatch":
        """A spot's fields, its board left out or ignored, on each flop.

        Of each of the `lines` of play, `x b33%`, it is told what follows on every flop.
        """
        spots, problems = dict[str, Spot](), dict[str, str]()
        for flop in flops.flops:
            try:
                spots[flop] = Spot.from_mapping({**fields, "board": flop})
            except ConfigError as error:
                problems[flop] = str(error)
        if not spots:
            raise ConfigError(next(iter(problems.values())))
        settled = checked(options)
        batch = cls(flops, spots, problems, folder, settled, saves, cores=options.threads)
        spelled = dict.fromkeys(map(batch.spell, lines))
        return replace(batch, lines=tuple(line for line in spelled if line))

    @property
    def example(self) -> Spot:
        """The spot on one of the flops, the same one in every run; betting is the same on all."""
        return self.spots[min(self.spots)]

    @cached_property
    def tree(self) -> BettingTree:
        """What can be played, on every flop alike."""
        return build_betting_tree(self.example.betting)

    @property
    def actions(self) -> tuple[str, ...]:
        """OOP's first ones."""
        return self.tree.actions(0)

    def spell(self, line: str) -> str:
        """A line as the tree writes it: `x b182` for `x b33%`; one star may stand for a card."""
        node, dealt = self.tree.walk(line, every_card=ANY_CARD)
        if dealt.count(NONE) > 1:
            raise LineError(
                f"{line!r}: one star at a time; name the other card, as in x x 7d x x *"
            )
        cards = [ANY_CARD if card == NONE else card_to_string(card) for card in dealt]
        return " ".join(token or cards.pop(0) for token in self.tree.history(node))

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

    def run(
        self,
        report: ManyReport | None = None,
        stop: Interrupt | None = None,
        pool: Pool[Any] | None = None,
    ) -> "BatchResult":
        """Solve every flop that is not done, and write each down; Ctrl-C keeps what is done.

        With a pool flops are solved by its workers, and written down here.
        """
        began = time.perf_counter()
        with own_folder(self.folder), ctrl_c_requests(stop) as stop:
            rows, lines = self.rows_held(), read_line_table(self.folder, self.about, self.tree)
            self._write(rows, lines)  # a folder that cannot be written is known before any work
            left = [flop for flop in self.spots if not self.is_done(rows.get(flop))]
            done = {flop: row for flop, row in rows.items() if flop not in left}
            left += self._read_lines(done, lines, report, stop)
            each = self._solved(left, pool, replace(self.options, stop=stop), report)
            failed, num_done = self._take(left, each, rows, lines)
            self._write(rows, lines, write_csv)
        seconds = time.perf_counter() - began
        return BatchResult(self, rows, lines, failed, stop.requested, seconds, num_done)

    def rows_held(self) -> dict[str, Row]:
        """What the folder holds of this batch, by flop, however far it was solved.

        Another batch there is refused, unless nothing of it is solved yet.
        """
        about, rows = read_flops_table(self.folder)
        solved = {row["flop"]: row for row in rows if row["problem"] is None}
        if not solved:
            return {}
        held = {"flops_sha256": f"set of flops ({about.get('flops')})", "fingerprint": "spot"}
        for key, what in held.items():
            if about.get(key) != self.about[key]:
                raise FormatError(
                    f"{self.folder} holds a batch with another {what}; give another folder"
                )
        return {f: row for f, row in solved.items() if not self.saves or self._has_save(f)}

    def _has_save(self, flop: str) -> bool:
        return flop in self.spots and Solution.is_saved(self.save_path(flop), self.spots[flop])

    def is_done(self, row: Row | None) -> bool:
        """Whether a flop is solved as far as is asked for now; a stricter target goes on."""
        if row is None:
            return False
        target, most = self.options.target, self.options.max_iterations
        is_met = target is not None and row["exploitability_pct"] <= target
        return is_met or (most is not None and row["iterations"] >= most)

    def num_done(self) -> int:
        """Flops for which there is nothing to solve."""
        return len(self.problems) + sum(map(self.is_done, self.rows_held().values()))

    def report_of(self, line: str, rows: Mapping[str, Row], lines: Lines) -> LineReport:
        """A line on every flop, in the order of the set; the root is in the table of flops."""
        found = lines.get(line, {}) if line else root_line(rows, self.example.pot, self.actions)
        node, _ = self.tree.walk(line, every_card=ANY_CARD)

        def label(action: str) -> str:
            try:
                return self.tree.label[self.tree.step(node, action)]
            except InputError:
                return action

        return LineReport(
            name=line,
            player=PLAYERS[self.tree.actor[node]] if self.tree.is_decision[node] else "",
            actions=self.tree.actions(node),
            label=label,
            rows={flop: found[flop] for flop in self.weights if flop in found},
            chips_per_bb=self.example.betting.big_blind,
        )

    def reports(self, rows: Mapping[str, Row], lines: Lines) -> list[LineReport]:
        """The lines that are asked for, or the first decision if none is."""
        return [self.report_of(line, rows, lines) for line in self.lines or ("",)]

    def _read_lines(
        self,
        rows: Mapping[str, Row],
        lines: Lines,
        report: ManyReport | None,
        stop: Interrupt,
    ) -> list[str]:
        """Add the lines that solved flops lack from their saves; returns those it cannot read."""
        began, unread = time.perf_counter(), list[str]()
        lacking = {
            flop: [
                line for line in lines_of_flop(flop, self.lines) if flop not in lines.get(line, {})
            ]
            for flop in rows
        }
        wanted = {flop: names for flop, names in lacking.items() if names}

        def read(flop: str) -> list[LineTotals] | None:
            if stop.requested:
                return []
            try:
                if not self._has_save(flop):
                    return None
                solution = Solution.load(self.save_path(flop))
            except FormatError:
                return None
            return [line_totals(solution, line) for line in wanted[flop]]

        with ThreadPoolExecutor(self.options.threads) as pool:
            each = zip(wanted, pool.map(read, wanted), strict=True)
            for number, (flop, found) in enumerate(each, start=1):
                if found is None:
                    unread.append(flop)
                for totals in found or ():
                    lines.setdefault(totals.line, {})[flop] = totals
                if report is not None:
                    seconds, pct = time.perf_counter() - began, rows[flop]["exploitability_pct"]
                    left = (len(wanted) - number) * seconds / number
                    report(ManyProgress(0, len(wanted), flop, pct, seconds, left))
        return unread

    def _solved(
        self, left: list[str], pool: Pool[Any] | None, options: SolveOptions,
        report: ManyReport | None,
    ) -> "Iterator[tuple[int, FinishedFlop | SpotError | None]]":  # fmt: skip
        """Solve flops, here or on a pool; their index, and what they came to once it is saved."""
        spots, finish = [self.spots[flop] for flop in left], FinishFlop(self.saves, self.lines)
        if pool is not None:
            each = solve_each_on(
                pool, spots, finish, options, cores=self.cores, report=report, rivers=False
            )
            for index, done in each:
                yield index, done if isinstance(done, SpotError) else self._save(left[index], done)
            return

        def finish_here(index: int, solution: Solution) -> FinishedFlop | None:
            return self._save(left[index], finish(spots[index], solution))

        yield from solve_each(spots, finish_here, options, report=report, rivers=False)

    def _save(self, flop: str, done: "FinishedFlop | None") -> "FinishedFlop | None":
        """Write the save; what is left is kept in memory."""
        if done is None or not self.saves:
            return done
        write_bytes(self.save_path(flop), done.save)
        return done._replace(save=b"")

    def _take(
        self, left: list[str], each: "Iterable[tuple[int, FinishedFlop | SpotError | None]]",
        rows: dict[str, Row], lines: Lines,
    ) -> tuple[dict[str, str], int]:  # fmt: skip
        """Write flops down as they come; what went wrong, by flop, and how many were solved."""
        failed, num_done = dict[str, str](), 0
        for index, done in each:
            flop = left[index]
            if isinstance(done, SpotError):
                failed[flop] = str(done.__cause__) or "out of memory"
            elif done is not None:
                for held in lines.values():  # of an earlier solve
                    held.pop(flop, None)
                rows[flop] = done.row
                for totals in done.lines:
                    lines.setdefault(totals.line, {})[flop] = totals
                num_done += 1
                self._write(rows, lines)
        return {flop: failed[flop] for flop in left if flop in failed}, num_done

    def _write(
        self, rows: Mapping[str, Row], lines: Lines, write: WriteTable = write_parquet
    ) -> None:
        """Lines first: a flop is done once its row is there."""
        if lines:
            reports = [self.report_of(line, rows, lines) for line in lines]
            write(self.folder, LINES, self.about, table_columns(reports, self.weights))
        write(self.folder, FLOPS, self.about, flop_columns(self._table(rows), self.actions))

    def _table(self, rows: Mapping[str, Row]) -> list[Row]:
        every = {**{f: {"problem": text} for f, text in self.problems.items()}, **rows}
        weights = self.weights.items()
        return [{"flop": f, "weight": weight, **every[f]} for f, weight in weights if f in every]


def lines_of_flop(flop: str, lines: Sequence[str]) -> list[str]:
    """Lines whose cards can fall on a flop."""
    on_board = {flop[:2], flop[2:4], flop[4:]}
    return [line for line in lines if on_board.isdisjoint(line.split())]


class FinishedFlop(NamedTuple):
    """What a batch keeps of a flop."""

    row: Row
    lines: list[LineTotals]
    save: bytes  # the file; empty once it is written, or if none is wanted


@dataclass(frozen=True)
class FinishFlop:
    """What is made of a flop's solution, wherever it was solved."""

    saves: bool
    lines: tuple[str, ...]

    def __call__(self, spot: Spot, solution: Solution) -> FinishedFlop | None:
        """None if the solve was stopped before its end."""
        if solution.record.stopped == "interrupted":
            return None
        kept = solution.without_rivers() if self.saves else solution
        save = kept.to_bytes(rivers=False) if self.saves else b""
        totals = [line_totals(kept, line) for line in lines_of_flop(spot.board, self.lines)]
        return FinishedFlop(flop_row(solution), totals, save)


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
    lines: Lines
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

    @property
    def reports(self) -> list[LineReport]:
        """See `FlopBatch.reports`."""
        return self.batch.reports(self.solved, self.lines)

    def summary(self, choice: Choice | None = None) -> dict[str, Any]:
        """What `batch --json` prints; with a choice, the lines on those flops too."""
        exploitability = [row["exploitability_pct"] for row in self.solved.values()]
        lines = []
        if choice is not None:
            reports = self.reports
            flops = choice.flops(reports)
            lines = [line_object(report, flops, self.batch.weights) for report in reports]
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
            "table": str(self.batch.folder / FLOPS.file),
            **({"lines": lines} if choice is not None else {}),
        }
