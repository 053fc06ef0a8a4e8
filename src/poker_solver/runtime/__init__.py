"""The machine: devices, memory, Ctrl-C, caches of compiled code, the CUDA driver; no poker."""
