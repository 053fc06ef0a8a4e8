"""A full game as engines take it: its lines, and what is played from the flop on."""

from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import full_game
from poker_solver.games.full_game import full_game_rules


def test_every_line_has_the_sizes_of_its_pot() -> None:
    """Limped, raised, 3-bet and 4-bet pots may differ, and the tree before the flop knows none."""
    fields = UnifiedConfig.load("hu_100").to_mapping()
    bets = {"limped": "33%", "raised": "50%", "3bet": "75%", "4bet": "100%"}
    fields["postflop"]["pots"] = {pot: {"flop": {"bet": bet}} for pot, bet in bets.items()}
    game = full_game(full_game_rules(UnifiedConfig.from_mapping(fields)))
    found = {str(line): str(line.betting.sizes[0][1].bets[0]) for line in game.lines}
    assert found == {
        "SBc BBx": "33%",
        "SBr2.5 BBc": "50%",
        "SBc BBr4 SBc": "50%",
        "SBr2.5 BBr10 SBc": "75%",
        "SBc BBr4 SBr10 BBc": "75%",
        "SBr2.5 BBr10 SBr24 BBc": "100%",
        "SBc BBr4 SBr10 BBr24 SBc": "100%",
    }
    pots = {str(line): (line.betting.pot, line.betting.stack) for line in game.lines}
    assert pots["SBc BBx"] == (200, 9900)
    assert pots["SBr2.5 BBr10 SBc"] == (2000, 9000)
