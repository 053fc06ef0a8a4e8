"""Search against the stored strategy that it stands on, valued by ranges on sampled boards.

    python -m benchmarks.search_match GAME [BOARDS] [SEED] [ITERATIONS]

GAME is a blueprint. A search may have so many iterations, 70 unless said, whatever the time: as
many as two quiet cores do in 200 ms on a turn. A line every ten boards; Ctrl-C keeps what there is.
"""

import sys
import time

from poker_solver.play.find import load_books, warm_up
from poker_solver.play.search import SearchPolicy
from poker_solver.play.stored import StoredPolicy, stack_bb
from poker_solver.play.strength.by_ranges import RangesResult, play_match_by_ranges
from poker_solver.runtime.interrupts import ctrl_c_requests
from poker_solver.subgame.config import SubgameConfig

MINUTE_MS = 60_000.0


def main() -> None:
    """One match."""
    game, *rest = sys.argv[1:]
    boards, seed, iterations = (*map(int, rest), *(100, 0, 70)[len(rest) :])
    stored = StoredPolicy(load_books([game]))
    config = SubgameConfig(time_budget_ms=MINUTE_MS, max_iterations=iterations)
    search = SearchPolicy(stored, config)
    warm_up(search)
    began = time.perf_counter()

    def report(result: RangesResult) -> None:
        if result.num_boards % 10 == 0:
            seconds = time.perf_counter() - began
            print(f"{result.num_boards} boards · {result.won} · {seconds:.0f} s", flush=True)

    with ctrl_c_requests() as stop:
        found = play_match_by_ranges(
            search,
            stored,
            num_boards=boards,
            stack_bb=stack_bb(stored.books[0]),
            seed=seed,
            report=report,
            stop=stop,
        )
    print(found.summary())


if __name__ == "__main__":
    main()
