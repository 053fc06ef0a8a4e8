"""The conversation: commands in, answers out in their order, each followed by the end string.

What a solve says comes between answers, never inside one, and has no end string. A line that
cannot be answered is answered by one line that begins with `ERROR`.
"""

import threading
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TextIO

from poker_solver.errors import PokerSolverError
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.commands.table import answer
from poker_solver.protocols.upi.running import Worker
from poker_solver.protocols.upi.tree import Hardware
from poker_solver.version import VERSION

MOST_BYTES = 8_000_000
"""Of one line; the strategies of a node with a hundred children have fewer."""

_SHOWN = 400
"""Characters of an error: a client may send anything."""

GREETING = (f"poker-solver {VERSION}", "UPI, see docs/upi.md", "registered to everybody")


class Server:
    """Talks to one client."""

    def __init__(self, commands: BinaryIO, answers: TextIO, hardware: Hardware) -> None:
        self.commands, self.answers = commands, answers
        self.client = Client(Worker(self.say), hardware)
        self.is_gone = False  # the client no longer listens
        self._printing = threading.Lock()

    def serve(self) -> None:
        """Until the client says `exit`, ends its input or goes away."""
        try:
            self.say(GREETING)
            self.converse()
        finally:
            self.client.worker.close()

    def converse(self) -> None:
        """Answer what is asked, one command after the other."""
        for line in commands_in(self.commands):
            self.say(answered(self.client, line), ends=True)
            self.client.worker.begin()
            if self.client.is_over or self.is_gone:
                break

    def say(self, lines: Sequence[str], *, ends: bool = False) -> None:
        """Print some lines together; if the client is gone, stop instead."""
        last = self.client.end_string if ends else None
        shown = lines if last is None else (*lines, last)
        try:
            with self._printing:
                self.answers.write("".join(f"{line}\n" for line in shown))
                self.answers.flush()
        except (OSError, ValueError):  # the pipe is closed
            self.is_gone = True
            self.client.worker.stop()


def answered(client: Client, line: str | None) -> list[str]:
    """The answer to a line, or one line that says why there is none; None is a line too long."""
    if line is None:
        return [f"ERROR: a line of more than {MOST_BYTES:,} bytes"]
    name = line.split(maxsplit=1)[0]
    try:
        return answer(client, line)
    except PokerSolverError as error:
        return [error_line(name, str(error))]
    except MemoryError:
        return [error_line(name, "out of memory")]
    except OSError as error:
        return [error_line(name, f"{error.filename or ''} {error.strerror or error}")]
    except Exception as error:  # the client must hear of it, and the next command be answered
        return [error_line(name, f"failed inside: {error!r}")]


def error_line(name: str, what: str) -> str:
    """One line, which begins as clients expect."""
    shown = "".join(c if c.isprintable() else "?" for c in " ".join(what.split()))
    return f"ERROR: {name[:_SHOWN]}: {shown[:_SHOWN]}"


def commands_in(stream: BinaryIO) -> Iterator[str | None]:
    """Lines that are neither empty nor begin with `#`; None for one that is too long."""
    while True:
        try:
            raw = stream.readline(MOST_BYTES + 1)
            is_long = len(raw) > MOST_BYTES
            while is_long and raw and not raw.endswith(b"\n"):
                raw = stream.readline(MOST_BYTES)
        except (OSError, ValueError):  # closed
            return
        if not raw:
            return
        text = raw.decode("utf-8", "replace").strip()
        if is_long:
            yield None
        elif text and not text.startswith("#"):
            yield text
