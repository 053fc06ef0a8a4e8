"""The engine of NVIDIA GPUs: tables, generated kernels, launches."""
