"""Hand histories of poker rooms: text of PokerStars and GGPoker, and PHH files."""
