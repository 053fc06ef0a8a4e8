"""Each backend against the plain loops, one step at a time."""

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from poker_solver.cfr.generic.best_response import sequence_form
from poker_solver.games.base import Game
from poker_solver.games.leduc import LeducPoker
from poker_solver.kernels.regret import PLAIN, Rule, Weights
from poker_solver.kernels.sequence_form import Form, State, on_numba, on_torch, reference
from poker_solver.trees.compile import compile_game
from tests.support.random_games import RandomGame

GAMES: dict[str, Game[Any]] = {
    "leduc": LeducPoker(),
    "random": RandomGame(11, 6, 4),
    "ragged": RandomGame(5, 7, 2),
}
RULES = {
    "cfr": PLAIN,
    "predictive": Rule(drops_negative=True, prediction=1 / 3),
    "simultaneous": PLAIN,
}
WEIGHTS = Weights(0.7, 0.4, 0.9)
TABLE = np.array([WEIGHTS])


BACKENDS = ["numba", "torch", "torch32"]


def make(backend: str, form: Form, rule: str):
    together = {"alternating": rule != "simultaneous"}
    if backend == "numba":
        return on_numba.Engine(form, RULES[rule], **together)
    dtype = torch.float32 if backend == "torch32" else torch.float64
    return on_torch.Engine(form, RULES[rule], [0, len(form.payoff)], "cpu", dtype, **together)


def budget(form: Form, backend: str) -> float:
    """As the contract derives it."""
    num_actions, num_levels = int(np.diff(form.info_start).max()), int(form.info_level.max()) + 1
    num_terms = len(form.payoff) + int(form.info_start[-1]) + num_levels * (num_actions + 3)
    eps = np.finfo(np.float32 if backend == "torch32" else np.float64).eps
    return float(num_terms * eps * max(1.0, np.abs(form.payoff).sum()))


def some_state(form: Form, rng):
    num_sequences = int(form.info_start[-1])
    return {
        "regret": rng.standard_normal(num_sequences),
        "policy_sum": rng.random(num_sequences),
        "last": rng.standard_normal(num_sequences),
    }


def reference_state(stored) -> State:
    size = len(stored["regret"])
    fresh = {name: np.full(size, np.nan) for name in ("policy",)}
    plans = {name: np.full(size + 2, np.nan) for name in ("plan", "cfv")}
    doubles = {name: array.astype(np.float64) for name, array in stored.items()}
    return State(**doubles, **fresh, **plans)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_one_iteration_is_within_budget_of_the_reference(backend, game, rule):
    form = sequence_form(compile_game(GAMES[game]))
    stored = some_state(form, np.random.default_rng(3))
    if backend == "torch32":  # what float32 can say, so that both start from the same state
        stored = {name: array.astype(np.float32) for name, array in stored.items()}
    state = reference_state(stored)
    for player in (0, 1):
        reference.match(form, state, RULES[rule], player)
    alternating = rule != "simultaneous"
    reference.run(form, state, RULES[rule], WEIGHTS, alternating=alternating)

    engine = make(backend, form, rule)
    if RULES[rule].prediction == 0:
        stored["last"] = np.zeros(0)
    engine.restore(stored)
    engine.run(TABLE)

    for name in ("regret", "policy_sum"):
        got, want = engine.stored()[name], getattr(state, name)
        np.testing.assert_allclose(got, want, rtol=0, atol=budget(form, backend))


@pytest.mark.parametrize("best", [True, False])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_values_are_within_budget_of_the_reference(backend, game, player, best):
    compiled = compile_game(GAMES[game])
    form = sequence_form(compiled)
    rng = np.random.default_rng(4)
    policy = np.concatenate([rng.dirichlet(np.ones(len(actions))) for actions in compiled.actions])
    got = make(backend, form, "cfr").value(policy, player, best=best)
    want = reference.value(form, policy, player, best=best)
    assert got == pytest.approx(want, rel=0, abs=budget(form, backend))


def test_rectangles_of_rounded_widths_give_the_same(monkeypatch):
    """Groups padded to powers of 2, which only games of many group sizes get by themselves."""
    form = sequence_form(compile_game(GAMES["leduc"]))
    stored = some_state(form, np.random.default_rng(5)) | {"last": np.zeros(0)}
    exact = make("torch", form, "cfr")
    monkeypatch.setattr(on_torch, "_EXACT_WIDTHS", 0)
    padded = make("torch", form, "cfr")
    widths = [[r.width for p in e.players for b in p.passes for r in b] for e in (exact, padded)]
    assert any(width & (width - 1) for width in widths[0])
    assert not any(width & (width - 1) for width in widths[1])
    for engine in (exact, padded):
        engine.restore(stored)
        engine.run(TABLE)
    for name in ("regret", "policy_sum"):
        got, want = padded.stored()[name], exact.stored()[name]
        np.testing.assert_allclose(got, want, rtol=0, atol=budget(form, "torch"))


def test_float32_engines_never_make_a_float64_tensor(monkeypatch):
    """MPS refuses one."""
    real = torch.tensor
    made: list[torch.dtype] = []

    def noted(*arguments, **keywords):
        tensor = real(*arguments, **keywords)
        made.append(tensor.dtype)
        return tensor

    monkeypatch.setattr(torch, "tensor", noted)
    form = sequence_form(compile_game(GAMES["leduc"]))
    engine = make("torch32", form, "predictive")
    engine.run(TABLE)
    engine.restore(some_state(form, np.random.default_rng(3)))
    engine.value(np.ones(int(form.info_start[-1])), 0, best=True)
    assert torch.float32 in made
    assert torch.float64 not in made


def test_graphs_are_recorded_and_replayed_on_the_engines_own_device(monkeypatch):
    """`cuda:1` on a machine without any: every call of torch.cuda is acted by the CPU."""
    current, seen = ["cuda:0"], []

    @contextmanager
    def device(name):
        current.append(name)
        yield
        current.pop()

    @contextmanager
    def capture(graph):
        seen.append(("record", current[-1]))
        yield

    def graph():
        return SimpleNamespace(replay=lambda: seen.append(("replay", current[-1])))

    def stream(device):
        return SimpleNamespace(wait_stream=lambda other: None)

    @contextmanager
    def on_stream(stream):
        yield

    for name, acted in {
        "device": device,
        "graph": capture,
        "CUDAGraph": graph,
        "Stream": stream,
        "current_stream": stream,
        "stream": on_stream,
    }.items():
        monkeypatch.setattr(torch.cuda, name, acted)
    put = on_torch.put
    monkeypatch.setattr(on_torch, "put", lambda array, dtype, device: put(array, dtype, "cpu"))
    engine = make("torch", sequence_form(compile_game(GAMES["leduc"])), "cfr")
    engine.device = "cuda:1"
    engine.run(np.concatenate([TABLE, TABLE]))
    assert seen == [("record", "cuda:1"), ("replay", "cuda:1"), ("replay", "cuda:1")]


def test_learning_by_hand():
    """One information set, two actions worth 3 and 1, everything worked out on paper."""
    form = Form(
        first_info=np.array([0, 1, 1]),
        info_level=np.zeros(1, np.int32),
        info_start=np.array([0, 2], np.int32),
        info_parent=np.array([2], np.int32),
        terminal_sequence=np.array([[0, 1], [3, 3]], np.int32),
        payoff=np.array([3.0, 1.0]),
    )
    for backend in ("numba", "torch"):
        engine = make(backend, form, "cfr")
        engine.restore(
            {
                "regret": np.array([1.0, -2.0]),  # plays action 0
                "policy_sum": np.array([10.0, 20.0]),
                "last": np.zeros(0),
            }
        )
        engine.run(np.array([[0.5, 0.25, 0.1]]))
        stored = engine.stored()
        assert stored["regret"].tolist() == [1 * 0.5 + 0, -2 * 0.25 + (1 - 3)]
        assert stored["policy_sum"].tolist() == [10 * 0.1 + 1, 20 * 0.1 + 0]
