"""One line of play on many flops: how often each action is taken there, and what it is worth.

Rows are plain values. Flops are chosen and put in order by tags of their texture and by numbers of
the lines: `paired`, `not monotone`, `b182 > 60%`, `ip_eqr < 1`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan, prod
from operator import ge, gt, le, lt
from typing import Any

from poker_solver.cards import NUM_CARDS, card_from_string, card_to_string, cards_from_string
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError
from poker_solver.games.betting import PLAYERS
from poker_solver.postflop.solution.node import SolutionNode
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.export import rounded
from poker_solver.query.flops.textures import TAGS, tagged, texture
from poker_solver.query.runouts import ANY_CARD
from poker_solver.query.view import num_deals

_NONE = (nan, nan)
_TESTS = {"<=": le, ">=": ge, "<": lt, ">": gt}
_CONDITION = re.compile(r"\s*(\S+?)\s*(<=|>=|<|>)\s*(-?[0-9.]+)\s*(%|bb|)\s*")


@dataclass(frozen=True, slots=True)
class LineTotals:
    """Both players after a line on one flop, or on several together; NaN where nobody gets."""

    line: str
    player: str  # who acts: oop, ip, or empty
    pot_chips: int
    dealt: float  # pairs of hands that the flop leaves, each by its weights, and chance of cards
    deals: float  # those of them that get here
    actions: tuple[str, ...]
    frequency: tuple[float, ...]
    ev_chips: tuple[float, float]  # OOP, IP
    equity: tuple[float, float]  # likewise

    @property
    def reached(self) -> float:
        """The part of all deals that gets here."""
        return self.deals / self.dealt if self.dealt > 0 else nan

    @property
    def eqr(self) -> tuple[float, float]:
        """Equity realised: EV as a part of what equity of the pot would be."""
        return self._eqr(0), self._eqr(1)

    def _eqr(self, seat: int) -> float:
        fair = self.equity[seat] * self.pot_chips
        return self.ev_chips[seat] / fair if fair > 0 else nan

    @property
    def numbers(self) -> dict[str, float]:
        """By the names of columns: `reached`, `oop_ev` .. `ip_eqr`, `freq_b182`."""
        kinds = {"ev": self.ev_chips, "equity": self.equity, "eqr": self.eqr}
        return {
            "reached": self.reached,
            **{
                f"{p}_{kind}": pair[i]
                for kind, pair in kinds.items()
                for i, p in enumerate(PLAYERS)
            },
            **{f"freq_{a}": p for a, p in zip(self.actions, self.frequency, strict=True)},
        }


ByFlop = Mapping[str, LineTotals]


def line_totals(solution: Solution, line: str) -> LineTotals:
    """The point a line leads to in a solved spot; a star is every card that can fall there."""
    tokens = line.split()
    if ANY_CARD not in tokens:
        return _totals_at(solution, line)
    place = tokens.index(ANY_CARD)
    dead = {*cards_from_string(solution.game.board), *_cards(tokens)}
    names = [card_to_string(card) for card in range(NUM_CARDS) if card not in dead]
    lines = {card: " ".join([*tokens[:place], card, *tokens[place + 1 :]]) for card in names}
    rows = {card: _totals_at(solution, with_card) for card, with_card in lines.items()}
    whole = flops_together(rows, dict.fromkeys(rows, 1.0))
    return replace(whole, line=line, dealt=rows[names[0]].dealt)


def _cards(tokens: Sequence[str]) -> list[int]:
    return [card_from_string(token) for token in tokens if is_card(token)]


def _totals_at(solution: Solution, line: str) -> LineTotals:
    node, game = solution.node(line), solution.game
    fell = range(len(game.cards), len(node.board) // 2)
    chance = prod(NUM_CARDS - 4 - n for n in fell)
    return LineTotals(
        line=node.line,
        player=node.player or "",
        pot_chips=node.pot,
        dealt=float(solution.layout.num_pairs) * chance,
        deals=num_deals(node),
        actions=node.actions,
        frequency=_frequency(node),
        ev_chips=(node.players[0].mean_ev, node.players[1].mean_ev),
        equity=(node.players[0].mean_equity, node.players[1].mean_equity),
    )


def _frequency(node: SolutionNode) -> tuple[float, ...]:
    return tuple(node.frequency.tolist()) if node.player else ()


def flops_together(rows: ByFlop, weights: Mapping[str, float]) -> LineTotals:
    """Several flops as one: every deal counts as often as its flop comes."""
    first = next(iter(rows.values()))
    shares = {flop: weights[flop] * row.deals for flop, row in rows.items() if row.deals > 0}
    total = sum(shares.values())

    def mean(values: Callable[[LineTotals], Sequence[float]]) -> Iterator[float]:
        each = [values(rows[flop]) for flop in shares]
        for column in range(len(values(first))):
            means = (s * v[column] for s, v in zip(shares.values(), each, strict=True))
            yield sum(means) / total if total > 0 else nan

    oop_ev, ip_ev = mean(lambda row: row.ev_chips)
    oop_equity, ip_equity = mean(lambda row: row.equity)
    return LineTotals(
        line=first.line,
        player=first.player,
        pot_chips=first.pot_chips,
        dealt=sum(weights[flop] * row.dealt for flop, row in rows.items()),
        deals=total,
        actions=first.actions,
        frequency=tuple(mean(lambda row: row.frequency)),
        ev_chips=(oop_ev, ip_ev),
        equity=(oop_equity, ip_equity),
    )


def by_tag(rows: ByFlop, weights: Mapping[str, float]) -> dict[str, tuple[int, LineTotals]]:
    """How many flops have each tag, and their totals together."""
    return {
        tag: (len(flops), flops_together({flop: rows[flop] for flop in flops}, weights))
        for tag, flops in tagged(rows)
    }


@dataclass(frozen=True)
class LineReport:
    """One line on every flop that is solved."""

    name: str  # as trees write it; empty at the root
    player: str  # who acts: oop, ip, or empty
    actions: tuple[str, ...]
    label: Callable[[str], str]  # an action as it is typed, `b33%`, as columns have it, `b182`
    rows: ByFlop
    chips_per_bb: int | None = None  # where the spot says what a big blind is

    @property
    def columns(self) -> list[str]:
        """The names of numbers."""
        every = dict.fromkeys(self.actions, nan)
        empty = LineTotals("", "", 0, 0.0, 0.0, tuple(every), tuple(every.values()), _NONE, _NONE)
        return list(empty.numbers)

    def find(self, name: str) -> str | None:
        """The column that is meant: `b33%` is a frequency, `ev` that of the player to act."""
        for wanted in (name, f"freq_{self.label(name)}", f"{self.player}_{name}"):
            if wanted in self.columns:
                return wanted
        return None


@dataclass(frozen=True)
class Choice:
    """Which flops are shown, and in which order: as they come if `sort` is empty."""

    where: tuple[str, ...] = ()  # `paired`, `not monotone`, `b182>60%`; all must hold
    sort: str = ""  # a column, the largest first; `ip_ev up` for the smallest

    def flops(self, lines: Sequence[LineReport]) -> list[str]:
        """Of those that every line has; a number is that of the first line that has it."""
        shown = [flop for flop in lines[0].rows if all(flop in line.rows for line in lines)]
        terms = [term for text in self.where for term in re.split(r",|\band\b", text)]
        for term in filter(None, map(str.strip, terms)):
            holds = _condition(term, lines)
            shown = [flop for flop in shown if holds(flop)]
        if not self.sort.strip():
            return shown
        name, *up = self.sort.split()
        if up not in ([], ["up"], ["down"]):
            raise InputError(f"sort {self.sort!r}: want a column, or a column and up")
        rows, column = _column(name, lines, f"sort {self.sort!r}")
        sign = 1 if up == ["up"] else -1
        return sorted(shown, key=lambda flop: _last_if_nan(sign * rows[flop].numbers[column]))


def _last_if_nan(number: float) -> tuple[bool, float]:
    return isnan(number), 0.0 if isnan(number) else number


def _condition(term: str, lines: Sequence[LineReport]) -> Callable[[str], bool]:
    found, place = _CONDITION.fullmatch(term), f"where {term!r}"
    if found is None:
        wanted = term.removeprefix("not ").removeprefix("!").strip()
        tag = next((tag for tag in TAGS if tag.lower() == wanted.lower()), None)
        if tag is None:
            raise InputError(f"{place}: want a comparison such as ip_ev>100, or {', '.join(TAGS)}")
        return lambda flop: (tag in texture(flop).tags) == (wanted == term)
    name, sign, digits, unit = found.groups()
    try:
        bound = float(digits)
    except ValueError:
        raise InputError(f"{place}: {digits!r} is not a number") from None
    rows, column = _column(name, lines, place)
    holds, is_money, big_blind = _TESTS[sign], column.endswith("_ev"), lines[0].chips_per_bb
    if unit == "bb" and not (is_money and big_blind):
        raise InputError(f"{place}: no number in bb; want an EV, and a spot that says what a bb is")

    def test(flop: str) -> bool:
        row = rows[flop]
        part = {"%": (row.pot_chips if is_money else 1.0) / 100, "bb": big_blind or 1}
        return bool(holds(row.numbers[column], bound * part.get(unit, 1.0)))

    return test


def _column(name: str, lines: Sequence[LineReport], place: str) -> tuple[ByFlop, str]:
    """Rows and column of the first line that has such numbers."""
    for line in lines:
        if (column := line.find(name)) is not None:
            return line.rows, column
    known = dict.fromkeys(column for line in lines for column in line.columns)
    shown = ", ".join(column.removeprefix("freq_") for column in known)
    raise InputError(f"{place}: no column {name!r}; there are {shown}")


def table_columns(
    lines: Iterable[LineReport], weights: Mapping[str, float]
) -> dict[str, list[object]]:
    """A row per line and flop, for a file: its texture, then numbers; None where there is none."""
    rows = []
    for line in lines:
        for flop, row in line.rows.items():
            kinds = texture(flop)
            rows.append(
                {
                    "line": line.name, "flop": flop, "weight": weights[flop], "high": kinds.high,
                    "suits": kinds.suits, "pairing": kinds.pairing, "connection": kinds.connection,
                    "broadway": kinds.broadway, "player": row.player, "pot": row.pot_chips,
                    "dealt": row.dealt, "deals": row.deals, **row.numbers,
                }
            )  # fmt: skip
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def line_object(
    line: LineReport, flops: Sequence[str], weights: Mapping[str, float]
) -> dict[str, Any]:
    """A line on some flops as `batch --json` prints it: together, by tag, one by one."""
    rows = {flop: line.rows[flop] for flop in flops}
    told: dict[str, Any] = {
        "line": line.name,
        "player": line.player,
        "actions": list(line.actions),
        "flops": len(rows),
    }
    if not rows:
        return told
    whole = flops_together(rows, weights)
    return {
        **told,
        "pot": whole.pot_chips,
        **_numbers(whole),
        "by_tag": {
            tag: {"flops": count, **_numbers(row)}
            for tag, (count, row) in by_tag(rows, weights).items()
        },
        "rows": {flop: _numbers(row) for flop, row in rows.items()},
    }


def _numbers(row: LineTotals) -> dict[str, Any]:
    pairs = zip(PLAYERS, row.ev_chips, row.equity, row.eqr, strict=True)
    return {
        "reached": rounded(row.reached),
        "frequency": [rounded(p) for p in row.frequency],
        "players": {
            name: {"ev_chips": rounded(ev), "equity": rounded(equity), "eqr": rounded(eqr)}
            for name, ev, equity, eqr in pairs
        },
    }
