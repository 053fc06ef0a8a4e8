"""`python -m poker_solver`."""

from poker_solver.cli import program

program()
