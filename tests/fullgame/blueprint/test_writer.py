"""A blueprint's file being filled: nothing half, nothing lost, nothing of something else."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from poker_solver.cards import cards_from_string
from poker_solver.errors import FormatError, InputError, NotFoundError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import table_shape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter, in_255ths
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.trees.runouts import find_runouts
from tests.support.blueprints import (
    EXACT,
    FLOPS,
    book_shape,
    book_solution,
    by_hand,
    random_weights,
    row_maps,
)


def test_probabilities_come_back_within_the_bound() -> None:
    rng = np.random.default_rng(1)
    for count in (2, 3, 5):
        weights = rng.random((4, count, 50)) ** 3
        codes = in_255ths(weights, [range(count)]).astype(float)
        got, want = (one / one.sum(axis=1, keepdims=True) for one in (codes, weights))
        assert np.abs(got - want).max() <= (count + 1) / (510 - count)
    assert not in_255ths(np.zeros((1, 2, 3)), [range(2)]).any()
    with pytest.raises(InputError, match="finite and not negative"):
        in_255ths(-np.ones((1, 2, 3)), [range(2)])


def test_nothing_has_the_name_until_all_was_put(tmp_path: Path) -> None:
    path, shape = tmp_path / "b", book_shape()
    path.write_bytes(b"an older one")
    writer = BlueprintWriter(path, book_solution(), shape)
    assert path.read_bytes() == b"an older one"
    with pytest.raises(FormatError, match="in use by another run"):
        BlueprintWriter(path, book_solution(), shape)
    writer.close()
    again = BlueprintWriter(path, book_solution(), shape)
    again.finish()
    assert BlueprintStrategy.load(path).tables is not None
    assert [one.name for one in tmp_path.iterdir()] == ["b"]


def test_what_was_being_put_when_all_ended_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, shape, rng = tmp_path / "b", book_shape(), np.random.default_rng(2)
    weights = [random_weights(rng, 0, maps) for maps in row_maps(EXACT)]
    writer = BlueprintWriter(path, book_solution(), shape)
    writer.put(1, 0, weights[1])
    write = writer._file.write

    def killed(name: str, index: tuple[int, ...], part: np.ndarray) -> None:
        if name == "book sums 0":  # what was put before is half overwritten
            raise KeyboardInterrupt
        write(name, index, part)

    writer.put(0, 0, weights[0])
    monkeypatch.setattr(writer._file, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        writer.put(0, 0, random_weights(rng, 0, row_maps(EXACT)[0]))
    writer.close()
    again = BlueprintWriter(path, book_solution(), shape)
    assert (again.is_put(0, 0), again.is_put(1, 0)) == (False, True)
    found = again.finish()
    assert found.at("SBr2.5 BBc | 4s4h4d").mix_of("AhAd")
    with pytest.raises(NotFoundError, match=r"does not have SBr2.5 BBc on KsJs7s"):
        found.at("SBr2.5 BBc | KsJs7s").mix_of("AhAd")


KILLED = """
import sys, numpy as np
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from tests.support.blueprints import EXACT, book_shape, book_solution, random_weights, row_maps
writer, rng = BlueprintWriter(sys.argv[1], book_solution(), book_shape()), np.random.default_rng(1)
weights = [random_weights(rng, 0, row_maps(EXACT)[1]) for _ in range(2)]
for n in range(10**6):
    writer.put(1, 0, weights[n % 2])
    print(n, flush=True)
"""


def test_a_process_that_is_killed_leaves_nothing_half(tmp_path: Path) -> None:
    path = tmp_path / "b"
    command = [sys.executable, "-c", KILLED, str(path)]
    for puts in (1, 4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(puts):
                child.stdout.readline()
            child.kill()
        assert not path.exists()
        found = BlueprintStrategy.load(tmp_path / "b.part")
        assert found.tables is not None
        if not found.tables.mapped["book put"][1, 0]:
            continue
        for street in (FLOP, TURN, RIVER):
            for cards in find_runouts(cards_from_string(FLOPS[1])).boards(street)[::37].tolist():
                assert found.tables.board(0, tuple(cards)).weights.any()


def test_a_file_of_another_strategy_is_not_filled_on(tmp_path: Path) -> None:
    path = tmp_path / "b"
    BlueprintWriter(path, book_solution(), book_shape()).close()
    other = table_shape(book_solution().game, EXACT, row_maps(EXACT)[:1])
    with pytest.raises(FormatError, match="another strategy, or has other flops or rows"):
        BlueprintWriter(path, book_solution(), other)


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    writer = BlueprintWriter(tmp_path / "b", book_solution(), book_shape())
    weights = random_weights(np.random.default_rng(0), 0, row_maps(EXACT)[0])
    with pytest.raises(InputError, match=r"weights of the flop have shape None, want \(1, 14, "):
        writer.put(0, 0, [None, *weights[1:]])
    with pytest.raises(InputError, match="weights of the turn have shape"):
        writer.put(0, 0, [weights[0], weights[1][:-1], weights[2]])
    with pytest.raises(InputError, match="KsJs7s has other rows on the flop"):
        writer.put_maps(0, by_hand(row_maps(EXACT)[0], FLOP))
    writer.close()


def test_a_blueprint_of_no_flop_is_refused() -> None:
    with pytest.raises(InputError, match="at least one flop"):
        table_shape(book_solution().game, EXACT, iter(()))


def test_no_room_on_the_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(FormatError, match=r"cannot write .*: No space left on device"):
        BlueprintWriter(tmp_path / "b", book_solution(), book_shape())
    assert not list(tmp_path.iterdir())
