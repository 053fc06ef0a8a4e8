"""CUDA C++ for one shape of river groups by row; see `kernels.postflop.cuda.codegen` for names."""

import hashlib
from collections.abc import Sequence
from itertools import count

from poker_solver.kernels.postflop import BEST, LEARN
from poker_solver.kernels.postflop.cuda import codegen as exact
from poker_solver.kernels.postflop.cuda.shape import Decision, GroupShape, OwnDecision
from poker_solver.kernels.postflop.cuda.sizes import rounded
from poker_solver.kernels.postflop.cuda.sources import source as exact_source
from poker_solver.kernels.postflop.cuda.structs import LIST_HEAD, MODES, MOST_BATCH
from poker_solver.kernels.row_cfr.cuda.sources import row_head, source
from poker_solver.kernels.row_cfr.cuda.structs import SAY_PITCH

STORED = {"float32": "float", "int16": "short"}
"""How the type of state is called in C."""


def _played(decisions: Sequence[Decision] | Sequence[OwnDecision]) -> exact.Text:
    """A hand's policies, from those of its row."""
    rows = [row for decision in decisions for row in decision.rows]
    return [f"const float policy_{row} = played[{row} * num_rows];" for row in rows]


def opponent(shape: GroupShape) -> exact.Text:
    """One of his hands: reach after each action, and into the packs."""
    num_lines, text = len(shape.entries), exact.Text()
    for line in range(num_lines):
        text.append(f"const float reach_in_{line} = p.share * theirs[{line} * p.opp_pad + hand];")
    text += _played(shape.opponent)
    for decision in shape.opponent:
        text += exact.split_reach("reach", decision, num_lines)
    return text + exact.fill_packs(shape)


def own(shape: GroupShape, mode: int) -> exact.Text:
    """One own hand: reach down, values up, and what it says to its row."""
    num_lines, factor = len(shape.entries), count()
    text = exact.look(shape)
    if mode != BEST:
        text += _played(shape.own)
    if mode == LEARN:
        for line in range(num_lines):
            here = f"line[{3 * line + 2}] * p.own_pad + hand"
            text.append(f"const float own_in_{line} = ours[{here}];")
        for decision in shape.own:
            text += exact.split_reach("own", decision, num_lines)
    for number, decision in reversed(list(enumerate(shape.own))):
        for row, terms in zip(decision.rows, decision.actions, strict=True):
            text.append(f"const float cfv_{row} = {exact.value_sum(terms, factor, num_lines)};")
        if mode == BEST:
            text.append(exact.best(decision, number, has_locks=False))
            continue
        text.append(f"const float value_{number} = {exact.mix(decision)};")
        if mode == LEARN:
            text += _say(shape, decision, number)
    for line, terms in enumerate(shape.entries):
        value = exact.value_sum(terms, factor, num_lines)
        text.append(f"if (is_here) found[{line} * p.own_pad + hand] += {value};")
    return text


def _say(shape: GroupShape, decision: OwnDecision, number: int) -> exact.Text:
    """What a hand's actions are worth, by its weight, and its reach."""
    reach = exact.reach_name("own", decision.reach, len(shape.entries))
    told = shape.num_rows[1] + number
    return [
        f"const float says_{number} = is_here ? floor + rest * {reach} : 0.0f;",
        *(f"say[{row} * SAY_PITCH + lane] = says_{number} * cfv_{row};" for row in decision.rows),
        f"say[{told} * SAY_PITCH + lane] = is_here ? {reach} : 0.0f;",
    ]


def row_kernel_name(shape: GroupShape, mode: int, dtype: str, threads: int, blocks: int) -> str:
    """That of a kernel of `row_kernels`."""
    key = hashlib.sha256(repr((shape, threads, blocks)).encode()).hexdigest()[:16]
    return f"rows_{MODES[mode]}_{STORED[dtype]}_{key}"


def row_kernels(
    shape: GroupShape, wanted: Sequence[tuple[int, str]], threads: int, blocks: int
) -> tuple[str, list[str]]:
    """The text and the names of a shape's kernels, of these modes and types of state."""
    packs = " ".join(f"DO({k}, {len(pack)})" for k, pack in enumerate(shape.packs))
    lines = " ".join(f"DO({k})" for k in range(len(shape.entries)))
    sizes = {
        "THREADS": threads, "BOUNDS": f"__launch_bounds__({threads}, {blocks})",
        "NUM_LINES": len(shape.entries), "NUM_FACTORS": shape.num_factors,
        "OPP_ROWS": shape.num_rows[0], "OWN_ROWS": shape.num_rows[1],
        "OPP_NODES": len(shape.opponent), "OWN_NODES": len(shape.own),
        "FOR_LINES(DO)": lines, "FOR_PACKS(DO)": packs,
    }  # fmt: skip
    text = row_head() + "".join(f"#define {name} {value}\n" for name, value in sizes.items())
    text += exact_source("lines.h") + source("told.h")
    frame, theirs, names = source("rivers.cu"), opponent(shape), []
    for mode, dtype in wanted:
        names.append(row_kernel_name(shape, mode, dtype, threads, blocks))
        text += f"#define KERNEL {names[-1]}\n#define MODE {MODES[mode].upper()}\n"
        text += f"#define STORED {STORED[dtype]}\n"
        text += exact.included(frame, {"opponent": theirs, "own": own(shape, mode)})
    return text, names


def row_floats(
    shape: GroupShape, opp_live: int, num_chunks: int, pads: tuple[int, int], num_rows: int,
    threads: int,
) -> int:  # fmt: skip
    """Shared memory of a block, as `rivers.cu` cuts it; `pads` are the opponent's and the own."""
    widths, num_lines, warps = (
        [len(pack) for pack in shape.packs],
        len(shape.entries),
        threads // 32,
    )
    nodes, told = len(shape.opponent) + len(shape.own), shape.num_rows[1] + len(shape.own)
    size = 4 + 8 * MOST_BATCH + num_lines * pads[1]
    size += rounded(shape.num_factors + 3 * num_lines + 3 * nodes + len(shape.own))
    size += rounded(sum(shape.num_rows) * num_rows) + rounded(told * num_rows)
    size += rounded(warps * (told + 1)) + rounded(warps * (told * SAY_PITCH + 16))
    size += rounded((LIST_HEAD + 4 * num_chunks + opp_live + 1) // 2)
    size += sum(rounded(width * (opp_live + 2)) for width in widths)
    return size + max(num_lines * pads[0], sum(widths) * (4 * num_chunks + 52))
