"""The texts of the kernels by row: files of this folder behind those of the exact ones."""

from pathlib import Path

from poker_solver.kernels.postflop.cuda.sources import source as exact_source
from poker_solver.kernels.row_cfr.cuda.structs import row_header

FOLDER = Path(__file__).parent

UPPER_MODES = ("learn", "learn16", "best", "mean")
"""What kernels above the river are called by; `learn16` is LEARN with regrets of 16 bits."""


def source(*names: str) -> str:
    """The text of files of the folder, one after the other."""
    return "".join((FOLDER / name).read_text() for name in names)


def row_head() -> str:
    """What stands before all kernels by row."""
    return exact_source("device.h") + row_header() + exact_source("common.h")


def upper_row_kernels() -> tuple[str, list[str]]:
    """The text and names of the kernels above the river."""
    text = row_head() + exact_source("parts.h") + source("told.h", "streets.cu")
    return text, [f"rows_{way}_{mode}" for mode in UPPER_MODES for way in ("down", "up")]


def rank_row_kernel(strength: str) -> tuple[str, list[str]]:
    """The text and name of the kernel that finds rows of rivers; `strength` is that function."""
    return row_head() + strength + source("ranks.cu"), ["rank_rows"]
