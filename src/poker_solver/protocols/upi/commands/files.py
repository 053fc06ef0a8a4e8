"""Commands that read and write files: trees in our own format, scripts of commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from poker_solver.errors import InputError
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.commands.setting_up import read_info_line
from poker_solver.protocols.upi.text import unquoted
from poker_solver.protocols.upi.tree import Tree

Words = Sequence[str]

MOST_SCRIPT_BYTES = 64_000_000


class Answer(Protocol):
    """Does one line of a script and returns its answer."""

    def __call__(self, line: str) -> list[str]:
        """The lines that the command answers."""


def load_tree(client: Client, words: Words) -> None:
    """`load_tree "file" [fast|full|auto]`: a solution that was saved by us."""
    path, rest = unquoted(words)
    if not path or len(rest) > 1 or not {*rest} <= {"fast", "full", "auto"}:
        raise InputError('want "a file", and fast, full or auto if anything')
    client.tree = None  # its memory, before there is another
    client.tree = Tree.load(Path(path), client.hardware)
    client.info.clear()


def dump_tree(client: Client, words: Words) -> None:
    """`dump_tree "file" [full|no_rivers|no_turns]`; turns are kept in any case."""
    path, rest = unquoted(words)
    if not path or len(rest) > 1 or not {*rest} <= {"full", "no_rivers", "no_turns"}:
        raise InputError('want "a file", and full, no_rivers or no_turns if anything')
    client.built().dump(Path(path), rivers=rest in ([], ["full"]))


def rebuild_forgotten_streets(client: Client, words: Words) -> None:
    """Nothing is to be done: a river that was not saved is solved when it is asked about."""
    client.built()


def read_script(client: Client, words: Words, answer: Answer) -> list[str]:
    """Do every command of a file; what they answer. The first that fails ends it."""
    path, rest = unquoted(words)
    if not path or rest:
        raise InputError('want "a file"')
    answers: list[str] = []
    for number, line in enumerate(_lines(Path(path)), 1):
        try:
            if line.startswith("#"):
                if line.count("#") == 2:
                    read_info_line(client, line)
            elif line:
                answers += answer(line)
        except InputError as error:
            name = line.split(maxsplit=1)[0]
            raise InputError(f"{path}, line {number}: {name[:40]}: {error}") from None
    return answers


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise InputError(f"{path} is not a file")
    if path.stat().st_size > MOST_SCRIPT_BYTES:
        raise InputError(f"{path} has more than {MOST_SCRIPT_BYTES:,} bytes")
    return [line.strip() for line in path.read_bytes().decode("utf-8", "replace").splitlines()]
