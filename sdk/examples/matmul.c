/* SPDX-License-Identifier: Apache-2.0 */
/* C = A x B by a rectangle of Tensix tiles; matmul.h says what the host chooses.
 *
 *   B   fetches A's tiles over NoC 0, NC those of B over NoC 1: from DRAM, or they come by multicast
 *   T0  unpacks a tile of A to SrcB and the tiles of B that it meets to SrcA, one after the other
 *   T1  multiplies, a MOP of 16 MVMULs (in the replay buffer) a fidelity phase
 *   T2  packs finished blocks; NC writes them to DRAM
 *
 * What the cores tell each other are counters in L1 (struct shared), one writer each.  Between the threads, data-valid bits of
 * SrcA and SrcB and the semaphores of datapath.c. */
#include "matmul.h"

#include "kerr_cfg.h"
#include "kerr_sdk.h"

enum { FACES = 4, ROW = 16, TILE_ROWS = FACES * ROW, TILE_DATUMS = 1024, HALF_DST = 512 };

/* Counters that only grow, each in a line of its own. */
struct line {
    volatile uint32_t count, unused[15];
};
struct shared {
    struct line a, b;    /* steps whose tiles are in L1; written by this tile's B and NC, or by multicast */
    struct line freed;   /* T0: steps whose tiles are no longer needed */
    struct line packed;  /* T2: blocks that are in L1 */
    struct line written; /* NC: blocks that have left */
    struct line ready[2][MATMUL_MAX_SIDE]; /* of the sender of A, of B: freed, as the tiles of its row or column say */
    struct line from[2][MATMUL_SLOTS];     /* where such words are sent from */
};
#define SHARED ((struct shared *)KERR_SHARED_BASE)
enum {
    BUFFER_A = KERR_SHARED_BASE + 0x2000,
    BUFFER_B = KERR_SHARED_BASE + 0x60000,
    BUFFER_C = KERR_SHARED_BASE + 0x100000
};
_Static_assert(sizeof(struct shared) <= 0x2000, "buffers come behind it");

static uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

/* The arguments, taken apart. */
struct job {
    uint32_t flags, in, reg, pack_in, out;
    uint32_t rows, columns, inner;                 /* in tiles: of A, of B, of A */
    uint32_t block_rows, block_columns, step;      /* in tiles */
    uint32_t grid_columns, grid_rows, column, row; /* of the rectangle, and this tile's place in it */
};

static struct job get_job(void)
{
    const uint32_t formats = argument(MATMUL_FORMATS), shape = argument(MATMUL_SHAPE), block = argument(MATMUL_BLOCK),
                   grid = argument(MATMUL_GRID), index = KERR_PARAMS->tile_index;
    return (struct job){.flags = argument(MATMUL_FLAGS),
                        .in = formats & 255,
                        .reg = formats >> 8 & 15,
                        .pack_in = formats >> 16 & 15,
                        .out = formats >> 24,
                        .rows = shape & 1023,
                        .columns = shape >> 10 & 1023,
                        .inner = shape >> 20,
                        .block_rows = block & 255,
                        .block_columns = block >> 8 & 255,
                        .step = block >> 16 & 255,
                        .grid_columns = grid & 255,
                        .grid_rows = grid >> 8 & 255,
                        .column = index % (grid & 255),
                        .row = index / (grid & 255)};
}

/* The blocks of this tile: their first row and column, in tiles. */
#define FOR_EACH_BLOCK(job, r, c)                                                                                      \
    for (uint32_t r = (job).row * (job).block_rows; r < (job).rows; r += (job).grid_rows * (job).block_rows)           \
        for (uint32_t c = (job).column * (job).block_columns; c < (job).columns;                                       \
             c += (job).grid_columns * (job).block_columns)

static inline void wait_for(volatile uint32_t *count, uint32_t least)
{
    for (;;) {
        kerr_fence();
        if ((int32_t)(kerr_settle(*count) - least) >= 0)
            return;
    }
}

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "matmul_move.h"
#else
#include "matmul_threads.h"
#endif
