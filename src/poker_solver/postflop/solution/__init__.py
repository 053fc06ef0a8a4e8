"""What a solve found, asked by line of play; nothing is drawn."""
