"""The texts that are compiled: files of this folder behind what they share with Python."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from poker_solver.kernels.gadget import CUDA_SOURCE
from poker_solver.kernels.postflop.cuda.structs import MODES, header

FOLDER = Path(__file__).parent


@cache
def source(*names: str) -> str:
    """The text of files of the folder, one after the other."""
    return "".join((FOLDER / name).read_text() for name in names)


@cache
def head() -> str:
    """What stands before all kernels."""
    return source("device.h") + header() + source("common.h")


def state_kernels() -> tuple[str, list[str]]:
    """The text and names of the kernels that move state and totals."""
    return head() + source("state.cu"), ["advance", "exchange", "restore", "weigh"]


def class_kernels() -> tuple[str, list[str]]:
    """The text and names of the kernels that hand ranges down and values up by class."""
    return head() + source("classes.cu"), ["spread_classes", "sum_classes"]


def root_kernels() -> tuple[str, list[str]]:
    """The text and names of the kernels of a root at which somebody may take; `kernels.gadget`."""
    return head() + CUDA_SOURCE.read_text(), ["settle_root", "enter_root"]


def program_kernels(modes: Sequence[int]) -> tuple[str, list[str]]:
    """The text and names of the kernels that read what to do from programs."""
    text = head() + source("parts.h", "programs.cu", "streets.cu")
    names = ["down_learn", "down_look", "gather"]
    for name in (MODES[mode] for mode in modes):
        text += f"RIVER_KERNELS({name}, {name.upper()})\nUPPER_KERNELS({name}, {name.upper()})\n"
        names += [f"river_{name}", f"river_{name}_far", f"up_{name}"]
    return text, names
