// Passes by row above the river; lines are programs, as for the exact kernels. Hands are walked row after row.

// Reach at a line's entry and after each action of one player, one hand a thread; see `flow_down` of the exact ones.
template <class Stored>
static __device__ void rows_flow_down(const float* above, const u16* row, float share, const Stored* stored, int num_rows,
                                      const int* action, float* flow, int line, int num_lines, int first_row,
                                      int num_actions, int pad, const int* nodes, int count) {
    int pitch = blockDim.x;
    float* x = (float*)shared_bytes + threadIdx.x;
    for (int h = threadIdx.x; h < pad; h += pitch) {
        const int held = row[h];
        if (held == NOBODY) {
            flow[(i64)line * pad + h] = 0.0f;
            for (int r = 0; r < num_actions; ++r) flow[(i64)(num_lines + first_row + r) * pad + h] = 0.0f;
            continue;
        }
#pragma unroll 4
        for (int r = 0; r < num_actions; ++r)
            x[(1 + r) * pitch] = (float)stored[(i64)action[first_row + r] * num_rows + held];
        x[0] = share * above[h];
        const int* at = nodes;
        for (int n = 0; n < count; ++n, at += 3) play(x + (1 + at[1]) * pitch, pitch, at[0], x[at[2] * pitch]);
        flow[(i64)line * pad + h] = x[0];
#pragma unroll 4
        for (int r = 0; r < num_actions; ++r) flow[(i64)(num_lines + first_row + r) * pad + h] = x[(1 + r) * pitch];
    }
}

// Even blocks take the opponent, odd ones the player.
template <int MODE, class Stored>
static __device__ __forceinline__ void rows_down(const RowPass& p) {
    const int item = MODE == LEARN ? blockIdx.x >> 1 : blockIdx.x;
    const int board = item / p.num_groups, line = item % p.num_groups;
    const int* g = p.program + p.program_start[line];
    const int* nodes = g + U_HEADER;
    const RowBoard at = p.boards[board];
    const Stored* stored = (const Stored*)p.stored + p.stored_base[at.spot] + (i64)at.rows_before * p.num_actions;
    if (MODE != LEARN || blockIdx.x % 2 == 0)
        rows_flow_down(p.opp_above + ((i64)at.above * p.rows_above_opp + g[U_OPP_ABOVE]) * p.opp_pad,
                       p.opp_row + (i64)board * p.opp_pad, p.share, stored, at.num_rows, p.opp_action,
                       p.opp_flow + (i64)board * (p.num_groups + p.opp_rows) * p.opp_pad, line, p.num_groups,
                       g[U_OPP_FIRST], g[U_OPP_ROWS], p.opp_pad, nodes, g[U_OPP_NODES]);
    else
        rows_flow_down(p.own_above + ((i64)at.above * p.rows_above_own + g[U_OWN_ABOVE]) * p.own_pad,
                       p.own_row + (i64)board * p.own_pad, 1.0f, stored, at.num_rows, p.own_action,
                       p.own_flow + (i64)board * (p.num_groups + p.own_rows) * p.own_pad, line, p.num_groups,
                       g[U_OWN_FIRST], g[U_OWN_ROWS], p.own_pad, nodes + 3 * g[U_OPP_NODES], g[U_OWN_NODES]);
}

// One own decision of a hand: its value; in LEARN `say` gets what its actions are worth by the hand's weight.
template <int MODE, class Stored>
static __device__ __forceinline__ float row_decide(const int*& at, const float* x, int pitch, int count, const Stored* stored,
                                                   int num_rows, float weight, float* say) {
    float total = 0.0f, value = 0.0f;
    if (MODE != BEST)
        for (int a = 0; a < count; ++a) total += clipped((float)stored[a * num_rows]);
    const float scale = total > TINY ? inverse(total) : 0.0f, even = total > TINY ? 0.0f : 1.0f / count;
    for (int a = 0; a < count; ++a) {
        const float cfv = terms(at, x, pitch);
        if (MODE == BEST)
            value = a == 0 ? cfv : fmaxf(value, cfv);
        else
            value += (clipped((float)stored[a * num_rows]) * scale + even) * cfv;
        if (MODE == LEARN) say[a * SAY_PITCH] = weight * cfv;
    }
    return value;
}

// From the values of deals and folds to the value of the line, and in LEARN what rows learn.
template <int MODE, class Stored>
static __device__ __forceinline__ void rows_up(const RowPass& p) {
    const int board = blockIdx.x / p.num_groups, line = blockIdx.x % p.num_groups;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, num_warps = blockDim.x / 32, pitch = blockDim.x;
    const RowBoard b = p.boards[board];
    const int* g = p.program + p.program_start[line];
    const int* folds = g + U_HEADER + 3 * (g[U_OPP_NODES] + g[U_OWN_NODES]);
    const int* deals = folds + 2 * g[U_FOLDS];
    const float* opp_flow = p.opp_flow + (i64)board * (p.num_groups + p.opp_rows) * p.opp_pad;
    const float* own_flow = p.own_flow + (i64)board * (p.num_groups + p.own_rows) * p.own_pad;
    const u16* row = p.own_row + (i64)board * p.own_pad;
    const u16* order = p.own_order + (i64)board * p.own_pad;
    const i64 before = (i64)b.rows_before * p.num_actions;
    const Stored* stored = (const Stored*)p.stored + p.stored_base[b.spot] + before;
    float* out = p.out + ((i64)board * p.num_entries + g[U_ENTRY]) * p.own_pad;
    for (int h = threadIdx.x; h < p.own_pad; h += pitch)
        if (row[h] == NOBODY) out[h] = 0.0f;
    float* totals = (float*)shared_bytes;
    sum_folds(totals, opp_flow, p.opp_pad, p.list, p.list_start, folds, g[U_FOLDS]);
    float* slots = totals + rounded(g[U_FOLDS] * (NUM_CARDS + 1));
    float* x = slots + threadIdx.x;
    // what rows are told
    const int num_values = g[U_OWN_ROWS] + g[U_OWN_NODES];
    float* told = p.told + ((i64)board * (p.own_rows + p.own_nodes) + g[U_OWN_FIRST] + g[U_FIRST_NODE]) * p.told_pitch;
    float* heads = slots + g[U_NUM_SLOTS] * pitch;  // [warps][values]
    int* head_rows = (int*)(heads + num_warps * num_values);
    float* say = (float*)(head_rows + num_warps) + warp * num_values * SAY_PITCH;
    u16* rows = (u16*)((float*)(head_rows + num_warps) + num_warps * num_values * SAY_PITCH) + 32 * warp;
    const Run run = run_of(warp, num_warps, b.own_live);
    const int head_row = run.first < run.last ? row[order[run.first]] : 0;
    const float floor = MODE == LEARN ? p.own_floor[board] : 1.0f;
    if (MODE == LEARN) {
        for (int v = 0; v < num_values; ++v)
            for (int r = threadIdx.x; r < b.num_rows; r += pitch) told[(i64)v * p.told_pitch + r] = 0.0f;
        for (int k = threadIdx.x; k < num_warps * num_values; k += pitch) heads[k] = 0.0f;
        if (lane == 0) head_rows[warp] = head_row;
        __syncthreads();
    }
    for (int first = run.first; first < run.last; first += 32) {
        const bool is_here = first + lane < run.last;
        const int h = order[is_here ? first + lane : run.last - 1], held = row[h];
        const int twin = p.twin[h], c = p.cards[2 * h], d = p.cards[2 * h + 1];
        for (int f = 0; f < g[U_FOLDS]; ++f) {
            const float* total = totals + f * (NUM_CARDS + 1);
            const float same = twin == NOBODY ? 0.0f : opp_flow[(i64)folds[2 * f] * p.opp_pad + twin];
            x[folds[2 * f + 1] * pitch] = total[NUM_CARDS] - total[c] - total[d] + same;
        }
        const float* dealt = p.deal_cfv + (i64)board * p.num_deals * p.own_pad + h;
#pragma unroll 8
        for (int k = 0; k < g[U_DEALS]; ++k) x[deals[2 * k + 1] * pitch] = dealt[(i64)deals[2 * k] * p.own_pad];
        const int* at = g + g[U_AT_NODES];
        for (int n = g[U_OWN_NODES] - 1; n >= 0; --n) {
            const int count = at[0], first_row = at[1], slot = at[3];
            const float reach = MODE == LEARN ? own_flow[(i64)at[2] * p.own_pad + h] : 0.0f;
            const float weight = is_here ? floor + (1.0f - floor) * reach : 0.0f;
            at += 4;
            const Stored* mine = stored + (i64)p.own_action[first_row] * b.num_rows + held;
            x[slot * pitch] = row_decide<MODE>(at, x, pitch, count, mine, b.num_rows, weight,
                                               say + (first_row - g[U_OWN_FIRST]) * SAY_PITCH + lane);
            if (MODE == LEARN) say[(g[U_OWN_ROWS] + n) * SAY_PITCH + lane] = is_here ? reach : 0.0f;
        }
        const float value = terms(at, x, pitch);
        if (is_here) out[h] = value;
        if (MODE == LEARN) {
            rows[lane] = held;
            tell(say, rows, min(32, run.last - first), num_values, told, p.told_pitch, head_row, heads + warp * num_values);
        }
    }
    if (MODE != LEARN) return;
    __syncthreads();
    add_heads(heads, head_rows, num_warps, num_values, told, p.told_pitch);
    __syncthreads();
    const int* at = g + g[U_AT_NODES];
    for (int n = g[U_OWN_NODES] - 1; n >= 0; --n, at = skip(at)) {
        if (n % num_warps != warp) continue;
        const i64 begin = before + (i64)p.own_action[at[1]] * b.num_rows;
        Learner<Stored> learner;
        learner.regret = (Stored*)p.regret + p.stored_base[b.spot] + begin;
        learner.sum = p.sum ? p.sum + p.sum_base[b.spot] + begin : 0;
        learner.scale = p.scale + p.scale_base[b.spot] + (i64)b.number * p.num_decisions + p.own_decision[g[U_FIRST_NODE] + n];
        learner.told = told + (i64)(at[1] - g[U_OWN_FIRST]) * p.told_pitch;
        learner.reach = told + (i64)(g[U_OWN_ROWS] + n) * p.told_pitch;
        learner.pitch = p.told_pitch, learner.num_actions = at[0], learner.num_rows = b.num_rows;
        learn_decision(learner, p.weights + 3 * b.spot);
    }
}

#define ROW_KERNELS(name, MODE, Stored)                                                      \
    extern "C" __global__ void rows_down_##name(const RowPass p) { rows_down<MODE, Stored>(p); } \
    extern "C" __global__ void rows_up_##name(const RowPass p) { rows_up<MODE, Stored>(p); }
ROW_KERNELS(learn, LEARN, float)
ROW_KERNELS(learn16, LEARN, short)
ROW_KERNELS(best, BEST, float)
ROW_KERNELS(mean, MEAN, float)
