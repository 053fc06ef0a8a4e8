"""The public-tree engine: ranges of hands on a betting tree; rules and files are others' work."""
