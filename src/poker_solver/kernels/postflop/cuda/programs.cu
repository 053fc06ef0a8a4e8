// Range-vector CFR after the flop on a GPU. The formulas are those of the package docstring.
//
// State. Each player's regrets and sums are rows of hands: one row per decision and action, first the
// upper streets in natural order of hands, then for every river board its rows in the order of
// strength on that board, hands that the board blocks left out. A row is padded to 4 numbers.
//
// A block takes the river boards of a batch one after the other, and one group of lines; what the boards
// give is added up. On each it reads the opponent's state once, turns it into reach in shared memory,
// sums it by strength (all hands, and each card's hands), and each thread then takes own hands: it
// looks the sums up at the hand's rank, and walks the decisions of the group from the last to the
// first. Every sum has a fixed order, so results repeat bit by bit.
//
// Programs. What to do in a group is a list of integers made by the host, for each player. The value
// of an own action is a sum of terms (slot, factor): terminals and later own decisions; decisions of
// the opponent only add. A *slot* is one number per thread.
//
// The same text compiles as C++ for the host, where a test runs it thread by thread.

struct Own {  // of one hand, row after row
    float* regret;
    float* sum;
    const unsigned char* locked;
    int pitch;
    float positive, negative, policy;  // factors of the schedule
};

// Write 1 at the first action that is best, 0 at the others; `open` until then.
static __device__ __forceinline__ void record(const Own& own, int row, bool is_best, bool& open) {
    own.regret[row * own.pitch] = is_best && open ? 1.0f : 0.0f;
    open = open && !is_best;
}

// What an iteration adds to one action.
static __device__ __forceinline__ void learn(const Own& own, int row, float old, const float& cfv, float value,
                                             float reach, float played) {
    float sum = summed(own.sum[row * own.pitch], own.policy, reach, played);
    own.regret[row * own.pitch] = learned(old, own.positive, own.negative, cfv, value);
    own.sum[row * own.pitch] = sum;
}

// One own decision of A actions: its value, and in LEARN its new regrets and sums.
template <int MODE, int A>
static __device__ __forceinline__ float decide(const int*& at, const float* x, int pitch, const Own& own,
                                               int row, float reach) {
    float value[A], old[A];
#pragma unroll
    for (int a = 0; a < A; ++a) value[a] = terms(at, x, pitch);
    if (MODE == BEST || MODE == RECORD) {
        float best = value[0], least = value[0];
#pragma unroll
        for (int a = 1; a < A; ++a) best = fmaxf(best, value[a]), least = fminf(least, value[a]);
        bool open = best > least;
#pragma unroll
        for (int a = 0; MODE == RECORD && a < A; ++a) record(own, row + a, value[a] == best, open);
        if (!own.locked || !own.locked[row * own.pitch]) return best;
    }
    float total = 0.0f;
#pragma unroll
    for (int a = 0; a < A; ++a) {
        const float* stored = MODE == LEARN ? own.regret : own.sum;
        old[a] = stored[(row + a) * own.pitch];
        total += clipped(old[a]);
    }
    float inverse = total > TINY ? 1.0f / total : 0.0f;
    float uniform = total > TINY ? 0.0f : 1.0f / A;
    float mean = 0.0f;
#pragma unroll
    for (int a = 0; a < A; ++a) mean += (clipped(old[a]) * inverse + uniform) * value[a];
    if (MODE == LEARN) {
#pragma unroll
        for (int a = 0; a < A; ++a) {
            learn(own, row + a, old[a], value[a], mean, reach, clipped(old[a]) * inverse + uniform);
        }
    }
    return mean;
}

// The same for any number of actions; values wait in slots from `spare` on.
template <int MODE>
static __device__ float decide_many(const int*& at, float* x, int pitch, const Own& own, int row,
                                    float reach, int count, int spare) {
    const float* stored = MODE == LEARN ? own.regret : own.sum;
    float total = 0.0f, best = 0.0f, least = 0.0f;
    const bool is_best = MODE == BEST || MODE == RECORD;
    for (int a = 0; a < count; ++a) {
        float value = terms(at, x, pitch);
        x[(spare + a) * pitch] = value;
        best = a == 0 ? value : fmaxf(best, value);
        least = a == 0 ? value : fminf(least, value);
        if (!is_best || own.locked) total += clipped(stored[(row + a) * own.pitch]);
    }
    bool open = best > least;
    for (int a = 0; MODE == RECORD && a < count; ++a) record(own, row + a, x[(spare + a) * pitch] == best, open);
    if (is_best && (!own.locked || !own.locked[row * own.pitch])) return best;
    float inverse = total > TINY ? 1.0f / total : 0.0f;
    float uniform = total > TINY ? 0.0f : 1.0f / count;
    float mean = 0.0f;
    for (int a = 0; a < count; ++a)
        mean += (clipped(stored[(row + a) * own.pitch]) * inverse + uniform) * x[(spare + a) * pitch];
    if (MODE == LEARN) {
        for (int a = 0; a < count; ++a) {
            float old = own.regret[(row + a) * own.pitch];
            learn(own, row + a, old, x[(spare + a) * pitch], mean, reach, clipped(old) * inverse + uniform);
        }
    }
    return mean;
}

// All own decisions of a group, last first. `reach_of` gives the own reach a decision names.
template <int MODE, class Reach>
static __device__ __forceinline__ const int* decide_all(const int* at, int count, float* x, int pitch,
                                                        const Own& own, int spare, Reach reach_of) {
    for (int n = 0; n < count; ++n) {
        int num_actions = at[0], row = at[1], slot = at[3];
        float reach = MODE == LEARN ? reach_of(at[2]) : 0.0f;
        at += 4;
        float value;
        if (num_actions == 2)
            value = decide<MODE, 2>(at, x, pitch, own, row, reach);
        else if (num_actions == 3)
            value = decide<MODE, 3>(at, x, pitch, own, row, reach);
        else if (num_actions == 4)
            value = decide<MODE, 4>(at, x, pitch, own, row, reach);
        else
            value = decide_many<MODE>(at, x, pitch, own, row, reach, num_actions, spare);
        x[slot * pitch] = value;
    }
    return at;
}

// Copy rows into shared memory, those of floats without waiting.
static __device__ __forceinline__ void stage_packed(float* to, int to_pitch, const short* from, int pitch, int rows) {
    for (int r = 0; r < rows; ++r)
        for (int i = threadIdx.x; i < pitch; i += blockDim.x) to[r * to_pitch + i] = from[(i64)r * pitch + i];
}

template <bool NEAR>
static __device__ __forceinline__ void stage_rows(float* to, int to_pitch, const float* from, int pitch,
                                                  int rows) {
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (int r = warp; r < rows; r += warps)
        for (int i = 4 * lane; i < pitch; i += 128) {
            if (NEAR)
                COPY_16(to + r * to_pitch + i, from + (i64)r * pitch + i);
            else
                *(float4*)(to + r * to_pitch + i) = *(const float4*)(from + (i64)r * pitch + i);
        }
}

struct Memory {  // of a block that works on a river group
    int* program;
    float* reach;    // [rows][opp_ld], each row after four numbers, the last of which is 0
    float* by_card;  // [ranks in lists, cards][S]
    float* totals;   // [52][F]
    float* row_sum;  // [F]
    float* x;        // [slots][threads]
    float* fresh;    // [own rows][own pitch], where regrets have 16 bits
};

static __device__ __forceinline__ Memory carve(float* base, const int* g, int opp_ld, int chunks) {
    Memory m;
    m.program = (int*)base;
    base += rounded(g[PROGRAM_SIZE]);
    m.reach = base;
    base += (g[OPP_ROWS] + g[ENTRIES]) * opp_ld + 4;
    m.by_card = base;
    base += (4 * chunks + NUM_CARDS) * g[SHOWS];
    m.totals = base;
    base += NUM_CARDS * g[FOLDS];
    m.row_sum = base;
    base += rounded(g[FOLDS]);
    m.x = base;
    m.fresh = base + rounded(g[NUM_SLOTS] * blockDim.x);
    return m;
}

// Reach of the opponent after each of his actions in the group.
static __device__ __forceinline__ void opponent_down(const Pass& p, const Memory& m, const int* g, int board, int ld, int live) {
    const u16* order = p.opp_order + (i64)board * p.opp_pad;
    const float* above = p.opp_above + (i64)p.board_above[board] * p.rows_above_opp * p.opp_pad;
    for (int i = threadIdx.x; i < live; i += blockDim.x) {
        float* mine = m.reach + 4 + i;
        int hand = order[i];
        const int* at = g + HEADER;
        for (int e = 0; e < g[ENTRIES]; ++e, at += 4)
            mine[(g[OPP_ROWS] + e) * ld] = p.share * above[(i64)at[1] * p.opp_pad + hand];
        for (int n = 0; n < g[OPP_NODES]; ++n, at += 3) play(mine + at[1] * ld, ld, at[0], mine[at[2] * ld]);
    }
    for (int r = threadIdx.x; r < g[OPP_ROWS] + g[ENTRIES]; r += blockDim.x)
        m.reach[r * ld + 3] = m.reach[r * ld + 4 + live] = 0.0f;  // before the first, after the last
}

// Running sums of each card's hands for shown rows, sums for folded ones.
static __device__ __forceinline__ void sum_cards(const Pass& p, const Memory& m, const int* g, int board, int ld) {
    const u16* list = p.list + (i64)board * p.list_pad;
    const u16* start = p.list_start + (i64)board * NUM_CARDS;
    const int* shows = g + HEADER + 4 * g[ENTRIES] + 3 * g[OPP_NODES];
    int num_shows = g[SHOWS], num_folds = g[FOLDS], chunks = list[0];
    for (int k = threadIdx.x; k < NUM_CARDS * (num_shows + num_folds); k += blockDim.x) {
        int card = k / (num_shows + num_folds), end = k - card * (num_shows + num_folds);
        const float* row = m.reach + shows[2 * end] * ld + 4;
        const u16* round = list + 1 + first_round(start[card]);
        float sum = 0.0f;
        for (int left = num_chunks(start[card]); left > 0; --left) {
            int chunk = *round++ + list_lane(start[card]);
            for (int j = 0; j < 4; ++j) {
                if (end < num_shows) m.by_card[(j * chunks + chunk) * num_shows + end] = sum;
                sum += row[list[LIST_HEAD + 4 * chunk + j] & RANK_MASK];
            }
        }
        if (end < num_shows)
            m.by_card[(4 * chunks + card) * num_shows + end] = sum;
        else
            m.totals[card * num_folds + end - num_shows] = sum;
    }
}

// Running sums over all hands, in place, for shown rows; the sum for folded ones. A warp a row.
static __device__ __forceinline__ void sum_rows(const Memory& m, const int* g, int ld, int live) {
    const int* shows = g + HEADER + 4 * g[ENTRIES] + 3 * g[OPP_NODES];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    int chunk = ((live + 31) / 32) | 1;  // odd: no two lanes meet in a bank
    int first = min(lane * chunk, live), last = min(first + chunk, live);
    for (int k = warp; k < g[SHOWS] + g[FOLDS]; k += warps) {
        bool shown = k < g[SHOWS];
        if (shown && shows[2 * k + 1] == PADDING) continue;
        float* row = m.reach + shows[2 * k] * ld + 4;
        float sum = 0.0f;
        for (int i = first; i < last; ++i) sum += row[i];
        float before = sum;
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(0xffffffff, before, step);
            if (lane >= step) before += other;
        }
        if (!shown) {
            if (lane == 31) m.row_sum[k - g[SHOWS]] = before;
            continue;
        }
        before = __shfl_up_sync(0xffffffff, before, 1);
        if (lane == 0) before = 0.0f;
        for (int i = first; i < last; ++i) row[i] = before += row[i];
    }
}

// Win minus lose, and opponents met, of one own hand at all terminals of the group.
static __device__ __forceinline__ void look_up(const Pass& p, const Memory& m, const int* g, float* x, int board, int i, int ld, int live) {
    uint4 look = p.look[(i64)board * p.own_pad + i];
    int weaker = look.x & 0xffff, equal = look.x >> 16;
    int a = look.w & 0xff, b = look.w >> 8 & 0xff, twin = look.w >> 16;
    int num_shows = g[SHOWS], num_folds = g[FOLDS];
    const float4* cards = (const float4*)m.by_card;
    int quads = num_shows / 4;
    int wholes = 4 * p.list[(i64)board * p.list_pad];
    int at[6] = {(int)(look.y & 0xffff), (int)(look.y >> 16), (int)(look.z & 0xffff), (int)(look.z >> 16),
                 wholes + a, wholes + b};
    const int* shows = g + HEADER + 4 * g[ENTRIES] + 3 * g[OPP_NODES];
    for (int q = 0; q < quads; ++q) {
        float4 c0 = cards[at[0] * quads + q], c1 = cards[at[1] * quads + q];
        float4 c2 = cards[at[2] * quads + q], c3 = cards[at[3] * quads + q];
        float4 ta = cards[at[4] * quads + q], tb = cards[at[5] * quads + q];
        float held[4] = {(c0.x + c1.x - ta.x) + (c2.x + c3.x - tb.x), (c0.y + c1.y - ta.y) + (c2.y + c3.y - tb.y),
                         (c0.z + c1.z - ta.z) + (c2.z + c3.z - tb.z), (c0.w + c1.w - ta.w) + (c2.w + c3.w - tb.w)};
        float both[4] = {ta.x + tb.x, ta.y + tb.y, ta.z + tb.z, ta.w + tb.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float* row = m.reach + shows[8 * q + 2 * k] * ld + 4;
            int met = shows[8 * q + 2 * k + 1];
            if (met == PADDING) break;
            float all = row[live - 1];
            x[(4 * q + k) * blockDim.x] = (row[weaker - 1] + row[equal - 1] - all) - held[k];
            if (met >= 0) {
                float same = twin < live ? row[twin] - row[twin - 1] : 0.0f;
                x[met * blockDim.x] = all - both[k] + same;
            }
        }
    }
    const int* folds = shows + 2 * num_shows;
    for (int f = 0; f < num_folds; ++f) {
        const float* row = m.reach + folds[2 * f] * ld + 4;
        float same = twin < live ? row[twin] : 0.0f;
        x[folds[2 * f + 1] * blockDim.x] =
            m.row_sum[f] - m.totals[a * num_folds + f] - m.totals[b * num_folds + f] + same;
    }
}

// Own reach where the player acts again: slots of the decisions below.
static __device__ __forceinline__ void own_down(const int* at, int count, float* x, int pitch, const float* regret, int ld) {
    for (int n = 0; n < count; ++n) {
        int num_actions = at[0];
        const float* stored = regret + at[1] * ld;
        float reach = x[at[2] * pitch], total = 0.0f;
        at += 3;
        for (int a = 0; a < num_actions; ++a) total += clipped(stored[a * ld]);
        float scale = total > TINY ? reach / total : 0.0f;
        float uniform = total > TINY ? 0.0f : reach / num_actions;
        for (int a = 0; a < num_actions; ++a, ++at)
            if (*at >= 0) x[*at * pitch] = clipped(stored[a * ld]) * scale + uniform;
    }
}

struct SlotReach {
    const float* x;
    int pitch;
    __device__ __forceinline__ float operator()(int slot) const { return x[slot * pitch]; }
};

// Round the regrets of a decision to what 16 bits and a scale hold; to `packed`, or in place without it.
// Hands that are locked are left out, as are those not `alive`.
static __device__ __forceinline__ void settle(float* regret, short* packed, int pitch, int num_actions, int hands,
                                              const float* alive, const unsigned char* locked, float* scale, float* notes) {
    float most = 0.0f;
    for (int h = threadIdx.x; h < hands; h += blockDim.x)
        for (int a = 0; a < num_actions; ++a)
            if (!(alive && alive[h] == 0.0f) && !(locked && locked[h])) most = fmaxf(most, fabsf(regret[a * pitch + h]));
    note_most(notes, most);
    __syncthreads();
    most = noted_most(notes);
    __syncthreads();
    const float factor = most > 0.0f ? MOST_16 / most : 0.0f, unit = most / MOST_16;
    if (threadIdx.x == 0) *scale = unit;
    for (int h = threadIdx.x; h < hands; h += blockDim.x)
        for (int a = 0; a < num_actions; ++a) {
            if ((alive && alive[h] == 0.0f) || (locked && locked[h])) continue;
            int whole = in_16_bits(regret[a * pitch + h] * factor);
            if (packed)
                packed[a * pitch + h] = whole;
            else
                regret[a * pitch + h] = unit * whole;
        }
}

// Regrets of 16 bits of a group as floats.
static __device__ __forceinline__ void unpack_own(const Memory& m, const int* g, const short* packed, const float* scale, int pitch) {
    const int* at = g + g[AT_NODES];
    for (int n = g[OWN_NODES] - 1; n >= 0; --n, at = skip(at))
        for (int k = threadIdx.x; k < at[0] * pitch; k += blockDim.x)
            m.fresh[at[1] * pitch + k] = scale[n] * packed[at[1] * pitch + k];
}

template <int MODE, bool NEAR>
static __device__ __forceinline__ void river_item(const Pass& p, int batch, int board, int group, float* base) {
    const int* program = p.program + p.program_start[group];
    int opp_live = p.opp_live[board], own_live = p.own_live[board];
    int opp_pitch = pitch_of(opp_live), own_pitch = pitch_of(own_live), ld = opp_pitch + 4;
    const bool PACKED = MODE == LEARN16;
    const int DECIDES = PACKED ? LEARN : MODE;
    Memory m = carve(base, program, ld, p.list[(i64)board * p.list_pad]);
    i64 opp_at = p.opp_base[board] + (i64)program[OPP_FIRST] * opp_pitch;
    if (PACKED)
        stage_packed(m.reach + 4, ld, (const short*)p.opp_stored + opp_at, opp_pitch, program[OPP_ROWS]);
    else
        stage_rows<NEAR>(m.reach + 4, ld, p.opp_stored + opp_at, opp_pitch, program[OPP_ROWS]);
    COPY_COMMIT();
    i64 own_at = p.own_base[board] + (i64)program[OWN_FIRST] * own_pitch;
    for (int k = threadIdx.x; k < program[PROGRAM_SIZE]; k += blockDim.x) m.program[k] = program[k];
    COPY_WAIT(0);
    __syncthreads();
    const int* g = m.program;
    opponent_down(p, m, g, board, ld, opp_live);
    __syncthreads();
    sum_cards(p, m, g, board, ld);
    __syncthreads();
    sum_rows(m, g, ld, opp_live);
    short* packed = (short*)p.own_regret + own_at;
    float* scale = p.own_scale + (i64)board * p.own_nodes + g[FIRST_NODE];
    if (PACKED) unpack_own(m, g, packed, scale, own_pitch);
    __syncthreads();
    const u16* order = p.own_order + (i64)board * p.own_pad;
    const float* above = p.own_above + (i64)p.board_above[board] * p.rows_above_own * p.own_pad;
    float* x = m.x + threadIdx.x;
    Own own;
    own.pitch = own_pitch;
    if (DECIDES == LEARN) own.positive = p.weights[0], own.negative = p.weights[1], own.policy = p.weights[2];
    for (int i = threadIdx.x; i < own_live; i += blockDim.x) {
        int hand = order[i];
        look_up(p, m, g, x, board, i, ld, opp_live);
        own.regret = PACKED ? m.fresh + i : p.own_regret + own_at + i, own.sum = p.own_sum + own_at + i;
        own.locked = p.own_locked ? p.own_locked + own_at + i : 0;
        if (DECIDES == LEARN) {
            const int* entry = g + HEADER;
            for (int e = 0; e < g[ENTRIES]; ++e, entry += 4)
                x[entry[3] * blockDim.x] = above[(i64)entry[2] * p.own_pad + hand];
            own_down(g + g[AT_DOWNS], g[OWN_DOWNS], x, blockDim.x, own.regret, own_pitch);
        }
        SlotReach reach_of = {x, (int)blockDim.x};
        const int* at = decide_all<DECIDES>(g + g[AT_NODES], g[OWN_NODES], x, blockDim.x, own, g[SPARE], reach_of);
        for (int e = 0; e < g[ENTRIES]; ++e) {
            int entry = g[HEADER + 4 * e];
            p.out[((i64)batch * p.num_entries + entry) * p.own_pad + hand] += terms(at, x, blockDim.x);
        }
    }
    if (!PACKED) return;
    __syncthreads();
    const int* at = g + g[AT_NODES];
    for (int n = g[OWN_NODES] - 1; n >= 0; --n, at = skip(at)) {
        i64 first = (i64)at[1] * own_pitch;
        settle(m.fresh + first, packed + first, own_pitch, at[0], own_live, 0, p.own_locked ? p.own_locked + own_at + first : 0,
               scale + n, m.x);
    }
}

template <int MODE, bool NEAR>
static __device__ __forceinline__ void river_all(const Pass& p) {
    float* base = NEAR ? (float*)shared_bytes : p.scratch + blockIdx.x * p.scratch_floats;
    for (int item = blockIdx.x; item < p.num_items; item += gridDim.x) {
        int batch = item / p.num_groups, group = item - batch * p.num_groups;
        const Board* boards = p.boards + (i64)batch * p.per_batch;
        if (p.is_done && p.is_done[boards->board]) continue;
        const int* g = p.program + p.program_start[group];
        for (int e = 0; e < g[ENTRIES]; ++e) {
            float* row = p.out + ((i64)batch * p.num_entries + g[HEADER + 4 * e]) * p.own_pad;
            for (int h = threadIdx.x; h < p.own_pad; h += blockDim.x) row[h] = 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < p.per_batch && boards[k].board >= 0; ++k) {
            river_item<MODE, NEAR>(p, batch, boards[k].board, group, base);
            __syncthreads();
        }
    }
}

// The kernels of a mode, in shared memory and without; what stands behind this text says which modes.
#define RIVER_KERNELS(name, MODE)                                                       \
    extern "C" __global__ void river_##name(const Pass p) { river_all<MODE, true>(p); } \
    extern "C" __global__ void river_##name##_far(const Pass p) { river_all<MODE, false>(p); }
