/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a tile: what is recorded, what stops the chip. */
#include "tile/parts.h"

#include "tile/fault_list.h"

#include <stdarg.h>
#include <stdio.h>

void tile_stop(struct tile *tile, uint64_t cycle)
{
    if (cycle < tile->stopped_at) {
        tile->stopped_at = cycle;
        __atomic_store_n(tile->stopping, true, __ATOMIC_RELAXED);
        *tile->due = min64(*tile->due, cycle); /* the chip must look */
    }
}

/* The same is on record already, or there is no room for it: a debugger asks again and again. */
static bool is_noted(const struct tile *tile, const kerr_fault *fault)
{
    bool noted = tile->fault_count >= TILE_FAULTS;
    for (uint32_t i = 0; i < tile->fault_count && !noted; i++) {
        const kerr_fault *f = &tile->fault[i];
        noted = f->asker == fault->asker && f->kind == fault->kind && f->address == fault->address &&
                strcmp(f->text, fault->text) == 0;
    }
    return noted;
}

static bool record_fault(struct tile *tile, kerr_fault *fault)
{
    kerr_policy policy = tile->environment->policy[fault->kind];
    if (fault->asker == KERR_ASKER_HOST_READ) {
        policy = policy == KERR_POLICY_IGNORE || is_noted(tile, fault) ? KERR_POLICY_IGNORE : KERR_POLICY_GO_ON;
    }
    fault->tile = tile->at;
    fault->stopping = policy == KERR_POLICY_STOP;
    if (policy != KERR_POLICY_IGNORE) {
        fault_list_put(tile->fault, &tile->fault_count, TILE_FAULTS, fault);
    }
    if (fault->stopping) {
        tile_stop(tile, fault->cycle);
    }
    return fault->stopping;
}

/* What the core cannot go on from: the policy may only leave the record out. */
void tile_bus_fault(void *owner, unsigned core, const rv_fault *f)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    kerr_fault fault = {.kind = (kerr_fault_kind)f->kind,
                        .core = (int8_t)core,
                        .pc = f->pc,
                        .instruction = f->instruction,
                        .address = f->address,
                        .cycle = f->cycle,
                        .manual = f->manual};
    memcpy(fault.text, f->text, sizeof fault.text);
    if (!record_fault(tile, &fault)) {
        /* No document gives the continuation: this core stays where it is, the others go on. */
        tile->core[core].state = RV_STOPPED;
        tile->stirred |= (uint8_t)(1u << core);
    }
}

void tile_fault(struct tile *tile, kerr_fault_kind kind, unsigned client, uint32_t address, uint64_t cycle,
                const char *manual, const char *text, ...)
{
    kerr_fault fault = {.kind = kind,
                        .core = client < KERR_CORE_COUNT ? (int8_t)client : -1,
                        .address = address,
                        .cycle = cycle,
                        .manual = manual};
    if (client < KERR_CORE_COUNT) {
        const rv_core *core = &tile->core[client];
        fault.pc = core->pc;
        if (core->pc < tile->l1_bytes - 3) {
            fault.instruction = load32(tile->l1 + core->pc);
        }
    }
    if (tile->host == HOST_READS || (tile->host == HOST_WRITES && client == CLIENT_NOC)) {
        fault.asker = tile->host == HOST_READS ? KERR_ASKER_HOST_READ : KERR_ASKER_HOST;
        fault.core = -1; /* a debugger's load is not what the core does */
        fault.pc = fault.instruction = 0;
    } else if (client == CLIENT_NOC && tile->served != NULL && noc_has_asker(tile->served)) {
        const noc_node node = noc_asker_node(tile->served);
        fault.asker = (1u + tile->served->initiator_core) & 0x7Fu;
        fault.asker_noc = tile->served->noc & 1u;
        fault.asker_tile = (kerr_xy){(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)};
        fault.pc = tile->served->initiator_pc;
    }
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(fault.text, sizeof fault.text, text, arguments);
    va_end(arguments);
    if (record_fault(tile, &fault) && fault.core >= 0) {
        tile->core[client].state = RV_STOPPED;
        tile->stirred |= (uint8_t)(1u << client);
    }
}

bool tile_tensix_fault(struct tile *tile, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                       uint64_t cycle, const char *manual, const char *text)
{
    kerr_fault fault = {.kind = kind,
                        .core = (int8_t)(by_b ? KERR_CORE_B : KERR_CORE_T0 + thread),
                        .thread = (uint8_t)(thread + 1),
                        .pc = pc,
                        .instruction = word,
                        .cycle = cycle,
                        .manual = manual};
    snprintf(fault.text, sizeof fault.text, "%s", text);
    if (CHECKED(tile) && kind == KERR_FAULT_HAZARD && tile->environment->policy[kind] == KERR_POLICY_IGNORE) {
        hook_hazard(tile, &fault); /* hardware goes on, and so does the chip */
        return false;
    }
    return record_fault(tile, &fault);
}

void tile_core_fault(struct tile *tile, kerr_fault_kind kind, unsigned core, uint32_t pc, uint32_t address,
                     uint64_t cycle, const char *text)
{
    kerr_fault fault = {.kind = kind,
                        .core = (int8_t)core,
                        .pc = pc,
                        .instruction = pc < tile->l1_bytes - 3 ? load32(tile->l1 + pc) : 0,
                        .address = address,
                        .cycle = cycle};
    snprintf(fault.text, sizeof fault.text, "%s", text);
    record_fault(tile, &fault);
}
