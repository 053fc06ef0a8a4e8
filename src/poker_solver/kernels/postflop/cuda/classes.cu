// Ranges that a preflop tree hands down by class of hand, and values that it takes back. A block a spot.

// reach[spot][hand] = by_class[class of the hand]
extern "C" __global__ void spread_classes(const Classes p) {
    i64 row = (i64)blockIdx.x * p.pad;
    for (int h = threadIdx.x; h < p.pad; h += blockDim.x) {
        int held = p.class_of[row + h];
        p.reach[row + h] = held < 0 ? 0.0f : p.by_class[held];
    }
}

// sums[spot][class] = sum of cfv over the hands of the class, in one order whatever the threads
extern "C" __global__ void sum_classes(const Classes p) {
    i64 row = (i64)blockIdx.x * p.pad;
    const int* start = p.member_start + (i64)blockIdx.x * (p.num_classes + 1);
    for (int c = threadIdx.x; c < p.num_classes; c += blockDim.x) {
        double sum = 0.0;
        for (int k = start[c]; k < start[c + 1]; ++k) sum += (double)p.cfv[row + p.member[row + k]];
        p.sums[(i64)blockIdx.x * p.num_classes + c] = sum;
    }
}
