// What hands tell their rows, and what rows learn from it.
//
// Each warp takes a run of hands in order of their rows, 32 at a time: the hands say [values][SAY_PITCH] numbers,
// then a lane has a value and adds it up hand by hand. A row that begins before the warp's run may be another warp's
// too: what the first row of a run is told waits aside in `head`. Every sum has a fixed order.

// The hands of a warp: whole 32s, but at the end.
struct Run {
    int first, last;
};

static __device__ __forceinline__ Run run_of(int warp, int num_warps, int live) {
    const int share = ((live + 31) / 32 + num_warps - 1) / num_warps * 32;
    Run run;
    run.first = min(warp * share, live);
    run.last = min(run.first + share, live);
    return run;
}

// One warp: add what hands say to [values][pitch] of their rows; `rows` are those of the hands.
static __device__ __forceinline__ void tell(const float* say, const u16* rows, int count, int num_values, float* told,
                                            int pitch, int head_row, float* head) {
    __syncwarp();
    for (int v = threadIdx.x & 31; v < num_values; v += 32) {
        int row = rows[0];
        float sum = 0.0f;
        for (int k = 0; k < count; ++k) {
            const int next = rows[k];
            if (next != row) {
                float* to = row == head_row ? head + v : told + v * pitch + row;
                *to += sum;
                sum = 0.0f;
                row = next;
            }
            sum += say[v * SAY_PITCH + k];
        }
        float* to = row == head_row ? head + v : told + v * pitch + row;
        *to += sum;
    }
    __syncwarp();
}

// All warps, between barriers: what waits in [warps][values] heads, one warp after the other.
static __device__ __forceinline__ void add_heads(const float* heads, const int* head_rows, int num_warps, int num_values,
                                                 float* told, int pitch) {
    for (int v = threadIdx.x; v < num_values; v += blockDim.x)
        for (int w = 0; w < num_warps; ++w) told[v * pitch + head_rows[w]] += heads[w * num_values + v];
}

// Where a decision stands on a board: [actions][num_rows] numbers of state.
template <class Stored>
struct Learner {
    Stored* regret;
    float* sum;          // null where none are kept
    float* scale;        // of regrets of 16 bits
    float* told;         // [actions][pitch]
    const float* reach;  // [rows]
    int pitch, num_actions, num_rows;
};

// One warp: the rows of a decision learn what they were told. `weights` are positive, negative, policy.
template <class Stored>
static __device__ __forceinline__ void learn_decision(const Learner<Stored>& at, const float* weights) {
    const int lane = threadIdx.x & 31;
    const bool is_short = sizeof(Stored) == 2;
    const float unit = is_short ? *at.scale : 1.0f;
    const float positive = unit * weights[0], negative = unit * weights[1], policy = weights[2];
    float most = 0.0f;
    for (int r = lane; r < at.num_rows; r += 32) {
        float total = 0.0f, value = 0.0f;
        for (int a = 0; a < at.num_actions; ++a) total += clipped((float)at.regret[a * at.num_rows + r]);
        const float scale = total > TINY ? inverse(total) : 0.0f, even = total > TINY ? 0.0f : 1.0f / at.num_actions;
        for (int a = 0; a < at.num_actions; ++a)
            value += (clipped((float)at.regret[a * at.num_rows + r]) * scale + even) * at.told[a * at.pitch + r];
        for (int a = 0; a < at.num_actions; ++a) {
            const int k = a * at.num_rows + r;
            const float old = (float)at.regret[k], played = clipped(old) * scale + even;
            if (at.sum) at.sum[k] = summed(at.sum[k], policy, at.reach[r], played);
            const float fresh = learned(old, positive, negative, at.told[a * at.pitch + r], value);
            if (is_short)
                at.told[a * at.pitch + r] = fresh;  // until the largest is known
            else
                at.regret[k] = (Stored)fresh;
            most = fmaxf(most, fabsf(fresh));
        }
    }
    if (!is_short) return;
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
    const float factor = most > 0.0f ? MOST_16 / most : 0.0f;
    for (int r = lane; r < at.num_rows; r += 32)
        for (int a = 0; a < at.num_actions; ++a)
            at.regret[a * at.num_rows + r] = (Stored)in_16_bits(at.told[a * at.pitch + r] * factor);
    if (lane == 0) *at.scale = most / MOST_16;
}
