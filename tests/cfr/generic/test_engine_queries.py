"""What the two engines say about one information set, and how they are made."""

import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.solver import Solver
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.schedules import CFR_PLUS
from poker_solver.errors import InputError
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.kernels.sequence_form import on_numba


def test_the_current_strategy_is_matched_to_regret_and_is_not_the_average():
    engine = VanillaCFR(KuhnPoker(), "cfr")
    engine.train(7)
    for key, regret in engine.regret.items():
        positive = {action: max(r, 0.0) for action, r in regret.items()}
        total = sum(positive.values())
        wanted = {a: r / total if total else 0.5 for a, r in positive.items()}
        assert engine.get_strategy(key) == pytest.approx(wanted)
    assert any(
        engine.get_strategy(key) != engine.get_average_strategy(key) for key in engine.regret
    )


def test_information_sets_nobody_has_visited():
    engine = VanillaCFR(KuhnPoker())
    for get in (engine.get_strategy, engine.get_average_strategy):
        with pytest.raises(InputError, match="'0:' was not visited in 0 iterations"):
            get("0:")
    with pytest.raises(InputError, match="KuhnPoker has no information set 'zz'"):
        BatchedCFR(KuhnPoker()).get_average_strategy("zz")


@pytest.mark.parametrize("engine", [BatchedCFR, VanillaCFR])
def test_schedules_by_name(engine):
    assert engine(KuhnPoker(), "cfr+").schedule == CFR_PLUS


def test_making_an_engine_makes_every_kernel_ready(monkeypatch):
    called: list[str] = []
    for name in ("start", "run", "value"):
        kernel = getattr(on_numba, name)

        def spy(*arguments, name=name, kernel=kernel):
            called.append(name)
            return kernel(*arguments)

        monkeypatch.setattr(on_numba, name, spy)
    solver = Solver(KuhnPoker())
    assert set(called) == {"start", "run", "value"}
    assert solver.engine.iteration == 0
    assert solver.get_strategy("0:") == {"p": 0.5, "b": 0.5}
