// Strength of seven cards, from the cards themselves: no tables to build and to carry over.
static __device__ __forceinline__ unsigned highest(unsigned ranks, int count) {
    while (__popc(ranks) > count) ranks &= ranks - 1;
    return ranks;
}

// The highest rank of the best straight, one up; 0 without one. An ace is below the deuce too.
static __device__ __forceinline__ unsigned straight(unsigned ranks) {
    ranks = ranks << 1 | ranks >> 12;
    return highest(ranks & ranks << 1 & ranks << 2 & ranks << 3 & ranks << 4, 1);
}

// The best five of seven cards as a number: a larger one wins. What decides stands from left to right:
// the category, the ranks that make it, the ranks beside it, each a set of bits.
static __device__ unsigned strength(const unsigned char* board, int a, int b) {
    unsigned once = 0, twice = 0, thrice = 0, four = 0;
    unsigned long long suits = 0;
    for (int k = 0; k < 7; ++k) {
        int card = k < 5 ? board[k] : k == 5 ? a : b;
        unsigned rank = 1u << (card >> 2);
        four |= thrice & rank;
        thrice |= twice & rank;
        twice |= once & rank;
        once |= rank;
        suits |= 1ull << (16 * (card & 3) + (card >> 2));
    }
    for (int suit = 0; suit < 4; ++suit) {  // beside a flush there are no four, and no full house
        unsigned held = (unsigned)(suits >> (16 * suit)) & 0x1fff;
        if (__popc(held) < 5) continue;
        unsigned run = straight(held);
        return run ? 8u << 26 | run : 5u << 26 | highest(held, 5);
    }
    if (four) return 7u << 26 | four << 13 | highest(once & ~four, 1);
    unsigned three = highest(thrice, 1), pairs = twice & ~three, run = straight(once);
    if (three && pairs) return 6u << 26 | three << 13 | highest(pairs, 1);
    if (run) return 4u << 26 | run;
    if (three) return 3u << 26 | three << 13 | highest(once & ~three, 2);
    pairs = highest(pairs, 2);
    return (unsigned)__popc(pairs) << 26 | pairs << 13 | highest(once & ~pairs, 5 - 2 * __popc(pairs));
}
