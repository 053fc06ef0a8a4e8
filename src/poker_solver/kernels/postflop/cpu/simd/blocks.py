"""Sixteen hands at once at a decision, as vector code.

Two things keep a plain loop over hands from becoming such code: with so many rows the compiler
gives up proving that none overlap, and a decision would be walked several times, action by action.
This is where the postflop kernels of the CPU match and update regrets, see `kernels.regret`.
Indices are flat; `width` lies between the actions of stored state, `pitch` between rows.
"""

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.vectors import (
    INT32,
    Code,
    Numbers,
    Strided,
    Value,
    vector_code,
)
from poker_solver.kernels.regret import Weights


def write_policy(code: Code, count: Value, stored: Numbers, here: Value, out: Strided) -> None:
    """Set `out` of action a to here * policy of a: stored clipped and normalised, or even."""
    builder, numbers = code.builder, code.rows(stored, count)
    total = code.reduce(count, lambda a: code.clip(numbers(a)), builder.fadd)
    is_known, share = code.is_known(total), builder.fdiv(here, total)
    even = builder.fmul(here, code.share(count))

    def write(a: Value) -> None:
        part = builder.fmul(code.clip(numbers(a)), share)
        code.put(builder.select(is_known, part, even), out, a)

    code.each(count, write)


def write_learned(
    code: Code, count: Value, regret: Strided, policy_sum: Strided, cfv: Strided, node: Value,
    reach: Value, weights: Weights,
) -> None:  # fmt: skip
    """cfv[node] = mix of the actions' cfv; new regrets and sums, see `kernels.regret`.

    All loads come before any store: regrets and sums of a hand lie at one offset of their pages,
    and a load that looks like a store just made waits for it.
    """
    builder = code.builder
    regrets, sums, values = (code.rows(rows, count) for rows in (regret, policy_sum, cfv))
    total = code.reduce(count, lambda a: code.clip(regrets(a)), builder.fadd)
    is_known, share = code.is_known(total), builder.fdiv(code.constant(1.0), total)
    even = code.share(count)

    def played(old: Value) -> Value:
        return builder.select(is_known, builder.fmul(code.clip(old), share), even)

    value = code.reduce(count, lambda a: builder.fmul(values(a), played(regrets(a))), builder.fadd)

    def write(a: Value) -> None:
        old = regrets(a)
        fade = builder.select(code.is_positive(old), weights.positive, weights.negative)
        new = builder.fadd(builder.fmul(old, fade), builder.fsub(values(a), value))
        kept, added = builder.fmul(sums(a), weights.policy), builder.fmul(reach, played(old))
        code.put(new, regret, a)
        code.put(builder.fadd(kept, added), policy_sum, a)

    code.each(count, write)
    code.store(value, cfv.array, node)


@vector_code
def match(
    code: Code, stored: Value, s: Value, width: Value, count: Value, policy: Value, p: Value,
    pitch: Value,
) -> None:  # fmt: skip
    """policy[p + a * pitch] = policy of action a."""
    one = code.constant(1.0)
    rows, out = Strided(stored, s, width), Strided(policy, p, pitch)
    code.by_count(count, lambda c: write_policy(code, c, rows, one, out))


@vector_code
def play(
    code: Code, stored: Value, s: Value, width: Value, count: Value, reach: Value, r: Value,
    below: Value, pitch: Value,
) -> None:  # fmt: skip
    """reach[below + a * pitch] = reach[r] * policy of action a."""
    here = code.load(reach, r)
    rows, out = Strided(stored, s, width), Strided(reach, below, pitch)
    code.by_count(count, lambda c: write_policy(code, c, rows, here, out))


@vector_code
def learn(
    code: Code, regret: Value, r: Value, policy_sum: Value, s: Value, width: Value, count: Value,
    cfv: Value, node: Value, below: Value, pitch: Value, own: Value, o: Value, weights: Value,
) -> None:  # fmt: skip
    """cfv[node] = mix of cfv[below + a * pitch]; new regrets and sums."""
    factors, reach = Weights(*code.spread(weights, 3)), code.load(own, o)
    old, sums = Strided(regret, r, width), Strided(policy_sum, s, width)
    values = Strided(cfv, below, pitch)
    code.by_count(count, lambda c: write_learned(code, c, old, sums, values, node, reach, factors))


@vector_code
def silence(code: Code, values: Value, is_live: Value, num_actions: Value, width: Value) -> Value:
    """values[a * width + i] *= is_live[i], flat; returns the largest absolute value left."""
    builder = code.builder
    most = code.variable(code.zero)
    blocks = builder.udiv(width, code.number(LANES))
    with code.loop(code.number(0), num_actions) as a, code.loop(code.number(0), blocks) as b:
        i = code.times(b, LANES)
        index = builder.add(builder.mul(a, width), i)
        value = builder.fmul(code.load(values, index), code.load(is_live, i))
        code.store(value, values, index)
        size = builder.select(code.is_positive(value), value, builder.fneg(value))
        builder.store(code.larger(builder.load(most), size), most)
    found, lanes = builder.load(most), range(LANES)
    largest, *rest = (builder.extract_element(found, INT32(k)) for k in lanes)
    for other in rest:
        largest = builder.select(builder.fcmp_ordered(">", other, largest), other, largest)
    return largest
