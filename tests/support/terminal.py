"""A program on a pseudo-terminal: type, wait for text, see what came."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from types import TracebackType

_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")

_PROGRAM = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("poker_solver", run_name="__main__")
"""
# The screen becomes the controlling terminal, so that Ctrl-C reaches the program.


class Terminal:
    """`python -m poker_solver ...` with a keyboard and a screen of the given width."""

    def __init__(self, *arguments: str, columns: int = 80, **environment: str) -> None:
        keyboard, screen = pty.openpty()
        names = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "50", **environment}
        inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env={**inherited, **names},
            start_new_session=True,
        )
        os.close(screen)
        self._keyboard = keyboard
        self.raw = ""
        self._read_to = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._keyboard)

    @property
    def text(self) -> str:
        """All that was shown, colours and cursor movements left out."""
        return _CODES.sub("", self.raw)

    def type(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._keyboard, keys.encode())

    def wait_for(self, wanted: str, seconds: float = 60) -> str:
        """Read on until this is shown; returns what came since the last wait."""
        end = time.monotonic() + seconds
        while wanted not in self.text[self._read_to :]:
            assert time.monotonic() < end, f"no {wanted!r} in {self.text[self._read_to :]!r}"
            assert self._read(), f"the program ended without {wanted!r}: {self.text!r}"
        shown = self.text[self._read_to :]
        self._read_to += shown.index(wanted) + len(wanted)
        return shown

    def interrupt(self, wanted: str) -> str:
        """Press Ctrl-C until this is shown: one that comes between two reads is noticed late."""
        for _ in range(20):
            self.type("\x03")
            end = time.monotonic() + 1
            while time.monotonic() < end:
                if wanted in self.text[self._read_to :]:
                    return self.wait_for(wanted)
                self._read()
        raise AssertionError(f"no {wanted!r} after Ctrl-C in {self.text!r}")

    def ask(self, line: str, wanted: str) -> str:
        """Type a line and wait for what it must show."""
        self.type(f"{line}\n")
        return self.wait_for(wanted)

    def wait_for_end(self, seconds: float = 30) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + seconds
        while self._read() and time.monotonic() < end:
            pass
        return self.process.wait(max(end - time.monotonic(), 1))

    def _read(self) -> bool:
        ready, _, _ = select.select([self._keyboard], [], [], 0.2)
        if not ready:
            return self.process.poll() is None
        try:
            data = os.read(self._keyboard, 65536)
        except OSError:  # the other side is closed
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)
