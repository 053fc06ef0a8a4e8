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
        ("range sb", "a range as text, to paste elsewhere"),
        ("spot flop.yaml", "where a flop follows: write pot, stack and ranges as a spot"),
        ("export a.csv", "write the node: .csv, .json, .png; save a.pks writes the solution"),
        ("start", "the first decision; start r2.5 c goes to that line"),
        ("palette classic", "other colours, from now on; also standard, colour-blind"),
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
        ("ranges", "both ranges as text, to paste elsewhere; range sb is one"),
        ("spot flop.yaml", "write the flop with both ranges as a spot to solve"),
        ("s  ev  eq", "the matrix as strategy, as EV, as equity in %"),
        ("made  draws", "after the flop: hands by what they have, or by what they draw to"),
        ("solve", "solve the flop here, where it was looked up: all its EVs and turns"),
        ("runouts", "every turn or river, where a card falls; map ev draws them as a map"),
        ("has Ks  eq 40-60", "hands picked out; made flush-draw too; o has Ks of the opponent"),
        ("export a.csv", "write what was shown last: .csv, .json, .parquet, .png; png a.png"),
        ("palette classic", "other colours, from now on; also standard, colour-blind"),
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
        ("made flush-draw", "those hands alone; so do has Ks, eq 40-60 and several in a row"),
        (
            "o  oop  ip",
            "a player's range; with a word behind it: ip ev, o made, o has Ks, ip AQs",
        ),
        ("runouts", "every turn or river, where a card falls; runouts x b94 c * x from anywhere"),
        ("map b94", "those cards as a map: an action, bet, ev or eq; map ev ip"),
        ("AKs AKo 77", "a class, combo by combo; AK is AKs and AKo"),
        ("AhKh", "one combo: its mix and the EV of each action"),
        ("range oop", "a range as text, to paste elsewhere"),
        ("spot river.yaml", "write the spot that begins here, once a card has fallen"),
        ("export a.csv", "write what was shown last: .csv, .json, .parquet, .png"),
        ("png a.png", "the same as a picture; save a.pks writes the solution"),
        ("lock f:0.6,c:0.4", "fix what is played here and solve again; unlock takes it away"),
        ("exploit ip", "the best response to the other player, and what it gains"),
        ("compare b.pks", "this point beside the same one of another solution"),
        ("palette classic", "other colours, from now on; also standard, colour-blind"),
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
