"""When a search stops, by a clock and an engine of our own; how several share the time."""

import time
from types import SimpleNamespace

import pytest

from poker_solver.postflop.game import PostflopGame
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.result import StreetResult
from poker_solver.subgame.search import Budget, Searcher, Take
from poker_solver.subgame.solver import SubgameSolver
from tests.support.blueprints import book

ITERATION_S = 0.002


class SlowEngine:
    """Iterations take two milliseconds, and some batches as much more as they are held up."""

    first_step = 1
    layout = SimpleNamespace(game=SimpleNamespace(pot=100))

    def __init__(self, held_up_s: dict[int, float]) -> None:
        self.now, self.iteration, self.held_up_s = 0.0, 0, held_up_s

    def next_check(self, _: int) -> int:
        return 10_000

    def train(self, count: int) -> None:
        held = [s for i, s in self.held_up_s.items() if 0 <= i - self.iteration < count]
        self.iteration += count
        self.now += ITERATION_S * count + sum(held)

    def measure(self) -> list[float]:
        return [1.0]


@pytest.fixture
def stops_at(monkeypatch):
    """Seconds after which a search of 200 ms stops to iterate."""

    def stop(held_up_s: dict[int, float]) -> float:
        engine = SlowEngine(held_up_s)
        monkeypatch.setattr(time, "perf_counter", lambda: engine.now)
        Searcher(SubgameConfig())._iterate(engine, 0.2)  # type: ignore[arg-type]
        return engine.now

    return stop


def test_a_quiet_search_leaves_three_iterations(stops_at):
    assert stops_at({}) == pytest.approx(0.2 - 3 * ITERATION_S, abs=1.1 * ITERATION_S)


def test_one_that_was_held_up_leaves_room_for_once_more(stops_at):
    found = stops_at({30: 0.015})
    assert 0.2 - 0.015 - 6 * ITERATION_S <= found <= 0.2 - 0.015 - 3 * ITERATION_S


def test_one_that_is_held_up_beyond_its_deadline_stops_at_once(stops_at):
    assert stops_at({5: 1.0}) < 1.03


def test_a_bet_that_the_tree_does_not_have_leaves_time_for_its_own_search(monkeypatch):
    inner, given = Searcher.search, list[tuple[tuple[str, ...], Budget]]()

    def watched(self: Searcher, game: PostflopGame, budget: Budget, take: Take | None = None):
        given.append((game.betting.played, budget))
        found: StreetResult = inner(self, game, budget, take)
        return found

    monkeypatch.setattr(Searcher, "search", watched)
    config = SubgameConfig(time_budget_ms=60_000, max_iterations=3, threads=1)
    river = "SBr2.5 BBc | KsJs7s x x 2d x x 3h"
    SubgameSolver(book(), config=config).solve_range(None, f"{river} x")
    SubgameSolver(book(), config=config).solve_range(None, f"{river} b333")
    (_, alone), (_, before), (played, after) = given[-3:]
    assert (played, after.ms, alone.ms) == (("b333",), 60_000, 60_000)
    assert before.ms == pytest.approx(40_000)
    assert after.deadline - before.deadline > 10  # of 18.6 s, less what this machine took
