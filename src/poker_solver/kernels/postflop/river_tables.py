"""Where hands stand among the opponent's on every river board: tables that kernels look up."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

NUM_CARDS, CHUNK, WARP = 52, 4, 32
NOBODY = 0xFFFF

HEAD = 40
"""Numbers before a board's lists: how many chunks, then the first of each round, then 0."""

FIRST, LAST = 1 << 11, 1 << 12
"""Of a card's first and last chunk, beside its first place, which has eleven bits."""


class Ranked(NamedTuple):
    """One player's H hands in order of strength on R river boards."""

    cards: Any  # [H, 2] uint8
    order: Any  # [R, H] int32 hand at each place: live ones from weak to strong, then the others
    num_live: Any  # [R] int32
    strength: Any  # [R, H] int32 at each place, a hand's own; the others' is of no use


def most_chunks(num_hands: int) -> int:
    """Chunks of the lists of so many hands, at most: a card has one, and none is full."""
    return (2 * num_hands + (CHUNK - 1) * NUM_CARDS + NUM_CARDS) // CHUNK


def list_room(num_hands: int) -> int:
    """Numbers that `card_lists` needs for a board at most, a multiple of eight."""
    return -(-(HEAD + CHUNK * most_chunks(num_hands) + num_hands) // 8) * 8


@njit(cache=True, nogil=True)
def card_lists(order: Any, num_live: Any, cards: Any, lists: Any, start: Any) -> None:
    """Fill lists[b] with the live places of each card's hands, weak to strong, for one warp.

    All is 0 before. A card's list comes in chunks of four; what is not needed holds the place
    behind the last hand. A lane takes one chunk a round, all of a card one after the other; cards
    are shared out so that lanes have about as much, the first most. The chunks of a round stand
    side by side, after the head: in round r lane l has chunk head[1 + r] + l, if that is before
    head[2 + r]. After the chunks comes the order.

    Beside the first place of a chunk stand FIRST, LAST and the upper half of the card, beside the
    third the lower half. start[b, c] is the lane of card c, 32 times its first round, 2048 times
    its chunks.
    """
    for b in range(len(order)):
        count = _card_counts(order[b, : num_live[b]], cards)
        load = _share_out(count, start[b])
        rounds = load.max()
        for r in range(rounds):
            lists[b, 2 + r] = lists[b, 1 + r] + (load > r).sum()
        lists[b, 0] = lists[b, 1 + rounds]
        after = HEAD + CHUNK * int(lists[b, 0])
        lists[b, after : after + num_live[b]] = order[b, : num_live[b]]
        for c in range(NUM_CARDS):
            need = start[b, c] >> 11
            for k in range(need):
                at = HEAD + CHUNK * chunk_of(lists[b], start[b, c], k)
                lists[b, at : at + CHUNK] = num_live[b]
                edge = (FIRST if k == 0 else 0) + (LAST if k == need - 1 else 0)
                lists[b, at] += edge + ((c >> 3) << 13)
                lists[b, at + 2] += (c & 7) << 11
        seen = np.zeros(NUM_CARDS, np.int64)
        for i in range(num_live[b]):
            for k in range(2):
                c = cards[order[b, i], k]
                at = HEAD + CHUNK * chunk_of(lists[b], start[b, c], seen[c] // CHUNK)
                at += seen[c] % CHUNK
                lists[b, at] = lists[b, at] - num_live[b] + i
                seen[c] += 1


@njit(cache=True, nogil=True)
def _card_counts(hands: Any, cards: Any) -> Any:
    count = np.zeros(NUM_CARDS, np.int64)
    for hand in hands:
        count[cards[hand, 0]] += 1
        count[cards[hand, 1]] += 1
    return count


@njit(cache=True, nogil=True)
def _share_out(count: Any, start: Any) -> Any:
    """Give cards to lanes, long lists first; the chunks of each lane, most first."""
    load = np.zeros(WARP, np.int64)
    lane_of = np.zeros(NUM_CARDS, np.int64)
    for c in np.argsort(-count, kind="mergesort"):
        lane = load.argmin()
        need = max(1, (count[c] + CHUNK - 1) // CHUNK)
        lane_of[c] = lane
        start[c] = WARP * load[lane] + 2048 * need
        load[lane] += need
    ranked = np.argsort(-load, kind="mergesort")
    rank = np.empty(WARP, np.int64)
    rank[ranked] = np.arange(WARP)
    for c in range(NUM_CARDS):
        start[c] += rank[lane_of[c]]
    return load[ranked]


@njit(cache=True, nogil=True)
def chunk_of(head: Any, start: int, k: int) -> int:
    """The k-th chunk of a card."""
    return int(head[1 + (start >> 5 & 63) + k]) + (start & 31)


@njit(cache=True, nogil=True)
def natural_lists(cards: Any, places: Any, start: Any) -> None:
    """The hands of each card, as they come: places[start[c]:start[c + 1]]."""
    filled = 0
    for c in range(52):
        start[c] = filled
        for h in range(len(cards)):
            if cards[h, 0] == c or cards[h, 1] == c:
                places[filled] = h
                filled += 1
    start[52] = filled


@njit(cache=True, nogil=True)
def sum_place(head: Any, start: int, card: int, count: int, k: int) -> int:
    """Where the running sum before the k-th of a card's hands is kept; after all, its whole."""
    if k == count:
        return CHUNK * int(head[0]) + card
    return k % CHUNK * int(head[0]) + chunk_of(head, start, k // CHUNK)


@njit(cache=True, nogil=True)
def looks(own: Any, other: Any, twin: Any, lists: Any, start: Any, look: Any) -> None:
    """Fill look[b, i] for each own live place i; `own` and `other` are `Ranked`.

    Opponent's places weaker, and weaker or equal; where the running sums of the hand's two cards
    stand at both; the two cards in one number; the place of the opponent's same hand, that behind
    his last hand if he has it not. `lists` and `start` are the opponent's, see `card_lists`;
    running sums stand at `sum_place`.
    """
    for b in range(len(own.order)):
        count = _card_counts(other.order[b, : other.num_live[b]], other.cards)
        place_of = [other.num_live[b]] * len(other.cards)
        for i in range(other.num_live[b]):
            place_of[other.order[b, i]] = i
        seen = [[0] * 52, [0] * 52]  # the opponent's hands weaker, and weaker or equal, by card
        counted = [0, 0]
        for i in range(own.num_live[b]):
            hand = own.order[b, i]
            for part in range(2):
                k = counted[part]
                while k < other.num_live[b] and (other.strength[b, k] < own.strength[b, i] + part):
                    seen[part][other.cards[other.order[b, k], 0]] += 1
                    seen[part][other.cards[other.order[b, k], 1]] += 1
                    k += 1
                counted[part] = k
                look[b, i, part] = k
                for side in range(2):
                    c = own.cards[hand, side]
                    look[b, i, 2 + 2 * side + part] = sum_place(
                        lists[b], start[b, c], c, count[c], seen[part][c]
                    )
            look[b, i, 6] = own.cards[hand, 0] + 256 * own.cards[hand, 1]
            look[b, i, 7] = place_of[twin[hand]] if twin[hand] >= 0 else other.num_live[b]


@njit(cache=True, nogil=True)
def showdown_steps(
    own: Any, own_live: Any, other: Any, other_live: Any, steps: Any, start: Any
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
