"""`make fuzz`: hands against random legal amounts, every stack from 5 to 200 bb, nothing may break.

    python -m benchmarks.play_fuzz --hands 10000 --strategy stored

Prints one JSON object; leaves with 1 if an action was illegal, an answer late or a hand broken.
"""

import argparse
import json
import sys
import time

from poker_solver.play.find import find_strategy, warm_up
from poker_solver.play.simple import RandomAmounts
from poker_solver.play.strength.match import MatchResult, play_match


def main() -> None:
    """Play, and judge what came."""
    options = argparse.ArgumentParser()
    options.add_argument("--hands", type=int, default=10_000)
    options.add_argument("--strategy", default="stored")
    options.add_argument("--stack", type=float, nargs=2, default=(5.0, 200.0))
    options.add_argument("--budget-ms", type=float, default=200)
    options.add_argument("--seed", type=int, default=0)
    asked = options.parse_args()
    policy = find_strategy(asked.strategy, asked.budget_ms)
    warm_up(policy)
    began = time.perf_counter()

    def report(result: MatchResult) -> None:
        if result.num_hands % 1000 == 0:
            print(f"{result.num_hands:,} hands", file=sys.stderr, flush=True)

    result = play_match(
        policy,
        RandomAmounts(asked.seed),
        num_hands=asked.hands,
        stack_bb=(asked.stack[0], asked.stack[1]),
        seed=asked.seed,
        report=report,
    )
    times = sorted(result.ms[0])
    late = sum(ms > 1.1 * asked.budget_ms for ms in times)
    found = {
        **result.summary(),
        "decisions": len(times),
        "late": late,
        "ms": {str(q): round(times[int(q * (len(times) - 1))], 3) for q in (0.5, 0.99, 0.999)},
        "problems": result.problems[0][:5],
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(json.dumps(found))
    sys.exit(1 if late or result.problems[0] else 0)


if __name__ == "__main__":
    main()
