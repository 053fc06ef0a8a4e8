"""Vector code of the CPU kernels, written as LLVM instructions."""
