"""Where hands stand among the opponent's on every river board: tables that CUDA kernels look up."""

from typing import Any, NamedTuple

from numba import njit

CHUNK, WARP = 4, 32
FIRST, LAST, MANY = 64, 128, 4096
NOBODY = 0xFFFF


class Ranked(NamedTuple):
    """One player's H hands in order of strength on R river boards."""

    cards: Any  # [H, 2] uint8
    order: Any  # [R, H] int32 hand at each place: live ones from weak to strong, then the others
    num_live: Any  # [R] int32
    strength: Any  # [R, H] int32 at each place, a hand's own; the others' is of no use


def list_rounds(num_hands: int) -> int:
    """Rounds that `card_lists` needs at most."""
    chunks = (2 * num_hands + 52 * CHUNK) // CHUNK
    return chunks // WARP + 13


@njit(cache=True, nogil=True)
def card_lists(order: Any, num_live: Any, cards: Any, places: Any, start: Any, spans: Any) -> None:
    """Fill places[b] with the live places of each card's hands, weak to strong, for one warp.

    A card's list comes in chunks of four, with at least one more place than there are hands; what
    is not needed holds the place behind the last hand. A lane takes one chunk a round, all of a
    card one after the other; cards are shared out so that lanes have about as much. Chunk q is
    lane q % 32 of round q // 32.

    start[b, c] is the first chunk of card c plus 4096 times their number; start[b, 52] the rounds.
    spans[b, q] is the card of a chunk, plus 64 if it is the first and 128 if it is the last.
    """
    for b in range(len(order)):
        count = [0] * 52
        for i in range(num_live[b]):
            count[cards[order[b, i], 0]] += 1
            count[cards[order[b, i], 1]] += 1
        load = [0] * WARP
        taken = [False] * 52
        for _ in range(52):
            card = -1
            for c in range(52):
                if not taken[c] and (card < 0 or count[c] > count[card]):
                    card = c
            taken[card] = True
            lane = 0
            for k in range(1, WARP):
                if load[k] < load[lane]:
                    lane = k
            need = (count[card] + CHUNK) // CHUNK
            start[b, card] = load[lane] * WARP + lane + need * MANY
            for k in range(need):
                edge = (FIRST if k == 0 else 0) + (LAST if k == need - 1 else 0)
                spans[b, (load[lane] + k) * WARP + lane] = card + edge
            load[lane] += need
            start[b, 52] = max(start[b, 52], load[lane])
        seen = [0] * 52
        for i in range(num_live[b]):
            for k in range(2):
                c = cards[order[b, i], k]
                chunk = start[b, c] % MANY + WARP * (seen[c] // CHUNK)
                places[b, CHUNK * chunk + seen[c] % CHUNK] = i
                seen[c] += 1


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
def sum_place(start: int, k: int) -> int:
    """Where the running sum before the k-th hand of a card is kept: a warp writes side by side."""
    chunk = start % MANY + WARP * (k // CHUNK)
    return chunk // WARP * (WARP * CHUNK) + k % CHUNK * WARP + chunk % WARP


@njit(cache=True, nogil=True)
def looks(own: Any, other: Any, twin: Any, other_start: Any, look: Any) -> None:
    """Fill look[b, i] for each own live place i; `own` and `other` are `Ranked`.

    Opponent's places weaker, and weaker or equal; where the running sums of the hand's two cards
    stand at both; the two cards in one number; the place of the opponent's same hand, 65535 if he
    has it not. Running sums stand at `sum_place`.
    """
    for b in range(len(own.order)):
        place_of = [NOBODY] * len(other.cards)
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
                low, high = own.cards[hand, 0], own.cards[hand, 1]
                look[b, i, part] = k
                look[b, i, 2 + part] = sum_place(other_start[b, low], seen[part][low])
                look[b, i, 4 + part] = sum_place(other_start[b, high], seen[part][high])
            look[b, i, 6] = own.cards[hand, 0] + 256 * own.cards[hand, 1]
            look[b, i, 7] = place_of[twin[hand]] if twin[hand] >= 0 else NOBODY
