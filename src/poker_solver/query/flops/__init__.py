"""Many flops at a time: what kind each is, and what follows a line of play on all of them."""
