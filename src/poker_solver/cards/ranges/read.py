"""Range text to 1,326 weights, in the spellings of the tools that players paste from.

docs/cards-and-equity.md lists them. `AKs` is suited, `AKo` offsuit, `AK` both. A later token
overrides an earlier one where they overlap. Reading takes time in proportion to the text.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import plain_cards
from poker_solver.cards.combos import NUM_COMBOS
from poker_solver.cards.ranges.hands import and_better, read_hands, span, with_any_lower
from poker_solver.cards.ranges.top import top_combos
from poker_solver.errors import InputError

NOTATION = (
    "ranges are written QQ+, 99-22, AKs, AKo, AK (both), A5s-A2s:0.5, [50]AQs[/50], AhKh, 15% "
    "(the best hands) or random"
)
EVERYTHING = ("random", "any")
MOST_NAMED = 8
"""Wrong tokens that an error names; the others are counted."""

LONGEST = 40
"""Letters of a token; more cannot mean anything."""

_TAG = re.compile(r"\[([^\[\]]*)\]")
_SEPARATOR = re.compile(r"[,;]")
_PERCENT = re.compile(r"(?:top)?(\d{1,3}(?:\.\d{0,9})?|\.\d{1,9})%", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{0,9})?|\.\d{1,9}")


def parse_range(text: str) -> NDArray[np.float64]:
    """Range text -> [1326] weights from 0 to 1; every wrong token is named in the error."""
    return _parsed(text).copy()


@lru_cache(maxsize=128)
def _parsed(text: str) -> NDArray[np.float64]:
    weights, problems, num_tokens = np.zeros(NUM_COMBOS), [], 0
    for token, group in _grouped_tokens(text):
        num_tokens += 1
        try:
            if len(token) > LONGEST:
                raise InputError("is longer than any hand")
            hands, weight = _split_weight(token)
            if group is not None and weight is not None:
                raise InputError(f"has a weight of its own inside [{group}]")
            if group is not None:
                weight = _percent(group)
            weights[_combos_of(hands)] = 1.0 if weight is None else weight
        except InputError as error:
            problems.append(f"range token {_cut(token)!r}: {error}")
    if not num_tokens:
        raise InputError(f"range is empty; {NOTATION}")
    if len(problems) > MOST_NAMED:
        problems[MOST_NAMED:] = [f"and {len(problems) - MOST_NAMED:,} more"]
    if problems:
        raise InputError("; ".join([*problems, NOTATION]))
    return weights


def _cut(token: str) -> str:
    return token if len(token) <= LONGEST else token[:LONGEST] + "..."


def _grouped_tokens(text: str) -> Iterator[tuple[str, str | None]]:
    """Each token, and the number of the `[50] ... [/50]` it stands in."""
    group, start = None, 0
    for tag in _TAG.finditer(text):
        yield from ((token, group) for token in _tokens(text[start : tag.start()]))
        inside, start = tag[1].strip(), tag.end()
        if not inside.startswith("/"):
            if group is not None:
                raise InputError(f"range: [{_cut(inside)}] inside [{group}]; close it, [/{group}]")
            try:
                _percent(inside)
            except InputError as error:
                raise InputError(f"range: [{_cut(inside)}]: {error}") from None
            group = inside
        elif group is None:
            raise InputError(f"range: [{_cut(inside)}] closes nothing; write [50]AKs,AQs[/50]")
        elif inside[1:].strip() not in ("", group):
            raise InputError(f"range: [{group}] is closed by [{_cut(inside)}]")
        else:
            group = None
    if group is not None:
        raise InputError(f"range: [{group}] is never closed; write [{group}]AKs,AQs[/{group}]")
    yield from ((token, None) for token in _tokens(text[start:]))


def _tokens(text: str) -> Iterator[str]:
    """By commas and spaces; spaces around `-`, `:`, `@`, before `+` and after `top` do not part."""
    for part in _SEPARATOR.split(text.replace("–", "-")):
        pieces: list[str] = []
        for word in part.split():
            joined = word[0] in "-:@+%" or (pieces and _goes_on(pieces[-1]))
            if pieces and not joined:
                yield "".join(pieces)
                pieces = []
            pieces.append(word)
        if pieces:
            yield "".join(pieces)


def _goes_on(word: str) -> bool:
    return word[-1] in "-:@" or word.lower() == "top"


def _split_weight(token: str) -> tuple[str, float | None]:
    """The hands, and the weight after `:` (0.5 or 50%) or `@` (50)."""
    for sign in ":@":
        hands, found, number = token.partition(sign)
        if not found:
            continue
        if _is_percent(sign, number):
            return hands, _percent(number.removesuffix("%"))
        return hands, _weight(number)
    return token, None


def _is_percent(sign: str, number: str) -> bool:
    if number.endswith("%"):
        return True
    if sign == "@" and _NUMBER.fullmatch(number) and 0 < float(number) <= 1:
        raise InputError(f"@{number} may be :{number} or @{number}%; write one of them")
    return sign == "@"


def _weight(number: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        raise InputError(f"weight {number!r} is not a number") from None
    if not isfinite(weight) or not 0.0 <= weight <= 1.0:
        hint = f"; in percent it is :{number}%" if 1.0 < weight <= 100.0 else ""
        raise InputError(f"weight {number} is not between 0 and 1{hint}")
    return weight


def _percent(number: str) -> float:
    if not _NUMBER.fullmatch(number) or float(number) > 100:
        raise InputError(f"weight {_cut(number)!r} is not a percentage from 0 to 100")
    return float(Fraction(number) / 100)


def _combos_of(hands: str) -> NDArray[np.integer]:
    if hands.lower() in EVERYTHING:
        return np.arange(NUM_COMBOS)
    if share := _PERCENT.fullmatch(hands):
        return _top(Fraction(share[1]) / 100)
    if "-" in hands:
        first, _, last = hands.partition("-")
        found = span(read_hands(first), read_hands(last))
    elif hands.endswith("+"):
        found = and_better(read_hands(hands[:-1]))
    elif (any_lower := plain_cards(hands))[1:2] in ("x", "X", "*"):
        found = with_any_lower(any_lower)
    else:
        return read_hands(hands).combos()
    return np.concatenate([one.combos() for one in found])


def _top(share: Fraction) -> NDArray[np.integer]:
    if not 0 < share <= 1:
        raise InputError("want more than 0 % and at most 100 % of all hands")
    return top_combos(share)
