/* SPDX-License-Identifier: Apache-2.0 */
/* C = A + B, tile by tile, as tt-metal has a binary operation on interleaved tensors: NC reads, T0, T1 and T2 compute, B writes, with
 * circular buffers of two tiles between them.  op.h says what the host chooses. */
#if defined(__riscv)
#include "kerr_map.h"
#endif

enum { CB_IN0 = 0, CB_IN1 = 1, CB_OUT = 16 };

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "op_move.h"
#else
#include "op_compute.h"
#endif

static void create_buffers(void)
{
    enum { PAGES = 2 };
    cb_create(CB_IN0, KERR_SHARED_BASE, PAGES);
    cb_create(CB_IN1, KERR_SHARED_BASE + PAGES * OP_PAGE, PAGES);
    cb_create(CB_OUT, KERR_SHARED_BASE + 2 * PAGES * OP_PAGE, PAGES);
}

int main(void)
{
    const uint32_t first = argument(OP_FIRST), count = argument(OP_COUNT);
    create_buffers();
#if KERR_CORE == KERR_CORE_NC
    set_up_noc();
    for (uint32_t i = first; i < first + count; i++) {
        cb_reserve_back(CB_IN0, 1);
        read_page(argument(OP_IN0), i, cbs[CB_IN0].at);
        cb_reserve_back(CB_IN1, 1);
        read_page(argument(OP_IN1), i, cbs[CB_IN1].at);
        read_barrier();
        cb_push_back(CB_IN0, 1);
        cb_push_back(CB_IN1, 1);
    }
#elif KERR_CORE == KERR_CORE_B
    set_up_noc();
    write_pages(argument(OP_OUT), CB_OUT, first, count, 1);
#else
    compute_begin();
    binary_init(ADD, NONE);
    for (uint32_t i = 0; i < count; i++) {
        cb_wait_front(CB_IN0, 1);
        cb_wait_front(CB_IN1, 1);
        cb_reserve_back(CB_OUT, 1);
        tile_regs_acquire();
        binary_tiles(CB_IN0, CB_IN1, 0, 0, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile(0, CB_OUT);
        tile_regs_release();
        cb_push_back(CB_OUT, 1);
        cb_pop_front(CB_IN0, 1);
        cb_pop_front(CB_IN1, 1);
    }
    compute_end();
#endif
    (void)first;
    kerr_finish((int32_t)count);
}
