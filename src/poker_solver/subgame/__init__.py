"""Subgames of a full game solved inside a time budget, and a cache of what was found."""
