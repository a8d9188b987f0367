/* SPDX-License-Identifier: Apache-2.0 */
/* Layer norm of each row, (x - mean) / sqrt(variance + epsilon) * gamma + beta, a row of tiles at a time, as tt-metal has it: mean and
 * variance by the Matrix Unit, as products with a tile of 1 / width; everything in between goes through circular buffers in L1.  Dst
 * holds 32 bits a datum.  The second operand is a row of tiles of gamma and one of beta, each with 32 equal rows. */
#if defined(__riscv)
#include "kerr_map.h"
#endif

#define KERR_DST32 1
enum {
    CB_IN = 0,
    CB_SCALER = 2,
    CB_GAMMA = 5,
    CB_BETA = 6,
    CB_OUT = 16,
    CB_CENTRED = 24,
    CB_SQUARES = 25,
    CB_MEAN = 26,
    CB_RSQRT = 27,
    CB_NORMAL = 28,
    CB_SCALED = 29
};
enum { MAX_WIDTH = 32 };

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "op_move.h"
#else
#include "op.h"

#include "kerr_compute.h"
#include "op_sfpu.h"
#endif

static void create_buffers(void)
{
    static const struct {
        uint8_t id, pages;
    } buffers[] = {{CB_IN, MAX_WIDTH},     {CB_SCALER, 1},        {CB_GAMMA, MAX_WIDTH},   {CB_BETA, MAX_WIDTH},
                   {CB_OUT, 2 * OP_BLOCK}, {CB_MEAN, 1},          {CB_CENTRED, MAX_WIDTH}, {CB_SQUARES, MAX_WIDTH},
                   {CB_RSQRT, 1},          {CB_NORMAL, OP_BLOCK}, {CB_SCALED, OP_BLOCK}};
    uint32_t at = KERR_SHARED_BASE;
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; at += buffers[i++].pages * OP_PAGE)
        kerr_cb_create(buffers[i].id, at, buffers[i].pages);
}

#if KERR_CORE == KERR_CORE_T0 || KERR_CORE == KERR_CORE_T1 || KERR_CORE == KERR_CORE_T2
static void to_buffer(uint32_t id, uint32_t tiles)
{
    kerr_dst_commit();
    kerr_dst_wait();
    for (uint32_t i = 0; i < tiles; i++)
        kerr_pack_tile_to(i, id, i);
    kerr_dst_release();
    kerr_cb_push_back(id, tiles);
}

/* The row's tiles in `from` times 1 / width, added up. */
static void begin_mean(uint32_t from, uint32_t to, uint32_t width)
{
    (void)from, (void)to;
    kerr_matmul_begin(1);
    kerr_cb_reserve_back(to, 1);
    kerr_dst_acquire();
    for (uint32_t c = 0; c < width; c++) {
        kerr_cb_wait_front(from, c + 1);
        kerr_matmul_tiles(from, CB_SCALER, c, 0, 0, 1);
    }
}

/* A block of `a` with one of `b`; whole: with the tiles of the row in their place, else with the one that is there. */
static void block(uint32_t a, uint32_t a0, uint32_t b, uint32_t b0, bool whole, uint32_t to)
{
    (void)a, (void)b, (void)to;
    kerr_cb_wait_front(a, a0 + OP_BLOCK);
    kerr_cb_wait_front(b, whole ? b0 + OP_BLOCK : 1);
    kerr_cb_reserve_back(to, OP_BLOCK);
    kerr_dst_acquire();
    for (uint32_t i = 0; i < OP_BLOCK; i++)
        kerr_binary_tiles(a, b, a0 + i, whole ? b0 + i : 0, i);
    to_buffer(to, OP_BLOCK);
}

static void compute_row(uint32_t width)
{
    begin_mean(CB_IN, CB_MEAN, width);
    to_buffer(CB_MEAN, 1);

    kerr_binary_begin(KERR_SUB, KERR_COLUMN);
    for (uint32_t c = 0; c < width; c += OP_BLOCK)
        block(CB_IN, c, CB_MEAN, 0, false, CB_CENTRED);
    kerr_cb_pop_front(CB_IN, width);
    kerr_cb_pop_front(CB_MEAN, 1);

    kerr_binary_begin(KERR_MUL, KERR_NONE);
    for (uint32_t c = 0; c < width; c += OP_BLOCK)
        block(CB_CENTRED, c, CB_CENTRED, c, true, CB_SQUARES);

    begin_mean(CB_SQUARES, CB_RSQRT, width);
    rsqrt_tile(0);
    to_buffer(CB_RSQRT, 1);
    kerr_cb_pop_front(CB_SQUARES, width);

    for (uint32_t c = 0; c < width; c += OP_BLOCK) {
        kerr_binary_begin(KERR_MUL, KERR_COLUMN);
        block(CB_CENTRED, 0, CB_RSQRT, 0, false, CB_NORMAL);
        kerr_cb_pop_front(CB_CENTRED, OP_BLOCK);
        kerr_binary_begin(KERR_MUL, KERR_ROW_OF_EIGHT);
        block(CB_NORMAL, 0, CB_GAMMA, c, true, CB_SCALED);
        kerr_cb_pop_front(CB_NORMAL, OP_BLOCK);
        kerr_binary_begin(KERR_ADD, KERR_ROW_OF_EIGHT);
        block(CB_SCALED, 0, CB_BETA, c, true, CB_OUT);
        kerr_cb_pop_front(CB_SCALED, OP_BLOCK);
    }
    kerr_cb_pop_front(CB_RSQRT, 1);
}
#endif

int main(void)
{
    const uint32_t first = kerr_argument(OP_FIRST), count = kerr_argument(OP_COUNT), width = kerr_argument(OP_WIDTH);
    create_buffers();
#if KERR_CORE == KERR_CORE_NC
    set_up_noc();
    if (count > 0) {
        fill_page(CB_SCALER, (127 - 5 - log2_of(width)) << 7); /* 1 / (32 * width), in KERR_FORMAT_BF16 */
        read_pages(kerr_argument(OP_IN0), CB_IN, first * width, width, OP_BLOCK);
        read_pages(kerr_argument(OP_IN1), CB_GAMMA, 0, width, OP_BLOCK);
        read_pages(kerr_argument(OP_IN1), CB_BETA, width, width, OP_BLOCK);
        read_pages(kerr_argument(OP_IN0), CB_IN, (first + 1) * width, (count - 1) * width, OP_BLOCK);
    }
#elif KERR_CORE == KERR_CORE_B
    set_up_noc();
    write_pages(kerr_argument(OP_OUT), CB_OUT, first * width, count * width, OP_BLOCK);
#else
    kerr_compute_begin();
    sfpu_init();
    if (count > 0)
        kerr_cb_wait_front(CB_SCALER, 1);
    for (uint32_t i = 0; i < count; i++)
        compute_row(width);
    kerr_compute_end();
#endif
    (void)first;
    kerr_finish((int32_t)count);
}
