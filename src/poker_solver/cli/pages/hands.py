"""Pages about single hands and tables of hands, from plain values; nothing is printed here."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from poker_solver.cli.pages.matrix import NEVER_STYLE, get_color_for_action
from poker_solver.cli.pages.text import combos_text, ev_note, ev_text, flow, paragraph, percent
from poker_solver.query.node import HandView, NodeView, action_words
from poker_solver.query.runouts import Runout


def render_hand(view: NodeView, hand: HandView, *, combo: str = "", width: int = 80) -> Text:
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
    for action, p, ev in rows:
        text.append(f"  {action_words(action):<11}{percent(p):>8}{ev_text(view.facts, ev):>11}")
        if bar := "#" * round(p * room):
            color = get_color_for_action(action, 1.0).rsplit(" ", 1)[1]
            text.append("  ").append(bar, f"{color} on {color}")
        text.append("\n")
    text.append(f"  {'as played':<11}{'':>8}{ev_text(view.facts, hand.ev_chips):>11}\n")
    text.append_text(paragraph(ev_note(view.facts), width, "dim"))
    if combo:
        cards = f"{combo[:2]} or {combo[2:]}"
        gone = f"{view.opponent.name} cannot hold {cards}: o shows the range without them."
        text.append_text(paragraph(gone, width))
    return text


def render_combos(view: NodeView, combos: Iterable[HandView], *, width: int = 80) -> Text:
    """The combos of a class, a row each."""
    rows = [
        (
            f"{combo.name:<6}{percent(combo.reach):>9}{ev_text(view.facts, combo.ev_chips):>9}"
            f"{percent(combo.equity):>9}",
            combo.mix.frequency,
            "" if combo.reach else NEVER_STYLE,
        )
        for combo in combos
    ]
    return _table(f"{'hand':<6}{'reach':>9}{'EV':>9}{'equity':>9}", view.actions, rows, width)


def render_groups(
    view: NodeView, groups: Iterable[HandView], title: str, *, width: int = 80
) -> Text:
    """A row per kind of hand: combos, actions, EV, equity."""
    room = max(min(width - 26, 24), 8)
    rows = [
        (
            f"{group.name[:room]:<{room}}{combos_text(group.num_combos):>8}"
            f"{ev_text(view.facts, group.ev_chips):>9}{percent(group.equity):>9}",
            group.mix.frequency,
            "",
        )
        for group in groups
    ]
    head = f"{title:<{room}}{'combos':>8}{'EV':>9}{'equity':>9}"
    return _table(head, view.actions, rows, width)


def render_runouts(view: NodeView, runouts: Sequence[Runout], *, width: int = 80) -> Text:
    """A row per card: both players' equity and EV, and how often each action is taken."""
    rows = [
        (
            f"{row.card:<6}{percent(row.equity[0]):>11}"
            f"{ev_text(view.facts, row.ev_chips[0]):>9}{ev_text(view.facts, row.ev_chips[1]):>9}",
            row.frequency,
            "",
        )
        for row in runouts
    ]
    first = runouts[0]
    who = f"  {first.player}" if first.player else ""
    head = f"{'card':<6}{'OOP equity':>11}{'EV':>9}{'IP EV':>9}"
    return _table(head, first.actions, rows, width, who)


def _table(
    head: str,
    actions: Sequence[str],
    rows: Iterable[tuple[str, Sequence[float], str]],
    width: int,
    end: str = "",
) -> Text:
    """Rows of text, frequencies and style; as many actions as fit."""
    shown = actions[: max((width - len(head) - len(end)) // 8, 0)]
    text = Text(head + "".join(f"{a:>8}" for a in shown) + end + "\n", "bold", no_wrap=True)
    for begin, mix, style in rows:
        text.append(begin + "".join(f"{percent(p):>8}" for p in mix[: len(shown)]) + "\n", style)
    return text
