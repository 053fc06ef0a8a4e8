// Parts of the kernels that read from programs what to do.
static __device__ __forceinline__ float as_float(int bits) { return __int_as_float(bits); }

// The sum of an action's terms; moves `at` behind them.
static __device__ __forceinline__ float terms(const int*& at, const float* x, int pitch) {
    int count = *at++;
    float sum = 0.0f;
    for (int k = 0; k < count; ++k, at += 2) sum += as_float(at[1]) * x[at[0] * pitch];
    return sum;
}

// Regrets or sums of a decision, in place, to reach after each action; `row` and `source` in floats.
static __device__ __forceinline__ void play(float* stored, int pitch, int count, float reach) {
    float total = 0.0f;
    for (int a = 0; a < count; ++a) total += clipped(stored[a * pitch]);
    float scale = total > TINY ? reach / total : 0.0f;
    float uniform = total > TINY ? 0.0f : reach / count;
    for (int a = 0; a < count; ++a) stored[a * pitch] = clipped(stored[a * pitch]) * scale + uniform;
}

// The next decision in a list of decisions; see `decide_all`.
static __device__ __forceinline__ const int* skip(const int* at) {
    int num_actions = *at;
    at += 4;
    for (int a = 0; a < num_actions; ++a) at += 1 + 2 * *at;
    return at;
}

// Of the opponent's reach at each fold of a line [F][53]: what each card's hands have, then all hands. The rows of
// reach stand in `folds`, every second number; hands by card in `list`, each card's in four parts from list_start on,
// for a thread each. Whole blocks.
static __device__ __forceinline__ void sum_folds(float* totals, const float* flow, int pad, const u16* list,
                                                 const u16* list_start, const int* folds, int num_folds) {
    const int count = num_folds * NUM_CARDS;
    for (int first = 0; first < 4 * count; first += blockDim.x) {
        const int item = (first + threadIdx.x) / 4, fold = item / NUM_CARDS, card = item - fold * NUM_CARDS;
        const int part = 4 * card + (threadIdx.x & 3);
        float sum = 0.0f;
        if (item < count) {
            const float* row = flow + (i64)folds[2 * fold] * pad;
#pragma unroll 4
            for (int j = __ldg(list_start + part), end = __ldg(list_start + part + 1); j < end; ++j)
                sum += __ldg(row + __ldg(list + j));
        }
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
        sum += __shfl_xor_sync(0xffffffff, sum, 2);
        if (item < count && (threadIdx.x & 3) == 0) totals[fold * (NUM_CARDS + 1) + card] = sum;
    }
    __syncthreads();
    for (int f = threadIdx.x >> 5; f < num_folds; f += blockDim.x >> 5) {  // a warp a fold
        float* total = totals + f * (NUM_CARDS + 1);
        const int lane = threadIdx.x & 31;
        float sum = total[lane] + (lane + 32 < NUM_CARDS ? total[lane + 32] : 0.0f);
#pragma unroll
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
        if (lane == 0) total[NUM_CARDS] = 0.5f * sum;  // every hand has two cards
    }
    __syncthreads();
}
