"""The page of a node, before and after the flop, from plain values; nothing is printed here."""

from math import isnan, nan

from rich.text import Text

from poker_solver.cli.pages.matrix import (
    LIST,
    LOCK_MARK,
    NEVER_MARK,
    NEVER_STYLE,
    SLIM,
    TIGHT,
    action_colors,
    cell_width,
    get_color_for_action,
    render_matrix,
    render_numbers,
    render_range,
    swatch_style,
)
from poker_solver.cli.pages.text import (
    CHECK_ONLY,
    TOO_EARLY,
    combos_text,
    ev_note,
    ev_text,
    flow,
    money_text,
    paragraph,
    percent,
    rough_text,
    whole_percent,
)
from poker_solver.query.node import NEVER, FullGameFacts, NodeView, PlayerView, action_words
from poker_solver.query.palette import STANDARD, Palette
from poker_solver.terminal import figures

MODEL = "Model: flops are checked down; SB's EV is too low (no position), BB's too high."
EXACT = "Exact: no flop is seen with chips behind."
ROUGH = "so little was learned about what follows: take it as rough, the EVs above all."
LOOKED_UP = "looked up; solve works out EVs that are missing"
STORED = "looked up in the blueprint, which has no EVs after the flop"
RUNOUTS = "runouts shows what each would bring"
EQUITY_NOTE = "Equity in % if the hand were checked down from here."

_ORDER = ("SB", "BB", "OOP", "IP")
_NOBODY = {"deal": "a card falls", "fold": "hand over", "showdown": "showdown"}


def in_order(view: NodeView) -> list[PlayerView]:
    """Both players, who acts first on the street before the other."""
    return sorted(view.players, key=lambda player: _ORDER.index(player.name))


def render_page(
    view: NodeView,
    *,
    look: str = "strategy",
    width: int = 80,
    color: bool = True,
    palette: Palette = STANDARD,
) -> Text:
    """Everything about a node: header, matrix, legend, totals; or what happens instead."""
    text = render_header(view, width=width).append("\n")
    if view.rare is None:
        return text.append_text(_body(view, look, width, color, palette))
    return text.append_text(dimmed(_body(view, look, width, color, palette)))


def dimmed(text: Text) -> Text:
    """The same for what is not to be relied on."""
    text.stylize("dim")
    return text


def _body(view: NodeView, look: str, width: int, color: bool, palette: Palette) -> Text:
    text = Text(no_wrap=True, overflow="crop")
    if view.actor is None:
        end = _render_street_end if view.board else render_end
        return text.append_text(end(view, width=width))
    if look == "strategy":
        matrix = render_matrix(view, width=width, color=color, palette=palette)
        text.append_text(matrix).append("\n")
        text.append_text(render_legend(view, width=width, color=color, palette=palette))
    else:
        text.append_text(_number_matrix(view, view.acting, look, width)).append("\n")
        note = ev_note(view.facts) if look == "ev" else EQUITY_NOTE
        text.append_text(paragraph(note, width, "dim"))
    return text.append_text(render_totals(view, width=width, palette=palette))


def render_header(view: NodeView, *, width: int = 80) -> Text:
    """What is on the table, the line, who acts; then what the numbers are worth."""
    first, second = (_spot_header if view.board else _preflop_header)(view)
    text = flow([Text(part, "bold") for part in first], width)
    return text.append_text(flow(second, width)).append_text(_worth(view, width))


def _preflop_header(view: NodeView) -> tuple[list[str], list[str]]:
    sees_flop = view.kind == "flop" and view.facts.full_game is not None
    over = "the flop falls" if sees_flop else "betting is over"
    who = over if view.actor is None else f"{view.player} to act"
    stack, pot = (money_text(view.facts, n) for n in (view.facts.stack_chips, view.pot_chips))
    line = f"line {view.line}" if view.line else "first decision"
    first = [view.facts.name, f"stack {stack}", f"pot {pot}", who]
    return first, [line, f"{percent(view.reached)} of deals get here"]


def _spot_header(view: NodeView) -> tuple[list[str], list[str]]:
    cards = " ".join(view.board[i : i + 2] for i in range(0, len(view.board), 2))
    oop, ip = (money_text(view.facts, player.behind_chips) for player in view.players)
    who = _NOBODY[view.kind] if view.actor is None else f"{view.player} to act"
    first = [cards, f"pot {money_text(view.facts, view.pot_chips)}", f"behind {oop} and {ip}", who]
    if view.num_locked:
        all_of_them = view.num_locked == len(view.combos)
        first.append("locked" if all_of_them else f"{view.num_locked} combos locked")
    return first, [f"line {view.line}" if view.line else "first decision"]


def _worth(view: NodeView, width: int) -> Text:
    facts, text = view.facts, Text()
    if view.rare is not None:
        text.append_text(paragraph(rare_text(view.rare), width, "bold"))
    for note, holds in ((TOO_EARLY, facts.is_too_early), (CHECK_ONLY, facts.is_check_only)):
        if holds:
            text.append_text(paragraph(f"{note[0].upper()}{note[1:]}.", width, "bold"))
    iterations = f"{facts.iterations:,} iterations"
    whole = None if facts.full_game is None else full_game_text(facts.full_game)
    if facts.value_chips is None:
        each = [
            f"{player.name}: {combos_text(player.num_combos)} combos, {_share(view, player)}"
            for player in in_order(view)
        ]
        text.append_text(flow(each, width))
        worth = [
            f"exploitability {figures(facts.exploitability_pct, 2)} % of the starting pot",
            iterations,
        ]
        if facts.full_game is not None:
            again = f"solved again to {figures(facts.exploitability_pct, 2)} % of its pot"
            looked_up = STORED if facts.full_game.is_stored else LOOKED_UP
            worth = [f"full game {whole}", looked_up if facts.full_game.is_looked_up else again]
        return text.append_text(flow([Text(part, "dim") for part in worth], width))
    pairs = zip(view.players, facts.value_chips, strict=True)
    values = {player.name: ev_text(facts, chips) for player, chips in pairs}
    value = ", ".join(f"{player.name} {values[player.name]}" for player in in_order(view))
    gap = whole or f"exploitability {figures(facts.exploitability_pct, 2)} % of pot"
    text.append_text(flow([gap, f"value {value} bb", iterations], width))
    if whole is not None:
        return text
    return text.append_text(paragraph(MODEL if facts.is_model else EXACT, width, "dim"))


def _share(view: NodeView, player: PlayerView) -> str:
    ev = rough_text(view.facts, player.ev_chips, view.rare)
    realised = f"EQR {whole_percent(view.realised(player))}"
    return f"equity {percent(player.equity)}, EV {ev}, {realised}"


def _player_line(view: NodeView, held: PlayerView, width: int) -> Text:
    """Equity, EV and EQR of a range, where they are known."""
    return Text() if isnan(held.equity) else paragraph(_share(view, held), width)


def rare_text(player: PlayerView) -> str:
    """That somebody gets here with hardly any hands, and what that means."""
    share = "under 0.1 %" if player.arrived < 0.001 else percent(player.arrived)
    return f"{player.name} gets here with {share} of the hands it began with, {ROUGH}"


def full_game_text(facts: FullGameFacts) -> str:
    """How exploitable a strategy for a whole game is, and over which flops."""
    flops = "all 1,755 flops" if facts.num_flops == 1755 else f"{facts.num_flops:,} flops"
    its = "" if facts.num_flops == 1755 else "its "
    how = f"certified over {flops}" if facts.is_certified else f"on {its}{flops}, not certified"
    return f"{facts.exploitability_mbb:.2f} mbb exploitable, {how}"


def _number_matrix(view: NodeView, held: PlayerView, look: str, width: int) -> Text:
    is_ev = look == "ev"
    numbers, shares = [], []
    for hand in held.hands:
        value = view.facts.money(hand.ev_chips) if is_ev else 100 * hand.equity
        whole = view.facts.money(view.pot_chips) if is_ev else 100
        numbers.append(value if hand.is_here else nan)
        shares.append(value / whole if hand.is_here else nan)
    return render_numbers([hand.name for hand in held.hands], numbers, shares, width=width)


def render_legend(
    view: NodeView, *, width: int = 80, color: bool = True, palette: Palette = STANDARD
) -> Text:
    """What colours and letters mean."""
    parts = []
    for letter in dict.fromkeys(action[0] for action in view.actions):
        words = "raise" if letter == "r" else action_words(letter)
        swatch = (f" {letter.upper()} ", get_color_for_action(letter, 1.0, palette))
        parts.append(Text.assemble(swatch, f" {words}"))
    cell = cell_width(width, color=color)
    if cell == TIGHT:
        marks = ["bright 85 %+", "dim 60 %+", "underlined mixed", "grey never"]
    else:
        letters = [action[0] for action in view.actions]
        letter = "r" if "r" in letters else letters[-1]
        mixed = "~ mixed" if cell == SLIM else f"~{letter} mixed"
        marks = [f"{letter.upper()} 85 %+", f"{letter} 60 %+", mixed, f"{NEVER_MARK} never"]
    if view.num_locked:
        marks.append(f"{LOCK_MARK} locked")
    if color and cell != LIST and any(0 < hand.reach < 1 for hand in view.hands):
        marks.append("grey: part of the hand that is not here")
    return flow([*parts, ", ".join(marks)], width, gap="  ")


def render_totals(view: NodeView, *, width: int = 80, palette: Palette = STANDARD) -> Text:
    """Each action over the whole range; before the flop in combos too, and of how many."""
    items, colors = [], action_colors(view, palette)
    for total, label in zip(view.totals, view.labels or view.actions, strict=True):
        swatch = (f" {label:<5}", swatch_style(colors[total.action]))
        combos = "" if view.board else f" {total.num_combos:>7,.1f}"
        style = "" if view.board or total.share >= NEVER else NEVER_STYLE
        items.append(Text.assemble(swatch, (f"{combos} {percent(total.share):>7}", style)))
    if view.board:
        return flow([f"{view.player}:", *items], width, gap="  ")
    acting = view.acting
    less = f" (without {acting.blocked_by})" if acting.blocked_by else ""
    has = f"{combos_text(acting.num_combos)} of {acting.num_dealt:,} combos here{less}"
    text = paragraph(f"{view.player} has {has}; by action, combos and %:", width)
    return text.append_text(flow(items, width, gap="    "))


def _render_street_end(view: NodeView, *, width: int = 80) -> Text:
    if view.kind == "deal":
        whole = view.facts.full_game
        then = "it is solved then" if whole and whole.is_looked_up else RUNOUTS
        what = f"Pick the card, as in 7d; {then}."
    elif view.kind == "fold":
        what = "A fold ends the hand; b goes back."
    else:
        pot = money_text(view.facts, view.pot_chips)
        what = f"The hands are shown for a pot of {pot}; b goes back."
    return paragraph(what, width, "bold")


def render_end(view: NodeView, *, width: int = 80) -> Text:
    """What happens now, what it is worth, and with which ranges."""
    facts, players = view.facts, in_order(view)
    pot = money_text(facts, view.pot_chips)
    if view.kind == "fold":
        other, folded = sorted(players, key=lambda player: player.behind_chips)  # he paid less
        lost = money_text(facts, facts.stack_chips - folded.behind_chips)
        what = f"{folded.name} folds and loses {lost}; {other.name} takes the pot."
    elif view.kind == "all-in":
        what = f"All-in and called: the board is run out for a pot of {pot}."
    else:
        behind = money_text(facts, min(player.behind_chips for player in players))
        then = "Name it, as in QsJh2h." if facts.full_game else "The model checks it down."
        what = f"Flop: a pot of {pot}, {behind} behind. {then}"
    text = paragraph(what, width, "bold")
    if view.kind != "fold":
        shares = []
        for own, other in zip(players, reversed(players), strict=True):
            known = f" with {other.blocked_by}" if other.blocked_by else ""  # off the other's range
            ev = rough_text(facts, own.ev_chips, view.rare)
            shares.append(f"{own.name}{known}: equity {percent(own.equity)}, EV {ev} bb")
        text.append_text(flow(shares, width, gap="   "))
    held = [
        f"{player.name} with {combos_text(player.num_combos)} of {player.num_dealt:,} combos"
        for player in players
    ]
    return text.append_text(paragraph(f"{' and '.join(held)} get here.", width))


def render_range_page(
    view: NodeView,
    held: PlayerView,
    *,
    look: str = "strategy",
    width: int = 80,
    color: bool = True,
) -> Text:
    """What a player holds here, whoever acts: how much of each class, or what it is worth."""
    combos = combos_text(held.num_combos)
    if view.board:
        where = f"after {view.line}" if view.line else "at the start"
        head = paragraph(f"{held.name}'s range {where}: {combos} combos", width, "bold")
    else:
        share = percent(held.num_combos / held.num_dealt) if held.num_dealt else "-"
        size = f"{combos} of {held.num_dealt:,} combos, {share}"
        head = flow([Text(_range_title(view, held), "bold"), Text(size, "bold")], width, gap=" ")
    text = head.append_text(_player_line(view, held, width)).append("\n")
    if look != "strategy":
        text.append_text(_number_matrix(view, held, look, width)).append("\n")
        note = ev_note(view.facts) if look == "ev" else EQUITY_NOTE
        return text.append_text(paragraph(note, width, "dim"))
    text.append_text(render_range(held, width=width, color=color)).append("\n")
    left = " that the board leaves" if view.board else ""
    marks = [f"# all its combos{left} get here", "43 means 43 % of them", f"{NEVER_MARK} none"]
    cell = cell_width(width, color=color)
    if cell == LIST:
        marks[1] = "0.43 means 43 % of them"
    elif cell == SLIM:
        marks[1] = "~ some of them"
    elif cell == TIGHT:
        marks = ["bright: 85 %+ of its combos get here", "darker: fewer", "grey: none"]
    return text.append_text(flow(marks, width, gap=", "))


def _range_title(view: NodeView, held: PlayerView) -> str:
    if view.actor is None:
        role = ""
    else:
        role = ", to act" if held.name == view.player else f", {view.player}'s opponent"
    where = f"after {view.line}" if view.line else "before anybody has acted"
    less = f", without {held.blocked_by}" if held.blocked_by else ""
    return f"{held.name}'s range{role}, {where}{less}:"
