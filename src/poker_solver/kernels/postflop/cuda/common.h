// What all kernels share besides the structs.
static __device__ __forceinline__ float clipped(float x) { return x > 0.0f ? x : 0.0f; }

// The update of kernels/regret: what an iteration makes of a stored regret and of a strategy sum. Positive,
// negative and policy are the factors of the schedule, cfv is an action's value, value the decision's.
static __device__ __forceinline__ float learned(float regret, float positive, float negative, const float& cfv, float value) {
    return regret * (regret > 0.0f ? positive : negative) + (cfv - value);
}

static __device__ __forceinline__ float summed(float sum, float policy, float reach, float played) {
    return sum * policy + reach * played;
}

static __device__ __forceinline__ int rounded(int n) { return (n + 3) & ~3; }

// From one row of a river's state to the next: a row is a whole number of sixteen bytes in any precision.
static __device__ __forceinline__ int pitch_of(int live) { return (live + PITCH - 1) & ~(PITCH - 1); }

static __device__ __forceinline__ int in_16_bits(float x) {
    x = fminf(fmaxf(x, -MOST_16), MOST_16);
    return (int)(x + (x > 0.0f ? 0.5f : -0.5f));
}

// The largest number of a block: every warp notes its own, and after a barrier anybody reads all notes.
static __device__ __forceinline__ void note_most(float* notes, float mine) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, step));
    if ((threadIdx.x & 31) == 0) notes[threadIdx.x >> 5] = mine;
}

static __device__ __forceinline__ float noted_most(const float* notes) {
    float most = 0.0f;
    for (int k = 0; k < blockDim.x >> 5; ++k) most = fmaxf(most, notes[k]);
    return most;
}

