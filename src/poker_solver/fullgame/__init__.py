"""The full game: preflop joined to postflop on weighted flops; trunk, lift, certificate."""
