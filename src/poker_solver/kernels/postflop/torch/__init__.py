"""The postflop kernels as PyTorch operations."""
