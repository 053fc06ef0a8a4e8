"""Text of hand histories, whatever room it is from: hand by hand, each read or left out."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from poker_solver.errors import InputError
from poker_solver.play.review import HandToReview
from poker_solver.protocols.histories.convert import ReadHand, as_poker_hand
from poker_solver.protocols.histories.phh import TABLE, VARIANT, read_phh
from poker_solver.protocols.histories.records import HandHistory, Skipped
from poker_solver.protocols.histories.text import HEAD, read_hand_text

MOST_BYTES, MOST_HANDS = 5_000_000, 10_000
"""Of one reading."""

_WANTED = "want PokerStars or GGPoker hands in English, or PHH"
_OTHER_LANGUAGE = re.compile(r"PokerStars[^\n]{0,40}#?\s?\d{6}", re.IGNORECASE)


@dataclass(frozen=True)
class Histories:
    """What was found in a text."""

    hands: tuple[ReadHand, ...]  # heads-up, in the order of the text
    skipped: tuple[Skipped, ...]

    @property
    def reasons(self) -> dict[str, int]:
        """Why hands were left out, and how many; the most first."""
        return dict(Counter(one.why for one in self.skipped).most_common())

    def to_review(self, name: str = "") -> tuple[HandToReview, ...]:
        """The seats of all hands to review; see `ReadHand`."""
        return tuple(seat for hand in self.hands for seat in hand.to_review(name))


def read_histories(given: str | bytes) -> Histories:
    """Hands of PokerStars, GGPoker or PHH text; what cannot be used is left out, with the reason.

    A text without any hand, or one that is too large, is an `InputError`.
    """
    text = _text(given)
    hands, skipped, count = list[ReadHand](), list[Skipped](), 0
    for name, part in _parts(text):
        count += 1
        if count > MOST_HANDS:
            raise InputError(f"more than {MOST_HANDS:,} hands, want {MOST_HANDS:,} at most")
        try:
            hands.append(as_poker_hand(_history(name, part)))
        except InputError as error:
            skipped.append(Skipped(name, " ".join(str(error).split())))
    if not count:
        if _OTHER_LANGUAGE.search(text):
            raise InputError(f"hands in another language; {_WANTED}")
        raise InputError(f"no hand was found; {_WANTED}")
    return Histories(tuple(hands), tuple(skipped))


def _text(given: str | bytes) -> str:
    size = len(given)
    if size > MOST_BYTES:
        raise InputError(f"{size:,} bytes of hand histories, want {MOST_BYTES:,} at most")
    if isinstance(given, bytes):
        try:
            wide = given.startswith((b"\xff\xfe", b"\xfe\xff"))
            given = given.decode("utf-16" if wide else "utf-8")
        except UnicodeDecodeError:
            raise InputError(f"not text in UTF-8; {_WANTED}") from None
    return given.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of every hand, and what to call it."""
    lines = text.split("\n")
    is_phh = any(VARIANT.match(line) for line in lines)
    part, name = list[str](), "1" if is_phh else ""
    for raw in lines:
        line = raw.lstrip("\ufeff")
        head = (TABLE.fullmatch if is_phh else HEAD.match)(line)
        if head is not None:
            if name and _says_something(part):
                yield name, part
            name, part = head[1] if is_phh else head["id"], []
            if is_phh:
                continue
        part.append(line)
    if name and _says_something(part):
        yield name, part


def _says_something(lines: list[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def _history(name: str, lines: list[str]) -> HandHistory:
    if HEAD.match(lines[0]):
        return read_hand_text(lines)
    return read_phh("\n".join(lines), name)
