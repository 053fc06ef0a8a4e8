"""Sixteen hands at once at a decision, as vector code.

Two things keep a plain loop over hands from becoming such code: with so many rows the compiler
gives up proving that none overlap, and a decision would be walked several times, action by action.
Indices are flat; `width` lies between the actions of stored state, `pitch` between rows.
"""

from typing import Any

from numba import types

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.vectors import INT32, Code, intrinsic

N, F = types.intp, types.float32


def write_policy(
    code: Code, stored: Any, s: Any, width: Any, count: Any, here: Any, out: Any, to: Any,
    pitch: Any,
) -> None:  # fmt: skip
    """out[to + a * pitch] = here * policy of action a: stored clipped and normalised, or even."""
    builder, numbers = code.builder, code.rows(stored, s, width, count)
    total = code.reduce(count, lambda a: code.clip(numbers(a)), builder.fadd)
    is_known, share = code.is_known(total), builder.fdiv(here, total)
    even = builder.fmul(here, code.share(count))

    def write(a: Any) -> None:
        part = builder.fmul(code.clip(numbers(a)), share)
        code.store(builder.select(is_known, part, even), out, code.step(to, pitch, a))

    code.each(count, write)


def write_learned(
    code: Code, regret: Any, r: Any, policy_sum: Any, s: Any, width: Any, count: Any, cfv: Any,
    node: Any, below: Any, pitch: Any, reach: Any, weights: tuple[Any, Any, Any],
) -> None:  # fmt: skip
    """cfv[node] = mix of cfv[below + a * pitch]; new regrets and sums, see the package docstring.

    All loads come before any store: regrets and sums of a hand lie at one place of their pages,
    and a load that looks like a store just made waits for it.
    """
    builder, (up, down, keep) = code.builder, weights
    regrets = code.rows(regret, r, width, count)
    sums = code.rows(policy_sum, s, width, count)
    values = code.rows(cfv, below, pitch, count)
    total = code.reduce(count, lambda a: code.clip(regrets(a)), builder.fadd)
    is_known, share = code.is_known(total), builder.fdiv(code.constant(1.0), total)
    even = code.share(count)

    def played(old: Any) -> Any:
        return builder.select(is_known, builder.fmul(code.clip(old), share), even)

    value = code.reduce(count, lambda a: builder.fmul(values(a), played(regrets(a))), builder.fadd)

    def write(a: Any) -> None:
        old = regrets(a)
        fade = builder.select(code.is_positive(old), up, down)
        new = builder.fadd(builder.fmul(old, fade), builder.fsub(values(a), value))
        summed = builder.fadd(builder.fmul(sums(a), keep), builder.fmul(reach, played(old)))
        code.store(new, regret, code.step(r, width, a))
        code.store(summed, policy_sum, code.step(s, width, a))

    code.each(count, write)
    code.store(value, cfv, node)


@intrinsic
def match(
    typing: Any, stored: Any, s: Any, width: Any, count: Any, policy: Any, p: Any, pitch: Any
) -> Any:
    """policy[p + a * pitch] = policy of action a."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stored, s, width, count, policy, p, pitch = arguments
        code = Code(context, builder, signature, arguments)
        one = code.constant(1.0)
        code.by_count(
            count, lambda c: write_policy(code, stored, s, width, c, one, policy, p, pitch)
        )
        return context.get_dummy_value()

    return types.void(stored, N, N, N, policy, N, N), generate


@intrinsic
def play(
    typing: Any, stored: Any, s: Any, width: Any, count: Any, reach: Any, r: Any, below: Any,
    pitch: Any,
) -> Any:  # fmt: skip
    """reach[below + a * pitch] = reach[r] * policy of action a."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stored, s, width, count, reach, r, below, pitch = arguments
        code = Code(context, builder, signature, arguments)
        here = code.load(reach, r)
        code.by_count(
            count, lambda c: write_policy(code, stored, s, width, c, here, reach, below, pitch)
        )
        return context.get_dummy_value()

    return types.void(stored, N, N, N, reach, N, N, N), generate


@intrinsic
def learn(
    typing: Any, regret: Any, r: Any, policy_sum: Any, s: Any, width: Any, count: Any, cfv: Any,
    node: Any, below: Any, pitch: Any, own: Any, o: Any, positive: Any, negative: Any, keep: Any,
) -> Any:  # fmt: skip
    """cfv[node] = mix of cfv[below + a * pitch]; new regrets and sums."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        regret, r, policy_sum, s, width, count, cfv, node, below, pitch, own, o = arguments[:12]
        code = Code(context, builder, signature, arguments)
        up, down, keep = (code.spread(number) for number in arguments[12:])
        reach = code.load(own, o)
        code.by_count(
            count,
            lambda c: write_learned(
                code, regret, r, policy_sum, s, width, c, cfv, node, below, pitch, reach,
                (up, down, keep),
            ),
        )  # fmt: skip
        return context.get_dummy_value()

    given = (regret, N, policy_sum, N, N, N, cfv, N, N, N, own, N, F, F, F)
    return types.void(*given), generate


@intrinsic
def silence(typing: Any, values: Any, is_live: Any, num_actions: Any, width: Any) -> Any:
    """values[a * width + i] *= is_live[i], flat; returns the largest absolute value left."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, is_live, num_actions, width = arguments
        code = Code(context, builder, signature, arguments)
        most = code.variable(code.zero)
        blocks = builder.udiv(width, code.number(LANES))
        with code.loop(code.number(0), num_actions) as a, code.loop(code.number(0), blocks) as b:
            i = code.times(b, LANES)
            place = builder.add(builder.mul(a, width), i)
            value = builder.fmul(code.load(values, place), code.load(is_live, i))
            code.store(value, values, place)
            size = builder.select(code.is_positive(value), value, builder.fneg(value))
            builder.store(code.larger(builder.load(most), size), most)
        found, lanes = builder.load(most), range(LANES)
        largest, *rest = (builder.extract_element(found, INT32(k)) for k in lanes)
        for other in rest:
            largest = builder.select(builder.fcmp_ordered(">", other, largest), other, largest)
        return largest

    return types.float32(values, is_live, N, N), generate
