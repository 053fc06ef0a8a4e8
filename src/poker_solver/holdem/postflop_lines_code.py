"""CUDA C++ for one group of river lines and one player, every decision written out.

`kernels/postflop/cuda/lines.h` holds what all such kernels share. Groups of one shape have the same
text and share a kernel: where their state stands and what their terminals pay are arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.on_cuda import rounded
from poker_solver.trees.postflop import FOLD, SHOWDOWN, BettingTree

SMALL_ROWS = 7
"""Rows of state up to which a group is small: its kernel does with fewer registers."""

EARLY_ROWS = {True: 8, False: 14}
"""Rows that a thread keeps for the hand after the one it works on, in a small group or not."""

MODES = {LEARN: "learn", BEST: "best", MEAN: "mean", RECORD: "record"}


@dataclass(frozen=True)
class Pack:
    """Rows of the opponent's reach that are summed together; None fills up."""

    rows: tuple[str | None, ...]
    is_shown: bool

    @property
    def width(self) -> int:
        """Rows, those included that only fill up."""
        return len(self.rows)

    def floats(self, opp_live: int, list_size: int) -> int:
        """Memory on a board with so many opponents."""
        beside = 53 + (list_size if self.is_shown else 0)
        return rounded(self.width * (opp_live + 1)) + rounded(self.width * beside)


@dataclass(frozen=True)
class GroupCode:
    """The kernels of a group, NAME in place of their name, and what they ask for."""

    text: dict[int, str]  # by mode
    packs: tuple[Pack, ...]
    factors: tuple[float, ...]

    num_lines: int
    num_rows: tuple[int, int]  # of state: the opponent's, the own

    @property
    def is_small(self) -> bool:
        """Whether it has few rows."""
        return max(self.num_rows) <= SMALL_ROWS

    def floats(self, opp_live: int, list_size: int, pads: tuple[int, int]) -> int:
        """Shared memory of a block; `pads` are the opponent's and the own."""
        packs = sum(pack.floats(opp_live, list_size) for pack in self.packs)
        spare = max(0, pads[0] * self.num_lines - list_size * self.packs[0].width)
        return packs + spare + self.num_lines * pads[1]


class LinesWriter:
    """Walks a group for one player and writes statements.

    Args:
        tree: what is played.
        payoff: [2, N, 3] chips won, lost and tied.
        player: whose values are found.
        group: lines, each a list of nodes, parents first.
        first_row: of each decision, counted from the group's first row of that player.
        has_locks: some of the player's hands play what they are told.
    """

    def __init__(
        self, tree: BettingTree, payoff: NDArray[np.float32], player: int,
        group: Sequence[Sequence[int]], first_row: dict[int, int], has_locks: bool,
    ) -> None:  # fmt: skip
        self.tree, self.payoff, self.player, self.group = tree, payoff, player, group
        self.has_locks = has_locks
        self.nodes = [node for line in group for node in line]
        self.number = {node: k for k, node in enumerate(self.nodes)}
        self.rows = {
            n: [first_row[n] + a for a in range(len(tree.children(n)))]
            for n in self.nodes if tree.is_decision[n]
        }  # fmt: skip
        self.factors: list[float] = []
        self.reach: dict[int, str] = {}  # node -> the opponent's reach there
        self.won: dict[str, str] = {}  # that reach -> win minus lose
        self.met: dict[str, str] = {}  # that reach -> opponents met

    def code(self) -> GroupCode:
        """Everything about the group."""
        opponent = self._opponent()
        packs = self._packs()
        looks = self._looks(packs)
        text = {}
        for mode in MODES:
            self.factors = []
            text[mode] = self._kernel(mode, opponent, packs, looks + self._own(mode))
        rows = [
            sum(len(rows) for n, rows in self.rows.items() if self.tree.kind[n] == p)
            for p in (1 - self.player, self.player)
        ]
        return GroupCode(
            text, tuple(packs), tuple(self.factors), len(self.group), (rows[0], rows[1])
        )

    def _children(self, node: int) -> range:
        return self.tree.children(node) if self.tree.is_decision[node] else range(0)

    def _opponent(self) -> list[str]:
        """From his stored rows g to his reach w after each action."""
        other = 1 - self.player
        mine = [r for n, rows in self.rows.items() if self.tree.kind[n] == other for r in rows]
        self.opp_rows = mine
        text = [
            f"float e{e} = p.share * theirs[{e} * p.opp_pad + their.hand];"
            for e in range(len(self.group))
        ]
        for e, line in enumerate(self.group):
            self.reach[line[0]] = f"e{e}"
            for node in line:
                children = self._children(node)
                if self.tree.kind[node] == other:
                    text += _matched("their.g", self.rows[node], self.number[node])
                    here = self.reach[node]
                    text += [f"float w{r} = {here} * p{r};" for r in self.rows[node]]
                    names = [f"w{r}" for r in self.rows[node]]
                    self.reach |= dict(zip(children, names, strict=True))
                else:
                    self.reach |= dict.fromkeys(children, self.reach[node])
        return text

    def _packs(self) -> list[Pack]:
        kinds = [(n, int(self.tree.kind[n])) for n in self.nodes]
        shown = list(dict.fromkeys(self.reach[n] for n, kind in kinds if kind == SHOWDOWN))
        need = [self.reach[n] for n, kind in kinds if kind == FOLD or self._raked(n)]
        packs = []
        for rows, is_shown in (
            (shown, True),
            ([row for row in dict.fromkeys(need) if row not in shown], False),
        ):
            for first in range(0, len(rows), 4):
                part: list[str | None] = [*rows[first : first + 4]]
                part += [None] * (len(part) == 3)
                packs.append(Pack(tuple(part), is_shown))
        return packs

    def _looks(self, packs: list[Pack]) -> list[str]:
        text = []
        need = {self.reach[n] for n in self.nodes if self.tree.kind[n] == FOLD or self._raked(n)}
        for k, pack in enumerate(packs):
            w, shown = pack.width, str(pack.is_shown).lower()
            given = f"totals{k}, at"
            if pack.is_shown:
                given = f"pack{k}, cards{k}, totals{k}, whole{k}, at"
            name = "shown_at" if pack.is_shown else "folded_at"
            text.append(f"Found<{w}> found{k} = {name}<{w}>({given});")
            for lane, row in enumerate(pack.rows):
                if row is None:
                    continue
                self.won[row] = f"found{k}.won.at[{lane}]"
                if row in need:
                    self.met[row] = f"met{k}_{lane}"
                    same = f"same_at<{w}, {shown}>(pack{k}, at, {lane})"
                    met = f"whole{k}[{lane}] - found{k}.held.at[{lane}] + {same}"
                    text.append(f"float met{k}_{lane} = {met};")
        return text

    def _raked(self, node: int) -> bool:
        is_shown = self.tree.kind[node] == SHOWDOWN
        return bool(is_shown and self.payoff[self.player, node, :2].sum() != 0)

    def _factor(self, value: Any) -> str:
        self.factors.append(float(value))
        return f"__ldg(factor + {len(self.factors) - 1})"

    def _value(self, node: int) -> str:
        """The value of a node as an expression."""
        kind = int(self.tree.kind[node])
        if kind == self.player:
            return f"v{self.number[node]}"
        if kind not in (FOLD, SHOWDOWN):
            return " + ".join(map(self._value, self.tree.children(node)))
        win, lose, _ = self.payoff[self.player, node].tolist()
        reach = self.reach[node]
        if kind == FOLD:
            return f"{self._factor(win)} * {self.met[reach]}"
        text = f"{self._factor((win - lose) / 2)} * {self.won[reach]}"
        if self._raked(node):
            text += f" + {self._factor((win + lose) / 2)} * {self.met[reach]}"
        return text

    def _own(self, mode: int) -> list[str]:
        """Own reach down, values up, and what is learned."""
        text: list[str] = []
        own = [n for n in self.nodes if self.tree.kind[n] == self.player]
        if mode not in (BEST, RECORD) or self.has_locks:
            for n in own:
                stored = "my.r" if mode == LEARN else "my.s"
                text += _matched(stored, self.rows[n], self.number[n])
        reach: dict[int, str] = {}
        if mode == LEARN:
            text += self._own_reach(reach)
        for n in reversed(own):
            rows, v = self.rows[n], f"v{self.number[n]}"
            children = self.tree.children(n)
            text += [f"float x{r} = {self._value(c)};" for r, c in zip(rows, children, strict=True)]
            mean = " + ".join(f"p{r} * x{r}" for r in rows)
            if mode in (BEST, RECORD):
                best = _nested("fmaxf", rows)
                text += _recorded(rows, v) if mode == RECORD else []
                if self.has_locks:
                    best = f"locked[{rows[0]} * own_pitch + here] ? {mean} : {best}"
                text.append(f"float {v} = {best};")
                continue
            text.append(f"float {v} = {mean};")
            if mode == LEARN:
                for r in rows:
                    gain, at = f"(x{r} - {v})", f"[{r} * own_pitch + here]"
                    text.append(f"__stcs(&regret{at}, faded(my.r[{r}], up, down) + {gain});")
                    text.append(f"__stcs(&sum{at}, my.s[{r}] * keep + {reach[n]} * p{r});")
        for e, line in enumerate(self.group):
            text.append(f"ours[{e} * p.own_pad + my.hand] = {self._value(line[0])};")
        return text

    def _own_reach(self, reach: dict[int, str]) -> list[str]:
        """Fill `reach` with the own reach at every node; where it is first needed it is defined."""
        text = []
        for e, line in enumerate(self.group):
            text.append(f"float o{e} = ours[{e} * p.own_pad + my.hand];")
            reach[line[0]] = f"o{e}"
            for node in line:
                for a, child in enumerate(self._children(node)):
                    reach[child] = reach[node]
                    if self.tree.kind[node] == self.player:
                        r = self.rows[node][a]
                        text.append(f"float q{r} = {reach[node]} * p{r};")
                        reach[child] = f"q{r}"
        return text

    def _kernel(self, mode: int, opponent: list[str], packs: list[Pack], own: list[str]) -> str:
        every, packed = range(len(self.group)), list(enumerate(packs))
        ends = [
            f"store<{k.width}>(pack{n} + opp_live * {k.width}, nothing<{k.width}>());"
            for n, k in packed
        ]
        out = "p.out + ((i64)board * p.num_entries + line[{}]) * p.own_pad"
        weights = "float up = p.weights[0], down = p.weights[1], keep = p.weights[2];"
        fill = {
            **self._reads(mode),
            "CARVE": _lines(_carved(packs, len(self.group)), 1),
            "BRING": _lines([_brought("theirs", "opp", e, 3) for e in every], 1),
            "BRING_OWN": _lines([_brought("ours", "own", e, 4) for e in every], 1),
            "OPPONENT": _lines(opponent + _stored(packs), 2),
            "ENDS": " ".join(ends),
            "SUMS": _lines(_summed(packs), 1),
            "PLACES": _lines(_placed(packs), 1),
            "DEAD": " ".join(f"ours[{e} * p.own_pad + hand] = 0.0f;" for e in every),
            "RESULTS": _lines(
                [
                    f"copy_row({out.format(2 + 3 * e)}, ours + {e} * p.own_pad, p.own_pad);"
                    for e in every
                ],
                1,
            ),
            "WEIGHTS": weights if mode == LEARN else "",
            "OWN": _lines(own, 2),
            "LINE_SIZE": str(2 + 3 * len(self.group)),
            "NUM_FACTORS": str(len(self.factors)),
        }
        if mode != LEARN:
            fill["BRING_OWN"] = ""
        text = _KERNEL
        for name, value in fill.items():
            text = text.replace(f"${name}$", value)
        return text

    def _reads(self, mode: int) -> dict[str, str]:
        """What is read of a hand, and when that of the next one is."""
        kinds, theirs = self.tree.kind, self.opp_rows
        mine = [r for n, rows in self.rows.items() if kinds[n] == self.player for r in rows]
        if_locked = "s" if self.has_locks else ""
        kept = {LEARN: "rs", BEST: if_locked, RECORD: if_locked, MEAN: "s"}[mode]
        names = {"r": "regret", "s": "sum"}
        own = [f"next.{k}[{r}] = {names[k]}[{r} * own_pitch + i];" for k in kept for r in mine]
        own += ["next.hand = own_order[i];", "next.look = p.look[(i64)board * p.own_pad + i];"]
        opp = [f"coming.g[{r}] = stored[{r} * opp_pitch + j];" for r in theirs]
        opp.append("coming.hand = opp_order[j];")
        read = f"if (i < own_live) {{ {' '.join(own)} }}"
        read_opponent = f"if (j < opp_live) {{ {' '.join(opp)} }}"
        most = EARLY_ROWS[max(len(mine), len(theirs)) <= SMALL_ROWS]
        early, opp_early = 2 * len(mine) <= most, len(theirs) <= most
        rows, opp_rows = max(1, len(mine)), max(1, len(theirs))
        return {
            "DECLARE": f"Mine<{rows}> next; Theirs<{opp_rows}> coming;",
            "READ": read, "READ_OPPONENT": read_opponent,
            "EARLY": read if early else "", "LATE": "" if early else read,
            "EARLY_OPPONENT": read_opponent if opp_early else "",
            "LATE_OPPONENT": "" if opp_early else read_opponent,
            "OWN_ROWS": str(rows), "OPP_ROWS": str(opp_rows),
            "FETCHED": f"{len(mine)}, {int('r' in kept)}, {int('s' in kept)}",
        }  # fmt: skip


def _lines(statements: list[str], depth: int) -> str:
    return "\n".join("    " * depth + statement for statement in statements)


def _matched(stored: str, rows: list[int], number: int) -> list[str]:
    """Stored rows to policies p: clipped and normalised, uniform where nothing is left."""
    total = " + ".join(f"positive({stored}[{r}])" for r in rows)
    found = [
        f"float t{number} = {total};",
        f"float f{number} = t{number} > TINY ? 1.0f / t{number} : 0.0f;",
        f"float u{number} = t{number} > TINY ? 0.0f : 1.0f / {len(rows)};",
    ]
    parts = [f"float p{r} = positive({stored}[{r}]) * f{number} + u{number};" for r in rows]
    return found + parts


def _nested(function: str, rows: list[int]) -> str:
    """The most or the least of the values x of some rows."""
    text = f"x{rows[0]}"
    for r in rows[1:]:
        text = f"{function}({text}, x{r})"
    return text


def _recorded(rows: list[int], value: str) -> list[str]:
    """1 at the first row that is best, 0 at the others; all 0 where all are as good."""
    best = f"most_{value}"
    text = [
        f"float {best} = {_nested('fmaxf', rows)};",
        f"bool open_{value} = {best} > {_nested('fminf', rows)};",
    ]
    for r in rows:
        is_played = f"open_{value} && x{r} == {best}"
        text.append(f"regret[{r} * own_pitch + here] = {is_played} ? 1.0f : 0.0f;")
        text.append(f"open_{value} = open_{value} && x{r} != {best};")
    return text


def _carved(packs: list[Pack], num_lines: int) -> list[str]:
    text = [
        "float* memory = (float*)shared_bytes;",
        f"float* ours = memory; memory += {num_lines} * p.own_pad;",
    ]
    for k, pack in enumerate(packs):
        w = pack.width
        text.append(f"float* pack{k} = memory; memory += rounded({w} * (opp_live + 1));")
        parts = [("cards", "list_size")] if pack.is_shown else []
        parts += [("totals", "NUM_CARDS"), ("whole", "1")]
        text += [f"float* {name}{k} = memory; memory += {w} * {size};" for name, size in parts]
        text.append("memory = (float*)(((i64)memory + 15) & ~(i64)15);")
    text.append("float* theirs = cards0;  // needed before the sums are")
    return text


def _brought(to: str, whose: str, entry: int, place: int) -> str:
    row = f"{whose}_above + (i64)line[{place + 3 * entry}] * p.{whose}_pad"
    return f"copy_row({to} + {entry} * p.{whose}_pad, {row}, p.{whose}_pad);"


def _stored(packs: list[Pack]) -> list[str]:
    text = []
    for k, pack in enumerate(packs):
        w = pack.width
        filled = " ".join(
            f"y{k}.at[{lane}] = {row or '0.0f'};" for lane, row in enumerate(pack.rows)
        )
        text.append(f"Row<{w}> y{k}; {filled} store<{w}>(pack{k} + here * {w}, y{k});")
    return text


def _summed(packs: list[Pack]) -> list[str]:
    text = []
    for k, pack in enumerate(packs):
        kind = f"{pack.width}, {str(pack.is_shown).lower()}"
        cards = f"cards{k}" if pack.is_shown else "0"
        given = f"pack{k}, {cards}, totals{k}, list, spans, rounds"
        text.append(f"if (warp == {k} % num_warps) sum_lists<{kind}>({given});")
    return text


def _placed(packs: list[Pack]) -> list[str]:
    text = []
    for k, pack in enumerate(packs):
        kind = f"{pack.width}, {str(pack.is_shown).lower()}"
        text.append(
            f"if (warp == {k} % num_warps) sum_places<{kind}>(pack{k}, whole{k}, opp_live);"
        )
    return text


_KERNEL = """
extern "C" __global__ void BOUNDS NAME(const Pass p) {
    const int board = blockIdx.x / p.num_groups, group = blockIdx.x - board * p.num_groups;
    const int warp = threadIdx.x >> 5, num_warps = blockDim.x >> 5;
    const int* line = p.program + group * $LINE_SIZE$;
    const float* factor = p.factors + group * $NUM_FACTORS$;
    const int opp_live = p.opp_live[board], own_live = p.own_live[board];
    const int opp_pitch = rounded(opp_live), own_pitch = rounded(own_live);
    const u16* list = p.list + (i64)board * p.list_pad;
    const u16* spans = p.spans + (i64)board * (p.list_pad / 4);
    const int rounds = p.list_start[(i64)board * (NUM_CARDS + 1) + NUM_CARDS];
    const int list_size = 128 * rounds;
$CARVE$
    float* regret = p.own_regret + p.own_base[board] + (i64)line[1] * own_pitch;
    float* sum = p.own_sum + p.own_base[board] + (i64)line[1] * own_pitch;
    const unsigned char* locked = p.own_locked + p.own_base[board] + (i64)line[1] * own_pitch;
    const float* stored = p.opp_stored + p.opp_base[board] + (i64)line[0] * opp_pitch;
    const u16* opp_order = p.opp_order + (i64)board * p.opp_pad;
    const u16* own_order = p.own_order + (i64)board * p.own_pad;
    int i = threadIdx.x, j = threadIdx.x;
    $DECLARE$
    $READ_OPPONENT$
    const float* opp_above = p.opp_above + (i64)p.board_above[board] * p.rows_above_opp * p.opp_pad;
    const float* own_above = p.own_above + (i64)p.board_above[board] * p.rows_above_own * p.own_pad;
$BRING$
$BRING_OWN$
    if (threadIdx.x == blockDim.x - 1) fetch_own(regret, sum, own_pitch, $FETCHED$);
    __syncthreads();
    while (j < opp_live) {
        const int here = j;
        const Theirs<$OPP_ROWS$> their = coming;
        j += blockDim.x;
        $EARLY_OPPONENT$
$OPPONENT$
        $LATE_OPPONENT$
    }
    if (threadIdx.x == 0) { $ENDS$ }
    $READ$
    __syncthreads();
$SUMS$
    __syncthreads();
$PLACES$
    __syncthreads();
    $WEIGHTS$
    while (i < own_live) {
        const int here = i;
        const Mine<$OWN_ROWS$> my = next;
        const Look at = look_at(my.look);
        i += blockDim.x;
        $EARLY$
$OWN$
        $LATE$
    }
    for (i = own_live + threadIdx.x; i < p.own_hands; i += blockDim.x) {
        int hand = own_order[i];
        $DEAD$
    }
    __syncthreads();
$RESULTS$
}
"""
