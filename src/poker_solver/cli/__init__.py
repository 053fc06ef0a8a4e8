"""The command line: parse, call, print; decide nothing."""

import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import cast

__all__ = ["main", "program"]


def program() -> None:
    """Run the command that this process was started for.

    Numba loads SciPy, if it finds it, to multiply matrices, which no kernel of ours does, and
    Coverage, to tell it what was compiled. They take 0.2 s and 0.05 s of every command, so in a
    process of our own they are not there.
    """
    for unused in ("scipy", "coverage"):
        sys.modules.setdefault(unused, cast(ModuleType, None))
    _open_streams()
    main()


def _open_streams() -> None:
    """Let standard streams that this process was started without lead nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code: 0 done, 1 could not, 2 the input was wrong."""
    try:
        from poker_solver.cli.app import run  # in here: it takes a while, and Ctrl-C may come

        code = run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n")
        code = 1
    exec("")  # else Python, once Ctrl-C has left any exec of text, ends by the signal itself
    sys.exit(code)
