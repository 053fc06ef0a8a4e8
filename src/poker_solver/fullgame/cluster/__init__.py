"""A full game whose flops are on many machines: preflop is here, the tables are where they lie."""
