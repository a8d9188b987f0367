/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERR_HOST_ENDS_H
#define KERR_HOST_ENDS_H

#include "chip/chip.h"

/* Whether nothing can advance by itself any more.  Quick as long as something can, for one such thing is enough. */
bool chip_is_at_rest(kerr_chip *chip);

#endif
