/* SPDX-License-Identifier: Apache-2.0 */
/* instructions.def as data and functions. */
#include "tensix/vector/instructions.h"

#include "tensix/vector/hazard.h"

#include "base/bits.h"
#include "tensix_isa.h"

/* Where operands are in a word. */
enum vector_form {
    NONE,
    ONLY_VD,
    VC_VD,      /* VB is VD */
    VB_BY_MODE, /* VB, or VD: Mod1 says which */
    VB_VC_VD,
    VA_VB_VC_VD,
    VD_VD, /* VC is VD */
    HIGH,  /* VD and Mod0 above all others */
    ROUNDING
};
enum vector_immediate { NO_IMM, IMM1, IMM2, IMM5, IMM8, IMM10, IMM12, SIGNED12, IMM16, LOW16 };

static const struct vector_instruction instructions[TENSIX_ILLEGAL + 1] = {
#define SFP(name, function, unit, kind, form, immediate, uses, others, writes)                                         \
    [TENSIX_##name] = {function, MACRO_##unit + 1, kind, form, immediate},
#define SFP_OWN SFP
#include "tensix/vector/instructions.def"
};

const struct vector_instruction *vector_instruction(unsigned op)
{
    return &instructions[op];
}

/* ---- Operands ---- */

/* Instructions of one shape have their fields at the same places: one of them stands for all. */
static int32_t immediate_of(uint32_t word, unsigned immediate)
{
    switch ((enum vector_immediate)immediate) {
    case IMM1: return (int32_t)decode_SFPSETSGN(word).Imm1;
    case IMM2: return (int32_t)decode_SFPENCC(word).Imm2;
    case IMM5: return (int32_t)decode_SFP_STOCH_RND(word).Imm5;
    case IMM8: return (int32_t)decode_SFPDIVP2(word).Imm8;
    case IMM10: return (int32_t)decode_SFPLOAD(word).Imm10;
    case IMM12: return (int32_t)decode_SFPSETMAN(word).Imm12;
    case SIGNED12: return decode_SFPIADD(word).Imm12;
    case IMM16: return (int32_t)decode_SFPADDI(word).Imm16;
    case LOW16: return (int32_t)decode_SFPLOADI(word).Imm16;
    case NO_IMM: break;
    }
    return 0;
}

struct vector_operands vector_operands_of(unsigned op, uint32_t word)
{
    const struct vector_instruction *row = &instructions[op];
    const struct op_SFPMAD low = decode_SFPMAD(word);
    const struct op_SFPLOAD high = decode_SFPLOAD(word);
    const struct op_SFP_STOCH_RND rounds = decode_SFP_STOCH_RND(word);
    const uint8_t VA = (uint8_t)low.VA, VB = (uint8_t)low.VB, VC = (uint8_t)low.VC, VD = (uint8_t)low.VD;
    struct vector_operands o = {.VB = VD, .VD = VD, .mod = (uint8_t)low.Mod1};
    o.imm = immediate_of(word, row->immediate);
    switch ((enum vector_form)row->form) {
    case NONE: return (struct vector_operands){0};
    case ONLY_VD: break;
    case VC_VD: o.VC = VC; break;
    case VB_BY_MODE: o.VC = VC, o.VB = vector_has_VB(op, word) ? VB : VD; break;
    case VB_VC_VD: o.VC = VC, o.VB = VB; break;
    case VA_VB_VC_VD: o.VC = VC, o.VB = VB, o.VA = VA; break;
    case VD_VD: o.VC = VD; break;
    case HIGH:
        o.VA = (uint8_t)high.AddrMod, o.mod = (uint8_t)high.Mod0;
        o.VB = o.VD = (uint8_t)high.VD;
        break;
    case ROUNDING:
        o.VC = VC, o.VB = VB;
        o.mod = (uint8_t)rounds.Mod1, o.rounding = (uint8_t)rounds.RoundingMode, o.use_imm = rounds.UseImm5;
        break;
    }
    return o;
}

bool vector_has_VB(unsigned op, uint32_t word)
{
    enum { MOD1_USE_VB = 1 };
    const unsigned form = instructions[op].form;
    return form == VB_VC_VD || form == VA_VB_VC_VD || form == ROUNDING || (form == VB_BY_MODE && (word & MOD1_USE_VB));
}

bool vector_has_VC(unsigned op)
{
    const unsigned form = instructions[op].form;
    return form == VC_VD || form == VB_BY_MODE || form == VB_VC_VD || form == VA_VB_VC_VD || form == ROUNDING;
}

bool vector_has_low_VD(unsigned op)
{
    return instructions[op].form != NONE && instructions[op].form != HIGH;
}

/* ---- Registers ---- */

enum { INDIRECT_VA = 4, INDIRECT_VD = 8 /* modes of the MAD sub-unit */ };
enum { FIRST_FOUR = 0xF, FIRST_EIGHT = 0xFF, FIRST_SIXTEEN = 0xFFFF, CONFIGURED = 0x7800 };
#define LREG(i) (UINT32_C(1) << (i))
/* What instructions.def speaks of, besides mod and VA to VD. */
#define KEPT_BY(mode) ((mode) ? VD : 0)
/* LReg[7] may say, lane by lane, which register is VA, and which is VD. */
#define INDEX (mod & INDIRECT_VD ? LREG(7) : 0)
#define INDEXED_VD (mod & INDIRECT_VD ? (uint32_t)FIRST_EIGHT : VD)
#define FACTOR (mod & INDIRECT_VA ? 0 : VA)
#define INDEXED_FACTOR (mod & INDIRECT_VA ? FIRST_SIXTEEN : 0)

struct vector_lregs vector_lregs(unsigned op, const struct vector_operands *o)
{
    const unsigned mod = o->mod;
    const uint32_t VA = LREG(o->VA), VB = LREG(o->VB), VC = LREG(o->VC), VD = LREG(o->VD);
    switch (op) {
#define SFP(name, function, unit, kind, form, immediate, uses, others, writes)                                         \
    case TENSIX_##name:                                                                                                \
        return (struct vector_lregs){(uint32_t)(uses), (uint32_t)((uses) | (others)), (uint32_t)(writes)};
#define SFP_OWN SFP
#include "tensix/vector/instructions.def"
    default: return (struct vector_lregs){0};
    }
}

/* ---- Words ---- */

/* Neither a back door nor a register out of reach, one cycle, nothing undefined. */
static bool is_plain(const struct vector_decoded *d)
{
    enum { LOADI_MODES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 10 };
    return d->kind != NOT_FOR_ROWS && d->kind != MAY_TAKE_TWO && d->kind != CONFIGURES &&
           d->o.VD < (d->kind == STORES ? 12 : 8) && (d->op != TENSIX_SFPLOADI || (LOADI_MODES >> d->o.mod & 1)) &&
           tensix_reserved_set(d->word) == 0;
}

void vector_decode(struct vector_decoded *d, uint32_t word)
{
    const unsigned op = tensix_op_of[word >> 24];
    const struct vector_instruction *row = &instructions[op];
    *d = (struct vector_decoded){.function = row->function,
                                 .word = word,
                                 .op = (uint8_t)op,
                                 .kind = op == TENSIX_INCRWC ? (uint8_t)COUNTS : row->kind,
                                 .latency = tensix_ops[op].latency,
                                 .o = vector_operands_of(op, word)};
    d->for_rows = is_plain(d);
    const struct vector_lregs lregs = vector_lregs(op, &d->o);
    d->out_of_reach = (lregs.writes & ~(uint32_t)EVERY_LREG) != 0;
    d->reads = (uint8_t)(lregs.reads & EVERY_LREG);
    d->writes = (uint8_t)(lregs.writes & EVERY_LREG);
    hazard_decode(d);
}
