// Parts of a generated kernel, see lines.cu.
//
// Rows of reach stand interleaved in *packs* of W, [rank][W], W being 1, 2 or 4: a thread takes all
// rows of a pack at once. One warp sums a pack: along each card's list, and over all ranks, where
// running sums replace reach. Two ranks behind the last hand hold 0, then the whole.

template <int W>
struct Row {
    float at[W];
};

// Offsets in shared memory are counted in bytes from its beginning.
template <int W>
static __device__ __forceinline__ Row<W> load(unsigned at) {
    const void* from = shared_bytes + at;
    Row<W> row;
    if (W == 4) {
        float4 v = *(const float4*)from;
        row.at[0] = v.x, row.at[1 % W] = v.y, row.at[2 % W] = v.z, row.at[3 % W] = v.w;
    } else if (W == 2) {
        float2 v = *(const float2*)from;
        row.at[0] = v.x, row.at[1 % W] = v.y;
    } else {
        row.at[0] = *(const float*)from;
    }
    return row;
}

template <int W>
static __device__ __forceinline__ void store(unsigned at, const Row<W>& row) {
    void* to = shared_bytes + at;
    if (W == 4) {
        float4 v;
        v.x = row.at[0], v.y = row.at[1 % W], v.z = row.at[2 % W], v.w = row.at[3 % W];
        *(float4*)to = v;
    } else if (W == 2) {
        float2 v;
        v.x = row.at[0], v.y = row.at[1 % W];
        *(float2*)to = v;
    } else {
        *(float*)to = row.at[0];
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

// One warp: running sums along every card's list, [k][chunk] and then the whole of each card. A lane
// has several cards, a chunk of four ranks a round.
template <int W>
static __device__ __forceinline__ void sum_lists(unsigned reach, unsigned by_card, const u16* list, int chunks) {
    const unsigned size = 4 * W, lane = threadIdx.x & 31, next_k = chunks * size;
    const u16* end_of = list + 2;
    const uint2* chunk = (const uint2*)(list + LIST_HEAD);
    Row<W> sum = nothing<W>();
    unsigned here = lane, end = *end_of;
    uint2 coming;
    if (here < end) coming = chunk[here];
    while (here < end) {
        const uint2 now = coming;
        Row<W> a = load<W>(reach + (now.x & RANK_MASK) * size), b = load<W>(reach + (now.x >> 16) * size);
        Row<W> c = load<W>(reach + (now.y & RANK_MASK) * size), d = load<W>(reach + (now.y >> 16) * size);
        unsigned to = by_card + here * size;
        here = end + lane;
        end = *++end_of;
        if (here < end) coming = chunk[here];
        if (now.x & FIRST_CHUNK) sum = nothing<W>();
        store<W>(to, sum);
        add(sum, a);
        store<W>(to += next_k, sum);
        add(sum, b);
        store<W>(to += next_k, sum);
        add(sum, c);
        store<W>(to += next_k, sum);
        add(sum, d);
        if (now.x & LAST_CHUNK) store<W>(by_card + 4 * next_k + ((now.x >> 10 & 56) | (now.y >> 11 & 7)) * size, sum);
    }
}

static __device__ __forceinline__ int ranks_of(int live) { return ((live + 31) / 32) | 1; }  // odd: no two lanes meet in a bank

// One warp: running sums over all ranks, in place: first what stands before each lane's, ..
template <int W>
static __device__ __forceinline__ Row<W> sum_ranks(unsigned reach, int live) {
    int lane = threadIdx.x & 31;
    int chunk = ranks_of(live), first = min(lane * chunk, live), last = min(first + chunk, live);
    Row<W> before = nothing<W>();
#pragma unroll 4
    for (unsigned at = reach + first * 4 * W; at < reach + last * 4 * W; at += 4 * W) add(before, load<W>(at));
#pragma unroll
    for (int k = 0; k < W; ++k) {
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(0xffffffff, before.at[k], step);
            if (lane >= step) before.at[k] += other;
        }
        before.at[k] = __shfl_up_sync(0xffffffff, before.at[k], 1);
        if (lane == 0) before.at[k] = 0.0f;
    }
    return before;
}

// .. then, when nobody needs the reach any more, the sums.
template <int W>
static __device__ __forceinline__ void keep_ranks(unsigned reach, int live, Row<W> sum) {
    int lane = threadIdx.x & 31;
    int chunk = ranks_of(live), first = min(lane * chunk, live), last = min(first + chunk, live);
#pragma unroll 4
    for (unsigned at = reach + first * 4 * W; at < reach + last * 4 * W; at += 4 * W) {
        Row<W> here = load<W>(at);
        store<W>(at, sum);
        add(sum, here);
    }
    if (lane == 31) store<W>(reach + live * 4 * W, sum), store<W>(reach + (live + 1) * 4 * W, sum);
}

// Where one own hand stands among the opponent's.
struct Look {
    unsigned weaker, equal, weaker_a, equal_a, weaker_b, equal_b, a, b, twin;
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
    Row<W> won;  // win minus lose
    Row<W> met;  // opponents that hold none of its cards
};

template <int W>
static __device__ __forceinline__ Found<W> found_at(unsigned sums, unsigned by_card, int live, int chunks, const Look& at) {
    Found<W> found;
    const unsigned size = 4 * W, wholes = by_card + 4 * chunks * size, twin = sums + at.twin * size;
    Row<W> below = load<W>(sums + at.weaker * size), upto = load<W>(sums + at.equal * size);
    Row<W> a0 = load<W>(by_card + at.weaker_a * size), a1 = load<W>(by_card + at.equal_a * size);
    Row<W> b0 = load<W>(by_card + at.weaker_b * size), b1 = load<W>(by_card + at.equal_b * size);
    Row<W> a2 = load<W>(wholes + at.a * size), b2 = load<W>(wholes + at.b * size), all = load<W>(sums + live * size);
    Row<W> before = load<W>(twin), after = load<W>(twin + size);
#pragma unroll
    for (int k = 0; k < W; ++k) {
        float others = all.at[k] - (a2.at[k] + b2.at[k]);
        float cards = (a0.at[k] + a1.at[k]) + (b0.at[k] + b1.at[k]);
        found.won.at[k] = (below.at[k] + upto.at[k] - cards) - others;
        found.met.at[k] = others + (after.at[k] - before.at[k]);
    }
    return found;
}

// A row of hands from shared memory, sixteen bytes a thread.
static __device__ __forceinline__ void copy_row(float* to, const float* from, int count) {
    for (int i = 4 * threadIdx.x; i < count; i += 4 * blockDim.x) *(float4*)(to + i) = *(const float4*)(from + i);
}

// What a thread reads of one hand; regrets as they are stored, since making them floats would wait for them.
template <class Regret, int ROWS>
struct Mine {
    Regret regret[ROWS ? ROWS : 1];
    float sum[ROWS ? ROWS : 1];
    uint4 look;
    int hand;
};

// Bring the player's state into the cache while the opponent's is worked on.
template <class Regret>
static __device__ __forceinline__ void fetch_own(const Regret* regret, const float* sum, int pitch, int rows, bool regrets, bool sums) {
    if (rows && regrets) bring_near(regret, sizeof(Regret) * rows * pitch);
    if (rows && sums) bring_near(sum, 4 * rows * pitch);
}

// The largest number of a decision's rows that a thread looks at; what is locked does not count.
static __device__ __forceinline__ float most_of(const float* from, int count, const unsigned char* locked) {
    float most = 0.0f;
#pragma unroll 2
    for (int i = 4 * threadIdx.x; i < count; i += 4 * blockDim.x) {
        float4 v = *(const float4*)(from + i);
        if (locked) {
            if (locked[i]) v.x = 0.0f;
            if (locked[i + 1]) v.y = 0.0f;
            if (locked[i + 2]) v.z = 0.0f;
            if (locked[i + 3]) v.w = 0.0f;
        }
        most = fmaxf(fmaxf(fmaxf(most, fabsf(v.x)), fmaxf(fabsf(v.y), fabsf(v.z))), fabsf(v.w));
    }
    return most;
}

// Rows of one decision to 16 bits, four numbers a thread.
static __device__ __forceinline__ void pack_rows(short* to, const float* from, int count, float most, float* scale) {
    const float factor = most > 0.0f ? MOST_16 / most : 0.0f;
    if (threadIdx.x == 0) *scale = most / MOST_16;
#pragma unroll 2
    for (int i = 4 * threadIdx.x; i < count; i += 4 * blockDim.x) {
        const float4 v = *(const float4*)(from + i);
        uint2 packed;
        packed.x = (in_16_bits(v.x * factor) & 0xffff) | in_16_bits(v.y * factor) << 16;
        packed.y = (in_16_bits(v.z * factor) & 0xffff) | in_16_bits(v.w * factor) << 16;
        *(uint2*)(to + i) = packed;
    }
}
