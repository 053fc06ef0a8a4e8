"""Few numbers that stand for many: hands put into rows, board by board; amounts that no tree has.

Nothing here solves. Only what needs no compiler is imported from `rows`; the makers load numba.
"""

from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)
