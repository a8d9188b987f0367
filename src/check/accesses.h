/* SPDX-License-Identifier: Apache-2.0 */
/* What checks are told of, for a trace (KERR_TRACE_ACCESS). */
#ifndef KERR_CHECK_ACCESSES_H
#define KERR_CHECK_ACCESSES_H

#include "check/hooks.h"

/* accesses.c */
void accesses_tell(const struct tile_check *check, unsigned space, uint32_t address, uint32_t size, unsigned how);
/* Who acts touches this. */
static inline void accesses(const struct tile_check *check, unsigned space, uint32_t address, uint32_t size,
                            unsigned how)
{
    if (check->checks & KERR_CHECK_ACCESSES)
        accesses_tell(check, space, address, size, how);
}

#endif
