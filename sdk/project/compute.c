/* SPDX-License-Identifier: Apache-2.0 */
/* On T0, T1 and T2: adds them. */
#include "tiles.h"

#include "kerr_compute.h"

#ifndef OPERATION
#define OPERATION KERR_ADD
#endif
#ifndef BROADCAST
#define BROADCAST KERR_NONE
#endif

int main(void)
{
    create_buffers();
    kerr_compute_begin();
    kerr_binary_begin(OPERATION, BROADCAST);
    for (uint32_t i = 0; i < TILES; i++) {
        kerr_cb_wait_front(CB_A, 1);
        kerr_cb_wait_front(CB_B, 1);
        kerr_cb_reserve_back(CB_C, 1);
        kerr_dst_acquire();
        kerr_binary_tiles(CB_A, CB_B, 0, 0, 0);
        kerr_dst_commit();
        kerr_dst_wait();
        kerr_pack_tile(0, CB_C);
        kerr_dst_release();
        kerr_cb_push_back(CB_C, 1);
        kerr_cb_pop_front(CB_A, 1);
        kerr_cb_pop_front(CB_B, 1);
    }
    kerr_compute_end();
    return TILES;
}
