"""Solving many spots side by side, on the CPU and in groups on a GPU."""
