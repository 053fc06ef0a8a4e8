"""Exact solving of flop, turn and river spots for two ranges."""
