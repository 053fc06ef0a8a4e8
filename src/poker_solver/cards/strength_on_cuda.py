"""Strength of seven cards in CUDA C++, for kernels that are given it."""

from pathlib import Path


def strength_source() -> str:
    """A function `strength(board, a, b)`: its numbers order hands as those of `strength` do."""
    return Path(__file__).with_name("strength.cu").read_text()
