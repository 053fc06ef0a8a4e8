"""Hands that can meet weigh far less than those that cannot: nothing may cancel.

10,000 tiny rivers with weights from 1e-12 to 1 are played by the engine and summed again in
float64, every pair of hands by itself.
"""

from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, DeviceError, NumericsError
from poker_solver.games.betting import FOLD, SHOWDOWN
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.engine import SpotEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.plan import check_sums, plan
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.solving import solve
from tests.support.postflop_oracle import Oracle
from tests.support.postflop_spots import small_spot

Float = NDArray[np.float64]
Single = NDArray[np.float32]

NUM_LAYOUTS, NUM_WEIGHTS = 40, 250
IDENTITY = [(0, 1, 2, 3)]
STAKE = 50 + 200
BUDGET = 1e-5 * STAKE
"""Chips: some hundred roundings of float32 at the stake, and none of the hands that are blocked."""


def thin_river(seed: int) -> Spot:
    """Few hands of few cards, of which most of the weight shares a card with the opponent's."""
    rng = Random(seed)
    while True:
        cards = rng.sample(range(52), 13)
        deck = [_name(card) for card in cards]
        board, left = "".join(deck[:5]), deck[5:]
        pairs = [a + b for i, a in enumerate(left) for b in left[:i]]
        hands = [rng.sample(pairs, rng.randint(2, 9)) for _ in range(2)]
        text = [",".join(f"{h}:{_weight(rng)}" for h in own) for own in hands]
        sizes = [rng.choice(["50%", "50%,a"]), rng.choice(["", "a"])]
        try:
            spot = small_spot(board, text[0], text[1], *sizes)
        except ConfigError:  # no hand can meet another
            continue
        if PostflopGame.of(spot).would_cancel:
            return spot


def _name(card: int) -> str:
    return "23456789TJQKA"[card // 4] + "cdhs"[card % 4]


def _weight(rng: Random) -> str:
    return f"{10 ** rng.uniform(-12, 0):.17f}" if rng.random() < 0.7 else "1"


class PairSums:
    """EVs and best responses of N sums of strategies, each against its N ranges, pair by pair."""

    def __init__(self, spot: Spot, layout: Layout, reach: list[Float], sums: Single) -> None:
        self.oracle, self.layout, self.reach, self.sums = Oracle(spot), layout, reach, sums
        self.pairs = ((reach[0] @ self.oracle.meets) * reach[1]).sum(1)

    def earned(self, player: int, *, best: bool) -> Float:
        """[N] chips of a player: of his average strategy, or of his best one."""
        cfv = self._cfv(0, player, self.reach[1 - player], best)
        found: Float = (cfv * self.reach[player]).sum(1) / self.pairs
        return found

    def _cfv(self, node: int, player: int, reach: Float, best: bool) -> Float:  # [N, H]
        tree = self.oracle.tree
        if tree.kind[node] in (FOLD, SHOWDOWN):
            chips = self.oracle.payoffs(node, player)[0] * self.oracle.meets
            found: Float = reach @ (chips.T if player == 0 else chips)
            return found
        policy, actor = self._policy(node), int(tree.actor[node])
        below = list(enumerate(tree.children(node)))
        if actor != player:
            parts = [self._cfv(c, player, reach * policy[:, a], best) for a, c in below]
            return np.asarray(np.sum(parts, axis=0), np.float64)
        values = np.stack([self._cfv(c, player, reach, best) for _, c in below], 1)
        return np.asarray(values.max(1) if best else (policy * values).sum(1), np.float64)

    def _policy(self, node: int) -> Float:
        """[N, A, H] at a decision."""
        tree, actor = self.oracle.tree, int(self.oracle.tree.actor[node])
        width, count = self.layout.width[actor], len(tree.children(node))
        begin = int(self.layout.offset[node])
        rows = self.sums[:, begin : begin + count * width].reshape(-1, count, width)
        rows = rows[:, :, : len(self.layout.combos[actor])].astype(np.float64)
        total = rows.sum(1, keepdims=True)
        return np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / count)


@cache
def played(seed: int, backend: type[SpotEngine] = PostflopEngine) -> tuple[Float, Float]:
    """[N, 3] both players' EVs and the exploitability, by the engine and by pairs."""
    spot, rng = thin_river(seed), np.random.default_rng(seed)
    layout = lay_out(spot, symmetries=IDENTITY)
    device = {"device": "cpu"} if backend is TorchEngine else {}
    engine = backend(layout, **device)  # type: ignore[call-arg]
    zeros = {name: np.zeros_like(array) for name, array in engine.stored().items()}
    count = NUM_WEIGHTS if backend is PostflopEngine else 10
    reach = [10 ** rng.uniform(-12, 0, (count, len(own))) for own in layout.combos]
    reach = [np.where(rng.random(w.shape) < 0.4, 1.0, w).astype(np.float32) for w in reach]
    found, sums = np.empty((count, 3)), np.empty((count, layout.num_elements), np.float32)
    for k in range(count):
        engine.restore(zeros, 0)
        for player in (0, 1):
            engine.set_reach(player, reach[player][k][None])
        engine.train(3)
        found[k, :2], found[k, 2] = engine.values()[:, 0], engine.measure()[0]
        sums[k] = engine.policy_sum
    exact = PairSums(spot, layout, [w.astype(np.float64) for w in reach], sums)
    evs = [exact.earned(player, best=False) for player in (0, 1)]
    gains = [exact.earned(player, best=True) - evs[player] for player in (0, 1)]
    return found, np.stack([*evs, (gains[0] + gains[1]) / 2], 1)


def test_ten_thousand_rivers_are_what_their_pairs_come_to() -> None:
    assert NUM_LAYOUTS * NUM_WEIGHTS == 10_000
    gaps = [np.abs(np.subtract(*played(seed))) for seed in range(NUM_LAYOUTS)]
    assert all(gap.shape == (NUM_WEIGHTS, 3) for gap in gaps)
    assert max(gap.max() for gap in gaps) < BUDGET
    assert np.median([played(seed)[1][:, 2].max() for seed in range(NUM_LAYOUTS)]) > 1


def test_pytorch_sums_them_alike() -> None:
    for seed in range(4):
        found, exact = played(seed, TorchEngine)
        assert np.abs(found - exact).max() < BUDGET


BLOCKED = "2h3h,2s3s,2hAh,2sAs,2hKh,2sKs"


@pytest.mark.parametrize("board", ["7c7d7h2c2d", "7c7d7h2c"])
@pytest.mark.parametrize("weight", ["0.001", "0.00001", "0.0000001", "0.000000000001"])
def test_the_share_of_the_pot_does_not_depend_on_how_often_the_hand_is_held(
    board: str, weight: str
) -> None:
    """Quads against ace high: OOP has the whole pot however seldom IP has the one hand he meets."""
    solution = solve(small_spot(board, "2h2s", f"AcKc:{weight},{BLOCKED}", "50%"), target_pct=0.05)
    oop, ip = solution.record.ev_chips
    assert oop == pytest.approx(100, abs=0.15)
    assert oop + ip == pytest.approx(100, abs=BUDGET)
    assert 0 <= solution.exploitability_pct <= 0.05
    assert solution.record.stopped == "target"


def test_ordinary_ranges_are_summed_as_ever() -> None:
    for spot in (
        small_spot("7c7d7h2c2d", "AA", "AA", "50%"),
        small_spot("Ks7h2d", "22+", "random"),
    ):
        assert not PostflopGame.of(spot).would_cancel
    assert PostflopGame.of(small_spot("7c7d7h2c2d", "2h2s", f"AcKc:0.1,{BLOCKED}")).would_cancel


def test_a_gpu_refuses_what_it_would_get_wrong_and_auto_takes_the_cpu() -> None:
    spot = small_spot("7c7d7h2c2d", "2h2s", f"AcKc:0.0000001,{BLOCKED}", "50%")
    assert plan(spot, device="auto").device == "cpu"
    with pytest.raises(DeviceError, match=r"share a card and never meet.*use device cpu"):
        check_sums(PostflopGame.of(spot), "cuda")


def test_weights_that_mean_nothing_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"oop\.range: 3d3c \(and 5 others\) has weight 1e-300"):
        small_spot("AcAdAhAs2d", "33:1e-300", "KK", "50%")
    with pytest.raises(ConfigError, match=r"KcQc has weight 9e-13, want 0 or at least 1e-12"):
        small_spot("AcAdAhAs2d", "33", "KK,KcQc:0.0000000000009", "50%")
    weights = np.zeros(1326)
    weights[[1325, 0]] = 1e-20, 1  # as another solve may leave them
    spot = small_spot("KcKdQsQh7d", weights, "88", "50%")  # type: ignore[arg-type]
    assert spot.weights[0].sum() == 1


def test_an_exploitability_that_cannot_be_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = PostflopSolver(small_spot("7c7d7h2c2d", "AA", "KK", "50%"), device="cpu")
    for bad in (-5.0, float("nan"), float("inf")):
        monkeypatch.setattr(solver.engine, "_total", lambda player, mode, bad=bad: np.array([bad]))
        with pytest.raises(NumericsError, match=r"exploitability came out as .* on 7c7d7h2c2d"):
            solver.solve()
    monkeypatch.setattr(solver.engine, "_total", lambda player, mode: np.array([-1e-6]))
    assert solver.engine.measure().tolist() == [0.0]
    monkeypatch.undo()
    assert np.isfinite(solver.engine.run_pass(0, MEAN, np.zeros(3, np.float32))).all()
