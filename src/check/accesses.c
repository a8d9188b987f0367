/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix_isa.h"
#include "tile/tile.h"

#include "check/accesses.h"
#include "costs.h"
#include "tile/tile.h"

/* The Scalar Unit reads its operands, and has its results, a cycle behind the gate; what comes from memory is told with the cycle
 * in which it is there. */
static uint64_t seen_at(const kerr_access *access, unsigned space)
{
    const unsigned op = tensix_op_of[access->instruction >> 24];
    if (space != KERR_SPACE_GPR || access->actor != KERR_ACTOR_THREAD || access->unit != UNIT_SCALAR)
        return access->cycle;
    const bool from_memory = access->is_write && (op == TENSIX_LOADIND || op == TENSIX_LOADREG ||
                                                  op == TENSIX_ATINCGET || op == TENSIX_ATINCGETPTR);
    return access->cycle + (from_memory ? 0 : COST_SCALAR_OPERAND);
}

void accesses_tell(const struct tile_check *check, unsigned space, uint32_t address, uint32_t size, unsigned how)
{
    const tile_environment *environment = check->tile->environment;
    if (!(environment->trace_kinds & KERR_TRACE_ACCESS) || !(how & CHECK_ATOMIC))
        return;
    kerr_access access = check->who;
    access.address = address;
    access.size = size;
    access.is_write = (how & CHECK_WRITE) != 0;
    access.cycle = seen_at(&access, space);
    const kerr_trace_event event = {.cycle = access.cycle,
                                    .at = check->tile->at,
                                    .kind = KERR_TRACE_ACCESS,
                                    .space = (uint8_t)space,
                                    .access = &access};
    environment->trace(environment->trace_context, &event);
}
