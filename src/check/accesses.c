/* SPDX-License-Identifier: Apache-2.0 */
#include "check/accesses.h"

void accesses_tell(const struct tile_check *check, unsigned space, uint32_t address, uint32_t size, unsigned how)
{
    const tile_environment *environment = check->tile->environment;
    if (!(environment->trace_kinds & KERR_TRACE_ACCESS) || !(how & CHECK_ATOMIC))
        return;
    kerr_access access = check->who;
    access.address = address;
    access.size = size;
    access.is_write = (how & CHECK_WRITE) != 0;
    const kerr_trace_event event = {.cycle = access.cycle,
                                    .at = check->tile->at,
                                    .kind = KERR_TRACE_ACCESS,
                                    .space = (uint8_t)space,
                                    .access = &access};
    environment->trace(environment->trace_context, &event);
}
