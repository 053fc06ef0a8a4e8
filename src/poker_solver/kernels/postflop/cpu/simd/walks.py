"""Sixteen hands through a group of river lines: down to its terminals, and up from them.

What a node has for these hands stands in a *slot*: sixteen numbers of the group's scratch, few
enough that all of a group stay in the first cache. What there is to do is read from programs, see
`Program`; indices are flat.
"""

from llvmlite import ir

from poker_solver.kernels.postflop import LANES, OPPONENT
from poker_solver.kernels.postflop.cpu.simd.blocks import write_learned, write_policy
from poker_solver.kernels.postflop.cpu.simd.vectors import INT32, Code, Strided, Value, vector_code
from poker_solver.kernels.regret import Weights


def program_step(code: Code, steps: Value, k: Value, size: int) -> list[Value]:
    """The numbers of a program's step."""
    first = code.times(k, size)
    return [code.entry(steps, code.plus(first, c)) for c in range(size)]


@vector_code
def enter(
    code: Code, entries: Value, first: Value, last: Value, share: Value, live: Value, i: Value,
    above: Value, width: Value, h: Value, reach: Value,
) -> None:  # fmt: skip
    """reach[slot] = share * live[i] * above[deal * width + h] where lines begin."""
    builder = code.builder
    alive = builder.fmul(code.broadcast(share), code.load(live, i))
    with code.loop(first, last) as k:
        deal, slot = program_step(code, entries, k, 2)
        value = builder.fmul(alive, code.load(above, code.step(h, width, deal)))
        code.store(value, reach, slot)


@vector_code
def leave(
    code: Code, entries: Value, first: Value, last: Value, live: Value, i: Value, cfv: Value,
    moved: Value, begin: Value, width: Value,
) -> None:  # fmt: skip
    """moved[begin + deal * width] += live[i] * cfv[slot] where lines begin."""
    builder = code.builder
    alive = code.load(live, i)
    with code.loop(first, last) as k:
        deal, slot = program_step(code, entries, k, 2)
        place = code.step(begin, width, deal)
        more = builder.fmul(alive, code.load(cfv, slot))
        code.store(builder.fadd(code.load(moved, place), more), moved, place)


@vector_code
def play_down(
    code: Code, steps: Value, first: Value, last: Value, stored: Value, base: Value, width: Value,
    reach: Value,
) -> None:  # fmt: skip
    """reach[below] = reach[slot] * policy of the action that leads there, decision by decision."""
    builder = code.builder
    pitch = code.number(LANES)
    with code.loop(first, last) as k:
        count, offset, slot, below = program_step(code, steps, k, 4)
        here, s = code.load(reach, slot), builder.add(base, offset)
        rows, out = Strided(stored, s, width), Strided(reach, below, pitch)
        code.by_count(count, lambda c: write_policy(code, c, rows, here, out))


@vector_code
def match_down(
    code: Code, steps: Value, first: Value, last: Value, stored: Value, base: Value, width: Value,
    policy: Value,
) -> None:  # fmt: skip
    """policy[below] = policy of the action that leads there, at every decision."""
    builder = code.builder
    pitch, one = code.number(LANES), code.constant(1.0)
    with code.loop(first, last) as k:
        count, offset, _, below = program_step(code, steps, k, 4)
        s = builder.add(base, offset)
        rows, out = Strided(stored, s, width), Strided(policy, below, pitch)
        code.by_count(count, lambda c: write_policy(code, c, rows, one, out))


@vector_code
def find_rests(code: Code, steps: Value, first: Value, last: Value, met: Value) -> None:
    """Opponents met where they cannot show hands, from those met before or after an action."""
    builder, pitch = code.builder, code.number(LANES)
    with code.loop(first, last) as k:
        count, slot, before, others = program_step(code, steps, k, 4)
        total = code.variable(code.zero)

        def add(c: Value) -> None:
            builder.store(
                code.reduce(c, code.rows(Strided(met, others, pitch), c), builder.fadd), total
            )

        code.by_count(count, add)
        with builder.if_else(builder.icmp_signed("<", before, code.number(0))) as (is_sum, is_rest):
            with is_sum:
                code.store(builder.load(total), met, slot)
            with is_rest:
                rest = builder.fsub(code.load(met, before), builder.load(total))
                code.store(rest, met, slot)


@vector_code
def pay_folds(
    code: Code, steps: Value, first: Value, last: Value, payoff: Value, met: Value, cfv: Value
) -> None:
    """cfv[slot] = payoff * opponents met, at every fold."""
    builder = code.builder
    with code.loop(first, last) as k:
        slot, source, place = program_step(code, steps, k, 3)
        chips = code.broadcast(builder.load(code.place(payoff, place)))
        code.store(builder.fmul(chips, code.load(met, source)), cfv, slot)


def walk_up(code: Code, steps: Value, first: Value, last: Value, cfv: Value, decide: Value) -> None:
    """cfv[slot] = sum over actions where the opponent acts; decide(...) where the player does."""
    builder, pitch = code.builder, code.number(LANES)
    with code.loop(first, last) as k:
        count, offset, slot, below, own = program_step(code, steps, k, 5)
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


@vector_code
def learn_up(
    code: Code, steps: Value, first: Value, last: Value, regret: Value, r: Value,
    policy_sum: Value, s: Value, width: Value, cfv: Value, own: Value, weights: Value,
) -> None:  # fmt: skip
    """From the cfv of terminals to that of every decision, learning at the player's."""
    builder = code.builder
    factors = Weights(*code.spread(weights, 3))

    def decide(count: Value, offset: Value, slot: Value, below: Value, own_slot: Value) -> None:
        old = Strided(regret, builder.add(r, offset), width)
        sums = Strided(policy_sum, builder.add(s, offset), width)
        values = Strided(cfv, below, code.number(LANES))
        reach = code.load(own, own_slot)
        write_learned(code, count, old, sums, values, slot, reach, factors)

    walk_up(code, steps, first, last, cfv, decide)


def _make_look_up(value: Value) -> Value:
    """Like `learn_up` without learning: the player's decisions are worth value(...)."""

    @vector_code
    def look_up(
        code: Code, steps: Value, first: Value, last: Value, cfv: Value, policy: Value
    ) -> None:
        def decide(count: Value, offset: Value, slot: Value, below: Value, own_slot: Value) -> None:
            pitch = code.number(LANES)
            values = code.rows(Strided(cfv, below, pitch), count)
            played = code.rows(Strided(policy, below, pitch), count)
            code.store(value(code, count, values, played), cfv, slot)

        walk_up(code, steps, first, last, cfv, decide)

    return look_up


def _best(code: Code, count: Value, values: Value, played: Value) -> Value:
    return code.reduce(count, values, code.larger)


def _mixed(code: Code, count: Value, values: Value, played: Value) -> Value:
    builder = code.builder
    return code.reduce(count, lambda a: builder.fmul(played(a), values(a)), builder.fadd)


best_up, mix_up = _make_look_up(_best), _make_look_up(_mixed)


@vector_code
def fetch(code: Code, array: Value, first: Value, last: Value) -> None:
    """Ask for the cache lines of array[first:last], flat; any indices will do."""
    builder = code.builder
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, INT32, INT32, INT32])
    name = "llvm.prefetch.p0i8"
    call = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    per_line = 64 // code.place(array, first).type.pointee.get_abi_size(code.context.target_data)
    count = builder.sdiv(builder.sub(last, first), code.number(per_line))
    with code.loop(code.number(0), count) as k:
        place = code.place(array, builder.add(first, code.times(k, per_line)))
        read, into_second_cache, data = INT32(0), INT32(2), INT32(1)
        builder.call(call, [builder.bitcast(place, byte), read, into_second_cache, data])
