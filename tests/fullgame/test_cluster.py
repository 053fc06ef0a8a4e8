"""A full game on four nodes: the same certificate as on one, whatever is lost on the way."""

from dataclasses import replace

import numpy as np
import pytest

from poker_solver.cards.classes import parse_hand
from poker_solver.cards.flops import FlopSet
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, InputError, MemoryPlanError
from poker_solver.fullgame.rows import FlopRowsWriter
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.store import files
from tests.support.clusters import LossyPool

HANDS = [parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "72o", "T9", "33")]
FLOPS = {"KsQs2h": 8000, "9c8d3h": 6000, "AsTh5d": 5000, "KsJs7h": 3100}
MORE = FlopSet("more", ("KsQs2h", "9c8d3h", "AsTh5d", "7s7h7d"), (9000.0, 2000.0, 5000.0, 6100.0))
PRUNED = {"prune_threshold": -20.0, "prune_warmup": 4, "explore_interval": 4}


def small(**changed: object) -> UnifiedConfig:
    fields = UnifiedConfig.load("hu_tiny").to_mapping()
    return UnifiedConfig.from_mapping({**fields, "stack": 5, "flops": FLOPS, **changed})


def solver(pool=None, **changed):
    return UnifiedSolver(small(**changed), device="cpu", hands=HANDS, pool=pool)


def trained(pool=None, iterations=9, **changed):
    found = solver(pool, **changed)
    found.train(max_iterations=iterations)
    return found


def certificate(solved, flops=None):
    return replace(solved.certify(flops or solved.flops), seconds=0.0)


@pytest.fixture
def pool():
    return LossyPool()


@pytest.fixture(scope="module")
def alone():
    return trained()


def test_every_node_has_flops_of_its_own_and_the_game_is_the_same(pool, alone, tmp_path):
    shared = trained(pool)
    lots = shared.trunk.tables.lots
    assert sorted(number for lot in lots for number in lot.flops) == [0, 1, 2, 3]
    assert len({lot.host.node.name for lot in lots}) == 4
    assert np.array_equal(shared.sums, alone.sums)
    rows = []
    for number, one in enumerate((alone, shared)):
        writer = FlopRowsWriter(tmp_path / str(number), one.game, one.flops, one.sums)
        one.certify(one.flops, keep=writer.put)
        writer.close()
        rows.append(writer.path.read_bytes())
    assert rows[0] == rows[1]
    assert certificate(shared) == certificate(alone)
    shared.close()


def test_a_certificate_over_other_flops_is_the_same_by_tasks(pool, alone):
    flops, found = MORE.up_to_suits(), alone.solution()
    wanted = certificate(UnifiedSolver.of(found, device="cpu"), flops)
    assert certificate(UnifiedSolver.of(found, device="cpu", pool=pool), flops) == wanted


@pytest.mark.parametrize("changed", [PRUNED, {"flop_batch_size": 3, "iterations_per_batch": 6}])
def test_pruned_games_and_batches_are_the_same(pool, changed):
    one, shared = trained(iterations=5, **changed), trained(pool, iterations=5, **changed)
    assert np.array_equal(shared.sums, one.sums)
    assert shared.exploitability() == one.exploitability()
    shared.close()


@pytest.mark.parametrize(
    ("is_kept", "comes_back", "changed"),
    [(False, False, {}), (True, True, {}), (False, True, PRUNED), (True, False, PRUNED)],
)
def test_what_is_lost_is_made_up_for(pool, alone, tmp_path, is_kept, comes_back, changed):
    """Its flops are repeated from the beginning, or from its files, to where the others are."""
    shared, wanted = solver(pool, **changed), trained(**changed) if changed else alone
    shared.train(max_iterations=6)
    if is_kept:
        shared.save(tmp_path / "checkpoint")
    pool.lose("b", comes_back=comes_back)
    shared.train(max_iterations=3)
    lots = shared.trunk.tables.lots
    assert sorted(number for lot in lots for number in lot.flops) == [0, 1, 2, 3]
    assert ("b" in {lot.host.node.name for lot in lots}) == comes_back
    assert np.array_equal(shared.sums, wanted.sums)
    assert certificate(shared) == certificate(wanted)


def test_all_may_be_lost_one_after_another(pool, alone):
    shared = solver(pool)
    for name in "abc":
        shared.train(max_iterations=2)
        pool.lose(name, comes_back=False)
    shared.train(max_iterations=3)
    assert np.array_equal(shared.sums, alone.sums)
    assert certificate(shared) == certificate(alone)
    assert {lot.host.node.name for lot in shared.trunk.tables.lots} == {"d"}


def test_a_run_goes_on_from_its_checkpoint_bit_for_bit(pool, alone, tmp_path):
    path = tmp_path / "checkpoint"
    shared = trained(pool, iterations=5)
    shared.save(path)
    shared.close()
    resumed = UnifiedSolver.load(path, device="cpu", pool=pool)
    resumed.train(max_iterations=4)
    assert np.array_equal(resumed.sums, alone.sums)
    resumed.save(path)
    assert len(list((tmp_path / "checkpoint.flops").iterdir())) == 1  # older ones are gone
    resumed.close()
    with pytest.raises(FormatError, match="was kept on a cluster"):
        UnifiedSolver.load(path, device="cpu")


def test_a_full_folder_costs_the_checkpoint_and_nothing_else(pool, alone, tmp_path, monkeypatch):
    shared = trained(pool, iterations=5)
    shared.save(tmp_path / "checkpoint")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(
        "poker_solver.fullgame.cluster.tables.HostedTables._is_shared", lambda *_: False
    )

    def full(path, *parts):
        raise FormatError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(files, "write_bytes", full)  # as `write_file` has it
    with pytest.raises(FormatError, match="No space left"):
        shared.save(tmp_path / "checkpoint")
    monkeypatch.undo()
    assert sorted(tmp_path.rglob("*")) == before
    shared.train(max_iterations=4)
    assert np.array_equal(shared.sums, alone.sums)
    shared.close()


def test_nodes_that_share_no_folder_send_their_tables(pool, alone, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "poker_solver.fullgame.cluster.tables.HostedTables._is_shared", lambda *_: False
    )
    shared = trained(pool, iterations=5)
    shared.save(tmp_path / "checkpoint")
    shared.close()
    resumed = UnifiedSolver.load(tmp_path / "checkpoint", device="cpu", pool=pool)
    resumed.train(max_iterations=4)
    assert np.array_equal(resumed.sums, alone.sums)
    resumed.close()


def test_what_does_not_fit_is_refused_before_anything_is_opened(pool):
    whole = UnifiedSolver(UnifiedConfig.load("hu_20"), device="cpu", pool=pool)
    with pytest.raises(MemoryPlanError, match=r"47 flops .* need .* 4 nodes have 6\.4 GB"):
        whole.plan.check()


def test_rows_are_not_trained_on_a_cluster(pool):
    laptop = UnifiedSolver(UnifiedConfig.load("hu_20_laptop"), device="cpu", pool=pool)
    with pytest.raises(InputError, match="leave --cluster out"):
        laptop.train(max_iterations=1)


def test_what_was_trained_with_rows_is_certified_on_a_cluster(pool):
    """By its own schedule, which is not the one of games without rows."""
    rows = {"turn": {"emd": 3}, "river": {"quantiles": 4}}
    solution = trained(iterations=4, rows=rows, flop_batch_size=2).solution()
    assert solution.course is not None
    alone = UnifiedSolver.of(solution, device="cpu")
    shared = UnifiedSolver.of(solution, device="cpu", pool=pool)
    assert certificate(shared, MORE) == certificate(alone, MORE)
