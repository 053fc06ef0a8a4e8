"""What the explorer shows of a solved spot, as functions of plain values; nothing is printed."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Literal

from rich.text import Text

from poker_solver.cli.pages.matrix import (
    NEVER_STYLE,
    get_color_for_action,
    render_matrix,
    render_numbers,
    render_range,
)
from poker_solver.cli.pages.preflop import combos_text, flow, paragraph, percent, render_legend
from poker_solver.query import action_words
from poker_solver.query.postflop import ComboView, HandGroup, PostflopView, Runout

Look = Literal["strategy", "ev", "equity"]

HELP = (
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
)
EV_NOTE = (
    "EV in chips out of the pot as it lies here: a fold is worth 0, and the two players' EVs sum "
    "to the pot less rake."
)


def chips(value: float) -> str:
    """One decimal, `-` where nobody gets there."""
    return "-" if isnan(value) else f"{round(value, 1) + 0.0:,.1f}"  # -0.0 + 0.0 is 0.0


def render_header(view: PostflopView, *, width: int = 80) -> Text:
    """Board, pot, line, who acts; then both players, and what the numbers are worth."""
    who = {"deal": "a card falls", "fold": "hand over", "showdown": "showdown"}
    behind = f"behind {view.behind[0]:,} and {view.behind[1]:,}"
    acting = f"{view.player} to act" if view.player else who[view.kind]
    first = [_spaced(view.board), f"pot {view.pot:,}", behind, acting]
    if view.num_locked:
        all_of_them = view.num_locked == len(view.combos)
        first.append("locked" if all_of_them else f"{view.num_locked} combos locked")
    text = flow([Text(part, "bold") for part in first], width)
    text.append_text(flow([f"line {view.line}" if view.line else "first decision"], width))
    parts = [
        f"{t.name}: {combos_text(t.combos)} combos, equity {percent(t.equity)}, EV {chips(t.ev)}"
        for t in view.totals
    ]
    text.append_text(flow(parts, width))
    worth = f"exploitability {view.exploitability_pct:.2g} % of the starting pot"
    last = [Text(part, "dim") for part in (worth, f"{view.iterations:,} iterations")]
    return text.append_text(flow(last, width))


def _spaced(cards: str) -> str:
    return " ".join(cards[i : i + 2] for i in range(0, len(cards), 2))


def render_page(
    view: PostflopView, *, look: Look = "strategy", width: int = 80, color: bool = True
) -> Text:
    """Everything about a node in one of three looks."""
    text = render_header(view, width=width).append("\n")
    if not view.player:
        return text.append_text(_nobody_acts(view, width))
    if look == "strategy":
        text.append_text(render_matrix(view, width=width, color=color)).append("\n")
        text.append_text(render_legend(view, width=width, color=color))
    else:
        text.append_text(_number_matrix(view, look, width)).append("\n")
        note = EV_NOTE if look == "ev" else "Equity in % if the hand were checked down from here."
        text.append_text(paragraph(note, width, "dim"))
    return text.append_text(render_actions(view, width=width))


def _nobody_acts(view: PostflopView, width: int) -> Text:
    if view.kind == "deal":
        what = "Pick the card, as in 7d; runouts shows what each would bring."
    elif view.kind == "fold":
        what = "A fold ends the hand; b goes back."
    else:
        what = f"The hands are shown for a pot of {view.pot:,}; b goes back."
    return paragraph(what, width, "bold")


def _number_matrix(view: PostflopView, look: Look, width: int) -> Text:
    numbers, shares = [], []
    for hand in view.hands:
        value = hand.ev if look == "ev" else 100 * hand.equity
        whole = view.pot if look == "ev" else 100
        numbers.append(value if hand.is_here else nan)
        shares.append(value / whole if hand.is_here else nan)
    return render_numbers([hand.name for hand in view.hands], numbers, shares, width=width)


def render_actions(view: PostflopView, *, width: int = 80) -> Text:
    """How often the whole range takes each action."""
    items = []
    for action, share in zip(view.actions, view.frequency, strict=True):
        swatch = (f" {action:<5}", get_color_for_action(action, 1.0))
        items.append(Text.assemble(swatch, f" {percent(share):>7}"))
    return flow([f"{view.player}:", *items], width, gap="  ")


def render_groups(
    view: PostflopView, groups: Sequence[HandGroup], title: str, *, width: int = 80
) -> Text:
    """A row per kind of hand: combos, actions, EV, equity."""
    room = max(min(width - 26, 24), 8)
    head = f"{title:<{room}}{'combos':>8}{'EV':>9}{'equity':>9}"
    columns = _fitting(view.actions, width - len(head))
    text = Text(head + "".join(f"{a:>8}" for a in columns) + "\n", "bold", no_wrap=True)
    for group in groups:
        row = f"{group.name[:room]:<{room}}{combos_text(group.combos):>8}{chips(group.ev):>9}"
        mix = "".join(f"{percent(p):>8}" for p in group.mix.frequency[: len(columns)])
        text.append(f"{row}{percent(group.equity):>9}{mix}\n", "")
    return text


def _fitting(actions: Sequence[str], room: int) -> Sequence[str]:
    return actions[: max(room // 8, 0)]


def render_runouts(rows: Sequence[Runout], *, width: int = 80) -> Text:
    """A row per card: both players' equity and EV, and how often each action is taken."""
    head = f"{'card':<6}{'OOP equity':>11}{'EV':>9}{'IP EV':>9}"
    columns = _fitting(rows[0].actions, width - len(head) - 2) if rows else ()
    who = f"  {rows[0].player}" if rows and rows[0].player else ""
    text = Text(head + "".join(f"{a:>8}" for a in columns) + who + "\n", "bold", no_wrap=True)
    for row in rows:
        oop, ip = row.totals
        numbers = f"{percent(oop.equity):>11}{chips(oop.ev):>9}{chips(ip.ev):>9}"
        mix = "".join(f"{percent(p):>8}" for p in row.frequency[: len(columns)])
        text.append(f"{row.card:<6}{numbers}{mix}\n", "")
    return text


def render_combos(view: PostflopView, combos: Sequence[ComboView], *, width: int = 80) -> Text:
    """The combos of a class, a row each."""
    head = f"{'hand':<6}{'reach':>9}{'EV':>9}{'equity':>9}"
    columns = _fitting(view.actions, width - len(head))
    text = Text(head + "".join(f"{a:>8}" for a in columns) + "\n", "bold", no_wrap=True)
    for combo in combos:
        mix = "".join(f"{percent(p):>8}" for p in combo.mix.frequency[: len(columns)])
        row = f"{combo.name:<6}{percent(combo.reach):>9}{chips(combo.ev):>9}"
        text.append(f"{row}{percent(combo.equity):>9}{mix}\n", "" if combo.reach else NEVER_STYLE)
    return text


def render_combo(view: PostflopView, combo: ComboView, *, width: int = 80) -> Text:
    """One hand: its mix and the EV of each action."""
    after = f" after {view.line}" if view.line else ""
    head = [f"{combo.name}, {view.player} to act{after}", f"gets here {percent(combo.reach)}"]
    head.append(f"equity {percent(combo.equity)}")
    text = flow([Text(part, "bold") for part in head], width)
    text.append(f"  {'action':<11}{'mix':>8}{'EV':>11}\n", "dim")
    rows = zip(view.actions, combo.mix.frequency, combo.ev_actions, strict=True)
    for action, p, ev in rows:
        text.append(f"  {action_words(action):<11}{percent(p):>8}{chips(ev):>11}\n")
    text.append(f"  {'as played':<11}{'':>8}{chips(combo.ev):>11}\n")
    return text.append_text(paragraph(EV_NOTE, width, "dim"))


def render_range_page(
    view: PostflopView, player: int, *, width: int = 80, color: bool = True
) -> Text:
    """What a player holds here."""
    held, total = view.ranges[player], view.totals[player]
    where = f"after {view.line}" if view.line else "at the start"
    title = f"{held.player}'s range {where}: {combos_text(total.combos)} combos"
    text = paragraph(title, width, "bold").append("\n")
    text.append_text(render_range(held, width=width, color=color)).append("\n")
    marks = (
        "# all its combos get here, 43 means 43 % of them (blocked ones count as missing), . none"
    )
    return text.append_text(paragraph(marks, width, "dim"))
