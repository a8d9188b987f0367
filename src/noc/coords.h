/* SPDX-License-Identifier: Apache-2.0 */
/* NoC coordinates: translation, and what a NIU says of itself (manual NoC/Coordinates, NoC/MemoryMap).  Pure functions. */
#ifndef KERR_NOC_COORDS_H
#define KERR_NOC_COORDS_H

#include "kerr.h"

#include <stdint.h>

typedef struct noc_raw_xy {
    uint8_t x, y; /* up to 63: translation may lead off the grid */
} noc_raw_xy;

/* cfg: the 32 words from NIU_CFG_0 on.  Translates whether NIU_CFG_0 enables it or not. */
noc_raw_xy noc_translate(const uint32_t *cfg, unsigned x, unsigned y);

/* x and y of NoC 0, for either NoC. */
uint32_t noc_node_id(unsigned noc, unsigned x, unsigned y);
uint32_t noc_endpoint_id(unsigned noc, unsigned x, unsigned y);
/* NOC_ID_LOGICAL after power-on. */
uint32_t noc_id_logical(unsigned noc, unsigned x, unsigned y);

#endif
