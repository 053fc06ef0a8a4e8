"""Search and the stored strategy that it stands on, valued by ranges on sampled boards.

    python -m benchmarks.by_ranges match GAME              search against the stored strategy
    python -m benchmarks.by_ranges lbr GAME [--stored]     local best response against either

GAME is a blueprint. A search has 70 iterations (`--iterations`), whatever the time: as many as two
quiet cores do in 200 ms on a turn. A line every ten boards; Ctrl-C keeps what there is.
"""

import argparse
import time

from poker_solver.play.find import load_books, warm_up
from poker_solver.play.search import SearchPolicy
from poker_solver.play.stored import StoredPolicy, stack_bb
from poker_solver.play.strength.by_ranges import RangesResult, play_match_by_ranges
from poker_solver.play.strength.lbr_by_ranges import lbr_by_ranges
from poker_solver.runtime.interrupts import ctrl_c_requests
from poker_solver.subgame.config import SubgameConfig

MINUTE_MS = 60_000.0


def main() -> None:
    """One measurement."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["match", "lbr"])
    parser.add_argument("game")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=70)
    parser.add_argument("--street", default="turn", help="of lbr")
    parser.add_argument("--stored", action="store_true", help="lbr against it instead of search")
    given = parser.parse_args()
    stored = StoredPolicy(load_books([given.game]))
    config = SubgameConfig(time_budget_ms=MINUTE_MS, max_iterations=given.iterations)
    search = SearchPolicy(stored, config)
    warm_up(search)
    began, stack = time.perf_counter(), stack_bb(stored.books[0])

    def report(result: RangesResult) -> None:
        if result.num_boards % 10 == 0:
            seconds = time.perf_counter() - began
            print(f"{result.num_boards} boards · {result.won} · {seconds:.0f} s", flush=True)

    with ctrl_c_requests() as stop:
        if given.what == "match":
            found = play_match_by_ranges(
                search,
                stored,
                num_boards=given.boards,
                stack_bb=stack,
                seed=given.seed,
                report=report,
                stop=stop,
            )
        else:
            found = lbr_by_ranges(
                stored if given.stored else search,
                num_boards=given.boards,
                stack_bb=stack,
                seed=given.seed,
                first_street=given.street,
                report=report,
                stop=stop,
            )
    print(found.summary())


if __name__ == "__main__":
    main()
