// The row of every hand on a river board, as `abstraction.river_rows` has it. A block takes a board. What stands
// before this text says what a hand is worth: `strength(board, a, b)`; a larger one wins.
#define ALL_COMBOS 1326
#define SORTED 2048  // a power of two
typedef unsigned long long Key;  // strength, then combo; of those that are blocked, more than any

static __device__ __forceinline__ int keys_below(const Key* key, Key limit) {
    int first = 0, last = ALL_COMBOS;
    while (first < last) {
        const int middle = (first + last) / 2;
        if (key[middle] < limit) first = middle + 1;
        else last = middle;
    }
    return first;
}

extern "C" __global__ void rank_rows(const RowRanks p) {
    const int board = blockIdx.x;
    const unsigned char* dealt = p.boards + 5 * board;
    Key* key = (Key*)shared_bytes;          // [SORTED]
    int* quantile = (int*)(key + SORTED);   // [combos], or place where every hand has its own row
    int* is_there = quantile + ALL_COMBOS;  // [count + 1] whether any hand has it; then rows before it
    int* has_twins = is_there + p.count + 1;
    for (int c = threadIdx.x; c < SORTED; c += blockDim.x) {
        bool blocked = c >= ALL_COMBOS;
        const int a = blocked ? 0 : p.all_cards[2 * c], b = blocked ? 0 : p.all_cards[2 * c + 1];
        for (int k = 0; k < 5; ++k) blocked |= dealt[k] == a || dealt[k] == b;
        key[c] = blocked ? ~0ull : (Key)strength(dealt, a, b) << 11 | c;
    }
    for (int q = threadIdx.x; q <= p.count; q += blockDim.x) is_there[q] = 0;
    if (threadIdx.x == 0) *has_twins = 0;
    __syncthreads();
    for (int size = 2; size <= SORTED; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            for (int k = threadIdx.x; k < SORTED / 2; k += blockDim.x) {
                const int low = 2 * k - (k & (step - 1)), high = low + step;
                const Key first = key[low], second = key[high];
                if ((first > second) == ((low & size) == 0)) key[low] = second, key[high] = first;
            }
            __syncthreads();
        }
    const int all = keys_below(key, ~0ull);  // that are not blocked
    for (int place = threadIdx.x; place < all; place += blockDim.x) {
        const Key mine = key[place] >> 11 << 11;
        const int weaker = keys_below(key, mine), equal = keys_below(key, mine + (1 << 11)) - weaker;
        const int found = p.count ? p.count * (2 * weaker + equal) / (2 * all) : place;
        quantile[key[place] & 2047] = found;
        if (p.count) is_there[found] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int rows = p.count ? 0 : all;
        for (int q = 0; q < p.count; ++q) {
            const int some = is_there[q];
            is_there[q] = p.keeps_empty ? q : rows;
            rows += some;
        }
        p.num_rows[board] = p.keeps_empty ? p.count : rows;
    }
    __syncthreads();
    const i64 at = (i64)board * p.pad;
    const int live = p.live[board];
    for (int k = threadIdx.x; k < live; k += blockDim.x) {
        const int found = quantile[p.combo[p.order[at + k]]];
        p.row[at + k] = p.count ? is_there[found] : found;
    }
    __syncthreads();
    for (int k = threadIdx.x; k + 1 < live; k += blockDim.x)
        if (p.row[at + k] == p.row[at + k + 1]) *has_twins = 1;
    __syncthreads();
    if (threadIdx.x == 0) p.floor[board] = *has_twins ? FLOOR : 1.0f;
}
