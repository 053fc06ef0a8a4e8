"""Work on a Ray cluster of four nodes: the same bits as on one machine, whatever is lost."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import poker_solver as ps
from poker_solver.cards.classes import parse_hand
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, MemoryPlanError, PokerSolverError
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.jobs import flop_batch
from poker_solver.jobs.flop_batch import FlopBatch
from poker_solver.pool import Needs, WorkerLostError, machine, open_pool
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.store.files import write_bytes
from tests.support.clusters import NODE, begun_and_done, four_nodes, patiently

FLOPS = FlopSet("mine", ("KhQh2h", "Ts9s3d", "7h7d2c", "AsKd4h", "6c5c4c"), (4, 12, 24, 24, 4))
HOW = SolveOptions(max_iterations=3)
NOT_COMPARED = {"seconds"}
MORE = FlopSet("more", ("KsQs2h", "AsTh5d", "7s7h7d"), (9000.0, 5000.0, 8100.0)).up_to_suits()


@pytest.fixture(scope="module")
def cluster():
    with four_nodes() as found:
        yield found


@pytest.fixture(scope="module")
def pool(cluster):
    with open_pool(cluster.address) as found:
        yield found


def small_game(pool=None):
    given = UnifiedConfig.load("hu_tiny").to_mapping()
    flops = {"KsQs2h": 8000, "9c8d3h": 6000, "AsTh5d": 5000, "KsJs7h": 3100}
    config = UnifiedConfig.from_mapping({**given, "stack": 5, "flops": flops})
    hands = [parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "72o", "T9", "33")]
    return UnifiedSolver(config, device="cpu", hands=hands, pool=pool)


def fields(**more):
    sizes = {"flop": {"bet": "60%"}, "turn": {"bet": "60%"}, "river": {}}
    oop, ip = {"range": "AA,JTs:0.5", **sizes}, {"range": "QQ,AKs", **sizes}
    return {"pot": 100, "stack": 150, "oop": oop, "ip": ip, **more}


def batch(folder, flops=FLOPS, how=HOW, **more):
    return FlopBatch.of(fields(**more), flops, folder, how, lines=["x"])


def rows_of(folder):
    return [
        {name: value for name, value in row.items() if name not in NOT_COMPARED}
        for row in pq.read_table(folder / "flops.parquet").to_pylist()
    ]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    batch(folder).run()
    return folder


def strategies(folder):
    saves = [ps.Solution.load(folder / f"{flop}.pks") for flop in FLOPS.flops]
    return [save.strategy.arrays() for save in saves]


def assert_same(found, wanted):
    assert rows_of(found) == rows_of(wanted)
    assert (found / "lines.csv").read_text() == (wanted / "lines.csv").read_text()
    for got, want in zip(strategies(found), strategies(wanted), strict=True):
        assert {name: array.tobytes() for name, array in got.items()} == {
            name: array.tobytes() for name, array in want.items()
        }


def test_a_batch_on_a_cluster_is_the_batch(pool, alone, tmp_path):
    told: list[ManyProgress] = []
    result = batch(tmp_path).run(told.append, pool=pool)
    assert result.num_done_now == len(FLOPS)
    assert [one.done for one in told] == [1, 2, 3, 4, 5]
    assert_same(tmp_path, alone)


def test_a_batch_goes_on_where_it_stopped(pool, alone, tmp_path):
    stop = Interrupt()

    def stop_after_two(told):
        stop.requested = told.done >= 2

    stopped = batch(tmp_path).run(stop_after_two, stop, pool=pool)
    assert stopped.interrupted
    assert 2 <= len(stopped.solved) < len(FLOPS)
    rest = batch(tmp_path).run(pool=pool)
    assert len(stopped.solved) + rest.num_done_now == len(FLOPS)
    assert_same(tmp_path, alone)


def test_solutions_come_in_order_and_are_those_of_one_machine(pool, cluster):
    boards = ["QsJh2h7d3c", "QsJh2h7d4c", "Ts9s3d2h2c", "QsJh2h7d5c"]
    river = ps.named_spot("river_example").to_mapping()
    spots = [ps.Spot.from_mapping({**river, "board": board}) for board in boards]
    alone = list(ps.solve_many(spots, target_pct=None, max_iterations=10))
    for name in (cluster.address, "inline"):
        found = ps.solve_many(spots, target_pct=None, max_iterations=10, cluster=name)
        for board, got, want in zip(boards, found, alone, strict=True):
            assert isinstance(got, ps.Solution)
            assert isinstance(want, ps.Solution)
            assert got.spot.board == board
            assert got.weights.tobytes() == want.weights.tobytes()
            assert got.record.ev_chips == want.record.ev_chips


def test_a_spot_that_cannot_be_solved_is_named_and_the_others_go_on(cluster):
    river = ps.named_spot("river_example").to_mapping()
    wrong = ps.Spot.from_mapping({**river, "locks": [{"line": "x b1", "strategy": {"f": 1}}]})
    spots = [ps.named_spot("river_example"), wrong, ps.named_spot("river_example")]
    first, error, last = ps.solve_many(spots, max_iterations=3, cluster=cluster.address)
    (alone,) = (one for one in ps.solve_many([wrong], max_iterations=3))
    assert isinstance(error, ps.SpotError)
    assert isinstance(first, ps.Solution)
    assert isinstance(last, ps.Solution)
    assert str(error) == str(alone).replace("spot 1", "spot 2")
    assert first.weights.tobytes() == last.weights.tobytes()


def test_what_fits_nowhere_is_refused_with_the_numbers(pool, tmp_path):
    sizes = {"bet": "33%,75%,150%", "raise": "50%,100%"}
    ranges = {
        name: {"range": "random", "flop": sizes, "turn": sizes, "river": sizes}
        for name in ("oop", "ip")
    }
    large = FlopBatch.of(fields(stack=5000, **ranges), FLOPS, tmp_path, HOW)
    with pytest.raises(MemoryPlanError, match=r"needs .* the largest of 4 nodes has 2\.0 GB"):
        large.run(pool=pool)


def test_nodes_with_another_version_are_refused_by_name(cluster, pool, monkeypatch):
    monkeypatch.setattr(machine, "own_version", lambda: "0.0.9 (old)")
    with pytest.raises(PokerSolverError, match=r"has poker-solver 0\..*, this machine has 0\.0\.9"):
        open_pool(cluster.address)


def test_a_task_whose_node_is_lost_is_done_elsewhere(cluster, pool, tmp_path):
    node = patiently(lambda: cluster.add_node(**NODE))
    given = [(tmp_path, node.node_id, number) for number in range(10)]
    done, lost = list[int](), list[str]()
    for _, number in pool.run(begun_and_done, given, Needs(1, 0, 1000)):
        done.append(number)
        if not lost and (lost := [path.name for path in tmp_path.glob(f"* {node.node_id}")]):
            cluster.remove_node(node, allow_graceful=False)
    assert sorted(done) == list(range(10))
    again = {path.name for path in tmp_path.glob(f"{lost[0].split()[0]} *")}
    assert len(again) == 2


def test_a_folder_that_fills_up_ends_it_and_keeps_what_is_done(pool, tmp_path, monkeypatch):
    def full(path, *parts):
        if len(list(tmp_path.glob("*.pks"))) == 2:
            raise FormatError(f"cannot write {path}: No space left on device")
        write_bytes(path, *parts)

    monkeypatch.setattr(flop_batch, "write_bytes", full)
    with pytest.raises(FormatError, match="No space left"):
        batch(tmp_path).run(pool=pool)
    assert {row["flop"] for row in rows_of(tmp_path)} == {p.stem for p in tmp_path.glob("*.pks")}


def test_a_node_lost_in_the_middle_costs_nothing(cluster, pool, alone, tmp_path):
    extra = patiently(lambda: cluster.add_node(**NODE))
    gone = list[object]()

    def lose_it(told):
        if not gone:
            gone.append(cluster.remove_node(extra, allow_graceful=False))

    result = batch(tmp_path, how=SolveOptions(max_iterations=3, threads=1)).run(lose_it, pool=pool)
    assert gone
    assert result.failed == {}
    assert_same(tmp_path, alone)


def wait_until_lost(host):
    """A worker outlives its node by a moment, in which a small game could be over."""
    with suppress(WorkerLostError):
        while True:
            host.actor.call("sees", Path(), "").result()
            time.sleep(0.05)


def test_a_full_game_goes_on_when_an_actor_and_then_a_node_are_lost(cluster, pool):
    """Each owns flops; the others read or repeat what is gone, and the certificate is the same."""
    alone, shared = small_game(), small_game(pool)
    alone.train(max_iterations=8)
    shared.train(max_iterations=3)
    tables = shared.trunk.tables
    assert len({lot.host.node.name for lot in tables.lots}) == 4
    head = cluster.head_node.node_id
    killed, other = [lot.host for lot in tables.lots if lot.host.node.name != head][:2]
    process = killed.actor.handle.__ray_call__.remote(lambda _: os.getpid())
    os.kill(pool.ray.get(process), signal.SIGKILL)
    wait_until_lost(killed)
    shared.train(max_iterations=2)
    assert killed not in tables.fleet.hosts
    node = next(n for n in cluster.list_all_nodes() if n.node_id == other.node.name)
    cluster.remove_node(node, allow_graceful=False)
    wait_until_lost(other)
    shared.train(max_iterations=3)
    assert other not in tables.fleet.hosts
    assert np.array_equal(shared.sums, alone.sums)
    proof = replace(alone.certify(alone.flops), seconds=0.0)
    assert replace(shared.certify(shared.flops), seconds=0.0) == proof
    shared.close()
    lifted = [
        UnifiedSolver.of(alone.solution(), device="cpu", pool=one).certify(MORE)
        for one in (None, pool)
    ]
    assert replace(lifted[1], seconds=0.0) == replace(lifted[0], seconds=0.0)
