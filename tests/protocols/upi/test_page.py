"""What docs/upi.md shows is what happens."""

import re
from pathlib import Path

from poker_solver.protocols.upi.commands.table import COMMANDS
from tests.docs.sessions import blocks, differs
from tests.support.upi import Talk

PAGE = (Path(__file__).parents[3] / "docs" / "upi.md").read_text()


def test_the_conversation_of_the_page():
    (text,) = blocks(PAGE, "upi")
    talk = Talk()
    for part in re.split(r"^> ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        assert not (why := differs("\n".join(shown), "\n".join(talk.one(command)), points=0.1)), why


def test_the_page_names_every_command():
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)*", PAGE))
    missing = {*COMMANDS, "load_script", "load_script_silent"} - named
    assert missing <= {
        "remove_preflop_line", "clear_preflop_lines", "reset_subset", "recover_subset",
        "add_schematic_tree", "add_all_flops", "is_ready", "reset_end_string",
    }  # fmt: skip
