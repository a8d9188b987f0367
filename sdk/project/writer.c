/* SPDX-License-Identifier: Apache-2.0 */
/* On B: takes tiles of C away. */
#include "kerr_noc.h"
#include "tiles.h"

int main(void)
{
    create_buffers();
    kerr_noc_begin(kerr_noc_xy(kerr_tile_x(), kerr_tile_y()));
    for (uint32_t i = 0; i < TILES; i++) {
        kerr_cb_wait_front(CB_C, 1);
        kerr_noc_write(kerr_noc_xy(FAR_X, FAR_Y), C_THERE + i * TILE_BYTES, kerr_cb_at(CB_C), TILE_BYTES);
        kerr_noc_write_wait();
        kerr_cb_pop_front(CB_C, 1);
    }
    return TILES;
}
