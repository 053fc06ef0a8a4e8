"""What can be typed in the explorer, game by game."""

from rich.text import Text

from poker_solver.cli.pages.text import hanging

HELP = {
    "preflop": (
        (
            "c  x  f  a  r20",
            "play it and go on: call, check, fold, all-in, raise to 20 bb; words too",
        ),
        ("b", "back by one action"),
        ("AKs  AK  77", "a hand: its mix, its EV, how often it gets here; AK is AKs and AKo"),
        ("AcKh", "one combo: the same, and its cards leave the other player's range"),
        ("-", "put that combo down"),
        ("o", "the opponent's range; sb and bb show that player's"),
        ("SBr2.5 BBr8", "jump to a line from the start"),
        ("50bb", "solve at that stack; a line may follow"),
        ("start", "the first decision; start r2.5 c goes to that line"),
        ("Enter", "show this page again"),
        ("q", "quit; Ctrl-D too"),
    ),
    "full game": (
        (
            "c x f a r2.5 b94",
            "play it and go on; r2.5 in bb before the flop, b94 in chips after it",
        ),
        ("b33%", "a bet or raise (r60%) by its share of the pot, after the flop"),
        ("QsJh2h", "the flop, any of them; then 7d, the card that falls; x x 7d b60 at once"),
        ("b", "back by one action or card"),
        ("start", "the first decision; start r2.5 c QsJh2h x goes to that line"),
        (
            "SBr2.5 BBc | ...",
            "jump to a line from the start, a flop and what follows after the bar",
        ),
        ("50bb", "from a game that comes solved to the one of that stack; a line may follow"),
        ("AKs AK 77 AhKh", "a hand: its mix, its EV, how often it gets here"),
        ("-", "put down a combo that was looked at before the flop"),
        ("o", "the opponent's range; sb and bb (oop and ip) show that player's"),
        ("ranges", "both ranges as text, to paste elsewhere"),
        ("spot flop.yaml", "write the flop with both ranges as a spot to solve"),
        ("s  ev  eq", "the matrix as strategy, as EV, as equity in %"),
        ("made  draws", "after the flop: hands by what they have, or by what they draw to"),
        ("solve", "solve the flop here, where it was looked up: all its EVs and turns"),
        ("runouts", "every turn or river, where a card falls"),
        ("Enter", "show this page again"),
        ("q", "quit; Ctrl-D too"),
    ),
    "postflop": (
        ("x c f a b94 r250", "play it and go on: check, call, fold, all-in, bet 94, raise to 250"),
        ("7d", "the card that falls, where one does; several tokens at once: x x 7d b60"),
        ("b", "back by one action or card"),
        ("start", "the first decision; start x b94 goes to that line"),
        ("s  ev  eq", "the matrix as strategy, as EV in chips, as equity in %"),
        ("made  draws", "hands by what they have, or by what they draw to"),
        ("runouts", "every turn or river, where a card falls"),
        ("o", "the opponent's range; oop and ip show that player's"),
        ("AKs AKo 77", "a class, combo by combo; AK is AKs and AKo"),
        ("AhKh", "one combo: its mix and the EV of each action"),
        ("Enter", "show this page again"),
        ("q", "quit; Ctrl-D too"),
    ),
}


def render_help(game: str, width: int = 80) -> Text:
    """Everything that can be typed."""
    text = Text(no_wrap=True, overflow="crop")
    for keys, what in HELP[game]:
        text.append(f"  {keys:<17}", "bold")
        text.append(hanging(" " * 19, what.split(), width).lstrip() + "\n")
    return text
