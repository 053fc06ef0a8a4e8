"""The stored strategy of a full game: keys, tables in a file, look-ups; nothing is solved here."""
