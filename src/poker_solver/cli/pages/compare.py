"""Two solutions side by side as text, from plain values; nothing is printed here."""

from rich.text import Text

from poker_solver.cli.pages.tables import Column, render_table
from poker_solver.cli.pages.text import combos_text, ev_text, money_text, paragraph, percent
from poker_solver.query.compare import Comparison, HandChange, PlayerChange, Two, most_changed
from poker_solver.terminal import figures

NAMES = ("A", "B")


def render_comparison(
    found: Comparison,
    *,
    player: str = "",
    by: str = "class",
    order: str = "ev",
    top: int = 15,
    width: int = 80,
) -> Text:
    """The line, both players, the mixes, then the hands of one player that changed most."""
    text = paragraph(_head(found), width, "bold")
    for name, before, after in found.differs:
        text.append_text(paragraph(f"{name}: {before} -> {after}", width, "dim"))
    text.append("\n").append_text(_players(found, width))
    if found.actions:
        text.append("\n").append_text(_actions(found, width))
    chosen = _chosen(found, player)
    rows = most_changed(
        chosen.hands if by == "class" or not chosen.combos else chosen.combos, order
    )
    text.append("\n").append_text(_hands(found, chosen, rows[:top], width))
    if len(rows) > top:
        text.append_text(
            paragraph(
                f"{len(rows) - top:,} more: poker-solver compare --top {len(rows)}", width, "dim"
            )
        )
    first, second = (figures(facts.exploitability_pct) for facts in found.facts)
    note = (
        "A hand's EV is out of the pot as it lies here. Both solves are a little off "
        f"({first} and {second} % of the pot): hands that are indifferent can be played otherwise "
        "without being worth more."
    )
    return text.append_text(paragraph(note, width, "dim"))


def _head(found: Comparison) -> str:
    first, second = found.line
    where = f"after {first}" if first else "at the start"
    if first != second:
        where = f"after {first} (A) and {second} (B)"
    board = f"{found.board}, " if found.board else ""
    pots = [money_text(facts, pot) for facts, pot in zip(found.facts, found.pot_chips, strict=True)]
    pot = pots[0] if pots[0] == pots[1] else f"{pots[0]} (A) and {pots[1]} (B)"
    who = f", {found.player} to act" if found.player else ""
    return f"{board}{where}{who}, pot {pot}"


def _chosen(found: Comparison, player: str) -> PlayerChange:
    named = {each.name.lower(): each for each in found.players}
    return named.get(player.lower()) or found.acting or found.players[0]


def _players(found: Comparison, width: int) -> Text:
    facts = found.facts
    rows = found.players
    return render_table(
        "",
        [player.name for player in rows],
        [
            *(Column(f"EV {n}", _evs(found, rows, i)) for i, n in enumerate(NAMES)),
            Column("B - A", tuple(_gain(found, row.ev_chips) for row in rows)),
            *(
                Column(f"equity {n}", tuple(percent(row.equity[i]) for row in rows))
                for i, n in enumerate(NAMES)
            ),
        ],
        width=width,
        end="" if facts[0].chips_per_bb is None else "  in bb",
    )


def _actions(found: Comparison, width: int) -> Text:
    text = render_table(
        found.player,
        list(found.actions),
        [
            *(
                Column(n, tuple(percent(pair[i]) for pair in found.frequency))
                for i, n in enumerate(NAMES)
            ),
        ],
        width=width,
    )
    told = f"{percent(found.moved)} of the range is played otherwise, hand by hand."
    return text.append_text(paragraph(told, width))


def _hands(found: Comparison, player: PlayerChange, rows: list[HandChange], width: int) -> Text:
    acts = player.name == found.player
    columns = [
        Column("combos", tuple(_combos(row.num_combos) for row in rows)),
        *(
            Column(f"EV {n}", tuple(ev_text(found.facts[i], row.ev_chips[i]) for row in rows))
            for i, n in enumerate(NAMES)
        ),
        Column("B - A", tuple(_gain(found, row.ev_chips) for row in rows)),
    ]
    if acts:
        columns.append(Column("otherwise", tuple(percent(row.moved) for row in rows)))
        columns += [
            Column(f"{action} {n}", tuple(percent(row.frequency[a][i]) for row in rows))
            for a, action in enumerate(found.actions)
            for i, n in enumerate(NAMES)
        ]
    return render_table(player.name, [row.name for row in rows], columns, width=width)


def _evs(found: Comparison, rows: tuple[PlayerChange, ...], which: int) -> tuple[str, ...]:
    return tuple(ev_text(found.facts[which], row.ev_chips[which]) for row in rows)


def _gain(found: Comparison, ev_chips: Two) -> str:
    facts, gain = found.facts[0], ev_chips[1] - ev_chips[0]
    if facts.chips_per_bb is not None or gain != gain:
        return ev_text(facts, gain)
    return f"{gain + 0.0:+,.2f}"


def _combos(pair: Two) -> str:
    first, second = map(combos_text, pair)
    return first if first == second else f"{first}/{second}"
