/* SPDX-License-Identifier: Apache-2.0 */
/* What was ever written, in L1, local RAM, Dst, SrcA, SrcB and LRegs, and reads of what was not.
 *
 * L1 is kept in granules of 16 bytes, local RAM in words, the others in rows and registers: a place counts as written as soon as
 * any of it is.  So a finding is never wrong about a granule, and a byte beside one that was written goes unnoticed. */
#include "check/memory.h"

#include "base/bits.h"

#include "tensix/vector/instructions.h"

#include "tensix_isa.h"

#include <string.h>

void memory_finds(struct tile_check *check, bool is_new)
{
    struct check_memory *m = check->memory;
    const struct tile *tile = check->tile;
    enum { PAGE_GRANULES = (1 << TOUCH_SHIFT) / MEMORY_GRANULE };
    /* The ARC's firmware, which is not run here, keeps there whether kernels have to throttle (the vendor's dev_mem_map.h). */
    enum { MEM_L1_ARC_FW_SCRATCH = 16 };
    m->l1[MEM_L1_ARC_FW_SCRATCH / MEMORY_GRANULE] = GRANULE_WRITTEN;
    memset(m->given_back, 0, sizeof m->given_back);
    memset(m->reset, 0, sizeof m->reset);
    for (uint32_t page = 0; page < L1_BYTES >> TOUCH_SHIFT; page++)
        if (tile->touched[page] != 0)
            memset(m->l1 + page * PAGE_GRANULES, GRANULE_WRITTEN, PAGE_GRANULES);
    if (is_new)
        return;
    memset(m->local, 0xFF, sizeof m->local);
    memset(m->dst, 0xFF, sizeof m->dst);
    memset(m->src, 0xFF, sizeof m->src);
    m->lregs = UINT32_MAX;
}

static kerr_access at(const struct tile_check *check, uint32_t address, uint32_t size, bool is_write)
{
    kerr_access access = check->who;
    access.address = address;
    access.size = size;
    access.is_write = is_write;
    return access;
}

/* ---- L1 ------------------------------------------------------------------------------------------------------------ */

static const char *reader(const struct tile_check *check)
{
    switch (check->who.actor) {
    case KERR_ACTOR_CORE: return "a load";
    case KERR_ACTOR_THREAD: return tensix_ops[tensix_op_of[check->who.instruction >> 24]].name;
    case KERR_ACTOR_NOC: return "a NoC transfer";
    default: return "a device";
    }
}

static __attribute__((noinline)) void l1_is_unwritten(struct tile_check *check, uint32_t address, uint32_t size,
                                                      uint32_t granule)
{
    struct check_memory *m = check->memory;
    const uint32_t first = granule * MEMORY_GRANULE, from = first > address ? first : address;
    uint32_t end = granule;
    while (end * MEMORY_GRANULE < address + size && !(m->l1[end] & GRANULE_WRITTEN))
        m->l1[end++] |= GRANULE_WRITTEN; /* told once */
    const uint32_t to = end * MEMORY_GRANULE < address + size ? end * MEMORY_GRANULE : address + size;
    const kerr_access access = at(check, address, size, false);
    const struct memory_cause cause = memory_cause_of_l1(check);
    check_report(check, FINDING_UNINIT_L1, &access, cause.by, cause.field, "BlackholeA0/TensixTile/L1",
                 "%s of %u bytes at 0x%x finds %u bytes from 0x%x on that nobody has written%s", reader(check), size,
                 address, to - from, from, cause.text);
}

/* What a NoC transfer sends need not all be there: pages have padding.  Of one in which nothing was ever written, something should
 * have been. */
static bool wants_all(const struct tile_check *check)
{
    return check->who.actor != KERR_ACTOR_NOC;
}

static inline void l1_read(struct tile_check *check, uint32_t address, uint32_t size)
{
    struct check_memory *m = check->memory;
    const uint32_t first = address / MEMORY_GRANULE, last = (address + size - 1) / MEMORY_GRANULE;
    if (LIKELY(first == last)) {
        if (UNLIKELY(!(m->l1[first] & GRANULE_WRITTEN)))
            l1_is_unwritten(check, address, size, first);
        return;
    }
    uint8_t all = GRANULE_WRITTEN, any = 0;
    for (uint32_t i = first; i <= last; i++) {
        all &= m->l1[i];
        any |= m->l1[i];
    }
    if (LIKELY(wants_all(check) ? all : any & GRANULE_WRITTEN))
        return;
    for (uint32_t i = first; i <= last; i++)
        if (!(m->l1[i] & GRANULE_WRITTEN)) {
            l1_is_unwritten(check, address, size, i);
            return;
        }
}

void memory_l1(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    struct check_memory *m = check->memory;
    if (size == 0)
        return;
    const uint32_t first = address / MEMORY_GRANULE, last = (address + size - 1) / MEMORY_GRANULE;
    uint8_t any = 0;
    for (uint32_t i = first; i <= last && (how & CHECK_READ); i++)
        any |= m->l1[i];
    /* What a NoC transaction is about to write is told of by that alone. */
    if ((how & CHECK_READ) && !(UNLIKELY(any & GRANULE_TRANSFER) && memory_is_awaited(check, address, size)))
        l1_read(check, address, size);
    any = 0;
    for (uint32_t i = first; i <= last; i++) {
        any |= m->l1[i];
        m->l1[i] |= how & CHECK_WRITE ? GRANULE_WRITTEN : 0;
    }
    if (UNLIKELY(any & GRANULE_TRANSFER))
        memory_overlap(check, address, size, how);
    if (how & CHECK_WRITE)
        memory_code_written(check, address, size);
    if (check->buffers->count != 0 && check->who.actor == KERR_ACTOR_THREAD)
        memory_buffer_unit(check, address, size, how);
    if (check->launch.cbs != 0 && check->who.actor == KERR_ACTOR_THREAD)
        memory_cb_unit(check, address, size, how);
}

/* ---- Local RAM ----------------------------------------------------------------------------------------------------- */

void memory_local(struct tile_check *check, unsigned core, uint32_t offset, uint32_t size, unsigned how)
{
    uint32_t *written = check->memory->local[core];
    for (uint32_t word = offset / 4; word <= (offset + size - 1) / 4; word++) {
        const uint32_t bit = UINT32_C(1) << word % 32;
        if ((how & CHECK_READ) && UNLIKELY(!(written[word / 32] & bit))) {
            const kerr_access access = at(check, LOCAL_RAM_BASE + offset, size, false);
            const kerr_access *reset = &check->memory->reset[core];
            check_report(check, FINDING_UNINIT_LOCAL, &access, reset->actor != KERR_ACTOR_NONE ? reset : NULL, NULL,
                         "BlackholeA0/TensixTile/BabyRISCV/README \"Local Data RAM\"",
                         "a load of %u bytes at 0x%08x: nobody has written there since the core left reset", size,
                         LOCAL_RAM_BASE + offset);
            written[word / 32] |= bit;
        }
        if (how & CHECK_WRITE)
            written[word / 32] |= bit;
    }
}

void memory_local_cleared(struct tile_check *check, unsigned core, uint64_t cycle)
{
    memset(check->memory->local[core], 0, sizeof check->memory->local[core]);
    check->memory->reset[core] = at(check, LOCAL_RAM_BASE, MEMORY_LOCAL_WORDS * 4, true);
    check->memory->reset[core].cycle = cycle;
}

/* ---- Register files --------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void row_is_unwritten(struct tile_check *check, unsigned row)
{
    const kerr_access access = at(check, row, 1, false);
    const struct memory_cause cause = memory_cause_of_row(check);
    check_report(check, FINDING_UNINIT_DST, &access, cause.by, cause.field,
                 "BlackholeA0/TensixTile/TensixCoprocessor/Dst",
                 "%s reads row %u of Dst, which nothing has written or cleared%s", reader(check), row, cause.text);
    check->memory->dst[row / 32] |= UINT32_C(1) << row % 32;
}

void memory_dst(struct tile_check *check, unsigned row, unsigned rows, unsigned how)
{
    struct check_memory *m = check->memory;
    for (unsigned r = row; r < row + rows && r < DST_ROWS; r++) {
        const uint32_t bit = UINT32_C(1) << r % 32;
        if ((how & CHECK_READ) && UNLIKELY(!(m->dst[r / 32] & bit)))
            row_is_unwritten(check, r);
        if (how & CHECK_WRITE)
            m->dst[r / 32] |= bit;
    }
}

static __attribute__((noinline)) void src_is_unwritten(struct tile_check *check, unsigned which, unsigned bank,
                                                       uint64_t rows, const kerr_access *back)
{
    const unsigned first = (unsigned)__builtin_ctzll(rows);
    const kerr_access access = at(check, first, (uint32_t)__builtin_popcountll(rows), false);
    check_report(check, FINDING_UNINIT_SRC, &access, back, NULL, "WormholeB0/TensixTile/TensixCoprocessor/SrcASrcB",
                 "%s reads %u row%s of Src%c, bank %u, from row %u on, which nothing has written%s", reader(check),
                 access.size, access.size == 1 ? "" : "s", 'A' + (int)which, bank, first,
                 back != NULL ? " since the bank was given back" : "");
}

/* Of rows that were written for an earlier tile some may be read: the vendor's reductions transpose sixteen and need one.  If none
 * of those that an instruction reads is new, it reads the wrong ones. */
void memory_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how)
{
    struct check_memory *m = check->memory;
    uint64_t *written = &m->src[which][bank], *again = &m->src_again[which][bank];
    if (rows == 0)
        return;
    uint64_t mask = rows >= SRC_ROWS ? UINT64_MAX : (UINT64_C(1) << rows) - 1;
    mask = row == 0 ? mask : mask << row | mask >> (SRC_ROWS - row);
    if ((how & CHECK_READ) && UNLIKELY((mask & ~*written) != 0)) {
        src_is_unwritten(check, which, bank, mask & ~*written, NULL);
        *written |= mask;
    } else if ((how & CHECK_READ) && UNLIKELY((mask & *again) == 0) &&
               m->given_back[which][bank].actor != KERR_ACTOR_NONE) {
        src_is_unwritten(check, which, bank, mask, &m->given_back[which][bank]);
        *again |= mask;
    }
    if (how & CHECK_WRITE) {
        *written |= mask;
        *again |= mask;
    }
}

void memory_src_given_back(struct tile_check *check, unsigned which, unsigned bank)
{
    check->memory->src_again[which & 1][bank & 1] = 0;
    check->memory->given_back[which & 1][bank & 1] = at(check, bank & 1, 1, true);
}

uint32_t memory_lreg_reads(uint32_t word)
{
    const unsigned op = tensix_op_of[word >> 24];
    const struct vector_operands o = vector_operands_of(op, word);
    return vector_lregs(op, &o).uses & EVERY_LREG;
}

uint32_t memory_lreg_writes(uint32_t word)
{
    const unsigned op = tensix_op_of[word >> 24];
    const struct vector_operands o = vector_operands_of(op, word);
    const uint32_t writes = vector_lregs(op, &o).writes;
    if (op == TENSIX_SFPLOADMACRO)
        return EVERY_LREG;
    return op == TENSIX_SFPLOAD ? writes | writes << 4 /* the index, if lanes capture it */ : writes;
}

/* An instruction whose VD is 12 or more is not executed but becomes a template of SFPLOADMACRO, unless lanes have that off (manual
 * SFPLOADMACRO). */
bool memory_is_template(const struct tile_check *check, uint32_t word)
{
    enum { FIRST_TEMPLATE = 12 };
    const unsigned op = tensix_op_of[word >> 24];
    return vector_has_low_VD(op) && op != TENSIX_SFPCONFIG && vector_operands_of(op, word).VD >= FIRST_TEMPLATE &&
           vector_lanes_with(&tile_tensix_files_const(check->tile)->vector, LANE_CONFIG_DISABLE_BACKDOOR_LOAD) == 0;
}

void memory_lregs(struct tile_check *check, uint32_t reads, uint32_t writes)
{
    struct check_memory *m = check->memory;
    const uint32_t unwritten = reads & ~m->lregs & EVERY_LREG;
    if (UNLIKELY(unwritten != 0)) {
        const unsigned first = (unsigned)__builtin_ctz(unwritten);
        const kerr_access access = at(check, first, 1, false);
        check_report(check, FINDING_UNINIT_LREG, &access, NULL, NULL, "BlackholeA0/TensixTile/TensixCoprocessor/LReg",
                     "%s reads LReg[%u], which no instruction has written", reader(check), first);
        m->lregs |= unwritten;
    }
    m->lregs |= writes;
}
