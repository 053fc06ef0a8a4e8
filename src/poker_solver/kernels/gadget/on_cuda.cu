// The root of a subgame on a GPU, a thread a hand. See the package docstring.

// How often a hand plays.
static __device__ __forceinline__ float play_share(float play, float take) {
    play = clipped(play), take = clipped(take);
    float total = play + take;
    return total > TINY ? play / total : 0.5f;
}

extern "C" __global__ void settle_root(const Root p) {
    int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= p.hands) return;
    float *play = p.regret + h, *take = play + p.hands;
    float plays = play_share(*play, *take), takes = 1.0f - plays, more = p.cfv[h] - p.take[h];
    p.sum[h] = p.sum[h] * p.weights[2] + plays;
    p.sum[p.hands + h] = p.sum[p.hands + h] * p.weights[2] + takes;
    *play = *play * (*play > 0.0f ? p.weights[0] : p.weights[1]) + takes * more;
    *take = *take * (*take > 0.0f ? p.weights[0] : p.weights[1]) - plays * more;
    p.reach[h] = p.forced[h] + p.choice[h] * play_share(*play, *take);
}

extern "C" __global__ void enter_root(const Root p) {
    int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h < p.hands) p.reach[h] = p.forced[h] + p.choice[h] * play_share(p.stored[h], p.stored[p.hands + h]);
}
