/* SPDX-License-Identifier: Apache-2.0 */
/* C = A x B, a block of 2 x 4 tiles of C at a time, as tt-metal has it with accumulation in L1: what four columns of A and four rows of B
 * give is packed into a circular buffer, added to what is there; before the last four it comes back into Dst, and C goes to another
 * buffer.  Units of work are blocks.  op.h says what the host chooses. */
#if defined(__riscv)
#include "kerr_map.h"
#endif

#define KERR_PHASES 2
enum { CB_A = 0, CB_B = 1, CB_OUT = 16, CB_PARTIAL = 24 };

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "op_move.h"
#else
#include "op.h"

#include "kerr_compute.h"
#endif

enum {
    A_TILES = OP_MATMUL_ROWS * OP_MATMUL_STEP,
    B_TILES = OP_MATMUL_STEP * OP_MATMUL_COLUMNS,
    C_TILES = OP_MATMUL_ROWS * OP_MATMUL_COLUMNS
};

static void create_buffers(void)
{
    static const struct {
        uint8_t id, pages;
    } buffers[] = {{CB_A, 2 * A_TILES}, {CB_B, 2 * B_TILES}, {CB_OUT, C_TILES}, {CB_PARTIAL, C_TILES}};
    uint32_t at = KERR_SHARED_BASE;
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; at += buffers[i++].pages * OP_PAGE)
        kerr_cb_create(buffers[i].id, at, buffers[i].pages);
}

#if KERR_CORE == KERR_CORE_T0 || KERR_CORE == KERR_CORE_T1 || KERR_CORE == KERR_CORE_T2
static void multiply_block(void)
{
    kerr_matmul_begin(OP_MATMUL_COLUMNS);
    for (uint32_t r = 0; r < OP_MATMUL_ROWS; r++)
        for (uint32_t k = 0; k < OP_MATMUL_STEP; k++)
            kerr_matmul_tiles(CB_A, CB_B, r * OP_MATMUL_STEP + k, k * OP_MATMUL_COLUMNS, r * OP_MATMUL_COLUMNS,
                              OP_MATMUL_COLUMNS);
}

static void compute_block(uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        const bool last = step + 1 == steps;
        const uint32_t to = last ? CB_OUT : CB_PARTIAL;
        kerr_cb_wait_front(CB_A, A_TILES);
        kerr_cb_wait_front(CB_B, B_TILES);
        kerr_dst_acquire();
        if (last && step > 0) {
            kerr_copy_begin();
            kerr_cb_wait_front(CB_PARTIAL, C_TILES);
            for (uint32_t i = 0; i < C_TILES; i++)
                kerr_copy_tile(CB_PARTIAL, i, i);
            kerr_cb_pop_front(CB_PARTIAL, C_TILES);
        }
        multiply_block();
        kerr_cb_pop_front(CB_A, A_TILES);
        kerr_cb_pop_front(CB_B, B_TILES);
        kerr_dst_commit();
        kerr_cb_reserve_back(to, C_TILES);
        kerr_dst_wait();
        if (step == 1 || last)
            kerr_pack_accumulate(!last);
        for (uint32_t i = 0; i < C_TILES; i++)
            kerr_pack_tile_to(i, to, i);
        kerr_dst_release();
        kerr_cb_push_back(to, C_TILES);
        if (step + 2 < steps) { /* the next come to the same pages */
            kerr_cb_wait_front(CB_PARTIAL, C_TILES);
            kerr_cb_pop_front(CB_PARTIAL, C_TILES);
        }
    }
}
#endif

int main(void)
{
    const uint32_t first = kerr_argument(OP_FIRST), count = kerr_argument(OP_COUNT), columns = kerr_argument(OP_WIDTH),
                   inner = kerr_argument(OP_INNER);
    create_buffers();
#if KERR_CORE == KERR_CORE_T0 || KERR_CORE == KERR_CORE_T1 || KERR_CORE == KERR_CORE_T2
    kerr_compute_begin();
    for (uint32_t i = 0; i < count; i++)
        compute_block(inner / OP_MATMUL_STEP);
    kerr_compute_end();
#else
    const uint32_t blocks = columns / OP_MATMUL_COLUMNS; /* side by side */
    set_up_noc();
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t row = i / blocks * OP_MATMUL_ROWS, column = i % blocks * OP_MATMUL_COLUMNS;
#if KERR_CORE == KERR_CORE_NC
        for (uint32_t k = 0; k < inner; k += OP_MATMUL_STEP) {
            kerr_cb_reserve_back(CB_A, A_TILES);
            for (uint32_t j = 0; j < A_TILES; j++)
                read_page(kerr_argument(OP_IN0), (row + j / OP_MATMUL_STEP) * inner + k + j % OP_MATMUL_STEP,
                          kerr_cb_at(CB_A) + j * OP_PAGE);
            kerr_cb_reserve_back(CB_B, B_TILES);
            for (uint32_t j = 0; j < B_TILES; j++)
                read_page(kerr_argument(OP_IN1), (k + j / OP_MATMUL_COLUMNS) * columns + column + j % OP_MATMUL_COLUMNS,
                          kerr_cb_at(CB_B) + j * OP_PAGE);
            kerr_noc_read_wait();
            kerr_cb_push_back(CB_A, A_TILES);
            kerr_cb_push_back(CB_B, B_TILES);
        }
#else
        kerr_cb_wait_front(CB_OUT, C_TILES);
        for (uint32_t j = 0; j < C_TILES; j++)
            write_page(kerr_argument(OP_OUT), (row + j / OP_MATMUL_COLUMNS) * columns + column + j % OP_MATMUL_COLUMNS,
                       kerr_cb_at(CB_OUT) + j * OP_PAGE);
        kerr_noc_write_wait();
        kerr_cb_pop_front(CB_OUT, C_TILES);
#endif
    }
#endif
    (void)first, (void)columns, (void)inner;
    kerr_finish((int32_t)count);
}
