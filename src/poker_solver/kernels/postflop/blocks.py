"""Sixteen hands at once at a decision of two, three or four actions, as straight-line vector code.

What `rows` does in several passes over the actions, done in one: every number is read once. As a
loop this does not vectorise: with so many rows the compiler gives up proving that none overlap.
Indices are flat; `width` lies between the actions of stored state, `pitch` between rows.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from poker_solver.kernels.postflop import LANES

VECTOR = ir.VectorType(ir.FloatType(), LANES)

vector: Any = intrinsic  # its own types forget that the first argument is not the caller's


class _Block:
    """Loads, stores and arithmetic on sixteen float32."""

    def __init__(self, context: Any, builder: Any) -> None:
        self.context, self.builder = context, builder
        self.zero = self.constant(0.0)

    def constant(self, value: float) -> Any:
        return ir.Constant(VECTOR, [value] * LANES)

    def _pointer(self, array_type: Any, array: Any, index: Any) -> Any:
        data = self.context.make_array(array_type)(self.context, self.builder, array).data
        return self.builder.bitcast(self.builder.gep(data, [index]), VECTOR.as_pointer())

    def load(self, array_type: Any, array: Any, index: Any) -> Any:
        return self.builder.load(self._pointer(array_type, array, index), align=4)

    def store(self, value: Any, array_type: Any, array: Any, index: Any) -> None:
        self.builder.store(value, self._pointer(array_type, array, index), align=4)

    def step(self, index: Any, distance: Any, count: int) -> Any:
        builder = self.builder
        return builder.add(index, builder.mul(distance, ir.Constant(index.type, count)))

    def spread(self, number: Any) -> Any:
        """The same number in every place."""
        builder, i32 = self.builder, ir.IntType(32)
        first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, i32(0))
        places = ir.Constant(ir.VectorType(i32, LANES), [0] * LANES)
        return builder.shuffle_vector(first, first, places)

    def is_positive(self, value: Any) -> Any:
        return self.builder.fcmp_ordered(">", value, self.zero)

    def clip(self, value: Any) -> Any:
        return self.builder.select(self.is_positive(value), value, self.zero)

    def sum(self, values: list[Any]) -> Any:
        total = values[0]
        for value in values[1:]:
            total = self.builder.fadd(total, value)
        return total


def _clipped(block: _Block, stored_type: Any, stored: Any, s: Any, width: Any, count: int) -> Any:
    """Stored numbers at least 0 of each action, and their sum."""
    places = [block.step(s, width, a) for a in range(count)]
    clipped = [block.clip(block.load(stored_type, stored, place)) for place in places]
    return clipped, block.sum(clipped)


def make_match(count: int) -> Any:
    """policy[p + a * pitch] = stored[s + a * width] clipped and normalised; uniform if all 0."""

    @vector
    def match(typing: Any, stored: Any, s: Any, width: Any, policy: Any, p: Any, pitch: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            stored, s, width, policy, p, pitch = arguments
            block = _Block(context, builder)
            clipped, total = _clipped(block, signature.args[0], stored, s, width, count)
            share = builder.fdiv(block.constant(1.0), total)
            for a, value in enumerate(clipped):
                played = builder.select(
                    block.is_positive(total), builder.fmul(value, share), block.constant(1 / count)
                )
                block.store(played, signature.args[3], policy, block.step(p, pitch, a))
            return context.get_dummy_value()

        n = types.intp
        return types.void(stored, n, n, policy, n, n), generate

    return match


def make_play(count: int) -> Any:
    """reach[below + a * pitch] = reach[r] * policy, the policy as in `make_match`, not kept."""

    @vector
    def play(
        typing: Any, stored: Any, s: Any, width: Any, reach: Any, r: Any, below: Any, pitch: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            stored, s, width, reach, r, below, pitch = arguments
            block, reach_type = _Block(context, builder), signature.args[3]
            clipped, total = _clipped(block, signature.args[0], stored, s, width, count)
            here = block.load(reach_type, reach, r)
            share = builder.fdiv(here, total)
            uniform = builder.fmul(here, block.constant(1 / count))
            for a, value in enumerate(clipped):
                played = builder.select(
                    block.is_positive(total), builder.fmul(value, share), uniform
                )
                block.store(played, reach_type, reach, block.step(below, pitch, a))
            return context.get_dummy_value()

        n = types.intp
        return types.void(stored, n, n, reach, n, n, n), generate

    return play


def make_learn(count: int) -> Any:
    """cfv[node] = sum of policy * cfv[below], then regrets and sums as in `rows.learn`."""

    @vector
    def learn(
        typing: Any, regret: Any, policy_sum: Any, s: Any, width: Any, cfv: Any, node: Any,
        below: Any, pitch: Any, own: Any, o: Any, positive: Any, negative: Any, keep: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            regret, policy_sum, s, width, cfv, node, below, pitch, own, o = arguments[:10]
            regret_type, sum_type, cfv_type, own_type = (signature.args[i] for i in (0, 1, 4, 8))
            block = _Block(context, builder)
            up, down, keep = (block.spread(number) for number in arguments[10:])
            # All loads before any store: regrets and sums of a hand lie at one place of their
            # pages, and a load that looks like a store just made waits for it.
            places = [block.step(s, width, a) for a in range(count)]
            regrets = [block.load(regret_type, regret, place) for place in places]
            sums = [block.load(sum_type, policy_sum, place) for place in places]
            values = [block.load(cfv_type, cfv, block.step(below, pitch, a)) for a in range(count)]
            reach = block.load(own_type, own, o)
            clipped = [block.clip(old) for old in regrets]
            total = block.sum(clipped)
            share = builder.fdiv(block.constant(1.0), total)
            played = [
                builder.select(
                    block.is_positive(total), builder.fmul(part, share), block.constant(1 / count)
                )
                for part in clipped
            ]
            value = block.sum([builder.fmul(x, p) for x, p in zip(values, played, strict=True)])
            for a, place in enumerate(places):
                fade = builder.select(block.is_positive(regrets[a]), up, down)
                gained = builder.fsub(values[a], value)
                new = builder.fadd(builder.fmul(regrets[a], fade), gained)
                block.store(new, regret_type, regret, place)
            for a, place in enumerate(places):
                more = builder.fadd(builder.fmul(sums[a], keep), builder.fmul(reach, played[a]))
                block.store(more, sum_type, policy_sum, place)
            block.store(value, cfv_type, cfv, node)
            return context.get_dummy_value()

        n, f = types.intp, types.float32
        arguments = (regret, policy_sum, n, n, cfv, n, n, n, own, n, f, f, f)
        return types.void(*arguments), generate

    return learn


match_2, match_3, match_4 = (make_match(count) for count in (2, 3, 4))
play_2, play_3, play_4 = (make_play(count) for count in (2, 3, 4))
learn_2, learn_3, learn_4 = (make_learn(count) for count in (2, 3, 4))
