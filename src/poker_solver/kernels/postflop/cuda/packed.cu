// After `streets.cu`: passes that learn with regrets of 16 bits.
extern "C" __global__ void river_learn16(const Pass p) { river_all<LEARN16, true>(p); }
extern "C" __global__ void river_learn16_far(const Pass p) { river_all<LEARN16, false>(p); }
extern "C" __global__ void up_learn16(const Pass p) { upper_up<LEARN16>(p); }
