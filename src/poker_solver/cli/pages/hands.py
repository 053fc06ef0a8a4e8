"""Pages about single hands and tables of hands, from plain values; nothing is printed here."""

from collections.abc import Sequence

from rich.text import Text

from poker_solver.cli.pages.matrix import LOCK_MARK, NEVER_STYLE, action_colors
from poker_solver.cli.pages.tables import Column, render_table
from poker_solver.cli.pages.text import (
    ROUGH_MARK,
    ROUGH_NOTE,
    combos_text,
    ev_note,
    flow,
    paragraph,
    percent,
    rough_text,
    whole_percent,
)
from poker_solver.explore.shown import ShowPicked
from poker_solver.query.node import HandView, NodeView, action_words
from poker_solver.query.palette import STANDARD, Palette


def render_hand(
    view: NodeView,
    hand: HandView,
    *,
    combo: str = "",
    width: int = 80,
    palette: Palette = STANDARD,
) -> Text:
    """The full mix of one hand, the EV of each action, and how often it gets here."""
    name = f"{combo} ({hand.name})" if combo else hand.name
    after = f" after {view.line}" if view.line else ""
    head = [f"{name}, {view.player} to act{after}", f"gets here {percent(hand.reach)}"]
    if view.board:
        head.append(f"equity {percent(hand.equity)}")
    elif not combo:
        head.append(f"{hand.num_dealt} combos")
    text = flow([Text(part, "bold") for part in head], width)
    if not hand.is_here:
        never = "It never gets here; what it would do is not worked out."
        text.append_text(paragraph(never, width, NEVER_STYLE))
    room = max(min(width - 38, 40), 0)
    text.append(f"  {'action':<11}{'mix':>8}{'EV':>11}\n", "dim")
    rows = zip(view.actions, hand.mix.frequency, hand.ev_actions_chips, strict=True)
    facts, rough, colors = view.facts, view.rough_actions, action_colors(view, palette)
    for action, p, ev in rows:
        worth = rough_text(facts, ev, action in rough)
        text.append(f"  {action_words(action):<11}{percent(p):>8}{worth:>11}")
        if bar := "#" * round(p * room):
            color = colors[action]
            text.append("  ").append(bar, f"{color} on {color}")
        text.append("\n")
    text.append(f"  {'as played':<11}{'':>8}{rough_text(facts, hand.ev_chips, view.rare):>11}\n")
    if best := view.better(hand):
        action, more = best
        gain = rough_text(facts, more, action in rough)
        what = f"{action_words(action)} alone would be worth {gain} more than that."
        text.append_text(paragraph(what.capitalize(), width, "bold"))
    if ROUGH_MARK in text.plain:
        text.append_text(paragraph(ROUGH_NOTE, width, "dim"))
    text.append_text(paragraph(ev_note(facts), width, "dim"))
    if combo:
        cards = f"{combo[:2]} or {combo[2:]}"
        gone = f"{view.opponent.name} cannot hold {cards}: o shows the range without them."
        text.append_text(paragraph(gone, width))
    return text


def render_combos(view: NodeView, combos: Sequence[HandView], *, width: int = 80) -> Text:
    """The combos of a class, a row each."""
    columns = [
        Column("reach", tuple(percent(combo.reach) for combo in combos)),
        *_worth(view, combos),
        *_mixes(combos),
    ]
    better = [view.better(combo) for combo in combos]
    if any(better):
        columns.append(Column("better", tuple(_gain_text(view, found) for found in better)))
    styles = ["" if combo.reach else NEVER_STYLE for combo in combos]
    names = [f"{combo.name}{LOCK_MARK if combo.is_locked else ''}" for combo in combos]
    return render_table("hand", names, columns, width=width, styles=styles)


def _gain_text(view: NodeView, found: tuple[str, float] | None) -> str:
    """`r8 +0.063`, an action that a hand should play more."""
    if found is None:
        return ""
    action, more = found
    gain = rough_text(view.facts, more, action in view.rough_actions)
    return f"{action} +{gain.removeprefix('+')}"


def render_groups(
    view: NodeView, groups: Sequence[HandView], title: str, *, player: str = "", width: int = 80
) -> Text:
    """A row per kind of hand: combos, EV, equity, EQR; actions where its player is to act."""
    columns = [
        Column("combos", tuple(combos_text(group.num_combos) for group in groups)),
        *_worth(view, groups),
        *_mixes(groups),
    ]
    whose = f"  {player}" if player and player != view.player else ""
    names = [group.name for group in groups]
    return render_table(title, names, columns, width=width, end=whose)


def render_picked(shown: ShowPicked, *, width: int = 80) -> Text:
    """Hands that a filter picks: all of them together, then one by one."""
    view, player, both = shown.view, shown.player, shown.together
    share = both.num_combos / player.num_combos if player.num_combos else 0.0
    combos = f"{combos_text(both.num_combos)} combos, {percent(share)} of its range here"
    text = flow([Text(f"{player.name}: {shown.wanted}", "bold"), combos], width)
    return text.append_text(render_combos(view, (both, *shown.hands), width=width))


def _worth(view: NodeView, hands: Sequence[HandView]) -> list[Column]:
    return [
        Column("EV", tuple(rough_text(view.facts, hand.ev_chips, view.rare) for hand in hands)),
        Column("equity", tuple(percent(hand.equity) for hand in hands)),
        Column("EQR", tuple(whole_percent(view.realised(hand)) for hand in hands), 6),
    ]


def _mixes(hands: Sequence[HandView]) -> list[Column]:
    """A column per action; of hands whose player does not act there is none."""
    return [
        Column(action, tuple(percent(hand.mix.frequency[number]) for hand in hands))
        for number, action in enumerate(hands[0].mix.actions if hands else ())
    ]
