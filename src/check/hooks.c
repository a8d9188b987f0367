/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks: who acts, and which part of the checks is told. */
#include "tensix_isa.h"

#include "check/accesses.h"
#include "check/hazard.h"
#include "check/hooks.h"
#include "check/launch.h"
#include "check/memory.h"
#include "check/sync.h"
#include "noc/packet.h"
#include "tensix/regs/dst.h"
#include "tile/tile.h"

#include "cfg_fields.h"

_Static_assert(offsetof(struct tile, lent) + offsetof(tensix_tile, check) == 0, "check_of");
_Static_assert(offsetof(struct tile_check, hooks) == 0, "hooks_of");

#include <string.h>

/* ---- Baby cores ------------------------------------------------------------------------------------------------- */

static void core_acts(struct tile_check *check, unsigned core, uint32_t instruction, uint64_t cycle)
{
    check->who = (kerr_access){.actor = KERR_ACTOR_CORE,
                               .tile = check->tile->at,
                               .core = (int8_t)core,
                               .pc = check->tile->core[core].pc,
                               .instruction = instruction,
                               .cycle = cycle};
}

void check_core_acts(struct tile_check *check, unsigned core, uint64_t cycle)
{
    core_acts(check, core, 0, cycle);
    if (check->sync != NULL)
        sync_core_acts(check, core, check->who.pc, 0, cycle);
}

void check_core_access(struct tile_check *check, unsigned core, uint32_t instruction, uint32_t address, unsigned size,
                       unsigned how, uint64_t cycle)
{
    core_acts(check, core, instruction, cycle);
    if (address < check->tile->l1_bytes)
        accesses(check, KERR_SPACE_L1, address, size, how);
    if (check->memory != NULL) {
        if (address >= check->tile->l1_bytes)
            memory_local(check, core, address - LOCAL_RAM_BASE, size, how);
        else
            memory_l1(check, address, size, how);
    }
    if (check->sync != NULL)
        sync_core_access(check, core, check->who.pc, instruction, address, size, how, cycle);
    if (address < LAUNCH_END) {
        if (how & CHECK_READ)
            launch_read(check, address);
        if (how & CHECK_WRITE)
            launch_written(check, core, address, size, cycle);
    }
}

void check_stale_l0(struct tile_check *check, uint32_t address, uint32_t size, uint32_t was, uint32_t is)
{
    if (check->memory != NULL)
        memory_stale_l0(check, address, size, was, is);
}

void check_local(struct tile_check *check, unsigned core, const void *at, size_t size, unsigned how)
{
    if (check->memory != NULL)
        memory_local(check, core, (uint32_t)((const uint8_t *)at - check->tile->core[core].local), (uint32_t)size, how);
}

void check_core_device(struct tile_check *check, unsigned core, uint32_t address, unsigned size, uint32_t value,
                       unsigned how, uint64_t cycle)
{
    core_acts(check, core, 0, cycle);
    (void)address, (void)size, (void)value, (void)how;
    if (check->sync != NULL)
        sync_core_device(check, core, check->who.pc, 0, address, value, how, cycle);
}

void check_core_enters(struct tile_check *check, unsigned core, uint32_t pc, uint64_t cycle)
{
    struct check_path *path = &check->path[core];
    const uint64_t instret = check->tile->core[core].instret;
    if (check->memory != NULL && path->next != 0) {
        const uint32_t last = (path->next - 1) % KERR_HISTORY;
        memory_ran(check, core, path->entry[last].pc, (uint32_t)(instret - path->entry[last].instret),
                   path->entry[last].cycle);
    }
    if (path->next != 0 && path->entry[(path->next - 1) % KERR_HISTORY].instret == instret)
        path->next--; /* it left before the first one was done */
    const uint32_t at = path->next++ % KERR_HISTORY;
    path->entry[at].cycle = cycle;
    path->entry[at].instret = instret;
    path->entry[at].pc = pc;
    if (check->sync != NULL)
        sync_core_enters(check, core, pc, cycle);
}

void check_push(struct tile_check *check, unsigned core, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    (void)check, (void)core, (void)thread, (void)word, (void)pc, (void)cycle;
    if (check->sync != NULL)
        sync_push(check, core, thread);
}

void check_core_reset(struct tile_check *check, unsigned core, bool in_reset, bool keeps_local, uint64_t cycle)
{
    (void)cycle;
    check->path[core].next = 0;
    if (check->memory != NULL && in_reset)
        memory_invalidates(check, 1u << core);
    if (check->memory != NULL && !in_reset && !keeps_local)
        memory_local_cleared(check, core, cycle);
    if (check->sync != NULL)
        sync_core_reset(check, core, in_reset, cycle);
}

void check_invalidates(struct tile_check *check, unsigned cores, uint64_t cycle)
{
    (void)cycle;
    if (check->memory != NULL)
        memory_invalidates(check, cores);
}

/* ---- Who acts ----------------------------------------------------------------------------------------------------- */

static int8_t core_of(unsigned thread, uint32_t pc)
{
    return (int8_t)(pc & TENSIX_ENTRY_BY_B ? (unsigned)KERR_CORE_B : KERR_CORE_T0 + thread);
}

static void unit_acts(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                      uint64_t cycle)
{
    check->who = (kerr_access){.actor = KERR_ACTOR_THREAD,
                               .tile = check->tile->at,
                               .core = core_of(thread, pc),
                               .thread = (uint8_t)thread,
                               .unit = (uint8_t)unit,
                               .pc = pc & ~3u,
                               .instruction = word,
                               .cycle = cycle};
}

void check_unit_goes_on(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                        uint64_t cycle)
{
    unit_acts(check, unit, thread, pc, word, cycle);
    if (check->sync != NULL)
        sync_unit_goes_on(check, unit, thread, pc, word, cycle);
}

void check_unit_begins(struct tile_check *check, const struct tensix_step *s)
{
    unit_acts(check, s->unit, s->thread, s->pc, s->word, s->cycle);
    check->reader = config_reader_of(s);
    if (check->memory != NULL && (s->unit == UNIT_PACK || s->unit == UNIT_UNPACK))
        memory_unit_begins(check, s);
    if (check->sync != NULL)
        sync_unit_begins(check, s);
}

/* What it has read of Config, for who asks for every access. */
static void tell_config(const struct tile_check *check)
{
    for (unsigned word = 0; word < CFG_WORDS; word++)
        if (config_bits_read(&check->reader, word) != 0)
            accesses(check, KERR_SPACE_CONFIG,
                     (word >= GLOBAL_CFGREG_BASE_ADDR32 ? 0 : check->reader.bank) * 256u + word, 1, CHECK_READ);
}

void check_unit_done(struct tile_check *check, const struct tensix_step *s)
{
    struct check_history *h = &check->history[s->thread];
    h->step[h->next++ % KERR_HISTORY] = (kerr_step){s->cycle, s->pc & ~3u, s->word};
    if (s->unit == UNIT_VECTOR && check->memory != NULL && !memory_is_template(check, s->word))
        memory_lregs(check, memory_lreg_reads(s->word), memory_lreg_writes(s->word));
    if (check->hazard.count != 0)
        hazard_uses(check, s);
    if ((check->checks & KERR_CHECK_ACCESSES) && check->reader.reader != CFG_READERS)
        tell_config(check);
    if (check->sync != NULL)
        sync_unit_done(check, s);
}

void check_seen_from(struct tile_check *check, uint64_t cycle)
{
    check->who.cycle = cycle;
}

void check_hold(struct tile_check *check)
{
    check->held = check->who;
    if (check->sync != NULL)
        sync_hold(check);
}

void check_resume(struct tile_check *check)
{
    check->who = check->held;
    if (check->sync != NULL)
        sync_resume(check);
}

void check_mover_starts(struct tile_check *check)
{
    check->mover = check->who;
    if (check->sync != NULL)
        sync_mover_starts(check);
}

void check_mover_goes_on(struct tile_check *check, uint64_t cycle)
{
    check->who = check->mover;
    check->who.cycle = cycle;
    if (check->sync != NULL)
        sync_mover_goes_on(check, cycle);
}

void check_packet_acts(struct tile_check *check, const struct noc_packet *packet, uint64_t cycle)
{
    const bool is_answer = packet->op == NOC_READ_RESPONSE || packet->op == NOC_ATOMIC_RESPONSE;
    const unsigned asker = is_answer ? packet->destination : packet->source;
    check->who =
        (kerr_access){.actor = KERR_ACTOR_NOC,
                      .tile = {(uint8_t)(asker % NOC_GRID_X), (uint8_t)(asker / NOC_GRID_X)},
                      .core = packet->initiator_core < KERR_CORE_COUNT ? (int8_t)packet->initiator_core : (int8_t)-1,
                      .noc = packet->noc,
                      .pc = packet->initiator_pc,
                      .cycle = cycle};
    if (check->sync != NULL)
        sync_packet_acts(check, packet, cycle);
}

void check_acts(struct tile_check *check, unsigned actor, uint64_t cycle)
{
    check->who = (kerr_access){.actor = (uint8_t)actor, .tile = check->tile->at, .core = -1, .cycle = cycle};
    if (check->sync != NULL)
        sync_acts(check, actor, cycle);
}

/* ---- What is touched ---------------------------------------------------------------------------------------------- */

void check_l1(struct tile_check *check, uint64_t place, uint32_t size, unsigned how)
{
    const uint32_t address = (uint32_t)place;
    accesses(check, KERR_SPACE_L1, address, size, how);
    if (check->memory != NULL)
        memory_l1(check, address, size, how);
    if (check->sync != NULL)
        sync_l1(check, address, size, how);
}

void check_dst_bits(struct tile_check *check, unsigned row, unsigned rows, unsigned how)
{
    accesses(check, KERR_SPACE_DST, row, rows, how);
    if (check->checks & KERR_CHECK_HAZARD)
        hazard_dst(check, row, rows, how);
    if (check->memory != NULL)
        memory_dst(check, row, rows, how);
    for (unsigned i = 0; check->sync != NULL && i < rows; i++)
        sync_dst(check, row + i, 0xFFFF, how);
}

void check_dst(struct tile_check *check, struct check_rows r, unsigned how)
{
    for (unsigned i = 0; i < r.rows; i++) {
        const unsigned row = r.row + i * r.step;
        const unsigned at = r.wide ? dst_row32(r.access, row) : dst_row16(r.access, row);
        check_dst_bits(check, at, 1, how);
        if (r.wide && (how & CHECK_WRITE)) /* whether a row of Dst32b is there is kept with its high half */
            check_dst_bits(check, at + DST_LOW_HALF, 1, how);
    }
}

void check_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how)
{
    accesses(check, which == 0 ? KERR_SPACE_SRCA : KERR_SPACE_SRCB, bank * 64 + row, rows, how);
    if (check->memory != NULL)
        memory_src(check, which, bank, row, rows, how);
    if (check->sync != NULL)
        sync_src(check, which, bank, row, rows, how);
}

void check_bank(struct tile_check *check, unsigned which, unsigned bank, bool back)
{
    if (check->memory != NULL && back)
        memory_src_given_back(check, which, bank);
    if (check->sync != NULL)
        sync_bank(check, which, bank);
}

void check_lregs(struct tile_check *check, uint32_t reads, uint32_t writes)
{
    if (check->memory != NULL)
        memory_lregs(check, reads, writes);
}

void check_gpr(struct tile_check *check, unsigned thread, unsigned index, unsigned count, unsigned how)
{
    accesses(check, KERR_SPACE_GPR, thread * 64 + index, count, how);
    if (check->sync != NULL)
        sync_gpr(check, thread, index, count, how);
}

void check_config(struct tile_check *check, unsigned bank, unsigned word, unsigned how, uint64_t visible)
{
    accesses(check, KERR_SPACE_CONFIG, bank * 256 + word, 1, how);
    if ((how & CHECK_WRITE) && check->memory != NULL)
        memory_config(check, bank, word);
    if ((how & CHECK_LATER) && (check->checks & KERR_CHECK_HAZARD))
        hazard_config_later(check, bank, word, visible);
    if (check->sync != NULL)
        sync_config(check, bank, word, how);
}

void check_semaphore(struct tile_check *check, unsigned index, int change, unsigned value)
{
    accesses(check, KERR_SPACE_SEMAPHORE, index, 1, CHECK_WRITE);
    if (check->sync != NULL)
        sync_semaphore(check, index, change, value);
}

void check_core_semaphore(struct tile_check *check, unsigned core, unsigned index, int change, unsigned value,
                          uint64_t cycle)
{
    if (core >= CHECK_CORES)
        return;
    accesses(check, KERR_SPACE_SEMAPHORE, index, 1, CHECK_WRITE);
    if (check->sync != NULL)
        sync_core_semaphore(check, core, check->who.pc, index, change, value, cycle);
}

void check_hazard(struct tile_check *check, const kerr_fault *fault)
{
    if (!(check->checks & KERR_CHECK_HAZARD))
        return;
    const kerr_access access = {.actor = KERR_ACTOR_THREAD,
                                .tile = check->tile->at,
                                .core = fault->core,
                                .thread = (uint8_t)(fault->thread - 1),
                                .unit = check->who.unit,
                                .pc = fault->pc,
                                .instruction = fault->instruction,
                                .cycle = fault->cycle};
    check_report(check, FINDING_HAZARD, &access, NULL, NULL, fault->manual, "%s", fault->text);
}

/* ---- NoC transactions ----------------------------------------------------------------------------------------------- */

void check_noc_begins(struct tile_check *check, const struct check_request *request, uint64_t cycle)
{
    if (check->memory != NULL)
        memory_noc_begins(check, request, cycle);
    if (check->sync != NULL)
        sync_noc_begins(check, request, cycle);
}

void check_noc_left(struct tile_check *check, unsigned noc, unsigned transaction_id, uint64_t cycle)
{
    (void)cycle;
    if (check->memory != NULL)
        memory_noc_left(check, noc, transaction_id);
}

void check_noc_answered(struct tile_check *check, unsigned noc, unsigned op, unsigned transaction_id, uint64_t local,
                        uint32_t length, uint64_t cycle)
{
    (void)cycle;
    if (check->memory != NULL && op == NOC_READ_RESPONSE)
        memory_noc_read(check, noc, transaction_id, (uint32_t)local, length);
}

void check_packet_done(struct tile_check *check, uint64_t cycle)
{
    if (check->sync != NULL)
        sync_packet_done(check, cycle);
}

/* ---- The rest ------------------------------------------------------------------------------------------------------- */

void check_device(struct tile_check *check, uint32_t address, uint32_t value, unsigned how)
{
    if (check->sync != NULL)
        sync_register(check, address, value, how);
}

void check_stuck(struct tile_check *check, unsigned thread)
{
    if (check->sync != NULL)
        sync_stuck(check, thread);
}

const struct hook_table check_hooks = {
#define HOOK(name, parameters, arguments) .name = check_##name,
#define HOOK0(name) .name = check_##name,
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK0
};
