"""The text of river kernels: a line of check or bet as reviewed, and what is written at all."""

import pytest

from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.cuda.codegen import included, kernel_names, kernels, statements
from poker_solver.kernels.postflop.cuda.shape import (
    Block,
    Decision,
    GroupShape,
    OwnDecision,
    block_of,
)
from poker_solver.kernels.postflop.cuda.structs import WIDE
from tests.support.golden import assert_golden

CHECK_BET = GroupShape(
    num_rows=(4, 4),
    opponent=(Decision(range(2), 0), Decision(range(2, 4), 0)),
    own=(
        OwnDecision(range(2), 0, ((("won", 1), ("value", 1)), (("met", 3), ("won", 4)))),
        OwnDecision(range(2, 4), 1, ((("met", 2),), (("won", 2),))),
    ),
    entries=((("value", 0),),),
    shown=(1, 2, 4),
    rests=((0, (1, 2), ()), (3, (0,), (4,))),
    has_locks=False,
)
"""OOP checks or bets; IP, after a check, checks or bets; a bet is called or folded to.

IP's rows are 0 check and 1 bet, then 2 fold and 3 call; his reach is row 0 where the line begins
and 1 + row after an action.
"""


@pytest.mark.parametrize(("mode", "name"), [(LEARN, "learn"), (BEST, "best"), (MEAN, "mean")])
def test_check_or_bet_is_written_as_reviewed(mode: int, name: str) -> None:
    assert_golden(f"kernel_check_bet_{name}.cu", statements(CHECK_BET, mode))


def test_only_the_modes_that_are_asked_for_are_written() -> None:
    block = Block(128, 5, may_be_wide=False)
    text = kernels(CHECK_BET, (BEST,), block)
    assert text.count("#define KERNEL") == text.count('extern "C"') == 1
    assert "learned(my" not in text
    (name,) = kernel_names(CHECK_BET, (BEST,), block)
    assert f"#define KERNEL {name}\n" in text
    assert '#include "' not in text


def test_names_tell_shapes_and_blocks_apart() -> None:
    shapes = [CHECK_BET, CHECK_BET._replace(has_locks=True), CHECK_BET._replace(shown=(1, 2, 3, 4))]
    blocks = [Block(t, b, w) for t in (96, 128) for b in (5, 8) for w in (False, True)]
    assert len({kernel_names(s, (LEARN,), b)[0] for s in shapes for b in blocks}) == 24


def test_factors_are_counted_as_values_ask_for_them() -> None:
    assert CHECK_BET.num_factors == 5  # terms that are no value of an own decision
    text = statements(CHECK_BET, LEARN)
    assert [text.index(f"factor[{k}]") for k in range(5)] == sorted(
        text.index(f"factor[{k}]") for k in range(5)
    )
    assert "factor[5]" not in text


@pytest.mark.parametrize(
    ("shown", "widths"), [(1, [1]), (2, [2]), (3, [4]), (4, [4]), (5, [4, 1]), (7, [4, 4])]
)
def test_rows_are_packed_by_fours(shown: int, widths: list[int]) -> None:
    packs = CHECK_BET._replace(shown=tuple(range(1, 1 + shown))).packs
    assert [len(pack) for pack in packs] == widths
    assert [row for pack in packs for row in pack if row is not None] == [*range(1, 1 + shown)]


def test_sixteen_bits_take_room_for_what_waits_for_its_scale() -> None:
    wide, narrow = (CHECK_BET.floats(100, 60, (100, 100), packed) for packed in (False, True))
    assert narrow - wide == 24 + 4 * 104  # two decisions with 2 + 9 numbers; rows of pitch 104


@pytest.mark.parametrize(("rows", "room", "blocks"), [(4, 20, 8), (8, 20, 5), (4, 3, 3), (8, 0, 1)])
def test_blocks_that_a_processor_holds(rows: int, room: int, blocks: int) -> None:
    assert block_of(rows, WIDE, room) == (128, blocks, False)
    assert block_of(rows, WIDE + 1, room) == (288, min(blocks, 3), True)


def test_a_frame_without_the_hook_is_refused() -> None:
    with pytest.raises(AssertionError, match="own is not included"):
        included("nothing here\n", {"own": ["x;"]})
