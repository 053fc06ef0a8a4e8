// One group of river lines on a batch of boards, for one player and in one mode. What stands before this text
// says by #define which: KERNEL and MODE; THREADS and BOUNDS of a block; NUM_LINES, NUM_FACTORS, OPP_ROWS,
// OWN_ROWS, OWN_NODES, HAS_LOCKS of the group; FOR_LINES with a line's number, FOR_OWN_ROWS with a
// row's, FOR_PACKS with a pack's number and width, FOR_DECISIONS with an own decision's number, first row and
// number of rows. The statements of its decisions are included.
#define LEARNS (MODE == LEARN || MODE == LEARN16)
#define READS_SUM (LEARNS || MODE == MEAN || HAS_LOCKS)
#define READS_EARLY (OWN_ROWS <= EARLY_ROWS)
#if MODE == LEARN16
#define STORED short
#else
#define STORED float
#endif
#define READ_REGRET(row) next.regret[row] = regret[row * own_pitch + i];
#define READ_SUM(row) next.sum[row] = sum[row * own_pitch + i];
#if LEARNS
#define READ_STATE() FOR_OWN_ROWS(READ_REGRET) FOR_OWN_ROWS(READ_SUM)
#elif READS_SUM
#define READ_STATE() FOR_OWN_ROWS(READ_SUM)
#else
#define READ_STATE()
#endif

extern "C" __global__ void BOUNDS KERNEL(const Pass p) {
    const int batch = blockIdx.x / p.num_groups, group = blockIdx.x - batch * p.num_groups;
    const int warp = threadIdx.x >> 5, num_warps = THREADS / 32;
    Arrival* arrival = (Arrival*)shared_bytes;
    volatile int* current = (volatile int*)(shared_bytes + 8);  // which board: not in a register
    if (threadIdx.x == 0) *current = 0;
    Board* boards = (Board*)(shared_bytes + 16);
    const uint4* given = (const uint4*)(p.boards + (i64)batch * p.per_batch);
    if (threadIdx.x < 2 * p.per_batch) ((uint4*)boards)[threadIdx.x] = given[threadIdx.x];
    float* ours = (float*)(boards + MOST_BATCH);
    float* found = ours + NUM_OWN_LINES * p.own_pad;
    float* weights = found + NUM_LINES * p.own_pad;
    float* factor = weights + 3;
    int* line = (int*)(factor + NUM_FACTORS);  // first rows, deal and rows above of each line, first decision
    if (threadIdx.x < 3 + 3 * NUM_LINES) line[threadIdx.x] = p.program[group * (3 + 3 * NUM_LINES) + threadIdx.x];
    if (threadIdx.x < 3) weights[threadIdx.x] = p.weights[threadIdx.x];
    const float* factors = p.factors + group * NUM_FACTORS;
    for (int f = threadIdx.x; f < NUM_FACTORS; f += THREADS) factor[f] = factors[f];
    for (int h = threadIdx.x; h < NUM_LINES * p.own_pad; h += THREADS) found[h] = 0.0f;
    expect(arrival);
    if (p.is_done && p.is_done[boards->board]) return;
    for (;;) {
        const int k = *current;
        if (k >= p.per_batch || boards[k].board < 0) break;
        const int board = boards[k].board, chunks = boards[k].chunks;
        const int opp_live = boards[k].opp_live, opp_pitch = pitch_of(opp_live);
        const int own_live = boards[k].own_live, own_pitch = pitch_of(own_live);
        // Behind the lists comes the order of hands; where memory is short, behind what only the opponent needs.
        const int order_bytes = MAY_BE_WIDE ? (2 * opp_live + 15) & ~15 : 0;
        const int list_bytes = (2 * (LIST_HEAD + 4 * chunks + (MAY_BE_WIDE ? 0 : opp_live)) + 15) & ~15;
        unsigned memory = 16 + 32 * MOST_BATCH + 4 * (NUM_LINES + NUM_OWN_LINES) * p.own_pad;
        memory += 4 * rounded(3 + NUM_FACTORS + 3 + 3 * NUM_LINES);
#if MODE == LEARN16
        float* fade = (float*)(shared_bytes + memory);  // [decisions] old scale times positive, times negative
        float* notes = fade + 2 * OWN_NODES;
        float* fresh = fade + rounded((2 + MOST_WARPS) * OWN_NODES);  // new regrets, until their scale is known
        memory += 4 * (rounded((2 + MOST_WARPS) * OWN_NODES) + OWN_ROWS * own_pitch);
        float* scale = p.own_scale + (i64)board * p.own_nodes + line[2 + 3 * NUM_LINES];
        if (threadIdx.x < OWN_NODES) {
            fade[2 * threadIdx.x] = scale[threadIdx.x] * p.weights[0];
            fade[2 * threadIdx.x + 1] = scale[threadIdx.x] * p.weights[1];
        }
        if (own_live + threadIdx.x < own_pitch)
            for (int r = 0; r < OWN_ROWS; ++r) fresh[r * own_pitch + own_live + threadIdx.x] = 0.0f;
#endif
        u16* list = (u16*)(shared_bytes + memory);
        memory += list_bytes;
#define DO(k, W)                     \
    const unsigned pack_##k = memory; \
    memory += W == 4 ? 4 * W * (opp_live + 2) : (4 * W * (opp_live + 2) + 15) & ~15;
        FOR_PACKS(DO)
#undef DO
#if MAY_BE_WIDE
#define DO(k, W)                       \
    const unsigned notes_##k = memory; \
    memory += 16 * RANK_PARTS;
        FOR_PACKS(DO)
#undef DO
#endif
        // The opponent's state and reach from above come where the sums of lists will be.
        STORED* stored = (STORED*)(shared_bytes + memory);
        float* theirs = (float*)(stored + OPP_ROWS * opp_pitch);
        u16* opp_order = MAY_BE_WIDE ? (u16*)(theirs + NUM_LINES * p.opp_pad) : list + LIST_HEAD + 4 * chunks;
#define DO(k, W)                      \
    const unsigned cards_##k = memory; \
    memory += 16 * W * (chunks + 13);
        FOR_PACKS(DO)
#undef DO
        if (stages()) {
            take_over();
            const i64 above = boards->above;
            const float* opp_above = p.opp_above + above * p.rows_above_opp * p.opp_pad;
#if OPP_ROWS
            const i64 opp_at = boards[k].opp_base + (i64)line[0] * opp_pitch;
            const STORED* opp_stored = (const STORED*)p.opp_stored + opp_at;
            stage(arrival, stored, opp_stored, (int)sizeof(STORED) * OPP_ROWS * opp_pitch);
#endif
#define DO(e) stage(arrival, theirs + e * p.opp_pad, opp_above + (i64)line[3 + 3 * e] * p.opp_pad, 4 * p.opp_pad);
            FOR_LINES(DO)
#undef DO
            stage(arrival, list, p.list + (i64)board * p.list_pad, list_bytes);
            if (MAY_BE_WIDE) stage(arrival, opp_order, p.opp_order + (i64)board * p.opp_pad, order_bytes);
            if (k == 0) {
                const float* own_above = p.own_above + above * p.rows_above_own * p.own_pad;
#if LEARNS
#define DO(k, e) stage(arrival, ours + k * p.own_pad, own_above + (i64)line[4 + 3 * e] * p.own_pad, 4 * p.own_pad);
                FOR_OWN_LINES(DO)
#undef DO
#endif
            }
            const int own_bytes = LEARNS && k == 0 ? 4 * NUM_OWN_LINES * p.own_pad : 0;
            staged(arrival, list_bytes + order_bytes + (int)sizeof(STORED) * OPP_ROWS * opp_pitch + 4 * NUM_LINES * p.opp_pad + own_bytes);
        }
        const i64 own_at = boards[k].own_base + (i64)line[1] * own_pitch;
        STORED* regret = (STORED*)p.own_regret + own_at;
        float* sum = p.own_sum + own_at;
        const unsigned char* locked = p.own_locked + own_at;
        if (threadIdx.x == THREADS - 1) fetch_own(regret, sum, own_pitch, OWN_ROWS, LEARNS, READS_SUM);
        const unsigned hands = board * p.own_pad;
        meet(arrival, k & 1);
        for (int j = threadIdx.x; j < opp_live; j += THREADS) {
            const int hand = opp_order[j];
            #include "opponent"
        }
#define DO(k, W) store<W>(pack_##k + opp_live * 4 * W, nothing<W>());
        if (threadIdx.x == 0) { FOR_PACKS(DO) }
#undef DO
        int i = threadIdx.x;
        Mine<STORED, OWN_ROWS> next;
        if (i < own_live) {
            next.hand = p.own_order[hands + i];
            next.look = p.look[hands + i];
            READ_STATE()
        }
        __syncthreads();
        if (threadIdx.x == 0) *current = *current + 1;
#if MAY_BE_WIDE
        if (opp_live > WIDE) {
#define DO(k, W) Parts<W> parts_##k = note_parts<W>(pack_##k, notes_##k, opp_live);
            FOR_PACKS(DO)
#undef DO
#define DO(k, W)                                                                              \
    for (int half = 0; half < 2; ++half) /* the last warps, which may have no ranks to sum */ \
        if (num_warps - 1 - warp == (2 * k + half) % num_warps)                               \
            sum_lists<W>(pack_##k, cards_##k, list, chunks, 32 * half);
            FOR_PACKS(DO)
#undef DO
            __syncthreads();
#define DO(k, W) keep_parts<W>(pack_##k, notes_##k, opp_live, parts_##k);
            FOR_PACKS(DO)
#undef DO
        } else
#endif
        {
#define DO(k, W) \
    if (warp == k % num_warps) sum_pack<W>(pack_##k, cards_##k, list, chunks, opp_live, 32);
            FOR_PACKS(DO)
#undef DO
        }
        __syncthreads();
#if LEARNS
        const float positive = weights[0], negative = weights[1], policy = weights[2];
#endif
        while (i < own_live) {
            const int here = i;
            const i64 my_at = again(own_at);
            STORED* regret = (STORED*)p.own_regret + my_at;
            float* sum = p.own_sum + my_at;
            const Mine<STORED, OWN_ROWS> my = next;
            const Look at = look_at(my.look);
            i += THREADS;
            if (i < own_live) {
                next.hand = p.own_order[hands + i];
                next.look = p.look[hands + i];
#if READS_EARLY
                READ_STATE()
#endif
            }
#define DO(k, W) const Found<W> found_##k = found_at<W>(pack_##k, cards_##k, opp_live, chunks, at);
            FOR_PACKS(DO)
#undef DO
            #include "own"
#if !READS_EARLY
            if (i < own_live) { READ_STATE() }
#endif
        }
        __syncthreads();
#if MODE == LEARN16
#define DO(d, first, rows)            \
    note_most(notes + d * num_warps,  \
              most_of(fresh + first * own_pitch, rows * own_pitch, HAS_LOCKS ? locked + first * own_pitch : 0));
        FOR_DECISIONS(DO)
#undef DO
        __syncthreads();
#define DO(d, first, rows)                                                                     \
    pack_rows(regret + first * own_pitch, fresh + first * own_pitch, rows * own_pitch, \
              noted_most(notes + d * num_warps), scale + d);
        FOR_DECISIONS(DO)
#undef DO
        __syncthreads();
#endif
    }
    const int to_batch = block_number() / p.num_groups;
#define DO(e) copy_row(p.out + ((i64)to_batch * p.num_entries + line[2 + 3 * e]) * p.own_pad, found + e * p.own_pad, p.own_pad);
    FOR_LINES(DO)
#undef DO
}
#undef LEARNS
#undef READS_SUM
#undef READS_EARLY
#undef STORED
#undef READ_REGRET
#undef READ_SUM
#undef READ_STATE
#undef KERNEL
#undef MODE
