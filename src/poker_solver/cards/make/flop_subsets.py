"""The program that makes the shipped subsets of flops, by matching distributions.

    python -m poker_solver.cards.make.flop_subsets [--out FOLDER] [--threads 2]

Every one of the 1,755 flops is described by what a player would look at: its ranks, pairs, suits
and straights; how each of the 169 classes does on it against a random hand; and, for four pairs of
preflop ranges, how many deals it leaves, the equity, and how both ranges spread over five bands
of equity. Two flops are alike as the kernel k(f, g) = 5 x_f . x_g + exp(-|x_f - x_g|^2 / h) says.

A subset S with weights w is as good as its maximum mean discrepancy from all flops W is small:

    w' K_SS w - 2 w' K_S W + W' K W

The product makes the means of all features agree, the exponential the rest of their distribution,
so that no kind of flop is forgotten. For given S the best weights are a linear system, with a
little pull towards equal ones; S begins greedily and is improved by exchanging one flop at a time,
drawn at random with a fixed seed, as long as that helps.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import cards_to_string
from poker_solver.cards.classes import COMBO_CLASS, NUM_CLASSES
from poker_solver.cards.combos import NUM_COMBOS
from poker_solver.cards.equity import PlayerEquity, range_equity
from poker_solver.cards.flops import DATA, NUM_FLOPS, SUBSETS
from poker_solver.cards.isomorphism import canonical_boards
from poker_solver.cards.ranges import parse_range

Float = NDArray[np.float64]

RANGES = (
    (  # single raised pot, big blind against button
        "99-22,TT:0.5,A9s-A2s,AJs-ATs:0.5,KJs-K2s,Q4s+,J6s+,T6s+,95s+,85s+,74s+,63s+,53s+,43s,"
        "ATo-A2o,KQo-K8o,Q9o+,J8o+,T8o+,97o+,87o,76o",
        "22+,A2s+,K2s+,Q3s+,J5s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K7o+,Q8o+,J8o+,T8o+,98o",
    ),
    (  # single raised pot, big blind against early position
        "TT-22,AJs-A2s,KQs-KTs:0.75,QTs+,J9s+,T8s+,97s+,86s+,75s+,65s,54s,AQo-AJo:0.75,KQo:0.75",
        "55+,A3s+,K9s+,QTs+,JTs,T9s,98s:0.5,ATo+,KJo+,QJo:0.5",
    ),
    (  # three-bet pot, big blind against button
        "TT+,99:0.4,AJs+,A5s-A2s:0.75,KQs,KJs-KTs:0.5,QTs+:0.5,JTs:0.5,T9s:0.4,98s:0.3,87s:0.3,"
        "AQo+,AJo:0.4,KQo:0.3",
        "JJ-22,AQs-A5s,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,AQo-AJo,KQo,KJo:0.5",
    ),
    (  # four-bet pot, big blind against button
        "KK+:0.3,QQ-TT,99:0.5,AK:0.6,AQs-AJs,A5s:0.5,KQs,QJs:0.3",
        "QQ+,JJ:0.4,AK,AQo:0.3,AJs:0.3,A5s-A4s:0.6,KQs:0.3",
    ),
)
NUM_BANDS = 5
IMPORTANCE = (2.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0)
"""Of the board, of the classes' deals, of what they win, and of each pair of ranges."""

PRODUCT = 5.0
"""How much means count against the rest of the distribution."""

PULL = 1e-3
"""How much unequal weights cost, beside a kernel of which a flop with itself is about 6."""

EXCHANGES = {5: 150_000, 12: 150_000, 25: 150_000, 47: 150_000, 95: 100_000, 184: 50_000}


def board_features(cards: NDArray[np.uint8]) -> Float:
    """[B, F] ranks, the highest, pairs, suits and straights of each flop."""
    ranks = (cards // 4).astype(np.int64)
    held = np.stack([np.bincount(row, minlength=13) for row in ranks])  # [B, 13]
    num_ranks = (held > 0).sum(1)
    num_suits = np.array([len(set(row)) for row in (cards % 4).tolist()])
    windows = [[12, 0, 1, 2, 3], *([low + i for i in range(5)] for low in range(9))]
    straights = sum((held[:, window] > 0).sum(1) == 3 for window in windows)
    return np.column_stack(
        [
            held,
            ranks[:, :1] == np.arange(13),
            held == 2,
            num_ranks == 1,
            num_ranks == 2,
            num_suits == 1,
            num_suits == 2,
            straights,
            straights > 0,
            straights == 3,
        ]
    ).astype(np.float64)


def class_features(player: PlayerEquity) -> tuple[Float, Float]:
    """[169] deals that each class has on a flop, and what it wins of them."""
    deals = player.weight * player.opponents
    won = deals * np.nan_to_num(player.equity_by_combo)
    held: Float = np.bincount(COMBO_CLASS, deals, NUM_CLASSES).astype(np.float64)
    return held, np.bincount(COMBO_CLASS, won, NUM_CLASSES).astype(np.float64)


def range_features(players: Sequence[PlayerEquity]) -> Float:
    """[12] deals, the share that the first range wins, and how both spread over bands of equity."""
    parts = []
    for player in players:
        deals = player.weight * player.opponents
        equity = np.nan_to_num(player.equity_by_combo)
        band = np.clip((equity * NUM_BANDS).astype(np.int64), 0, NUM_BANDS - 1)
        parts.append(np.bincount(band, deals, NUM_BANDS))
    total = parts[0].sum()
    return np.concatenate([[total, total * players[0].equity], *parts])


def flop_features(cards: NDArray[np.uint8], threads: int) -> list[Float]:
    """Blocks of features, [B, F] each."""
    every = np.ones(NUM_COMBOS)
    pairs = [(parse_range(oop), parse_range(ip)) for oop, ip in RANGES]

    def one(flop: list[int]) -> list[Float]:
        classes = class_features(range_equity(every, every, flop).players[0])
        return [*classes, *(range_features(range_equity(*pair, flop).players) for pair in pairs)]

    with ThreadPoolExecutor(threads) as pool:
        rows = list(pool.map(one, cards.tolist()))
    return [board_features(cards), *(np.array(block) for block in zip(*rows, strict=True))]


def kernel(blocks: Sequence[Float], share: Float) -> Float:
    """[B, B] how alike two flops are; a block's importance is spread over its features."""
    parts = []
    for block, importance in zip(blocks, IMPORTANCE, strict=True):
        centred = block - share @ block
        spread = np.sqrt(share @ centred**2)
        scale = np.sqrt(importance / block.shape[1])
        parts.append(scale * centred[:, spread > 0] / spread[spread > 0])
    x = np.concatenate(parts, axis=1)
    product = x @ x.T
    length = np.diag(product)
    distance = np.maximum(length[:, None] + length - 2 * product, 0.0)
    near = np.exp(-distance / (share @ distance @ share))
    alike: Float = PRODUCT * product / (share @ length) + near
    return alike


def best_weights(alike: Float, mean: Float, flops: NDArray[np.int64]) -> tuple[float, Float]:
    """The discrepancy, less what no subset changes, and the weights [k] that make it smallest."""
    size = len(flops)
    system = alike[np.ix_(flops, flops)] + PULL * size * np.eye(size)
    wanted = mean[flops] + PULL
    solved = np.linalg.solve(system, np.stack([wanted, np.ones(size)], axis=1))
    free, even = solved[:, 0], solved[:, 1]
    weights: Float = free + (1 - free.sum()) / even.sum() * even
    return float(weights @ system @ weights - 2 * weights @ wanted), weights


def pick_flops(
    alike: Float, share: Float, size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The flops of a subset: greedily, then by exchanges."""
    mean = alike @ share
    flops, taken = np.zeros(0, np.int64), np.zeros(len(share))
    for count in range(size):
        score = (count + 1) * mean - taken
        score[flops] = -np.inf
        flops = np.append(flops, score.argmax())
        taken += alike[:, flops[-1]]
    least, _ = best_weights(alike, mean, flops)
    for out, new in rng.integers((size, len(share)), size=(EXCHANGES[size], 2)):
        if new in flops:
            continue
        other = flops.copy()
        other[out] = new
        found, weights = best_weights(alike, mean, other)
        if found < least - 1e-12 and weights.min() > 0:
            flops, least = other, found
    chosen: NDArray[np.int64] = np.sort(flops)
    return chosen


def whole_weights(weights: Float) -> NDArray[np.int64]:
    """The same shares as whole numbers that sum to 22,100."""
    exact = weights * NUM_FLOPS / weights.sum()
    whole: NDArray[np.int64] = np.floor(exact).astype(np.int64)
    most_cut = np.argsort(whole - exact)[: NUM_FLOPS - whole.sum()]
    whole[most_cut] += 1
    return whole


def main() -> None:
    """Make the files, some four minutes on two cores."""
    parser = argparse.ArgumentParser(description="Make the subsets of flops.")
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    boards = canonical_boards(3)
    began = time.perf_counter()
    share = boards.weight / NUM_FLOPS
    alike = kernel(flop_features(boards.cards, options.threads), share)
    for size in SUBSETS:
        flops = pick_flops(alike, share, size, np.random.default_rng(size))
        weights = whole_weights(best_weights(alike, alike @ share, flops)[1])
        rows = zip(boards.cards[flops].tolist(), weights.tolist(), strict=True)
        text = "".join(f"{cards_to_string(cards)} {weight}\n" for cards, weight in rows)
        (options.out / f"flops_{size}.txt").write_text(text)
        seconds = time.perf_counter() - began
        sys.stderr.write(f"{size}: weights {weights.min()} to {weights.max()}, {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
