// What all kernels share: the arguments of a pass.
typedef unsigned short u16;

#define LEARN 0
#define BEST 1
#define MEAN 2
#define RECORD 3  // BEST, and what is played goes where regrets stand
#define LEARN16 4  // LEARN with regrets of 16 bits on the river, and as coarse above it
#define NUM_CARDS 52
#define LIST_HEAD 40  // numbers before the chunks of a board's lists
#define MOST_RUN 8    // boards of a run
#define TINY 1e-37f  // a total below this counts as 0: its inverse would not be a number

// A river board of a run: a block does the boards of a run one after the other, and adds up what they give.
struct Board {
    int board;  // -1 behind the last one
    int above;  // board of the street above, the same for the whole run
    u16 opp_live, own_live, chunks, unused;
    i64 opp_base, own_base;  // where its state begins
};

struct Pass {
    // what to walk
    const Board* boards;  // [runs][per_run] of a river
    const int* program;
    const int* program_start;  // [groups or lines + 1]
    const float* factors;      // of a generated kernel, [groups][..]
    // what comes from the street above, [board above][row][opp_pad or own_pad]
    const int* board_above;  // [boards]
    const unsigned char* is_done;  // [boards] of spots that are no more worked on; null if there are none
    const float* opp_above;
    const float* own_above;
    // state of both players
    const float* opp_stored;  // regrets, or sums where averages are played
    float* own_regret;
    float* own_sum;
    float* own_scale;  // [boards][own_nodes] of a street, what 16 bits are multiplied by
    const unsigned char* own_locked;  // which of his numbers are fixed; null without locks
    const float* weights;  // positive, negative, keep
    // results, [board or run][entry][own_pad]; above the river, entries of blocked hands are never written
    float* out;
    // hands of a river board
    const int* opp_live;      // [boards]
    const int* own_live;
    const i64* opp_base;      // [boards] where its state begins
    const i64* own_base;
    const u16* opp_order;     // [boards][opp_pad] hand at each place
    const u16* own_order;
    const uint4* look;        // [boards][own_pad] where an own hand stands among the opponent's
    const u16* list;          // [boards][list_pad] opponent's places by card, see hands.cu
    const u16* list_start;    // [boards][52] where a card's chunks are
    // hands of an upper street
    const float* opp_alive;   // [boards][opp_pad]
    const float* own_alive;
    const u16* twin;          // [own_pad] the opponent's same hand; 0xffff if he has it not
    const unsigned char* cards;  // [own_pad][2]
    const float* deal_cfv;    // [board][deal][own_pad]
    float* opp_flow;          // [board][row][opp_pad] reach at the entries, then after each action
    float* own_flow;
    // what river cards are added up, for `gather`
    const int* card_start;    // [boards + 1]
    const int* card_board;    // board or run below
    const int* card_move;     // renaming of suits
    const u16* moved;         // [renamings][own_pad]
    const float* below;       // [board or run below][deal][own_pad]
    float* gathered;          // [board][deal][own_pad]
    // where a block keeps its sums when they do not fit into shared memory
    float* scratch;
    i64 scratch_floats;  // of one block
    i64 opp_state;       // where an upper street's state begins
    i64 own_state;
    int num_items;       // blocks of work
    int num_groups;      // groups of a river board, or lines of an upper street
    int per_run;         // boards, at most
    int opp_pad, own_pad, list_pad;
    int opp_hands, own_hands;
    int rows_above_opp, rows_above_own;
    int num_entries;     // lines that begin on the street
    int num_deals;
    int opp_rows, own_rows;  // of an upper street
    int own_nodes;       // decisions of the player on the street
    float share;         // 1 / cards that can fall
};

static __device__ __forceinline__ float positive(float x) { return x > 0.0f ? x : 0.0f; }

static __device__ __forceinline__ int rounded(int n) { return (n + 3) & ~3; }

// From one row of a river's state to the next: sixteen bytes are a whole number of rows in any precision.
static __device__ __forceinline__ int pitch_of(int live) { return (live + 7) & ~7; }

#define MOST_16 32767.0f

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

