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

// For how many lanes the card lists of so many hands are laid out: two warps share long ones. Where a card's list
// begins is one number: its lane, 64 times its first round, 4096 times its chunks. See hands.cu.
static __device__ __forceinline__ int list_lanes(int live) { return live > WIDE ? 64 : 32; }
static __device__ __forceinline__ int list_lane(int start) { return start & 63; }
static __device__ __forceinline__ int first_round(int start) { return start >> 6 & 63; }
static __device__ __forceinline__ int num_chunks(int start) { return start >> 12; }

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

