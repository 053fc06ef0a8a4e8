"""Array operations, one folder each: the contract, a float64 reference, one file per backend."""
