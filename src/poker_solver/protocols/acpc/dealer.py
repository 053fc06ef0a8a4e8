"""Our own dealer: two programs that speak ACPC play a match over TCP, each at its own port.

Whoever goes away, or does not answer in time, checks and folds for the rest of the match: the
match runs to its end. What cannot be read is told in one line and waited over.
"""

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from poker_solver.errors import PokerSolverError
from poker_solver.games.betting import BB, SB
from poker_solver.play.deals import deal
from poker_solver.play.hand import PokerHand
from poker_solver.protocols.acpc.lines import (
    END,
    VERSION_LINE,
    betting_of,
    cards_text,
    is_comment,
    legal_token,
    send_at_once,
    state_line,
)

_MOST_BYTES = 65_536
"""That are read without an end of line before a client is sent away."""


@dataclass(frozen=True)
class DealerConfig:
    """A match; seat 0 is the big blind."""

    num_hands: int
    stack_chips: int = 20_000
    seed: int = 0
    names: tuple[str, str] = ("Alice", "Bob")
    host: str = "127.0.0.1"
    ports: tuple[int, int] = (0, 0)  # 0: any that is free
    start_s: float = 600.0  # how long players are waited for
    response_s: float = 600.0  # and an answer


@dataclass
class Seat:
    """A connection, and what came over it that is not yet read."""

    name: str
    tell: Callable[[str], None]
    wire: socket.socket | None = None
    _come: bytes = b""

    def send(self, line: str) -> None:
        """A line, unless it has gone."""
        if self.wire is None:
            return
        try:
            self.wire.settimeout(10)
            self.wire.sendall((line + END).encode())
        except OSError as error:
            self.leave(f"is gone: {error.strerror or error}")

    def leave(self, why: str) -> None:
        """It checks and folds from now on."""
        self.tell(f"{self.name} {why}; checks and folds from now on")
        self.forget()

    def forget(self) -> None:
        """Close the connection, and forget what came over it."""
        if self.wire is not None:
            self.wire.close()
        self.wire, self._come = None, b""

    def lines(self, until: float) -> Iterator[str]:
        """What it says before a moment, line by line."""
        while self.wire is not None:
            line, found, rest = self._come.partition(b"\n")
            if found:
                self._come = rest
                yield line.rstrip(b"\r").decode("ascii", "replace")
                continue
            left = until - time.monotonic()
            if left <= 0:
                self.leave("did not answer in time")
                return
            try:
                self.wire.settimeout(left)
                come = self.wire.recv(4096)
            except TimeoutError:
                continue
            except OSError as error:
                self.leave(f"is gone: {error.strerror or error}")
                return
            self._come += come
            if not come or len(self._come) > _MOST_BYTES:
                self.leave("is gone" if not come else "sends lines without an end")
                return


@dataclass
class Dealer:
    """Opens both ports, waits for the players, plays the match."""

    config: DealerConfig
    tell: Callable[[str], None] = lambda _: None
    log: Callable[[str], None] = lambda _: None
    score: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        self._doors: list[socket.socket] = []
        for port in self.config.ports:
            try:
                self._doors.append(socket.create_server((self.config.host, port)))
            except OSError as error:
                self.close()
                where = f"{self.config.host}:{port}"
                raise PokerSolverError(f"{where}: {error.strerror or error}") from error
        self.ports = tuple(door.getsockname()[1] for door in self._doors)
        self._seats = [Seat(name, self.tell) for name in self.config.names]

    def close(self) -> None:
        """Leave ports and players."""
        for wire in [*self._doors, *(seat.wire for seat in getattr(self, "_seats", []))]:
            if wire is not None:
                wire.close()

    def play(self) -> tuple[int, int]:
        """The whole match; chips that both won."""
        try:
            self._let_in()
            for number in range(self.config.num_hands):
                self._play_hand(number)
        finally:
            self.close()
        names = "|".join(self.config.names)
        self.log(f"SCORE:{self.score[0]}|{self.score[1]}:{names}")
        return self.score[0], self.score[1]

    def _let_in(self) -> None:
        until = time.monotonic() + self.config.start_s
        for seat, door in zip(self._seats, self._doors, strict=True):
            while seat.wire is None:
                door.settimeout(max(until - time.monotonic(), 0.001))
                try:
                    seat.wire, _ = door.accept()
                except TimeoutError:
                    raise PokerSolverError(f"{seat.name} did not come in time") from None
                send_at_once(seat.wire)
                greeting = next(seat.lines(min(until, time.monotonic() + 10)), "")
                major = VERSION_LINE.rpartition(":")[2].split(".")[0]
                if not greeting.startswith(f"VERSION:{major}.") and seat.wire is not None:
                    self.tell(f"{seat.name} began with {greeting[:40]!r}, want {VERSION_LINE}")
                    seat.forget()

    def _play_hand(self, number: int) -> None:
        dealt = deal(self.config.seed, number)
        hand = dealt.start(self.config.stack_chips / 100)
        self._show(number, hand)
        while not hand.is_over:
            hand = dealt.fall(hand.act(self._ask(number, hand)))
            self._show(number, hand)
        won = [hand.won_chips(BB), hand.won_chips(SB)]
        self.score = [total + more for total, more in zip(self.score, won, strict=True)]
        values, names = "|".join(map(str, won)), "|".join(self.config.names)
        self.log(f"STATE:{number}:{betting_of(hand)}:{cards_text(hand, None)}:{values}:{names}")

    def _show(self, number: int, hand: PokerHand) -> None:
        for place, seat in enumerate(self._seats):
            seat.send(state_line(place, number, hand))

    def _ask(self, number: int, hand: PokerHand) -> str:
        seat = self._seats[hand.actor]
        asked = state_line(hand.actor, number, hand)
        for line in seat.lines(time.monotonic() + self.config.response_s):
            if is_comment(line):
                continue
            state, _, action = line.rpartition(":")
            if state != asked:
                self.tell(f"{seat.name} sent {line[:80]!r}, which answers nothing")
                continue
            return legal_token(hand, action)
        return hand.legal.passive
