from poker_solver.cli import program

program("kuhn")
