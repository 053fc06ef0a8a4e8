"""The command line: parse, call, print; decide nothing."""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code: 0 done, 1 could not, 2 the input was wrong."""
    try:
        from poker_solver.cli.app import run  # in here: it takes a while, and Ctrl-C may come

        code = run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n")
        code = 1
    sys.exit(code)
