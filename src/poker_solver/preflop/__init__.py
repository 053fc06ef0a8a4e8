"""Preflop over 169 hand classes, flops checked down: deal, solver, solution."""
