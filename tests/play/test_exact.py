"""Exact exploitability of what is played: search beside the stored strategy it stands on."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.play.strength.exact import exact_exploitability
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.subgame.alternatives import stored_sums
from poker_solver.subgame.hand import read_hand
from tests.support.blueprints import book_shape, book_solution, random_weights, row_maps

LINES = ["SBr2.5 BBc | 4s4h4d x x Kc", "SBr2.5 BBc | KsJs7s x b250 c 2d x x 3h"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A strategy that plays anything after the flop."""
    path, rng = tmp_path_factory.mktemp("random") / "book", np.random.default_rng(4)
    writer = BlueprintWriter(path, book_solution(), book_shape())
    for flop, maps in enumerate(row_maps()):
        writer.put_maps(flop, maps)
        writer.put(flop, 0, random_weights(rng, 0, maps))
    writer.finish()
    return ps.StoredPolicy(ps.BlueprintStrategy.load(path))


def searching(stored, **config):
    fields = {"time_budget_ms": 60_000.0, "max_iterations": 200, "threads": 1, **config}
    return ps.SearchPolicy(stored, ps.SubgameConfig(**fields))


def game_at(search, line):
    """Where a hand is, as the stored strategy leads there, and its place in that."""
    solver = search.solvers[12.0]
    hand = read_hand(solver.stored.rules, 12, None, line)
    along = solver.stored.along(hand)
    reach = along.flop_ranges
    for street in (1, 2):
        for played in along.played(street) if street < len(hand.streets) - 1 else ():
            reach[played.player] *= played.share
    return along, PostflopGame(hand.board, reach, along.betting(len(hand.streets) - 1))


@pytest.mark.parametrize("line", LINES)
def test_what_is_stored_is_asked_as_its_tables_have_it(stored, line):
    search = searching(stored)
    along, game = game_at(search, line)
    layout = search.solvers[12.0].lay_out(game)
    engine = PostflopEngine(layout)
    engine.policy_sum[:] = stored_sums(along, len(game.cards) - 2, layout)
    wanted = float(engine.measure()[0])
    found = exact_exploitability(stored, ps.PokerHand.start(12).played(line), game)
    assert found == pytest.approx(wanted, rel=1e-5)
    assert found > 0.05 * game.pot


@pytest.mark.parametrize("line", LINES)
def test_search_plays_nearly_an_equilibrium_where_the_stored_strategy_plays_anything(stored, line):
    """Turns and rivers nested, every decision asked; searches stop at 0.1 % of their pots."""
    search = searching(stored)
    _, game = game_at(search, line)
    hand = ps.PokerHand.start(12).played(line)
    assert exact_exploitability(search, hand, game) < 0.005 * game.pot


def test_rivers_alone_that_are_searched_are_better_than_stored_ones(stored):
    line, search = LINES[0], searching(stored, depth_limit=1)
    _, game = game_at(search, line)
    hand = ps.PokerHand.start(12).played(line)
    alone = exact_exploitability(search, hand, game)
    assert alone < 0.5 * exact_exploitability(stored, hand, game)
