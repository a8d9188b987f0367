/* SPDX-License-Identifier: Apache-2.0 */
/* The chip as the fabric sees it: which port belongs to what, memories and passive nodes, faults. */
#ifndef KERR_CHIP_NOC_H
#define KERR_CHIP_NOC_H

#include "chip/chip.h"

/* The first cycle with anything to do outside the tiles; NEVER if there is nothing. */
uint64_t chip_noc_next(const kerr_chip *chip);
/* The window up to `end` is over: memories and passive nodes answer, packets go on. */
void chip_noc_exchange(kerr_chip *chip, uint64_t end);

#endif
