"""Sixteen hands through a group of river lines: down to its terminals, and up from them.

What a node has for these hands stands in a *slot*: sixteen numbers of the group's scratch, few
enough that all of a group stay in the first cache. What there is to do is read from programs, see
`Program`; indices are flat.
"""

from llvmlite import ir
from numba import types

from poker_solver.kernels.postflop import LANES, OPPONENT
from poker_solver.kernels.postflop.cpu.simd.blocks import F, N, write_learned, write_policy
from poker_solver.kernels.postflop.cpu.simd.vectors import (
    INT32,
    Code,
    Strided,
    T,
    Typed,
    Value,
    Values,
    emitted,
    intrinsic,
)
from poker_solver.kernels.regret import Weights


def _step(code: Code, steps: Value, k: Value, size: int) -> list[Value]:
    """The numbers of a program's step."""
    first = code.times(k, size)
    return [code.entry(steps, code.plus(first, c)) for c in range(size)]


@intrinsic
def enter(
    typing: object, entries: T, first: T, last: T, share: T, live: T, i: T, above: T,
    width: T, h: T, reach: T,
) -> Typed:  # fmt: skip
    """reach[slot] = share * live[i] * above[deal * width + h] where lines begin."""

    def write(code: Code, arguments: Values) -> None:
        entries, first, last, share, live, i, above, width, h, reach = arguments
        builder = code.builder
        alive = builder.fmul(code.broadcast(share), code.load(live, i))
        with code.loop(first, last) as k:
            deal, slot = _step(code, entries, k, 2)
            value = builder.fmul(alive, code.load(above, code.step(h, width, deal)))
            code.store(value, reach, slot)

    return emitted(types.void(entries, N, N, F, live, N, above, N, N, reach), write)


@intrinsic
def leave(
    typing: object, entries: T, first: T, last: T, live: T, i: T, cfv: T, moved: T,
    begin: T, width: T,
) -> Typed:  # fmt: skip
    """moved[begin + deal * width] += live[i] * cfv[slot] where lines begin."""

    def write(code: Code, arguments: Values) -> None:
        entries, first, last, live, i, cfv, moved, begin, width = arguments
        builder = code.builder
        alive = code.load(live, i)
        with code.loop(first, last) as k:
            deal, slot = _step(code, entries, k, 2)
            place = code.step(begin, width, deal)
            more = builder.fmul(alive, code.load(cfv, slot))
            code.store(builder.fadd(code.load(moved, place), more), moved, place)

    return emitted(types.void(entries, N, N, live, N, cfv, moved, N, N), write)


@intrinsic
def play_down(
    typing: object, steps: T, first: T, last: T, stored: T, base: T, width: T, reach: T
) -> Typed:
    """reach[below] = reach[slot] * policy of the action that leads there, decision by decision."""

    def write(code: Code, arguments: Values) -> None:
        steps, first, last, stored, base, width, reach = arguments
        builder = code.builder
        pitch = code.number(LANES)
        with code.loop(first, last) as k:
            count, offset, slot, below = _step(code, steps, k, 4)
            here, s = code.load(reach, slot), builder.add(base, offset)
            rows, out = Strided(stored, s, width), Strided(reach, below, pitch)
            code.by_count(count, lambda c: write_policy(code, c, rows, here, out))

    return emitted(types.void(steps, N, N, stored, N, N, reach), write)


@intrinsic
def match_down(
    typing: object, steps: T, first: T, last: T, stored: T, base: T, width: T, policy: T
) -> Typed:
    """policy[below] = policy of the action that leads there, at every decision."""

    def write(code: Code, arguments: Values) -> None:
        steps, first, last, stored, base, width, policy = arguments
        builder = code.builder
        pitch, one = code.number(LANES), code.constant(1.0)
        with code.loop(first, last) as k:
            count, offset, _, below = _step(code, steps, k, 4)
            s = builder.add(base, offset)
            rows, out = Strided(stored, s, width), Strided(policy, below, pitch)
            code.by_count(count, lambda c: write_policy(code, c, rows, one, out))

    return emitted(types.void(steps, N, N, stored, N, N, policy), write)


def _walk_up(
    code: Code, steps: Value, first: Value, last: Value, cfv: Value, decide: Value
) -> None:
    """cfv[slot] = sum over actions where the opponent acts; decide(...) where the player does."""
    builder, pitch = code.builder, code.number(LANES)
    with code.loop(first, last) as k:
        count, offset, slot, below, own = _step(code, steps, k, 5)
        theirs, mine, end = (builder.append_basic_block(n) for n in ("theirs", "mine", "decided"))
        limit = code.number(OPPONENT)
        builder.cbranch(builder.icmp_signed(">=", count, limit), theirs, mine)
        builder.position_at_end(theirs)

        def add(c: Value) -> None:
            values = code.rows(Strided(cfv, below, pitch), c)
            code.store(code.reduce(c, values, builder.fadd), cfv, slot)

        code.by_count(builder.sub(count, limit), add)
        builder.branch(end)
        builder.position_at_end(mine)
        code.by_count(count, lambda c: decide(c, offset, slot, below, own))
        builder.branch(end)
        builder.position_at_end(end)


@intrinsic
def learn_up(
    typing: object, steps: T, first: T, last: T, regret: T, r: T, policy_sum: T, s: T,
    width: T, cfv: T, own: T, positive: T, negative: T, policy: T,
) -> Typed:  # fmt: skip
    """From the cfv of terminals to that of every decision, learning at the player's."""

    def write(code: Code, arguments: Values) -> None:
        steps, first, last, regret, r, policy_sum, s, width, cfv, own = arguments[:10]
        builder = code.builder
        weights = Weights(*(code.broadcast(number) for number in arguments[10:]))

        def decide(count: Value, offset: Value, slot: Value, below: Value, own_slot: Value) -> None:
            old = Strided(regret, builder.add(r, offset), width)
            sums = Strided(policy_sum, builder.add(s, offset), width)
            values = Strided(cfv, below, code.number(LANES))
            reach = code.load(own, own_slot)
            write_learned(code, count, old, sums, values, slot, reach, weights)

        _walk_up(code, steps, first, last, cfv, decide)

    given = (steps, N, N, regret, N, policy_sum, N, N, cfv, own, F, F, F)
    return emitted(types.void(*given), write)


def _make_look_up(value: Value) -> Value:
    """Like `learn_up` without learning: the player's decisions are worth value(...)."""

    @intrinsic
    def look_up(typing: object, steps: T, first: T, last: T, cfv: T, policy: T) -> Typed:
        def write(code: Code, arguments: Values) -> None:
            steps, first, last, cfv, policy = arguments

            def decide(
                count: Value, offset: Value, slot: Value, below: Value, own_slot: Value
            ) -> None:
                pitch = code.number(LANES)
                values = code.rows(Strided(cfv, below, pitch), count)
                played = code.rows(Strided(policy, below, pitch), count)
                code.store(value(code, count, values, played), cfv, slot)

            _walk_up(code, steps, first, last, cfv, decide)

        return emitted(types.void(steps, N, N, cfv, policy), write)

    return look_up


def _best(code: Code, count: Value, values: Value, played: Value) -> Value:
    return code.reduce(count, values, code.larger)


def _mixed(code: Code, count: Value, values: Value, played: Value) -> Value:
    builder = code.builder
    return code.reduce(count, lambda a: builder.fmul(played(a), values(a)), builder.fadd)


best_up, mix_up = _make_look_up(_best), _make_look_up(_mixed)


@intrinsic
def fetch(typing: object, array: T, first: T, last: T) -> Typed:
    """Ask for the cache lines of array[first:last], flat; any indices will do."""

    def write(code: Code, arguments: Values) -> None:
        array, first, last = arguments
        builder = code.builder
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, INT32, INT32, INT32])
        name = "llvm.prefetch.p0i8"
        call = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        per_line = 64 // (
            code.place(array, first).type.pointee.get_abi_size(code.context.target_data)
        )
        count = builder.sdiv(builder.sub(last, first), code.number(per_line))
        with code.loop(code.number(0), count) as k:
            place = code.place(array, builder.add(first, code.times(k, per_line)))
            read, into_second_cache, data = INT32(0), INT32(2), INT32(1)
            builder.call(call, [builder.bitcast(place, byte), read, into_second_cache, data])

    return emitted(types.void(array, N, N), write)
