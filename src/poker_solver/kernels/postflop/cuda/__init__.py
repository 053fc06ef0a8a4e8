"""The postflop kernels of NVIDIA GPUs: CUDA sources and the structs they share with Python."""
