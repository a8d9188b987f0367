/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/lap_packs.h"

#include "tensix/laps.h"
#include "tensix/pack/pack.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/matrix_unit.h"

#include "cfg_fields.h"
#include "tensix_isa.h"
#include "tile/blocks.h"
#include "tile/devices.h"

#include <string.h>

enum { SOFT_RESET_PACKER = 2 }; /* pacr.c */

/* ---- While one is made -------------------------------------------------------------------------------------- */

void lap_packs_begin(struct lap_packs *packs)
{
    packs->noted = packs->data_must = packs->data_same = false;
    packs->rows = packs->packs = packs->heads = 0;
    memset(packs->used, 0, sizeof packs->used);
}

/* Behind the last rows in L1, or a pack of its own. */
static bool append(struct lap_packs *packs, uint32_t address, unsigned rows)
{
    struct lap_pack *last = packs->packs != 0 ? &packs->pack[packs->packs - 1] : NULL;
    if (last == NULL || last->address + (uint32_t)last->rows * packs->row_bytes != address) {
        if (packs->packs == LAP_PACKS)
            return false;
        last = &packs->pack[packs->packs++];
        *last = (struct lap_pack){.address = address, .first = (uint16_t)packs->rows};
    }
    last->rows = (uint16_t)(last->rows + rows);
    return true;
}

void lap_packs_note(struct lap_packs *packs, const tensix_step *s, uint32_t access, const uint16_t *const cells[],
                    unsigned rows, uint32_t address, unsigned bytes)
{
    const struct tensix_pack_plan *plan = &s->tx->packer.plan;
    const uint16_t *first = tile_tensix_files_const(s->tile)->DstBits[0];
    if (packs->rows == 0) {
        packs->way = plan->way;
        packs->row_bytes = (uint8_t)(bytes / rows);
        packs->access = access;
    }
    if (plan->accumulate || (plan->LateToFormat & OUT_HAS_EXPONENTS) || packs->way != plan->way ||
        packs->row_bytes != bytes / rows || packs->access != access || packs->rows + rows > LAP_PACK_ROWS ||
        !append(packs, address, rows))
        return;
    packs->head[packs->heads++] = (uint16_t)((cells[0] - first) / DST_COLUMNS);
    for (unsigned i = 0; i < rows; i++) {
        const unsigned row = (unsigned)((cells[i] - first) / DST_COLUMNS);
        packs->row[packs->rows++] = (uint16_t)row;
        packs->used[row / 32] |= UINT32_C(1) << row % 32;
    }
    packs->noted = true;
}

bool lap_packs_take(struct lap_packs *packs, const tensix_step *s)
{
    /* Conditions that depend on cycles of the lap alone: memory, packer, Matrix, Vector and Configuration Unit. */
    enum { OWN_CONDITIONS = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 11 | 1 << 12 };
    const bool noted = packs->noted;
    packs->noted = false;
    if (tensix_reserved_set(s->word) != 0)
        return false;
    packs->data_must |= s->op == TENSIX_PACR || s->op == TENSIX_CFGSHIFTMASK;
    switch (s->op) {
    case TENSIX_PACR: return noted;
    case TENSIX_CFGSHIFTMASK: return decode_CFGSHIFTMASK(s->word).CfgIndex < GLOBAL_CFGREG_BASE_ADDR32;
    case TENSIX_STALLWAIT: {
        const uint32_t conditions = decode_STALLWAIT(s->word).ConditionMask;
        return conditions != 0 && (conditions & ~(uint32_t)OWN_CONDITIONS) == 0;
    }
    default: return false;
    }
}

/* ---- Its end ------------------------------------------------------------------------------------------------ */

void lap_packs_count(struct lap_packs *packs, const struct tensix *from, const struct tensix *to)
{
    packs->cycles = to->data_cycles[1] - from->data_cycles[1];
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        packs->sizes[i] = (uint16_t)(to->packer.acc_tile_size[i] - from->packer.acc_tile_size[i]);
}

/* What changes nothing but GPRs, configuration and address counters. */
static bool is_data(const struct lap_step *step)
{
    switch (step->op) {
    case TENSIX_SETDMAREG: return !decode_SETDMAREG(step->word).SetSignalsMode;
    case TENSIX_WRCFG: {
        const struct op_WRCFG op = decode_WRCFG(step->word);
        return !op.Is128Bit && op.CfgIndex != STATE_RESET_EN_ADDR32;
    }
    case TENSIX_SETC16: {
        const unsigned index = decode_SETC16(step->word).CfgIndex;
        return index != UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32 && index != CFG_STATE_ID_StateID_ADDR32;
    }
    default: return true;
    }
}

static bool data_is_same(const struct tensix *a, const struct tensix *b)
{
    bool same = memcmp(a->config, b->config, sizeof a->config) == 0 && a->later_count == b->later_count;
    for (unsigned i = 0; same && i < TENSIX_THREADS; i++)
        same = memcmp(a->thread[i].gpr, b->thread[i].gpr, sizeof a->thread[i].gpr) == 0 &&
               memcmp(a->thread[i].config, b->thread[i].config, sizeof a->thread[i].config) == 0 &&
               memcmp(a->thread[i].adc, b->thread[i].adc, sizeof a->thread[i].adc) == 0;
    for (unsigned i = 0; same && i < a->later_count; i++)
        same = a->later[i].value == b->later[i].value;
    return same;
}

/* Some rows of a pack beside what is in L1.  They differ also where a later pack has gone over them: such laps are few. */
static bool rows_are_there(const struct lap_packs *packs, const struct tile *tile, const struct lap_pack *pack,
                           unsigned from, unsigned rows)
{
    uint8_t bytes[16 * 4 * DST_COLUMNS];
    const uint32_t address = pack->address + from * packs->row_bytes;
    pack_way_rows_from((enum pack_way)packs->way, rows, bytes, tile_tensix_files_const(tile)->DstBits[0],
                       packs->row + pack->first + from, DST_LOW_HALF * DST_COLUMNS);
    return memcmp(bytes, tile_l1(tile) + address, (size_t)rows * packs->row_bytes) == 0;
}

static bool all_is_there(const struct lap_packs *packs, const struct tile *tile)
{
    bool there = true;
    for (unsigned i = 0; i < packs->packs; i++)
        for (unsigned from = 0; there && from < packs->pack[i].rows; from += 16)
            there = rows_are_there(packs, tile, &packs->pack[i], from,
                                   packs->pack[i].rows - from < 16 ? packs->pack[i].rows - from : 16);
    return there;
}

bool lap_packs_end(struct lap_packs *packs, const struct lap_steps *steps, const struct tile *tile,
                   const struct tensix *from, const struct tensix *to)
{
    for (unsigned i = 0; i < steps->count; i++)
        if (!is_data(&steps->step[i]))
            return false;
    packs->data_same = data_is_same(from, to);
    return packs->data_same && all_is_there(packs, tile);
}

/* ---- Again -------------------------------------------------------------------------------------------------- */

/* But for what is counted, and for exponents: rows_are_plain. */
static bool packer_is_same(const struct tensix_packer *a, const struct tensix_packer *b)
{
    const size_t rest = offsetof(struct tensix_packer, last_thread);
    return a->last_tile_size == b->last_tile_size && a->all_zero_flags == b->all_zero_flags &&
           memcmp((const uint8_t *)a + rest, (const uint8_t *)b + rest, sizeof *a - rest) == 0;
}

/* Where rows go: NULL if somebody heeds what is written there. */
static uint8_t *place_of(const struct lap_packs *packs, struct tile *tile, unsigned i)
{
    const struct lap_pack *pack = &packs->pack[i];
    const unsigned bytes = (unsigned)pack->rows * packs->row_bytes;
    return (uint64_t)pack->address + bytes <= tile_l1_size(tile) ? tile_l1_unheeded(tile, pack->address, bytes) : NULL;
}

/* Rows are there, and no exponent of theirs does anything to the packer. */
static bool rows_are_plain(const struct lap_packs *packs, const struct tile *tile, const struct tensix *tx)
{
    const struct tensix_files *files = tile_tensix_files_const(tile);
    uint32_t undefined = 0;
    for (unsigned i = 0; i < DST_ROWS / 32; i++)
        undefined |= files->dst_row_undefined[i] & packs->used[i];
    return undefined == 0 && !pack_rows_raise_max_exponent(&tx->packer, files->DstBits[0], packs->head, packs->heads);
}

bool lap_packs_are_same(const struct lap_packs *packs, struct tile *tile, const struct tensix *from,
                        const struct tensix *tx, uint64_t now)
{
    const struct devices *dev = tile_devices_const(tile);
    if (!packs->data_same)
        return true;
    if (!data_is_same(from, tx))
        return false;
    if (packs->packs == 0)
        return true;
    /* `config` of the bank is the same, so this is what the feature register says. */
    if (!packer_is_same(&from->packer, &tx->packer) || now - tx->matrix.written < COST_DST_BLOCK ||
        soft_reset_bit(dev, SOFT_RESET_PACKER) ||
        (dst_access_of(dev, tx->config[0]) ^ packs->access) & DST_ACCESS_HIGH_HALVES ||
        !rows_are_plain(packs, tile, tx))
        return false;
    bool unheeded = true;
    for (unsigned i = 0; unheeded && i < packs->packs; i++)
        unheeded = place_of(packs, tile, i) != NULL;
    return unheeded;
}

void lap_packs_repeat(const struct lap_packs *packs, struct tile *tile, struct tensix *tx, uint32_t laps)
{
    const uint16_t *cells = tile_tensix_files_const(tile)->DstBits[0];
    tx->data_cycles[1] += laps * packs->cycles;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        tx->packer.acc_tile_size[i] = (uint16_t)(tx->packer.acc_tile_size[i] + laps * packs->sizes[i]);
    for (unsigned i = 0; i < packs->packs; i++) {
        const struct lap_pack *pack = &packs->pack[i];
        uint8_t *bytes = place_of(packs, tile, i);
        for (uint32_t lap = 0; lap < laps; lap++)
            pack_way_rows_from((enum pack_way)packs->way, pack->rows, bytes, cells, packs->row + pack->first,
                               DST_LOW_HALF * DST_COLUMNS);
    }
}
