"""`make fuzz`: hands against random legal amounts, every stack from 5 to 200 bb, nothing may break.

    taskset -c 0 python -m benchmarks.play_fuzz --hands 10000 --strategy stored

Prints one JSON object; leaves with 1 if an action was illegal, an answer late or a hand broken. An
answer is late if it took longer than its budget and a tenth, not counting what the kernel gave to
other programs meanwhile: `waited_ms`, which is known where one thread does all (`taskset`).
The slowest answers are listed with where their time went.
"""

import argparse
import gc
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from poker_solver.play.find import find_strategy, warm_up
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import HandMix, Policy, RangeMix
from poker_solver.play.simple import RandomAmounts
from poker_solver.play.strength.match import MatchResult, play_match

SCHEDULE = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True)
class Answered:
    """An answer's time: `ms` = on the CPU + waiting for it + blocked."""

    ms: float
    cpu_ms: float
    waited_ms: float  # others had the CPU; 0 where the kernel does not say
    collecting_ms: float  # of the CPU's, by the garbage collector
    source: str
    line: str

    @property
    def own_ms(self) -> float:
        """What it would have taken alone."""
        return self.ms - self.waited_ms


@dataclass
class Watched:
    """A strategy whose answers are timed."""

    strategy: Policy
    answers: list[Answered] = field(default_factory=list)
    _collecting: float = 0.0
    _since: float = 0.0

    def __post_init__(self) -> None:
        gc.callbacks.append(self._collect)

    @property
    def name(self) -> str:
        """Of the strategy."""
        return self.strategy.name

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        began, cpu, waited = time.perf_counter(), time.process_time(), _waited_ms()
        collecting = self._collecting
        found = self.strategy.decide(hand, combo)
        self.answers.append(
            Answered(
                1000 * (time.perf_counter() - began),
                1000 * (time.process_time() - cpu),
                _waited_ms() - waited,
                1000 * (self._collecting - collecting),
                found.source,
                f"{hand.stack_bb:g} bb {hand.line}",
            )
        )
        return found

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        return self.strategy.whole_range(hand)

    def _collect(self, phase: str, _: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._since = now
        else:
            self._collecting += now - self._since


def _waited_ms() -> float:
    """How long this thread has been ready to run and was not let."""
    try:
        return int(SCHEDULE.read_text().split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    quantiles = (0.5, 0.99, 0.999, 1.0)
    return {str(q): round(ordered[int(q * (len(ordered) - 1))], 3) for q in quantiles}


def main() -> None:
    """Play, and judge what came."""
    options = argparse.ArgumentParser()
    options.add_argument("--hands", type=int, default=10_000)
    options.add_argument("--strategy", default="stored")
    options.add_argument("--stack", type=float, nargs=2, default=(5.0, 200.0))
    options.add_argument("--budget-ms", type=float, default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--slowest", type=int, default=10, help="how many to list")
    asked = options.parse_args()
    policy = find_strategy(asked.strategy, asked.budget_ms)
    warm_up(policy)
    watched = Watched(policy)
    began = time.perf_counter()

    def report(result: MatchResult) -> None:
        if result.num_hands % 1000 == 0:
            print(f"{result.num_hands:,} hands", file=sys.stderr, flush=True)

    result = play_match(
        watched,
        RandomAmounts(asked.seed),
        num_hands=asked.hands,
        stack_bb=(asked.stack[0], asked.stack[1]),
        seed=asked.seed,
        report=report,
    )
    answers, most = watched.answers, 1.1 * asked.budget_ms
    late = sum(one.own_ms > most for one in answers)
    slowest = sorted(answers, key=lambda one: -one.ms)[: asked.slowest]
    found = {
        **result.summary(),
        "decisions": len(answers),
        "late": late,
        "late_with_waiting": sum(one.ms > most for one in answers),
        "ms": _spread([one.ms for one in answers]),
        "own_ms": _spread([one.own_ms for one in answers]),
        "cpu_ms": _spread([one.cpu_ms for one in answers]),
        "slowest": [{k: round(v, 1) if isinstance(v, float) else v for k, v in vars(one).items()}
                    for one in slowest],
        "problems": result.problems[0][:5],
        "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip
    print(json.dumps(found, indent=1))
    sys.exit(1 if late or result.problems[0] else 0)


if __name__ == "__main__":
    main()
