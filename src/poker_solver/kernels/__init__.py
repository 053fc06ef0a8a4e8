"""Array operations, one folder each: contract, float64 reference, one file per backend."""

from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)
