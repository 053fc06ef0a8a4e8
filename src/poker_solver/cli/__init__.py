"""The command line: parse, call, print; decide nothing."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import cast

__all__ = ["main", "program"]


def program(usual: str = "") -> None:
    """Run the command that this process was started for, the `usual` one if none is named.

    Numba loads SciPy, if it finds it, to multiply matrices, which no kernel of ours does, and
    Coverage, to tell it what was compiled. They take 0.2 s and 0.05 s of every command, so in a
    process of our own they are not there.
    """
    for unused in ("scipy", "coverage"):
        sys.modules.setdefault(unused, cast(ModuleType, None))
    _open_streams()
    given = sys.argv[1:]
    is_named = given and (not given[0].startswith("-") or given[0] in ("--help", "--version"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it stops as Ctrl-C does
    try:
        main(given if is_named or not usual else [usual, *given])
    finally:  # on the way out neither has anything left to stop
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)


def _open_streams() -> None:
    """Let standard streams that this process was started without lead nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


@contextmanager
def _unraisable(lost: list[object]) -> Iterator[None]:
    """Within, a Ctrl-C that Python could only have printed and forgotten is noted."""
    before = sys.unraisablehook

    def note(unraisable: "sys.UnraisableHookArgs") -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            lost.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = note
    try:
        yield
    finally:
        sys.unraisablehook = before


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code: 0 done, 1 could not, 2 the input was wrong."""
    lost: list[object] = []  # a Ctrl-C that came in code that C had called
    try:
        with _unraisable(lost):
            from poker_solver.cli.app import run  # in here: it takes a while, Ctrl-C may come

            code = run(arguments)
        if lost and code == 0:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n")
        code = 1
    exec("")  # else Python, once Ctrl-C has left any exec of text, ends by the signal itself
    sys.exit(code)
