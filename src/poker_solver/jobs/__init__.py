"""Work that owns folders: batches of flops, timings."""
