"""Commands about full games: `unified`, `solve-unified`, `certify`."""
