// Passes above the river, for lines of which programs say what to do.

// The hands of a line are shared out among `parts` blocks: this block's item (a board's line), and its threads' hands.
static __device__ __forceinline__ int item_of(const Pass& p) { return blockIdx.x / p.parts; }
static __device__ __forceinline__ int first_hand(const Pass& p) { return blockIdx.x % p.parts * blockDim.x + threadIdx.x; }

// Reach at a line's entry and after each action of one player, one hand a thread. Stored rows first
// go to shared memory, [row + 1][threads], and become reach there; the entry's is row 0.
static __device__ void flow_down(const float* above, const float* alive, float share, const float* stored, float* flow,
                                 int line, int num_lines, int first_row, int num_rows, int pad, int hand, int step, int hands,
                                 const int* nodes, int count) {
    int pitch = blockDim.x;
    float* x = (float*)shared_bytes + threadIdx.x;
    for (int h = hand; h < hands; h += step) {
#pragma unroll 8
        for (int r = 0; r < num_rows; ++r) x[(1 + r) * pitch] = stored[(i64)(first_row + r) * pad + h];
        x[0] = share * alive[h] * above[h];
        const int* at = nodes;
        for (int n = 0; n < count; ++n, at += 3) play(x + (1 + at[1]) * pitch, pitch, at[0], x[at[2] * pitch]);
        flow[(i64)line * pad + h] = x[0];
#pragma unroll 8
        for (int r = 0; r < num_rows; ++r) flow[(i64)(num_lines + first_row + r) * pad + h] = x[(1 + r) * pitch];
    }
}

// Even items are the opponent's, odd ones the player's.
template <int MODE>
static __device__ __forceinline__ void upper_down(const Pass& p) {
    const bool is_own = MODE == LEARN && item_of(p) % 2;
    const int item = MODE == LEARN ? item_of(p) / 2 : item_of(p), hand = first_hand(p), step = p.parts * blockDim.x;
    int board = item / p.num_groups, line = item % p.num_groups;
    if (p.is_done && p.is_done[board]) return;
    const int* g = p.program + p.program_start[line];
    int above = p.board_above[board];
    const int* nodes = g + U_HEADER;
    if (!is_own)
        flow_down(p.opp_above + ((i64)above * p.rows_above_opp + g[U_OPP_ABOVE]) * p.opp_pad, p.opp_alive + (i64)board * p.opp_pad,
                  p.share, p.opp_stored + p.opp_state + (i64)board * p.opp_rows * p.opp_pad,
                  p.opp_flow + (i64)board * (p.num_groups + p.opp_rows) * p.opp_pad, line, p.num_groups, g[U_OPP_FIRST],
                  g[U_OPP_ROWS], p.opp_pad, hand, step, p.opp_hands, nodes, g[U_OPP_NODES]);
    else
        flow_down(p.own_above + ((i64)above * p.rows_above_own + g[U_OWN_ABOVE]) * p.own_pad, p.own_alive + (i64)board * p.own_pad,
                  1.0f, p.own_regret + p.own_state + (i64)board * p.own_rows * p.own_pad,
                  p.own_flow + (i64)board * (p.num_groups + p.own_rows) * p.own_pad, line, p.num_groups, g[U_OWN_FIRST],
                  g[U_OWN_ROWS], p.own_pad, hand, step, p.own_hands, nodes + 3 * g[U_OPP_NODES], g[U_OWN_NODES]);
}

struct FlowReach {
    const float* flow;
    int pad;
    __device__ __forceinline__ float operator()(int row) const { return flow[(i64)row * pad]; }
};

// From the values of deals and folds to the value of the line.
template <int MODE>
static __device__ __forceinline__ void upper_up(const Pass& p) {
    const int board = item_of(p) / p.num_groups, line = item_of(p) % p.num_groups;
    if (p.is_done && p.is_done[board]) return;
    const int* g = p.program + p.program_start[line];
    const float* opp_flow = p.opp_flow + (i64)board * (p.num_groups + p.opp_rows) * p.opp_pad;
    const int* folds = g + U_HEADER + 3 * (g[U_OPP_NODES] + g[U_OWN_NODES]);
    const int* deals = folds + 2 * g[U_FOLDS];
    i64 state = p.own_state + (i64)board * p.own_rows * p.own_pad;
    const float* own_flow = p.own_flow + (i64)board * (p.num_groups + p.own_rows) * p.own_pad;
    if (first_hand(p) == blockDim.x - 1 && g[U_OWN_ROWS]) {
        int first = g[U_OWN_FIRST] * p.own_pad, bytes = 4 * g[U_OWN_ROWS] * p.own_pad;
        if (MODE == LEARN || MODE == LEARN16) {
            bring_near(p.own_regret + state + first, bytes);
            bring_near(own_flow + p.num_groups * p.own_pad + first, bytes);
        }
        if (MODE != BEST && MODE != RECORD) bring_near(p.own_sum + state + first, bytes);
    }
    float* totals = (float*)shared_bytes;
    sum_folds(totals, opp_flow, p.opp_pad, p.list, p.list_start, folds, g[U_FOLDS]);
    float* x = totals + rounded(g[U_FOLDS] * (NUM_CARDS + 1)) + threadIdx.x;
    int pitch = blockDim.x;
    Own own;
    own.pitch = p.own_pad;
    const int DECIDES = MODE == LEARN16 ? LEARN : MODE;
    if (DECIDES == LEARN) own.positive = p.weights[0], own.negative = p.weights[1], own.policy = p.weights[2];
    const int num_deals = g[U_DEALS];
    for (int h = first_hand(p); h < p.own_hands; h += p.parts * pitch) {
        if (p.own_alive[(i64)board * p.own_pad + h] == 0.0f) continue;
        int twin = p.twin[h], a = p.cards[2 * h], b = p.cards[2 * h + 1];
        for (int f = 0; f < g[U_FOLDS]; ++f) {
            const float* total = totals + f * (NUM_CARDS + 1);
            float same = twin == NOBODY ? 0.0f : opp_flow[(i64)folds[2 * f] * p.opp_pad + twin];
            x[folds[2 * f + 1] * pitch] = total[NUM_CARDS] - total[a] - total[b] + same;
        }
        const float* dealt = p.deal_cfv + (i64)board * p.num_deals * p.own_pad + h;
#pragma unroll 8
        for (int d = 0; d < num_deals; ++d) x[__ldg(deals + 2 * d + 1) * pitch] = __ldg(dealt + __ldg(deals + 2 * d) * p.own_pad);
        own.regret = p.own_regret + state + h, own.sum = p.own_sum + state + h;
        own.locked = p.own_locked ? p.own_locked + state + h : 0;
        FlowReach reach_of = {own_flow + h, p.own_pad};
        const int* at = decide_all<DECIDES>(g + g[U_AT_NODES], g[U_OWN_NODES], x, pitch, own, g[U_SPARE], reach_of);
        p.out[((i64)board * p.num_entries + g[U_ENTRY]) * p.own_pad + h] = terms(at, x, pitch);
    }
    if (MODE != LEARN16) return;
    __syncthreads();
    float* scale = p.own_scale + (i64)board * p.own_nodes + g[U_FIRST_NODE];
    const int* at = g + g[U_AT_NODES];
    for (int n = g[U_OWN_NODES] - 1; n >= 0; --n, at = skip(at)) {
        i64 first = state + (i64)at[1] * p.own_pad;
        settle(p.own_regret + first, 0, p.own_pad, at[0], p.own_hands, p.own_alive + (i64)board * p.own_pad,
               p.own_locked ? p.own_locked + first : 0, scale + n, (float*)shared_bytes);
    }
}

extern "C" __global__ void down_learn(const Pass p) { upper_down<LEARN>(p); }
extern "C" __global__ void down_look(const Pass p) { upper_down<MEAN>(p); }
#define UPPER_KERNELS(name, MODE) \
    extern "C" __global__ void up_##name(const Pass p) { upper_up<MODE>(p); }

// The values of four hands after a card, renamed as it asks.
static __device__ __forceinline__ float4 after_card(const Pass& p, int deal, int k, int h) {
    const float* row = p.below + ((i64)p.card_board[k] * p.num_deals + deal) * p.own_pad;
    int move = p.card_move[k];  // 0 renames nothing
    if (move == 0) return *(const float4*)(row + h);
    ushort4 hand = *(const ushort4*)(p.moved + move * p.own_pad + h);
    float4 found;
    found.x = row[hand.x], found.y = row[hand.y], found.z = row[hand.z], found.w = row[hand.w];
    return found;
}

// gathered[board][deal][h] = sum over the real cards that can fall of the values after them. A thread has
// four hands and every fourth card, of one part or several; parts are added up in shared memory.
extern "C" __global__ void gather(const Pass p) {
    int board = blockIdx.x / p.num_deals, deal = blockIdx.x % p.num_deals;
    if (p.is_done && p.is_done[board]) return;
    int first = p.card_start[board], last = p.card_start[board + 1], quads = p.own_pad / 4;
    float* sums = (float*)shared_bytes;  // [PARTS][own_pad]
    for (int item = threadIdx.x; item < PARTS * quads; item += blockDim.x) {
        int part = item / quads, h = 4 * (item - part * quads);
        float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 8
        for (int k = first + part; k < last; k += PARTS) {
            float4 v = after_card(p, deal, k, h);
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        *(float4*)(sums + part * p.own_pad + h) = sum;
    }
    __syncthreads();
    float* gathered = p.gathered + ((i64)board * p.num_deals + deal) * p.own_pad;
    for (int h = threadIdx.x; h < p.own_hands; h += blockDim.x)
        gathered[h] = (sums[h] + sums[p.own_pad + h]) + (sums[2 * p.own_pad + h] + sums[3 * p.own_pad + h]);
}
