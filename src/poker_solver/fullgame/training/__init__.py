"""How preflop learns: flops in memory as one tree, or batches of them, on the CPU or a GPU."""
