// What the kernels take from CUDA, with asynchronous copies where the card has them.
extern __shared__ __align__(16) unsigned char shared_bytes[];
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
