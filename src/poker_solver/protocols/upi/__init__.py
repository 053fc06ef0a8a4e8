"""UPI, the language of PioSOLVER: trees, solves and numbers of every hand over two pipes."""
