"""Lines on flops on a GPU."""
