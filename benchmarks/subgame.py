"""What searches find in their budget, beside what is stored and what an exact solve finds.

    python -m benchmarks.subgame times GAME     rivers and turns: milliseconds, exploitability
    python -m benchmarks.subgame gadgets GAME   bets that are not in the tree: what they then win
    python -m benchmarks.subgame flops GAME     flops: what is lost by the strategy on that street
    python -m benchmarks.subgame exact GAME     turns with all rivers: what is really played
    python -m benchmarks.subgame flop GAME      a whole flop likewise; takes minutes
    python -m benchmarks.subgame hits GAME      what the cache answers in a match of 10,000 hands
    python -m benchmarks.subgame cache          the time of a hit, bytes of an entry

GAME is a blueprint, or the name of a game that comes solved. Tables are printed as Markdown.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, combo_from_string
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.isomorphism import combo_permutation, suit_symmetries
from poker_solver.cfr.options import SolveOptions
from poker_solver.fullgame.training.drawn_boards import DrawnBoards
from poker_solver.games.betting import FLOP
from poker_solver.kernels.postflop import BEST
from poker_solver.play.find import load_books
from poker_solver.play.hand import PokerHand
from poker_solver.play.search import SearchPolicy
from poker_solver.play.stored import StoredPolicy, stack_bb
from poker_solver.play.strength.exact import exact_exploitability
from poker_solver.play.strength.match import play_match
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.subgame import search
from poker_solver.subgame.alternatives import stored_sums
from poker_solver.subgame.config import CacheConfig, SubgameConfig
from poker_solver.subgame.hand import read_hand
from poker_solver.subgame.key import SubgameKey
from poker_solver.subgame.question import Question, _Left, _share_between
from poker_solver.subgame.search import Budget
from poker_solver.subgame.solver import SubgameSolver
from poker_solver.subgame.stored import load_stored
from poker_solver.trees.locks import LockedNode

F64 = NDArray[np.float64]

RIVERS = [
    "SBr2.5 BBc | QsJh2h x x 7d x x 3c",
    "SBr2.5 BBc | KsJs7s x x 2d x x 3h",
    "SBc BBx | Td9d6h x x Qh x x 2s",
    "SBc BBx | 8h8d3c x x Ac x x 4s",
]
TURNS = [
    "SBr2.5 BBc | QsJh2h x x 7d",
    "SBr2.5 BBc | KsJs7s x x 2d",
    "SBc BBx | Td9d6h x x Qh",
    "SBc BBx | 8h8d3c x x Ac",
]
FLOPS = ["SBr2.5 BBc | KsJs7s"]
SIZES = (0.2, 0.4, 1.2, 2.0)
"""Bets that the tree does not have, in pots."""


def question(solver: SubgameSolver, line: str) -> Question:
    """A line on its way."""
    stack_bb = solver.stored.solution.config.stack_bb
    hand = read_hand(solver.stored.rules, stack_bb, None, line)
    return Question(solver, hand, time.perf_counter())


def street_game(solver: SubgameSolver, line: str) -> tuple[Question, PostflopGame]:
    """The game that a search of a line's last street solves."""
    asked = question(solver, line)
    reach = asked.line.flop_ranges
    for street in range(FLOP, asked.last):
        for played in asked.line.played(street):
            if played.share is not None:
                reach[played.player] *= played.share
    play = asked.hand.streets[-1]
    return asked, PostflopGame(play.cards, asked._weights(reach), asked.line.betting(asked.last))


def escaped(line: str) -> str:
    """As it stands in a table."""
    return f"`{line}`".replace("|", "\\|")


def times(game: str) -> None:
    """Rivers and turns."""
    blueprint = load_stored(game)
    print("| line | ms | iterations | search, % of pot | stored | 1,000 iterations |")
    print("|---|---|---|---|---|---|")
    for line in (*RIVERS, *TURNS):
        solver = SubgameSolver(blueprint)
        best, answer = float("inf"), None
        for _ in range(5):
            target = 0.5 if line in RIVERS else 0.1
            solver = SubgameSolver(blueprint, config=SubgameConfig(target_pct=target))
            solver.warm_up()
            solver.solve_range(None, line.rsplit(" ", 2)[0])  # the street before
            found = solver.solve_range(None, line)
            if found.ms < best:
                best, answer = found.ms, found
        assert answer is not None
        asked, spot = street_game(solver, line)
        layout = solver.lay_out(spot)
        engine, stored = PostflopEngine(layout, threads=2), "-"
        sums = stored_sums(asked.line, asked.last, layout)
        if sums is not None:
            engine.policy_sum[:] = sums
            stored = f"{100 * float(engine.measure()[0]) / spot.pot:.2f}"
        engine = PostflopEngine(layout, threads=2)
        engine.train(1000 if line in RIVERS else 300)
        exact = 100 * float(engine.measure()[0]) / spot.pot
        found_pct = answer.exploitability_pct
        print(
            f"| {escaped(line)} | {best:.0f} | {answer.iterations} | {found_pct:.3f} "
            f"| {stored} | {exact:.3f} |"
        )


def gain_of_bet(solver: SubgameSolver, line: str, token: str, gadget: str) -> float:
    """% of the pot that a bet which is not in the tree wins on top of the bettor's best."""
    asked, spot = street_game(solver, line)
    kept = asked._find(asked.last, 0, spot, None)
    solved, bettor = kept.street, int(spot.tree.actor[0])
    left = _Left(solved, 0, bettor)
    reach = spot.weights.copy()
    share = _share_between(left, token)
    weights = spot.weights.copy()
    if share is not None:
        reach[bettor] *= share
    after = replace(spot.betting, played=(token,), only_played=True)
    bet_game = PostflopGame(spot.cards, weights, after)
    layout = solver.lay_out(bet_game)
    engine = PostflopEngine(layout)
    answer_node = bet_game.tree.node_at([token])
    if gadget == "translate":
        actions = [a for a in solved.tree.actions(0) if a not in ("x", "f", "c")]
        node = solved.tree.node_at([actions[0]])  # the one bet of this tree, or the smallest
        tree_actions = solved.tree.actions(node)
        strategy = solved.strategy(node)
        rows = [strategy[tree_actions.index(a)] if a in tree_actions else 0 * strategy[0]
                for a in bet_game.tree.actions(answer_node)]  # fmt: skip
        state_rows(layout, engine.policy_sum, answer_node, 0, 1)[0][:] = np.stack(rows)[
            :, layout.combos[1 - bettor]
        ]
    else:
        other = SubgameSolver(
            (solver.stored.tables and load_stored(sys.argv[2])) or load_stored(sys.argv[2]),
            config=replace(solver.config, bet_gadget=gadget, max_iterations=300),
        )
        found = other.solve_range(None, f"{line} {token}")
        whole = np.zeros((len(found.actions), NUM_COMBOS))
        whole[:, found.combos] = found.strategy
        rows = state_rows(layout, engine.policy_sum, answer_node, 0, 1)[0]
        rows[:] = whole[:, layout.combos[1 - bettor]]
        for node, kept_node in _below(bet_game.tree, answer_node, other):
            rows = state_rows(layout, engine.policy_sum, node, 0, 1)[0]
            rows[:] = kept_node[:, layout.combos[int(bet_game.tree.actor[node])]]
    best = engine.run_pass(bettor, BEST, np.zeros(3, np.float32)).astype(np.float64)
    before = solved.values(0) - spot.pot / 2
    met = disjoint_sum(spot.weights[1 - bettor])
    own = layout.combos[bettor]
    gain = np.maximum(best - np.nan_to_num(before[own]) * met[own], 0.0)
    deals = float(spot.weights[bettor] @ met)
    return 100 * float(spot.weights[bettor, own] @ gain) / deals / spot.pot


def _below(tree, root: int, solver: SubgameSolver):  # type: ignore[no-untyped-def]
    """Decisions after the answer, as they were solved with it."""
    kept = list(solver._kept.values())[-1].street
    start = kept.tree.node_at(tree.history(root))
    pairs = [(root, start)]
    for node, same in pairs:
        for child, other in zip(tree.children(node), kept.tree.children(same), strict=True):
            pairs.append((child, other))
            if tree.is_decision[child]:
                yield child, kept.strategy(other)


def gadgets(game: str) -> None:
    """Bets on rivers that are not in the tree."""
    blueprint = load_stored(game)
    config = SubgameConfig(time_budget_ms=5000, target_pct=0.01)
    names = ("translate", "unsafe", "resolve", "combined")
    print("| line | bet, pots | " + " | ".join(names) + " |\n|---|---|---|---|---|---|")
    totals = dict.fromkeys(names, 0.0)
    for line in RIVERS:
        for size in SIZES:
            row = []
            for name in names:
                solver = SubgameSolver(blueprint, config=config)
                pot = street_game(solver, line)[1].pot
                row.append(gain_of_bet(solver, line, f"b{max(100, round(size * pot))}", name))
                totals[name] += row[-1] / len(RIVERS) / len(SIZES)
            print(
                f"| {escaped(line)} | {size} | " + " | ".join(f"{gain:.2f}" for gain in row) + " |"
            )
    print("| mean | | " + " | ".join(f"{totals[name]:.2f}" for name in names) + " |")


def even_suits(strategy: F64, spot: PostflopGame) -> F64:
    """[A, 1326] averaged over the renamings of suits that change nothing in the game."""
    ways = suit_symmetries(spot.cards, list(spot.weights))
    found: F64 = np.mean([strategy[:, combo_permutation(way)] for way in ways], axis=0)
    return found


def locked_value(
    spot: PostflopGame, strategies: dict[int, F64], player: int
) -> tuple[float, float]:
    """What a player wins whose flop is fixed while all else is played well; % of pot left."""
    locks = tuple(
        LockedNode(
            " ".join(spot.tree.history(node)), node, (), spot.weights[player] > 0,
            even_suits(mix, spot) * (spot.weights[player] > 0),
        )
        for node, mix in strategies.items()
        if spot.tree.actor[node] == player
    )  # fmt: skip
    found = solve_spot(
        PostflopGame(spot.cards, spot.weights, spot.betting, locks),
        SolveOptions(target=0.5, max_iterations=60, device="cpu", threads=2),
    )
    return found.record.ev_chips[player], found.exploitability_pct


def flops(game: str) -> None:
    """What both players lose by their strategies on the flop, all later streets played well."""
    blueprint = load_stored(game)
    print("| flop | strategy | ms | iterations | lost, % of pot |\n|---|---|---|---|---|")
    for line in FLOPS:
        solver = SubgameSolver(blueprint)
        asked, spot = street_game(solver, line)
        nodes = np.flatnonzero(spot.tree.is_decision & (spot.tree.street == FLOP)).tolist()
        exact = solve_spot(
            spot, SolveOptions(target=0.3, max_iterations=80, device="cpu", threads=2)
        )
        values = exact.record.ev_chips
        print(f"| {escaped(line)} | exact | | {exact.record.iterations} | "
              f"{exact.exploitability_pct:.2f} left |", flush=True)  # fmt: skip
        known: dict[str, tuple[float, int, dict[int, F64]]] = {}
        stored = {node: asked.line._mix(asked.hand.streets[-1], node) for node in nodes}
        if all(mix is not None for mix in stored.values()):
            known["stored"] = 0.0, 0, stored  # type: ignore[assignment]
        for turns, rivers in ((3, 2), (6, 4), (16, 2)):
            search.FLOP_BOARDS = DrawnBoards(turns, rivers)
            one = SubgameSolver(blueprint)
            one.warm_up()
            kept = one.find(("x",), spot, None, Budget(200.0, time.perf_counter() + 0.2))
            record = kept.street.result.record
            found = {node: kept.street.strategy(node) for node in nodes}
            known[f"{turns} turns x {rivers} rivers"] = record.ms, record.iterations, found
        for name, (ms, iterations, mixes) in known.items():
            lost = sum(values[p] - locked_value(spot, mixes, p)[0] for p in (0, 1)) / 2
            lost_pct = 100 * lost / spot.pot
            text = f"| {escaped(line)} | {name} | {ms:.0f} | {iterations} | {lost_pct:.2f} |"
            print(text, flush=True)


def hits(game: str) -> None:
    """10,000 hands of search against the stored strategy; few iterations: answers do not matter."""
    config = SubgameConfig(time_budget_ms=60_000, max_iterations=10)
    stored = StoredPolicy(load_books([game]))
    player, stack = SearchPolicy(stored, config), stack_bb(stored.books[0])
    inner, deals = player.solvers[stack].cache.get, list[int]()
    known: dict[bytes, int] = {}  # key -> the deal that asked first
    asked: dict[int, list[int]] = {4: [0, 0, 0], 5: [0, 0, 0]}  # cards -> new, same deal, earlier

    def watched(key: SubgameKey) -> bytes | None:
        found = inner(key)
        first = known.setdefault(key.digest(), len(deals))
        asked[len(key.board) // 2][0 if found is None else 1 if first == len(deals) else 2] += 1
        return found

    player.solvers[stack].cache.get = watched  # type: ignore[method-assign]
    play_match(
        player, stored, num_hands=10_000, stack_bb=stack, report=lambda _: deals.append(len(known))
    )
    print("| | searches asked for | in the same deal, other seat | in another deal | hit rate |")
    print("|---|---|---|---|---|")
    for name, (new, same, earlier) in zip(("turns", "rivers"), asked.values(), strict=True):
        total = new + same + earlier
        print(f"| {name} | {total:,} | {same:,} | {earlier:,} | {(same + earlier) / total:.1%} |")
    for count in (1_000, 2_500, 5_000):
        print(f"{2 * count:,} hands: {deals[count - 1]:,} entries")


def cache() -> None:
    """Hits, in memory and from the disk."""
    line, combo = TURNS[0], combo_from_string("AhAd")
    with tempfile.TemporaryDirectory() as folder:
        disk = CacheConfig(disk_path=Path(folder))
        config = SubgameConfig(time_budget_ms=3000.0)
        solver = SubgameSolver(load_stored("hu_20"), config=config, cache_config=disk)
        solver.warm_up()
        for asked in (RIVERS[0], line):
            solver.new_hand()
            solver.solve_range(None, asked)
        got, inner, keys = [], solver.cache.get, list[SubgameKey]()

        def watched(key: SubgameKey) -> bytes | None:
            keys.append(key)
            return inner(key)

        solver.cache.get = watched  # type: ignore[method-assign]
        for asked in (RIVERS[0], line):
            solver.new_hand()
            assert solver.solve_range(None, asked).source == "cache"
        for key in keys:
            payload = inner(key)
            if payload is None:
                continue
            before = time.perf_counter()
            for _ in range(2000):
                inner(key)
            got.append((key.board, len(payload), (time.perf_counter() - before) / 2000))
        again = SubgameSolver(
            load_stored("hu_20"), cache_config=replace(disk, max_memory_entries=0)
        )
        for key in keys:
            before = time.perf_counter()
            for _ in range(500):
                again.cache.get(key)
            print(f"disk hit {1e6 * (time.perf_counter() - before) / 500:.0f} us")
        for board, size, seconds in got:
            print(f"{board}: {size:,} bytes, memory hit {1e6 * seconds:.1f} us")
        whole = []
        for _ in range(50):
            solver.new_hand()
            before = time.perf_counter()
            solver.solve(None, combo, RIVERS[0])
            whole.append(time.perf_counter() - before)
        print(f"a whole question from the cache, preflop to river: {1e3 * min(whole):.2f} ms")


SEARCHES = {
    "search": SubgameConfig(time_budget_ms=60_000, max_iterations=70),
    "search, 300 iterations": SubgameConfig(
        time_budget_ms=60_000, max_iterations=300, target_pct=0.01
    ),
    "rivers alone": SubgameConfig(time_budget_ms=60_000, max_iterations=70, depth_limit=1),
    "resolve": SubgameConfig(time_budget_ms=60_000, max_iterations=70, street_gadget="resolve"),
}


def exact(game: str, lines: Sequence[str] = TURNS, names: Sequence[str] = tuple(SEARCHES)) -> None:
    """Exploitability of what a player really plays, every decision asked, streets nested."""
    stored = StoredPolicy(load_books([game]))
    print("| line | stored | " + " | ".join(names) + " |\n|---" + "|---" * (1 + len(names)) + "|")
    for line in lines:
        found, hand = [], PokerHand.start(stack_bb(stored.books[0])).played(line)
        for name in ("stored", *names):
            player = SearchPolicy(stored, SEARCHES.get(name))
            _, spot = street_game(player.solvers[hand.stack_bb], line)
            lost = exact_exploitability(player if name in SEARCHES else stored, hand, spot)
            found.append(100 * lost / spot.pot)
        print(
            f"| {escaped(line)} | " + " | ".join(f"{pct:.2f}" for pct in found) + " |", flush=True
        )


def flop(game: str) -> None:
    """A whole flop: its own decisions stored, every turn and river searched."""
    exact(game, FLOPS, ["search", "rivers alone"])


def main() -> None:
    """One of the tables."""
    what, *rest = sys.argv[1:] or ["cache"]
    if what == "cache":
        cache()
    else:
        tables = {"times": times, "gadgets": gadgets, "flops": flops, "exact": exact}
        (tables | {"flop": flop, "hits": hits})[what](*rest)


if __name__ == "__main__":
    main()
