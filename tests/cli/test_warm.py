"""`warm`: answers found ahead of time, in a folder."""

import json
from pathlib import Path

import pytest

from poker_solver.cards import cards_from_string
from poker_solver.errors import InputError
from poker_solver.subgame.warming import boards_of, lines_on
from tests.support.blueprints import book, book_file
from tests.support.commands import run

RULES = book().solution.game.rules  # type: ignore[union-attr]


def test_a_star_stands_for_every_card_up_to_suits() -> None:
    assert boards_of("QsJh2h7d") == [cards_from_string("QsJh2h7d")]
    assert len(boards_of("KsJs7s*")) == 10 + 13  # another spade, or any rank of one other suit
    assert len(boards_of("QsJh2d7c*")) == 48
    with pytest.raises(InputError, match="3 to 5 cards"):
        boards_of("QsJh*")


def test_cards_are_put_where_they_fall() -> None:
    def on(line: str, board: str) -> list[str]:
        return list(lines_on(RULES, line, boards_of(board)))

    assert on("SBr2.5 BBc | x b250 c x", "KsJs7s2d") == ["SBr2.5 BBc | KsJs7s x b250 c 2d x"]
    assert on("SBr2.5 BBc", "KsJs7s") == ["SBr2.5 BBc | KsJs7s"]
    assert on("SBr2.5 BBc | x x x x", "KsJs7s2d3h") == ["SBr2.5 BBc | KsJs7s x x 2d x x 3h"]
    for line, board in [("SBr2.5 BBc | x", "KsJs7s2d"), ("SBr2.5 BBc | x x x", "KsJs7s")]:
        with pytest.raises(InputError, match=r"nobody acts|one more card"):
            on(line, board)
    with pytest.raises(InputError, match="7d has no place"):
        on("SBr2.5 BBc | x x 7d", "KsJs7s2d")


def test_what_was_found_is_there_the_next_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "warm", str(book_file()), "--cache", str(tmp_path / "c"), "--line", "SBr2.5 BBc | x x x x",
        "--board", "KsJs7s2d*", "--budget-ms", "60000", "--json", "--quiet",
    ]  # fmt: skip
    first, again = (json.loads(run(capsys, *command)[1]) for _ in range(2))
    assert (first["lines"], first["searched"], first["cached"]) == (
        first["entries"],
        first["lines"],
        0,
    )
    assert (again["searched"], again["cached"]) == (0, again["lines"])


def test_wrong_games_and_boards_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game, board, said in [("none", "KsJs7s", "no file"), (str(book_file()), "KsKs7s", "twice")]:
        command = ["warm", game, "--cache", str(tmp_path), "--line", "SBr2.5 BBc"]
        code, _, err = run(capsys, *command, "--board", board)
        assert code == 2
        assert said in err
        assert err.count("\n") == 1
