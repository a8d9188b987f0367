/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of SFPLOADMACRO as instructions. */
#include "tensix/vector/macro.h"
#include "tensix/vector/row.h"

#include "base/bits.h"
#include "tensix_isa.h"

uint32_t macro_word_of(unsigned op)
{
    return (uint32_t)tensix_ops[op].opcode << 24;
}

unsigned macro_unit_of(unsigned op)
{
    const unsigned unit = vector_instruction(op)->unit;
    return unit == 0 ? (unsigned)MACRO_NO_UNIT : unit - 1;
}

/* Of what it writes: results of the MAD sub-unit come later (macro_cycle.c), and so does an exchange. */
static uint32_t writes_of(const struct vector_files *v, const struct vector_op *op, uint32_t writes)
{
    enum { WRITABLE = 0x178FF, FIRST_EIGHT = 0xFF };
    if (op->unit == MACRO_MAD || op->kind == OP_SWAP)
        return 0;
    if (op->kind == OP_LOAD) {
        const bool captures = op->o.VD < 4 && (v->lane_config_any & LANE_CONFIG_CAPTURE_DEFAULT_DEST_INDEX);
        return (writes | (captures ? writes << 4 : 0)) & FIRST_EIGHT;
    }
    return writes & WRITABLE;
}

void macro_registers(const struct vector_files *v, struct vector_op *op)
{
    const unsigned name = op->kind == OP_LOAD ? (unsigned)TENSIX_SFPLOAD : tensix_op_of[op->word >> 24];
    const struct vector_lregs lregs = vector_lregs(name, &op->o);
    op->reads = lregs.reads;
    op->writes = writes_of(v, op, lregs.writes);
}

static void decode(const struct vector_files *v, const struct vector_scheduled *entry, struct vector_op *op)
{
    const unsigned name = tensix_op_of[entry->word >> 24];
    const struct vector_instruction *row = vector_instruction(name);
    *op = (struct vector_op){.function = row->function,
                             .o = vector_operands_of(name, entry->word),
                             .unit = (uint8_t)(row->unit - 1),
                             .in = row->kind,
                             .word = entry->word};
    op->o.VB = entry->VB;
    op->o.VC = entry->VC;
    op->o.VD = entry->VD;
    if (!vector_has_low_VD(name))
        op->o.mod = entry->Mod0;
    op->kind = name == TENSIX_SFPSTORE ? OP_STORE : name == TENSIX_SFPSWAP ? OP_SWAP : OP_CALL;
    macro_registers(v, op); /* of what is no load, the same whatever v has */
}

void macro_decode(struct vector_cache *cache, const struct vector_files *v, const struct vector_scheduled *entry,
                  struct vector_op *op)
{
    const uint32_t word = entry->word;
    const uint32_t operands =
        1u << 31 | (uint32_t)entry->VB << 16 | (uint32_t)entry->VC << 12 | (uint32_t)entry->VD << 4 | entry->Mod0;
    const unsigned place = (word ^ operands * 5) * UINT32_C(0x9E3779B1) >> (32 - VECTOR_TEMPLATES_LOG2);
    if (UNLIKELY(cache->template[place].word != word || cache->template[place].operands != operands)) {
        cache->template[place].word = word;
        cache->template[place].operands = operands;
        decode(v, entry, &cache->template[place].op);
    }
    *op = cache->template[place].op;
    op->lanes = entry->columns * UINT32_C(0x01010101);
    op->pc = entry->pc;
    op->thread = entry->thread;
    if (op->in == CONFIGURES)
        op->lanes &= vector_config_lanes(v);
    else if (op->in == IN_ENABLED_LANES || op->in == OF_MAD || op->in == MAY_TAKE_TWO)
        op->lanes &= vector_lanes_enabled(v);
}
