/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERR_HOST_ENDS_H
#define KERR_HOST_ENDS_H

#include "chip/chip.h"

/* Whether nothing can advance by itself any more.  Quick as long as something can, for one such thing is enough. */
bool chip_is_at_rest(kerr_chip *chip);

/* Tensix tiles that hang, of a chip whose host is about to go.  A core that polls memory or registers waits for its host, as
 * firmware does that has no more work; but not one that tt-metal has told to run a kernel.  0 if something can advance. */
uint32_t chip_left_hanging(const kerr_chip *chip);

/* tt-metal's firmware has told this core of a Tensix tile to run a kernel, and it is not over; B runs its own while one of the others does. */
bool tile_core_has_kernel(const struct tile *tile, unsigned core);

#endif
