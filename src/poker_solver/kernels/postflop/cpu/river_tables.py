"""Where hands stand among the opponent's on every river board, as kernels of the CPU look it up."""

from numba import njit

from poker_solver.kernels.arrays import I32


@njit(cache=True, nogil=True)
def showdown_steps(
    own: I32, own_live: I32, other: I32, other_live: I32, steps: I32, start: I32
) -> None:
    """Counting and looking of a showdown, see `lanes.scan`; board b has steps[start[b]:start[b+1]].

    `own` and `other` are strengths by place, weak to strong. A hand is looked at before the hands
    tied with it are counted, and again after. What is looked at when equally many are counted, and
    stands side by side, is one step.
    """
    k = 0
    for b in range(len(own)):
        begin, weaker = 0, 0
        while begin < own_live[b]:
            level, end = own[b, begin], begin + 1
            while end < own_live[b] and own[b, end] == level:
                end += 1
            while weaker < other_live[b] and other[b, weaker] < level:
                weaker += 1
            tied = weaker
            while tied < other_live[b] and other[b, tied] == level:
                tied += 1
            if begin > 0 and steps[k - 1, 0] == weaker:
                steps[k - 1, 2] = end
            else:
                steps[k, 0], steps[k, 1], steps[k, 2] = weaker, begin, end
                k += 1
            steps[k, 0], steps[k, 1], steps[k, 2] = tied, begin, end
            k += 1
            begin, weaker = end, tied
        start[b + 1] = k
