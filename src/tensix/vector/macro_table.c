/* SPDX-License-Identifier: Apache-2.0 */
/* Which sub-unit has which instruction (the table at the top of manual SFPLOADMACRO), and templates as instructions. */
#include "tensix/vector/macro.h"

#include "tensix_isa.h"

/* Which immediate it has, and what else is special. */
enum { NO_IMM, IMM1, IMM2, IMM8, IMM12, SIGNED12, IMM16, ROUNDING };
enum {
    ANY_LANES = 1, /* acts in lanes that are not enabled too, or asks by itself */
    NO_RESULT = 2, /* writes no VD */
    HAS_VB = 4,
    HAS_VC = 8,
    VD_HIGH = 16, /* VD and modifiers stand high in the word */
};

static const struct row {
    vector_function *function;
    uint8_t unit, immediate, flags; /* unit: plus one, 0 for what is no instruction of the Vector Unit */
} rows[TENSIX_ILLEGAL + 1] = {
    [TENSIX_SFPLOAD] = {0, MACRO_LOAD + 1, NO_IMM, VD_HIGH},
    [TENSIX_SFPLOADI] = {0, MACRO_LOAD + 1, NO_IMM, VD_HIGH},
    [TENSIX_SFPLOADMACRO] = {0, MACRO_LOAD + 1, NO_IMM, 0},
    [TENSIX_SFPNOP] = {0, MACRO_LOAD + 1, NO_IMM, NO_RESULT},
    [TENSIX_SFPABS] = {vector_abs, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPAND] = {vector_and, MACRO_SIMPLE + 1, NO_IMM, HAS_VB | HAS_VC},
    [TENSIX_SFPARECIP] = {vector_arecip, MACRO_SIMPLE + 1, NO_IMM, HAS_VB | HAS_VC},
    [TENSIX_SFPCAST] = {vector_cast, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPCOMPC] = {vector_compc, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | NO_RESULT},
    [TENSIX_SFPCONFIG] = {vector_config, MACRO_SIMPLE + 1, IMM16, ANY_LANES | NO_RESULT},
    [TENSIX_SFPDIVP2] = {vector_divp2, MACRO_SIMPLE + 1, IMM8, HAS_VC},
    [TENSIX_SFPENCC] = {vector_encc, MACRO_SIMPLE + 1, IMM2, ANY_LANES | NO_RESULT},
    [TENSIX_SFPEXEXP] = {vector_exexp, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPEXMAN] = {vector_exman, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPGT] = {vector_gt, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | HAS_VC},
    [TENSIX_SFPIADD] = {vector_iadd, MACRO_SIMPLE + 1, SIGNED12, HAS_VC},
    [TENSIX_SFPLE] = {vector_le, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | HAS_VC},
    [TENSIX_SFPLZ] = {vector_lz, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPMOV] = {vector_mov, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | HAS_VC},
    [TENSIX_SFPNOT] = {vector_not, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPOR] = {vector_or, MACRO_SIMPLE + 1, NO_IMM, HAS_VB | HAS_VC},
    [TENSIX_SFPPOPC] = {vector_popc, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | NO_RESULT},
    [TENSIX_SFPPUSHC] = {vector_pushc, MACRO_SIMPLE + 1, NO_IMM, ANY_LANES | NO_RESULT},
    [TENSIX_SFPSETCC] = {vector_setcc, MACRO_SIMPLE + 1, IMM1, HAS_VC | NO_RESULT},
    [TENSIX_SFPSETEXP] = {vector_setexp, MACRO_SIMPLE + 1, IMM8, HAS_VC},
    [TENSIX_SFPSETMAN] = {vector_setman, MACRO_SIMPLE + 1, IMM12, HAS_VC},
    [TENSIX_SFPSETSGN] = {vector_setsgn, MACRO_SIMPLE + 1, IMM1, HAS_VC},
    [TENSIX_SFPSHFT] = {vector_shft, MACRO_SIMPLE + 1, SIGNED12, HAS_VC},
    [TENSIX_SFPSWAP] = {0, MACRO_SIMPLE + 1, NO_IMM, HAS_VC | NO_RESULT},
    [TENSIX_SFPTRANSP] = {vector_transp, MACRO_SIMPLE + 1, NO_IMM, NO_RESULT},
    [TENSIX_SFPXOR] = {vector_xor, MACRO_SIMPLE + 1, NO_IMM, HAS_VC},
    [TENSIX_SFPADD] = {vector_mad, MACRO_MAD + 1, NO_IMM, HAS_VB | HAS_VC | NO_RESULT},
    [TENSIX_SFPADDI] = {vector_addi, MACRO_MAD + 1, IMM16, NO_RESULT},
    [TENSIX_SFPLUT] = {vector_lut, MACRO_MAD + 1, NO_IMM, VD_HIGH | NO_RESULT},
    [TENSIX_SFPLUTFP32] = {vector_lutfp32, MACRO_MAD + 1, NO_IMM, NO_RESULT},
    [TENSIX_SFPMAD] = {vector_mad, MACRO_MAD + 1, NO_IMM, HAS_VB | HAS_VC | NO_RESULT},
    [TENSIX_SFPMUL] = {vector_mad, MACRO_MAD + 1, NO_IMM, HAS_VB | HAS_VC | NO_RESULT},
    [TENSIX_SFPMULI] = {vector_muli, MACRO_MAD + 1, IMM16, NO_RESULT},
    [TENSIX_SFPMUL24] = {vector_mul24, MACRO_MAD + 1, NO_IMM, HAS_VB | HAS_VC | NO_RESULT},
    [TENSIX_SFPSHFT2] = {vector_shft2, MACRO_ROUND + 1, SIGNED12, HAS_VB | HAS_VC},
    [TENSIX_SFP_STOCH_RND] = {vector_stochrnd, MACRO_ROUND + 1, ROUNDING, HAS_VB | HAS_VC},
    [TENSIX_SFPSTORE] = {0, MACRO_STORE + 1, NO_IMM, VD_HIGH | NO_RESULT},
};

static const struct row *row_of(uint32_t word)
{
    return &rows[tensix_op_of[word >> 24]];
}

uint32_t macro_word_of(unsigned op)
{
    return (uint32_t)tensix_ops[op].opcode << 24;
}

unsigned macro_unit_of(unsigned op)
{
    return rows[op].unit == 0 ? (unsigned)MACRO_NO_UNIT : rows[op].unit - 1u;
}

/* SFPAND and SFPOR have a VB by a mode only. */
bool macro_has_VB(uint32_t word)
{
    enum { MOD1_USE_VB = 1 };
    const unsigned op = tensix_op_of[word >> 24];
    return (row_of(word)->flags & HAS_VB) && ((op != TENSIX_SFPAND && op != TENSIX_SFPOR) || (word & MOD1_USE_VB));
}

bool macro_has_VC(uint32_t word)
{
    return row_of(word)->flags & HAS_VC;
}

/* Instructions of one shape have their fields at the same places: one of them stands for all. */
static int32_t immediate_of(uint32_t word, unsigned immediate)
{
    switch (immediate) {
    case IMM1: return (int32_t)decode_SFPSETSGN(word).Imm1;
    case IMM2: return (int32_t)decode_SFPENCC(word).Imm2;
    case IMM8: return (int32_t)decode_SFPDIVP2(word).Imm8;
    case IMM12: return (int32_t)decode_SFPSETMAN(word).Imm12;
    case SIGNED12: return decode_SFPIADD(word).Imm12;
    case IMM16: return (int32_t)decode_SFPADDI(word).Imm16;
    case ROUNDING: return (int32_t)decode_SFP_STOCH_RND(word).Imm5;
    default: return 0;
    }
}

static uint32_t bit(unsigned lreg)
{
    return UINT32_C(1) << lreg;
}

enum { EVERY = 0x1FFFF, FIRST_EIGHT = 0xFF, FIRST_FOUR = 0xF, INDEX = 1 << 7 };

static uint32_t reads_of(const struct vector_op *op, unsigned name)
{
    enum { INDIRECT_VA = 4, LAST_COPY4 = 2 };
    const struct vector_operands *o = &op->o;
    switch (op->unit) {
    case MACRO_STORE:
    case MACRO_LOAD: return bit(o->VD); /* some loads keep half of it */
    case MACRO_MAD:
        if (name == TENSIX_SFPLUT || name == TENSIX_SFPLUTFP32)
            return FIRST_EIGHT;
        return (o->mod & INDIRECT_VA ? (uint32_t)EVERY : bit(o->VA)) | bit(o->VB) | bit(o->VC) | INDEX;
    case MACRO_ROUND:
        return bit(o->VB) | bit(o->VC) | (name == TENSIX_SFPSHFT2 && o->mod <= LAST_COPY4 ? (uint32_t)FIRST_FOUR : 0);
    default: break;
    }
    switch (name) {
    case TENSIX_SFPTRANSP: return FIRST_EIGHT;
    case TENSIX_SFPCONFIG: return bit(0);
    default: return bit(o->VB) | bit(o->VC);
    }
}

/* But for the MAD sub-unit, whose results come later (macro_cycle.c). */
static uint32_t writes_of(const struct vector_files *v, const struct vector_op *op, unsigned name)
{
    enum { SET_VD = 8, LAST_COPY4 = 2, LAST = 6 };
    const bool captures = v->lane_config_any & LANE_CONFIG_CAPTURE_DEFAULT_DEST_INDEX;
    const struct vector_operands *o = &op->o;
    switch (name) {
    case TENSIX_SFPLOADI: return bit(o->VD) & FIRST_EIGHT;
    case TENSIX_SFPLOAD:
    case TENSIX_SFPLOADMACRO: return (bit(o->VD) | (captures && o->VD < 4 ? bit(o->VD + 4u) : 0)) & FIRST_EIGHT;
    case TENSIX_SFPTRANSP: return FIRST_EIGHT;
    case TENSIX_SFPCONFIG: return o->VD < 16 ? bit(o->VD) & 0x7800 : 0;
    case TENSIX_SFPSHFT2:
        if (o->mod <= LAST_COPY4)
            return FIRST_FOUR;
        return o->mod <= LAST && vector_writable(o->VD) ? bit(o->VD) : 0;
    case TENSIX_SFPGT:
    case TENSIX_SFPLE: return (o->mod & SET_VD) && vector_writable(o->VD) ? bit(o->VD) : 0;
    default: return !(rows[name].flags & NO_RESULT) && vector_writable(o->VD) ? bit(o->VD) : 0;
    }
}

void macro_registers(const struct vector_files *v, struct vector_op *op)
{
    const unsigned name = tensix_op_of[op->word >> 24];
    op->reads = reads_of(op, name);
    op->writes = writes_of(v, op, name);
}

void macro_decode(const struct vector_files *v, const struct vector_scheduled *entry, struct vector_op *op)
{
    const uint32_t word = entry->word;
    const unsigned name = tensix_op_of[word >> 24];
    const struct row *row = &rows[name];
    const struct op_SFPMAD low = decode_SFPMAD(word);
    *op = (struct vector_op){
        .function = row->function,
        .o = {.VA = (uint8_t)low.VA, .VB = entry->VB, .VC = entry->VC, .VD = entry->VD, .mod = (uint8_t)low.Mod1},
        .unit = (uint8_t)(row->unit - 1),
        .lanes = entry->columns * UINT32_C(0x01010101),
        .word = word,
        .pc = entry->pc,
        .thread = entry->thread};
    op->o.imm = immediate_of(word, row->immediate);
    if (row->immediate == ROUNDING) {
        const struct op_SFP_STOCH_RND r = decode_SFP_STOCH_RND(word);
        op->o.mod = (uint8_t)r.Mod1;
        op->o.rounding = (uint8_t)r.RoundingMode;
        op->o.use_imm = r.UseImm5;
    } else if (row->flags & VD_HIGH) {
        op->o.mod = entry->Mod0;
    }
    op->kind = name == TENSIX_SFPSTORE ? OP_STORE : name == TENSIX_SFPSWAP ? OP_SWAP : OP_CALL;
    if (name == TENSIX_SFPCONFIG)
        op->lanes &= vector_config_lanes(v);
    else if (!(row->flags & ANY_LANES) && name != TENSIX_SFPSTORE)
        op->lanes &= vector_lanes_enabled(v);
    macro_registers(v, op);
}
