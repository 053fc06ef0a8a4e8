"""A street above the river on one board of a pass: down to its deals, and up from them."""

from typing import Any

from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.cpu.jit import inner, kernel
from poker_solver.kernels.postflop.cpu.locks import hold
from poker_solver.kernels.postflop.cpu.rows import add, best, learn, match, mix, play, record
from poker_solver.kernels.postflop.cpu.terminals import fold_above


@kernel
def street_down(
    street: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int,
    reach_above: Any, own_above: Any, state: Any, work: Any,
    deal_reach: Any, deal_own: Any,
) -> None:  # fmt: skip
    """Fill deal_reach[d] and deal_own[d] for every deal of the street."""
    reach, mine, policy = work.reach, work.own, work.policy
    num_own, num_other = len(own.cards), len(other.cards)
    stored = state.stored
    for n in range(len(street.kind)):
        if street.parent[n] < 0:
            above = street.entry[n]
            for i in range(num_other):
                reach[n, i] = share * other.is_live[board, i] * reach_above[above, i]
            for i in range(num_own):
                mine[n, i] = own.is_live[board, i] * own_above[above, i]
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        if kind == DEAL:
            for i in range(num_other):
                deal_reach[child, i] = reach[n, i]
            for i in range(num_own):
                deal_own[child, i] = mine[n, i]
        elif kind < DEAL:
            begin = street.offset[n] + board * street.stride[n]
            if kind == player:
                if mode == MEAN:
                    match(stored, begin, count, num_own, policy, child)
                elif mode == LEARN:
                    play(stored, begin, count, num_own, mine, n, child)
                for a in range(child, child + count):
                    for i in range(num_other):
                        reach[a, i] = reach[n, i]
            else:
                play(stored, begin, count, num_other, reach, n, child)
                for a in range(child, child + count):
                    if mode == LEARN:
                        for i in range(num_own):
                            mine[a, i] = mine[n, i]


@kernel
def street_up(
    street: Any, own: Any, other: Any, board: int, player: int, mode: int, state: Any,
    weights: Any, work: Any, deal_cfv: Any, entry_cfv: Any,
) -> None:  # fmt: skip
    """From the cfv of every deal to the cfv of every entry; hands the board blocks get 0."""
    cfv, policy = work.cfv, work.policy
    num_own = len(own.cards)
    for n in range(len(street.kind) - 1, -1, -1):
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        if kind == DEAL:
            for i in range(num_own):
                cfv[n, i] = deal_cfv[child, i]
        elif kind == FOLD:
            payoff = street.payoff[player, n]
            fold_above(own, other, work.reach[n], payoff, work.card_sums, cfv[n])
        elif kind != player:
            add(cfv, n, child, count, num_own)
        elif mode in (BEST, RECORD):
            best(cfv, n, child, count, num_own)
            if mode == RECORD:
                begin = street.offset[n] + board * street.stride[n]
                record(state.regret, begin, num_own, count, num_own, cfv, child)
            hold(cfv, n, child, count, num_own, street.locks, n, board, 0)
        elif mode == LEARN:
            begin = street.offset[n] + board * street.stride[n]
            scale_at = street.scale_at[n] + board * street.scale_stride
            learn(
                state, begin, scale_at, count, num_own, own.is_live[board], cfv, n, child,
                work.own, n, weights, work.regret,
            )  # fmt: skip
        else:
            mix(cfv, n, policy, child, count, num_own)
        if street.parent[n] < 0:
            above = street.entry[n]
            for i in range(num_own):
                entry_cfv[above, i] = own.is_live[board, i] * cfv[n, i]


@inner
def spread(cfv: Any, move: int, moved: Any, target: Any) -> None:
    """target[d, h] += cfv[d, where the renaming takes h]; renaming 0 changes nothing."""
    if move == 0:
        target += cfv[:, : moved.shape[1]]
        return
    for d in range(len(target)):
        for h in range(moved.shape[1]):
            target[d, h] += cfv[d, moved[move, h]]
