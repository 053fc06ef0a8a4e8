// One group of river lines on a batch of boards where hands share rows, for one player and in one mode; the
// formulas are those of the package docstring, the shape is that of `lines.cu` of the exact kernels. What stands
// before this text says by #define which: KERNEL and MODE; STORED, the type of what policies are made of; THREADS and
// BOUNDS of a block; NUM_LINES, NUM_FACTORS, OPP_ROWS, OWN_ROWS, OPP_NODES, OWN_NODES of the group; FOR_LINES with a
// line's number, FOR_PACKS with a pack's number and width. The statements of its decisions are included.
//
// Rows of a board are runs of ranks. Policies are worked out once a row, in shared memory; every hand reads its own.
#define LEARNS (MODE == LEARN)
#define NUM_NODES (MODE == BEST ? OPP_NODES : OPP_NODES + OWN_NODES)
#define TOLD (OWN_ROWS + OWN_NODES)
#define NUM_ARGUMENTS (3 * NUM_LINES + 3 * (OPP_NODES + OWN_NODES) + OWN_NODES)

extern "C" __global__ void BOUNDS KERNEL(const RowPass p) {
    const int batch = blockIdx.x / p.num_groups, group = blockIdx.x - batch * p.num_groups;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, num_warps = THREADS / 32;
    Arrival* arrival = (Arrival*)shared_bytes;
    RowBoard* boards = (RowBoard*)(shared_bytes + 16);
    const uint4* given = (const uint4*)(p.boards + (i64)batch * p.per_batch);
    if (threadIdx.x < 2 * p.per_batch) ((uint4*)boards)[threadIdx.x] = given[threadIdx.x];
    float* found = (float*)(boards + MOST_BATCH);
    float* factor = found + NUM_LINES * p.own_pad;
    int* line = (int*)(factor + NUM_FACTORS);  // deal and rows above of each line; then decisions, the opponent's first:
    int* node = line + 3 * NUM_LINES;          // first row, actions, first action of state; then scales of the own
    for (int k = threadIdx.x; k < NUM_ARGUMENTS; k += THREADS) line[k] = p.program[group * NUM_ARGUMENTS + k];
    for (int f = threadIdx.x; f < NUM_FACTORS; f += THREADS) factor[f] = p.factors[group * NUM_FACTORS + f];
    for (int h = threadIdx.x; h < NUM_LINES * p.own_pad; h += THREADS) found[h] = 0.0f;
    expect(arrival);
    for (int k = 0; k < p.per_batch && boards[k].board >= 0; ++k) {
        const int board = boards[k].board, spot = boards[k].spot, chunks = boards[k].chunks;
        const int num_rows = boards[k].num_rows, opp_live = boards[k].opp_live, own_live = boards[k].own_live;
        const int list_bytes = (2 * (LIST_HEAD + 4 * chunks + opp_live) + 15) & ~15;
        const i64 before = (i64)boards[k].rows_before * p.num_actions;
        unsigned memory = 16 + 32 * MOST_BATCH + 4 * NUM_LINES * p.own_pad + 4 * rounded(NUM_FACTORS + NUM_ARGUMENTS);
        float* policy = (float*)(shared_bytes + memory);  // [rows of the opponent, of the player][num_rows]
        memory += 4 * rounded((OPP_ROWS + OWN_ROWS) * num_rows);
#if LEARNS
        float* told = (float*)(shared_bytes + memory);  // [own rows, own decisions][num_rows]
        memory += 4 * rounded(TOLD * num_rows);
        float* heads = (float*)(shared_bytes + memory);  // [warps][TOLD]
        int* head_rows = (int*)(heads + num_warps * TOLD);
        memory += 4 * rounded(num_warps * (TOLD + 1));
        float* say = (float*)(shared_bytes + memory) + warp * TOLD * SAY_PITCH;
        u16* rows = (u16*)((float*)(shared_bytes + memory) + num_warps * TOLD * SAY_PITCH) + 32 * warp;
        memory += 4 * rounded(num_warps * (TOLD * SAY_PITCH + 16));
#endif
        u16* list = (u16*)(shared_bytes + memory);
        memory += list_bytes;
#define DO(k, W)                     \
    const unsigned pack_##k = memory; \
    memory += W == 4 ? 4 * W * (opp_live + 2) : (4 * W * (opp_live + 2) + 15) & ~15;
        FOR_PACKS(DO)
#undef DO
        // The opponent's reach from above comes where the sums of lists will be.
        float* theirs = (float*)(shared_bytes + memory);
#define DO(k, W)                      \
    const unsigned cards_##k = memory; \
    memory += 16 * W * (chunks + 13);
        FOR_PACKS(DO)
#undef DO
        if (stages()) {
            take_over();
            const float* opp_above = p.opp_above + (i64)boards->above * p.rows_above_opp * p.opp_pad;
#define DO(e) stage(arrival, theirs + e * p.opp_pad, opp_above + (i64)line[3 * e + 1] * p.opp_pad, 4 * p.opp_pad);
            FOR_LINES(DO)
#undef DO
            stage(arrival, list, p.list + (i64)board * p.list_pad, list_bytes);
            staged(arrival, list_bytes + 4 * NUM_LINES * p.opp_pad);
        }
        const STORED* stored = (const STORED*)p.stored + p.stored_base[spot] + before;
        for (int item = threadIdx.x; item < NUM_NODES * num_rows; item += THREADS) {
            const int n = item / num_rows, r = item - n * num_rows;
            const int first = node[3 * n], count = node[3 * n + 1];
            const STORED* from = stored + (i64)node[3 * n + 2] * num_rows + r;
            float total = 0.0f;
            for (int a = 0; a < count; ++a) total += clipped((float)from[a * num_rows]);
            const float scale = total > TINY ? inverse(total) : 0.0f, even = total > TINY ? 0.0f : 1.0f / count;
            for (int a = 0; a < count; ++a)
                policy[(first + a) * num_rows + r] = clipped((float)from[a * num_rows]) * scale + even;
        }
#if LEARNS
        for (int t = threadIdx.x; t < TOLD * num_rows; t += THREADS) told[t] = 0.0f;
        for (int t = threadIdx.x; t < num_warps * TOLD; t += THREADS) heads[t] = 0.0f;
#endif
        meet(arrival, k & 1);
        __syncthreads();
        const u16* opp_order = list + LIST_HEAD + 4 * chunks;
        const u16* opp_row = p.opp_row + (i64)board * p.opp_pad;
        for (int j = threadIdx.x; j < opp_live; j += THREADS) {
            const int hand = opp_order[j];
            const float* played = policy + opp_row[j];
            #include "opponent"
        }
#define DO(k, W) store<W>(pack_##k + opp_live * 4 * W, nothing<W>());
        if (threadIdx.x == 0) { FOR_PACKS(DO) }
#undef DO
        __syncthreads();
#define DO(k, W) \
    if (warp == k % num_warps) sum_pack<W>(pack_##k, cards_##k, list, chunks, opp_live, list_lanes(opp_live));
        FOR_PACKS(DO)
#undef DO
        __syncthreads();
        const unsigned hands = board * p.own_pad;
        const Run run = run_of(warp, num_warps, own_live);
#if LEARNS
        const float floor = p.own_floor[board], rest = 1.0f - floor;
        const float* ours = p.own_above + (i64)boards->above * p.rows_above_own * p.own_pad;
        const int head_row = run.first < run.last ? p.own_row[hands + run.first] : 0;
        if (lane == 0) head_rows[warp] = head_row;
#endif
        for (int first = run.first; first < run.last; first += 32) {
            const bool is_here = first + lane < run.last;
            const unsigned i = hands + (is_here ? first + lane : run.last - 1);
            const int hand = p.own_order[i], row = p.own_row[i];
            const Look at = look_at(p.look[i]);
            const float* played = policy + OPP_ROWS * num_rows + row;
#define DO(k, W) const Found<W> found_##k = found_at<W>(pack_##k, cards_##k, opp_live, chunks, at);
            FOR_PACKS(DO)
#undef DO
            #include "own"
#if LEARNS
            rows[lane] = row;
            tell(say, rows, min(32, run.last - first), TOLD, told, num_rows, head_row, heads + warp * TOLD);
#endif
        }
        __syncthreads();
#if LEARNS
        add_heads(heads, head_rows, num_warps, TOLD, told, num_rows);
        __syncthreads();
        const int* decision = node + 3 * (OPP_NODES + OWN_NODES);
        for (int d = warp; d < OWN_NODES; d += num_warps) {
            const int* own = node + 3 * (OPP_NODES + d);
            const i64 begin = before + (i64)own[2] * num_rows;
            Learner<STORED> learner;
            learner.regret = (STORED*)p.regret + p.stored_base[spot] + begin;
            learner.sum = p.sum ? p.sum + p.sum_base[spot] + begin : 0;
            learner.scale = p.scale + p.scale_base[spot] + (i64)boards[k].number * p.num_decisions + decision[d];
            learner.told = told + (own[0] - OPP_ROWS) * num_rows;
            learner.reach = told + (OWN_ROWS + d) * num_rows;
            learner.pitch = num_rows, learner.num_actions = own[1], learner.num_rows = num_rows;
            learn_decision(learner, p.weights + 3 * spot);
        }
        __syncthreads();
#endif
    }
    const int to_batch = block_number() / p.num_groups;
#define DO(e) copy_row(p.out + ((i64)to_batch * p.num_entries + line[3 * e]) * p.own_pad, found + e * p.own_pad, p.own_pad);
    FOR_LINES(DO)
#undef DO
}
#undef LEARNS
#undef NUM_NODES
#undef TOLD
#undef NUM_ARGUMENTS
#undef KERNEL
#undef MODE
#undef STORED
