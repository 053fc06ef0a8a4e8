"""Languages that other programs speak to a solver or a player."""
