/* SPDX-License-Identifier: Apache-2.0 */
/* Miscellaneous Unit: manual WormholeB0 TensixCoprocessor/MiscellaneousUnit. */
#include "tensix_units.h"

step_result misc_NOP(tensix_step *s, const struct op_NOP *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}
