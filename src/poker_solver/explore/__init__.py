"""A walk through a solved game, without a terminal: what is typed, and what to show for it."""

LOOKS = ("strategy", "ev", "equity")
"""What the matrix of a node can show: colours and letters, or a number per class."""
