"""The command line: parse, call, print; decide nothing."""

from poker_solver.cli.app import main

__all__ = ["main"]
