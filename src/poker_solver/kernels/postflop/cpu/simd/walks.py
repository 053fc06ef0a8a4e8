"""Sixteen hands through a group of river lines: down to its terminals, and up from them.

What a node has for these hands stands in a *slot*: sixteen numbers of the group's scratch, few
enough that all of a group stay in the first cache. What there is to do is read from programs, see
`Program`; indices are flat.
"""

from typing import Any

from llvmlite import ir
from numba import types

from poker_solver.kernels.postflop import LANES, OPPONENT
from poker_solver.kernels.postflop.cpu.simd.blocks import F, N, write_learned, write_policy
from poker_solver.kernels.postflop.cpu.simd.vectors import INT32, Code, intrinsic


def _step(code: Code, steps: Any, k: Any, size: int) -> list[Any]:
    """The numbers of a program's step."""
    first = code.times(k, size)
    return [code.entry(steps, code.plus(first, c)) for c in range(size)]


@intrinsic
def enter(
    typing: Any, entries: Any, first: Any, last: Any, share: Any, live: Any, i: Any, above: Any,
    width: Any, h: Any, reach: Any,
) -> Any:  # fmt: skip
    """reach[slot] = share * live[i] * above[deal * width + h] where lines begin."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        entries, first, last, share, live, i, above, width, h, reach = arguments
        code = Code(context, builder, signature, arguments)
        alive = builder.fmul(code.spread(share), code.load(live, i))
        with code.loop(first, last) as k:
            deal, slot = _step(code, entries, k, 2)
            value = builder.fmul(alive, code.load(above, code.step(h, width, deal)))
            code.store(value, reach, slot)
        return context.get_dummy_value()

    return types.void(entries, N, N, F, live, N, above, N, N, reach), generate


@intrinsic
def leave(
    typing: Any, entries: Any, first: Any, last: Any, live: Any, i: Any, cfv: Any, moved: Any,
    begin: Any, width: Any,
) -> Any:  # fmt: skip
    """moved[begin + deal * width] += live[i] * cfv[slot] where lines begin."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        entries, first, last, live, i, cfv, moved, begin, width = arguments
        code = Code(context, builder, signature, arguments)
        alive = code.load(live, i)
        with code.loop(first, last) as k:
            deal, slot = _step(code, entries, k, 2)
            place = code.step(begin, width, deal)
            more = builder.fmul(alive, code.load(cfv, slot))
            code.store(builder.fadd(code.load(moved, place), more), moved, place)
        return context.get_dummy_value()

    return types.void(entries, N, N, live, N, cfv, moved, N, N), generate


@intrinsic
def play_down(
    typing: Any, steps: Any, first: Any, last: Any, stored: Any, base: Any, width: Any, reach: Any
) -> Any:
    """reach[below] = reach[slot] * policy of the action that leads there, decision by decision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        steps, first, last, stored, base, width, reach = arguments
        code = Code(context, builder, signature, arguments)
        pitch = code.number(LANES)
        with code.loop(first, last) as k:
            count, offset, slot, below = _step(code, steps, k, 4)
            here, s = code.load(reach, slot), builder.add(base, offset)
            code.by_count(
                count,
                lambda c: write_policy(code, stored, s, width, c, here, reach, below, pitch),
            )
        return context.get_dummy_value()

    return types.void(steps, N, N, stored, N, N, reach), generate


@intrinsic
def match_down(
    typing: Any, steps: Any, first: Any, last: Any, stored: Any, base: Any, width: Any, policy: Any
) -> Any:
    """policy[below] = policy of the action that leads there, at every decision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        steps, first, last, stored, base, width, policy = arguments
        code = Code(context, builder, signature, arguments)
        pitch, one = code.number(LANES), code.constant(1.0)
        with code.loop(first, last) as k:
            count, offset, _, below = _step(code, steps, k, 4)
            s = builder.add(base, offset)
            code.by_count(
                count,
                lambda c: write_policy(code, stored, s, width, c, one, policy, below, pitch),
            )
        return context.get_dummy_value()

    return types.void(steps, N, N, stored, N, N, policy), generate


def _walk_up(code: Code, steps: Any, first: Any, last: Any, cfv: Any, decide: Any) -> None:
    """cfv[slot] = sum over actions where the opponent acts; decide(...) where the player does."""
    builder, pitch = code.builder, code.number(LANES)
    with code.loop(first, last) as k:
        count, offset, slot, below, own = _step(code, steps, k, 5)
        theirs, mine, end = (builder.append_basic_block(n) for n in ("theirs", "mine", "decided"))
        limit = code.number(OPPONENT)
        builder.cbranch(builder.icmp_signed(">=", count, limit), theirs, mine)
        builder.position_at_end(theirs)

        def add(c: Any) -> None:
            values = code.rows(cfv, below, pitch, c)
            code.store(code.reduce(c, values, builder.fadd), cfv, slot)

        code.by_count(builder.sub(count, limit), add)
        builder.branch(end)
        builder.position_at_end(mine)
        code.by_count(count, lambda c: decide(c, offset, slot, below, own))
        builder.branch(end)
        builder.position_at_end(end)


@intrinsic
def learn_up(
    typing: Any, steps: Any, first: Any, last: Any, regret: Any, r: Any, policy_sum: Any, s: Any,
    width: Any, cfv: Any, own: Any, positive: Any, negative: Any, keep: Any,
) -> Any:  # fmt: skip
    """From the cfv of terminals to that of every decision, learning at the player's."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        steps, first, last, regret, r, policy_sum, s, width, cfv, own = arguments[:10]
        code = Code(context, builder, signature, arguments)
        up, down, keep = (code.spread(number) for number in arguments[10:])

        def decide(count: Any, offset: Any, slot: Any, below: Any, own_slot: Any) -> None:
            write_learned(
                code, regret, builder.add(r, offset), policy_sum, builder.add(s, offset), width,
                count, cfv, slot, below, code.number(LANES), code.load(own, own_slot),
                (up, down, keep),
            )  # fmt: skip

        _walk_up(code, steps, first, last, cfv, decide)
        return context.get_dummy_value()

    given = (steps, N, N, regret, N, policy_sum, N, N, cfv, own, F, F, F)
    return types.void(*given), generate


def _make_look_up(value: Any) -> Any:
    """Like `learn_up` without learning: the player's decisions are worth value(...)."""

    @intrinsic
    def look_up(typing: Any, steps: Any, first: Any, last: Any, cfv: Any, policy: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            steps, first, last, cfv, policy = arguments
            code = Code(context, builder, signature, arguments)

            def decide(count: Any, offset: Any, slot: Any, below: Any, own_slot: Any) -> None:
                pitch = code.number(LANES)
                values = code.rows(cfv, below, pitch, count)
                played = code.rows(policy, below, pitch, count)
                code.store(value(code, count, values, played), cfv, slot)

            _walk_up(code, steps, first, last, cfv, decide)
            return context.get_dummy_value()

        return types.void(steps, N, N, cfv, policy), generate

    return look_up


def _best(code: Code, count: Any, values: Any, played: Any) -> Any:
    return code.reduce(count, values, code.larger)


def _mixed(code: Code, count: Any, values: Any, played: Any) -> Any:
    builder = code.builder
    return code.reduce(count, lambda a: builder.fmul(played(a), values(a)), builder.fadd)


best_up, mix_up = _make_look_up(_best), _make_look_up(_mixed)


@intrinsic
def fetch(typing: Any, array: Any, first: Any, last: Any) -> Any:
    """Ask for the cache lines of array[first:last], flat; any indices will do."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, first, last = arguments
        code = Code(context, builder, signature, arguments)
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, INT32, INT32, INT32])
        name = "llvm.prefetch.p0i8"
        call = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        per_line = 64 // (code.place(array, first).type.pointee.get_abi_size(context.target_data))
        count = builder.sdiv(builder.sub(last, first), code.number(per_line))
        with code.loop(code.number(0), count) as k:
            place = code.place(array, builder.add(first, code.times(k, per_line)))
            read, into_second_cache, data = INT32(0), INT32(2), INT32(1)
            builder.call(call, [builder.bitcast(place, byte), read, into_second_cache, data])
        return context.get_dummy_value()

    return types.void(array, N, N), generate
