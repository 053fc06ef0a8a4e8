"""CFR for any two-player zero-sum game: the reference, fast engine, best response, solver."""
