/* SPDX-License-Identifier: Apache-2.0 */
/* On NC: brings tiles of A and B. */
#include "kerr_noc.h"
#include "tiles.h"

int main(void)
{
    const uint32_t far = kerr_noc_xy(FAR_X, FAR_Y);
    create_buffers();
    kerr_noc_begin(kerr_noc_xy(kerr_tile_x(), kerr_tile_y()));
    for (uint32_t i = 0; i < TILES; i++) {
        kerr_cb_reserve_back(CB_A, 1);
        kerr_noc_read(far, A_THERE + i * TILE_BYTES, kerr_cb_at(CB_A), TILE_BYTES);
        kerr_cb_reserve_back(CB_B, 1);
        kerr_noc_read(far, B_THERE + i * TILE_BYTES, kerr_cb_at(CB_B), TILE_BYTES);
        kerr_noc_read_wait();
        kerr_cb_push_back(CB_A, 1);
        kerr_cb_push_back(CB_B, 1);
    }
    return TILES;
}
