// CUDA kernels as plain C++: every thread of a block is a fiber, and blocks come one after the other.
//
// A fiber runs until it waits for its warp or its block; nobody goes on before all have come. The
// order of fibers is drawn anew each time, so that a missing barrier shows as a wrong result.
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define COPY_16(to, from) std::memcpy(to, from, 16)
#define COPY_COMMIT()
#define COPY_WAIT(n)
struct uint4 { unsigned x, y, z, w; };
struct float4 { float x, y, z, w; };
struct float2 { float x, y; };
struct uint2 { unsigned x, y; };
struct ushort4 { unsigned short x, y, z, w; };
struct Place { unsigned x; };
static Place threadIdx, blockIdx, blockDim, gridDim;
alignas(16) static unsigned char shared_bytes[1 << 18];
using std::min;

typedef long long i64;
static i64 again(i64 number) { return number; }
static int block_number() { return blockIdx.x; }
static void bring_near(const void*, int) {}
static float inverse(float x) { return 1.0f / x; }
static float __int_as_float(int bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

static int __popc(unsigned bits) { return __builtin_popcount(bits); }
template <class T>
static T __ldg(const T* place) { return *place; }
static void __stcs(float* place, float value) { *place = value; }

enum Wait { READY, WARP, BLOCK, DONE };
struct Fiber {
    ucontext_t context;  // to begin; later switches take the jump, which needs no system call
    jmp_buf jump;
    bool began;
    Wait wait;
    std::vector<char> stack;
};
static std::vector<Fiber> fibers;
static jmp_buf scheduler;
static unsigned current;
static float exchanged[1024];

static void pause(Wait wait) {
    unsigned self = current;
    fibers[self].wait = wait;
    if (!_setjmp(fibers[self].jump)) _longjmp(scheduler, 1);
}
static void __syncthreads() { pause(BLOCK); }
static void __syncwarp() { pause(WARP); }

// One thread copies; everybody has what was announced when all have met.
struct Arrival { int bytes, turn; };
static void expect(Arrival* arrival) {
    if (threadIdx.x == 0) arrival->bytes = arrival->turn = 0;
    __syncthreads();
}
static bool stages() { return threadIdx.x == 0; }
static void stage(Arrival* arrival, void* to, const void* from, int bytes) {
    if (bytes % 16 || (uintptr_t)to % 16 || (uintptr_t)from % 16) std::abort();
    std::memcpy(to, from, bytes);
    arrival->bytes += bytes;
}
static void staged(Arrival* arrival, int bytes) {
    if (arrival->bytes != bytes) std::abort();
    arrival->bytes = 0;
}
static void meet(Arrival* arrival, int turn) {
    if (arrival->turn != turn) std::abort();
    __syncthreads();
    if (threadIdx.x == 0) arrival->turn = 1 - turn;
}
static void take_over() {}
static float __shfl_up_sync(unsigned, float value, int step) {
    unsigned self = current;
    exchanged[self] = value;
    pause(WARP);
    float found = (int)(self % 32) >= step ? exchanged[self - step] : value;
    pause(WARP);
    return found;
}
static float __shfl_xor_sync(unsigned, float value, int mask) {
    unsigned self = current;
    exchanged[self] = value;
    pause(WARP);
    float found = exchanged[self ^ mask];
    pause(WARP);
    return found;
}

#include KERNELS

typedef void (*Call)(const void*);
static Call call;
static const void* arguments;
static void fiber_main() {
    call(arguments);
    fibers[current].wait = DONE;
    _longjmp(scheduler, 1);
}

static void resume(unsigned i) {
    current = i;
    threadIdx.x = i;
    if (_setjmp(scheduler)) return;
    if (fibers[i].began) _longjmp(fibers[i].jump, 1);
    fibers[i].began = true;
    setcontext(&fibers[i].context);
}

static bool all_wait(unsigned first, unsigned last, Wait wait) {
    for (unsigned i = first; i < last; ++i)
        if (fibers[i].wait != wait && fibers[i].wait != DONE) return false;
    return true;
}

static bool run_block(unsigned threads, std::mt19937& random) {
    std::vector<unsigned> order(threads);
    for (unsigned i = 0; i < threads; ++i) {
        order[i] = i;
        Fiber& fiber = fibers[i];
        fiber.wait = READY;
        fiber.began = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.data();
        fiber.context.uc_stack.ss_size = fiber.stack.size();
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, fiber_main, 0);
    }
    while (!all_wait(0, threads, DONE)) {
        bool moved = false;
        std::shuffle(order.begin(), order.end(), random);
        for (unsigned i : order)
            if (fibers[i].wait == READY) {
                moved = true;
                resume(i);
            }
        for (unsigned w = 0; w < threads; w += 32)
            if (all_wait(w, w + 32, WARP) && !all_wait(w, w + 32, DONE)) {
                moved = true;
                for (unsigned i = w; i < w + 32; ++i)
                    if (fibers[i].wait == WARP) fibers[i].wait = READY;
            }
        if (all_wait(0, threads, BLOCK))
            for (Fiber& fiber : fibers)
                if (fiber.wait == BLOCK) moved = true, fiber.wait = READY;
        if (!moved) return false;  // some wait for their warp, others for the block
    }
    return true;
}

#define ENTRY(name, kind) {#name, [](const void* p) { name(*(const kind*)p); }}
static const std::map<std::string, Call> kernels = {
#include ENTRIES_FILE
};

extern "C" int launch(const char* kernel, unsigned grid, unsigned block, unsigned shared, const void* given) {
    std::mt19937 random(grid * 31 + block);
    if (shared > sizeof shared_bytes || block % 32 || block > 1024) return 1;
    fibers.resize(block);
    for (Fiber& fiber : fibers) fiber.stack.resize(1 << 15);
    call = kernels.at(kernel);
    arguments = given;
    gridDim.x = grid, blockDim.x = block;
    for (unsigned b = 0; b < grid; ++b) {
        blockIdx.x = b;
        std::memset(shared_bytes, 0xff, shared);  // not a number: nothing may be read unwritten
        if (!run_block(block, random)) return 2;
    }
    return 0;
}
