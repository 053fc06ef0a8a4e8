"""What the explorer shows, page by page, as functions of plain values; nothing is printed here."""

from collections.abc import Iterable
from math import isnan

from rich.text import Text

from poker_solver.cli.pages.matrix import (
    NEVER_MARK,
    NEVER_STYLE,
    SLIM,
    TIGHT,
    MixedView,
    cell_width,
    get_color_for_action,
    hanging,
    render_matrix,
    render_range,
)
from poker_solver.games.betting import BB, POSITIONS, SB
from poker_solver.query import (
    EndView,
    HandView,
    NodeView,
    RangeView,
    SolveFacts,
    View,
    action_words,
)
from poker_solver.query.node import NEVER

MODEL = "Model: flops are checked down; SB's EV is too low (no position), BB's too high."
EXACT = "Exact: no flop is seen with chips behind."
ROUGH = "Hardly anybody gets here, so little was learned about it: take what follows as rough."
EV_NOTE = "EV in bb out of the pot as it lies here: a fold is worth 0."

HELP = (
    ("c  x  f  a  r20", "play it and go on: call, check, fold, all-in, raise to 20 bb; words too"),
    ("b", "back by one action"),
    ("AKs  AK  77", "a hand: its mix, its EV, how often it gets here; AK is AKs and AKo"),
    ("AcKh", "one combo: the same, and its cards leave the other player's range"),
    ("-", "put that combo down"),
    ("o", "the opponent's range; sb and bb show that player's"),
    ("SBr2.5 BBr8", "jump to a line from the start"),
    ("50bb", "solve at that stack; a line may follow"),
    ("start", "the first decision"),
    ("Enter", "show this page again"),
    ("q", "quit; Ctrl-D too"),
)


def percent(p: float) -> str:
    """One decimal, `-` where there is nothing to tell."""
    return "-" if isnan(p) else f"{100 * p:.1f} %"


def ev_text(ev_bb: float) -> str:
    """Three decimals with a sign, `-` where nobody gets there."""
    return "-" if isnan(ev_bb) else f"{ev_bb:+.3f}"


def combos_text(combos: float) -> str:
    """One decimal, none where it is whole."""
    return f"{combos:,.1f}".removesuffix(".0")


def flow(parts: Iterable[str | Text], width: int, gap: str = " · ") -> Text:
    """Parts side by side, as many to a line as fit; a part is broken only if it must."""
    text, column = Text(no_wrap=True, overflow="crop"), 0
    for part in parts:
        piece = Text(part) if isinstance(part, str) else part
        if len(piece) > width:
            piece = Text(hanging("", piece.plain.split(), width), piece.style)
        if column and column + len(gap) + len(piece) > width:
            text.append("\n")
            column = 0
        elif column:
            text.append(gap)
            column += len(gap)
        text.append_text(piece)
        column += len(piece.plain.splitlines()[-1])
    return text.append("\n")


def paragraph(sentence: str, width: int, style: str = "") -> Text:
    """A sentence in lines of at most `width`."""
    return Text(hanging("", sentence.split(), width) + "\n", style, no_wrap=True, overflow="crop")


def render_header(view: View, *, width: int = 80) -> Text:
    """Stack, pot, line, who acts; then what the numbers are worth."""
    facts = view.facts
    who = "betting is over" if isinstance(view, EndView) else f"{view.player} to act"
    first = [facts.config, f"stack {facts.stack_bb:g} bb", f"pot {view.pot_bb:g} bb", who]
    text = flow([Text(part, "bold") for part in first], width)
    line = f"line {view.line}" if view.line else "first decision"
    text.append_text(flow([line, f"{percent(view.reached)} of deals get here"], width))
    if not view.reached >= NEVER:
        text.append_text(paragraph(ROUGH, width, "bold"))
    return text.append_text(_facts(facts, width))


def _facts(facts: SolveFacts, width: int) -> Text:
    parts = [
        f"exploitability {facts.exploitability_pct:.2g} % of pot",
        f"value SB {ev_text(facts.value_bb[SB])}, BB {ev_text(facts.value_bb[BB])} bb",
        f"{facts.iterations:,} iterations",
    ]
    text = flow(parts, width)
    return text.append_text(paragraph(MODEL if facts.is_model else EXACT, width, "dim"))


def render_legend(view: MixedView, *, width: int = 80, color: bool = True) -> Text:
    """What colours and letters mean."""
    parts = []
    for letter in dict.fromkeys(action[0] for action in view.actions):
        words = "raise" if letter == "r" else action_words(letter)
        swatch = (f" {letter.upper()} ", get_color_for_action(letter, 1.0))
        parts.append(Text.assemble(swatch, f" {words}"))
    cell = cell_width(width, color=color)
    if cell == TIGHT:
        marks = ["bright 85 %+", "dim 60 %+", "underlined mixed", "grey never"]
    else:
        letters = [action[0] for action in view.actions]
        letter = "r" if "r" in letters else letters[-1]
        mixed = "~ mixed" if cell == SLIM else f"~{letter} mixed"
        marks = [f"{letter.upper()} 85 %+", f"{letter} 60 %+", mixed, f"{NEVER_MARK} never"]
    return flow([*parts, ", ".join(marks)], width, gap="  ")


def render_totals(view: NodeView, *, width: int = 80) -> Text:
    """Each action over the whole range, in combos and per cent."""
    dealt = sum(hand.combos for hand in view.hands)
    less = f" (without {view.blocked_by})" if view.blocked_by else ""
    head = f"{view.player} has {combos_text(view.combos)} of {dealt:,} combos here{less}; "
    text = paragraph(head + "by action, combos and %:", width)
    items = []
    for total in view.totals:
        swatch = (f" {total.action:<5}", get_color_for_action(total.action, 1.0))
        numbers = f" {total.combos:>7,.1f} {percent(total.share):>7}"
        items.append(Text.assemble(swatch, (numbers, _numbers_style(total.share))))
    return text.append_text(flow(items, width, gap="    "))


def _numbers_style(share: float) -> str:
    return "" if share >= NEVER else NEVER_STYLE


def render_page(view: View, *, width: int = 80, color: bool = True) -> Text:
    """Everything about a node: header, matrix, legend, totals; or how the betting ended."""
    text = render_header(view, width=width).append("\n")
    if isinstance(view, EndView):
        return text.append_text(render_end(view, width=width))
    return Text("\n").join(
        [
            text.append_text(render_matrix(view, width=width, color=color)),
            render_legend(view, width=width, color=color).append_text(
                render_totals(view, width=width)
            ),
        ]
    )


def render_end(view: EndView, *, width: int = 80) -> Text:
    """What happens now, what it is worth, and with which ranges."""
    if view.ending == "fold":
        folder = POSITIONS.index(view.folded)
        other = POSITIONS[1 - folder]
        lost = view.facts.stack_bb - view.behind_bb[folder]
        what = f"{view.folded} folds and loses {lost:g} bb; {other} takes the pot."
    elif view.ending == "all-in":
        what = f"All-in and called: the board is run out for a pot of {view.pot_bb:g} bb."
    else:
        what = (
            f"Flop: a pot of {view.pot_bb:g} bb, {min(view.behind_bb):g} bb behind. "
            "The model checks it down."
        )
    text = paragraph(what, width, "bold")
    if view.ending != "fold":
        shares = [
            f"{_holder(view, p)}: equity {percent(view.equity[p])}, EV {ev_text(view.ev_bb[p])} bb"
            for p in (SB, BB)
        ]
        text.append_text(flow(shares, width, gap="   "))
    held = [
        f"{shown.player} with {combos_text(shown.combos)} of {shown.dealt:,} combos"
        for shown in reversed(view.ranges)
    ]
    return text.append_text(paragraph(f"{' and '.join(held)} get here.", width))


def _holder(view: EndView, player: int) -> str:
    """`SB`, or `SB with AcKh` where that is known: then its cards are off the other's range."""
    cards = view.ranges[1 - player].blocked_by
    return f"{POSITIONS[player]} with {cards}" if cards else POSITIONS[player]


def render_hand(view: NodeView, hand: HandView, *, combo: str = "", width: int = 80) -> Text:
    """The full mix of one hand, the EV of each action, and how often it gets here."""
    name = f"{combo} ({hand.name})" if combo else hand.name
    after = f" after {view.line}" if view.line else ""
    head = [f"{name}, {view.player} to act{after}", f"gets here {percent(hand.reach)}"]
    if not combo:
        head.append(f"{hand.combos} combos")
    text = flow([Text(part, "bold") for part in head], width)
    if not hand.is_here:
        never = "It never gets here; what it would do is not worked out."
        text.append_text(paragraph(never, width, NEVER_STYLE))
    room = max(min(width - 38, 40), 0)
    text.append(f"  {'action':<11}{'mix':>8}{'EV':>11}\n", "dim")
    for action, p, ev in zip(view.actions, hand.mix.frequency, hand.ev_bb, strict=True):
        text.append(f"  {action_words(action):<11}{percent(p):>8}{ev_text(ev):>11}")
        if bar := "#" * round(p * room):
            color = _swatch(action)
            text.append("  ").append(bar, f"{color} on {color}")
        text.append("\n")
    text.append(f"  {'as played':<11}{'':>8}{ev_text(hand.mean_ev_bb):>11}\n")
    text.append_text(paragraph(EV_NOTE, width, "dim"))
    if combo:
        cards = f"{combo[:2]} or {combo[2:]}"
        gone = f"{view.opponent.player} cannot hold {cards}: o shows the range without them."
        text.append_text(paragraph(gone, width))
    return text


def _swatch(action: str) -> str:
    return get_color_for_action(action, 1.0).rsplit(" ", 1)[1]


def render_range_page(view: View, held: RangeView, *, width: int = 80, color: bool = True) -> Text:
    """What a player holds here, whoever acts."""
    if isinstance(view, EndView):
        role = ""
    else:
        role = ", to act" if held.player == view.player else f", {view.player}'s opponent"
    where = f"after {view.line}" if view.line else "before anybody has acted"
    less = f", without {held.blocked_by}" if held.blocked_by else ""
    share = percent(held.combos / held.dealt) if held.dealt else "-"
    title = f"{held.player}'s range{role}, {where}{less}:"
    size = f"{combos_text(held.combos)} of {held.dealt:,} combos, {share}"
    text = flow([Text(title, "bold"), Text(size, "bold")], width, gap=" ").append("\n")
    text.append_text(render_range(held, width=width, color=color)).append("\n")
    marks = ["# all its combos get here", "43 means 43 % of them", f"{NEVER_MARK} none"]
    cell = cell_width(width, color=color)
    if cell == SLIM:
        marks[1] = "~ some of them"
    elif cell == TIGHT:
        marks = ["bright: 85 %+ of its combos get here", "darker: fewer", "grey: none"]
    return text.append_text(flow(marks, width, gap=", "))


def render_help(width: int = 80, lines: Iterable[tuple[str, str]] = HELP) -> Text:
    """Everything that can be typed."""
    text = Text(no_wrap=True, overflow="crop")
    for keys, what in lines:
        text.append(f"  {keys:<17}", "bold")
        text.append(hanging(" " * 19, what.split(), width).lstrip() + "\n")
    return text
