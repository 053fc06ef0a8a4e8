"""CUDA C++ for one group of river lines and one player, every decision written out.

`kernels/postflop/cuda/lines.h` holds what all such kernels share. Groups of one shape have the same
text and share a kernel: where their state stands and what their terminals pay are arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import FOLD, SHOWDOWN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.cuda.sizes import most_chunks, rounded
from poker_solver.kernels.postflop.cuda.structs import LEARN16, LIST_HEAD, MODES, MOST_RUN, PITCH
from poker_solver.trees.betting import BettingTree

SMALL_ROWS = 7
"""Rows of state up to which a group is small: its kernel does with fewer registers."""

EARLY_ROWS = 4
"""Rows of state up to which a thread reads its next hand before it works on the one it has."""

LEARNING = (LEARN, LEARN16)
MOST_WARPS = 8  # of a block


@dataclass(frozen=True)
class Pack:
    """Rows of the opponent's reach that are summed together; None fills up."""

    rows: tuple[str | None, ...]

    @property
    def width(self) -> int:
        """Rows, those included that only fill up."""
        return len(self.rows)


@dataclass(frozen=True)
class GroupCode:
    """The kernels of a group, NAME in place of their name, and what they ask for."""

    text: dict[int, str]  # by mode
    packs: tuple[Pack, ...]
    factors: tuple[float, ...]

    num_lines: int
    num_rows: tuple[int, int]  # of state: the opponent's, the own
    num_nodes: int  # own decisions

    def floats(
        self, opp_live: int, num_chunks: int, pads: tuple[int, int], packed: bool = False
    ) -> int:
        """Shared memory of a block; `pads` are the opponent's and the own.

        Where regrets are `packed` into 16 bits, the new ones wait there for their scale.
        """
        widths = [pack.width for pack in self.packs]
        size = 4 + 8 * MOST_RUN + 2 * self.num_lines * pads[1]
        size += rounded(6 + len(self.factors) + 3 * self.num_lines)
        size += rounded((LIST_HEAD + 4 * num_chunks + opp_live + 1) // 2)
        size += sum(rounded(width * (opp_live + 2)) for width in widths)
        if packed:
            size += rounded((2 + MOST_WARPS) * self.num_nodes)
            size += self.num_rows[1] * rounded(pads[1], PITCH)
        staged = self.num_rows[0] * rounded(opp_live, PITCH) + self.num_lines * pads[0]
        return size + max(staged, sum(widths) * (4 * num_chunks + 52))

    def most_bytes(self, num_hands: tuple[int, int], player: int, packed: bool) -> int:
        """Shared memory of a block with so many hands of OOP and IP, whatever the board."""
        opp, own = num_hands[1 - player], num_hands[player]
        return 4 * self.floats(opp, most_chunks(opp), (rounded(opp), rounded(own)), packed)


def block_size(num_rows: int, room: int) -> tuple[int, int]:
    """Threads of a block, and how many blocks a processor holds, for which registers are rationed.

    `room` is how many its shared memory is enough for.
    """
    return 128, max(1, min(room, 8 if num_rows <= SMALL_ROWS else 5))


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
        rows = self._num_rows(1 - self.player), self._num_rows(self.player)
        nodes = len(self._own_nodes())
        return GroupCode(text, tuple(packs), tuple(self.factors), len(self.group), rows, nodes)

    def _children(self, node: int) -> range:
        return self.tree.children(node) if self.tree.is_decision[node] else range(0)

    def _opponent(self) -> list[str]:
        """From his stored rows g to his reach w after each action."""
        other = 1 - self.player
        mine = [r for n, rows in self.rows.items() if self.tree.actor[n] == other for r in rows]
        rows = ", ".join(f"(float)stored[{r} * opp_pitch + j]" for r in mine)
        text = [f"const float g[] = {{{rows}}};"] if mine else []
        text += [
            f"float e{e} = p.share * theirs[{e} * p.opp_pad + hand];"
            for e in range(len(self.group))
        ]
        for e, line in enumerate(self.group):
            self.reach[line[0]] = f"e{e}"
            for node in line:
                children = self._children(node)
                if self.tree.actor[node] == other:
                    text += _matched("g", self.rows[node], self.number[node])
                    here = self.reach[node]
                    text += [f"float w{r} = {here} * p{r};" for r in self.rows[node]]
                    names = [f"w{r}" for r in self.rows[node]]
                    self.reach |= dict(zip(children, names, strict=True))
                else:
                    self.reach |= dict.fromkeys(children, self.reach[node])
        return text

    def _packs(self) -> list[Pack]:
        shown = [self.reach[n] for n in self.nodes if self.tree.kind[n] == SHOWDOWN]
        rows = list(dict.fromkeys(shown))
        packs = []
        for first in range(0, len(rows), 4):
            part: list[str | None] = [*rows[first : first + 4]]
            part += [None] * (len(part) == 3)
            packs.append(Pack(tuple(part)))
        return packs

    def _looks(self, packs: list[Pack]) -> list[str]:
        """What a hand finds: at rows that are shown by sums, at others by what they leave."""
        text = []
        for k, pack in enumerate(packs):
            w = pack.width
            given = f"pack{k}, cards{k}, opp_live, chunks, at"
            text.append(f"Found<{w}> found{k} = found_at<{w}>({given});")
            for lane, row in enumerate(pack.rows):
                if row is not None:
                    self.won[row] = f"found{k}.won.at[{lane}]"
                    self.met[row] = f"found{k}.met.at[{lane}]"
        opponents = [n for n in self.nodes if self.tree.actor[n] == 1 - self.player]
        while left := [n for n in opponents if self._num_unknown(n) == 1]:
            text += map(self._left_over, left)
        return text

    def _num_unknown(self, node: int) -> int:
        rows = [self.reach[n] for n in (node, *self.tree.children(node))]
        return sum(row not in self.met for row in rows)

    def _left_over(self, node: int) -> str:
        """The row of an opponent's decision that follows from the others: before it, or a fold."""
        before, *after = (self.reach[n] for n in (node, *self.tree.children(node)))
        if before not in self.met:
            found, value = before, " + ".join(self.met[row] for row in after)
        else:
            (found,) = (row for row in after if row not in self.met)
            others = [self.met[row] for row in after if row != found]
            value = " - ".join([self.met[before], *others])
        self.met[found] = f"met_{found}"
        return f"float met_{found} = {value};"

    def _raked(self, node: int) -> bool:
        is_shown = self.tree.kind[node] == SHOWDOWN
        return bool(is_shown and self.payoff[self.player, node, :2].sum() != 0)

    def _factor(self, value: Any) -> str:
        self.factors.append(float(value))
        return f"factor[{len(self.factors) - 1}]"

    def _value(self, node: int) -> str:
        """The value of a node as an expression."""
        if self.tree.actor[node] == self.player:
            return f"v{self.number[node]}"
        kind = self.tree.kind[node]
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

    def _own_nodes(self) -> list[int]:
        return [n for n in self.nodes if self.tree.actor[n] == self.player]

    def _own(self, mode: int) -> list[str]:
        """Own reach down, values up, and what is learned."""
        text: list[str] = []
        own = self._own_nodes()
        if mode not in (BEST, RECORD) or self.has_locks:
            for n in own:
                stored = "my.r" if mode in LEARNING else "my.s"
                text += _matched(stored, self.rows[n], self.number[n])
        reach: dict[int, str] = {}
        if mode in LEARNING:
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
            if mode in LEARNING:
                for r in rows:
                    summed = f"my.s[{r}] * keep + {reach[n]} * p{r}"
                    text.append(f"__stcs(&sum[{r} * own_pitch + here], {summed});")
                text += self._learned(n, mode)
        for e, line in enumerate(self.group):
            text.append(f"found[{e} * p.own_pad + my.hand] += {self._value(line[0])};")
        return text

    def _learned(self, node: int, mode: int) -> list[str]:
        """New regrets of a decision; those of 16 bits wait for the largest of all."""
        rows, v, d = self.rows[node], f"v{self.number[node]}", self._own_nodes().index(node)
        text = []
        for r in rows:
            gain, at = f"(x{r} - {v})", f"[{r} * own_pitch + here]"
            if mode == LEARN:
                text.append(f"__stcs(&regret{at}, faded(my.r[{r}], up, down) + {gain});")
            else:
                fade = f"fade[{2 * d}], fade[{2 * d + 1}]"
                text.append(f"fresh{at} = faded(my.r[{r}], {fade}) + {gain};")
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
                    if self.tree.actor[node] == self.player:
                        r = self.rows[node][a]
                        text.append(f"float q{r} = {reach[node]} * p{r};")
                        reach[child] = f"q{r}"
        return text

    def _kernel(self, mode: int, opponent: list[str], packs: list[Pack], own: list[str]) -> str:
        every, widths = range(len(self.group)), [pack.width for pack in packs]
        own_rows, opp_rows = self._num_rows(self.player), self._num_rows(1 - self.player)
        ends = [
            f"store<{w}>(pack{k} + opp_live * {4 * w}, nothing<{w}>());"
            for k, w in enumerate(widths)
        ]
        out = "p.out + ((i64)to_run * p.num_entries + line[{}]) * p.own_pad"
        ours = "found + {} * p.own_pad"
        pads = "p.opp_pad"
        if mode in LEARNING:
            pads = "(k == 0 ? p.opp_pad + p.own_pad : p.opp_pad)"
        stored, bytes_each = ("short", 2) if mode == LEARN16 else ("float", 4)
        fill = {
            **self._reads(mode),
            "CARVE": _lines(_carved(widths, opp_rows), 2),
            "BRING_STORED": _lines(_BRING_STORED if opp_rows else [], 3),
            "BRING": _lines([_brought("theirs", "opp", e) for e in every], 3),
            "BRING_OWN": _lines([_brought("ours", "own", e) for e in every], 4),
            "STAGED": f"list_bytes + $SIZE$ * {opp_rows} * opp_pitch + {4 * len(every)} * {pads}",
            **(self._packed() if mode == LEARN16 else dict.fromkeys(_PACKED, "")),
            "OPPONENT": _lines(opponent + _stored(packs), 3),
            "ENDS": " ".join(ends),
            "NUM_LINES": str(len(self.group)),
            "SUMS": _lines(_summed(widths), 2),
            "RESULTS": _lines(
                [f"copy_row({out.format(2 + 3 * e)}, {ours.format(e)}, p.own_pad);" for e in every],
                1,
            ),
            "WEIGHTS": "const float up = weights[0], down = weights[1], keep = weights[2];",
            "OWN": _lines(own, 3),
            "LINE_SIZE": str(3 + 3 * len(self.group)),
            "NUM_FACTORS": str(len(self.factors)),
            "OPP_ROWS": str(opp_rows),
            "STORED": stored,
            "SIZE": str(bytes_each),
            "OWN_ROWS": str(max(1, own_rows)),
        }
        if mode not in LEARNING:
            fill["BRING_OWN"] = fill["WEIGHTS"] = ""
        text = _KERNEL
        for name, value in fill.items():
            text = text.replace(f"${name}$", value)
        return text

    def _packed(self) -> dict[str, str]:
        """What regrets of 16 bits need besides: room, old scales, the largest of the new ones."""
        own, last = self._own_nodes(), 2 + 3 * len(self.group)
        rows = self._num_rows(self.player)
        noted, packed = [], []
        for d, n in enumerate(own):
            notes, first = f"notes + {d} * num_warps", f"{self.rows[n][0]} * own_pitch"
            count = f"{len(self.rows[n])} * own_pitch"
            locked = f"locked + {first}" if self.has_locks else "0"
            noted.append(f"note_most({notes}, most_of(fresh + {first}, {count}, {locked}));")
            given = f"fresh + {first}, {count}, noted_most({notes}), scale + {d}"
            packed.append(f"pack_rows(regret + {first}, {given});")
        return {
            "CARVE_PACKED": _lines(
                [
                    "float* fade = (float*)(shared_bytes + memory);",
                    f"float* notes = fade + {2 * len(own)};",
                    f"float* fresh = fade + rounded({(2 + MOST_WARPS) * len(own)});",
                    f"memory += 4 * (rounded({(2 + MOST_WARPS) * len(own)}) + {rows} * own_pitch);",
                    f"float* scale = p.own_scale + (i64)board * p.own_nodes + line[{last}];",
                    f"if (threadIdx.x < {len(own)}) {{",
                    "    fade[2 * threadIdx.x] = scale[threadIdx.x] * p.weights[0];",
                    "    fade[2 * threadIdx.x + 1] = scale[threadIdx.x] * p.weights[1];",
                    "}",
                    "if (own_live + threadIdx.x < own_pitch)",
                    f"    for (int r = 0; r < {rows}; ++r)",
                    "        fresh[r * own_pitch + own_live + threadIdx.x] = 0.0f;",
                ],
                2,
            ),
            "PACK": _lines([*noted, "__syncthreads();", *packed, "__syncthreads();"], 2),
        }

    def _num_rows(self, player: int) -> int:
        return sum(len(rows) for n, rows in self.rows.items() if self.tree.actor[n] == player)

    def _reads(self, mode: int) -> dict[str, str]:
        """What is read of an own hand, and when the state of the next one is."""
        mine = [r for n in self._own_nodes() for r in self.rows[n]]
        if_locked = "s" if self.has_locks else ""
        kept = {LEARN: "rs", LEARN16: "rs", BEST: if_locked, RECORD: if_locked, MEAN: "s"}[mode]
        names = {"r": "regret", "s": "sum"}
        state = [f"next.{k}[{r}] = {names[k]}[{r} * own_pitch + i];" for k in kept for r in mine]
        where, read = (
            "next.hand = p.own_order[places + i]; next.look = p.look[places + i];",
            " ".join(state),
        )
        early = len(mine) <= EARLY_ROWS
        return {
            "READ": f"if (i < own_live) {{ {where} {read} }}",
            "EARLY": f"if (i < own_live) {{ {where} {read if early else ''} }}",
            "LATE": "" if early else f"if (i < own_live) {{ {read} }}",
            "FETCHED": f"{len(mine)}, {int('r' in kept)}, {int('s' in kept)}",
        }


def _lines(statements: list[str], depth: int) -> str:
    return "\n".join("    " * depth + statement for statement in statements)


def _matched(stored: str, rows: list[int], number: int) -> list[str]:
    """Stored rows to policies p: clipped and normalised, uniform where nothing is left."""
    total = " + ".join(f"positive({stored}[{r}])" for r in rows)
    found = [
        f"float t{number} = {total};",
        f"float f{number} = t{number} > TINY ? inverse(t{number}) : 0.0f;",
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


def _carved(widths: list[int], opp_rows: int) -> list[str]:
    """Shared memory; the opponent's state and reach from above go where the lists' sums will be."""
    text = ["u16* list = (u16*)(shared_bytes + memory); memory += list_bytes;"]
    for k, w in enumerate(widths):
        size = f"{4 * w} * (opp_live + 2)"
        size = size if w == 4 else f"(({size} + 15) & ~15)"
        text.append(f"const unsigned pack{k} = memory; memory += {size};")
    text += [
        "$STORED$* stored = ($STORED$*)(shared_bytes + memory);",
        f"float* theirs = (float*)(stored + {opp_rows} * opp_pitch);",
    ]
    for k, w in enumerate(widths):
        text.append(f"const unsigned cards{k} = memory; memory += {16 * w} * (chunks + 13);")
    return text


def _brought(to: str, whose: str, entry: int) -> str:
    above = f"line[{(3 if whose == 'opp' else 4) + 3 * entry}]"
    row = f"{whose}_above + (i64){above} * p.{whose}_pad"
    return f"stage(arrival, {to} + {entry} * p.{whose}_pad, {row}, 4 * p.{whose}_pad);"


def _stored(packs: list[Pack]) -> list[str]:
    text = []
    for k, pack in enumerate(packs):
        w = pack.width
        filled = " ".join(
            f"y{k}.at[{lane}] = {row or '0.0f'};" for lane, row in enumerate(pack.rows)
        )
        text.append(f"Row<{w}> y{k}; {filled} store<{w}>(pack{k} + j * {4 * w}, y{k});")
    return text


def _summed(widths: list[int]) -> list[str]:
    text = []
    for k, w in enumerate(widths):
        parts = (
            f"sum_lists<{w}>(pack{k}, cards{k}, list, chunks);",
            f"const Row<{w}> before = sum_places<{w}>(pack{k}, opp_live);",
            "__syncwarp();",
            f"keep_places<{w}>(pack{k}, opp_live, before);",
        )
        text.append(f"if (warp == {k} % num_warps) {{ {' '.join(parts)} }}")
    return text


_BRING_STORED = [
    "const i64 opp_at = boards[k].opp_base + (i64)line[0] * opp_pitch;",
    "const $STORED$* opp_stored = (const $STORED$*)p.opp_stored + opp_at;",
    "stage(arrival, stored, opp_stored, $SIZE$ * $OPP_ROWS$ * opp_pitch);",
]

_PACKED = ("CARVE_PACKED", "PACK")


_KERNEL = """
extern "C" __global__ void BOUNDS NAME(const Pass p) {
    const int run = blockIdx.x / p.num_groups, group = blockIdx.x - run * p.num_groups;
    const int warp = threadIdx.x >> 5, num_warps = THREADS / 32;
    Arrival* arrival = (Arrival*)shared_bytes;
    volatile int* turn = (volatile int*)(shared_bytes + 8);  // which board: not in a register
    if (threadIdx.x == 0) *turn = 0;
    Board* boards = (Board*)(shared_bytes + 16);
    const uint4* given = (const uint4*)(p.boards + (i64)run * p.per_run);
    if (threadIdx.x < 2 * p.per_run) ((uint4*)boards)[threadIdx.x] = given[threadIdx.x];
    float* ours = (float*)(boards + MOST_RUN);
    float* found = ours + $NUM_LINES$ * p.own_pad;
    float* weights = found + $NUM_LINES$ * p.own_pad;
    float* factor = weights + 3;
    int* line = (int*)(factor + $NUM_FACTORS$);
    if (threadIdx.x < $LINE_SIZE$) line[threadIdx.x] = p.program[group * $LINE_SIZE$ + threadIdx.x];
    if (threadIdx.x < 3) weights[threadIdx.x] = p.weights[threadIdx.x];
    const float* factors = p.factors + group * $NUM_FACTORS$;
    for (int f = threadIdx.x; f < $NUM_FACTORS$; f += THREADS) factor[f] = factors[f];
    for (int h = threadIdx.x; h < $NUM_LINES$ * p.own_pad; h += THREADS) found[h] = 0.0f;
    expect(arrival);
    if (p.is_done && p.is_done[boards->board]) return;
    for (;;) {
        const int k = *turn;
        if (k >= p.per_run || boards[k].board < 0) break;
        const int board = boards[k].board, chunks = boards[k].chunks;
        const int opp_live = boards[k].opp_live, opp_pitch = pitch_of(opp_live);
        const int own_live = boards[k].own_live, own_pitch = pitch_of(own_live);
        const int list_bytes = (2 * (LIST_HEAD + 4 * chunks + opp_live) + 15) & ~15;
        unsigned memory = 16 + 32 * MOST_RUN + 8 * $NUM_LINES$ * p.own_pad;
        memory += 4 * rounded(3 + $NUM_FACTORS$ + $LINE_SIZE$);
$CARVE_PACKED$
$CARVE$
        if (stages()) {
            take_over();
            const i64 above = boards->above;
            const float* opp_above = p.opp_above + above * p.rows_above_opp * p.opp_pad;
$BRING_STORED$
$BRING$
            stage(arrival, list, p.list + (i64)board * p.list_pad, list_bytes);
            if (k == 0) {
                const float* own_above = p.own_above + above * p.rows_above_own * p.own_pad;
$BRING_OWN$
            }
            staged(arrival, $STAGED$);
        }
        const i64 own_at = boards[k].own_base + (i64)line[1] * own_pitch;
        $STORED$* regret = ($STORED$*)p.own_regret + own_at;
        float* sum = p.own_sum + own_at;
        const unsigned char* locked = p.own_locked + own_at;
        if (threadIdx.x == THREADS - 1) fetch_own(regret, sum, own_pitch, $FETCHED$);
        const unsigned places = board * p.own_pad;
        const u16* opp_order = list + LIST_HEAD + 4 * chunks;
        meet(arrival, k & 1);
        for (int j = threadIdx.x; j < opp_live; j += THREADS) {
            const int hand = opp_order[j];
$OPPONENT$
        }
        if (threadIdx.x == 0) { $ENDS$ }
        int i = threadIdx.x;
        Mine<$STORED$, $OWN_ROWS$> next;
        $READ$
        __syncthreads();
        if (threadIdx.x == 0) *turn = *turn + 1;
$SUMS$
        __syncthreads();
        $WEIGHTS$
        while (i < own_live) {
            const int here = i;
            const i64 my_at = again(own_at);
            $STORED$* regret = ($STORED$*)p.own_regret + my_at;
            float* sum = p.own_sum + my_at;
            const Mine<$STORED$, $OWN_ROWS$> my = next;
            const Look at = look_at(my.look);
            i += THREADS;
            $EARLY$
$OWN$
            $LATE$
        }
        __syncthreads();
$PACK$
    }
    const int to_run = block_number() / p.num_groups;
$RESULTS$
}
"""
