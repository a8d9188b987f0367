/* SPDX-License-Identifier: Apache-2.0 */
/* Caches that are behind L1: loads from the L0 data cache, and code that was overwritten.
 *
 * The instruction caches of this simulator notice what cores write (riscv/icache.c), those of the chip do not: a line that a core
 * held when it was written, by anybody, is remembered here until the core's cache is invalidated or the core is reset, and an
 * entry into it is a finding. */
#include "check/memory.h"

#include "base/bits.h"

#include <string.h>

void memory_stale_l0(struct tile_check *check, uint32_t address, uint32_t size, uint32_t was, uint32_t is)
{
    kerr_access access = check->who;
    access.address = address;
    access.size = size;
    check_report(
        check, FINDING_STALE_L0, &access, NULL, NULL, "BlackholeA0/TensixTile/BabyRISCV/README \"L0 Data Cache\"",
        "a load of %u bytes at 0x%x takes 0x%x from the L0 data cache; L1 has 0x%x by now", size, address, was, is);
}

/* ---- Code ------------------------------------------------------------------------------------------------------------ */

static bool has_line(const rv_core *core, uint32_t line)
{
    const uint32_t *tag = core->ic_tag[line % COST_ICACHE_SETS];
    bool has = false;
    for (unsigned way = 0; way < COST_ICACHE_WAYS; way++)
        has = has || tag[way] == line + 1;
    return has;
}

static __attribute__((noinline)) void remember(struct tile_check *check, uint32_t address, uint32_t size)
{
    struct check_memory *m = check->memory;
    const struct tile *tile = check->tile;
    _Static_assert((int)COST_ICACHE_LINE_BYTES == (int)MEMORY_GRANULE, "a line is a granule");
    bool any = false;
    for (uint32_t line = address / MEMORY_GRANULE; line <= (address + size - 1) / MEMORY_GRANULE; line++)
        for (unsigned i = 0; i < tile->cores; i++)
            if (tile->core[i].state != RV_IN_RESET && has_line(&tile->core[i], line)) {
                m->stale[line] |= (uint8_t)(1u << i);
                m->stale_cores |= 1u << i;
                any = true;
            }
    if (any) {
        kerr_access *writer = &m->writer[m->next_writer++ % MEMORY_WRITERS];
        *writer = check->who;
        writer->address = address;
        writer->size = size;
        writer->is_write = true;
    }
}

void memory_code_written(struct tile_check *check, uint32_t address, uint32_t size)
{
    const uint8_t *flags = check->tile->line_flags;
    for (uint32_t line = address >> LINE_SHIFT; line <= (address + size - 1) >> LINE_SHIFT; line++)
        if (UNLIKELY(flags[line] & LINE_CODE)) {
            remember(check, address, size);
            return;
        }
}

static const kerr_access *who_wrote(const struct check_memory *m, uint32_t address)
{
    for (uint32_t i = 1; i <= MEMORY_WRITERS && i <= m->next_writer; i++) {
        const kerr_access *writer = &m->writer[(m->next_writer - i) % MEMORY_WRITERS];
        if (writer->address < address + MEMORY_GRANULE && address < writer->address + writer->size)
            return writer;
    }
    return NULL;
}

static void report(struct tile_check *check, unsigned core, uint32_t pc, uint64_t cycle, const kerr_access *writer)
{
    const kerr_access access = {.actor = KERR_ACTOR_CORE,
                                .tile = check->tile->at,
                                .core = (int8_t)core,
                                .pc = pc,
                                .instruction = load32(check->tile->l1 + (pc & ~3u)),
                                .address = pc,
                                .size = 4,
                                .cycle = cycle};
    check_report(
        check, FINDING_CODE_OVERWRITTEN, &access, writer, NULL,
        "BlackholeA0/TensixTile/BabyRISCV/README \"Instruction cache\"",
        "the core runs code at 0x%x that was overwritten while it was in its instruction cache, which nobody has "
        "invalidated (RISCV_IC_INVALIDATE)",
        pc);
}

void memory_ran(struct tile_check *check, unsigned core, uint32_t pc, uint32_t count, uint64_t cycle)
{
    struct check_memory *m = check->memory;
    if (LIKELY(!(m->stale_cores >> core & 1)) || count == 0 || pc >= check->tile->l1_bytes - 4 * count)
        return;
    for (uint32_t line = pc / MEMORY_GRANULE; line <= (pc + 4 * count - 1) / MEMORY_GRANULE; line++) {
        if (!(m->stale[line] >> core & 1))
            continue;
        const kerr_access *writer = who_wrote(m, line * MEMORY_GRANULE);
        if (writer == NULL || writer->cycle >= cycle)
            continue; /* it came to it before that */
        m->stale[line] &= (uint8_t) ~(1u << core);
        report(check, core, line * MEMORY_GRANULE > pc ? line * MEMORY_GRANULE : pc, cycle, writer);
    }
}

void memory_invalidates(struct tile_check *check, unsigned cores)
{
    struct check_memory *m = check->memory;
    cores &= m->stale_cores;
    m->stale_cores &= ~cores;
    for (uint32_t i = 0; cores != 0 && i < L1_BYTES / MEMORY_GRANULE; i++)
        m->stale[i] &= (uint8_t)~cores;
}
