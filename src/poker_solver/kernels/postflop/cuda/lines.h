// Parts of a generated kernel, see lines.cu.
//
// Rows of reach stand interleaved in *packs* of W, [rank][W], W being 1, 2 or 4: a thread takes all
// rows of a pack at once. A pack is summed along each card's list, by one warp, and over all ranks, where
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

// One warp: running sums along the lists of 32 lanes, [k][chunk] and then the whole of each card. A lane
// has some cards, a chunk of four ranks a round.
template <int W>
static __device__ __forceinline__ void sum_lists(unsigned reach, unsigned by_card, const u16* list, int chunks, int first_lane) {
    const unsigned size = 4 * W, lane = first_lane + (threadIdx.x & 31), next_k = chunks * size;
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

// A run of ranks that one of `count` threads sums.
struct Slice {
    int first, last;
    bool is_last;
};

static __device__ __forceinline__ Slice slice_of(int number, int count, int live) {
    const int size = ((live + count - 1) / count) | 1;  // odd: no two lanes meet in a bank
    Slice slice;
    slice.first = min(number * size, live), slice.last = min(slice.first + size, live);
    slice.is_last = number == count - 1;
    return slice;
}

// Running sums over all ranks, in place: first what stands before a slice, within its warp; `whole` is the warp's ..
template <int W>
static __device__ __forceinline__ Row<W> sum_ranks(unsigned reach, const Slice& slice, Row<W>& whole) {
    const int lane = threadIdx.x & 31;
    Row<W> before = nothing<W>();
#pragma unroll 4
    for (unsigned at = reach + slice.first * 4 * W; at < reach + slice.last * 4 * W; at += 4 * W) add(before, load<W>(at));
#pragma unroll
    for (int k = 0; k < W; ++k) {
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(0xffffffff, before.at[k], step);
            if (lane >= step) before.at[k] += other;
        }
        whole.at[k] = before.at[k];  // of the last lane
        before.at[k] = __shfl_up_sync(0xffffffff, before.at[k], 1);
        if (lane == 0) before.at[k] = 0.0f;
    }
    return before;
}

// .. then, when nobody needs the reach any more, the sums.
template <int W>
static __device__ __forceinline__ void keep_ranks(unsigned reach, int live, const Slice& slice, Row<W> sum) {
#pragma unroll 4
    for (unsigned at = reach + slice.first * 4 * W; at < reach + slice.last * 4 * W; at += 4 * W) {
        Row<W> here = load<W>(at);
        store<W>(at, sum);
        add(sum, here);
    }
    if (slice.is_last) store<W>(reach + live * 4 * W, sum), store<W>(reach + (live + 1) * 4 * W, sum);
}

// One warp does all of a pack: its lists, laid out for so many lanes, and its ranks.
template <int W>
static __device__ __forceinline__ void sum_pack(unsigned reach, unsigned by_card, const u16* list, int chunks, int live, int lanes) {
    const Slice slice = slice_of(threadIdx.x & 31, 32, live);
    Row<W> whole;
    for (int lane = 0; lane < lanes; lane += 32) sum_lists<W>(reach, by_card, list, chunks, lane);
    const Row<W> before = sum_ranks<W>(reach, slice, whole);
    __syncwarp();
    keep_ranks<W>(reach, live, slice, before);
}

// All warps share the ranks of a pack: 32 slices are a part, whose whole is noted; a slice then adds those of the parts
// before its own. Parts are as many whatever a block has of warps, so that sums are the same.
#define ROUNDS ((RANK_PARTS + THREADS / 32 - 1) / (THREADS / 32))

template <int W>
struct Parts {
    Row<W> before[ROUNDS];
};

template <int W>
static __device__ __forceinline__ Parts<W> note_parts(unsigned reach, unsigned notes, int live) {
    Parts<W> parts;
#pragma unroll
    for (int k = 0; k < ROUNDS; ++k) {
        const int part = k * (THREADS / 32) + (threadIdx.x >> 5);
        if (part >= RANK_PARTS) continue;
        Row<W> whole;
        parts.before[k] = sum_ranks<W>(reach, slice_of(32 * part + (threadIdx.x & 31), 32 * RANK_PARTS, live), whole);
        if ((threadIdx.x & 31) == 31) store<W>(notes + part * 4 * W, whole);
    }
    return parts;
}

template <int W>
static __device__ __forceinline__ void keep_parts(unsigned reach, unsigned notes, int live, Parts<W>& parts) {
#pragma unroll
    for (int k = 0; k < ROUNDS; ++k) {
        const int part = k * (THREADS / 32) + (threadIdx.x >> 5);
        if (part >= RANK_PARTS) continue;
        Row<W> others = nothing<W>();
        for (int p = 0; p < part; ++p) add(others, load<W>(notes + p * 4 * W));
        add(parts.before[k], others);
        keep_ranks<W>(reach, live, slice_of(32 * part + (threadIdx.x & 31), 32 * RANK_PARTS, live), parts.before[k]);
    }
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
