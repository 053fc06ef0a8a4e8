// Tables of hands on every river board, made where they are used. A block takes a board. What stands before
// this text says what a hand is worth: `strength(board, a, b)`, below BLOCKED; a larger one wins.
#define MOST_LANES 64
#define BLOCKED 0xffffffffu

// One player's hands on the board while tables are made; shared memory.
struct Ranked {
    unsigned* key;     // [hands] strength
    unsigned* sorted;  // [live] strength at each rank
    double* weight;    // [live] at each rank
    u16* held;         // [live] both cards at each rank
    int* count;        // [52] hands of each card
    int live;
};

static __device__ __forceinline__ bool holds(int held, int card) { return (held & 0xff) == card || held >> 8 == card; }

static __device__ void rank_side(const Hands& p, Ranked& r, int side, int board) {
    const unsigned char* cards = p.cards[side];
    for (int h = threadIdx.x; h < p.hands[side]; h += blockDim.x) {
        unsigned key = r.key[h];
        int rank = 0;
        for (int j = 0; j < p.hands[side]; ++j) rank += r.key[j] < key || (r.key[j] == key && j < h);
        p.order[side][(i64)board * p.pad[side] + rank] = h;
        if (key == BLOCKED) continue;
        r.sorted[rank] = key;
        r.held[rank] = cards[2 * h] | cards[2 * h + 1] << 8;
        r.weight[rank] = p.weight[side][(i64)p.spot[board] * p.hands[side] + h];
    }
}

// Where the k-th chunk of a card is.
static __device__ __forceinline__ int chunk_of(const u16* list, int start, int k) {
    return list[1 + first_round(start) + k] + list_lane(start);
}

// Cards for some lanes, long lists first; lanes are then renamed, the one with most chunks first. One thread.
static __device__ void share_out(const int* count, int lanes, u16* list, u16* start) {
    int load[MOST_LANES], renamed[MOST_LANES], rounds = 0;
    unsigned char lane_of[NUM_CARDS];
    unsigned long long given = 0;
    for (int lane = 0; lane < lanes; ++lane) load[lane] = 0;
    for (int n = 0; n < NUM_CARDS; ++n) {
        int card = -1, lane = 0;
        for (int c = 0; c < NUM_CARDS; ++c)
            if (!(given >> c & 1) && (card < 0 || count[c] > count[card])) card = c;
        for (int l = 1; l < lanes; ++l)
            if (load[l] < load[lane]) lane = l;
        int need = count[card] > CHUNK ? (count[card] + CHUNK - 1) / CHUNK : 1;
        given |= 1ull << card;
        lane_of[card] = lane;
        start[card] = 64 * load[lane] + 4096 * need;
        load[lane] += need;
    }
    for (int lane = 0; lane < lanes; ++lane) {
        renamed[lane] = 0;
        for (int l = 0; l < lanes; ++l) renamed[lane] += load[l] > load[lane] || (load[l] == load[lane] && l < lane);
        if (load[lane] > rounds) rounds = load[lane];
    }
    for (int c = 0; c < NUM_CARDS; ++c) start[c] += renamed[lane_of[c]];
    for (int r = 0; r < rounds; ++r) {
        int busy = 0;
        for (int lane = 0; lane < lanes; ++lane) busy += load[lane] > r;
        list[2 + r] = list[1 + r] + busy;
    }
    list[0] = list[1 + rounds];
}

// The live ranks of a card's hands, weak to strong, for one warp. A card's list comes in chunks of four;
// what is not needed holds the rank behind the last hand. A lane takes one chunk a round, all of a card
// one after the other. The chunks of a round stand side by side, after the head: in round r lane l has
// chunk head[1 + r] + l, if that is before head[2 + r]; head[0] is how many there are. Beside the first
// rank of a chunk stand FIRST_CHUNK, LAST_CHUNK and the upper half of the card, beside the third the lower half.
static __device__ void list_card(const Ranked& r, u16* list, int start, int card) {
    int need = num_chunks(start), seen = 0;
    for (int k = 0; k < need; ++k) {
        u16* chunk = list + LIST_HEAD + CHUNK * chunk_of(list, start, k);
        for (int j = 0; j < CHUNK; ++j) chunk[j] = r.live;
        chunk[0] += (k == 0 ? FIRST_CHUNK : 0) + (k == need - 1 ? LAST_CHUNK : 0) + (card >> 3 << 13);
        chunk[2] += (card & 7) << 11;
    }
    for (int i = 0; i < r.live; ++i)
        if (holds(r.held[i], card)) {
            list[LIST_HEAD + CHUNK * chunk_of(list, start, seen / CHUNK) + seen % CHUNK] += i - r.live;
            ++seen;
        }
}

// Where the running sum before the k-th of a card's hands is kept; after all, its whole.
static __device__ __forceinline__ int sum_index(const u16* list, int start, int card, int count, int k) {
    return k == count ? CHUNK * list[0] + card : k % CHUNK * list[0] + chunk_of(list, start, k / CHUNK);
}

static __device__ __forceinline__ int ranks_below(const Ranked& r, unsigned key) {
    int first = 0, last = r.live;
    while (first < last) {
        int middle = (first + last) / 2;
        if (r.sorted[middle] < key) first = middle + 1;
        else last = middle;
    }
    return first;
}

// Of a live rank, eight numbers: the opponent's ranks weaker, and weaker or equal; where the running
// sums of the hand's two cards stand at both; the two cards; the rank of the opponent's same hand, that
// behind his last hand if he has it not. Returns the opponent's weight that is beaten, and half of what ties.
static __device__ double look_up(const Hands& p, const Ranked& own, const Ranked& opp, int side, int board, int i) {
    const u16* list = p.list[1 - side] + (i64)board * p.list_pad[1 - side];
    const u16* start = p.list_start[1 - side] + (i64)board * NUM_CARDS;
    int held = own.held[i], card[2] = {held & 0xff, held >> 8};
    int weaker = ranks_below(opp, own.sorted[i]), equal = ranks_below(opp, own.sorted[i] + 1);
    int below[2][2] = {{0, 0}, {0, 0}}, twin = opp.live;
    double won = 0.0, tied = 0.0;
    for (int j = 0; j < equal; ++j) {
        bool first = holds(opp.held[j], card[0]), second = holds(opp.held[j], card[1]);
        if (j < weaker) {
            below[0][0] += first;
            below[1][0] += second;
            won += first || second ? 0.0 : opp.weight[j];
        } else if (!first && !second)
            tied += opp.weight[j];
        below[0][1] += first;
        below[1][1] += second;
        if (opp.held[j] == held) twin = j;
    }
    u16* look = p.look[side] + 8 * ((i64)board * p.pad[side] + i);
    look[0] = weaker;
    look[1] = equal;
    for (int k = 0; k < 2; ++k)
        for (int part = 0; part < 2; ++part)
            look[2 + 2 * k + part] = sum_index(list, start[card[k]], card[k], opp.count[card[k]], below[k][part]);
    look[6] = held;
    look[7] = twin;
    return won + 0.5 * tied;
}

extern "C" __global__ void rank_hands(const Hands p) {
    int board = blockIdx.x;
    Ranked ranked[2];
    double* at = (double*)shared_bytes + blockDim.x;
    for (int side = 0; side < 2; ++side) {
        Ranked& r = ranked[side];
        r.weight = at;
        r.key = (unsigned*)(r.weight + p.pad[side]);
        r.sorted = r.key + p.pad[side];
        r.count = (int*)(r.sorted + p.pad[side]);
        r.held = (u16*)(r.count + NUM_CARDS);
        r.live = p.live[side][board];
        at = (double*)(r.held + p.pad[side]);
    }
    const unsigned char* dealt = p.boards + 5 * board;
    for (int side = 0; side < 2; ++side)
        for (int h = threadIdx.x; h < p.hands[side]; h += blockDim.x) {
            int a = p.cards[side][2 * h], b = p.cards[side][2 * h + 1];
            bool blocked = p.weight[side][(i64)p.spot[board] * p.hands[side] + h] == 0.0;
            for (int k = 0; k < 5; ++k) blocked |= dealt[k] == a || dealt[k] == b;
            ranked[side].key[h] = blocked ? BLOCKED : strength(dealt, a, b);
        }
    __syncthreads();
    for (int side = 0; side < 2; ++side) rank_side(p, ranked[side], side, board);
    __syncthreads();
    for (int k = threadIdx.x; k < 2 * NUM_CARDS; k += blockDim.x) {
        const Ranked& r = ranked[k / NUM_CARDS];
        int count = 0;
        for (int i = 0; i < r.live; ++i) count += holds(r.held[i], k % NUM_CARDS);
        r.count[k % NUM_CARDS] = count;
    }
    __syncthreads();
    for (int side = threadIdx.x; side < 2; side += blockDim.x) {
        u16* list = p.list[side] + (i64)board * p.list_pad[side];
        share_out(ranked[side].count, list_lanes(ranked[side].live), list, p.list_start[side] + (i64)board * NUM_CARDS);
        p.chunks[side][board] = list[0];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 2 * NUM_CARDS; k += blockDim.x) {
        int side = k / NUM_CARDS, card = k % NUM_CARDS;
        u16* list = p.list[side] + (i64)board * p.list_pad[side];
        list_card(ranked[side], list, p.list_start[side][(i64)board * NUM_CARDS + card], card);
    }
    for (int side = 0; side < 2; ++side) {  // after the chunks comes the order
        const u16* order = p.order[side] + (i64)board * p.pad[side];
        u16* list = p.list[side] + (i64)board * p.list_pad[side];
        for (int i = threadIdx.x; i < ranked[side].live; i += blockDim.x) list[LIST_HEAD + CHUNK * list[0] + i] = order[i];
    }
    double won = 0.0;
    for (int i = threadIdx.x; i < ranked[0].live; i += blockDim.x)
        won += ranked[0].weight[i] * look_up(p, ranked[0], ranked[1], 0, board, i);
    for (int i = threadIdx.x; i < ranked[1].live; i += blockDim.x) look_up(p, ranked[1], ranked[0], 1, board, i);
    double* parts = (double*)shared_bytes;  // [threads]
    parts[threadIdx.x] = won;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x; ++k) won += parts[k];
        p.shown[board] = won;
    }
}
