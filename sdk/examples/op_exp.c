/* SPDX-License-Identifier: Apache-2.0 */
/* e^x, tile by tile, as tt-metal has a unary operation on interleaved tensors: NC reads, T0, T1 and T2 compute (op_exp.h), B writes, with
 * circular buffers of two tiles between them.  op.h says what the host chooses. */
#if defined(__riscv)
#include "kerr_map.h"
#endif

enum { CB_IN = 0, CB_OUT = 16 };

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#include "op_move.h"
#else
#include "op.h"

#include "kerr_compute.h"
#include "op_exp.h"
#endif

static void create_buffers(void)
{
    enum { PAGES = 2 };
    kerr_cb_create(CB_IN, KERR_SHARED_BASE, PAGES);
    kerr_cb_create(CB_OUT, KERR_SHARED_BASE + PAGES * OP_PAGE, PAGES);
}

int main(void)
{
    const uint32_t first = kerr_argument(OP_FIRST), count = kerr_argument(OP_COUNT);
    create_buffers();
#if KERR_CORE == KERR_CORE_NC
    set_up_noc();
    read_pages(kerr_argument(OP_IN0), CB_IN, first, count, 1);
#elif KERR_CORE == KERR_CORE_B
    set_up_noc();
    write_pages(kerr_argument(OP_OUT), CB_OUT, first, count, 1);
#else
    kerr_compute_begin();
    kerr_copy_begin();
    sfpu_init();
    exp_tile_init();
    for (uint32_t i = 0; i < count; i++) {
        kerr_cb_wait_front(CB_IN, 1);
        kerr_cb_reserve_back(CB_OUT, 1);
        kerr_dst_acquire();
        kerr_copy_tile(CB_IN, 0, 0);
        exp_tile(0);
        kerr_dst_commit();
        kerr_dst_wait();
        kerr_pack_tile(0, CB_OUT);
        kerr_dst_release();
        kerr_cb_push_back(CB_OUT, 1);
        kerr_cb_pop_front(CB_IN, 1);
    }
    kerr_compute_end();
#endif
    (void)first;
    kerr_finish((int32_t)count);
}
