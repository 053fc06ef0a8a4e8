"""Hands, strategies that play them, a player, matches, and what players are worth."""
