"""Lines of play as text, and what a spot may say about one line; which sizes exist is not here."""
