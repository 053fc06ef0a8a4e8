"""What a page shows somebody typing, cut into commands and what they print."""

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*(?:e-?\d+)?")
_PROMPT = re.compile(r"^(OOP|IP|SB|BB|deal|flop)> (.*)$")


@dataclass(frozen=True)
class Session:
    """A command line, what it prints, and what is typed at its prompt."""

    command: str
    printed: tuple[str, ...]
    typed: tuple[tuple[str, tuple[str, ...]], ...]  # a line, and what it shows


def sessions(page: str) -> list[Session]:
    """Every block of a page that begins with `$ poker-solver`."""
    found = []
    for block in re.findall(r"^```\n(\$ poker-solver.*?)^```", page, re.DOTALL | re.MULTILINE):
        command, *lines = block.splitlines()
        printed: list[str] = []
        typed: list[tuple[str, list[str]]] = []
        for line in lines:
            if match := _PROMPT.match(line):
                typed.append((match[2], []))
            else:
                (typed[-1][1] if typed else printed).append(line)
        asked = tuple((line, tuple(shown)) for line, shown in typed)
        found.append(Session(command.removeprefix("$ poker-solver "), tuple(printed), asked))
    return found


def blocks(page: str, language: str) -> list[str]:
    """The code of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def differs(shown: str, printed: str, *, part: float = 0.05, points: float = 3.0) -> str:
    """Why a program did not print what a page shows; empty if it did.

    A line of three dots stands for any lines. Words must be the same. Numbers may be off by a
    part of themselves or by some points: mixes of indifferent hands are the machine's own. What a
    solve took (its lines of iterations and memory) is compared by its words alone.
    """
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    at, skips = 0, False
    for wanted in (line.rstrip() for line in shown.splitlines() if line.strip()):
        if wanted == "...":
            skips = True
            continue
        while at < len(lines) and not _alike(wanted, lines[at], part, points):
            if not skips:
                return f"wanted {wanted!r}, found {lines[at]!r}"
            at += 1
        if at == len(lines):
            return f"wanted {wanted!r}, found nothing more"
        at, skips = at + 1, False
    return ""


def _alike(wanted: str, found: str, part: float, points: float) -> bool:
    words = [_NUMBER.sub("#", line).split() for line in (wanted, found)]
    if words[0] != words[1]:
        return False
    if wanted.startswith(("iterations", "memory")):
        return True
    pairs = zip(_NUMBER.findall(wanted), _NUMBER.findall(found), strict=True)
    values = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs]
    return all(abs(a - b) <= max(part * abs(a), points) for a, b in values)
