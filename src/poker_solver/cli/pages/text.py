"""Numbers and paragraphs as all pages write them."""

from collections.abc import Iterable, Sequence
from math import isnan
from textwrap import wrap

from rich.text import Text

from poker_solver.query.node import TOO_EARLY_PCT, SolveFacts


def percent(p: float) -> str:
    """One decimal, `-` where there is nothing to tell."""
    return "-" if isnan(p) else f"{100 * p:.1f} %"


def whole_percent(p: float) -> str:
    """No decimals, `-` where there is nothing to tell."""
    return "-" if isnan(p) else f"{100 * p:.0f} %"


def ev_text(facts: SolveFacts, ev_chips: float) -> str:
    """`+0.725` in bb, `1,234.5` in chips, `-` where nobody gets there."""
    if isnan(ev_chips):
        return "-"
    if facts.chips_per_bb is None:
        return f"{round(ev_chips, 1) + 0.0:,.1f}"  # -0.0 + 0.0 is 0.0
    text = f"{facts.money(ev_chips):+.3f}"
    return "+0.000" if text == "-0.000" else text


ROUGH_MARK = "?"
ROUGH_NOTE = f"{ROUGH_MARK} hardly anybody plays this, so what it is worth was hardly learned."


def rough_text(facts: SolveFacts, ev_chips: float, is_rough: object) -> str:
    """The same, marked where nobody's play supports it."""
    text = ev_text(facts, ev_chips)
    return f"{text}{ROUGH_MARK}" if is_rough and text != "-" else text


TOO_EARLY = f"too early to use: solve on until it is well below {TOO_EARLY_PCT:g} %"
CHECK_ONLY = "check-only: no bets were given, so nobody can bet; --bet 50% --raise 60% gives some"


def ev_note(facts: SolveFacts) -> str:
    """What an EV is counted in and from."""
    unit = "chips" if facts.chips_per_bb is None else "bb"
    return (
        f"EV in {unit} out of the pot as it lies here: a fold is worth 0, and the two players' EVs "
        "sum to the pot less rake."
    )


def money_text(facts: SolveFacts, chips: int) -> str:
    """`2.5 bb`, or `1,650`."""
    return f"{chips:,}" if facts.chips_per_bb is None else f"{facts.money(chips):g} bb"


def combos_text(combos: float) -> str:
    """One decimal, none where it is whole; a few are never 0."""
    if 0 < combos < 0.05:
        return "<0.1"
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
    """A sentence in lines of at most `width`; what is appended to it does not take its style."""
    lines = hanging("", sentence.split(), width) + "\n"
    return Text(no_wrap=True, overflow="crop").append(lines, style)


def hanging(head: str, words: Sequence[str], width: int) -> str:
    """Words in lines of at most `width`, all but the first indented under it."""
    room = max(width - len(head), 12)
    lines = wrap(" ".join(words), room, break_long_words=False, break_on_hyphens=False)
    return head + f"\n{' ' * len(head)}".join(lines)
