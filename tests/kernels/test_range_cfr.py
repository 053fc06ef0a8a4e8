"""Range CFR: every backend against the plain loops, one step at a time, and steps done on paper."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from poker_solver.config.preflop import Config, load_config
from poker_solver.games.betting import SB, BettingRules
from poker_solver.kernels.range_cfr import (
    DECISION,
    FOLDED,
    LEAF,
    SHOWDOWN,
    Hands,
    State,
    Tree,
    on_numba,
    on_torch,
    reference,
)
from poker_solver.kernels.regret import PLAIN, Rule, Weights
from poker_solver.preflop.arrays import kernel_tree
from poker_solver.preflop.deal import class_deal
from poker_solver.trees.betting import build_betting_tree

BUDGET = 1e-12  # as the package docstring promises
CLASSES = [0, 1, 5, 12, 13, 20, 91, 120, 168]  # pairs, suited, offsuit, ranks shared and not
RULES = {
    "dcfr": (Weights(0.7, 0.5, 0.9), PLAIN),
    "first": (Weights(0.0, 0.0, 0.0), PLAIN),
    "cfr+": (Weights(1.0, 0.0, 0.75), Rule(0.0, drops_negative=True)),
    "predictive": (Weights(1.0, 0.0, 0.5), Rule(1 / 3, drops_negative=True)),
}
BACKENDS = ["numba", "numba threads", "torch"]


@pytest.fixture(scope="module")
def small() -> tuple[Tree, Hands]:
    """A raked game of 46 nodes and nine classes."""
    config = Config(stack_depth=12, raise_sizes=[2.5, 6, 12], rake={"rate": 0.05, "cap": 0.3})
    deal = class_deal(CLASSES)
    return kernel_tree(build_betting_tree(BettingRules(config.betting)), deal.num_deals), deal.hands


def engine(backend: str, tree: Tree, hands: Hands, rule: Rule) -> Any:
    if backend == "torch":
        return on_torch.Engine(tree, hands, rule)
    threads = 3 if backend == "numba threads" else 1
    return on_numba.Engine(tree, hands, rule, threads=threads)


def some_state(tree: Tree, hands: Hands, rng: np.random.Generator, scale: float) -> State:
    """Regrets of both signs; some hands never raise, some nodes nobody gets to."""
    shape = (len(tree.kind), len(hands.same))
    regret = scale * rng.standard_normal(shape)
    regret[3:9, :4] = -scale  # all actions bad: uniform
    regret[1:4] = scale * np.array([[1.0], [-1.0], [1.0]])  # never limps: nobody behind it
    return State(regret, scale * rng.random(shape), scale * rng.standard_normal(shape))


def assert_within_budget(got: NDArray[Any], want: NDArray[Any], name: str) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=BUDGET * np.abs(want).max(), err_msg=name)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_update_is_within_budget_of_the_reference(
    backend: str, rule: str, scale: float, small: tuple[Tree, Hands], monkeypatch: Any
) -> None:
    monkeypatch.setattr(on_numba, "_FEWEST_NODES", 0)
    tree, hands = small
    weights, fixed = RULES[rule]
    want = some_state(tree, hands, np.random.default_rng(7), scale)
    if not fixed.prediction:
        want = want._replace(last=np.zeros((0, len(hands.same))))
    tested = engine(backend, tree, hands, fixed)
    for player in (0, 1, 0):
        tested.restore(want._asdict())
        reference.update(tree, hands, want, player, weights, fixed)
        tested.update(player, weights)
        for name, array in tested.stored().items():
            if array.size:
                assert_within_budget(array, getattr(want, name), f"{name} of {player}")


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_are_within_budget_of_the_reference(
    backend: str, small: tuple[Tree, Hands], monkeypatch: Any
) -> None:
    monkeypatch.setattr(on_numba, "_FEWEST_NODES", 0)
    tree, hands = small
    state = some_state(tree, hands, np.random.default_rng(3), 1.0)
    state.policy_sum[4:6] = 0.0  # nobody got here: uniform
    tested = engine(backend, tree, hands, RULES["predictive"][1])
    tested.restore(state._asdict())
    for player, got in enumerate(tested.both_values()):
        ones = np.ones(len(hands.same))
        want = reference.values(tree, hands, state.policy_sum, player, 0, ones)
        assert_within_budget(got[0], want[0], "best response")
        assert_within_budget(got[1], want[1], "average strategy")


def test_values_inside_the_tree_are_within_budget_of_the_reference(
    small: tuple[Tree, Hands],
) -> None:
    tree, hands = small
    rng = np.random.default_rng(5)
    policy_sum = rng.random((len(tree.kind), len(hands.same)))
    other = rng.random(len(hands.same))
    other[2] = 0.0
    evaluator = on_numba.Evaluator(tree, hands)
    for node in range(len(tree.kind)):
        for player in (0, 1):
            got = evaluator.values(policy_sum, player, node, other)
            want = reference.values(tree, hands, policy_sum, player, node, other)
            for g, w in zip(got, want, strict=True):
                assert_within_budget(g, w, f"node {node}")


def test_backends_agree_on_the_real_size() -> None:
    deal = class_deal()
    tree = kernel_tree(
        build_betting_tree(BettingRules(load_config("standard").betting)), deal.num_deals
    )
    engines = [engine(backend, tree, deal.hands, PLAIN) for backend in ("numba", "torch")]
    weights, _ = RULES["dcfr"]
    for player in (0, 1, 0, 1):
        for each in engines:
            each.update(player, weights)
    first, second = (each.stored() for each in engines)
    for name in ("regret", "policy_sum"):
        assert_within_budget(second[name], first[name], name)


def test_pairs_in_parts_are_the_pairs() -> None:
    for classes in (None, CLASSES):
        hands = class_deal(classes).hands
        sign = np.array([1] + [-1] * 13)[:, None]
        np.testing.assert_array_equal(
            (hands.part * sign).T @ hands.part + np.diag(hands.same), hands.pairs
        )


def push_or_fold() -> tuple[Tree, Hands]:
    """One hand, push or fold for 10: the numbers can be done on paper."""
    tree = Tree(
        num_levels=3,
        child_start=np.array([1, 3, 3, 5, 5, 5]),
        kind=np.array([DECISION, FOLDED, DECISION, FOLDED, SHOWDOWN], np.int8),
        actor=np.array([0, 0, 1, 1, -1], np.int8),
        stake=np.array([0.0, 0.5, 0.0, 1.0, 10.0]),
        drop=np.zeros(5),
    )
    hands = Hands(
        pairs=np.ones((1, 1)),
        edge=np.full((1, 1), 0.25),  # a hand that beats itself, to have a value
        part=np.eye(14, 1),
        same=np.zeros(1),
        rank=np.zeros((2, 1), np.int64),
        share=np.zeros((2, 1)),
    )
    return tree, hands


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_one_update_by_hand(backend: str) -> None:
    tree, hands = push_or_fold()
    start = State(
        regret=np.array([[0.0], [3.0], [1.0], [-2.0], [-4.0]]),  # pushes 1/4, calls 1/2
        policy_sum=np.full((5, 1), 8.0),
        last=np.zeros((0, 1)),
    )
    weights = Weights(0.5, 0.25, 0.75)
    if backend == "reference":
        reference.update(tree, hands, start, 0, weights, PLAIN)
        state: dict[str, Any] = start._asdict()
    else:
        tested = engine(backend, tree, hands, PLAIN)
        tested.restore(start._asdict())
        tested.update(0, weights)
        state = tested.stored()
    fold, push = -0.5, 0.5 * 1.0 + 0.5 * 10.0 * 0.25  # he folds half the time
    node = 0.75 * fold + 0.25 * push
    assert state["regret"][1:3, 0].tolist() == [1.5 + fold - node, 0.5 + push - node]
    assert state["regret"][3:, 0].tolist() == [-2.0, -4.0]  # not his
    assert state["policy_sum"][1:3, 0].tolist() == [8 * 0.75 + 0.75, 8 * 0.75 + 0.25]
    assert state["policy_sum"][3:, 0].tolist() == [8.0, 8.0]


def test_average_is_weighted_by_own_reach() -> None:
    """SB raises one time in four; what he does against a raise counts a quarter."""
    tree = kernel_tree(
        build_betting_tree(BettingRules(Config(stack_depth=9, raise_sizes=[3, 9]).betting)), 1.0
    )
    hands = class_deal([0]).hands
    tested = on_numba.Engine(tree, hands, PLAIN)
    tested.state.regret[1:5, 0] = [3, 0, 1, 0]  # f, c, r3, a
    tested.update(SB, Weights(0.7, 0.5, 0.0))
    node = int(tree.child_start[3])  # BB against r3: f, c, a
    answer = int(tree.child_start[node + 2])  # SB against the all-in: f, c
    assert tested.state.policy_sum[1:5, 0].tolist() == [0.75, 0, 0.25, 0]
    assert tested.state.policy_sum[answer : answer + 2, 0].tolist() == [0.125, 0.125]


@pytest.mark.gpu
def test_cuda_stays_within_budget_of_the_cpu_while_replaying() -> None:
    deal = class_deal()
    tree = kernel_tree(
        build_betting_tree(BettingRules(load_config("standard").betting)), deal.num_deals
    )
    on_cpu = on_torch.Engine(tree, deal.hands, PLAIN)
    on_gpu = on_torch.Engine(tree, deal.hands, PLAIN, device="cuda")
    for step in range(12):  # the first few are not replayed
        on_gpu.restore(on_cpu.stored())
        weights = Weights(0.9, 0.5, step / (step + 1))
        for each in (on_cpu, on_gpu):
            each.update(step % 2, weights)
        for name, array in on_cpu.stored().items():
            if array.size:
                assert_within_budget(on_gpu.stored()[name], array, f"{name} at {step}")
    torch.cuda.synchronize()


def test_leaves_with_values_from_outside_are_within_budget_of_the_reference(
    small: tuple[Tree, Hands],
) -> None:
    tree, hands = small
    leaves = np.flatnonzero(tree.kind == SHOWDOWN)[:3]
    kind = tree.kind.copy()
    kind[leaves] = LEAF
    tree, rng = tree._replace(kind=kind), np.random.default_rng(11)
    weights, rule = RULES["dcfr"]
    state = some_state(tree, hands, rng, 1.0)._replace(last=np.zeros((0, len(hands.same))))
    state.regret[1:4] = 1.0  # everybody gets everywhere: a leaf is given what it is worth then
    best, mean = rng.standard_normal((2, len(leaves), len(hands.same)))
    tested = on_numba.Engine(tree, hands, rule, leaves=leaves)
    for player in (0, 1):
        tested.restore(state._asdict())
        given = dict(zip(leaves.tolist(), mean, strict=True))
        reference.update(tree, hands, state, player, weights, rule, given)
        tested.update(player, weights, mean)
        assert_within_budget(tested.state.regret, state.regret, "regret")
        both = dict(zip(leaves.tolist(), zip(best, mean, strict=True), strict=True))
        ones = np.ones(len(hands.same))
        want = reference.values(tree, hands, state.policy_sum, player, 0, ones, both)
        for got, wanted in zip(tested.values(player, best, mean), want, strict=True):
            assert_within_budget(got, wanted, f"value of {player}")
