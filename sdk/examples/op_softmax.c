/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of each row, a row of tiles at a time, as tt-metal has it (without the row's maximum): e^x of all tiles into a circular buffer
 * that holds the row; their sum by the Matrix Unit, as a product with a tile of ones; its reciprocal; and each e^x times that.  Dst
 * holds 32 bits a datum.  op.h says what the host chooses. */
#if defined(__riscv)
#include "kerr_map.h"
#endif

#define KERR_DST32 1
enum { CB_IN = 0, CB_ONES = 2, CB_OUT = 16, CB_EXPS = 24, CB_RECIP = 25 };
enum { MAX_WIDTH = 32 };

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "op_move.h"
#else
#include "op.h"

#include "kerr_compute.h"
#include "op_exp.h"
#endif

static void create_buffers(void)
{
    static const struct {
        uint8_t id, pages;
    } buffers[] = {{CB_IN, 2 * OP_BLOCK}, {CB_ONES, 1}, {CB_OUT, 2 * OP_BLOCK}, {CB_EXPS, MAX_WIDTH}, {CB_RECIP, 1}};
    uint32_t at = KERR_SHARED_BASE;
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; at += buffers[i++].pages * OP_PAGE)
        kerr_cb_create(buffers[i].id, at, buffers[i].pages);
}

#if KERR_CORE == KERR_CORE_T0 || KERR_CORE == KERR_CORE_T1 || KERR_CORE == KERR_CORE_T2
static void compute_row(uint32_t width)
{
    kerr_copy_begin();
    for (uint32_t c = 0; c < width; c += OP_BLOCK) {
        kerr_cb_wait_front(CB_IN, OP_BLOCK);
        kerr_cb_reserve_back(CB_EXPS, OP_BLOCK);
        kerr_dst_acquire();
        for (uint32_t i = 0; i < OP_BLOCK; i++) {
            kerr_copy_tile(CB_IN, i, i);
            exp_tile(i);
        }
        kerr_dst_commit();
        kerr_dst_wait();
        for (uint32_t i = 0; i < OP_BLOCK; i++)
            kerr_pack_tile_to(i, CB_EXPS, i);
        kerr_dst_release();
        kerr_cb_push_back(CB_EXPS, OP_BLOCK);
        kerr_cb_pop_front(CB_IN, OP_BLOCK);
    }

    kerr_matmul_begin(1);
    kerr_cb_reserve_back(CB_RECIP, 1);
    kerr_dst_acquire();
    for (uint32_t c = 0; c < width; c++) {
        kerr_cb_wait_front(CB_EXPS, c + 1);
        kerr_matmul_tiles(CB_EXPS, CB_ONES, c, 0, 0, 1);
    }
    recip_tile(0);
    kerr_dst_commit();
    kerr_dst_wait();
    kerr_pack_tile(0, CB_RECIP);
    kerr_dst_release();
    kerr_cb_push_back(CB_RECIP, 1);

    kerr_binary_begin(KERR_MUL, KERR_COLUMN);
    kerr_cb_wait_front(CB_RECIP, 1);
    for (uint32_t c = 0; c < width; c += OP_BLOCK) {
        kerr_cb_reserve_back(CB_OUT, OP_BLOCK);
        kerr_dst_acquire();
        for (uint32_t i = 0; i < OP_BLOCK; i++)
            kerr_binary_tiles(CB_EXPS, CB_RECIP, i, 0, i);
        kerr_dst_commit();
        kerr_dst_wait();
        for (uint32_t i = 0; i < OP_BLOCK; i++)
            kerr_pack_tile_to(i, CB_OUT, i);
        kerr_dst_release();
        kerr_cb_push_back(CB_OUT, OP_BLOCK);
        kerr_cb_pop_front(CB_EXPS, OP_BLOCK);
    }
    kerr_cb_pop_front(CB_RECIP, 1);
}
#endif

int main(void)
{
    const uint32_t first = kerr_argument(OP_FIRST), count = kerr_argument(OP_COUNT), width = kerr_argument(OP_WIDTH);
    create_buffers();
#if KERR_CORE == KERR_CORE_NC
    set_up_noc();
    fill_page(CB_ONES, 0x3f80);
    read_pages(kerr_argument(OP_IN0), CB_IN, first * width, count * width, OP_BLOCK);
#elif KERR_CORE == KERR_CORE_B
    set_up_noc();
    write_pages(kerr_argument(OP_OUT), CB_OUT, first * width, count * width, OP_BLOCK);
#else
    kerr_compute_begin();
    sfpu_init();
    exp_tile_init();
    kerr_cb_wait_front(CB_ONES, 1);
    for (uint32_t i = 0; i < count; i++)
        compute_row(width);
    kerr_compute_end();
#endif
    (void)first;
    kerr_finish((int32_t)count);
}
