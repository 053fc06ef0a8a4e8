"""Range-vector CFR by row on a GPU; the contract is that of the package above."""
