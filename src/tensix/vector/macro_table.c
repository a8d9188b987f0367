/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of SFPLOADMACRO as instructions. */
#include "tensix/vector/macro.h"

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

void macro_decode(const struct vector_files *v, const struct vector_scheduled *entry, struct vector_op *op)
{
    const uint32_t word = entry->word;
    const unsigned name = tensix_op_of[word >> 24];
    const struct vector_instruction *row = vector_instruction(name);
    *op = (struct vector_op){.function = row->function,
                             .o = vector_operands_of(name, word),
                             .unit = (uint8_t)(row->unit - 1),
                             .lanes = entry->columns * UINT32_C(0x01010101),
                             .word = word,
                             .pc = entry->pc,
                             .thread = entry->thread};
    op->o.VB = entry->VB;
    op->o.VC = entry->VC;
    op->o.VD = entry->VD;
    if (!vector_has_low_VD(name))
        op->o.mod = entry->Mod0;
    op->kind = name == TENSIX_SFPSTORE ? OP_STORE : name == TENSIX_SFPSWAP ? OP_SWAP : OP_CALL;
    if (row->kind == CONFIGURES)
        op->lanes &= vector_config_lanes(v);
    else if (row->kind == IN_ENABLED_LANES || row->kind == OF_MAD || row->kind == MAY_TAKE_TWO)
        op->lanes &= vector_lanes_enabled(v);
    macro_registers(v, op);
}
