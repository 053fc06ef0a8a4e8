"""The betting of a full game, from its config."""

from poker_solver.config.unified import UnifiedConfig
from poker_solver.games.betting import BettingRules


def full_game_rules(config: UnifiedConfig) -> BettingRules:
    """Who may do what from the blinds to the river."""
    return BettingRules(config.preflop_betting, config.postflop_bettings)
