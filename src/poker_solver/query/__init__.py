"""Walk a line through a solution and see it as plain values; nothing is solved or drawn here."""
