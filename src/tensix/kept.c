/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/kept.h"

#include "base/fast.h"
#include "tensix/vector/code.h"

#include <stdlib.h>

struct tensix_kept *tensix_kept_create(uint32_t without)
{
    struct tensix_kept *kept = calloc(1, sizeof *kept);
    if (kept != NULL && !(without & FAST_CODE))
        kept->codes = code_store_create();
    return kept;
}

void tensix_kept_destroy(struct tensix_kept *kept)
{
    if (kept != NULL)
        code_store_destroy(kept->codes);
    free(kept);
}
