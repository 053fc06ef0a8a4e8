// Parts of a generated kernel: one group of lines on one river board, every decision written out.
//
// Rows of reach stand interleaved in *packs* of W, [place][W], W being 1, 2 or 4: a thread takes all
// rows of a pack at once. One warp sums a pack: along each card's list, and over all places. Where
// hands are shown, running sums are kept, those over all places instead of the reach; where they are
// only folded, the whole of each card and of all.

template <int W>
struct Row {
    float at[W];
};

template <int W>
static __device__ __forceinline__ Row<W> load(const float* from) {
    Row<W> row;
    if (W == 4) {
        float4 v = *(const float4*)from;
        row.at[0] = v.x, row.at[1 % W] = v.y, row.at[2 % W] = v.z, row.at[3 % W] = v.w;
    } else if (W == 2) {
        float2 v = *(const float2*)from;
        row.at[0] = v.x, row.at[1 % W] = v.y;
    } else {
        row.at[0] = *from;
    }
    return row;
}

template <int W>
static __device__ __forceinline__ void store(float* to, const Row<W>& row) {
    if (W == 4) {
        float4 v;
        v.x = row.at[0], v.y = row.at[1 % W], v.z = row.at[2 % W], v.w = row.at[3 % W];
        *(float4*)to = v;
    } else if (W == 2) {
        float2 v;
        v.x = row.at[0], v.y = row.at[1 % W];
        *(float2*)to = v;
    } else {
        *to = row.at[0];
    }
}

template <int W>
static __device__ __forceinline__ void add(Row<W>& row, const Row<W>& other) {
#pragma unroll
    for (int k = 0; k < W; ++k) row.at[k] += other.at[k];
}

template <int W>
static __device__ __forceinline__ Row<W> nothing() {
    Row<W> row;
#pragma unroll
    for (int k = 0; k < W; ++k) row.at[k] = 0.0f;
    return row;
}

// One warp: sums along every card's list. A lane has several cards, a chunk of four places a round.
template <int W, bool SHOWN>
static __device__ __forceinline__ void sum_lists(const float* reach, float* by_card, float* totals, const u16* list,
                                                 const u16* spans, int rounds) {
    int lane = threadIdx.x & 31;
    Row<W> sum = nothing<W>();
    ushort4 places = *(const ushort4*)(list + 4 * lane);
    unsigned span = spans[lane];
    for (int round = 0; round < rounds; ++round) {
        Row<W> a = load<W>(reach + places.x * W), b = load<W>(reach + places.y * W);
        Row<W> c = load<W>(reach + places.z * W), d = load<W>(reach + places.w * W);
        unsigned here = span;
        if (round + 1 < rounds) {
            places = *(const ushort4*)(list + 4 * (32 * round + 32 + lane));
            span = spans[32 * round + 32 + lane];
        }
        if (here & 64) sum = nothing<W>();
        float* to = by_card + mixed(32 * round + lane, 0) * W;
        if (SHOWN) store<W>(to, sum);
        add(sum, a);
        if (SHOWN) store<W>(to + 32 * W, sum);
        add(sum, b);
        if (SHOWN) store<W>(to + 64 * W, sum);
        add(sum, c);
        if (SHOWN) store<W>(to + 96 * W, sum);
        add(sum, d);
        if (here & 128) store<W>(totals + (here & 63) * W, sum);
    }
}

// One warp: the whole over all places, and running sums in place where hands are shown.
template <int W, bool SHOWN>
static __device__ __forceinline__ void sum_places(float* reach, float* whole, int live) {
    int lane = threadIdx.x & 31;
    int chunk = ((live + 31) / 32) | 1;  // odd: no two lanes meet in a bank
    int first = min(lane * chunk, live), last = min(first + chunk, live);
    Row<W> sum = nothing<W>();
    for (int i = first; i < last; ++i) add(sum, load<W>(reach + i * W));
#pragma unroll
    for (int k = 0; k < W; ++k)
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(0xffffffff, sum.at[k], step);
            if (lane >= step) sum.at[k] += other;
        }
    if (lane == 31) store<W>(whole, sum);
    if (!SHOWN) return;
#pragma unroll
    for (int k = 0; k < W; ++k) {
        sum.at[k] = __shfl_up_sync(0xffffffff, sum.at[k], 1);
        if (lane == 0) sum.at[k] = 0.0f;
    }
    for (int i = first; i < last; ++i) {
        Row<W> here = load<W>(reach + i * W);
        store<W>(reach + i * W, sum);
        add(sum, here);
    }
    if (last == live && (first < live || lane == 0)) store<W>(reach + live * W, sum);
}

// Where one own hand stands among the opponent's.
struct Look {
    int weaker, equal, weaker_a, equal_a, weaker_b, equal_b, a, b, twin;
};

static __device__ __forceinline__ Look look_at(uint4 packed) {
    Look at;
    at.weaker = packed.x & 0xffff, at.equal = packed.x >> 16;
    at.weaker_a = packed.y & 0xffff, at.equal_a = packed.y >> 16;
    at.weaker_b = packed.z & 0xffff, at.equal_b = packed.z >> 16;
    at.a = packed.w & 0xff, at.b = packed.w >> 8 & 0xff, at.twin = packed.w >> 16;
    return at;
}

// What one own hand finds at a pack.
template <int W>
struct Found {
    Row<W> won;   // win minus lose, where hands are shown
    Row<W> held;  // opponents that hold one of its cards, the same hand twice
};

template <int W>
static __device__ __forceinline__ Found<W> shown_at(const float* sums, const float* by_card, const float* totals,
                                                    const float* whole, const Look& at) {
    Found<W> found;
    Row<W> all = load<W>(whole), below = load<W>(sums + at.weaker * W), upto = load<W>(sums + at.equal * W);
    Row<W> a0 = load<W>(by_card + at.weaker_a * W), a1 = load<W>(by_card + at.equal_a * W);
    Row<W> b0 = load<W>(by_card + at.weaker_b * W), b1 = load<W>(by_card + at.equal_b * W);
    Row<W> a2 = load<W>(totals + at.a * W), b2 = load<W>(totals + at.b * W);
#pragma unroll
    for (int k = 0; k < W; ++k) {
        found.held.at[k] = a2.at[k] + b2.at[k];
        float cards = (a0.at[k] + a1.at[k]) + (b0.at[k] + b1.at[k]) - found.held.at[k];
        found.won.at[k] = (below.at[k] + upto.at[k] - all.at[k]) - cards;
    }
    return found;
}

template <int W>
static __device__ __forceinline__ Found<W> folded_at(const float* totals, const Look& at) {
    Found<W> found;
    Row<W> a = load<W>(totals + at.a * W), b = load<W>(totals + at.b * W);
#pragma unroll
    for (int k = 0; k < W; ++k) found.held.at[k] = a.at[k] + b.at[k];
    return found;
}

// The reach of the opponent's same hand.
template <int W, bool SHOWN>
static __device__ __forceinline__ float same_at(const float* sums, const Look& at, int lane) {
    if (at.twin == 0xffff) return 0.0f;
    float same = sums[at.twin * W + lane];
    return SHOWN ? sums[(at.twin + 1) * W + lane] - same : same;
}

static __device__ __forceinline__ float faded(float regret, float up, float down) { return regret * (regret > 0.0f ? up : down); }

// A row of hands to or from shared memory, sixteen bytes a thread.
static __device__ __forceinline__ void copy_row(float* to, const float* from, int count) {
    for (int i = 4 * threadIdx.x; i < count; i += 4 * blockDim.x) *(float4*)(to + i) = *(const float4*)(from + i);
}

// What a thread reads of one hand.
template <int ROWS>
struct Mine {
    float r[ROWS], s[ROWS];
    uint4 look;
    int hand;
};

template <int ROWS>
struct Theirs {
    float g[ROWS];
    int hand;
};

// Bring the player's state into the cache while the opponent's is worked on.
static __device__ __forceinline__ void fetch_own(const float* regret, const float* sum, int pitch, int rows, bool regrets, bool sums) {
    if (rows && regrets) bring_near(regret, 4 * rows * pitch);
    if (rows && sums) bring_near(sum, 4 * rows * pitch);
}
