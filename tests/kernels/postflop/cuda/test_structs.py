"""What Python and the kernels share is the same on both sides, by the compiler's word."""

import ctypes
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from poker_solver.kernels.postflop.cuda.structs import (
    BOARD,
    CONSTANTS,
    STRUCTS,
    RiverHead,
    UpperHead,
    c_struct,
)
from poker_solver.kernels.regret import TINY
from poker_solver.kernels.row_cfr.cuda.structs import (
    ROW_BOARD,
    RowBoard,
    RowPass,
    RowRanks,
    row_header,
)
from tests.support.cuda_on_host import COMPILER

C_STRUCTS = [c_struct(kind) for kind in (*STRUCTS, RowBoard, RowPass, RowRanks)]

PROGRAM = """
#include <cstddef>
#include <cstdio>
typedef long long i64;
struct uint4 { unsigned x, y, z, w; };
#include "structs.h"
int main() {
    printf("{");
%s
    printf("\\"end\\": 0}");
}
"""


def printed(name: str, value: str) -> str:
    return f'    printf("\\"{name}\\": %.9g, ", (double)({value}));'


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """What a C++ compiler makes of the header: sizes, offsets, constants."""
    if COMPILER is None:
        pytest.skip("no C++ compiler")
    folder: Path = tmp_path_factory.mktemp("structs")
    (folder / "structs.h").write_text(row_header())
    wanted = [printed(name, name) for name in (*CONSTANTS, *RiverHead.__members__)]
    wanted += [printed(name, name) for name in UpperHead.__members__]
    for structure in C_STRUCTS:
        kind = structure.__name__
        wanted.append(printed(kind, f"sizeof({kind})"))
        for name, *_ in structure._fields_:
            wanted.append(printed(f"{kind}.{name}", f"offsetof({kind}, {name})"))
            wanted.append(printed(f"{kind}.{name} size", f"sizeof((({kind}*)0)->{name})"))
    (folder / "structs.cpp").write_text(PROGRAM % "\n".join(wanted))
    subprocess.run(
        [COMPILER, "-std=c++17", "-o", folder / "structs", folder / "structs.cpp"], check=True
    )
    done = subprocess.run([folder / "structs"], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("structure", C_STRUCTS, ids=lambda kind: kind.__name__)
def test_a_structure_is_laid_out_as_in_c(
    structure: type[ctypes.Structure], in_c: dict[str, float]
) -> None:
    kind = structure.__name__
    assert ctypes.sizeof(structure) == in_c[kind]
    for name, *_ in structure._fields_:
        field = getattr(structure, name)
        assert field.offset == in_c[f"{kind}.{name}"]
        assert field.size == in_c[f"{kind}.{name} size"]


def test_constants_and_headers_have_one_value(in_c: dict[str, float]) -> None:
    for name, value in CONSTANTS.items():
        assert np.float32(in_c[name]) == np.float32(value)
    for head in (RiverHead, UpperHead):
        assert [in_c[name] for name in head.__members__] == list(range(len(head)))
    assert np.float32(in_c["TINY"]) == np.float32(TINY) > np.finfo(np.float32).tiny


def test_a_board_is_two_loads_of_sixteen_bytes() -> None:
    """A block copies its boards by `uint4`, two a board."""
    assert BOARD.itemsize == ROW_BOARD.itemsize == 32
    row = np.zeros(1, BOARD)
    row["board"], row["own_base"] = -1, 1 << 40
    assert row.tobytes()[:4] == b"\xff" * 4
    assert int.from_bytes(row.tobytes()[24:], "little") == 1 << 40
