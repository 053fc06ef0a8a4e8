"""CUDA C++ for one shape of river groups, every decision written out.

`lines.cu` is the frame of the kernel; this module writes the statements that it includes, and the
sizes that it is defined by. A name says what it holds and of which row, line or decision:

    reach_in_0    the opponent's reach where line 0 begins, own_in_0 the player's
    reach_after_2 the opponent's reach after his action of row 2, own_after_2 the player's
    policy_2      how often the action of row 2 is played
    won_after_2   opponents beaten less those that win, where his reach is reach_after_2
    met_after_2   opponents met, likewise
    cfv_2         what the own action of row 2 is worth
    value_1       what the own decision 1 is worth
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import count

from poker_solver.kernels.postflop import BEST, RECORD
from poker_solver.kernels.postflop.cuda.shape import Block, Decision, GroupShape, OwnDecision, Terms
from poker_solver.kernels.postflop.cuda.sources import head, source
from poker_solver.kernels.postflop.cuda.structs import LEARN16, LEARNING, MODES

Text = list[str]  # statements


def match(stored: str, decision: Decision | OwnDecision) -> Text:
    """From stored rows to a policy: clipped and normalised, uniform where nothing is left."""
    first, rows = decision.rows[0], decision.rows
    total = " + ".join(f"clipped({stored}[{row}])" for row in rows)
    return [
        f"float total_{first} = {total};",
        f"float scale_{first} = total_{first} > TINY ? inverse(total_{first}) : 0.0f;",
        f"float even_{first} = total_{first} > TINY ? 0.0f : 1.0f / {len(rows)};",
        *(
            f"float policy_{row} = clipped({stored}[{row}]) * scale_{first} + even_{first};"
            for row in rows
        ),
    ]


def split_reach(whose: str, decision: Decision | OwnDecision, num_lines: int) -> Text:
    """Reach after each action of a decision."""
    here = reach_name(whose, decision.reach, num_lines)
    return [f"float {whose}_after_{row} = {here} * policy_{row};" for row in decision.rows]


def look(shape: GroupShape) -> Text:
    """What a hand finds at the opponent's rows: at those shown by sums, at others by the rest."""
    num_lines, text = len(shape.entries), Text()
    for k, pack in enumerate(shape.packs):
        for lane, row in enumerate(pack):
            for what in ("won", "met") if row is not None else ():
                name = reach_name(what, row or 0, num_lines)
                text.append(f"const float {name} = found_{k}.{what}.at[{lane}];")
    for row, plus, minus in shape.rests:
        some = " + ".join(reach_name("met", r, num_lines) for r in plus)
        less = "".join(f" - {reach_name('met', r, num_lines)}" for r in minus)
        text.append(f"float {reach_name('met', row, num_lines)} = {some}{less};")
    return text


def mix(decision: OwnDecision) -> str:
    """The value of a decision under its policy."""
    return " + ".join(f"policy_{row} * cfv_{row}" for row in decision.rows)


def learn(decision: OwnDecision, number: int, mode: int, num_lines: int) -> Text:
    """New sums and regrets of a decision; regrets of 16 bits wait for the largest of all."""
    reach, text = reach_name("own", decision.reach, num_lines), Text()
    for row in decision.rows:
        summed = f"summed(my.sum[{row}], policy, {reach}, policy_{row})"
        text.append(f"__stcs(&sum[{row} * own_pitch + here], {summed});")
    factors = "positive, negative"
    if mode == LEARN16:
        factors = f"fade[{2 * number}], fade[{2 * number + 1}]"
    for row in decision.rows:
        regret = f"learned(my.regret[{row}], {factors}, cfv_{row}, value_{number})"
        if mode == LEARN16:
            text.append(f"fresh[{row} * own_pitch + here] = {regret};")
        else:
            text.append(f"__stcs(&regret[{row} * own_pitch + here], {regret});")
    return text


def best(decision: OwnDecision, number: int, has_locks: bool) -> str:
    """The value of a decision where every hand that is free does what is best for it."""
    most = _nested("fmaxf", decision)
    if has_locks:
        locked = f"locked[{decision.rows[0]} * own_pitch + here]"
        most = f"{locked} ? {mix(decision)} : {most}"
    return f"float value_{number} = {most};"


def record(decision: OwnDecision, number: int) -> Text:
    """1 at the first action that is best, 0 at the others; all 0 where all are as good."""
    most, is_open = f"most_{number}", f"open_{number}"
    text = [
        f"float {most} = {_nested('fmaxf', decision)};",
        f"bool {is_open} = {most} > {_nested('fminf', decision)};",
    ]
    for row in decision.rows:
        played = f"{is_open} && cfv_{row} == {most}"
        text.append(f"regret[{row} * own_pitch + here] = {played} ? 1.0f : 0.0f;")
        text.append(f"{is_open} = {is_open} && cfv_{row} != {most};")
    return text


def opponent(shape: GroupShape) -> Text:
    """One of his hands: from stored rows to his reach after each action, and into the packs."""
    num_lines, text = len(shape.entries), Text()
    if shape.opponent:
        rows = (f"(float)stored[{row} * opp_pitch + j]" for row in range(shape.num_rows[0]))
        text.append(f"const float theirs_stored[] = {{{', '.join(rows)}}};")
    for line in range(num_lines):
        text.append(f"float reach_in_{line} = p.share * theirs[{line} * p.opp_pad + hand];")
    for decision in shape.opponent:
        text += match("theirs_stored", decision)
        text += split_reach("reach", decision, num_lines)
    return text + fill_packs(shape)


def fill_packs(shape: GroupShape) -> Text:
    """One of the opponent's hands: its reach at the rows that are shown, into the packs."""
    num_lines, text = len(shape.entries), Text()
    for k, pack in enumerate(shape.packs):
        width, row = len(pack), f"row_{k}"
        names = ["0.0f" if r is None else reach_name("reach", r, num_lines) for r in pack]
        put = " ".join(f"{row}.at[{lane}] = {name};" for lane, name in enumerate(names))
        text.append(f"Row<{width}> {row}; {put} store<{width}>(pack_{k} + j * {4 * width}, {row});")
    return text


def own(shape: GroupShape, mode: int) -> Text:
    """One own hand: reach down, values up, and what is learned."""
    num_lines, factor = len(shape.entries), count()
    text = look(shape)
    plays = mode not in (BEST, RECORD) or shape.has_locks
    for decision in shape.own if plays else ():
        text += match("my.regret" if mode in LEARNING else "my.sum", decision)
    if mode in LEARNING:
        for k, line in enumerate(shape.own_lines):
            text.append(f"float own_in_{line} = ours[{k} * p.own_pad + my.hand];")
        for decision in shape.own:
            text += split_reach("own", decision, num_lines)
    for number, decision in reversed(list(enumerate(shape.own))):
        for row, terms in zip(decision.rows, decision.actions, strict=True):
            text.append(f"float cfv_{row} = {value_sum(terms, factor, num_lines)};")
        if mode in (BEST, RECORD):
            text += record(decision, number) if mode == RECORD else []
            text.append(best(decision, number, shape.has_locks))
            continue
        text.append(f"float value_{number} = {mix(decision)};")
        text += learn(decision, number, mode, num_lines) if mode in LEARNING else []
    for line, terms in enumerate(shape.entries):
        value = value_sum(terms, factor, num_lines)
        text.append(f"found[{line} * p.own_pad + my.hand] += {value};")
    return text


def statements(shape: GroupShape, mode: int) -> str:
    """What is written for a shape and a mode, without the frame around it."""
    parts = {"one of the opponent's hands": opponent(shape), "one own hand": own(shape, mode)}
    return "".join(f"// {name}\n" + "\n".join(text) + "\n" for name, text in parts.items())


@lru_cache(maxsize=1024)
def key(shape: GroupShape, block: Block) -> str:
    """What the names of its kernels end in, which stand for everything about them."""
    return hashlib.sha256(repr((shape, *block)).encode()).hexdigest()[:16]


def kernel_names(shape: GroupShape, modes: Sequence[int], block: Block) -> list[str]:
    """Those of `kernels`, in the order of modes."""
    return [f"{MODES[mode]}_{key(shape, block)}" for mode in modes]


@lru_cache(maxsize=256)
def kernels(shape: GroupShape, modes: tuple[int, ...], block: Block) -> str:
    """The text of a shape's kernels for some kind of block."""
    packs = " ".join(f"DO({k}, {len(pack)})" for k, pack in enumerate(shape.packs))
    decisions = [f"DO({d}, {o.rows[0]}, {len(o.rows)})" for d, o in enumerate(shape.own)]
    sizes = {
        "THREADS": block.threads,
        "BOUNDS": f"__launch_bounds__({block.threads}, {block.per_processor})",
        "MAY_BE_WIDE": int(block.may_be_wide),
        "NUM_LINES": len(shape.entries), "NUM_OWN_LINES": len(shape.own_lines),
        "NUM_FACTORS": shape.num_factors,
        "OPP_ROWS": shape.num_rows[0], "OWN_ROWS": shape.num_rows[1], "OWN_NODES": len(shape.own),
        "HAS_LOCKS": int(shape.has_locks), "FOR_LINES(DO)": _do(len(shape.entries)),
        "FOR_OWN_LINES(DO)": " ".join(f"DO({k}, {e})" for k, e in enumerate(shape.own_lines)),
        "FOR_OWN_ROWS(DO)": _do(shape.num_rows[1]), "FOR_PACKS(DO)": packs,
        "FOR_DECISIONS(DO)": " ".join(decisions),
    }  # fmt: skip
    text = head() + "".join(f"#define {name} {value}\n" for name, value in sizes.items())
    text += source("lines.h")
    frame, theirs = source("lines.cu"), opponent(shape)
    for mode, name in zip(modes, kernel_names(shape, modes, block), strict=True):
        text += f"#define KERNEL {name}\n#define MODE {MODES[mode].upper()}\n"
        text += included(frame, {"opponent": theirs, "own": own(shape, mode)})
    return text


def included(frame: str, parts: dict[str, Text]) -> str:
    """The frame with statements where it includes them."""
    for name, statements in parts.items():
        before, hook, after = frame.partition(f'            #include "{name}"\n')
        assert hook, f"{name} is not included"
        frame = before + "".join(f"            {line}\n" for line in statements) + after
    return frame


def _do(count: int) -> str:
    return " ".join(f"DO({k})" for k in range(count))


def reach_name(what: str, row: int, num_lines: int) -> str:
    """The name of something at a row of reach."""
    return f"{what}_in_{row}" if row < num_lines else f"{what}_after_{row - num_lines}"


def value_sum(terms: Terms, factor: Iterator[int], num_lines: int) -> str:
    """A value as an expression."""
    parts = (
        f"value_{key}" if source == "value"
        else f"factor[{next(factor)}] * {reach_name(source, key, num_lines)}"
        for source, key in terms
    )  # fmt: skip
    return " + ".join(parts)


def _nested(function: str, decision: OwnDecision) -> str:
    """The most or the least of what the actions are worth."""
    return reduce(lambda a, b: f"{function}({a}, {b})", [f"cfv_{row}" for row in decision.rows])
