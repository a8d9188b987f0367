/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar Unit (ThCon): manual WormholeB0 TensixCoprocessor/ScalarUnit. */
#include "tensix_units.h"

step_result scalar_DMANOP(tensix_step *s, const struct op_DMANOP *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}
