// After `streets.cu`: passes that also write down what a best response plays.
extern "C" __global__ void river_record(const Pass p) { river_all<RECORD, true>(p); }
extern "C" __global__ void river_record_far(const Pass p) { river_all<RECORD, false>(p); }
extern "C" __global__ void up_record(const Pass p) { upper_up<RECORD>(p); }
