"""1,326 weights to range text, the shortest that reads back exactly."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.classes import (
    CLASS_COMBOS,
    CLASS_RANKS,
    COMBO_CLASS,
    FIRST_OFFSUIT,
    NUM_CLASSES,
)
from poker_solver.cards.combos import NUM_COMBOS, combo_to_string
from poker_solver.cards.ranges.hands import Hands
from poker_solver.errors import InputError

Weights = NDArray[np.float64]


def format_range(weights: ArrayLike) -> str:
    """[1326] weights -> text that `parse_range` reads back exactly; empty if all are 0.

    Short: runs along the kicker become `A9s+` or `A5s-A2s`, equal suited and offsuit runs become
    one, and lone hands in a diagonal row of three or more become `JTs-54s`. No two tokens
    overlap, so the text does not depend on which one a reader lets win.
    """
    values = check_weights(weights)
    if values[0] > 0 and (values == values[0]).all():
        return "random" + _suffix(values[0])
    by_class = np.array([_common(values[combos]) for combos in CLASS_COMBOS])  # NaN: they differ
    tokens = list(_combo_tokens(values, by_class))
    for weight in sorted({*by_class[by_class > 0].tolist()}):
        chosen = by_class == weight
        tokens += [(key, text + _suffix(weight)) for key, text in _class_tokens(chosen)]
    return ",".join(text for _, text in sorted(tokens))


def check_weights(weights: ArrayLike) -> Weights:
    """[1326] float64 between 0 and 1, or an error that says what is wrong."""
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (NUM_COMBOS,):
        raise InputError(f"range weights have shape {values.shape}, want [{NUM_COMBOS}]")
    wrong = ~((values >= 0.0) & (values <= 1.0))
    if wrong.any():
        combo = int(np.argmax(wrong))
        name = combo_to_string(combo)
        raise InputError(f"range weight of {name} is {values[combo]}, want 0 to 1")
    return values


# A token's place in the text: pairs first, then by high card, both before suited before offsuit,
# kicker and combo descending.
_Key = tuple[int, int, int, int, int]
_KINDS = ("", "s", "o")


def _key(start: Hands, combo: int = NUM_COMBOS) -> _Key:
    return not start.is_pair, -start.high, _KINDS.index(start.kind), -start.low, -combo


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{float(weight)!r}"


def _common(values: Weights) -> float:
    return float(values[0]) if (values == values[0]).all() else float("nan")


def _class_at(index: int) -> Hands:
    high, low = CLASS_RANKS[index]
    return Hands(high, low, "" if high == low else "o" if index >= FIRST_OFFSUIT else "s")


def _combo_tokens(values: Weights, by_class: Weights) -> Iterator[tuple[_Key, str]]:
    """Combos of the classes whose weights differ, one by one."""
    for combo in np.flatnonzero((values > 0) & np.isnan(by_class)[COMBO_CLASS]).tolist():
        start = _class_at(int(COMBO_CLASS[combo]))
        yield _key(start, combo), combo_to_string(combo) + _suffix(values[combo])


def _class_tokens(chosen: NDArray[np.bool_]) -> Iterator[tuple[_Key, str]]:
    """The fewest runs that cover these classes [169], row by row."""
    hands = [_class_at(index) for index in range(NUM_CLASSES) if chosen[index]]
    pairs = [hand.high for hand in hands if hand.is_pair]
    for top, bottom in _runs(pairs):
        start, last = Hands(top, top, ""), Hands(bottom, bottom, "")
        yield _key(start), _run_text(start, last, reaches_top=top == 12)
    lone = []
    for high in range(12, 0, -1):
        suited, offsuit = (
            _runs([hand.low for hand in hands if hand.high == high and hand.kind == kind])
            for kind in ("s", "o")
        )
        both = [run for run in suited if run in offsuit]
        for kind, runs in (("", both), ("s", suited), ("o", offsuit)):
            for top, bottom in runs:
                if kind and (top, bottom) in both:
                    continue
                start, last = Hands(high, top, kind), Hands(high, bottom, kind)
                if start == last:
                    lone.append(start)
                else:
                    yield _key(start), _run_text(start, last, reaches_top=top == high - 1)
    yield from _lone_tokens(lone)


def _runs(ranks: list[int]) -> list[tuple[int, int]]:
    """Descending ranks -> (top, bottom) of each stretch without a gap."""
    runs: list[tuple[int, int]] = []
    for rank in ranks:
        if runs and runs[-1][1] == rank + 1:
            runs[-1] = runs[-1][0], rank
        else:
            runs.append((rank, rank))
    return runs


def _run_text(first: Hands, last: Hands, reaches_top: bool) -> str:
    if first == last:
        return str(first)
    return f"{last}+" if reaches_top else f"{first}-{last}"


def _lone_tokens(lone: list[Hands]) -> Iterator[tuple[_Key, str]]:
    left = set(lone)
    for start in lone:  # from the highest card down, so a diagonal is met at its top
        if start not in left:
            continue
        line = [start]
        while (below := Hands(line[-1].high - 1, line[-1].low - 1, start.kind)) in left:
            line.append(below)
        if len(line) < 3:
            line = [start]
        left -= set(line)
        yield _key(start), _run_text(start, line[-1], reaches_top=False)
