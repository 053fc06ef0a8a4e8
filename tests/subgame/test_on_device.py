"""Searches on a GPU, and on the host that stands for one."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from poker_solver.cards import NUM_COMBOS
from poker_solver.config.spot import Spot
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import ConfigError, DeviceError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.kernels.gadget import NOBODY
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.runtime import device
from poker_solver.runtime.cuda import Gpu, open_gpu
from poker_solver.subgame import search
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.hand import read_hand
from poker_solver.subgame.search import Budget, Searcher, Take, read_actions, read_street
from poker_solver.subgame.solver import SubgameSolver
from poker_solver.subgame.stored import games_of_lines, load_stored
from tests.support.blueprints import book, book_shape, book_solution, put_flops
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_spots import small_spot

RAKE = {"rate": 0.05, "cap": 3.0}
SPOTS: dict[str, Spot] = {
    "river": small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77,QJs,65s,T9s", "100%", "a", stack=300),
    "raked turn": small_spot("KhQd7s4c", "AQs,JJ", "KK,QJs,65s", "75%", "a", rake=RAKE),
    "flop": small_spot("Ks7s2s", "AcAd,QhQc", "QhQd,AsKh,8h8d", "a", stack=90),
}
OTHER = small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77", "33%,100%", "2.5x,a", stack=300)
STACKS = {"hu_20": 20, "hu_100": 100}
WITH_COMPILER = pytest.mark.skipif(COMPILER is None, reason="no compiler")


class Host(HostMachine):
    """The host, and how often it was waited for."""

    waits = 0

    def wait(self) -> None:
        self.waits += 1


@pytest.fixture(
    params=[pytest.param("host", marks=WITH_COMPILER), pytest.param("gpu", marks=pytest.mark.gpu)]
)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Gpu:
    """What `cuda` is."""
    if request.param == "gpu":
        return open_gpu("cuda")
    found = Host()
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    monkeypatch.setattr(search, "open_gpu", lambda name: found)
    return found


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "num_cuda", lambda: 0)


def take_for(game: PostflopGame, player: int) -> Take:
    """What is taken lies about where playing does."""
    weights, met = game.weights[player], game.weights[1 - player].sum()
    cfv = np.random.default_rng(3).normal(scale=0.3 * game.pot * met, size=NUM_COMBOS)
    return Take(player, 0.2 * weights, 0.8 * weights, np.where(weights > 0, cfv, 0.0))


Opened = tuple[CudaEngine, PostflopEngine]


@pytest.fixture
def opened(machine: Gpu) -> Callable[[str, int], Opened]:
    """The same search on a device and on the CPU, which has all that the device has learned."""

    def open_both(name: str, player: int) -> Opened:
        game = PostflopGame.of(SPOTS[name])
        take = None if player == NOBODY else take_for(game, player)
        cuda = Searcher(SubgameConfig(device="cuda")).open_engine(game, take)
        assert isinstance(cuda, CudaEngine)
        cuda.train(1 if name == "flop" else 20)
        gadget = None if cuda.group.gadget is None else cuda.group.gadget.read(cuda.machine)
        cpu = PostflopEngine(cuda.layout, gadget=gadget)
        cpu.restore(cuda.stored(), cuda.iteration)
        return cuda, cpu

    return open_both


CASES = [(name, player) for name in SPOTS for player in (NOBODY, 1)]


@pytest.mark.parametrize(("name", "player"), CASES)
def test_a_street_is_read_as_the_cpu_reads_it(
    opened: Callable[[str, int], Opened], name: str, player: int
) -> None:
    cuda, cpu = opened(name, player)
    (shares, values), (want_shares, want_values) = read_street(cuda), read_street(cpu)
    for got, want in zip(shares, want_shares, strict=True):
        np.testing.assert_array_equal(got, want)
    for got, want in zip(values, want_values, strict=True):
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-3 * cuda.layout.game.pot)
    found, wanted = read_actions(cuda), read_actions(cpu)
    assert list(found) == list(wanted)
    for node, actions in found.items():
        evs = wanted[node].ev_chips
        np.testing.assert_allclose(actions.ev_chips, evs, rtol=0, atol=1e-3 * cuda.layout.game.pot)


@pytest.mark.parametrize("player", [NOBODY, 0])
def test_a_search_comes_to_its_target(machine: Gpu, player: int) -> None:
    game = PostflopGame.of(SPOTS["river"])
    take = None if player == NOBODY else take_for(game, player)
    budget, found = Budget(60_000, time.perf_counter() + 60), []
    for where in ("cuda", "cpu"):
        config = SubgameConfig(device=where, target_pct=0.1)
        found.append(Searcher(config).search(game, budget, take))
    cuda, cpu = found
    assert cuda.record.exploitability_pct <= 0.1
    assert cpu.record.exploitability_pct <= 0.1
    assert cuda.strategy.shape == cpu.strategy.shape


@WITH_COMPILER
def test_a_batch_of_iterations_is_waited_for_before_the_clock_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = Host()
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    monkeypatch.setattr(search, "open_gpu", lambda name: host)
    searcher = Searcher(SubgameConfig(device="cuda"))
    engine = searcher.open_engine(PostflopGame.of(SPOTS["river"]))
    before = host.waits
    engine.train(3)
    assert host.waits == before + 1


@WITH_COMPILER
def test_a_flop_is_whole_on_a_device_and_drawn_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    game = PostflopGame.of(SPOTS["flop"])
    whole, drawn = (
        Searcher(SubgameConfig(device=where)).lay_out(game).runouts for where in ("cuda", "cpu")
    )
    assert drawn.num_boards[TURN:] == (3, 6)
    assert whole.turn_weight.sum() == 49
    assert whole.num_boards[RIVER] > 1000
    assert whole.num_boards[FLOP] == drawn.num_boards[FLOP] == 1


def test_auto_takes_a_gpu_for_what_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher(SubgameConfig(device="auto"))
    small = PostflopGame.of(SPOTS["river"])
    whole = np.ones((2, NUM_COMBOS)) * (PostflopGame.of(SPOTS["flop"]).weights.max() > 0)
    large = PostflopGame(PostflopGame.of(SPOTS["flop"]).cards, whole, SPOTS["flop"].betting)
    for gpus, want in ((0, ["cpu", "cpu"]), (1, ["cpu", "cuda"])):
        monkeypatch.setattr(device, "num_cuda", lambda gpus=gpus: gpus)
        assert [searcher.device_of(game) for game in (small, large)] == want


def test_ranges_that_a_gpu_sums_too_roughly_are_the_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    blocked = small_spot("Ks7h2d9c4s", "AhAd,KdQd:0.00001", "AhAd,KcQc:0.00001", "a")
    game = PostflopGame.of(blocked)
    assert game.would_cancel
    assert Searcher(SubgameConfig(device="cuda")).device_of(game) == "cpu"


def test_cuda_without_a_gpu_is_refused_in_one_line(no_gpu: None) -> None:
    said = "device cuda is not available: the driver sees no CUDA GPU"
    with pytest.raises(DeviceError, match=said):
        SubgameSolver(book(), config=SubgameConfig(device="cuda"))
    SubgameSolver(book(), config=SubgameConfig(device="auto"))


@pytest.mark.parametrize("name", ["mps", "cuda:x", "cpu:1", "gpu"])
def test_other_devices_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"device is '{name}', want cpu, cuda, auto"):
        SubgameConfig(device=name)


@WITH_COMPILER
def test_an_answer_is_cached_by_where_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flop of a CPU is drawn, that of a GPU is whole; `auto` is the one or the other."""
    host = Host()
    monkeypatch.setattr(search, "open_gpu", lambda name: host)
    line, sources = "SBr2.5 BBc | KsJs7s x x 2d x x 3h", []
    one = SubgameSolver(book())
    for where, gpus in (("cpu", 0), ("auto", 0), ("cuda", 1), ("cuda:0", 1)):
        monkeypatch.setattr(device, "num_cuda", lambda gpus=gpus: gpus)
        fields = {"time_budget_ms": 60_000.0, "max_iterations": 20, "device": where}
        other = SubgameSolver(book(), config=SubgameConfig(**fields))  # type: ignore[arg-type]
        other.cache = one.cache
        sources.append(other.solve_range(None, line).source)
    assert sources == ["search", "cache", "search", "cache"]


def test_a_flop_whose_hands_share_rows_is_searched_where_all_of_it_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is stored hand by hand is read everywhere."""

    line, shared = "SBr2.5 BBc | KsJs7s", shared_book(tmp_path / "shared.pkb")

    def search(*_: object) -> None:
        raise RuntimeError("a search was begun")

    monkeypatch.setattr(Searcher, "search", search)
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    for where in ("cpu", "cuda"):
        config = SubgameConfig(device=where)
        assert SubgameSolver(book(), config=config).solve_range(None, line).source == "stored"
        solver = SubgameSolver(shared, config=config)
        if where == "cpu":
            assert solver.solve_range(None, line).source == "stored"
        else:
            with pytest.raises(RuntimeError, match="a search was begun"):
                solver.solve_range(None, line)


def shared_book(path: Path) -> BlueprintStrategy:
    """A blueprint whose hands share rows on flops."""
    rows = RowsConfig.of({"flop": "emd:20"})
    writer = BlueprintWriter(path, book_solution(), book_shape(rows))
    put_flops(writer, rows)
    writer.finish()
    return BlueprintStrategy.load(path)


@WITH_COMPILER
def test_a_warm_searcher_reads_unknown_shapes_from_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiling would take longer than any search may."""
    host = Host()
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    monkeypatch.setattr(search, "open_gpu", lambda name: host)
    searcher = Searcher(SubgameConfig(device="cuda"))
    river, other = PostflopGame.of(SPOTS["river"]), PostflopGame.of(OTHER)
    searcher.warm_up([river])
    for game, by_programs in ((river, False), (other, True)):
        host.launched.clear()
        engine = searcher.open_engine(game)
        engine.train(1)
        assert ("river_learn" in host.launched) == by_programs
    searcher.warm_up([other])
    for game in (river, other):
        host.launched.clear()
        searcher.open_engine(game).train(1)
        assert "river_learn" not in host.launched


@pytest.mark.parametrize("name", ["hu_20", "hu_100"])
def test_games_of_lines_are_what_searches_meet(name: str) -> None:
    solution = load_stored(name)
    assert isinstance(solution, UnifiedSolution)
    games = games_of_lines(solution)
    streets = [int(game.tree.first_street) for game in games]
    assert {FLOP, TURN, RIVER} == set(streets)
    plain = {game.betting for game in games if not game.betting.played}
    assert {line.betting for line in solution.game.lines} <= plain
    assert all(game.betting.stack > 0 for game in games)
    assert {int(g.tree.first_street) for g in games_of_lines(solution, RIVER)} == {RIVER}
    solver = SubgameSolver(solution)
    for line in ("SBr2.5 BBc | QsJh2h x x 7d", "SBr2.5 BBc | QsJh2h x x 7d x x 3c"):
        here = solver.stored.along(read_hand(solver.stored.rules, STACKS[name], None, line))
        assert here.betting(len(here.hand.streets) - 1) in plain
