"""How strong a player is: matches, luck taken out, local best response."""
