"""Hands put into rows that share one strategy, board by board; no betting and no solving.

Only what needs no compiler is imported from `rows`; the makers load numba.
"""

from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)
