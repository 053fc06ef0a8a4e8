"""The postflop kernels of the CPU, compiled by numba."""
