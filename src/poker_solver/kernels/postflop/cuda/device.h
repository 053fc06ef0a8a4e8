// What the kernels take from CUDA, with asynchronous copies where the GPU has them.
extern __shared__ __align__(16) unsigned char shared_bytes[];
typedef unsigned long long Arrival;
typedef long long i64;
#if __CUDA_ARCH__ >= 800
static __device__ __forceinline__ void copy_16(void* to, const void* from) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
}
#define COPY_16(to, from) copy_16(to, from)
#define COPY_COMMIT() asm volatile("cp.async.commit_group;")
#define COPY_WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n))
#else
#define COPY_16(to, from) (*(uint4*)(to) = *(const uint4*)(from))
#define COPY_COMMIT()
#define COPY_WAIT(n)
#endif
#if __CUDA_ARCH__ >= 900
static __device__ __forceinline__ void bring_near(const void* from, int bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
}
#else
static __device__ __forceinline__ void bring_near(const void*, int) {}
#endif
// blockIdx.x, read again: not kept in a register meanwhile.
static __device__ __forceinline__ int block_number() {
    int found;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(found));
    return found;
}
// An opaque copy: addresses that follow from it are computed anew, not kept in registers.
static __device__ __forceinline__ i64 again(i64 number) {
    asm volatile("" : "+l"(number));
    return number;
}
static __device__ __forceinline__ float inverse(float x) {  // of a normal number
    float found;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(found) : "f"(x));
    return found;
}
// Numbers that come into shared memory while a block does something else. Everybody calls `expect`, which
// waits for all. Then, as often as needed: those for whom `stages` is true `take_over` what all have left at a
// barrier, `stage` for each part and `staged` with the bytes of all; everybody `meet`, with 0, 1, 0 and so on.
#if __CUDA_ARCH__ >= 900
static __device__ __forceinline__ unsigned near_address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
static __device__ __forceinline__ void take_over() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
static __device__ __forceinline__ void expect(Arrival* arrival) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(near_address(arrival)) : "memory");
        take_over();
    }
    __syncthreads();
}
static __device__ __forceinline__ bool stages() { return threadIdx.x == 0; }
static __device__ __forceinline__ void stage(Arrival* arrival, void* to, const void* from, int bytes) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(near_address(to)),
                 "l"(from), "r"(bytes), "r"(near_address(arrival))
                 : "memory");
}
static __device__ __forceinline__ void staged(Arrival* arrival, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(near_address(arrival)), "r"(bytes) : "memory");
}
static __device__ __forceinline__ void meet(Arrival* arrival, int turn) {
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(near_address(arrival)),
        "r"(turn)
        : "memory");
}
#else
static __device__ __forceinline__ void expect(Arrival*) { __syncthreads(); }
static __device__ __forceinline__ bool stages() { return true; }
static __device__ __forceinline__ void take_over() {}
static __device__ __forceinline__ void stage(Arrival*, void* to, const void* from, int bytes) {
    for (int i = 16 * threadIdx.x; i < bytes; i += 16 * blockDim.x) COPY_16((char*)to + i, (const char*)from + i);
}
static __device__ __forceinline__ void staged(Arrival*, int) { COPY_COMMIT(); }
static __device__ __forceinline__ void meet(Arrival*, int) {
    COPY_WAIT(0);
    __syncthreads();
}
#endif
