"""Range text, as players paste it, to 1,326 weights and back; not the preflop hand classes.

Tokens, by commas or spaces, may end in `:weight`; docs/cards-and-equity.md lists them. `AKs` is
suited, `AKo` offsuit, `AK` both. A later token overrides an earlier one where they overlap.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.cards import RANKS, card_from_string
from poker_solver.cards.classes import (
    CLASS_COMBOS,
    CLASS_RANKS,
    COMBO_CLASS,
    FIRST_OFFSUIT,
    NUM_CLASSES,
    canonical_index,
    hand_name,
)
from poker_solver.cards.combos import NUM_COMBOS, combo_index, combo_to_string
from poker_solver.errors import InputError

NOTATION = "ranges are written QQ+, 99-22, AKs, AKo, AK (both), A5s-A2s:0.5, AhKh or random"
EVERYTHING = ("random", "any", "100%")

_SPACED = re.compile(r"\s*([-:])\s*|\s+(\+)")
_SEPARATOR = re.compile(r"[,;\s]+")

Weights = NDArray[np.float64]


class _Class(NamedTuple):
    """Two ranks, high >= low, and `s`, `o`, or `` for a pair or for both."""

    high: int
    low: int
    kind: str

    def __str__(self) -> str:
        first = hand_name(self._classes()[0])
        return first if self.kind else first[:2]

    @property
    def is_pair(self) -> bool:
        return self.high == self.low

    def combos(self) -> NDArray[np.int16]:
        return np.concatenate([CLASS_COMBOS[index] for index in self._classes()])

    def _classes(self) -> list[int]:
        """Of the 169: two where it is both."""
        suited = [True, False] if not self.kind and not self.is_pair else [self.kind == "s"]
        ranks = RANKS[self.high], RANKS[self.low]
        return [canonical_index(*ranks, s) for s in suited]


def parse_range(text: str) -> Weights:
    """Range text -> [1326] weights from 0 to 1; every wrong token is named in the error."""
    return _parsed(text).copy()


@lru_cache(maxsize=128)
def _parsed(text: str) -> Weights:
    tidy = _SPACED.sub(r"\1\2", text.replace("–", "-")).strip(" ,;\t\r\n")
    if not tidy:
        raise InputError(f"range is empty; {NOTATION}")
    weights, problems = np.zeros(NUM_COMBOS), []
    for token in _SEPARATOR.split(tidy):
        try:
            hands, weight = _split_weight(token)
            weights[_combos_of(hands)] = weight
        except InputError as error:
            problems.append(f"range token {token!r}: {error}")
    if problems:
        raise InputError("; ".join([*problems, NOTATION]))
    return weights


def _split_weight(token: str) -> tuple[str, float]:
    hands, colon, number = token.partition(":")
    if not colon:
        return hands, 1.0
    try:
        weight = float(number)
    except ValueError:
        raise InputError(f"weight {number!r} is not a number") from None
    if not isfinite(weight) or not 0.0 <= weight <= 1.0:
        raise InputError(f"weight {number} is not between 0 and 1")
    return hands, weight


def _combos_of(hands: str) -> NDArray[np.integer]:
    if hands.lower() in EVERYTHING:
        return np.arange(NUM_COMBOS)
    if "-" in hands:
        first, _, last = hands.partition("-")
        return np.concatenate([c.combos() for c in _span(_class(first), _class(last))])
    if hands.endswith("+"):
        return np.concatenate([c.combos() for c in _and_better(_class(hands[:-1]))])
    if len(hands) == 4:
        first_card, second_card = card_from_string(hands[:2]), card_from_string(hands[2:])
        if first_card == second_card:
            raise InputError("the same card twice")
        return np.array([combo_index(first_card, second_card)])
    return _class(hands).combos()


def _class(text: str) -> _Class:
    if not text:
        raise InputError("a hand is missing")
    if len(text) not in (2, 3):
        raise InputError(f"{text!r} is not a hand like AA, AKs, AKo or AK")
    ranks = [RANKS.find(letter.upper()) for letter in text[:2]]
    for rank, letter in zip(ranks, text[:2], strict=True):
        if rank < 0:
            raise InputError(f"{letter!r} is not a rank")
    kind = text[2:].lower()
    if kind not in ("", "s", "o"):
        raise InputError(f"{text[2]!r} is neither 's' nor 'o'")
    found = _Class(max(ranks), min(ranks), kind)
    if found.is_pair and kind:
        raise InputError(f"a pair is neither suited nor offsuit, write {text[:2]}")
    return found


def _and_better(start: _Class) -> list[_Class]:
    if start.is_pair:
        return [_Class(rank, rank, "") for rank in range(start.high, 13)]
    return [start._replace(low=low) for low in range(start.low, start.high)]


def _span(first: _Class, last: _Class) -> list[_Class]:
    if first.is_pair != last.is_pair or first.kind != last.kind:
        raise InputError(f"{first} and {last} are not of one kind")
    if first < last:
        first, last = last, first
    num_steps = first.low - last.low + 1
    if first.high == last.high:
        return [first._replace(low=first.low - i) for i in range(num_steps)]
    if first.high - first.low == last.high - last.low:
        return [_Class(first.high - i, first.low - i, first.kind) for i in range(num_steps)]
    raise InputError(f"{first} and {last} share neither the high card nor the gap")


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


def _key(start: _Class, combo: int = NUM_COMBOS) -> _Key:
    return not start.is_pair, -start.high, _KINDS.index(start.kind), -start.low, -combo


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{float(weight)!r}"


def _common(values: Weights) -> float:
    return float(values[0]) if (values == values[0]).all() else float("nan")


def _class_at(index: int) -> _Class:
    high, low = CLASS_RANKS[index]
    return _Class(high, low, "" if high == low else "o" if index >= FIRST_OFFSUIT else "s")


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
        start, last = _Class(top, top, ""), _Class(bottom, bottom, "")
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
                start, last = _Class(high, top, kind), _Class(high, bottom, kind)
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


def _run_text(first: _Class, last: _Class, reaches_top: bool) -> str:
    if first == last:
        return str(first)
    return f"{last}+" if reaches_top else f"{first}-{last}"


def _lone_tokens(lone: list[_Class]) -> Iterator[tuple[_Key, str]]:
    left = set(lone)
    for start in lone:  # from the highest card down, so a diagonal is met at its top
        if start not in left:
            continue
        line = [start]
        while (below := _Class(line[-1].high - 1, line[-1].low - 1, start.kind)) in left:
            line.append(below)
        if len(line) < 3:
            line = [start]
        left -= set(line)
        yield _key(start), _run_text(start, line[-1], reaches_top=False)
