"""What the study page is drawn from: nodes, runouts, and what follows the flop of a game."""
