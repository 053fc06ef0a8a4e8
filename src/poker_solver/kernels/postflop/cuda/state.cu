// State and totals between passes.

// weights = table[*counter], then the next row: an iteration that can be replayed.
extern "C" __global__ void advance(const Advance p) {
    if (threadIdx.x == 0) {
        int t = *p.counter;
        for (int k = 0; k < 3; ++k) p.weights[k] = p.table[3 * t + k];
        *p.counter = t + 1;
    }
}

// State of boards first to last between the device's order and that of a file, board by board. Regrets
// of 16 bits are whole numbers in the plain order: with `scale` and without `is_short` they are floats here.
static __device__ __forceinline__ float plain_number(float value, float scale) {
    return scale > 0.0f ? (float)in_16_bits(value / scale) : 0.0f;
}

extern "C" __global__ void exchange(const Exchange p) {
    int board = blockIdx.x / p.num_rows, row = blockIdx.x % p.num_rows;
    float* plain = p.plain + board * p.stride + p.row_offset[row];
    board += p.first;
    int live = p.live ? p.live[board] : p.hands;
    i64 at = p.live ? p.base[board] + (i64)row * pitch_of(live) : p.state_start + ((i64)board * p.num_rows + row) * p.pad;
    float* wide = (float*)p.state + at;
    short* narrow = (short*)p.state + at;
    float scale = p.scale ? p.scale[(i64)board * p.num_nodes + p.row_node[row]] : 0.0f;
    for (int i = threadIdx.x; i < live; i += blockDim.x) {
        int hand = p.hand_index[p.live ? p.order[(i64)board * p.pad + i] : i];
        if (hand == NOBODY) continue;
        if (p.to_plain)
            plain[hand] = p.is_short ? narrow[i] : p.scale ? plain_number(wide[i], scale) : wide[i];
        else if (p.is_short)
            narrow[i] = (short)plain[hand];
        else
            wide[i] = p.scale ? plain[hand] * scale : plain[hand];
    }
}

// Put the probabilities of locked hands back into regrets and sums.
extern "C" __global__ void restore(const Restore p) {
    i64 k = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= p.count) return;
    i64 at = p.offset[k];
    if (p.packed && at >= p.rivers)
        p.packed[at] = in_16_bits(LOCK_UNIT * p.policy[k]);
    else
        p.regret[at] = p.policy[k];
    p.sum[at] = p.policy[k];
}

// totals[spot] = sum over hands of cfv times reach at the root. A warp a spot.
extern "C" __global__ void weigh(const Weigh p) {
    double* parts = (double*)shared_bytes;  // [32]
    i64 row = (i64)blockIdx.x * p.pad;
    double sum = 0.0;
    for (int h = threadIdx.x; h < p.hands; h += 32) sum += (double)p.cfv[row + h] * p.reach[row + h];
    parts[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 32; ++k) sum += parts[k];
        p.totals[blockIdx.x] = sum;
    }
}
