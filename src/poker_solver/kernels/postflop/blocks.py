"""Sixteen hands at once at a decision of two, three or four actions, as straight-line vector code.

What `rows` does in several passes over the actions, done in one: every number is read once. As a
loop this does not vectorise: with so many rows the compiler gives up proving that none overlap.
Indices are flat; `width` lies between the actions of stored state, `pitch` between rows.
"""

from typing import Any

from numba import types

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.vectors import INT32, Code, intrinsic


def _clipped(code: Code, stored: Any, s: Any, width: Any, count: int) -> Any:
    """Stored numbers at least 0 of each action, and their sum."""
    places = [code.step(s, width, a) for a in range(count)]
    clipped = [code.clip(code.load(stored, place)) for place in places]
    return clipped, code.sum(clipped)


def make_match(count: int) -> Any:
    """policy[p + a * pitch] = stored[s + a * width] clipped and normalised; uniform if all 0."""

    @intrinsic
    def match(typing: Any, stored: Any, s: Any, width: Any, policy: Any, p: Any, pitch: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            stored, s, width, policy, p, pitch = arguments
            code = Code(context, builder, signature, arguments)
            clipped, total = _clipped(code, stored, s, width, count)
            share = builder.fdiv(code.constant(1.0), total)
            for a, value in enumerate(clipped):
                played = builder.select(
                    code.is_positive(total), builder.fmul(value, share), code.constant(1 / count)
                )
                code.store(played, policy, code.step(p, pitch, a))
            return context.get_dummy_value()

        n = types.intp
        return types.void(stored, n, n, policy, n, n), generate

    return match


def make_play(count: int) -> Any:
    """reach[below + a * pitch] = reach[r] * policy, the policy as in `make_match`, not kept."""

    @intrinsic
    def play(
        typing: Any, stored: Any, s: Any, width: Any, reach: Any, r: Any, below: Any, pitch: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            stored, s, width, reach, r, below, pitch = arguments
            code = Code(context, builder, signature, arguments)
            clipped, total = _clipped(code, stored, s, width, count)
            here = code.load(reach, r)
            share = builder.fdiv(here, total)
            uniform = builder.fmul(here, code.constant(1 / count))
            for a, value in enumerate(clipped):
                played = builder.select(
                    code.is_positive(total), builder.fmul(value, share), uniform
                )
                code.store(played, reach, code.step(below, pitch, a))
            return context.get_dummy_value()

        n = types.intp
        return types.void(stored, n, n, reach, n, n, n), generate

    return play


def make_learn(count: int) -> Any:
    """cfv[node] = sum of policy * cfv[below], then regrets and sums as in `rows.learn`."""

    @intrinsic
    def learn(
        typing: Any, regret: Any, r: Any, policy_sum: Any, s: Any, width: Any, cfv: Any, node: Any,
        below: Any, pitch: Any, own: Any, o: Any, positive: Any, negative: Any, keep: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            regret, r, policy_sum, s, width, cfv, node, below, pitch, own, o = arguments[:11]
            code = Code(context, builder, signature, arguments)
            up, down, keep = (code.spread(number) for number in arguments[11:])
            # All loads before any store: regrets and sums of a hand lie at one place of their
            # pages, and a load that looks like a store just made waits for it.
            places = [code.step(r, width, a) for a in range(count)]
            sum_places = [code.step(s, width, a) for a in range(count)]
            regrets = [code.load(regret, place) for place in places]
            sums = [code.load(policy_sum, place) for place in sum_places]
            values = [code.load(cfv, code.step(below, pitch, a)) for a in range(count)]
            reach = code.load(own, o)
            clipped = [code.clip(old) for old in regrets]
            total = code.sum(clipped)
            share = builder.fdiv(code.constant(1.0), total)
            played = [
                builder.select(
                    code.is_positive(total), builder.fmul(part, share), code.constant(1 / count)
                )
                for part in clipped
            ]
            value = code.sum([builder.fmul(x, p) for x, p in zip(values, played, strict=True)])
            for a, place in enumerate(places):
                fade = builder.select(code.is_positive(regrets[a]), up, down)
                gained = builder.fsub(values[a], value)
                new = builder.fadd(builder.fmul(regrets[a], fade), gained)
                code.store(new, regret, place)
            for a, place in enumerate(sum_places):
                more = builder.fadd(builder.fmul(sums[a], keep), builder.fmul(reach, played[a]))
                code.store(more, policy_sum, place)
            code.store(value, cfv, node)
            return context.get_dummy_value()

        n, f = types.intp, types.float32
        arguments = (regret, n, policy_sum, n, n, cfv, n, n, n, own, n, f, f, f)
        return types.void(*arguments), generate

    return learn


match_2, match_3, match_4 = (make_match(count) for count in (2, 3, 4))
play_2, play_3, play_4 = (make_play(count) for count in (2, 3, 4))
learn_2, learn_3, learn_4 = (make_learn(count) for count in (2, 3, 4))


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
            more = builder.fcmp_ordered(">", size, builder.load(most))
            builder.store(builder.select(more, size, builder.load(most)), most)
        found, lanes = builder.load(most), range(LANES)
        largest, *rest = (builder.extract_element(found, INT32(k)) for k in lanes)
        for other in rest:
            largest = builder.select(builder.fcmp_ordered(">", other, largest), other, largest)
        return largest

    n = types.intp
    return types.float32(values, is_live, n, n), generate
