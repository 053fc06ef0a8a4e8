"""Heads-up no-limit hold'em equilibrium solver."""
