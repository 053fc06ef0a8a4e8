"""Solutions without rivers read like whole ones, and solve a river when it is opened."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.errors import FormatError, InputError
from poker_solver.query.runouts import runouts
from poker_solver.store.files import read_file, write_file
from tests.support.solved import solved


@pytest.fixture(scope="module", params=["turn_example", "flop"])
def pair(request, tmp_path_factory):
    """A solution as it was saved, with rivers and without."""
    folder = tmp_path_factory.mktemp("small")
    whole = solved(request.param)
    whole.save(folder / "whole.pks")
    whole.save(folder / "small.pks", rivers=False)
    sizes = [(folder / name).stat().st_size for name in ("whole.pks", "small.pks")]
    assert sizes[1] < sizes[0] / 3
    return ps.Solution.load(folder / "whole.pks"), ps.Solution.load(folder / "small.pks")


def test_before_the_river_nothing_changes(pair):
    whole, small = pair
    assert small.summary() == whole.summary()
    for line in ("", "x", "x x", whole.tree.actions(0)[1]):
        was, now = whole.node(line), small.node(line)
        assert was.actions == now.actions
        np.testing.assert_array_equal(was.strategy, now.strategy)
        for a, b in zip(was.players, now.players, strict=True):
            np.testing.assert_allclose(a.ev_chips, b.ev_chips, atol=1e-3)
            np.testing.assert_allclose(a.reach, b.reach, atol=1e-6)


LINES = {
    "flop": ["x x 3c x x 3d", "x x 3s x b60 c 3d x"],
    "turn": ["x x 7s", "x b120 c Ah", "x b120 c Ah x", "b120 c 2d"],
}


def test_a_river_that_is_opened_is_solved(pair):
    whole, small = pair
    for line in LINES["flop" if len(whole.spot.cards) == 3 else "turn"]:
        was, now = whole.node(line), small.node(line)
        assert (was.actions, was.board, was.hands) == (now.actions, now.board, now.hands)
        np.testing.assert_allclose(now.strategy.sum(axis=0), 1, atol=1e-5)
        total = sum(player.mean_ev for player in now.players)
        assert total == pytest.approx(now.pot, rel=1e-5)
    first = LINES["flop" if len(whole.spot.cards) == 3 else "turn"][0]
    evs = [solution.node(first).players[0].mean_ev for solution in pair]
    assert evs[0] == pytest.approx(evs[1], abs=0.02 * whole.spot.pot)


@pytest.mark.parametrize("pair", ["turn_example"], indirect=True)
def test_the_donk_sizes_are_those_of_the_line(pair):
    whole, small = pair
    donked, checked = small.node("x b120 c Ah"), small.node("x x Ah")
    assert donked.amounts[:2] == (0, 220)  # 50 % of 440
    assert checked.amounts[:2] == (0, 120)  # 60 % of 200
    assert donked.amounts == whole.node("x b120 c Ah").amounts


def test_runouts_of_a_small_solution(pair):
    """Turns were kept with their values; rivers are solved again, to 0.1 % of their pot."""
    _, small = pair
    rows = runouts(small, "x x").rows
    for player in (0, 1):
        mean = sum(row.share * row.ev_chips[player] for row in rows)
        rel = 1e-5 if len(small.game.cards) == 3 else 0.02
        assert mean == pytest.approx(small.node("x x").players[player].mean_ev, rel=rel)


def test_it_stays_small(pair, tmp_path):
    _, small = pair
    small.save(tmp_path / "again.pks", rivers=False)
    again = ps.Solution.load(tmp_path / "again.pks")
    before, after = small.strategy.arrays(), again.strategy.arrays()
    assert before.keys() == after.keys() == {"strategy", "oop_values", "ip_values"}
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array)
    with pytest.raises(InputError, match="no rivers"):
        small.save(tmp_path / "whole.pks", rivers=True)
    header, arrays = read_file(tmp_path / "again.pks", "postflop solution")
    header = {name: header[name] for name in ("spot", "fingerprint", "record")}
    broken = {**arrays, "ip_values": arrays["oop_values"][:1]}
    write_file(tmp_path / "bad.pks", "postflop solution", header, broken)
    with pytest.raises(FormatError, match="ip_values has shape"):
        ps.Solution.load(tmp_path / "bad.pks")


def test_a_river_spot_cannot_be_saved_without_its_river(tmp_path):
    with pytest.raises(InputError, match="all river"):
        solved("river_example").save(tmp_path / "a.pks", rivers=False)
