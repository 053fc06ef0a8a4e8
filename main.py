from poker_solver.cli import main

main()
