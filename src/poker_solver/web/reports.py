"""A report as the page gets it: how far it is, and what is played after a line on every flop.

Numbers are those that `batch` writes; nothing is worked out here but their unit.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from poker_solver.errors import InputError
from poker_solver.jobs.flop_tables import (
    Lines,
    Row,
    columns_csv,
    read_flops_table,
    read_line_table,
)
from poker_solver.query.flops.lines import (
    Choice,
    LineReport,
    LineTotals,
    by_tag,
    flops_together,
    table_columns,
)
from poker_solver.query.flops.textures import texture
from poker_solver.query.palette import Palette
from poker_solver.query.runouts import ANY_CARD
from poker_solver.trees.betting import BettingTree
from poker_solver.web.jobs.report import ReportWanted, read_report
from poker_solver.web.library import REPORT, Library
from poker_solver.web.study.node import known

if TYPE_CHECKING:  # a compiler
    from poker_solver.jobs.flop_batch import FlopBatch

Kind = Literal["share", "money", "ratio"]
_KINDS: dict[str, Kind] = {"reached": "share", "ev": "money", "equity": "share", "eqr": "ratio"}
_TITLES = {"reached": "Reached", "ev": "EV", "equity": "Equity", "eqr": "EQR"}


class ReportColumn(BaseModel):
    """A number that every flop has."""

    name: str  # freq_b182, oop_ev: what `sort` and `where` take
    title: str  # b182 (33 %), OOP EV
    kind: Kind
    color: str  # of an action; empty for other numbers


class ReportRow(BaseModel):
    """One flop."""

    flop: str
    weight: float  # how many of the 22,100 it stands for
    tags: list[str]
    values: list[float | None]  # one per column
    exploitability_pct: float | None
    solution: str  # its id; empty where nothing is saved


class ReportAverage(BaseModel):
    """Flops with one tag, together."""

    tag: str
    num_flops: int
    values: list[float | None]


class ReportTable(BaseModel):
    """One line on the flops that were chosen."""

    line: str
    player: str  # who acts: OOP, IP, or empty
    pot: float  # in the unit
    unit: str  # bb or chips
    columns: list[ReportColumn]
    rows: list[ReportRow]
    total: list[float | None]  # of the rows together; empty if there are none
    averages: list[ReportAverage]
    num_flops: int  # that have the line
    where: str
    sort: str


class ReportState(BaseModel):
    """How far a report is."""

    num_flops: int
    num_solved: int  # that have a row
    num_done: int  # as far as is asked for, those that cannot be dealt included
    num_impossible: int  # flops that leave a range no hand
    mean_exploitability_pct: float | None
    most_exploitability_pct: float | None
    lines: list[str]  # as the tree writes them; the first decision is not listed
    titles: list[str]  # the same as people read them: x b182 (33 %)
    target_pct: float | None
    note: str  # what to know before believing averages


class OpenReport:
    """A report's folder, read as it is now."""

    def __init__(self, library: Library, id: str) -> None:
        self.id, self.library = id, library
        self.folder = library.report(id)
        self.wanted = read_report(self.folder)
        self.batch = _batch(self.folder, self.wanted.model_dump_json())
        _, rows = read_flops_table(self.folder)
        self.rows: dict[str, Row] = {row["flop"]: row for row in rows if row["problem"] is None}
        self._lines: Lines | None = None

    def state(self) -> ReportState:
        """How far it is."""
        batch, problems = self.batch, len(self.batch.problems)
        off = [float(row["exploitability_pct"]) for row in self.rows.values()]
        return ReportState(
            num_flops=len(batch.flops),
            num_solved=len(self.rows),
            num_done=problems + sum(map(batch.is_done, self.rows.values())),
            num_impossible=problems,
            mean_exploitability_pct=sum(off) / len(off) if off else None,
            most_exploitability_pct=max(off, default=None),
            lines=list(batch.lines),
            titles=[_title(batch.tree, line) for line in batch.lines],
            target_pct=batch.options.target,
            note=SUITS_APART if batch.tells_suits_apart else "",
        )

    def line(self, line: str) -> LineReport:
        """One of its lines on every flop that has it."""
        spelled = self.batch.spell(line)
        if spelled and spelled not in self.batch.lines:
            found = ", ".join(repr(name) for name in self.batch.lines) or "none but the first"
            raise InputError(f"line {line!r} is not in this report; there are {found}")
        return self.batch.report_of(spelled, self.rows, self.lines() if spelled else {})

    def lines(self) -> Lines:
        """Of every flop, as the table of lines has them."""
        if self._lines is None:
            self._lines = read_line_table(self.folder, self.batch.about, self.batch.tree)
        return self._lines

    def chosen(self, line: LineReport, choice: Choice) -> list[str]:
        """Flops that are shown, in order; a number is that of this line, or of the first other."""
        try:
            return choice.flops([line])
        except InputError:
            others = [self.line(name) for name in ("", *self.batch.lines) if name != line.name]
            return choice.flops([line, *(other for other in others if other.rows)])

    def table(self, line: str, where: str, sort: str, palette: Palette) -> ReportTable:
        """A line on the flops that a filter picks."""
        report, weights = self.line(line), self.batch.weights
        flops = self.chosen(report, Choice((where,), sort))
        rows = {flop: report.rows[flop] for flop in flops}
        saved = self.library.flops_of(self.id)
        unit = report.chips_per_bb or 1
        pot = next(iter(rows.values())).pot_chips if rows else self.batch.example.pot
        return ReportTable(
            line=report.name,
            player=report.player.upper(),
            pot=pot / unit,
            unit="bb" if report.chips_per_bb else "chips",
            columns=self._columns(report, palette),
            rows=[
                ReportRow(
                    flop=flop,
                    weight=weights[flop],
                    tags=list(texture(flop).tags),
                    values=_values(row, unit),
                    exploitability_pct=self.rows[flop]["exploitability_pct"],
                    solution=f"{REPORT}{self.id}:{flop}" if flop in saved else "",
                )
                for flop, row in rows.items()
            ],
            total=_values(flops_together(rows, weights), unit) if rows else [],
            averages=[
                ReportAverage(tag=tag, num_flops=count, values=_values(row, unit))
                for tag, (count, row) in by_tag(rows, weights).items()
            ],
            num_flops=len(report.rows),
            where=where,
            sort=sort,
        )

    def csv(self, line: str, where: str, sort: str) -> str:
        """The same flops as `lines.csv` has them, in chips."""
        report = self.line(line)
        rows = {flop: report.rows[flop] for flop in self.chosen(report, Choice((where,), sort))}
        shown = LineReport(report.name, report.player, report.actions, report.label, rows)
        return columns_csv(table_columns([shown], self.batch.weights))

    def _columns(self, report: LineReport, palette: Palette) -> list[ReportColumn]:
        node, _ = self.batch.tree.walk(report.name, every_card=ANY_CARD)
        labels = dict(zip(report.actions, self.batch.tree.labels(node), strict=True))
        colors = palette.colors(report.actions)
        return [_column(name, labels, colors) for name in _ordered(report.columns)]


SUITS_APART = (
    "The ranges tell suits apart, so a flop does not stand for all flops like it: averages are "
    "rough."
)


def _title(tree: BettingTree, line: str) -> str:
    """Every action of a line with its size in per cent."""
    tokens, said = line.split(), []
    for place, token in enumerate(tokens):
        node, _ = tree.walk(tokens[:place], every_card=ANY_CARD)
        labels = dict(zip(tree.actions(node), tree.labels(node), strict=True))
        said.append(labels.get(token, token))
    return " ".join(said)


def _column(name: str, labels: dict[str, str], colors: dict[str, str]) -> ReportColumn:
    kind, _, action = name.partition("_")
    if kind == "freq":
        return ReportColumn(name=name, title=labels[action], kind="share", color=colors[action])
    player, _, what = name.rpartition("_")
    title = f"{player.upper()} {_TITLES[what]}".strip()
    return ReportColumn(name=name, title=title, kind=_KINDS[what], color="")


def _ordered(names: Iterable[str]) -> list[str]:
    """Frequencies first, as pages of the terminal have them; how often one gets here last."""
    given = list(names)
    return sorted(given, key=lambda name: (name == "reached", not name.startswith("freq_")))


def _values(row: LineTotals, unit: int) -> list[float | None]:
    numbers = row.numbers
    return [
        known(numbers[name] / (unit if name.endswith("_ev") else 1)) for name in _ordered(numbers)
    ]


@lru_cache(maxsize=8)
def _batch(folder: Path, wanted: str) -> "FlopBatch":
    """Made once for what is asked for: 1,755 spots take a moment to check."""
    return ReportWanted.model_validate_json(wanted).batch(folder)
