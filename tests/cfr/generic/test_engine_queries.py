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


@pytest.mark.parametrize("engine", [BatchedCFR, VanillaCFR])
def test_before_training_everything_is_uniform(engine):
    made = engine(KuhnPoker())
    for get in (made.get_strategy, made.get_average_strategy):
        assert get("0:") == {"p": 0.5, "b": 0.5}
        with pytest.raises(InputError, match="KuhnPoker has no information set 'zz'"):
            get("zz")
    strategies = made.get_all_average_strategies()
    assert len(strategies) == 12
    assert all(row == {"p": 0.5, "b": 0.5} for row in strategies.values())


@pytest.mark.parametrize("schedule", ["cfr", "dcfr", "pcfr+"])
def test_both_engines_tell_the_same_current_strategy(schedule):
    fast, plain = BatchedCFR(KuhnPoker(), schedule), VanillaCFR(KuhnPoker(), schedule)
    fast.train(9)
    plain.train(9)
    found = fast.get_all_strategies()
    assert len(found) == 12
    for key, row in found.items():
        assert row == pytest.approx(plain.get_strategy(key), abs=1e-9)
        assert fast.get_strategy(key) == row


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
