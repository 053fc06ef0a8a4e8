"""What is not a solution, given where one is wanted: one line that says what to do."""

import pytest

from tests.support.commands import run

GIVEN = {
    "my.yaml": "my.yaml is a spot or a config, not a solution; solve it first: poker-solver solve",
    "turn_example": "poker-solver solve turn_example --save turn_example.pks",
    "node.csv": "node.csv is an export, not a solution; open what --save wrote",
    "folder": "folder is a folder; a batch has a save for each flop, folder/QsJs2h.pks",
}


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("command", ["explore", "exploit", "compare"])
def test_what_is_no_solution(capsys, tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text("board: AsKsQs")
    (tmp_path / "node.csv").write_text("hand,reach")
    (tmp_path / "folder").mkdir()
    more = {"exploit": ["--player", "oop"], "compare": [name]}.get(command, [])
    code, out, err = run(capsys, command, name, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert GIVEN[name] in err
